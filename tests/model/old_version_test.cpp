// SPDX-License-Identifier: MIT
// Files of old format versions keep loading and keep predicting what they did.  Numbers are those
// of version_oracle.py, which reads the file without Candor; Python 3.11, doubles, 2026-11-15.
// version_1.candor was written by Candor 0.1.0 from version_1.csv and is never written again.  So is
// version_4.candor, where numbers are not known: `candor fit version_4.csv --label class --errors
// none,uniform` with the covariance below, 2026-11-18.
// The two of version 2, joint questions in their two forms, were written by `candor fit --covariance
// '4 * squared_exponential(lengthscale=2) + constant(1)'` and their predictions by `candor predict`,
// 2026-11-16: these say that nothing has changed, not that it is right.  So was that of version 3, a
// confusion of three classes, with `--errors class` from version_2_coupled.csv.
#include "tables.hpp"

#include <candor/model/model_file.hpp>

#include <gtest/gtest.h>

namespace candor {
namespace {

// A table of numbers, as written by the oracle.
Matrix numbers_of(const Table& table) {
  Matrix numbers(table.rows(), table.columns());
  for (Index i = 0; i < table.rows(); ++i) {
    for (Index j = 0; j < table.columns(); ++j) {
      numbers(i, j) = parse_number(table.cell(i, j)).value();
    }
  }
  return numbers;
}

TEST(OldVersion, OneStillLoadsAndPredictsTheSame) {
  const Classifier c = load("tests/model/version_1.candor");
  EXPECT_EQ(c.classes, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(c.provenance.version, "0.1.0");
  ASSERT_EQ(c.questions[0].processes.size(), 2U);
  Matrix X(c.X.rows() + 1, c.X.cols());
  X << c.X, Matrix::Constant(1, c.X.cols(), 9.0);
  const ClassProbabilities p = predict(c, X);
  const Matrix expected = numbers_of(read_table("tests/model/version_1_predictions.csv"));
  ASSERT_EQ(expected.rows(), X.rows());
  // Printed to 12 digits; two eliminations of a well-conditioned 14×14 system agree to more.
  constexpr double digits = 1e-10;
  EXPECT_LT((p.clean.col(1) - expected.col(0)).lpNorm<Eigen::Infinity>(), digits);
  EXPECT_LT((p.observed.col(1) - expected.col(1)).lpNorm<Eigen::Infinity>(), digits);
  EXPECT_LT((p.latent_mean - expected.col(2)).lpNorm<Eigen::Infinity>(), digits);
  EXPECT_LT((p.latent_variance - expected.col(3)).lpNorm<Eigen::Infinity>(), digits);
}

TEST(OldVersion, TwoStillLoadsAndPredictsTheSame) {
  for (const std::string form : {"coupled", "factorised"}) {
    const std::string stem = "tests/model/version_2_" + form;
    const Classifier c = load(stem + ".candor");
    ASSERT_TRUE(c.is_joint());
    const ClassProbabilities p = predict(c, encode(c.encoder, read_table(stem + ".csv")).X);
    const Matrix expected = numbers_of(read_table(stem + "_predictions.csv"));
    const Index C = p.clean.cols();
    // Integrals over the other classes, on other instruction sets summed in another order.
    constexpr double digits = 1e-9;
    EXPECT_LT((p.clean - expected.leftCols(C)).cwiseAbs().maxCoeff(), digits) << form;
    for (Index k = 0; k < C; ++k) {
      const Vector mean = expected.col(C + 2 * k), variance = expected.col(C + 2 * k + 1);
      EXPECT_LT((p.latent_mean.col(k) - mean).lpNorm<Eigen::Infinity>(), digits) << form;
      EXPECT_LT((p.latent_variance.col(k) - variance).lpNorm<Eigen::Infinity>(), digits) << form;
    }
  }
}

TEST(OldVersion, ThreeStillLoadsAndPredictsTheSame) {
  const Classifier c = load("tests/model/version_3.candor");
  EXPECT_EQ(c.questions[0].processes[0].confusion.rows(), 3);
  const Table table = read_table("tests/model/version_2_coupled.csv");
  const ClassProbabilities p = predict(c, encode(c.encoder, table).X);
  const Matrix expected = numbers_of(read_table("tests/model/version_3_predictions.csv"));
  constexpr double digits = 1e-9;  // as above
  EXPECT_LT((p.clean - expected.leftCols(3)).cwiseAbs().maxCoeff(), digits);
  EXPECT_LT((p.observed - expected.middleCols(3, 3)).cwiseAbs().maxCoeff(), digits);
}

TEST(OldVersion, FourLeavesNumbersUnknownAndPredictsTheSame) {
  const Classifier c = load("tests/model/version_4.candor");
  ASSERT_EQ(c.X.array().isNaN().count(), 6);
  Matrix X(c.X.rows() + 1, c.X.cols());
  X << c.X, Matrix::Constant(1, c.X.cols(), 9.0);
  const ClassProbabilities p = predict(c, X);
  const Matrix expected = numbers_of(read_table("tests/model/version_4_predictions.csv"));
  ASSERT_EQ(expected.rows(), X.rows());
  // As of version 1; probabilities also allow for columns that tell nothing, the oracle does not.
  constexpr double digits = 1e-10;
  EXPECT_LT((p.latent_mean - expected.col(2)).lpNorm<Eigen::Infinity>(), digits);
  EXPECT_LT((p.latent_variance - expected.col(3)).lpNorm<Eigen::Infinity>(), digits);
}

TEST(OldVersion, OneDoesNotNameFamiliesOfCovariances) {
  const Classifier c = load("tests/model/version_1.candor");
  ASSERT_EQ(c.questions[0].evidence.size(), 2U);
  for (const EvidenceRow& row : c.questions[0].evidence) {
    EXPECT_EQ(row.family, "4 * squared_exponential(lengthscale=2) + constant(1)");
  }
}

TEST(OldVersion, OneStillReadsItsTable) {
  const Classifier c = load("tests/model/version_1.candor");
  const Encoded encoded = encode(c.encoder, read_table("tests/model/version_1.csv"));
  EXPECT_EQ(encoded.X, c.X);
  EXPECT_EQ(encoded.discrete, c.discrete);
}

}  // namespace
}  // namespace candor
