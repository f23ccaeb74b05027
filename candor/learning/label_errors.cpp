// SPDX-License-Identifier: MIT
#include <candor/learning/label_errors.hpp>

#include <candor/linalg/errors.hpp>

#include <string>

namespace candor {

std::string_view name_of(LabelErrors errors) {
  switch (errors) {
    case LabelErrors::none:
      return "regular";
    case LabelErrors::uniform:
      return "robust";
    case LabelErrors::by_class:
      return "class-dependent";
  }
  return "unknown";
}

Likelihood likelihood_with(LabelErrors errors, double rate) {
  switch (errors) {
    case LabelErrors::none:
      return Threshold{.flip_probability = 0.0};
    case LabelErrors::uniform:
      return Threshold{.flip_probability = rate};
    case LabelErrors::by_class:
      return AsymmetricThreshold{.flip_positive = rate, .flip_negative = rate};
  }
  throw InvalidInput("label errors are of no known kind");
}

Likelihood widened(const Likelihood& likelihood, LabelErrors errors) {
  const auto* threshold = std::get_if<Threshold>(&likelihood);
  if (threshold == nullptr || errors != LabelErrors::by_class) return likelihood;
  return AsymmetricThreshold{.flip_positive = threshold->flip_probability,
                             .flip_negative = threshold->flip_probability,
                             .noise_variance = threshold->noise_variance};
}

}  // namespace candor
