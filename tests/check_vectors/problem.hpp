// SPDX-License-Identifier: MIT
// One problem of a reference vector: its inputs and settings, wherever in the file they stand.
#pragma once

#include "vector_json.hpp"

#include <candor/covariance/covariance.hpp>
#include <candor/likelihood/threshold.hpp>
#include <candor/linalg/types.hpp>

#include <map>
#include <string>
#include <vector>

namespace check_vectors {

// A case of a file with `cases`, or the whole file.  Inputs are looked for in the case first, then
// in what the cases share.
class Problem {
 public:
  explicit Problem(std::vector<Node> scopes) : scopes_(std::move(scopes)) {}

  [[nodiscard]] bool has(const std::string& key) const;
  [[nodiscard]] Node operator[](const std::string& key) const;  // Malformed when nowhere

  [[nodiscard]] candor::Matrix X() const;
  [[nodiscard]] candor::Matrix X_test() const;  // with as many columns as X
  [[nodiscard]] candor::Vector labels() const;  // as many as rows of X, -1 or +1

 private:
  std::vector<Node> scopes_;
};

// What the vectors call the covariance of noise-free values, v₀ρ + v₁, and the noise v₂ beside it.
struct Hyperparameters {
  candor::Covariance covariance;
  double noise_variance = 0.0;  // v₂

  // Where the derivative in the log of a hyperparameter is found in a gradient in candor's log
  // parameters. The vectors' l are inverse squared lengthscales: d/dlog l = -½ d/dlog ℓ.
  struct Slot {
    candor::Index index;
    double factor;
  };
  std::map<std::string, Slot> slots;

  [[nodiscard]] candor::Covariance with_noise() const;
  // The derivative in log `name`, given the gradient of something in the log parameters of
  // with_noise(); 0 for a variance that is 0, which the covariance leaves out.
  [[nodiscard]] bool names(const std::string& name) const;
  [[nodiscard]] double derivative(const std::string& name, const candor::Vector& gradient) const;
};

[[nodiscard]] Hyperparameters read_hyperparameters(const Node& hyp, candor::Index columns);

}  // namespace check_vectors
