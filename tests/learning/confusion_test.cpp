// SPDX-License-Identifier: MIT
// Shares by pairs of classes: what they are a top of, what integrating over them gives, and whether
// planted habits are found.
#include <candor/inference/multiclass_ep.hpp>
#include <candor/learning/confusion.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace candor {
namespace {

// Three clouds on a line; the first is taken for the second, one row in three.
struct Clouds {
  Matrix X;
  Observations observations;

  explicit Clouds(Index rows, double distance = 4.0) : X(rows, 1) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    observations = {.y = Vector(rows), .classes = 3};
    for (Index i = 0; i < rows; ++i) {
      const Index truth = i % 3;
      X(i, 0) = distance * static_cast<double>(truth) + normal(random);
      observations.y[i] = truth == 0 && i % 9 == 0 ? 1.0 : static_cast<double>(truth);
    }
  }
  [[nodiscard]] TrainingSet data() const { return {X, observations, Threads{1}}; }
};

Model model() {
  return {10.0 * Covariance(SquaredExponential{.lengthscale = Vector{{2.0}}}),
          Threshold{.flip_probability = 0.05}, Ep{.tolerance = 1e-9}};
}

Learning nothing_else() {
  Learning options;
  options.choice.held = {"covariance.variance", "covariance.factor.lengthscale[0]"};
  return options;
}

Approximation at(const Clouds& clouds, const Matrix& shares) {
  const Model m = model();
  return infer(m.inference, m.covariance, m.likelihood, clouds.X,
               clouds.observations.confused(shares), Threads{1});
}

// The prior of confusion.hpp, for three classes.
Matrix alpha() {
  Matrix a = Matrix::Constant(3, 3, 0.2);
  a.diagonal().setConstant(2.0);
  return a;
}

TEST(Confusion, FindsWhichClassIsTakenForWhich) {
  const Clouds clouds(90, 8.0);
  const LearnedConfusion found =
      learn_confusion({{model(), alike_shares(3, 0.05)}}, clouds.data(), {});
  EXPECT_TRUE(found.confusion.settled);
  const Matrix& share = found.confusion.share;
  // 10 of 30, and a fifth of a label of the prior's 2.4.
  EXPECT_NEAR(share(0, 1), 10.2 / 32.4, 0.05);
  EXPECT_LT((share - Matrix(share.diagonal().asDiagonal())).col(0).maxCoeff(), 0.05);
  EXPECT_LT(share(0, 2), 0.03);
  EXPECT_NEAR(share.rowwise().sum().maxCoeff(), 1.0, 1e-12);
  EXPECT_NEAR(found.confusion.count.sum(), 90.0, 1e-9);
  EXPECT_NEAR(found.confusion.rate(), (10.0 + 1.2) / (90.0 + 7.2), 0.02);
  const Vector& p = found.learned.approximation.p_wrong;
  for (Index i = 0; i < 90; ++i) EXPECT_EQ(p[i] > 0.5, i % 9 == 0) << i;
}

// Moved along the simplex, log evidence + Σ α log share falls off to both sides: its slope is that of
// the tolerance at which shares are settled.
TEST(Confusion, IsATopOfEvidenceAndPrior) {
  const Clouds clouds(60, 2.0);
  const LearnedConfusion found =
      learn_confusion({{model(), alike_shares(3, 0.05)}}, clouds.data(), nothing_else());
  const auto height = [&](Index k, Index y, double logit) {
    Matrix share = found.confusion.share;
    share(k, y) *= std::exp(logit);
    share.row(k) /= share.row(k).sum();
    return at(clouds, share).log_evidence + (alpha().array() * share.array().log()).sum();
  };
  for (Index k = 0; k < 3; ++k)
    for (Index y = 0; y < 3; ++y) {
      const double h = 1e-3;
      const double slope = (height(k, y, h) - height(k, y, -h)) / (2.0 * h);
      // 20 labels of a class, and 2.4 of its prior, times 3e-3 that a share may still move.
      EXPECT_NEAR(slope, 0.0, 0.08) << k << " " << y;
    }
}

