// SPDX-License-Identifier: MIT
#include <candor/data/quoting.hpp>

namespace candor {
namespace {

constexpr std::string_view no_break_space = "\xC2\xA0";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

char unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

}  // namespace

std::string_view trim(std::string_view text) {
  for (;;) {
    if (!text.empty() && is_blank(text.front()))
      text.remove_prefix(1);
    else if (text.starts_with(no_break_space))
      text.remove_prefix(no_break_space.size());
    else
      break;
  }
  for (;;) {
    if (!text.empty() && is_blank(text.back()))
      text.remove_suffix(1);
    else if (text.ends_with(no_break_space))
      text.remove_suffix(no_break_space.size());
    else
      break;
  }
  return text;
}

bool is_quote(char c, const Dialect& dialect) {
  // ARFF takes either quote; a dialect without quotes has '\0', which no text holds.
  return c == dialect.quote || (dialect.format == TableFormat::arff && (c == '"' || c == '\''));
}

std::string_view unquote(std::string_view raw, const Dialect& dialect, std::string& scratch) {
  const std::string_view cell = trim(raw);
  if (cell.size() < 2 || !is_quote(cell.front(), dialect) || cell.back() != cell.front())
    return cell;
  const char quote = cell.front();
  const std::string_view inner = cell.substr(1, cell.size() - 2);
  const char escape = dialect.escape == QuoteEscape::doubled ? quote : '\\';
  if (inner.find(escape) == std::string_view::npos) return inner;
  scratch.clear();
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const bool escaped = inner[i] == escape && i + 1 < inner.size();
    if (escaped) ++i;
    scratch += (escaped && escape == '\\') ? unescaped(inner[i]) : inner[i];
  }
  return scratch;
}

}  // namespace candor
