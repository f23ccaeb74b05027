// SPDX-License-Identifier: MIT
// Internal: the bytes of a model file, which are those of a safetensors file (docs/model-file.md):
//
//   8 bytes    length of the header, little-endian
//   header     JSON: {"__metadata__": {"checksum": …, …}, "<array>": {"dtype", "shape",
//              "data_offsets"}, …}, filled with blanks to a multiple of 8
//   data       the arrays one after the other, row-major, little-endian
//
// The checksum is the SHA-256 of the whole file with its own 64 digits written as zeros.  It comes
// first, so that the file's beginning is always the same.
#pragma once

#include <candor/linalg/types.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace candor {

inline constexpr int newest_format = 4;
// The first that has joint questions, confusions in them, and numbers that are not known.
inline constexpr int first_joint_format = 2, first_confused_format = 3, first_unknown_format = 4;

struct Array {
  std::vector<Index> shape;
  std::variant<std::vector<double>, std::vector<std::int64_t>> values;  // row-major
};

struct Container {
  int format = 1;
  std::string model;  // JSON text: everything that is no array
  std::map<std::string, Array, std::less<>> arrays;
};

[[nodiscard]] std::string pack(const Container& container);

// ModelFileError, naming the file, for anything that pack() would not have written.
[[nodiscard]] Container unpack(std::string_view bytes, const std::string& name);

// Whether these first bytes of a file could be a model's.
[[nodiscard]] bool begins_like_a_model(std::string_view bytes);

// Writes the checksum that these bytes should have, where they have room for one.
void seal(std::string& bytes);

}  // namespace candor
