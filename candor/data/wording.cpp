// SPDX-License-Identifier: MIT
#include <candor/data/wording.hpp>

#include <candor/linalg/edit_distance.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace candor {
namespace {

// U+0080 to U+009F in UTF-8: some terminals obey them as they do an escape.
bool is_c1_control(std::string_view bytes) {
  return bytes.size() == 2 && bytes[0] == '\xC2' &&
         (static_cast<unsigned char>(bytes[1]) & 0xE0U) == 0x80U;
}

}  // namespace

std::string shown(std::string_view value) {
  constexpr std::size_t longest = 40;
  std::string out = "\"";
  std::size_t used = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    const auto byte = static_cast<unsigned char>(c);
    // A cut never splits a UTF-8 character: it waits for the next first byte.
    if (++used > longest && (byte & 0xC0U) != 0x80U) {
      out += "…";
      break;
    }
    if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20U || byte == 0x7FU)
      out += fmt::format("\\x{:02X}", byte);
    else if (is_c1_control(value.substr(i, 2)))
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(value[++i]));
    else
      out += c;
  }
  return out + "\"";
}

std::vector<std::string> all_shown(const std::vector<std::string>& values) {
  std::vector<std::string> out;
  out.reserve(values.size());
  for (const std::string& value : values) out.push_back(shown(value));
  return out;
}

std::string in_shell_quotes(std::string_view word) {
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::string as_shell_word(std::string_view word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./=,:+@%").find(c) != std::string_view::npos;
  };
  return !word.empty() && std::ranges::all_of(word, is_plain) ? std::string(word)
                                                              : in_shell_quotes(word);
}

std::string counted(Index count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& items, std::size_t most) {
  const std::size_t named = std::min(items.size(), most);
  std::string out;
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) out += (i + 1 == items.size()) ? " and " : ", ";
    out += items[i];
  }
  if (named < items.size()) out += fmt::format(" and {} more", items.size() - named);
  return out;
}

std::string place(const Table& table, Index row, Index column) {
  return fmt::format("{}: line {}, column {}", table.source(), table.line(row),
                     shown(table.name(column)));
}

std::string capitalised(std::string text) {
  if (!text.empty())
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string nearest_name_of(std::string_view name, const std::vector<std::string>& known) {
  const std::string wanted = lower_case(name.substr(0, 200));
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::string have = lower_case(std::string_view(candidate).substr(0, 200));
    // Half a name typed is meant too.
    const bool contained = wanted.size() >= 3 && have.find(wanted) != std::string::npos;
    const std::size_t distance = contained ? 1 : edit_distance(wanted, have);
    if (distance < fewest) {
      fewest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace candor
