// SPDX-License-Identifier: MIT
// Every covariance of the zoo against every law, and for each law a mutant that breaks it.
#include "tests/covariance/laws.hpp"
#include "tests/covariance/missing_alternatives.hpp"
#include "tests/covariance/zoo.hpp"

#include <candor/covariance/log_parameters.hpp>
#include <candor/covariance/text.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace candor::testing_support {
namespace {

constexpr std::uint64_t seed = 20080905;

class CovarianceLaws : public testing::TestWithParam<Specimen> {
 protected:
  CovarianceLaws() { RecordProperty("seed", std::to_string(seed)); }

  const Covariance covariance = GetParam().covariance;
  const Functions k = functions_of(covariance);
  const Matrix X = table(12, GetParam().columns, seed);
  const Matrix K_bar = symmetric_table(12, seed + 1);
  const testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed)};
};

TEST_P(CovarianceLaws, IsSymmetric) { EXPECT_TRUE(is_symmetric(k, X)); }
TEST_P(CovarianceLaws, IsPositiveSemidefinite) { EXPECT_TRUE(is_positive_semidefinite(k, X)); }
TEST_P(CovarianceLaws, DiagonalAgrees) { EXPECT_TRUE(diagonal_agrees(k, X)); }
TEST_P(CovarianceLaws, BlocksAgreeWithTheWhole) { EXPECT_TRUE(blocks_agree_with_the_whole(k, X)); }
TEST_P(CovarianceLaws, CrossIsTheGramWithoutNoise) {
  EXPECT_TRUE(cross_is_the_gram_without_noise(k, X));
}
TEST_P(CovarianceLaws, PullbackAgreesWithDifferences) {
  EXPECT_TRUE(pullback_agrees_with_differences(k, X, K_bar));
}
TEST_P(CovarianceLaws, PullbackReturnsTheSum) {
  EXPECT_TRUE(pullback_returns_the_sum(k, X, K_bar));
}

TEST_P(CovarianceLaws, RoundTripsThroughText) {
  EXPECT_TRUE(round_trips_through_text(covariance, to_text));
}

TEST_P(CovarianceLaws, RoundTripsThroughLogParameters) {
  EXPECT_TRUE(round_trips_through_log_parameters(covariance, with_log_parameters));
}

TEST_P(CovarianceLaws, NamesEveryLearnedParameterOnce) {
  const std::vector<std::string> names = parameter_names(covariance);
  EXPECT_EQ(static_cast<Index>(names.size()), log_parameter_count(covariance));
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
}

INSTANTIATE_TEST_SUITE_P(Zoo, CovarianceLaws, testing::ValuesIn(zoo()),
                         [](const auto& specimen) { return specimen.param.label; });

std::vector<std::string> missing_from(const std::vector<Specimen>& specimens) {
  std::set<std::size_t> seen;
  for (const Specimen& specimen : specimens) seen.insert(specimen.covariance.node.index());
  return missing_alternatives<Covariance::Node>(seen);
}

TEST(CovarianceZoo, HoldsEveryAlternative) {
  EXPECT_EQ(missing_from(zoo()), std::vector<std::string>{})
      << "tests/covariance/zoo.hpp lacks them";
}

TEST(CovarianceZoo, IsFoundIncompleteWithoutNoise) {
  std::vector<Specimen> mutant = zoo();
  std::erase_if(mutant, [](const Specimen& s) { return s.label == "Noise"; });
  EXPECT_EQ(missing_from(mutant), std::vector<std::string>{"noise"});
}

// A covariance that obeys every law, for mutants to spoil.
class CovarianceMutants : public testing::Test {
 protected:
  const Covariance covariance =
      2.0 * Covariance(SquaredExponential{own_lengthscales(narrow), {2}}) + Covariance(Noise{0.1});
  Functions k = functions_of(covariance);
  const Matrix X = table(12, narrow, seed);
  const Matrix K_bar = symmetric_table(12, seed + 1);
};

TEST_F(CovarianceMutants, AreCaughtWhenNotSymmetric) {
  k.evaluate = [&](const RowPairs& pairs, MatrixOut K) {
    covariance.evaluate(pairs, K);
    K(0, 1) += 1e-12;
  };
  EXPECT_FALSE(is_symmetric(k, X));
}

TEST_F(CovarianceMutants, AreCaughtWhenIndefinite) {
  k.evaluate = [&](const RowPairs& pairs, MatrixOut K) {  // exp(+½R²)
    covariance.evaluate(pairs, K);
    K = K.cwiseInverse();
  };
  EXPECT_FALSE(is_positive_semidefinite(k, X));
}

TEST_F(CovarianceMutants, AreCaughtWhenTheDiagonalForgetsNoise) {
  k.diagonal = [&](const MatrixRef& rows, Rows) { return covariance.diagonal(rows, Rows::test); };
  EXPECT_FALSE(diagonal_agrees(k, X));
}

