// SPDX-License-Identifier: MIT
// Cells that are not known: covariances obey their laws on such tables, and are those of a table in
// which every unknown number is 0, moved by 1 along a column of its own.
#include "tests/covariance/laws.hpp"
#include "tests/covariance/zoo.hpp"

#include <candor/covariance/cross.hpp>
#include <candor/covariance/distance.hpp>
#include <candor/covariance/gram.hpp>
#include <candor/linalg/with_means.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace candor::testing_support {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double rounding = 1e-13;  // of sums of 24 columns and of up to 28 more

// Rows 1 and 4 are equal but for column 0, of which they, 3 and 5 know nothing; row 7 knows none.
Matrix gappy_table(Index columns) {
  Matrix X = table(12, columns, 20);
  X(1, 0) = X(4, 0) = X(3, 0) = X(5, 0) = X(6, 1) = unknown;
  X.row(7).setConstant(unknown);
  return X;
}

class LawsWithUnknownCells : public testing::TestWithParam<Specimen> {
 protected:
  const Functions k = functions_of(GetParam().covariance);
  const Matrix X = gappy_table(GetParam().columns);
  const Matrix K_bar = symmetric_table(12, 21);
};

TEST_P(LawsWithUnknownCells, Hold) {
  EXPECT_TRUE(is_symmetric(k, X));
  EXPECT_TRUE(is_positive_semidefinite(k, X));
  EXPECT_TRUE(diagonal_agrees(k, X));
  EXPECT_TRUE(blocks_agree_with_the_whole(k, X));
  EXPECT_TRUE(pullback_agrees_with_differences(k, X, K_bar));
  EXPECT_TRUE(pullback_returns_the_sum(k, X, K_bar));
}

INSTANTIATE_TEST_SUITE_P(Zoo, LawsWithUnknownCells, testing::ValuesIn(zoo()),
                         [](const auto& specimen) { return specimen.param.label; });

// Distance 0 from a row to itself is by its place, not by what it holds.
class LawsWithUnknownCellsMutants : public testing::Test {
 protected:
  const Covariance covariance = SquaredExponential{own_lengthscales(narrow), {2}};
  Functions mutant = functions_of(covariance);
  const Matrix X = gappy_table(narrow);
};

TEST_F(LawsWithUnknownCellsMutants, AreCaughtWhenARowIsNotItself) {
  mutant.evaluate = [&](const RowPairs& pairs, MatrixOut K) {
    covariance.evaluate({.X = pairs.X, .Z = pairs.Z}, K);
  };
  EXPECT_TRUE(diagonal_agrees(mutant, table(12, narrow, 20)));
  EXPECT_FALSE(diagonal_agrees(mutant, X));
}

TEST_F(LawsWithUnknownCellsMutants, AreCaughtWhenTheRowItselfFollowsTheBlock) {
  mutant.evaluate = [&](RowPairs pairs, MatrixOut K) {
    pairs.first_row = pairs.first_col = 0;
    covariance.evaluate(pairs, K);
  };
  EXPECT_FALSE(blocks_agree_with_the_whole(mutant, X));
}

// Gradients of distances without what is not known.
TEST_F(LawsWithUnknownCellsMutants, AreCaughtWhenGradientsLeaveOutWhatIsNotKnown) {
  const Matrix filled = with_means(X);
  mutant.pullback = [&](const RowPairs&, const MatrixRef& bar, GradientRef gradient) {
    return covariance.pullback({.X = filled, .Z = filled, .same_table = true}, bar, gradient);
  };
  EXPECT_FALSE(pullback_agrees_with_differences(mutant, X, symmetric_table(12, 21)));
}

struct Form {
  std::string label;
  Index columns;
  std::function<Covariance(const Vector& lengthscale)> with;
};
void PrintTo(const Form& form, std::ostream* out) { *out << form.label; }

std::vector<Form> forms() {
  std::vector<Form> all;
  for (const Index columns : {narrow, Index{6}, wide}) {  // 6: products for gradients only
    const std::string size = std::to_string(columns);
    const std::vector<Index> discrete{2};
    all.push_back({"SquaredExponential" + size, columns, [=](const Vector& l) {
                     return SquaredExponential{l, discrete};
                   }});
    all.push_back({"RationalQuadratic" + size, columns, [=](const Vector& l) {
                     return RationalQuadratic{0.7, l, discrete};
                   }});
    all.push_back({"MaternThreeHalves" + size, columns, [=](const Vector& l) {
                     return Matern{1.5, l, discrete};
                   }});
  }
  return all;
}

