// SPDX-License-Identifier: MIT
#include "covariances.hpp"

#include "names.hpp"

#include <candor/covariance/cross.hpp>
#include <candor/covariance/gram.hpp>
#include <candor/covariance/log_parameters.hpp>
#include <candor/covariance/prior.hpp>
#include <candor/covariance/text.hpp>
#include <candor/inference/evidence_gradient.hpp>
#include <candor/inference/inference.hpp>

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace candor::python {
namespace {

std::string canonical(const std::string& text) { return to_text(parse_covariance(text)); }

std::string with_logs(const std::string& text, const Vector& logs) {
  return to_text(with_log_parameters(parse_covariance(text), logs));
}

Matrix gram_of(const std::string& text, const Matrix& X) {
  const Covariance covariance = parse_covariance(text);
  const Gram gram(covariance, X);
  Matrix K(X.rows(), X.rows());
  gram.block(0, 0, K);
  return K;
}

Vector gram_diagonal(const std::string& text, const Matrix& X) {
  const Covariance covariance = parse_covariance(text);
  const Gram gram(covariance, X);
  Vector diagonal(X.rows());
  for (Index i = 0; i < X.rows(); ++i) gram.block(i, i, diagonal.segment(i, 1));
  return diagonal;
}

nb::dict inferred(const std::string& covariance_text, const std::string& likelihood_name,
                  double rate, const std::string& engine, const Matrix& X, const Vector& y,
                  const Vector& weight, bool gradient, int threads) {
  const Covariance covariance = parse_covariance(covariance_text);
  const Likelihood likelihood = likelihood_named(likelihood_name, rate);
  const Observations observations{.y = y, .weight = weight};
  double log_evidence = 0.0;
  Vector slope, mean, variance, p_wrong, log_loo;
  bool converged = false;
  {
    const nb::gil_scoped_release released;
    const Approximation q = infer(engine_named(engine), covariance, likelihood, X, observations,
                                  threads_from(threads));
    log_evidence = q.log_evidence;
    mean = q.latent_mean;
    variance = q.latent_variance;
    p_wrong = q.p_wrong;
    log_loo = q.log_loo;
    converged = q.outcome.status == Status::converged;
    if (gradient) slope = evidence_gradient(q, covariance, X).covariance;
  }
  nb::dict result;
  result["log_evidence"] = log_evidence;
  result["gradient"] = slope;
  result["latent_mean"] = mean;
  result["latent_variance"] = variance;
  result["p_wrong"] = p_wrong;
  result["log_loo"] = log_loo;
  result["converged"] = converged;
  return result;
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
        return cross(parse_covariance(text), X, Z);
      },
      "text"_a, "X"_a, "Z"_a);
  module.def("gram", &gram_of, "text"_a, "X"_a);
  module.def("gram_diagonal", &gram_diagonal, "text"_a, "X"_a);
  module.def(
      "prior_draws",
      [](const std::string& text, const Matrix& X, Index count, std::uint64_t seed) {
        return draw_from_prior(parse_covariance(text), X, count, seed).values;
      },
      "text"_a, "X"_a, "count"_a, "seed"_a);
  module.def("infer", &inferred, "covariance"_a, "likelihood"_a, "rate"_a, "engine"_a, "X"_a, "y"_a,
             "weight"_a, "gradient"_a, "threads"_a);
}

}  // namespace candor::python
