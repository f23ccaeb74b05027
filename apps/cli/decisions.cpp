// SPDX-License-Identifier: MIT
#include <apps/cli/decisions.hpp>

#include <apps/cli/audit_output.hpp>
#include <apps/cli/bounded_json.hpp>

#include <candor/data/number.hpp>
#include <candor/data/read_table.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

namespace candor::cli {
namespace {

using Field = std::function<std::optional<std::string>(std::string_view)>;

Index row_from(const std::string& text, const std::string& place) {
  const std::optional<double> number = parse_number(text);
  if (!number || *number < 1.0 || *number != std::floor(*number) || *number > 1e15) {
    throw InvalidInput(place + ": row is '" + text + "': it must be a data row counted from 1");
  }
  return static_cast<Index>(*number) - 1;
}

// One line of any of the files, by its fields; nothing where it decides nothing.
std::optional<Decision> decision_from(const Field& field, double threshold,
                                      const std::string& place) {
  const auto p_wrong = field("p_wrong"), suggested = field("suggested");
  const auto label = field("label"), row = field("row"), id = field("id"), given = field("given");
  Decision decision;
  if (label) {
    decision.label = *label;
  } else if (p_wrong && suggested) {
    const std::optional<double> p = parse_number(*p_wrong);
    if (!p) throw InvalidInput(place + ": p_wrong is '" + *p_wrong + "': it must be a number");
    if (!(*p > threshold) || suggested == given) return std::nullopt;
    decision.label = *suggested;
  } else {
    throw InvalidInput(place +
                       " has neither a label nor p_wrong and suggested: it decides nothing");
  }
  if (decision.label.empty()) return std::nullopt;  // undecided
  if (row && !row->empty()) decision.row = row_from(*row, place);
  if (id && !id->empty()) decision.id = *id;
  if (!decision.row && !decision.id)
    throw InvalidInput(place + " names no row: it needs a row or an id");
  decision.given = given;
  return decision;
}

std::optional<std::string> text_of(const nlohmann::json& object, std::string_view key,
                                   const std::string& place) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return std::nullopt;
  if (found->is_structured()) {
    throw InvalidInput(fmt::format("{}: {} is an {}: it must be a text or a number", place, key,
                                   found->type_name()));
  }
  return found->is_string() ? found->get<std::string>() : found->dump();
}

void add_object(const nlohmann::json& object, double threshold, const std::string& place,
                Decisions& decisions) {
  if (!object.is_object()) throw InvalidInput(place + " is not an object");
  const Field field = [&](std::string_view key) { return text_of(object, key, place); };
  if (auto decision = decision_from(field, threshold, place)) {
    decisions.list.push_back(std::move(*decision));
  }
}

void read_head(const nlohmann::json& head, const std::string& place, Decisions& decisions) {
  decisions.label_column = text_of(head, "label", place);
  decisions.id_column = text_of(head, "id_column", place);
}

Decisions from_document(const nlohmann::json& document, double threshold, const std::string& name) {
  Decisions decisions;
  const char* key = document.is_object() && document.contains("decisions") ? "decisions" : "rows";
  if (document.is_object()) read_head(document, name, decisions);
  const auto rows = document.is_array() ? document : document.value(key, nlohmann::json());
  if (!rows.is_array()) throw InvalidInput(name + " has no list of rows or decisions");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    add_object(rows[k], threshold, fmt::format("{}: entry {}", name, k + 1), decisions);
  }
  return decisions;
}

// The first line of an audit's lines describes it and names no row.
Decisions from_lines(const std::string& text, double threshold, const std::string& name) {
  Decisions decisions;
  std::size_t begin = 0;
  for (int line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string content = text.substr(begin, end - begin);
    begin = end + 1;
    if (content.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string place = fmt::format("{}: line {}", name, line);
    const auto object = parse_bounded(content, place);
    if (object.is_discarded()) throw InvalidInput(place + " is not JSON");
    if (line == 1 && object.is_object() && object.contains("schema_version")) {
      read_head(object, place, decisions);
    } else {
      add_object(object, threshold, place, decisions);
    }
  }
  return decisions;
}

Decisions from_table(Source source, double threshold) {
  ReadOptions options;
  options.format = TableFormat::delimited;
  options.header = true;
  const Table table = read_table(std::move(source), options);
  Decisions decisions;
  for (Index row = 0; row < table.rows(); ++row) {
    const Field field = [&](std::string_view key) -> std::optional<std::string> {
      const auto column = table.find(key);
      return column ? std::optional(table.cell(row, *column)) : std::nullopt;
    };
    const std::string place = fmt::format("{}: line {}", table.source(), table.line(row));
    if (auto decision = decision_from(field, threshold, place)) {
      decisions.list.push_back(std::move(*decision));
    }
  }
  return decisions;
}

// No decision at all is a decision, but a line of other words is another file.
void check_names(const Source& source) {
  std::set<std::string> names;
  std::string name;
  for (const char c : source.text + '\n') {
    if (std::string_view(" ,;|\t\"\r\n").find(c) == std::string_view::npos) {
      name += c;
    } else {
      names.insert(std::exchange(name, ""));
    }
  }
  const bool decides =
      names.contains("label") || (names.contains("p_wrong") && names.contains("suggested"));
  if (!decides || !(names.contains("row") || names.contains("id"))) {
    throw InvalidInput(source.name +
                       " is no file of decisions: it needs the columns row or id, and label");
  }
}

void check_is_no_text(const Source& source) {
  if (source.text.find(given_and_suggested) == std::string::npos) return;
  throw InvalidInput(source.name +
                     " is an audit in the table format, which is meant for reading: write it with "
                     "--format json or csv");
}

bool has_only_names(const std::string& text) {
  const std::size_t end = text.find_first_of("\r\n");
  return end == std::string::npos || text.find_first_not_of("\r\n", end) == std::string::npos;
}

}  // namespace

Decisions read_decisions(const std::string& path, double threshold) {
  Source source = read_source(path);
  if (std::exchange(source.byte_order_mark, false)) source.text.erase(0, 3);
  const auto first = source.text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  if (source.text[first] != '{' && source.text[first] != '[') {
    check_is_no_text(source);
    if (!has_only_names(source.text)) return from_table(std::move(source), threshold);
    check_names(source);
    return {};
  }
  const auto document = parse_bounded(source.text, source.name);
  const bool whole =
      document.is_array() ||
      (document.is_object() && (document.contains("rows") || document.contains("decisions")));
  return whole ? from_document(document, threshold, source.name)
               : from_lines(source.text, threshold, source.name);
}

}  // namespace candor::cli
