// SPDX-License-Identifier: MIT
// The shared algebra against a dense inverse, with site precisions of every sign and size.
#include "zoo.hpp"

#include <candor/inference/site_posterior.hpp>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace candor {
namespace {

// A covariance given as a matrix: anything that yields blocks will do.
struct DenseCovariance {
  Matrix K;
  [[nodiscard]] Index size() const { return K.rows(); }
  void block(Index i, Index j, MatrixOut out) const { out = K.block(i, j, out.rows(), out.cols()); }
};

struct Sample {
  std::string name;
  Matrix K;
  Vector tau;
};
std::ostream& operator<<(std::ostream& out, const Sample& sample) { return out << sample.name; }

Matrix covariance_of(Index n, double lengthscale) {
  return gram_matrix(
      1.3 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, lengthscale)}),
      random_matrix(n, 2, 23));
}

// Negative precisions that leave q proper: a share of what the rest of the posterior can bear.
Vector mixed_precisions(const Matrix& K, double share) {
  const Index n = K.rows();
  Vector tau = random_matrix(n, 1, 29).cwiseAbs();
  tau[0] = 0.0;
  tau[1] = 1e-12;
  tau[2] = 1e6;
  Matrix A = (Matrix::Identity(n, n) + K * Matrix(tau.asDiagonal())).inverse() * K;
  for (Index i = 3; i < n; i += 3) {
    const double change = -share / A(i, i);  // at -1/A_ii q turns improper
    tau[i] += change;
    A -= (change / (1.0 + change * A(i, i)) * A.col(i) * A.row(i)).eval();
  }
  return tau;
}

std::vector<Sample> samples() {
  const Matrix K = covariance_of(13, 0.8);
  Vector tiny_negative = Vector::Ones(13);
  tiny_negative[5] = -1e-9;
  tiny_negative[7] = -1e-300;
  Vector all_negative = Vector::Constant(13, -0.02);
  const Matrix large = covariance_of(300, 0.5);  // more than one tile
  return {{"no sites", K, Vector::Zero(13)},
          {"positive sites", K, random_matrix(13, 1, 1).cwiseAbs()},
          {"mixed signs", K, mixed_precisions(K, 0.5)},
          {"mixed signs near the edge", K, mixed_precisions(K, 0.99)},
          {"tiny negative sites", K, tiny_negative},
          {"only negative sites", K, all_negative},
          {"sites of all sizes", K, Vector::LinSpaced(13, -130.0, 2.0).unaryExpr([](double e) {
             return std::pow(10.0, e);
           })},
          {"huge sites", K, Vector::Constant(13, 1e5)},
          {"one row", Matrix::Constant(1, 1, 2.0), Vector::Constant(1, -0.4)},
          {"singular covariance", Matrix::Ones(6, 6), Vector::LinSpaced(6, -0.1, 2.0)},
          {"more rows than a tile", large, mixed_precisions(large, 0.3)}};
}

// The same by LU factors of I + K T, which do not care about signs.
struct Dense {
  explicit Dense(const Sample& s)
      : lu(Matrix::Identity(s.K.rows(), s.K.rows()) + s.K * Matrix(s.tau.asDiagonal())),
        A(lu.solve(s.K)),
        W(Matrix(s.tau.asDiagonal()) - Matrix(s.tau.asDiagonal()) * A * Matrix(s.tau.asDiagonal())),
        log_determinant(lu.matrixLU().diagonal().array().abs().log().sum()) {}
  Eigen::FullPivLU<Matrix> lu;
  Matrix A, W;
  double log_determinant;
};

Matrix symmetric(const Matrix& lower) { return lower.selfadjointView<Eigen::Lower>(); }

// W put together from blocks of so many rows, in the order of the table.
Matrix precision_by_blocks(SitePosterior& posterior, Index tile) {
  static_cast<void>(posterior.variance());
  const Index n = posterior.size();
  const Vector zero = Vector::Zero(n);
  Matrix W = Matrix::Zero(n, n);
  for (Index j = 0; j < n; j += tile) {
    for (Index i = j; i < n; i += tile) {
      Matrix block(std::min(tile, n - i), std::min(tile, n - j));
      posterior.adjoint_block(i, j, zero, zero, block);
      W.block(i, j, block.rows(), block.cols()) = -2.0 * block;
    }
  }
  const Matrix rows = posterior.in_internal_order(symmetric(W));
  return posterior.in_internal_order(rows.transpose());
}

