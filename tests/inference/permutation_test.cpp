// SPDX-License-Identifier: MIT
// Laws about rows: their order does not matter, and a row of weight k is k rows.
#include "zoo.hpp"

#include <candor/inference/evidence_gradient.hpp>
#include <candor/inference/predict.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace candor {
namespace {

// The same approximation with its rows in another order.
Approximation reordered(Approximation q, const std::vector<Index>& order) {
  for (Vector* values : {&q.site_tau, &q.site_nu, &q.latent_mean, &q.latent_variance,
                         &q.cavity_mean, &q.cavity_variance, &q.log_loo, &q.p_wrong, &q.alpha}) {
    *values = Vector((*values)(order));
  }
  return q;
}

double permutation_deviation(const Setting& setting) {
  std::vector<Index> order;
  for (Index i = 0; i < setting.table.X.rows(); ++i) order.push_back(i);
  std::reverse(order.begin(), order.end());
  std::swap(order[0], order[3]);
  Setting permuted = setting;
  permuted.table = rows_of(setting.table, order);
  return difference(solve(permuted), reordered(solve(setting), order));
}

class RowLaws : public testing::TestWithParam<Setting> {};

// The residual is at most 1e-11 of a site; conditioning of the fixed point costs two or three
// digits.
constexpr double fixed_point_accuracy = 1e-8;

TEST_P(RowLaws, TheOrderOfRowsDoesNotMatter) {
  EXPECT_LT(permutation_deviation(GetParam()), fixed_point_accuracy);
}

// Row i of the weighted table stands `copies[i]` times, side by side, in the other.
struct Copies {
  Setting weighted;
  Setting copied;
  std::vector<Index> first;  // the first copy of each row
};

Copies copies_of(const Setting& setting) {
  const Index n = setting.table.X.rows();
  Copies result{setting, setting, {}};
  Vector weight = Vector::Ones(n);
  std::vector<Index> order;
  for (Index i = 0; i < n; ++i) {
    const Index times = i == 2 ? 3 : (i % 3 == 0 ? 2 : 1);  // row 2 is the contradicted one
    weight[i] = static_cast<double>(times);
    result.first.push_back(static_cast<Index>(order.size()));
    order.insert(order.end(), static_cast<std::size_t>(times), i);
  }
  result.weighted.table.observations.weight = weight;
  result.copied.table = rows_of(setting.table, order);
  return result;
}

double copies_deviation(const Copies& copies) {
  const Approximation weighted = solve(copies.weighted);
  Approximation copied = reordered(solve(copies.copied), copies.first);
  // α belongs to rows of K: that of a weighted row is the sum over its copies.
  copied.alpha = weighted.alpha.size() == copied.alpha.size()
                     ? Vector(copied.alpha.cwiseProduct(copies.weighted.table.observations.weight))
                     : Vector();
  return difference(weighted, copied);
}

TEST_P(RowLaws, ARowOfWeightKIsKRows) {
  EXPECT_LT(copies_deviation(copies_of(GetParam())), fixed_point_accuracy);
}

double gradient_deviation(const Copies& copies) {
  const auto gradient = [](const Setting& s) {
    return evidence_gradient(solve(s), s.covariance, s.table.X);
  };
  const EvidenceGradient a = gradient(copies.weighted), b = gradient(copies.copied);
  return std::max(difference(a.covariance, b.covariance), difference(a.likelihood, b.likelihood));
}

double prediction_deviation(const Copies& copies) {
  const Matrix X_test = random_matrix(5, copies.weighted.table.X.cols(), 5);
  const auto prediction = [&](const Setting& s) {
    return predict(solve(s), s.covariance, s.likelihood, s.table.X, X_test);
  };
  const Prediction a = prediction(copies.weighted), b = prediction(copies.copied);
  return std::max({difference(a.latent_mean, b.latent_mean),
                   difference(a.latent_variance, b.latent_variance),
                   difference(a.p_observed, b.p_observed)});
}

TEST_P(RowLaws, WeightsAndCopiesGiveTheSameGradientAndPredictions) {
  const Copies copies = copies_of(GetParam());
  EXPECT_LT(gradient_deviation(copies), fixed_point_accuracy);
  EXPECT_LT(prediction_deviation(copies), fixed_point_accuracy);
}

INSTANTIATE_TEST_SUITE_P(Zoo, RowLaws, testing::ValuesIn(zoo()));

// Assumed-density filtering depends on the order in which it sees the rows.
TEST(RowLawMutants, OnePassOfSequentialEpBreaksTheLawOfOrder) {
  Setting mutant = ep_zoo().front();
  mutant.engine = SequentialEp{.max_sweeps = 1};
  EXPECT_GT(permutation_deviation(mutant), 1e-4);
}

TEST(RowLawMutants, AForgottenCopyBreaksTheLawsOfCopies) {
  for (const Setting& setting : zoo()) {
    Copies copies = copies_of(setting);
    copies.weighted.table.observations.weight[2] = 2.0;
    EXPECT_GT(copies_deviation(copies), 1e-4) << setting;
    EXPECT_GT(gradient_deviation(copies), 1e-4) << setting;
    EXPECT_GT(prediction_deviation(copies), 1e-4) << setting;
  }
}

TEST(RowLaws, FractionalWeightsLieBetweenWholeOnes) {
  for (Setting setting : zoo()) {
    const auto evidence = [&](double w) {
      setting.table.observations.weight = Vector::Constant(setting.table.X.rows(), w);
      return solve(setting).log_evidence;
    };
    const double one = evidence(1.0), between = evidence(1.5), two = evidence(2.0);
    EXPECT_LT(between, one) << setting;
    EXPECT_GT(between, two) << setting;
  }
}

}  // namespace
}  // namespace candor
