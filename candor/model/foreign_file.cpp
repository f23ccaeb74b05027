// SPDX-License-Identifier: MIT
#include <candor/model/foreign_file.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace candor {

std::string what_it_is(std::string_view bytes) {
  if (bytes.empty()) return "it is empty";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> known{
      {{"\x1f\x8b", "a gzip file"},
       {"PK\x03\x04", "a ZIP archive"},
       {"\x80\x04\x95", "a Python pickle"},
       {"\x80\x05\x95", "a Python pickle"},
       {"\x93NUMPY", "a NumPy array"},
       {"SQLite format 3", "an SQLite database"}}};
  for (const auto& [magic, what] : known) {
    if (bytes.starts_with(magic)) return "it is " + std::string(what);
  }
  if (bytes.size() > 9 && bytes[8] == '{') return "it is a safetensors file of another program";
  constexpr std::size_t looked_at = 512;
  const std::string_view start = bytes.substr(0, looked_at);
  const bool is_text = std::ranges::none_of(start, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20U && c != '\n' && c != '\r' && c != '\t';
  });
  return is_text ? "it is text, perhaps a table to fit one to" : "its first bytes are not one's";
}

}  // namespace candor