TEST_F(CovarianceMutants, AreCaughtWhenNoiseFollowsTheBlockInsteadOfTheTable) {
  k.evaluate = [&](RowPairs pairs, MatrixOut K) {
    pairs.first_row = pairs.first_col = 0;
    covariance.evaluate(pairs, K);
  };
  EXPECT_FALSE(blocks_agree_with_the_whole(k, X));
}

TEST_F(CovarianceMutants, AreCaughtWhenNoiseFollowsTheValueInsteadOfTheRow) {
  k.evaluate = [&](const RowPairs& pairs, MatrixOut K) {
    covariance.evaluate({.X = pairs.X, .Z = pairs.Z}, K);
    for (Index i = 0; i < K.rows(); ++i) {
      for (Index j = 0; j < K.cols(); ++j) K(i, j) += pairs.X.row(i) == pairs.Z.row(j) ? 0.1 : 0.0;
    }
  };
  EXPECT_FALSE(cross_is_the_gram_without_noise(k, X));
}

TEST_F(CovarianceMutants, AreCaughtWhenAGradientIsInTheParameterInsteadOfItsLog) {
  k.pullback = [&](const RowPairs& pairs, const MatrixRef& bar, GradientRef gradient) {
    const double sum = covariance.pullback(pairs, bar, gradient);
    gradient.array() /= log_parameters(covariance).array().exp();
    return sum;
  };
  EXPECT_FALSE(pullback_agrees_with_differences(k, X, K_bar));
}

TEST_F(CovarianceMutants, AreCaughtWhenOneGradientEntryIsOffByOneInAMillion) {
  k.pullback = [&](const RowPairs& pairs, const MatrixRef& bar, GradientRef gradient) {
    const double sum = covariance.pullback(pairs, bar, gradient);
    gradient[1] *= 1.0 + 1e-6;
    return sum;
  };
  EXPECT_FALSE(pullback_agrees_with_differences(k, X, K_bar));
}

// k = 1 + ½ sin(50 log θ) at θ = 1: correct, but far from what a fixed tolerance would allow.
TEST_F(CovarianceMutants, AreToldFromACovarianceThatVariesQuickly) {
  const auto value = [](double log_theta) { return 1.0 + 0.5 * std::sin(50.0 * log_theta); };
  double slope = 25.0;
  k.evaluate = [&](const RowPairs&, MatrixOut K) { K.setConstant(value(0.0)); };
  k.shifted_sum = [&](const RowPairs&, const MatrixRef& bar, const Vector& shift) {
    return value(shift[0]) * bar.sum();
  };
  k.pullback = [&](const RowPairs&, const MatrixRef& bar, GradientRef gradient) {
    gradient[0] = slope * bar.sum();
    return value(0.0) * bar.sum();
  };
  k.parameters = 1;
  const Matrix ones = Matrix::Ones(X.rows(), X.rows());
  EXPECT_TRUE(pullback_agrees_with_differences(k, X, ones));
  slope *= 1.0 + 1e-3;
  EXPECT_FALSE(pullback_agrees_with_differences(k, X, ones));
}

TEST_F(CovarianceMutants, AreCaughtWhenPullbackReturnsTheSumWithoutItsFactor) {
  k.pullback = [&](const RowPairs& pairs, const MatrixRef& bar, GradientRef gradient) {
    return 0.5 * covariance.pullback(pairs, bar, gradient);
  };
  EXPECT_FALSE(pullback_returns_the_sum(k, X, K_bar));
}

TEST_F(CovarianceMutants, AreCaughtWhenTextKeepsTooFewDigits) {
  const auto write = [](const Covariance& exact) {
    const Vector logs = log_parameters(exact).cast<float>().cast<double>();
    return to_text(with_log_parameters(exact, logs));
  };
  EXPECT_FALSE(round_trips_through_text(covariance, write));
}

TEST_F(CovarianceMutants, AreCaughtWhenTextForgetsDiscreteColumns) {
  const auto write = [](const Covariance&) { return "linear(lengthscale=1)"; };
  EXPECT_TRUE(round_trips_through_text(Linear{}, write));
  EXPECT_FALSE(round_trips_through_text(Linear{Vector::Ones(1), {2}}, write));
}

TEST_F(CovarianceMutants, AreCaughtWhenLogParametersAreSetInAnotherOrder) {
  EXPECT_FALSE(
      round_trips_through_log_parameters(covariance, [](const Covariance& old, const Vector& logs) {
        return with_log_parameters(old, Vector(logs.reverse()));
      }));
}

TEST_F(CovarianceMutants, AreCaughtWhenLogParametersAreNotSetAtAll) {
  EXPECT_FALSE(round_trips_through_log_parameters(
      covariance, [](const Covariance& old, const Vector&) { return old; }));
}

}  // namespace
}  // namespace candor::testing_support
