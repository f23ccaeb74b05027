// SPDX-License-Identifier: MIT
// The posterior of one process of a classifier, rebuilt from its sites: what predictions, and
// whoever asks how much the training rows explain of each other, need.  And what it was given.
#pragma once

#include <candor/inference/approximation.hpp>
#include <candor/likelihood/observations.hpp>
#include <candor/model/classifier.hpp>

namespace candor {

// site_tau, site_nu, latent_mean, alpha and posterior are filled, nothing else.  n³/3, 2 n²
// doubles.  NumericalError where the sites do not give a proper posterior.
[[nodiscard]] Approximation posterior_of(const Classifier& classifier, const Process& process,
                                         Threads threads = Threads::all());

// The training labels as a question sees them, with their weights and trust.
[[nodiscard]] Observations observations_of(const Classifier& classifier, Index positive_class);

}  // namespace candor
