// SPDX-License-Identifier: MIT
#include "ep_problem.hpp"

#include <candor/inference/evidence_gradient.hpp>
#include <candor/likelihood/flipped_step.hpp>
#include <candor/linalg/normal.hpp>

#include <cmath>

namespace check_vectors {

using candor::Approximation;
using candor::Index;
using candor::Matrix;
using candor::Threshold;
using candor::Vector;

EpProblemData read_ep_problem(const Problem& problem) {
  EpProblemData data{.X = problem.X(), .y = problem.labels(), .hyp = {}, .eps = 0.0};
  data.hyp = read_hyperparameters(problem["hyp"], data.X.cols());
  data.eps = problem["eps"].number();
  if (!(data.eps >= 0.0 && data.eps < 0.5)) problem["eps"].refuse("at least 0 and less than 0.5");
  return data;
}

Threshold EpProblemData::likelihood() const {
  return {.flip_probability = eps, .noise_variance = hyp.noise_variance};
}

Approximation EpProblemData::solve(const candor::Inference& engine) const {
  return infer(engine, hyp.covariance, likelihood(), X, {.y = y});
}

Approximation EpProblemData::solve_papers_form(const candor::Inference& engine) const {
  return infer(engine, hyp.with_noise(), Threshold{.flip_probability = eps, .noise_variance = 0.0},
               X, {.y = y});
}

namespace {

// One row of the papers' form: cavity N(h\i, λ) of the noisy latent, step likelihood.
struct NoisyLatent {
  double z, v, m, log_s, h, A, lambda, omega;
};

NoisyLatent noisy_latent(const EpProblemData& data, const Approximation& q, Index i) {
  const double y = data.y[i];
  const double lambda = q.cavity_variance[i] + data.hyp.noise_variance;
  const double z = candor::standardised(y, q.cavity_mean[i], lambda);
  const auto at_z = ratios(candor::FlippedStep{data.eps, data.eps}, z);
  const double alpha = y * at_z.r / std::sqrt(lambda);
  const double h = q.cavity_mean[i] + lambda * alpha;
  const double A = lambda * at_z.one_minus_r_r_plus_z;
  const double v = 1.0 / q.site_tau[i] - data.hyp.noise_variance;
  const double m = q.site_nu[i] / q.site_tau[i];
  const double log_s = at_z.log_Z + 0.5 * std::log1p(lambda / v) + 0.5 * lambda * alpha / h;
  return {z, v, m, log_s, h, A, lambda, candor::normal_cdf(y * h / std::sqrt(A))};
}

// Rows with the largest flip probabilities, largest first.
Vector ranking(const Vector& p_wrong) {
  std::vector<Index> order(static_cast<std::size_t>(p_wrong.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return p_wrong[a] > p_wrong[b]; });
  Vector ranked(p_wrong.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    ranked[static_cast<Index>(i)] = static_cast<double>(order[i]);
  }
  return ranked;
}

}  // namespace

std::map<std::string, Quantity> ep_quantities(const EpProblemData& data, const Approximation& q) {
  const Index n = data.y.size();
  Vector z(n), v(n), m(n), log_s(n), h(n), A(n), lambda(n), omega(n);
  for (Index i = 0; i < n; ++i) {
    const NoisyLatent f = noisy_latent(data, q, i);
    z[i] = f.z, v[i] = f.v, m[i] = f.m, log_s[i] = f.log_s;
    h[i] = f.h, A[i] = f.A, lambda[i] = f.lambda, omega[i] = f.omega;
  }
  return {{"log_evidence", q.log_evidence},
          {"site_tau", q.site_tau},
          {"site_nu", q.site_nu},
          {"posterior_mean", q.latent_mean},
          {"posterior_var", q.latent_variance},
          {"cavity_mean", q.cavity_mean},
          {"cavity_var", q.cavity_variance},
          {"site_v", v},
          {"site_m", m},
          {"site_log_s", log_s},
          {"posterior_mean_h", h},
          {"noisy_posterior_mean", h},
          {"posterior_var_A_ii", A},
          {"cavity_var_lambda", lambda},
          {"z", z},
          {"log_Z", q.log_loo},
          {"alpha", q.alpha},
          {"omega", omega},
          {"epsilon_update_papers", 1.0 - omega.mean()},
          {"flip_probability", q.p_wrong},
          {"epsilon_update_tilted", q.p_wrong.mean()},
          {"top_indices", ranking(q.p_wrong)},
          {"number_of_negative_sites", static_cast<double>(q.outcome.negative_sites)}};
}

std::map<std::string, Quantity> prediction_quantities(const EpProblemData& data,
                                                      const Approximation& q,
                                                      const Matrix& X_test) {
  const auto test = predict(q, data.hyp.covariance, data.likelihood(), data.X, X_test);
  return {{"latent_mean", test.latent_mean},
          {"latent_var_noise_free", test.latent_variance},
          {"p_sign_noise_free", test.p_sign},
          {"p_true_label_plus", test.p_clean},
          {"p_observed_label_plus", test.p_observed}};
}

std::map<std::string, Quantity> gradient_quantities(const EpProblemData& data, Approximation& q) {
  const auto gradient = evidence_gradient(q, data.hyp.covariance, data.X);
  std::map<std::string, Quantity> by_name{
      {"v1", 0.0}, {"eps", gradient.likelihood[0]}, {"v2", gradient.likelihood[1]}};
  for (const auto& [name, slot] : data.hyp.slots) {
    if (name != "v2") by_name[name] = slot.factor * gradient.covariance[slot.index];
  }
  return by_name;
}

}  // namespace check_vectors
