// SPDX-License-Identifier: MIT
#include <candor/inference/class_posterior.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/inference/per_class.hpp>
#include <candor/linalg/errors.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace candor {
namespace {

constexpr Index most_coupled_classes = 3;
constexpr double widest_cavity = 2.0;  // in prior variances

Matrix identity(Index size) { return Matrix::Identity(size, size); }

// At least what is safe to divide by, and a variance that rounding cannot tell from none.
double least_variance(double prior_variance) {
  constexpr double rounding = 1e-14;
  constexpr double smallest = 1e-150;  // as of SitePosterior
  return std::max(rounding * prior_variance, smallest);
}

RowMatch row_match(ClassTilted t) {
  return {t.log_Z, std::move(t.tau), std::move(t.nu), t.p_right, t.p_wrong, t.rate_gradient};
}

RowMatch row_match(const CoupledTilted& t) {
  return {t.log_Z, packed(t.T), t.nu, t.p_right, t.p_wrong, t.rate_gradient};
}

}  // namespace

std::string_view name_of(ClassForm form) {
  return form == ClassForm::coupled ? "coupled" : "factorised";
}

ClassForm usual_form(Index classes, std::size_t covariances) {
  return classes <= most_coupled_classes && covariances == 1 ? ClassForm::coupled
                                                             : ClassForm::factorised;
}

double sweep_cost(ClassForm form, Index classes) {
  const auto C = static_cast<double>(classes);
  return form == ClassForm::coupled ? std::pow(C - 1.0, 3.0) : C;
}

double rows_of_two_classes(ClassForm form, Index classes, Index rows) {
  return static_cast<double>(rows) * std::cbrt(sweep_cost(form, classes));
}

SiteCounts site_counts(ClassForm form, Index classes) {
  const Index D = classes - 1;
  return form == ClassForm::coupled ? SiteCounts{D * (D + 1) / 2, D} : SiteCounts{classes, classes};
}

ClassPosterior class_posterior(ClassForm form, Index classes,
                               const std::vector<Covariance>& covariances, const Matrix& X,
                               Threads threads) {
  check_one_or_per_class(covariances, classes);
  if (form == ClassForm::coupled && (classes > most_coupled_classes || covariances.size() != 1)) {
    throw InvalidInput("coupled sites are for two or three classes that share one covariance");
  }
  std::vector<std::shared_ptr<const Matrix>> K;
  for (const Covariance& covariance : covariances) {
    K.push_back(covariance_matrix(Gram(covariance, X), threads));
  }
  if (form == ClassForm::coupled) return CoupledPosterior(classes, K.front(), threads);
  return FactorisedPosterior(classes, K, threads);
}

RowGaussian cavity(const FactorisedPosterior& /*q*/, const RowGaussian& marginal,
                   const RowGaussian& prior, const VectorRef& tau, const VectorRef& nu) {
  const Vector precision = marginal.covariance.cwiseInverse() - tau;
  if (!(precision.array() * prior.covariance.array() * widest_cavity >= 1.0).all()) return {};
  const Vector shift = marginal.mean.cwiseQuotient(marginal.covariance) - nu;
  return {shift.cwiseQuotient(precision), precision.cwiseInverse()};
}

// (A⁻¹ - T)⁻¹ = A (I - T A)⁻¹, without an inverse of A.
RowGaussian cavity(const CoupledPosterior& q, const RowGaussian& marginal, const RowGaussian& prior,
                   const VectorRef& tau, const VectorRef& nu) {
  const Index D = q.latents();
  const Matrix A = unpacked(marginal.covariance, D), T = unpacked(tau, D);
  const Matrix V = (identity(D) - A * T).partialPivLu().solve(A);
  const Matrix symmetric = 0.5 * (V + V.transpose());
  if (!symmetric.allFinite()) return {};
  const Vector sizes = Eigen::SelfAdjointEigenSolver<Matrix>(symmetric).eigenvalues();
  constexpr double flat = 1e-15;  // a determinant would not be told from 0
  const bool proper = sizes[0] > flat * sizes[D - 1] && sizes[0] > 0.0;
  if (!proper || sizes[D - 1] > widest_cavity * prior.covariance[0]) return {};
  const Vector m = (identity(D) - A * T).partialPivLu().solve(marginal.mean - A * nu);
  return {m, packed(symmetric)};
}

RowMatch match(const FactorisedPosterior& /*q*/, const RobustMax& likelihood, int y,
               double flip_rate, const RowGaussian& cavity) {
  return row_match(tilted(likelihood, y, flip_rate, cavity.mean, cavity.covariance));
}

RowMatch match(const CoupledPosterior& q, const RobustMax& likelihood, int y, double flip_rate,
               const RowGaussian& cavity) {
  return row_match(tilted_coupled(likelihood, y, flip_rate, cavity.mean,
                                  unpacked(cavity.covariance, q.latents())));
}

RowMatch match_confused(const FactorisedPosterior& /*q*/, const RobustMax& likelihood, int y,
                        const VectorRef& recorded, const RowGaussian& cavity) {
  return row_match(tilted_confused(likelihood, y, recorded, cavity.mean, cavity.covariance));
}

