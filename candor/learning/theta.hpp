// SPDX-License-Identifier: MIT
// The learned numbers of a model as one unconstrained vector.
//
//   log x         for a positive parameter: variances, lengthscales, shapes, v₂
//   logit 2ε      for a label-error rate, so that 0 < ε < ½
//
// Theta is a type of its own: a vector of parameters can never be taken for one of coordinates.
#pragma once

#include <candor/inference/evidence_gradient.hpp>
#include <candor/learning/model.hpp>
#include <candor/linalg/types.hpp>

#include <string>
#include <vector>

namespace candor {

struct Theta {
  Vector value;

  [[nodiscard]] Index size() const { return value.size(); }
};

struct ThetaBounds {
  Theta lower, upper;

  [[nodiscard]] Theta project(const Theta& theta) const;
};

enum class Coordinate { log, logit };

// One learned number: where it stands in the model and how far it may go.
struct FreeParameter {
  std::string name;  // covariance.terms[0].variance, likelihood.flip_probability
  Coordinate coordinate;
  Index position;  // among the covariance's log parameters, or the likelihood's parameters
  bool in_likelihood;
};

// The caller's say in what is learned, by name.
struct ParameterChoice {
  bool anything = true;  // false: every number stays as given
  std::vector<std::string> held{};
  std::vector<std::string> freed{};
};

// Which numbers of a model are learned, and the way from the model to Theta and back.
//
// Multiplying all variances and v₂ by one factor changes nothing but the units of f, so v₂ is held
// where the covariance has a variance to learn; a rate of exactly 0 (the regular model) is held
// too. `held` names others, such as "covariance.terms[0].variance"; "likelihood.noise_variance" may
// be freed by naming it in `freed`.
class Coordinates {
 public:
  explicit Coordinates(Model model, const ParameterChoice& choice = {});

  [[nodiscard]] Index size() const { return static_cast<Index>(free_.size()); }
  [[nodiscard]] const std::vector<FreeParameter>& parameters() const { return free_; }
  // The model that the coordinates belong to, as it was given.
  [[nodiscard]] const Model& model() const { return model_; }

  [[nodiscard]] Theta theta() const;                       // of the model as given
  [[nodiscard]] Theta theta_of(const Model& model) const;  // of another of the same structure
  [[nodiscard]] Model model_at(const Theta& theta) const;  // held numbers as given
  [[nodiscard]] Vector gradient(const EvidenceGradient& gradient, const Theta& theta) const;
  // v₂/v₀ ≥ 1e-6, 1e-6 ≤ ε ≤ 0.499, everything else within what doubles can tell apart from 0 and ∞
  // for inputs of ordinary size.
  [[nodiscard]] ThetaBounds bounds() const;

 private:
  Model model_;
  std::vector<FreeParameter> free_;
};

// v₂, or 1 for a likelihood whose noise is built in: the unit of every variance.
[[nodiscard]] double noise_variance(const Model& model);
// v₀: the largest variance in the covariance, or 1 where it has none.
[[nodiscard]] double largest_variance(const Model& model);

// dε/du for u = logit 2ε, and ε itself.
[[nodiscard]] double rate_of(double u);
[[nodiscard]] double rate_slope(double u);
[[nodiscard]] double logit_of_rate(double rate);

}  // namespace candor