class SitePosteriorLaws : public testing::TestWithParam<Sample> {
 protected:
  // Relative to the largest entry; what |I + K T| in the sample costs both ways of computing.
  static double relative(const Matrix& a, const Matrix& b) {
    return (a - b).cwiseAbs().maxCoeff() / std::max(1e-300, b.cwiseAbs().maxCoeff());
  }
  [[nodiscard]] double accuracy() const {
    return 1e-14 * static_cast<double>(dense.A.rows()) *
           std::max(1e2, GetParam().tau.cwiseAbs().maxCoeff());
  }
  void SetUp() override { ASSERT_TRUE(posterior.set_precisions(GetParam().tau)); }

  const Dense dense{GetParam()};
  SitePosterior posterior{DenseCovariance{GetParam().K}};
};

TEST_P(SitePosteriorLaws, VariancesAreThoseOfTheDenseInverse) {
  const Vector variance = posterior.variance(), expected = dense.A.diagonal();
  EXPECT_LT(relative(variance, expected), accuracy());
  EXPECT_TRUE((variance.array() > 0.0).all());
}

// Each entry by itself, whatever the size of its site: 100 roundings of the prior variance, which
// is what subtracting the explained part of it leaves.  Dividing 1 - [B⁻¹]_ii by τ_i would fail
// here.
TEST(SitePosterior, SmallSitesLoseNoDigits) {
  const Matrix K = covariance_of(60, 0.8);
  Vector tau =
      Vector::LinSpaced(60, -20.0, 1.0).unaryExpr([](double e) { return std::pow(10, e); });
  for (Index i = 1; i < 30; i += 4) tau[i] *= -1.0;
  SitePosterior posterior{DenseCovariance{K}};
  ASSERT_TRUE(posterior.set_precisions(tau));
  const Vector variance = posterior.variance();
  const Matrix A = symmetric(posterior.covariance());
  const Dense dense{{"", K, tau}};
  const double rounding = 100.0 * std::numeric_limits<double>::epsilon() * K.maxCoeff();
  EXPECT_LT((variance - dense.A.diagonal()).cwiseAbs().maxCoeff(), rounding);
  EXPECT_LT((A - dense.A).cwiseAbs().maxCoeff(), rounding);
}

TEST_P(SitePosteriorLaws, MeansAreThoseOfTheDenseInverse) {
  const Vector nu = random_matrix(posterior.size(), 1, 37);
  for (int pass = 0; pass < 2; ++pass) {  // before and after the factor is inverted
    const auto [alpha, mu] = posterior.mean(nu);
    EXPECT_LT(relative(mu, dense.A * nu), accuracy());
    EXPECT_LT(relative(GetParam().K * alpha, mu), accuracy());
    static_cast<void>(posterior.variance());
  }
}

TEST_P(SitePosteriorLaws, LogDeterminantIsThatOfTheDenseMatrix) {
  EXPECT_LT(difference(posterior.log_determinant(), dense.log_determinant), accuracy());
}

TEST_P(SitePosteriorLaws, PrecisionIsThatOfTheDenseInverse) {
  for (const Index tile : {Index{5}, Index{64}, posterior.size()}) {
    const Matrix W = precision_by_blocks(posterior, tile);
    if (GetParam().tau.isZero()) {
      EXPECT_TRUE(W.isZero());
    } else {
      EXPECT_LT(relative(W, dense.W), accuracy()) << tile;
    }
  }
}

TEST_P(SitePosteriorLaws, AdjointsAddUpInTheOrderOfTheTable) {
  static_cast<void>(posterior.variance());
  const Index n = posterior.size();
  const Vector alpha = random_matrix(n, 1, 47);
  Matrix sum = Matrix::Zero(n, n);
  for (int k = 0; k < 2; ++k) posterior.add_adjoint(alpha, sum);
  EXPECT_LT(relative(sum, alpha * alpha.transpose() - dense.W), accuracy());
}

TEST_P(SitePosteriorLaws, CovarianceIsTheDenseInverse) {
  EXPECT_LT(relative(symmetric(posterior.covariance()), dense.A), accuracy());
}

