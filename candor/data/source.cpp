// SPDX-License-Identifier: MIT
#include <candor/data/source.hpp>

#include <candor/data/encoding_check.hpp>
#include <candor/data/table_error.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

namespace candor {
namespace {

void check_limit(std::size_t bytes, std::size_t byte_limit, const std::string& name) {
  if (bytes > byte_limit)
    throw TableError(
        fmt::format("{}: the table is larger than the limit of {} bytes: give a part of its rows",
                    name, byte_limit));
}

std::string read_all(std::FILE& file, const std::string& name, std::size_t expected,
                     std::size_t byte_limit) {
  std::string bytes;
  bytes.reserve(expected);
  std::array<char, std::size_t{1} << 16U> block{};
  for (;;) {
    const std::size_t got = std::fread(block.data(), 1, block.size(), &file);
    bytes.append(block.data(), got);
    check_limit(bytes.size(), byte_limit, name);
    if (got < block.size()) break;
  }
  if (std::ferror(&file) != 0)
    throw TableError(fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
  return bytes;
}

std::string read_file(const std::string& path, std::size_t byte_limit) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw TableError(fmt::format("{}: this is a folder: name a table in it", path));
  const auto size = std::filesystem::file_size(path, ignored);
  const std::size_t expected = ignored ? 0 : static_cast<std::size_t>(size);
  check_limit(expected, byte_limit, path);
  const auto close = [](std::FILE* f) { return std::fclose(f); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) throw TableError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  return read_all(*file, path, expected, byte_limit);
}

}  // namespace

Source read_source(const std::string& path, std::size_t byte_limit) {
  if (path == "-")
    return make_source(read_all(*stdin, "standard input", 0, byte_limit), "standard input",
                       byte_limit);
  return make_source(read_file(path, byte_limit), path, byte_limit);
}

Source make_source(std::string bytes, std::string name, std::size_t byte_limit) {
  Source source{.name = std::move(name), .text = std::move(bytes)};
  source.compressed = is_gzip(source.text);
  if (source.compressed) source.text = gunzip(source.text, source.name, byte_limit);
  check_limit(source.text.size(), byte_limit, source.name);
  check_text_encoding(source.text, source.name, source.compressed);
  source.byte_order_mark = source.text.starts_with("\xEF\xBB\xBF");
  return source;
}

}  // namespace candor
