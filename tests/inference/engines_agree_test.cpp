// SPDX-License-Identifier: MIT
// Different ways to one answer: schedules, forms of the model, starts and thread counts.
#include "zoo.hpp"

#include <candor/inference/evidence_gradient.hpp>
#include <candor/inference/predict.hpp>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <cmath>

namespace candor {
namespace {

const Covariance covariance =
    1.5 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.7)});

class SchedulesAgree : public testing::TestWithParam<Setting> {};

// A fixed point does not know how it was reached.  Residuals of 1e-11 leave 1e-8 after
// conditioning.
TEST_P(SchedulesAgree, OnTheFixedPoint) {
  Setting parallel = GetParam(), sequential = GetParam();
  parallel.engine = Ep{.tolerance = 1e-11, .max_sweeps = 500};
  for (const double damping : {1.0, 0.5}) {
    sequential.engine = SequentialEp{.damping = damping, .tolerance = 1e-11, .max_sweeps = 800};
    const Approximation q = solve(sequential);
    ASSERT_EQ(q.outcome.status, Status::converged) << damping;
    EXPECT_LT(difference(q, solve(parallel)), 1e-8) << damping;
  }
  sequential.engine = SequentialEp{.max_sweeps = 1};  // the mutant has not converged
  if (!std::holds_alternative<Gaussian>(GetParam().likelihood)) {
    EXPECT_GT(difference(solve(sequential), solve(parallel)), 1e-4);
  }
}

TEST_P(SchedulesAgree, FromAWarmStart) {
  const Setting& s = GetParam();
  const auto from = [&](const Sites& start, const Inference& engine) {
    return infer(engine, s.covariance, s.likelihood, s.table.X, s.table.observations, {}, start);
  };
  const Approximation cold = solve(s);
  const Sites there{cold.site_tau, cold.site_nu};
  const Sites elsewhere{(cold.site_tau.array() * 0.7 + 0.1).matrix(), 0.5 * cold.site_nu};
  const Approximation again = from(there, s.engine), warm = from(elsewhere, s.engine);
  for (const Approximation& q : {again, warm}) {
    EXPECT_EQ(q.outcome.status, Status::converged);
    EXPECT_LT(difference(q, cold), 1e-8);
  }
  EXPECT_LE(again.outcome.sweeps, 3);  // it was there already

  if (std::holds_alternative<Gaussian>(s.likelihood)) return;  // one pass is all it takes
  // The mutants: one that ignores its start takes as many sweeps as without one, and one that
  // trusts it and stops early is elsewhere.
  EXPECT_GT(cold.outcome.sweeps, 3);
  EXPECT_GT(difference(from(elsewhere, SequentialEp{.max_sweeps = 1}), cold), 1e-4);
}

TEST(LaplacesMode, DoesNotDependOnTheStart) {
  int settings = 0;
  for (const Setting& s : zoo()) {
    if (!std::holds_alternative<Laplace>(s.engine)) continue;
    ++settings;
    const auto from = [&](const Sites& start) {
      return infer(s.engine, s.covariance, s.likelihood, s.table.X, s.table.observations, {},
                   start);
    };
    const Approximation cold = solve(s);
    const Approximation again = from({cold.site_tau, cold.site_nu});
    const Approximation warm = from({0.7 * cold.site_tau, -3.0 * cold.site_nu});
    EXPECT_LT(difference(again, cold), 1e-8) << s.name;
    EXPECT_LT(difference(warm, cold), 1e-8) << s.name;
    EXPECT_LE(again.outcome.sweeps, 2) << s.name;  // it was there already
  }
  EXPECT_GT(settings, 2);
}

INSTANTIATE_TEST_SUITE_P(Zoo, SchedulesAgree, testing::ValuesIn(ep_zoo()));

// The papers' form: noise on the diagonal of the covariance, a step for a likelihood.
double form_deviation(double noise_in_covariance) {
  const Table table = ring(16, 2, 31);
  const double eps = 0.04, noise = 0.15;
  const Ep engine{.tolerance = 1e-11, .max_sweeps = 500};
  const Covariance noisy = covariance + Noise{.variance = noise_in_covariance};
  const Threshold step{.flip_probability = eps, .noise_variance = 0.0};
  const Threshold soft{.flip_probability = eps, .noise_variance = noise};
  Approximation f = infer(engine, noisy, step, table.X, table.observations);
  Approximation g = infer(engine, covariance, soft, table.X, table.observations);

  const Matrix X_test = random_matrix(6, 2, 8);
  const auto p_f = predict(f, noisy, step, table.X, X_test);
  const auto p_g = predict(g, covariance, soft, table.X, X_test);
  const Vector gradient_f = evidence_gradient(f, noisy, table.X).covariance;
  Vector gradient_g(3);
  gradient_g << evidence_gradient(g, covariance, table.X).covariance, g.likelihood_gradient[1];
  const auto v = (f.site_tau.array().inverse() - g.site_tau.array().inverse() + noise).matrix();
  return std::max({difference(f.log_evidence, g.log_evidence), difference(f.p_wrong, g.p_wrong),
                   difference(f.log_loo, g.log_loo), difference(f.alpha, g.alpha),
                   difference(gradient_f, gradient_g), difference(v, Vector::Zero(16)),
                   difference(f.likelihood_gradient[0], g.likelihood_gradient[0]),
                   difference(p_f.latent_mean, p_g.latent_mean),
                   difference(p_f.latent_variance, p_g.latent_variance)});
}

