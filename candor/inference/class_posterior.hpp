// SPDX-License-Identifier: MIT
// The posterior of many classes in either of its forms, and the algebra of one row's site in it:
// site, cavity and tilted density of a few latent values instead of one.
#pragma once

#include <candor/inference/coupled_posterior.hpp>
#include <candor/inference/factorised_posterior.hpp>
#include <candor/likelihood/robust_max.hpp>
#include <candor/likelihood/robust_max_coupled.hpp>
#include <candor/linalg/types.hpp>

#include <memory>
#include <string_view>
#include <variant>
#include <vector>

namespace candor {

// How q treats the latent functions of many classes.
enum class ClassForm {
  coupled,     // full sites, two or three classes that share a covariance
  factorised,  // independent over classes
};
[[nodiscard]] std::string_view name_of(ClassForm form);

using ClassPosterior = std::variant<FactorisedPosterior, CoupledPosterior>;

// The best form that there is for so many classes and covariances.
[[nodiscard]] ClassForm usual_form(Index classes, std::size_t covariances = 1);

// Of a sweep, in sweeps of two classes over as many rows: (C - 1)³ coupled, C factorised.
[[nodiscard]] double sweep_cost(ClassForm form, Index classes);

// Rows of two classes whose sweep takes as long: (C - 1) n coupled, ∛C n factorised.
[[nodiscard]] double rows_of_two_classes(ClassForm form, Index classes, Index rows);

// Numbers of a row's site: of its precision, and of its shift, one for each latent value.
struct SiteCounts {
  Index precision, latents;
};
[[nodiscard]] SiteCounts site_counts(ClassForm form, Index classes);

// InvalidInput where the form does not exist for these.
[[nodiscard]] ClassPosterior class_posterior(ClassForm form, Index classes,
                                             const std::vector<Covariance>& covariances,
                                             const Matrix& X, Threads threads);

// A normal of a row's latent values; its covariance as the posterior holds it.
struct RowGaussian {
  Vector mean;
  Vector covariance;
};

// The tilted density of a row and the site that matches it.
struct RowMatch {
  double log_Z = 0.0;
  Vector tau, nu;
  double p_right = 0.0;        // before any error the label is the given one; by the cavity
  double p_wrong = 0.0;        // the given label is wrong
  double rate_gradient = 0.0;  // ∂ log Z/∂ε
};

// q of the row without its site; empty covariance where that is improper, or so much wider than the
// prior as it only is on the way there.
[[nodiscard]] RowGaussian cavity(const FactorisedPosterior& q, const RowGaussian& marginal,
                                 const RowGaussian& prior, const VectorRef& tau,
                                 const VectorRef& nu);
[[nodiscard]] RowGaussian cavity(const CoupledPosterior& q, const RowGaussian& marginal,
                                 const RowGaussian& prior, const VectorRef& tau,
                                 const VectorRef& nu);

[[nodiscard]] RowMatch match(const FactorisedPosterior& q, const RobustMax& likelihood, int y,
                             double flip_rate, const RowGaussian& cavity);
[[nodiscard]] RowMatch match(const CoupledPosterior& q, const RobustMax& likelihood, int y,
                             double flip_rate, const RowGaussian& cavity);
// The same for a label that other classes are recorded as by different shares.
[[nodiscard]] RowMatch match_confused(const FactorisedPosterior& q, const RobustMax& likelihood,
                                      int y, const VectorRef& recorded, const RowGaussian& cavity);
[[nodiscard]] RowMatch match_confused(const CoupledPosterior& q, const RobustMax& likelihood, int y,
                                      const VectorRef& recorded, const RowGaussian& cavity);

// ½ log|I + V T| - ½ [νᵀ(V⁻¹ + T)⁻¹ν + 2νᵀ(I + VT)⁻¹m - mᵀT(I + VT)⁻¹m] for a cavity N(m, V): what
// a site takes from the evidence beside Z, without a normaliser of its own.
[[nodiscard]] double site_normaliser(const FactorisedPosterior& q, const RowGaussian& cavity,
                                     const VectorRef& tau, const VectorRef& nu);
[[nodiscard]] double site_normaliser(const CoupledPosterior& q, const RowGaussian& cavity,
                                     const VectorRef& tau, const VectorRef& nu);

// Units in which changes of τ and ν are judged: posterior deviations.  Those of contrasts do not
// depend on which contrasts were chosen, if the numbers of a row are taken together by their norm.
[[nodiscard]] Vector tau_scale(const FactorisedPosterior& q, const VectorRef& covariance);
[[nodiscard]] Vector tau_scale(const CoupledPosterior& q, const VectorRef& covariance);
[[nodiscard]] Vector nu_scale(const FactorisedPosterior& q, const VectorRef& covariance);
[[nodiscard]] Vector nu_scale(const CoupledPosterior& q, const VectorRef& covariance);

[[nodiscard]] double total_variance(const FactorisedPosterior& q, const VectorRef& covariance);
[[nodiscard]] double total_variance(const CoupledPosterior& q, const VectorRef& covariance);

// tr(T - T A T) of a row, which is that of W = (K + T⁻¹)⁻¹ where T is all there is.
[[nodiscard]] double precision_trace(const FactorisedPosterior& q, const VectorRef& tau,
                                     const VectorRef& covariance);
[[nodiscard]] double precision_trace(const CoupledPosterior& q, const VectorRef& tau,
                                     const VectorRef& covariance);

// Of the label before any error, from a normal of the row's latent values.
[[nodiscard]] Vector class_probabilities(const FactorisedPosterior& q, const RobustMax& likelihood,
                                         const RowGaussian& latent);
[[nodiscard]] Vector class_probabilities(const CoupledPosterior& q, const RobustMax& likelihood,
                                         const RowGaussian& latent);

// What is left of a new row's prior covariance; never quite nothing.
[[nodiscard]] Vector remaining(const FactorisedPosterior& q, const VectorRef& prior_variance,
                               const VectorRef& explained);
[[nodiscard]] Vector remaining(const CoupledPosterior& q, const VectorRef& prior_variance,
                               const VectorRef& explained);

// Means and variances of the classes' own latent values, C each; of contrasts with the common part,
// on which labels say nothing, at its prior.
struct ClassLatents {
  Vector mean, variance;
};
[[nodiscard]] ClassLatents class_latents(const FactorisedPosterior& q, const RowGaussian& latent,
                                         const VectorRef& prior_variance);
[[nodiscard]] ClassLatents class_latents(const CoupledPosterior& q, const RowGaussian& latent,
                                         const VectorRef& prior_variance);

}  // namespace candor
