// SPDX-License-Identifier: MIT
#include <candor/data/dialect.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace candor {
namespace {

constexpr std::size_t sample_bytes = std::size_t{1} << 16U;
constexpr std::size_t sample_lines = 200;
// On equal evidence the rarer character wins: 1,5;2,5 is two numbers.
constexpr std::array delimiters{'\t', ';', '|', ','};

struct Sample {
  std::vector<std::size_t> cells;  // per line
  std::size_t quoted = 0;          // cells that begin with a quote
  std::size_t closed = 0;          // … and end with one
  std::size_t total = 0;
};

// A rough reading, which never fails: quotes count only where a cell begins.
class Sampler {
 public:
  Sampler(std::string_view text, char delimiter, char quote)
      : text_(text), delimiter_(delimiter), quote_(quote) {}

  Sample read() {
    std::size_t i = 0;
    while (i < text_.size() && sample_.cells.size() < sample_lines) i = read_line(i);
    // The last line may be cut off by the sample's end.
    if (sample_.cells.size() > 1 && i >= text_.size() && text_.size() >= sample_bytes)
      sample_.cells.pop_back();
    return std::move(sample_);
  }

 private:
  bool is_line_end(std::size_t i) const { return text_[i] == '\n' || text_[i] == '\r'; }

  std::size_t read_line(std::size_t i) {
    std::size_t cells = 1;
    const std::size_t begin = i;
    i = read_cell(i);
    for (; i < text_.size() && text_[i] == delimiter_; ++cells) i = read_cell(i + 1);
    // Blank lines, and the LF of CRLF, say nothing.
    if (i > begin) sample_.cells.push_back(cells);
    return i + 1;
  }

  std::size_t read_cell(std::size_t i) {
    while (i < text_.size() && text_[i] == ' ') ++i;
    ++sample_.total;
    if (i < text_.size() && text_[i] == quote_) {
      ++sample_.quoted;
      const std::size_t close = find_close(i + 1);
      if (close < text_.size()) {
        i = close + 1;
        while (i < text_.size() && text_[i] == ' ') ++i;
        if (i >= text_.size() || text_[i] == delimiter_ || is_line_end(i)) ++sample_.closed;
      }
    }
    while (i < text_.size() && text_[i] != delimiter_ && !is_line_end(i)) ++i;
    return i;
  }

  std::size_t find_close(std::size_t i) const {
    for (; i < text_.size(); ++i) {
      if (text_[i] != quote_) continue;
      if (i + 1 >= text_.size() || text_[i + 1] != quote_) return i;
      ++i;
    }
    return i;
  }

  std::string_view text_;
  char delimiter_;
  char quote_;
  Sample sample_;
};

// How many lines agree on how many cells.
struct Evidence {
  double agreement = 0.0;
  std::size_t cells = 0;
};

Evidence weigh(const Sample& sample) {
  std::map<std::size_t, std::size_t> lines;
  for (const std::size_t cells : sample.cells) ++lines[cells];
  std::size_t most = 0;
  Evidence evidence;
  for (const auto& [cells, count] : lines)
    if (count >= most) {
      most = count;
      evidence.cells = cells;
    }
  if (evidence.cells >= 2)
    evidence.agreement = static_cast<double>(most) / static_cast<double>(sample.cells.size());
  return evidence;
}

char find_delimiter(std::string_view text, char quote) {
  char best = ',';
  Evidence best_evidence;
  for (const char delimiter : delimiters) {
    const Evidence evidence = weigh(Sampler(text, delimiter, quote).read());
    if (evidence.cells < 2) continue;
    const bool clearer = evidence.agreement > best_evidence.agreement + 0.05;
    const bool as_clear = evidence.agreement > best_evidence.agreement - 0.05;
    if (clearer || (as_clear && evidence.cells > best_evidence.cells)) {
      best = delimiter;
      best_evidence = evidence;
    }
  }
  return best;
}

// A file plainly uses single quotes when a tenth of its cells stand in them and none in double
// ones.
bool uses_single_quotes(std::string_view text, char delimiter) {
  const Sample single_quotes = Sampler(text, delimiter, '\'').read();
  return single_quotes.quoted * 10 >= single_quotes.total && single_quotes.quoted >= 2 &&
         single_quotes.closed * 10 >= single_quotes.quoted * 9 &&
         Sampler(text, delimiter, '"').read().quoted == 0;
}

std::string find_line_end(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (text[i] == '\n') return "\n";
    if (text[i] == '\r') return i + 1 < text.size() && text[i + 1] == '\n' ? "\r\n" : "\r";
  }
  return "\n";
}

}  // namespace

std::string_view to_string(TableFormat format) {
  switch (format) {
    case TableFormat::delimited:
      return "delimited";
    case TableFormat::arff:
      return "ARFF";
    case TableFormat::libsvm:
      return "LIBSVM";
  }
  return "delimited";
}

std::string describe(const Dialect& dialect) {
  if (dialect.format != TableFormat::delimited) return std::string(to_string(dialect.format));
  const std::map<char, std::string_view> spoken{
      {',', "comma"}, {';', "semicolon"}, {'\t', "tab"}, {'|', "bar"}};
  const auto found = spoken.find(dialect.delimiter);
  std::string out = found == spoken.end() ? fmt::format("\"{}\"-separated", dialect.delimiter)
                                          : fmt::format("{}-separated", found->second);
  out += dialect.header ? ", header" : ", no header";
  if (dialect.quote == '\'') out += ", single quotes";
  if (dialect.line_end == "\r\n") out += ", CRLF line ends";
  if (dialect.line_end == "\r") out += ", CR line ends";
  if (dialect.byte_order_mark) out += ", byte order mark";
  return out;
}

Dialect detect_dialect(std::string_view text, std::optional<char> delimiter) {
  Dialect dialect;
  dialect.byte_order_mark = text.starts_with("\xEF\xBB\xBF");
  if (dialect.byte_order_mark) text.remove_prefix(3);
  dialect.line_end = find_line_end(text);
  const std::string_view sample = text.substr(0, sample_bytes);
  dialect.delimiter = delimiter.value_or(find_delimiter(sample, '"'));
  if (uses_single_quotes(sample, dialect.delimiter)) {
    dialect.quote = '\'';
    if (!delimiter) dialect.delimiter = find_delimiter(sample, '\'');
  }
  return dialect;
}

}  // namespace candor
