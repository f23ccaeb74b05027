// SPDX-License-Identifier: MIT
#include <apps/cli/decisions.hpp>

#include <apps/cli/audit_output.hpp>
#include <apps/cli/bounded_json.hpp>
#include <apps/cli/sheet.hpp>

#include <candor/data/number.hpp>
#include <candor/data/read_table.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace candor::cli {
namespace {

constexpr double usual_threshold = 0.5;  // that of candor audit

using Field = std::function<std::optional<std::string>(std::string_view)>;

Index row_from(const std::string& text, const std::string& place) {
  const std::optional<double> number = parse_number(text);
  if (!number || *number < 1.0 || *number != std::floor(*number) || *number > 1e15) {
    throw InvalidInput(place + ": row is '" + text + "': it must be a data row counted from 1");
  }
  return static_cast<Index>(*number) - 1;
}

double chance_from(const std::string& text, const std::string& place, std::string_view name) {
  const std::optional<double> p = parse_number(text);
  if (!p || *p < 0.0 || *p > 1.0) {
    throw InvalidInput(
        fmt::format("{}: {} is '{}': it must be a number from 0 to 1", place, name, text));
  }
  return *p;
}

// The row that a line or entry is about; InvalidInput where it names none.
Decision row_named(const Field& field, const std::string& place) {
  const auto row = field("row"), id = field("id");
  Decision decision;
  decision.place = place;
  if (row && !row->empty()) decision.row = row_from(*row, place);
  if (id && !id->empty()) decision.id = *id;
  if (!decision.row && !decision.id)
    throw InvalidInput(place + " names no row: it needs a row or an id");
  decision.given = field("given");
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

// What the lines or entries of one file decide.
class Collector {
 public:
  Collector(std::string name, std::optional<double> threshold)
      : name_(std::move(name)), threshold_(threshold) {}

  // What stands before the rows of an audit.
  void read_head(const nlohmann::json& head, const std::string& place) {
    const auto version = text_of(head, "schema_version", place);
    if (version && *version != std::to_string(schema_version)) {
      throw InvalidInput(fmt::format(
          "{} has schema_version {}, and this candor reads {}: use the candor that wrote it", name_,
          *version, schema_version));
    }
    const auto audited = head.find("audited_rows");
    if (audited != head.end() && audited->is_number_unsigned()) audited_ = audited->get<Index>();
    const auto own = text_of(head, "threshold", place);
    if (own && !threshold_) threshold_ = chance_from(*own, place, "threshold");
    decisions_.label_column = text_of(head, "label", place);
    decisions_.id_column = text_of(head, "id_column", place);
    decisions_.data_hash = text_of(head, "data_sha256", place);
  }

  // A head whose rows are to follow in lines of their own.
  void read_first_line(const nlohmann::json& head, const std::string& place) {
    read_head(head, place);
    if (!audited_) {
      throw InvalidInput(name_ +
                         " is no audit, nor a file of decisions: write one with candor audit "
                         "--format json");
    }
  }

  void add(const Field& field, const std::string& place) {
    const auto label = field("label"), p_wrong = field("p_wrong"), suggested = field("suggested");
    ++rows_;
    if (label) {
      add_decided(field, *label, place);
    } else if (p_wrong && suggested) {
      add_audited(field, chance_from(*p_wrong, place, "p_wrong"), *suggested, place);
    } else {
      throw InvalidInput(
          place +
          " has no label, nor p_wrong and suggested as an audit has: name the column "
          "(or key) that holds the label to write 'label'");
    }
  }

  void add(const nlohmann::json& object, const std::string& place) {
    if (!object.is_object()) throw InvalidInput(place + " is not an object");
    add(
        [&](std::string_view key) {
          const auto text = text_of(object, key, place);
          const bool undecided = !text && key == "label" && object.contains(key);  // it is null
          return undecided ? std::optional<std::string>("") : text;
        },
        place);
  }

  Decisions finish() {
    const Index audited = audited_.value_or(0);
    if (rows_ == 0 && audited > 0) {
      throw InvalidInput(
          fmt::format("{} holds none of its {} audited rows: it was cut, or written with --top 0",
                      name_, audited));
    }
    if (decisions_.threshold && !threshold_) {
      decisions_.notes.push_back(fmt::format(
          "{} does not tell the threshold of its audit: labels with p_wrong above {} are changed "
          "(say another with --threshold)",
          name_, usual_threshold));
    }
    // The likeliest come first: what --top left out or a cut took away may matter only here.
    if (rows_ < audited && above_ == rows_) {
      decisions_.notes.push_back(fmt::format(
          "{} holds {} of {} audited rows, all above the threshold: others may be above it too",
          name_, rows_, audited));
    }
    return std::move(decisions_);
  }

 private:
  void add_decided(const Field& field, const std::string& label, const std::string& place) {
    if (label.empty()) {
      ++decisions_.undecided;
      return;
    }
    if (label.find('\0') != std::string::npos) {
      throw InvalidInput(place + ": the label holds a NUL byte, which no table may");
    }
    Decision decision = row_named(field, place);
    decision.label = label;
    decisions_.list.push_back(std::move(decision));
  }

  void add_audited(const Field& field, double p_wrong, const std::string& suggested,
                   const std::string& place) {
    Decision decision = row_named(field, place);
    if (decision.row && !seen_.insert(*decision.row).second) {
      throw InvalidInput(fmt::format("{}: row {} comes twice", place, *decision.row + 1));
    }
    decisions_.threshold = threshold_.value_or(usual_threshold);
    if (p_wrong <= *decisions_.threshold) return;
    ++above_;
    decision.label = suggested;
    decision.alternative = field("alternative").value_or("");
    if (suggested.empty() || suggested == decision.given) {
      decision.label = std::exchange(decision.alternative, "");
    }
    if (decision.label.empty()) {
      ++decisions_.kept;
      return;
    }
    decision.by_model = true;
    decisions_.list.push_back(std::move(decision));
  }

  std::string name_;
  std::optional<double> threshold_;
  Decisions decisions_;
  std::optional<Index> audited_;  // rows of the audit, of which the file may hold the first only
  std::set<Index> seen_;
  Index rows_ = 0;
  Index above_ = 0;  // of them above the threshold
};

// A list, an audit, or one decision alone.
Decisions from_document(const nlohmann::json& document, std::optional<double> threshold,
                        const std::string& name) {
  Collector collector(name, threshold);
  const bool named = document.is_object();
  const char* key = named && document.contains("decisions") ? "decisions" : "rows";
  if (named && document.contains("decisions") && document.contains("rows")) {
    throw InvalidInput(name + " has both decisions and rows: keep one of the lists");
  }
  if (named && !document.contains(key)) {
    if (document.contains("schema_version"))
      collector.read_first_line(document, name);
    else
      collector.add(document, name);
    return collector.finish();
  }
  if (named) collector.read_head(document, name);
  const nlohmann::json& rows = named ? document.at(key) : document;
  if (!rows.is_array()) throw InvalidInput(name + " has no list of rows or decisions");
  if (!named && rows.empty()) throw InvalidInput(name + " is an empty list: it holds no decisions");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    collector.add(rows[k], fmt::format("{}: entry {}", name, k + 1));
  }
  return collector.finish();
}

[[noreturn]] void refuse_json(const std::string& text, const std::string& place) {
  std::size_t fault = 0;  // counted from 1
  try {
    std::ignore = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    fault = error.byte;
  } catch (const nlohmann::json::exception&) {
    throw InvalidInput(place + " holds a number that is too large: write it smaller");
  }
  if (fault > text.size()) throw InvalidInput(place + " ends in the middle: write the file again");
  throw InvalidInput(fmt::format("{} is not JSON from byte {} on", place, fault));
}

// The first line of an audit's lines describes it and names no row.
Decisions from_lines(const std::string& text, std::optional<double> threshold,
                     const std::string& name) {
  Collector collector(name, threshold);
  bool any = false;
  std::size_t begin = 0;
  for (int line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string content = text.substr(begin, end - begin);
    begin = end + 1;
    if (content.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string place = fmt::format("{}: line {}", name, line);
    const auto object = parse_bounded(content, place);
    // Where the first line is not whole, the text is not meant by lines.
    if (object.is_discarded()) refuse_json(any ? content : text, any ? place : name);
    if (!any && object.is_object() && object.contains("schema_version")) {
      collector.read_first_line(object, place);
    } else {
      collector.add(object, place);
    }
    any = true;
  }
  return collector.finish();
}

// A cell too many is taken for the name of a row when a table is read, and cells move.  A name that
// comes twice is numbered, and would be looked for in vain.
void check_columns(const Table& table) {
  if (table.find("row_name")) {
    throw InvalidInput(
        fmt::format("{}: its lines have one cell more than there are names: name every column",
                    table.source()));
  }
  for (const char* name : {"row", "id", "label", "given", "suggested", "alternative", "p_wrong"}) {
    if (!table.find(fmt::format("{} (1)", name))) continue;
    throw InvalidInput(
        fmt::format("{}: two columns are named {}: rename or remove one", table.source(), name));
  }
}

Decisions from_table(Source source, std::optional<double> threshold) {
  ReadOptions options;
  options.format = TableFormat::delimited;
  options.header = true;
  options.needs_label = false;
  const Table table = read_table(std::move(source), options);
  check_columns(table);
  Collector collector(table.source(), threshold);
  for (Index row = 0; row < table.rows(); ++row) {
    const Field field = [&](std::string_view key) -> std::optional<std::string> {
      const auto column = table.find(key);
      return column ? std::optional(table.cell(row, *column)) : std::nullopt;
    };
    collector.add(field, fmt::format("{}: line {}", table.source(), table.line(row)));
  }
  return collector.finish();
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

Decisions read_decisions(const std::string& path, std::optional<double> threshold) {
  Source source = read_source(path);
  if (std::exchange(source.byte_order_mark, false)) source.text.erase(0, 3);
  const auto first = source.text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) {
    Decisions none;
    none.notes = {source.name + " is empty: it holds no decisions"};
    return none;
  }
  if (source.text[first] != '{' && source.text[first] != '[') {
    check_is_no_text(source);
    if (!has_only_names(source.text)) return from_table(std::move(source), threshold);
    check_names(source);
    return {};
  }
  const auto document = parse_bounded(source.text, source.name);
  return document.is_discarded() ? from_lines(source.text, threshold, source.name)
                                 : from_document(document, threshold, source.name);
}

}  // namespace candor::cli
