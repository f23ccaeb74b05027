// SPDX-License-Identifier: MIT
// The model file: docs/model-file.md.  A JSON header and raw little-endian doubles behind it, with
// a version and a checksum; nothing in it is executed.
#pragma once

#include <candor/linalg/errors.hpp>
#include <candor/model/classifier.hpp>

#include <string>
#include <string_view>

namespace candor {

// One sentence: which file, what is wrong with it, what to do.
class ModelFileError : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

// The first format that has all that a classifier holds: what it is written as, and the least that a
// file of it may say.
[[nodiscard]] int format_of(const Classifier& classifier);

[[nodiscard]] std::string to_bytes(const Classifier& classifier);
[[nodiscard]] Classifier classifier_from(std::string_view bytes, const std::string& name);

void save(const Classifier& classifier, const std::string& path);  // atomically
[[nodiscard]] Classifier load(const std::string& path);

// Whether a file begins as a model does; false where there is none.
[[nodiscard]] bool is_model_file(const std::string& path);

}  // namespace candor
