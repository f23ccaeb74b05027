// SPDX-License-Identifier: MIT
#include "problem.hpp"

#include <candor/covariance/log_parameters.hpp>

#include <fmt/format.h>

#include <cmath>

namespace check_vectors {

using candor::Covariance;
using candor::Index;
using candor::Matrix;
using candor::Vector;

bool Problem::has(const std::string& key) const {
  for (const Node& scope : scopes_) {
    if (scope.has(key)) return true;
  }
  return false;
}

Node Problem::operator[](const std::string& key) const {
  for (const Node& scope : scopes_) {
    if (scope.has(key)) return scope[key];
  }
  return scopes_.front()[key];
}

Matrix Problem::X() const { return (*this)["X"].matrix(); }

Matrix Problem::X_test() const {
  Matrix values = (*this)["X_test"].matrix();
  const Index columns = X().cols();
  if (values.cols() != columns) {
    (*this)["X_test"].refuse(fmt::format("rows of {} numbers, as X has", columns));
  }
  return values;
}

Vector Problem::labels() const {
  Vector y = (*this)["y"].vector();
  if (y.size() != X().rows()) {
    (*this)["y"].refuse(fmt::format("a list of {} labels, one per row of X", X().rows()));
  }
  if (!(y.array().abs() == 1.0).all()) (*this)["y"].refuse("a list of labels -1 and +1");
  return y;
}

namespace {

double positive(const Node& node) {
  const double value = node.number();
  if (!(value > 0.0)) node.refuse("greater than 0");
  return value;
}

double variance_or_zero(const Node& hyp, const std::string& key) {
  if (!hyp.has(key)) return 0.0;
  const double value = hyp[key].number();
  if (value < 0.0) hyp[key].refuse("at least 0");
  return value;
}

Vector read_lengthscales(const Node& l, Index columns) {
  const Vector inverse_squared = l.vector();
  if (inverse_squared.size() != columns) {
    l.refuse(fmt::format("a list of {} numbers, one per column of X", columns));
  }
  if ((inverse_squared.array() < 0.0).any()) l.refuse("a list of numbers that are at least 0");
  // A column of weight 0 does not matter: so long a lengthscale leaves nothing of it.
  constexpr double endless = 1e150;
  return (inverse_squared.array() > 0.0)
      .select(inverse_squared.cwiseSqrt().cwiseInverse(), endless);
}

std::vector<Index> read_discrete(const Node& hyp, Index columns) {
  std::vector<Index> discrete;
  if (!hyp.has("discrete")) return discrete;
  const std::vector<Node> flags = hyp["discrete"].items();
  if (static_cast<Index>(flags.size()) != columns) {
    hyp["discrete"].refuse(fmt::format("a list of {} flags, one per column of X", columns));
  }
  for (Index d = 0; d < columns; ++d) {
    if (flags[static_cast<std::size_t>(d)].flag()) discrete.push_back(d);
  }
  return discrete;
}

Covariance read_stationary(const Node& hyp, Index columns) {
  const std::string kind = hyp["kind"].text();
  const Vector lengthscale = read_lengthscales(hyp["l"], columns);
  const std::vector<Index> discrete = read_discrete(hyp, columns);
  const auto matern = [&](double nu) {
    return candor::Matern{.smoothness = nu, .lengthscale = lengthscale, .discrete = discrete};
  };
  if (kind == "se") {
    return candor::SquaredExponential{.lengthscale = lengthscale, .discrete = discrete};
  }
  if (kind == "rq") {
    return candor::RationalQuadratic{
        .shape = positive(hyp["a"]), .lengthscale = lengthscale, .discrete = discrete};
  }
  if (kind == "matern12") return matern(0.5);
  if (kind == "matern32") return matern(1.5);
  if (kind == "matern52") return matern(2.5);
  if (kind == "matern") return matern(positive(hyp["nu"]));
  hyp["kind"].refuse("se, rq, matern12, matern32, matern52 or matern");
}

}  // namespace

Hyperparameters read_hyperparameters(const Node& hyp, Index columns) {
  Hyperparameters result;
  const Covariance stationary = read_stationary(hyp, columns);
  result.covariance = positive(hyp["v0"]) * stationary;
  // In the order of candor's log parameters: scale, then the factor's own in the order it lists
  // them.
  Index next = 0;
  result.slots["v0"] = {next++, 1.0};
  if (hyp["kind"].text() == "rq") result.slots["a"] = {next++, 1.0};
  for (Index d = 0; d < columns; ++d) {
    result.slots[fmt::format("l{}", d + 1)] = {next++, -0.5};
  }
  if (const double v1 = variance_or_zero(hyp, "v1"); v1 > 0.0) {
    result.covariance = result.covariance + candor::Constant{.variance = v1};
    result.slots["v1"] = {next++, 1.0};
  }
  result.noise_variance = variance_or_zero(hyp, "v2");
  if (result.noise_variance > 0.0) result.slots["v2"] = {next, 1.0};
  return result;
}

Covariance Hyperparameters::with_noise() const {
  if (noise_variance == 0.0) return covariance;
  return covariance + candor::Noise{.variance = noise_variance};
}

bool Hyperparameters::names(const std::string& name) const {
  return slots.count(name) > 0 || name == "v1" || name == "v2";
}

double Hyperparameters::derivative(const std::string& name, const Vector& gradient) const {
  const auto found = slots.find(name);
  if (found == slots.end()) return 0.0;
  return found->second.factor * gradient[found->second.index];
}

}  // namespace check_vectors
