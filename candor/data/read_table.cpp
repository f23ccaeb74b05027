// SPDX-License-Identifier: MIT
#include <candor/data/number.hpp>
#include <candor/data/quoting.hpp>
#include <candor/data/read_table.hpp>
#include <candor/data/wording.hpp>

#include <algorithm>
#include <utility>

namespace candor {
namespace {

// The first line that is neither blank nor a comment.
std::string_view first_line(std::string_view text, char comment) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = trim(text.substr(0, end));
    if (!line.empty() && line.front() != comment) return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

bool looks_like_arff(std::string_view text) {
  return lower_case(first_line(text, '%').substr(0, 9)) == "@relation";
}

bool is_index_value_pair(std::string_view token) {
  const std::size_t colon = token.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         token.substr(0, colon).find_first_not_of("0123456789") == std::string_view::npos &&
         parse_number(token.substr(colon + 1));
}

bool looks_like_libsvm(std::string_view text) {
  std::string_view line = first_line(text, '#');
  line = trim(line.substr(0, line.find('#')));
  std::size_t pairs = 0;
  for (std::size_t blank = line.find_first_of(" \t"); blank != std::string_view::npos;
       blank = line.find_first_of(" \t")) {
    line = trim(line.substr(blank));
    const std::string_view token = line.substr(0, line.find_first_of(" \t"));
    if (!token.starts_with("qid:") && !is_index_value_pair(token)) return false;
    ++pairs;
  }
  return pairs > 0;
}

}  // namespace

TableFormat detect_format(const Source& source) {
  std::string name = lower_case(source.name);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  if (name.ends_with(".arff")) return TableFormat::arff;
  if (name.ends_with(".libsvm") || name.ends_with(".svmlight") || name.ends_with(".svm"))
    return TableFormat::libsvm;
  std::string_view text = source.text;
  if (source.byte_order_mark) text.remove_prefix(3);
  // No other table begins with @relation, whatever its name says.
  if (looks_like_arff(text)) return TableFormat::arff;
  if (name.ends_with(".csv") || name.ends_with(".tsv")) return TableFormat::delimited;
  return looks_like_libsvm(text) ? TableFormat::libsvm : TableFormat::delimited;
}

Table read_table(Source source, const ReadOptions& options) {
  const TableFormat format = options.format.value_or(detect_format(source));
  if (format == TableFormat::arff) return read_arff(std::move(source), options);
  if (format == TableFormat::libsvm) return read_libsvm(std::move(source), options);
  return read_delimited(std::move(source), options);
}

Table read_table(const std::string& path, const ReadOptions& options) {
  return read_table(read_source(path, options.byte_limit), options);
}

}  // namespace candor