TEST_P(SitePosteriorLaws, AppliedPrecisionAndExplainedVarianceFollowFromIt) {
  const Matrix X = random_matrix(posterior.size(), 3, 43);
  const double scale = std::max(1e-300, dense.W.cwiseAbs().maxCoeff());
  for (int pass = 0; pass < 2; ++pass) {  // before and after the factor is inverted
    for (Index j = 0; j < 3; ++j) {
      const Vector applied = posterior.apply_precision(X.col(j));
      EXPECT_LT((applied - dense.W * X.col(j)).cwiseAbs().maxCoeff() / scale, 10 * accuracy());
    }
    const Vector expected = (X.transpose() * dense.W * X).diagonal();
    EXPECT_LT((posterior.explained_variance(X) - expected).cwiseAbs().maxCoeff() / scale,
              100 * accuracy());
    static_cast<void>(posterior.variance());
  }
}

TEST_P(SitePosteriorLaws, CountsNegativeSites) {
  EXPECT_EQ(posterior.negative_sites(), (GetParam().tau.array() < 0.0).count());
}

INSTANTIATE_TEST_SUITE_P(Samples, SitePosteriorLaws, testing::ValuesIn(samples()));

// The mutant: precisions clamped at zero, as in implementations that take their square root.
TEST(SitePosterior, OfClampedPrecisionsIsAnotherOne) {
  const Sample sample = samples()[2];
  const Dense dense(sample);
  SitePosterior posterior{DenseCovariance{sample.K}};
  ASSERT_TRUE(posterior.set_precisions(sample.tau.cwiseMax(0.0)));
  EXPECT_GT(difference(posterior.variance(), Vector(dense.A.diagonal())), 1e-2);
  EXPECT_GT(difference(posterior.log_determinant(), dense.log_determinant), 1e-2);
}

TEST(SitePosterior, SeesExactlyWhereItTurnsImproper) {
  SitePosterior single{DenseCovariance{Matrix::Constant(1, 1, 2.0)}};
  EXPECT_TRUE(single.set_precisions(Vector::Constant(1, -0.4999)));
  EXPECT_TRUE(single.is_proper());
  EXPECT_FALSE(single.set_precisions(Vector::Constant(1, -0.5001)));
  EXPECT_FALSE(single.is_proper());

  // One negative site against the largest precision that the rest can bear, 1/A_ii.
  const Matrix K = covariance_of(9, 0.8);
  SitePosterior posterior{DenseCovariance{K}};
  Vector tau = Vector::Constant(9, 0.7);
  ASSERT_TRUE(posterior.set_precisions(tau));
  const double edge = tau[4] - 1.0 / posterior.variance()[4];
  tau[4] = edge + 1e-6;
  EXPECT_TRUE(posterior.set_precisions(tau));
  tau[4] = edge - 1e-6;
  EXPECT_FALSE(posterior.set_precisions(tau));
  tau[4] = 0.7;  // and it recovers
  EXPECT_TRUE(posterior.set_precisions(tau));
  EXPECT_TRUE(posterior.is_proper());
}

TEST(SitePosterior, RefusesPrecisionsThatAreNotNumbers) {
  SitePosterior posterior{DenseCovariance{covariance_of(4, 0.8)}};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    Vector tau = Vector::Ones(4);
    tau[2] = bad;
    EXPECT_FALSE(posterior.set_precisions(tau)) << bad;
  }
}

// Huge sites pin the latent values: variances are 1/τ, to full relative precision.
TEST(SitePosterior, KeepsItsDigitsUnderHugeSites) {
  const Matrix K = Matrix::Identity(5, 5);
  SitePosterior posterior{DenseCovariance{K}};
  for (const double tau : {1e-12, 1e-3, 1.0, 1e8, 1e12}) {
    ASSERT_TRUE(posterior.set_precisions(Vector::Constant(5, tau)));
    EXPECT_NEAR(posterior.variance()[3] * (1.0 + tau), 1.0, 1e-12) << tau;
    EXPECT_NEAR(posterior.log_determinant(), 5.0 * std::log1p(tau), 1e-12 * (1.0 + std::log1p(tau)))
        << tau;
  }
}

}  // namespace
}  // namespace candor
