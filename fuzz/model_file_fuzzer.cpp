// SPDX-License-Identifier: MIT
// Any bytes: a classifier or a ModelFileError, nothing else.  A classifier that came out can be
// written, read again to the same bytes, and asked.
//
// The checksum would stop nearly every mutation at the door, so the input is also tried with the
// checksum that it should have.
#include <candor/linalg/errors.hpp>
#include <candor/model/container.hpp>
#include <candor/model/model_file.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

std::optional<candor::Classifier> read(std::string_view bytes) {
  try {
    return candor::classifier_from(bytes, "fuzz.candor");
  } catch (const candor::ModelFileError&) {
    return std::nullopt;
  }
}

void use(const candor::Classifier& classifier) {
  const std::string bytes = candor::to_bytes(classifier);
  const auto again = read(bytes);
  if (!again || candor::to_bytes(*again) != bytes) std::abort();
  constexpr candor::Index most_rows = 64;
  if (classifier.X.rows() > most_rows) return;
  try {
    static_cast<void>(candor::predict(classifier, classifier.X.topRows(1), {1}));
  } catch (const candor::NumericalError&) {
    // sites that give no proper posterior
  } catch (const candor::InvalidInput&) {
    // a covariance that is not finite on these rows
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(data, data + size);
  static_cast<void>(read(bytes));
  candor::seal(bytes);
  if (const auto classifier = read(bytes)) use(*classifier);
  return 0;
}
