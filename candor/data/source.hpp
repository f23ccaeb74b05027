// SPDX-License-Identifier: MIT
// The bytes of a table: a file or standard input, unpacked if they are gzip, and known to be
// UTF-8 without NUL.  Anything else is refused with the line and column of the first bad byte and
// the command that converts the file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace candor {

struct Source {
  std::string name;  // for messages: the path, or "standard input"
  std::string text;  // UTF-8, with its byte order mark if it had one
  bool byte_order_mark = false;
  bool compressed = false;  // it came as gzip; text is unpacked
};

inline constexpr std::size_t default_byte_limit = std::size_t{8} << 30U;

// Reads `path`, or standard input when it is "-".
[[nodiscard]] Source read_source(const std::string& path,
                                 std::size_t byte_limit = default_byte_limit);

// The same for bytes already in memory.
[[nodiscard]] Source make_source(std::string bytes, std::string name,
                                 std::size_t byte_limit = default_byte_limit);

// Gzip by its magic number, never by the file's name.
[[nodiscard]] bool is_gzip(std::string_view bytes);
[[nodiscard]] std::string gunzip(std::string_view compressed, const std::string& name,
                                 std::size_t byte_limit);

}  // namespace candor
