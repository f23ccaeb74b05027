// SPDX-License-Identifier: MIT
#include <apps/cli/sheet.hpp>

#include <apps/cli/option_group.hpp>

#include <candor/data/dialect.hpp>
#include <candor/data/number.hpp>
#include <candor/data/write.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

namespace candor::cli {
namespace {

bool is_number(const Json& cell) { return cell.is_number(); }

std::string cell_text(const Json& cell) {
  if (cell.is_null()) return "-";
  if (cell.is_string()) return printable(cell.get<std::string>());
  if (cell.is_boolean()) return cell.get<bool>() ? "yes" : "no";
  if (cell.is_number_float()) return fmt::format("{:.4g}", cell.get<double>());
  return dumped(cell);
}

std::string cell_csv(const Json& cell) {
  if (cell.is_null()) return "";
  if (cell.is_string()) return quote_cell(cell.get<std::string>(), Dialect{});
  if (cell.is_number_float()) return format_number(cell.get<double>());
  return dumped(cell);
}

// At a blank that stands alone: runs of them are part of a name.
std::size_t end_of_word(const std::string& text, std::size_t begin) {
  std::size_t end = text.find(' ', begin);
  while (end < text.size()) {
    const std::size_t next = std::min(text.find_first_not_of(' ', end), text.size());
    if (next == end + 1) return end;
    end = text.find(' ', next);
  }
  return text.size();
}

std::string padded(const std::string& text, std::size_t columns, bool right) {
  const std::string blanks(columns - std::min(columns, width(text)), ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

void add_output_options(CLI::App& command, OutputOptions& options, std::string_view usual_format,
                        const std::vector<std::string>& formats) {
  const OptionGroup group(command, "Output");
  command
      .add_option(
          "--format", options.format,
          fmt::format("{} or {}; default: {}", fmt::join(formats.begin(), formats.end() - 1, ", "),
                      formats.back(), usual_format))
      ->type_name("FORMAT")
      ->check(CLI::IsMember(formats));
  command.add_option("-o,--output", options.path, "Write there instead of standard output")
      ->type_name("FILE");
}

Format format_of(const OutputOptions& options, Format usual) {
  if (options.format == "table") return Format::table;
  if (options.format == "csv") return Format::csv;
  if (options.format == "json") return Format::json;
  if (options.format == "jsonl") return Format::jsonl;
  return usual;
}

std::string as_text(const Sheet& sheet) {
  const std::size_t columns = sheet.names.size();
  std::vector<std::vector<std::string>> lines(1);
  for (const std::string& name : sheet.names) lines.front().push_back(printable(name));
  std::vector<bool> right(columns, !sheet.rows.empty());
  for (const auto& row : sheet.rows) {
    std::vector<std::string> line;
    for (std::size_t j = 0; j < columns; ++j) {
      line.push_back(cell_text(row[j]));
      right[j] = right[j] && (is_number(row[j]) || row[j].is_null());
    }
    lines.push_back(std::move(line));
  }
  std::vector<std::size_t> widths(columns, 0);
  for (const auto& line : lines) {
    for (std::size_t j = 0; j < columns; ++j) widths[j] = std::max(widths[j], width(line[j]));
  }
  std::string text;
  for (const auto& line : lines) {
    std::string out;
    for (std::size_t j = 0; j < columns; ++j) out += "  " + padded(line[j], widths[j], right[j]);
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + '\n';
  }
  return text;
}

std::string as_csv(const Sheet& sheet) {
  std::string text;
  const auto add_line = [&](const auto& cells, const auto& to_csv) {
    for (std::size_t j = 0; j < cells.size(); ++j) {
      if (j > 0) text += ',';
      text += to_csv(cells[j]);
    }
    text += '\n';
  };
  add_line(sheet.names, [](const std::string& name) { return quote_cell(name, Dialect{}); });
  for (const auto& row : sheet.rows) add_line(row, cell_csv);
  return text;
}

Json as_objects(const Sheet& sheet) {
  Json objects = Json::array();
  for (const auto& row : sheet.rows) {
    Json object = Json::object();
    for (std::size_t j = 0; j < row.size(); ++j) object[sheet.names[j]] = row[j];
    objects.push_back(std::move(object));
  }
  return objects;
}

std::string as_lines(const Json& objects) {
  std::string text;
  for (const Json& object : objects) text += dumped(object) + '\n';
  return text;
}

std::string written(const Sheet& sheet, Format format, const Json& head) {
  if (format == Format::table) return as_text(sheet);
  if (format == Format::csv) return as_csv(sheet);
  Json document{{"schema_version", schema_version}};
  document.update(head);
  if (format == Format::jsonl) return dumped(document) + '\n' + as_lines(as_objects(sheet));
  document["rows"] = as_objects(sheet);
  return dumped(document, 2) + '\n';
}

std::string dumped(const Json& document, int indent) {
  return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string chance(double p) {
  return p >= 0.0005 || p == 0.0 ? fmt::format("{:.3f}", p) : fmt::format("{:.0e}", p);
}

std::string printable(std::string_view text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte < 0x20 || byte == 0x7f) {
      safe += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F
      safe += fmt::format("\\x{:02x}", next);
      ++i;
    } else {
      safe += text[i];
    }
  }
  return safe;
}

std::string wrapped(const std::string& lead, const std::string& text, std::size_t indent) {
  constexpr std::size_t page_width = 100;
  std::string out, line = lead;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = end_of_word(text, begin);
    const std::string word = text.substr(begin, end - begin);
    if (begin > 0 && width(line) + 1 + width(word) > page_width) {
      out += line + '\n';
      line = std::string(indent, ' ') + word;
    } else {
      line += (begin > 0 ? " " : "") + word;
    }
  }
  return out + line + '\n';
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace candor::cli
