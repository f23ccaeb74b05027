// SPDX-License-Identifier: MIT
// A small table of results, in any of the formats that commands write.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace candor::cli {

using Json = nlohmann::ordered_json;

inline constexpr int schema_version = 1;

enum class Format { table, csv, json, jsonl };

struct OutputOptions {
  std::string format;  // empty: the command's usual one
  std::string path;    // empty: standard output
};
void add_output_options(CLI::App& command, OutputOptions& options, std::string_view usual_format,
                        const std::vector<std::string>& formats = {"table", "csv", "json",
                                                                   "jsonl"});
[[nodiscard]] Format format_of(const OutputOptions& options, Format usual);

struct Sheet {
  std::vector<std::string> names;
  std::vector<std::vector<Json>> rows;  // texts, numbers, booleans or null
};

// Columns aligned, numbers to the right; every line begins with two blanks.
[[nodiscard]] std::string as_text(const Sheet& sheet);
[[nodiscard]] std::string as_csv(const Sheet& sheet);
// One object per row.
[[nodiscard]] Json as_objects(const Sheet& sheet);
[[nodiscard]] std::string as_lines(const Json& objects);

// One way for all: text, CSV, {"schema_version", …head, "rows"} or the same by lines, head first.
[[nodiscard]] std::string written(const Sheet& sheet, Format format, const Json& head);

// The text of it; bytes that are not UTF-8, as file names may hold, become U+FFFD.
[[nodiscard]] std::string dumped(const Json& document, int indent = -1);
// A number as JSON, null where it is not finite.
[[nodiscard]] Json finite(double value);
// A probability for people: three digits where they say something, the order of magnitude below.
[[nodiscard]] std::string chance(double p);
// A text that is safe on a terminal: control characters spelled out.
[[nodiscard]] std::string printable(std::string_view text);
// The lead and then the text, broken at single blanks into lines of at most 100 columns, of which
// all but the first are indented.
[[nodiscard]] std::string wrapped(const std::string& lead, const std::string& text,
                                  std::size_t indent);
// Columns a text takes on a terminal, one for each code point.
[[nodiscard]] std::size_t width(std::string_view text);

}  // namespace candor::cli
