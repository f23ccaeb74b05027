// SPDX-License-Identifier: MIT
#include "zoo.hpp"

#include <candor/covariance/gram.hpp>

#include <cmath>
#include <limits>
#include <ostream>
#include <random>

namespace candor {

std::ostream& operator<<(std::ostream& out, const Setting& setting) { return out << setting.name; }

std::vector<Inference> tight_engines() {
  return {Ep{.tolerance = 1e-11, .max_sweeps = 500},
          SequentialEp{.damping = 0.8, .tolerance = 1e-11, .max_sweeps = 500},
          Laplace{.tolerance = 1e-13}, Variational{.tolerance = 1e-11, .max_iterations = 500}};
}

std::vector<Likelihood> zoo_likelihoods() {
  return {Threshold{.flip_probability = 0.0, .noise_variance = 0.5},
          Threshold{.flip_probability = 0.06, .noise_variance = 0.2},
          AsymmetricThreshold{.flip_positive = 0.03, .flip_negative = 0.12, .noise_variance = 0.3},
          Probit{},
          Logistic{},
          Gaussian{.noise_variance = 0.4}};
}

Matrix random_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937 engine(seed);
  // Not std::normal_distribution: its stream differs between standard libraries.
  const auto uniform = [&] { return (static_cast<double>(engine()) + 0.5) / 4294967296.0; };
  Matrix values(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < rows; ++i) {
      const double radius = std::sqrt(-2.0 * std::log(uniform()));
      values(i, j) = radius * std::cos(6.283185307179586 * uniform());
    }
  }
  return values;
}

Observations labels(Vector y) {
  Observations observations;
  observations.y = std::move(y);
  return observations;
}

Table ring(Index n, int flips, unsigned seed) {
  const Matrix X = 0.8 * random_matrix(n, 2, seed);
  Vector y = (X.rowwise().squaredNorm().array() > 0.6).select(Vector::Ones(n), -Vector::Ones(n));
  for (int i = 0; i < flips; ++i) y[(7 * i + 3) % n] *= -1.0;
  return {"ring of " + std::to_string(n) + ", seed " + std::to_string(seed), X, labels(y)};
}

std::vector<Table> zoo_tables() {
  // On a line: two equal rows, and one that contradicts its neighbours.
  Table line{"line", Matrix(7, 1), labels(Vector(7))};
  line.X << -1.5, -1.0, -0.9, 0.2, 0.2, 0.8, 1.7;
  line.observations.y << -1, -1, 1, 1, 1, 1, 1;
  return {line, ring(12, 1, 11)};
}

bool takes(const Inference& engine, const Likelihood& likelihood) {
  return !std::holds_alternative<Laplace>(engine) || std::holds_alternative<Probit>(likelihood) ||
         std::holds_alternative<Logistic>(likelihood) ||
         std::holds_alternative<Gaussian>(likelihood);
}

namespace {

// One covariance of several terms, so that every kind of parameter is differentiated.
Covariance zoo_covariance(Index columns) {
  return 1.7 * Covariance(SquaredExponential{.lengthscale = Vector::LinSpaced(columns, 0.7, 1.1)}) +
         Constant{.variance = 0.2};
}

std::string name_of_engine(const Inference& engine) {
  return std::visit([](const auto& e) { return std::string(e.name); }, engine);
}

}  // namespace

std::vector<Setting> zoo() {
  std::vector<Setting> settings;
  for (const Inference& engine : tight_engines()) {
    for (const Likelihood& likelihood : zoo_likelihoods()) {
      if (!takes(engine, likelihood)) continue;
      for (const Table& table : zoo_tables()) {
        settings.push_back(
            {name_of_engine(engine) + " on " + std::string(name_of(likelihood)) + ", " + table.name,
             engine, likelihood, zoo_covariance(table.X.cols()), table});
      }
    }
  }
  return settings;
}

std::vector<Setting> ep_zoo() {
  std::vector<Setting> settings;
  for (Setting& setting : zoo()) {
    const bool is_ep = std::holds_alternative<Ep>(setting.engine) ||
                       std::holds_alternative<SequentialEp>(setting.engine);
    if (is_ep) settings.push_back(std::move(setting));
  }
  return settings;
}

Approximation solve(const Setting& setting) {
  return infer(setting.engine, setting.covariance, setting.likelihood, setting.table.X,
               setting.table.observations);
}

Matrix gram_matrix(const Covariance& covariance, const Matrix& X) {
  Matrix K(X.rows(), X.rows());
  Gram(covariance, X).block(0, 0, K);
  return K;
}

double difference(const Matrix& a, const Matrix& b) {
  const double infinite = std::numeric_limits<double>::infinity();
  if (a.rows() != b.rows() || a.cols() != b.cols()) return infinite;
  if (a.size() == 0) return 0.0;
  const double largest =
      ((a - b).array().abs() / (1.0 + b.array().abs())).maxCoeff<Eigen::PropagateNaN>();
  return std::isnan(largest) ? infinite : largest;
}

double difference(double a, double b) {
  return difference(Matrix::Constant(1, 1, a), Matrix::Constant(1, 1, b));
}

double difference(const Approximation& a, const Approximation& b) {
  return std::max(
      {difference(a.log_evidence, b.log_evidence), difference(a.site_tau, b.site_tau),
       difference(a.site_nu, b.site_nu), difference(a.latent_mean, b.latent_mean),
       difference(a.latent_variance, b.latent_variance), difference(a.cavity_mean, b.cavity_mean),
       difference(a.cavity_variance, b.cavity_variance), difference(a.log_loo, b.log_loo),
       difference(a.p_wrong, b.p_wrong), difference(a.alpha, b.alpha),
       difference(a.likelihood_gradient, b.likelihood_gradient)});
}

Table rows_of(const Table& table, const std::vector<Index>& order) {
  return {table.name, table.X(order, Eigen::all), table.observations.rows(order)};
}

}  // namespace candor
