// SPDX-License-Identifier: MIT
// What every inference engine returns: q(f), the evidence it gives, and how it was reached.
#pragma once

#include <candor/inference/class_posterior.hpp>
#include <candor/inference/site_posterior.hpp>
#include <candor/linalg/types.hpp>

#include <optional>
#include <string_view>

namespace candor {

enum class Status { converged, not_converged };

// The steps of EP's ladder (root_finder: of two classes; continuation: of more, by the loop
// itself), Newton's method for the Laplace approximation, and the ascent of the variational bound.
enum class Rung { parallel, sequential, root_finder, continuation, newton, ascent };

[[nodiscard]] std::string_view name_of(Status status);
[[nodiscard]] std::string_view name_of(Rung rung);

// How an engine got where it is.  Never thrown: every surface shows it.
struct Outcome {
  Status status = Status::not_converged;
  Rung rung = Rung::parallel;  // that produced this state
  int sweeps = 0;              // factorisations of all n rows, over all rungs
  double residual = 0.0;       // distance from a fixed point or mode, in posterior units
  Index negative_sites = 0;
  // Rows without a proper cavity: EP skipped them in its last sweep, and has not converged; the
  // variational engine judged them by a wide one.
  Index skipped_sites = 0;
  double jitter = 0.0;  // largest relative jitter any factorisation needed
};

// q(f) = N(μ, A) with one Gaussian site per row.  A row of weight w ≥ 1 stands for w equal rows
// that share their site: site_tau and site_nu are those of one copy, and the cavity leaves one copy
// out.  A row of weight w < 1 has the factor p(y|f)^w and one site, w times site_tau and site_nu,
// all of which the cavity leaves out.  Both say the same at w = 1.
//
// Of many classes a row has several latent values.  Then sites, latent_mean, latent_variance,
// cavities and alpha hold the columns of the class_posterior's n-row matrices one after the other.
struct Approximation {
  Outcome outcome;
  double log_evidence = 0.0;  // of the variational engine, the bound

  Vector site_tau{};
  Vector site_nu{};
  Vector latent_mean{};      // μ
  Vector latent_variance{};  // diag A
  Vector cavity_mean{};      // q without the row's own site, or one copy of it
  Vector cavity_variance{};
  Vector log_loo{};  // log p(y_i | the other rows)
  Vector p_wrong{};  // probability that the row's label was flipped

  Vector alpha{};          // K⁻¹ μ: the latent mean at x is k(x, X) α
  Vector adjoint_shift{};  // u in K̄ = ½(ααᵀ - W) + ½(uαᵀ + αuᵀ); zero but for Laplace
  Vector likelihood_gradient{};  // of the log evidence, in the order of parameter_names(likelihood)

  SitePosterior posterior{};  // of two classes

  std::optional<ClassPosterior> class_posterior{};  // of more
};

}  // namespace candor
