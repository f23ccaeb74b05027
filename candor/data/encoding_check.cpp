// SPDX-License-Identifier: MIT
#include <candor/data/encoding_check.hpp>

#include <candor/data/wording.hpp>

#include <candor/data/table_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

namespace candor {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool is_continuation(std::string_view text, std::size_t i) {
  return i < text.size() && (byte_at(text, i) & 0xC0U) == 0x80U;
}

// Length of the valid character at i, 0 if there is none.  The ranges of the second byte keep out
// overlong forms, surrogates and what lies beyond U+10FFFF (Unicode 15, table 3-7).
std::size_t character_length(std::string_view text, std::size_t i) {
  const unsigned first = byte_at(text, i);
  if (first < 0x80U) return 1;
  const std::size_t length = first < 0xC2U   ? 0
                             : first < 0xE0U ? 2
                             : first < 0xF0U ? 3
                             : first < 0xF5U ? 4
                                             : 0;
  for (std::size_t k = 1; k < length; ++k)
    if (!is_continuation(text, i + k)) return 0;
  if (length < 3) return length;
  const unsigned second = byte_at(text, i + 1);
  const bool bad = (first == 0xE0U && second < 0xA0U) || (first == 0xEDU && second > 0x9FU) ||
                   (first == 0xF0U && second < 0x90U) || (first == 0xF4U && second > 0x8FU);
  return bad ? 0 : length;
}

// Line and column (in characters) of a byte, both from 1.
std::pair<std::size_t, std::size_t> locate(std::string_view text, std::size_t offset) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i < offset; ++i) {
    const bool line_end =
        text[i] == '\n' || (text[i] == '\r' && !(i + 1 < text.size() && text[i + 1] == '\n'));
    if (line_end) {
      ++line;
      column = 1;
    } else if ((byte_at(text, i) & 0xC0U) != 0x80U && text[i] != '\r') {
      ++column;
    }
  }
  return {line, column};
}

// table.csv and table.csv.gz become table.utf8.csv.
std::string converted_name(const std::string& name) {
  std::filesystem::path path(name);
  if (path.extension() == ".gz") path.replace_extension();
  const std::string ending = path.extension().string();
  return path.replace_extension(".utf8" + (ending.empty() ? ".csv" : ending)).string();
}

std::string conversion_line(std::string_view encoding, const std::string& name, bool compressed) {
  if (name == "standard input") return fmt::format("iconv -f {} -t UTF-8", encoding);
  const std::string path = in_shell_quotes(name);
  const std::string target = in_shell_quotes(converted_name(name));
  if (compressed)
    return fmt::format("gzip -dc {} | iconv -f {} -t UTF-8 > {}", path, encoding, target);
  return fmt::format("iconv -f {} -t UTF-8 {} > {}", encoding, path, target);
}

struct Signature {
  std::string_view bytes;
  std::string_view what;
};
using namespace std::string_view_literals;

// Longer ones first: UTF-32 little-endian begins with the mark of UTF-16.
constexpr std::array unicode_marks{
    Signature{"\xFF\xFE\0\0"sv, "UTF-32LE"sv}, Signature{"\0\0\xFE\xFF"sv, "UTF-32BE"sv},
    Signature{"\xFF\xFE"sv, "UTF-16LE"sv}, Signature{"\xFE\xFF"sv, "UTF-16BE"sv}};
constexpr std::array binary_formats{
    Signature{"PK\x03\x04"sv,
              "a zip archive or a spreadsheet (.xlsx, .ods): save the sheet as CSV"sv},
    Signature{"\xD0\xCF\x11\xE0"sv, "an old Excel workbook: save the sheet as CSV"sv},
    Signature{"PAR1"sv, "a Parquet file: export it as CSV"sv},
    Signature{"ARROW1"sv, "an Arrow file: export it as CSV"sv},
    Signature{"\xFD"
              "7zXZ"sv,
              "xz-compressed: run xz -dc on it first"sv},
    Signature{"BZh"sv, "bzip2-compressed: run bzip2 -dc on it first"sv},
    Signature{"\x28\xB5\x2F\xFD"sv, "zstd-compressed: run zstd -dc on it first"sv},
    Signature{"SQLite format 3\0"sv, "an SQLite database: export the table as CSV"sv},
    Signature{"%PDF-"sv, "a PDF document: a text table is needed"sv}};

void refuse_other_formats(std::string_view text, const std::string& name, bool compressed) {
  for (const auto& [bytes, encoding] : unicode_marks)
    if (text.starts_with(bytes))
      throw TableError(fmt::format("{}: the text is {} by its byte order mark, not UTF-8: run {}",
                                   name, encoding, conversion_line(encoding, name, compressed)));
  for (const auto& [bytes, what] : binary_formats)
    // A text table may begin with the letters BZh or PAR1; it then holds no odd byte.
    if (text.starts_with(bytes) && (text.find('\0') != std::string_view::npos ||
                                    find_invalid_utf8(text) != std::string_view::npos))
      throw TableError(fmt::format("{}: this is {}", name, what));
}

void refuse_nul(std::string_view text, const std::string& name, bool compressed) {
  const std::size_t nul = text.find('\0');
  if (nul == std::string_view::npos) return;
  const auto [line, column] = locate(text, nul);
  // ASCII text in UTF-16 has a NUL beside nearly every character.
  const std::string_view head = text.substr(0, 64);
  const auto zeros = static_cast<std::size_t>(std::count(head.begin(), head.end(), '\0'));
  if (head.size() >= 4 && zeros * 3 >= head.size()) {
    const std::string_view encoding = head[0] == '\0' ? "UTF-16BE" : "UTF-16LE";
    throw TableError(fmt::format("{}: the text looks like {} without a byte order mark: run {}",
                                 name, encoding, conversion_line(encoding, name, compressed)));
  }
  throw TableError(fmt::format(
      "{}: line {}, column {} holds a NUL byte: this is no text table, or a damaged one", name,
      line, column));
}

// Bytes 0x80 to 0x9F are letters and quotes in Windows-1252 and control codes in ISO-8859-1.
std::pair<std::string_view, std::string_view> guess_single_byte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0 && byte_at(text, i) <= 0x9FU) return {"WINDOWS-1252", "Windows-1252"};
    i += std::max<std::size_t>(length, 1);
  }
  return {"ISO-8859-1", "Latin-1 (ISO-8859-1)"};
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    // Most tables are ASCII: eight bytes at a time.
    std::uint64_t word = 0;
    while (i + sizeof word <= text.size()) {
      std::memcpy(&word, text.data() + i, sizeof word);
      if ((word & 0x8080808080808080ULL) != 0) break;
      i += sizeof word;
    }
    if (i >= text.size()) break;
    const std::size_t length = character_length(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

void check_text_encoding(std::string_view text, const std::string& name, bool compressed) {
  refuse_other_formats(text, name, compressed);
  refuse_nul(text, name, compressed);
  const std::size_t bad = find_invalid_utf8(text);
  if (bad == std::string_view::npos) return;
  const auto [line, column] = locate(text, bad);
  const auto [encoding, spoken] = guess_single_byte(text);
  throw TableError(fmt::format(
      "{}: line {}, column {}: byte 0x{:02X} is not UTF-8; the text looks like {}: run {}", name,
      line, column, byte_at(text, bad), spoken, conversion_line(encoding, name, compressed)));
}

}  // namespace candor
