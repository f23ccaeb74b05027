// SPDX-License-Identifier: MIT
#include "covariances.hpp"

#include "computing.hpp"

#include <candor/covariance/cross.hpp>
#include <candor/covariance/gram.hpp>
#include <candor/covariance/log_parameters.hpp>
#include <candor/covariance/prior.hpp>
#include <candor/covariance/text.hpp>
#include <candor/linalg/check.hpp>

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <string_view>

namespace nb = nanobind;
using namespace nb::literals;

namespace candor::python {
namespace {

// No column of a kernel's rows need be standardised, so that NaN has no mean and variance.
const Matrix& known(std::string_view name, const Matrix& X) {
  check_all_finite(name, X);
  return X;
}

std::string canonical(const std::string& text) { return to_text(parse_covariance(text)); }

std::string with_logs(const std::string& text, const Vector& logs) {
  return to_text(with_log_parameters(parse_covariance(text), logs));
}

Matrix gram_of(const std::string& text, const Matrix& X) {
  const Computing computing;
  const Covariance covariance = parse_covariance(text);
  const Gram gram(covariance, known("X", X));
  Matrix K(X.rows(), X.rows());
  gram.block(0, 0, K);
  return K;
}

Vector gram_diagonal(const std::string& text, const Matrix& X) {
  const Computing computing;
  const Covariance covariance = parse_covariance(text);
  const Gram gram(covariance, known("X", X));
  Vector diagonal(X.rows());
  for (Index i = 0; i < X.rows(); ++i) gram.block(i, i, diagonal.segment(i, 1));
  return diagonal;
}

// And the jitter it took, relative to the mean variance.
nb::tuple prior_draws(const std::string& text, const Matrix& X, Index count, std::uint64_t seed) {
  std::optional<PriorDraws> draws;
  {
    const Computing computing;
    draws = draw_from_prior(parse_covariance(text), known("X", X), count, seed);
  }
  return nb::make_tuple(draws->values, draws->jitter);
}

}  // namespace

void bind_covariances(nb::module_& module) {
  module.def("canonical", &canonical, "text"_a);
  module.def(
      "parameter_names",
      [](const std::string& text) { return parameter_names(parse_covariance(text)); }, "text"_a);
  module.def(
      "log_parameters",
      [](const std::string& text) { return log_parameters(parse_covariance(text)); }, "text"_a);
  module.def("with_log_parameters", &with_logs, "text"_a, "logs"_a);
  module.def(
      "cross",
      [](const std::string& text, const Matrix& X, const Matrix& Z) {
        const Computing computing;
        return cross(parse_covariance(text), known("X", X), known("Z", Z));
      },
      "text"_a, "X"_a, "Z"_a);
  module.def("gram", &gram_of, "text"_a, "X"_a);
  module.def("gram_diagonal", &gram_diagonal, "text"_a, "X"_a);
  module.def("prior_draws", &prior_draws, "text"_a, "X"_a, "count"_a, "seed"_a);
}

}  // namespace candor::python