RowMatch match_confused(const CoupledPosterior& q, const RobustMax& likelihood, int y,
                        const VectorRef& recorded, const RowGaussian& cavity) {
  return row_match(tilted_confused_coupled(likelihood, y, recorded, cavity.mean,
                                           unpacked(cavity.covariance, q.latents())));
}

double site_normaliser(const FactorisedPosterior& /*q*/, const RowGaussian& cavity,
                       const VectorRef& tau, const VectorRef& nu) {
  const auto lambda = cavity.covariance.array(), m = cavity.mean.array();
  const auto t = tau.array(), v = nu.array();
  const Eigen::ArrayXd grown = 1.0 + t * lambda;
  return 0.5 * (t * lambda).log1p().sum() -
         0.5 * ((v.square() * lambda + 2.0 * v * m - t * m.square()) / grown).sum();
}

double site_normaliser(const CoupledPosterior& q, const RowGaussian& cavity, const VectorRef& tau,
                       const VectorRef& nu) {
  const Index D = q.latents();
  const Matrix V = unpacked(cavity.covariance, D), T = unpacked(tau, D);
  const Eigen::PartialPivLU<Matrix> grown(identity(D) + V * T);
  const Vector m = grown.solve(cavity.mean), Vnu = grown.solve(V * nu);
  return 0.5 * std::log(grown.determinant()) -
         0.5 * (nu.dot(Vnu) + 2.0 * nu.dot(m) - cavity.mean.dot(T * m));
}

Vector tau_scale(const FactorisedPosterior& /*q*/, const VectorRef& covariance) {
  return covariance;
}

// An entry off the diagonal stands for two.
Vector tau_scale(const CoupledPosterior& q, const VectorRef& covariance) {
  const Index D = q.latents();
  const double variance = total_variance(q, covariance) / static_cast<double>(D);
  Matrix scale = Matrix::Constant(D, D, std::numbers::sqrt2 * variance);
  scale.diagonal().setConstant(variance);
  return packed(scale);
}

Vector nu_scale(const FactorisedPosterior& /*q*/, const VectorRef& covariance) {
  return covariance.cwiseSqrt();
}

Vector nu_scale(const CoupledPosterior& q, const VectorRef& covariance) {
  const auto D = static_cast<double>(q.latents());
  return Vector::Constant(q.latents(), std::sqrt(total_variance(q, covariance) / D));
}

double total_variance(const FactorisedPosterior& /*q*/, const VectorRef& covariance) {
  return covariance.sum();
}

double total_variance(const CoupledPosterior& q, const VectorRef& covariance) {
  return unpacked(covariance, q.latents()).trace();
}

double precision_trace(const FactorisedPosterior& /*q*/, const VectorRef& tau,
                       const VectorRef& covariance) {
  return (tau - tau.cwiseAbs2().cwiseProduct(covariance)).sum();
}

double precision_trace(const CoupledPosterior& q, const VectorRef& tau,
                       const VectorRef& covariance) {
  const Matrix T = unpacked(tau, q.latents());
  return (T - T * unpacked(covariance, q.latents()) * T).trace();
}

Vector class_probabilities(const FactorisedPosterior& /*q*/, const RobustMax& likelihood,
                           const RowGaussian& latent) {
  return class_probabilities(likelihood, latent.mean, latent.covariance);
}

Vector class_probabilities(const CoupledPosterior& q, const RobustMax& likelihood,
                           const RowGaussian& latent) {
  return class_probabilities_coupled(likelihood, latent.mean,
                                     unpacked(latent.covariance, q.latents()));
}

Vector remaining(const FactorisedPosterior& /*q*/, const VectorRef& prior_variance,
                 const VectorRef& explained) {
  Vector left(explained.size());
  for (Index c = 0; c < left.size(); ++c) {
    const double prior = prior_variance[prior_variance.size() == 1 ? 0 : c];
    left[c] = std::max(prior - explained[c], least_variance(prior));
  }
  return left;
}

Vector remaining(const CoupledPosterior& q, const VectorRef& prior_variance,
                 const VectorRef& explained) {
  const Index D = q.latents();
  const Matrix A = prior_variance[0] * identity(D) - unpacked(explained, D);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  const double least = least_variance(prior_variance[0]);
  if (eigen.eigenvalues()[0] >= least) return packed(A);
  return packed(eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(least).asDiagonal() *
                eigen.eigenvectors().transpose());
}

ClassLatents class_latents(const FactorisedPosterior& /*q*/, const RowGaussian& latent,
                           const VectorRef& /*prior_variance*/) {
  return {latent.mean, latent.covariance};
}

ClassLatents class_latents(const CoupledPosterior& q, const RowGaussian& latent,
                           const VectorRef& prior_variance) {
  const Index C = q.latents() + 1;
  const Matrix B = contrasts(C);
  const Matrix covariance = B.transpose() * unpacked(latent.covariance, q.latents()) * B;
  const double common = prior_variance[0] / static_cast<double>(C);
  return {B.transpose() * latent.mean, (covariance.diagonal().array() + common).matrix()};
}

}  // namespace candor
