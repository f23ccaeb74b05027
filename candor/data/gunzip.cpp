// SPDX-License-Identifier: MIT
#include <candor/data/source.hpp>
#include <candor/data/table_error.hpp>

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace candor {
namespace {

// The stream of one file, which may hold several members one after another.
class Inflater {
 public:
  Inflater(std::string_view compressed, const std::string& name)
      : compressed_(compressed), name_(name) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK)
      throw TableError(fmt::format("{}: no memory to unpack it", name));
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Appends up to `room` bytes to `out`; false at the end of the last member.
  bool append(std::string& out, std::size_t room) {
    const std::size_t had = out.size();
    out.resize(had + room);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + had);
    stream_.avail_out = static_cast<uInt>(room);
    const bool more = inflate_some();
    out.resize(had + room - stream_.avail_out);
    return more;
  }

 private:
  bool inflate_some() {
    while (stream_.avail_out > 0) {
      if (stream_.avail_in == 0) feed();
      const int outcome = inflate(&stream_, Z_NO_FLUSH);
      if (outcome == Z_STREAM_END) {
        if (!next_member()) return false;
      } else if (outcome == Z_BUF_ERROR || (outcome == Z_OK && at_end() && stream_.avail_out > 0)) {
        throw TableError(fmt::format(
            "{}: the gzip file ends too early: it was cut off, fetch or pack it again", name_));
      } else if (outcome != Z_OK) {
        throw TableError(fmt::format("{}: the gzip file is damaged ({}): fetch or pack it again",
                                     name_, stream_.msg == nullptr ? "bad data" : stream_.msg));
      }
    }
    return true;
  }

  bool at_end() const { return stream_.avail_in == 0 && fed_ == compressed_.size(); }

  void feed() {
    const std::size_t block =
        std::min<std::size_t>(compressed_.size() - fed_, std::numeric_limits<uInt>::max());
    // zlib's interface predates const; it does not write here.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed_.data() + fed_));
    stream_.avail_in = static_cast<uInt>(block);
    fed_ += block;
  }

  bool next_member() {
    const std::string_view rest = compressed_.substr(fed_ - stream_.avail_in);
    if (is_gzip(rest)) return inflateReset(&stream_) == Z_OK;
    // Tapes pad with zeros.
    if (rest.find_first_not_of('\0') != std::string_view::npos)
      throw TableError(fmt::format(
          "{}: there are {} bytes after the end of the gzip data: fetch or pack it again", name_,
          rest.size()));
    return false;
  }

  std::string_view compressed_;
  const std::string& name_;
  std::size_t fed_ = 0;
  z_stream stream_{};
};

// The last four bytes hold the size modulo 2³²: a hint that saves regrowing, never trusted.
std::size_t size_hint(std::string_view compressed, std::size_t byte_limit) {
  std::size_t size = 0;
  for (std::size_t i = 1; i <= 4 && compressed.size() > 18; ++i)
    size = (size << 8U) | static_cast<unsigned char>(compressed[compressed.size() - i]);
  constexpr std::size_t best_ratio = 1032;  // of deflate
  return std::min({size, byte_limit, compressed.size() * best_ratio});
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

std::string gunzip(std::string_view compressed, const std::string& name, std::size_t byte_limit) {
  constexpr std::size_t block = std::size_t{1} << 20U;
  std::string out;
  out.reserve(size_hint(compressed, byte_limit) + 1);
  Inflater inflater(compressed, name);
  for (;;) {
    // Filling what is reserved first keeps the string from doubling for its last bytes.
    const std::size_t free = out.capacity() - out.size();
    if (!inflater.append(out, free == 0 ? block : std::min(free, block))) return out;
    if (out.size() > byte_limit)
      throw TableError(fmt::format(
          "{}: unpacked, the table is larger than the limit of {} bytes: give a part of its rows",
          name, byte_limit));
  }
}

}  // namespace candor