// The same rows with nothing unknown: a level of its own for a category, and for a number 0 and a
// new column, which has the number's lengthscale.
struct Moved {
  Matrix X;
  Vector lengthscale;
};
Moved moved(const Matrix& X, const Vector& lengthscale) {
  Moved all{X, lengthscale};
  for (Index c = 0; c < X.cols(); ++c) {
    for (Index i = 0; i < X.rows(); ++i) {
      if (!std::isnan(X(i, c))) continue;
      all.X(i, c) = c == 2 ? 100.0 + static_cast<double>(i) : 0.0;
      if (c == 2) continue;
      all.X.conservativeResize(Eigen::NoChange, all.X.cols() + 1);
      all.X.rightCols(1) = Vector::Unit(X.rows(), i);
      all.lengthscale.conservativeResize(all.lengthscale.size() + 1);
      all.lengthscale.tail(1)[0] = lengthscale[c];
    }
  }
  return all;
}

class RowsWithUnknownCells : public testing::TestWithParam<Form> {
 protected:
  const Matrix X = gappy_table(GetParam().columns);
  const Vector lengthscale = own_lengthscales(GetParam().columns);
  const Covariance covariance = GetParam().with(lengthscale);
};

Matrix gram_of(const Covariance& covariance, const Matrix& X) {
  Matrix K(X.rows(), X.rows());
  Gram(covariance, X).block(0, 0, K);
  return K;
}

TEST_P(RowsWithUnknownCells, AreMovedByOneAlongAColumnOfTheirOwn) {
  const Moved known = moved(X, lengthscale);
  const Matrix expected = gram_of(GetParam().with(known.lengthscale), known.X);
  const Matrix K = gram_of(covariance, X);
  EXPECT_LT((K - expected).cwiseAbs().maxCoeff(), rounding * expected.cwiseAbs().maxCoeff());
  // … and are not at the mean as if that were known.
  const Matrix filled = gram_of(covariance, with_means(X));
  EXPECT_GT((K - filled).cwiseAbs().maxCoeff(), 1e-3);  // ten orders above rounding
}

TEST_P(RowsWithUnknownCells, AreMovedAlikeUnderASharedLengthscale) {
  const Vector shared = Vector::Constant(1, 1.7);
  const Moved known = moved(X, Vector::Constant(X.cols(), 1.7));
  const Matrix expected = gram_of(GetParam().with(shared), known.X);
  EXPECT_LT((gram_of(GetParam().with(shared), X) - expected).cwiseAbs().maxCoeff(), rounding);
}

TEST_P(RowsWithUnknownCells, ObeyTheLawsOfGradients) {
  EXPECT_TRUE(
      pullback_agrees_with_differences(functions_of(covariance), X, symmetric_table(12, 21)));
}

TEST_P(RowsWithUnknownCells, OfAnotherTableAreOtherCells) {
  const Matrix K = cross(covariance, X, X), within = gram_of(covariance, X);
  const Vector own = K.diagonal(), variance = covariance.diagonal(X, Rows::test);
  for (Index i = 0; i < X.rows(); ++i) {
    if (X.row(i).hasNaN()) {
      EXPECT_LT(own[i], variance[i]);
    } else {
      EXPECT_NEAR(own[i], variance[i], rounding * variance[i]);
    }
  }
  Matrix elsewhere = K - within;
  elsewhere.diagonal().setZero();
  EXPECT_LT(elsewhere.cwiseAbs().maxCoeff(), rounding * within.cwiseAbs().maxCoeff());
}

INSTANTIATE_TEST_SUITE_P(Forms, RowsWithUnknownCells, testing::ValuesIn(forms()),
                         [](const auto& form) { return form.param.label; });

TEST(UnknownCellsOfALinearCovariance, AreAtTheMean) {
  const Matrix X = gappy_table(narrow);
  const Covariance covariance = Linear{own_lengthscales(narrow), {2}};
  Matrix filled = with_means(X);
  filled(7, 2) = 100.0;  // a level of its own
  const Matrix K = gram_of(covariance, X), expected = gram_of(covariance, filled);
  EXPECT_LT((K - expected).cwiseAbs().maxCoeff(), rounding * expected.cwiseAbs().maxCoeff());
}

// E (x - z)² over x of mean 0 and variance 1, and over z as well.
TEST(UnknownCellsOfOneColumn, AreAtTheExpectedSquaredDistance) {
  Matrix X(3, 1);
  X << 0.5, unknown, unknown;
  Matrix R2(3, 3), expected(3, 3);
  const RowPairs pairs{.X = X, .Z = X, .same_table = true};
  ScaledDistance(pairs, Vector::Constant(1, 2.0), {}).evaluate(R2);
  expected << 0.0, 1.25, 1.25, 1.25, 0.0, 2.0, 1.25, 2.0, 0.0;
  EXPECT_LT((R2 - expected / 4.0).cwiseAbs().maxCoeff(), rounding);
}

}  // namespace
}  // namespace candor::testing_support
