// SPDX-License-Identifier: MIT
// What an engine returns satisfies the equations that define it, recomputed without its code: q by
// a dense inverse, tilted moments by quadrature of the likelihood.
#include "zoo.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <cmath>

namespace candor {
namespace {

struct Dense {
  Vector mean, variance;
  double log_determinant;  // of I + K T
};

Vector weights(const Setting& setting) {
  const Index n = setting.table.X.rows();
  Vector w(n);
  for (Index i = 0; i < n; ++i) w[i] = setting.table.observations.weight_of(i);
  return w;
}

Dense dense_posterior(const Setting& setting, const Approximation& q) {
  const Matrix K = gram_matrix(setting.covariance, setting.table.X);
  const Vector w = weights(setting);
  const Matrix B =
      Matrix::Identity(K.rows(), K.rows()) + K * Matrix(w.cwiseProduct(q.site_tau).asDiagonal());
  const Eigen::PartialPivLU<Matrix> lu(B);
  const Matrix A = lu.solve(K);
  return {A * w.cwiseProduct(q.site_nu), A.diagonal(), std::log(lu.determinant())};
}

// Trapezium rule, which converges exponentially for smooth integrands that vanish at the ends.
struct TiltedByQuadrature {
  double log_Z, mean, variance;
};

// Of p(y|f)^power and the cavity.
TiltedByQuadrature tilted_by_quadrature(const Likelihood& likelihood, const Observation& row,
                                        double power, Moments cavity) {
  constexpr int half = 800;
  constexpr double reach = 14.0;  // standard deviations
  const double sd = std::sqrt(cavity.variance), step = reach / half;
  double Z = 0.0, first = 0.0, second = 0.0;
  for (int k = -half; k <= half; ++k) {
    const double x = k * step;
    const double log_p = std::visit(
        [&](const auto& l) { return l.log_density(row, cavity.mean + sd * x).value; }, likelihood);
    const double mass = step * std::exp(power * log_p - 0.5 * x * x) / std::sqrt(2.0 * M_PI);
    Z += mass;
    first += mass * x;
    second += mass * x * x;
  }
  const double shift = first / Z;
  return {std::log(Z), cavity.mean + sd * shift, cavity.variance * (second / Z - shift * shift)};
}

// Largest violation of "the tilted densities have the moments of q", and of what follows from it.
double moment_deviation(const Setting& setting, const Approximation& q) {
  const Dense dense = dense_posterior(setting, q);
  double worst = std::max(difference(q.latent_mean, dense.mean),
                          difference(q.latent_variance, dense.variance));
  for (Index i = 0; i < q.site_tau.size(); ++i) {
    const double power = std::min(1.0, setting.table.observations.weight_of(i));
    const double tau = 1.0 / dense.variance[i] - power * q.site_tau[i];
    const double nu = dense.mean[i] / dense.variance[i] - power * q.site_nu[i];
    const Moments cavity{nu / tau, 1.0 / tau};
    const Observation row = setting.table.observations.row(i);
    const auto tilted = tilted_by_quadrature(setting.likelihood, row, power, cavity);
    const auto one_label = tilted_by_quadrature(setting.likelihood, row, 1.0, cavity);
    worst = std::max({worst, difference(tilted.mean, q.latent_mean[i]),
                      difference(tilted.variance, q.latent_variance[i]),
                      difference(one_label.log_Z, q.log_loo[i]),
                      difference(cavity.mean, q.cavity_mean[i]),
                      difference(cavity.variance, q.cavity_variance[i])});
  }
  return worst;
}

// log Z_EP = Σ copies (log Z_i - log ∫ cavity site) + log ∫ prior sites, both integrals Gaussian.
double evidence_deviation(const Setting& setting, const Approximation& q) {
  const Dense dense = dense_posterior(setting, q);
  const Vector w = weights(setting);
  double log_Z = 0.5 * w.cwiseProduct(q.site_nu).dot(dense.mean) - 0.5 * dense.log_determinant;
  for (Index i = 0; i < w.size(); ++i) {
    const Moments cavity{q.cavity_mean[i], q.cavity_variance[i]};
    const double power = std::min(1.0, w[i]);
    const double precision = 1.0 / cavity.variance, joint = precision + power * q.site_tau[i];
    const double linear = precision * cavity.mean + power * q.site_nu[i];
    const double log_site = 0.5 * std::log(precision / joint) + 0.5 * linear * linear / joint -
                            0.5 * precision * cavity.mean * cavity.mean;
    const auto tilted =
        tilted_by_quadrature(setting.likelihood, setting.table.observations.row(i), power, cavity);
    log_Z += std::max(1.0, w[i]) * (tilted.log_Z - log_site);
  }
  return difference(q.log_evidence, log_Z);
}

std::vector<Setting> settings_with_weights() {
  std::vector<Setting> settings = ep_zoo();
  for (Setting setting : ep_zoo()) {
    setting.table.observations.weight = Vector::Ones(setting.table.X.rows());
    setting.table.observations.weight[2] = 2.5;
    setting.table.observations.weight[3] = 0.4;
    setting.table.observations.weight[6] = 0.05;
    setting.name += ", weighted";
    settings.push_back(std::move(setting));
  }
  return settings;
}

class EpFixedPoint : public testing::TestWithParam<Setting> {};

// The residual is at most 1e-11; quadrature and the dense inverse are good to 1e-12.
TEST_P(EpFixedPoint, MatchesTheMomentsOfEveryTiltedDensity) {
  EXPECT_LT(moment_deviation(GetParam(), solve(GetParam())), 1e-9);
}

TEST_P(EpFixedPoint, HasTheEvidenceOfItsSites) {
  EXPECT_LT(evidence_deviation(GetParam(), solve(GetParam())), 1e-10);
}

// A change of 1e-4 in one site must be seen.
TEST_P(EpFixedPoint, IsBrokenByASlightlyWrongSite) {
  Approximation q = solve(GetParam());
  q.site_tau[2] += 1e-4;
  EXPECT_GT(moment_deviation(GetParam(), q), 1e-7);
  q = solve(GetParam());
  q.site_nu[2] += 1e-4;
  EXPECT_GT(moment_deviation(GetParam(), q), 1e-7);
}

// The evidence is stationary in the sites, so only a wrong site far away must be seen in it.
TEST_P(EpFixedPoint, HasNotTheEvidenceOfOtherSites) {
  Approximation q = solve(GetParam());
  q.site_tau *= 1.5;
  q.site_nu *= 0.5;
  EXPECT_GT(evidence_deviation(GetParam(), q), 1e-4);
}

TEST_P(EpFixedPoint, ReportsAResidualNoLargerThanAskedFor) {
  EXPECT_LE(solve(GetParam()).outcome.residual, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Zoo, EpFixedPoint, testing::ValuesIn(settings_with_weights()));

// f̂ = K ∇log p(y|f̂), and sites that carry gradient and curvature there.
double mode_deviation(const Setting& setting, const Approximation& q) {
  const Index n = q.latent_mean.size();
  Vector d1(n), W(n);
  double log_p = 0.0;
  for (Index i = 0; i < n; ++i) {
    const auto p = std::visit(
        [&](const auto& l) {
          return l.log_density(setting.table.observations.row(i), q.latent_mean[i]);
        },
        setting.likelihood);
    d1[i] = p.d1;
    W[i] = -p.d2;
    log_p += p.value;
  }
  const Matrix K = gram_matrix(setting.covariance, setting.table.X);
  const Dense dense = dense_posterior(setting, q);
  const double evidence = log_p - 0.5 * q.latent_mean.dot(d1) - 0.5 * dense.log_determinant;
  return std::max(
      {difference(q.latent_mean, K * d1), difference(q.alpha, d1), difference(q.site_tau, W),
       difference(q.site_nu, W.cwiseProduct(q.latent_mean) + d1),
       difference(q.latent_variance, dense.variance), difference(q.log_evidence, evidence)});
}

TEST(LaplaceFixedPoint, StandsAtTheModeWithItsCurvature) {
  for (const Setting& setting : zoo()) {
    if (!std::holds_alternative<Laplace>(setting.engine)) continue;
    Approximation q = solve(setting);
    EXPECT_LT(mode_deviation(setting, q), 1e-11) << setting;  // Newton's last step is quadratic
    q.latent_mean[0] += 1e-6;                                 // the mutant
    EXPECT_GT(mode_deviation(setting, q), 1e-8) << setting;
  }
}

}  // namespace
}  // namespace candor
