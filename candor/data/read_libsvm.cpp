// SPDX-License-Identifier: MIT
// LIBSVM: "label index:value index:value # comment", indices from 1, ascending; what is absent is
// 0.
#include <candor/data/number.hpp>
#include <candor/data/quoting.hpp>
#include <candor/data/read_table.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace candor {
namespace {

constexpr std::size_t most_features =
    1'000'000;  // an index beyond is a typo, and would cost memory

class LibsvmReader {
 public:
  LibsvmReader(const Source& source, TableParts& parts)
      : text_(source.text), parts_(parts), at_(source.byte_order_mark ? 3 : 0) {}

  void read() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
      ++line_;
      read_line(at_, end);
      const bool crlf = end + 1 < text_.size() && text_[end] == '\r' && text_[end + 1] == '\n';
      at_ = end + (crlf ? 2 : 1);
    }
    if (cells_.rows() == 0) throw TableError(fmt::format("{}: the table is empty", parts_.source));
    if (features_ == 0)
      throw TableError(fmt::format("{}: no row has an index:value pair", parts_.source));
    if (query_ids_ > 0)
      parts_.notes.push_back(fmt::format("qid of {} ignored", counted(query_ids_, "row")));
    parts_.names.emplace_back("label");
    for (std::size_t i = 1; i <= features_; ++i)
      parts_.names.push_back(fmt::format("feature_{}", i));
    parts_.cells = std::move(cells_);
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw TableError(fmt::format("{}: line {}: {}", parts_.source, line_, what));
  }

  // The next token of [begin, end), empty at its end; begin moves behind it.
  Span next_token(std::size_t& begin, std::size_t end) const {
    const auto is_blank = [this](std::size_t i) { return text_[i] == ' ' || text_[i] == '\t'; };
    while (begin < end && is_blank(begin)) ++begin;
    const std::size_t first = begin;
    while (begin < end && !is_blank(begin)) ++begin;
    return {first, begin};
  }

  void read_line(std::size_t begin, std::size_t end) {
    const std::size_t length = text_.substr(begin, end - begin).find('#');
    if (length != std::string_view::npos) end = begin + length;
    const Span label = next_token(begin, end);
    if (label.begin == label.end) return;
    if (text_.substr(label.begin, label.end - label.begin).find(':') != std::string_view::npos)
      refuse("the row has no label before its first index:value pair");
    begin_row();
    cells_.add(0, label);
    std::size_t previous = 0;
    for (Span token = next_token(begin, end); token.begin < token.end;
         token = next_token(begin, end))
      previous = read_pair(token, previous);
    features_ = std::max(features_, previous);
  }

  void begin_row() {
    const auto row = static_cast<Index>(cells_.rows());
    auto& lines = parts_.lines;
    if (lines.empty() || lines.back().second - lines.back().first != line_ - row)
      lines.emplace_back(row, line_);
    cells_.begin_row();
  }

  std::size_t read_pair(Span token, std::size_t previous) {
    const std::string_view pair = text_.substr(token.begin, token.end - token.begin);
    const std::size_t colon = pair.find(':');
    if (colon == std::string_view::npos)
      refuse(fmt::format("{} is not an index:value pair", shown(pair)));
    if (pair.substr(0, colon) == "qid") {
      ++query_ids_;
      return previous;
    }
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(pair.data(), pair.data() + colon, index);
    if (error != std::errc{} || end != pair.data() + colon || index < 1 || index > most_features)
      refuse(fmt::format("index of {} must be a whole number from 1 to {}", shown(pair),
                         most_features));
    if (index <= previous)
      refuse(fmt::format("index {} comes after {}: indices must ascend within a row", index,
                         previous));
    if (!parse_number(pair.substr(colon + 1)))
      refuse(fmt::format("value of {} must be a finite number", shown(pair)));
    cells_.add(index, {token.begin + colon + 1, token.end});
    return index;
  }

  std::string_view text_;
  TableParts& parts_;
  std::size_t at_;
  Index line_ = 0;
  Index query_ids_ = 0;
  std::size_t features_ = 0;
  SparseCells cells_;
};

}  // namespace

Table read_libsvm(Source source, const ReadOptions& options) {
  TableParts parts;
  parts.source = source.name;
  parts.missing = missing_words(options.missing, default_missing_words());
  parts.dialect = detect_dialect(source.text, ' ');
  parts.dialect.format = TableFormat::libsvm;
  parts.dialect.quote = '\0';
  parts.dialect.header = false;
  LibsvmReader(source, parts).read();
  parts.text = std::move(source.text);
  return Table(std::move(parts));
}

}  // namespace candor
