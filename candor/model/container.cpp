// SPDX-License-Identifier: MIT
#include <candor/model/container.hpp>

#include <candor/model/foreign_file.hpp>
#include <candor/model/model_file.hpp>
#include <candor/model/sha256.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>

namespace candor {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // for writing: its lookups take linear time

constexpr std::string_view beginning = R"({"__metadata__":{"checksum":"sha256:)";
constexpr std::size_t length_size = 8;
constexpr std::size_t digest_size = 64;
constexpr std::size_t digest_at = length_size + beginning.size();
constexpr std::size_t word = 8;  // bytes of a double, and of an integer
constexpr std::size_t most_dimensions = 2;

void append_word(std::string& bytes, std::uint64_t value) {
  for (unsigned int k = 0; k < word; ++k) {
    bytes += static_cast<char>(static_cast<unsigned char>(value >> (8U * k)));
  }
}

std::uint64_t word_at(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (unsigned int k = 0; k < word; ++k) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[at + k])} << (8U * k);
  }
  return value;
}

std::string digest_of(std::string_view bytes) {
  static constexpr std::string_view zeros =
      "0000000000000000000000000000000000000000000000000000000000000000";
  static_assert(zeros.size() == digest_size);
  return sha256({bytes.substr(0, digest_at), zeros, bytes.substr(digest_at + digest_size)});
}

std::size_t size_of(const Array& array) {
  return std::visit([](const auto& values) { return values.size(); }, array.values);
}

OrderedJson header_of(const Container& container) {
  OrderedJson header;
  header["__metadata__"] = {{"checksum", "sha256:" + std::string(digest_size, '0')},
                            {"format", "candor model"},
                            {"format_version", std::to_string(container.format)},
                            {"model", container.model}};
  std::size_t offset = 0;
  for (const auto& [name, array] : container.arrays) {
    const std::size_t end = offset + word * size_of(array);
    header[name] = {{"dtype", array.values.index() == 0 ? "F64" : "I64"},
                    {"shape", array.shape},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  return header;
}

// Reads the parts one by one; every refusal names the file.
class Unpacking {
 public:
  Unpacking(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Container run() {
    check_beginning();
    check_digest();
    const Json header = Json::parse(bytes_.substr(length_size, header_size_));
    Container container;
    read_metadata(header.at("__metadata__"), container);
    std::uint64_t offset = 0;
    for (const auto& [key, entry] : header.items()) {
      if (key == "__metadata__") continue;
      container.arrays.emplace(key, read_array(entry, offset));
    }
    if (offset != data_size()) damaged("bytes follow its last array");
    return container;
  }

 private:
  [[noreturn]] void damaged(std::string_view what) const {
    throw ModelFileError(
        fmt::format("{} is damaged: {}; copy it again or fit it again", name_, what));
  }

  void check_beginning() {
    if (!begins_like_a_model(bytes_)) {
      throw ModelFileError(fmt::format("{} is no Candor model: {}", name_, what_it_is(bytes_)));
    }
    const std::size_t least = beginning.size() + digest_size;
    const std::size_t there = bytes_.size() - length_size;
    const std::uint64_t size = there < least ? 0 : word_at(bytes_, 0);
    if (size < least || size > there) damaged("it ends within its header");
    header_size_ = static_cast<std::size_t>(size);
  }

  void check_digest() const {
    if (bytes_.substr(digest_at, digest_size) != digest_of(bytes_)) {
      damaged("its bytes do not match its checksum, since it was altered or cut short");
    }
  }

  void read_metadata(const Json& metadata, Container& container) const {
    if (metadata.at("format") != "candor model") damaged("its header names another format");
    const auto version = metadata.at("format_version").get<std::string>();
    constexpr std::size_t most_digits = 5;
    const bool is_number = !version.empty() && std::ranges::all_of(version, [](char c) {
      return c >= '0' && c <= '9';
    });
    const bool is_huge = is_number && version.size() > most_digits;
    container.format = is_number && !is_huge ? std::stoi(version) : 0;
    if (container.format < 1 && !is_huge) damaged("its header names no format version");
    if (container.format > newest_format || is_huge) {
      throw ModelFileError(fmt::format(
          "{} was written by a newer Candor (format {}), this one reads up to {}: update", name_,
          version.substr(0, 20), newest_format));
    }
    container.model = metadata.at("model").get<std::string>();
  }

  [[nodiscard]] std::uint64_t natural(const Json& number) const {
    if (!number.is_number_unsigned()) damaged("its header has no number where one belongs");
    return number.get<std::uint64_t>();
  }

  // Sizes are held against what is there before anything is allocated.
  std::vector<Index> read_shape(const Json& entry, std::uint64_t count) const {
    std::vector<Index> shape;
    std::uint64_t product = 1;
    for (const Json& item : entry.at("shape")) {
      const std::uint64_t extent = natural(item);
      const bool too_large = extent > count || (extent > 0 && product > count / extent);
      if (too_large || shape.size() == most_dimensions) damaged("an array's shape is not its size");
      product *= extent;
      shape.push_back(static_cast<Index>(extent));
    }
    if (product != count) damaged("an array's shape is not its size");
    return shape;
  }

  // Arrays follow each other by name and without holes: `offset` says where the next must begin.
  Array read_array(const Json& entry, std::uint64_t& offset) const {
    const Json& offsets = entry.at("data_offsets");
    const std::uint64_t begin = natural(offsets.at(0)), end = natural(offsets.at(1));
    if (begin != offset || end < begin || end > data_size() || (end - begin) % word != 0) {
      damaged("an array is out of place");
    }
    const std::uint64_t count = (end - begin) / word;
    Array array{read_shape(entry, count), {}};
    if (entry.at("dtype") == "F64") {
      array.values = words<double>(begin, count);
    } else if (entry.at("dtype") == "I64") {
      array.values = words<std::int64_t>(begin, count);
    } else {
      damaged("an array holds neither F64 nor I64");
    }
    offset = end;
    return array;
  }

  template <class T>
  std::vector<T> words(std::uint64_t begin, std::uint64_t count) const {
    std::vector<T> values(static_cast<std::size_t>(count));
    const std::size_t first = length_size + header_size_ + static_cast<std::size_t>(begin);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = std::bit_cast<T>(word_at(bytes_, first + word * i));
    }
    return values;
  }

  [[nodiscard]] std::uint64_t data_size() const {
    return bytes_.size() - length_size - header_size_;
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t header_size_ = 0;
};

}  // namespace

std::string pack(const Container& container) {
  std::string header =
      header_of(container).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  header.append((word - header.size() % word) % word, ' ');
  std::string bytes;
  append_word(bytes, header.size());
  bytes += header;
  for (const auto& [name, array] : container.arrays) {
    std::visit(
        [&](const auto& values) {
          for (const auto value : values) append_word(bytes, std::bit_cast<std::uint64_t>(value));
        },
        array.values);
  }
  seal(bytes);
  return bytes;
}

Container unpack(std::string_view bytes, const std::string& name) {
  try {
    return Unpacking(bytes, name).run();
  } catch (const Json::exception&) {
    throw ModelFileError(
        fmt::format("{} is damaged: its header is not one that Candor writes; fit it again", name));
  }
}

bool begins_like_a_model(std::string_view bytes) {
  const std::string_view found = bytes.substr(std::min(length_size, bytes.size()));
  return !found.empty() && beginning.starts_with(found.substr(0, beginning.size()));
}

void seal(std::string& bytes) {
  if (bytes.size() < digest_at + digest_size) return;
  bytes.replace(digest_at, digest_size, digest_of(bytes));
}

}  // namespace candor