TEST(FormsAgree, WhetherTheNoiseStandsInTheCovarianceOrInTheLikelihood) {
  EXPECT_LT(form_deviation(0.15), 1e-8);
  EXPECT_GT(form_deviation(0.1501), 1e-5);  // the mutant
}

// One pass of the papers' loop, step by step as printed (misprints corrected), with a dense inverse
// after each site: cavity, moments, site, posterior.
Sites assumed_density_filter(const Matrix& C, const Vector& y, double eps) {
  const Index n = y.size();
  Vector tau = Vector::Zero(n), nu = Vector::Zero(n), h = Vector::Zero(n), lambda = C.diagonal();
  for (Index i = 0; i < n; ++i) {
    const double z = y[i] * h[i] / std::sqrt(lambda[i]);  // no site yet: the cavity is q
    const double Z = eps + (1.0 - 2.0 * eps) * 0.5 * std::erfc(-z / std::sqrt(2.0));
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * M_PI);
    const double alpha = y[i] / std::sqrt(lambda[i]) * (1.0 - 2.0 * eps) * density / Z;
    const double h_i = h[i] + lambda[i] * alpha;
    const double v = lambda[i] * (1.0 / (alpha * h_i) - 1.0), m = h_i + v * alpha;
    tau[i] = 1.0 / v;
    nu[i] = m / v;
    const Matrix A = (C.inverse() + Matrix(tau.asDiagonal())).inverse();
    h = A * nu;
    lambda = (A.diagonal().cwiseInverse() - tau).cwiseInverse();
  }
  return {tau, nu};
}

double filter_deviation(const std::vector<Index>& order) {
  const Table table = rows_of(ring(9, 1, 17), order);
  const double eps = 0.05;
  const Covariance noisy = covariance + Noise{.variance = 0.3};
  const Approximation q =
      infer(SequentialEp{.max_sweeps = 1}, noisy,
            Threshold{.flip_probability = eps, .noise_variance = 0.0}, table.X, table.observations);
  const Table in_order = ring(9, 1, 17);
  const Sites literal =
      assumed_density_filter(gram_matrix(noisy, in_order.X), in_order.observations.y, eps);
  return std::max(difference(q.site_tau, literal.tau), difference(q.site_nu, literal.nu));
}

TEST(AssumedDensityFiltering, IsOnePassOfThePapersLoop) {
  EXPECT_LT(filter_deviation({0, 1, 2, 3, 4, 5, 6, 7, 8}), 1e-11);
  EXPECT_GT(filter_deviation({1, 0, 2, 3, 4, 5, 6, 7, 8}), 1e-3);  // the mutant: another order
}

// More rows than a tile, so that work is shared out.
Approximation fit_on(const Inference& engine, const Likelihood& likelihood, const Table& table,
                     int threads) {
  return infer(engine, covariance, likelihood, table.X, table.observations, Threads{threads});
}

bool identical(const Approximation& a, const Approximation& b) {
  return a.log_evidence == b.log_evidence && a.site_tau == b.site_tau && a.site_nu == b.site_nu &&
         a.latent_mean == b.latent_mean && a.latent_variance == b.latent_variance &&
         a.log_loo == b.log_loo && a.p_wrong == b.p_wrong && a.alpha == b.alpha &&
         a.outcome.sweeps == b.outcome.sweeps;
}

TEST(Threads, DoNotChangeASingleBit) {
  const Table table = ring(300, 15, 41);
  const std::vector<std::pair<Inference, Likelihood>> pairs{
      {Ep{}, Threshold{0.05, 0.5}},
      {SequentialEp{.tolerance = 1e-4, .max_sweeps = 4}, Threshold{0.05, 0.5}},
      {Laplace{}, Logistic{}},
      {Variational{.tolerance = 1e-4}, Threshold{0.05, 0.5}}};
  for (const auto& [engine, likelihood] : pairs) {
    Approximation one = fit_on(engine, likelihood, table, 1);
    const Vector gradient = evidence_gradient(one, covariance, table.X).covariance;
    const auto prediction = predict(one, covariance, likelihood, table.X, table.X);
    for (const int threads : {2, 5}) {
      Approximation many = fit_on(engine, likelihood, table, threads);
      EXPECT_TRUE(identical(one, many)) << threads;
      EXPECT_EQ(evidence_gradient(many, covariance, table.X).covariance, gradient) << threads;
      const auto p = predict(many, covariance, likelihood, table.X, table.X);
      EXPECT_EQ(p.latent_mean, prediction.latent_mean) << threads;
      EXPECT_EQ(p.latent_variance, prediction.latent_variance) << threads;
    }
    Approximation mutant = fit_on(engine, likelihood, table, 2);
    mutant.alpha[7] = std::nextafter(mutant.alpha[7], 1e9);
    EXPECT_FALSE(identical(one, mutant));
  }
}

}  // namespace
}  // namespace candor