// ∫ e^{log evidence} over the prior, by importance sampling: not above it, and not a nat below.
TEST(Confusion, BoundsTheIntegralOverShares) {
  const Clouds clouds(24, 3.0);
  const LearnedConfusion found =
      learn_confusion({{model(), alike_shares(3, 0.05)}}, clouds.data(), nothing_else());
  std::mt19937_64 random(5);
  const auto dirichlet = [&](const Vector& a) {
    Vector x(a.size());
    for (Index k = 0; k < a.size(); ++k) x[k] = std::gamma_distribution(a[k])(random);
    x = (x / x.sum()).cwiseMax(2.0 * least_confusion);
    return Vector(x / x.sum());
  };
  // Drawn from the posterior given the counts and weighed back: few draws of the prior come near it.
  const double top = found.learned.log_evidence;
  double sum = 0.0;
  constexpr int draws = 1000;
  const auto log_dirichlet = [](const Vector& a, const Vector& x) {
    double value = std::lgamma(a.sum());
    for (Index k = 0; k < a.size(); ++k) value += (a[k] - 1.0) * std::log(x[k]) - std::lgamma(a[k]);
    return value;
  };
  for (int draw = 0; draw < draws; ++draw) {
    Matrix share(3, 3);
    double log_weight = 0.0;
    for (Index k = 0; k < 3; ++k) {
      const Vector prior = alpha().row(k),
                   posterior = prior + found.confusion.count.row(k).transpose();
      const Vector x = dirichlet(posterior);
      log_weight += log_dirichlet(prior, x) - log_dirichlet(posterior, x);
      share.row(k) = x;
    }
    sum += std::exp(at(clouds, share).log_evidence - top + log_weight);
  }
  const double integral = std::log(sum / draws);
  // Monte Carlo: 0.1.
  EXPECT_LT(found.confusion.log_mass, integral + 0.1);
  EXPECT_GT(found.confusion.log_mass, integral - 1.0);
}

// Clouds so far apart that only classes which a cloud has not seen are in doubt there, for one row in
// fifty or so: counts are whole numbers to half a label.
TEST(Confusion, CountsLabelsWhereTheTruthIsKnown) {
  const Clouds clouds(60, 60.0);
  Model far = model();
  far.covariance = 1e4 * Covariance(SquaredExponential{.lengthscale = Vector{{15.0}}});
  const Matrix start{{0.7, 0.25, 0.05}, {0.05, 0.9, 0.05}, {0.05, 0.05, 0.9}};
  const LearnedConfusion found = learn_confusion({{far, start}}, clouds.data(), nothing_else());
  const Matrix count{{13.0, 7.0, 0.0}, {0.0, 20.0, 0.0}, {0.0, 0.0, 20.0}};
  EXPECT_LT((found.confusion.count - count).cwiseAbs().maxCoeff(), 0.5);
  const Matrix sum = count + alpha();
  const Matrix share = sum.array().colwise() / sum.rowwise().sum().array();
  EXPECT_LT((found.confusion.share - share).cwiseAbs().maxCoeff(), 0.5 / 22.4);
}

TEST(Confusion, LeavesTrustedLabelsOut) {
  Clouds clouds(90);
  clouds.observations.known_flip_rate = Vector::Constant(90, rate_not_known);
  for (Index i = 0; i < 90; i += 9) clouds.observations.known_flip_rate[i] = 0.0;
  const LearnedConfusion found =
      learn_confusion({{model(), alike_shares(3, 0.05)}}, clouds.data(), nothing_else());
  EXPECT_NEAR(found.confusion.count.sum(), 80.0, 1e-9);
  for (Index i = 0; i < 90; i += 9) EXPECT_EQ(found.learned.approximation.p_wrong[i], 0.0);
}

// A weight of two is the row twice, in the counts as in the evidence.
TEST(Confusion, CountsAWeightedRowAsSoMany) {
  const Clouds once(30, 3.0);
  Clouds weighted = once, twice(60);
  weighted.observations.weight = Vector::Constant(30, 2.0);
  twice.X << once.X, once.X;
  twice.observations.y << once.observations.y, once.observations.y;
  const ConfusionStart start{model(), alike_shares(3, 0.1)};
  const LearnedConfusion a = learn_confusion({start}, weighted.data(), nothing_else());
  const LearnedConfusion b = learn_confusion({start}, twice.data(), nothing_else());
  // Shares stop within 3e-3 of where they settle, on either path.
  EXPECT_LT((a.confusion.share - b.confusion.share).cwiseAbs().maxCoeff(), 3e-3);
  EXPECT_NEAR(a.confusion.count.sum(), 60.0, 1e-9);
  EXPECT_NEAR(a.learned.log_evidence + a.confusion.log_mass,
              b.learned.log_evidence + b.confusion.log_mass, 1e-2);
}

// Labels that a model without errors contradicts: a third of the first cloud are the second's.
TEST(Confusion, BeginsWhereLabelsAreContradicted) {
  const Clouds clouds(90);
  Model regular = model();
  regular.likelihood = Threshold{.flip_probability = 0.0};
  const Approximation q = infer(regular.inference, regular.covariance, regular.likelihood, clouds.X,
                                clouds.observations, Threads{1});
  const Matrix share = contradicted_shares(q, regular, clouds.observations);
  EXPECT_GT(share(0, 1), 0.2);
  EXPECT_LT(share(1, 0), 0.1);
}

}  // namespace
}  // namespace candor
