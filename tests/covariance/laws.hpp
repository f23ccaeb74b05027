// SPDX-License-Identifier: MIT
// What every covariance must obey, as predicates over its three functions, so that deliberately
// wrong covariances can be held against the same laws.
#pragma once

#include <candor/covariance/covariance.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace candor::testing_support {

// The functions of one covariance, each of which a mutant may replace.
struct Functions {
  std::function<void(const RowPairs&, MatrixOut)> evaluate;
  std::function<Vector(const MatrixRef&, Rows)> diagonal;
  // ∂/∂(log parameters) of Σ_ij K̄_ij k_ij, and the same sum at shifted log parameters
  std::function<double(const RowPairs&, const MatrixRef&, GradientRef)> pullback;
  std::function<double(const RowPairs&, const MatrixRef&, const Vector& shift)> shifted_sum;
  Index parameters;
};

[[nodiscard]] Functions functions_of(const Covariance& covariance);

[[nodiscard]] testing::AssertionResult is_symmetric(const Functions& k, const Matrix& X);
[[nodiscard]] testing::AssertionResult is_positive_semidefinite(const Functions& k,
                                                                const Matrix& X);
[[nodiscard]] testing::AssertionResult diagonal_agrees(const Functions& k, const Matrix& X);
[[nodiscard]] testing::AssertionResult blocks_agree_with_the_whole(const Functions& k,
                                                                   const Matrix& X);
[[nodiscard]] testing::AssertionResult cross_is_the_gram_without_noise(const Functions& k,
                                                                       const Matrix& X);
[[nodiscard]] testing::AssertionResult pullback_agrees_with_differences(const Functions& k,
                                                                        const Matrix& X,
                                                                        const Matrix& K_bar);
// The returned number is Σ_ij K̄_ij k_ij.
[[nodiscard]] testing::AssertionResult pullback_returns_the_sum(const Functions& k, const Matrix& X,
                                                                const Matrix& K_bar);

// What `write` writes is read as an equal covariance.
[[nodiscard]] testing::AssertionResult round_trips_through_text(
    const Covariance& covariance, const std::function<std::string(const Covariance&)>& write);
// The log parameters that `set` sets are those read afterwards.
[[nodiscard]] testing::AssertionResult round_trips_through_log_parameters(
    const Covariance& covariance,
    const std::function<Covariance(const Covariance&, const Vector&)>& set);

}  // namespace candor::testing_support
