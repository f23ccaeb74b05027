// SPDX-License-Identifier: MIT
// The posterior of one process of a classifier, rebuilt from its sites: what predictions, and
// whoever asks how much the training rows explain of each other, need.  And what it was given.
#pragma once

#include <candor/inference/approximation.hpp>
#include <candor/likelihood/observations.hpp>
#include <candor/model/classifier.hpp>

#include <optional>

namespace candor {

// site_tau, site_nu, latent_mean, alpha and posterior are filled, nothing else.  n³/3, 2 n²
// doubles.  NumericalError where the sites do not give a proper posterior.
[[nodiscard]] Approximation posterior_of(const Classifier& classifier, const Process& process,
                                         Threads threads = Threads::all());

// The same of a joint question: class_posterior in the place of posterior.
[[nodiscard]] Approximation class_posterior_of(const Classifier& classifier, const Process& process,
                                               Threads threads = Threads::all());

// The training labels as a question sees them, with their weights and trust.
[[nodiscard]] Observations observations_of(const Classifier& classifier, Index positive_class);

// A question's labels: how many may be wrong, and shares of them by weight.
struct RecordedLabels {
  Index in_doubt = 0;             // rows that are not trusted
  double positive = 0.0;          // recorded as +1, of those that may be wrong
  double trusted = 0.0;           // that may not be wrong
  double trusted_positive = 0.0;  // +1, of those
};
[[nodiscard]] RecordedLabels recorded_labels(const Observations& observations);
// The chance under a likelihood that a label which may be wrong is: of two rates, by the shares of
// the true classes in the table.
[[nodiscard]] double share_wrong(const Likelihood& likelihood, const RecordedLabels& recorded);

// The form of a joint process, told by the number of its sites; nothing where it is neither's.
[[nodiscard]] std::optional<ClassForm> form_of(const Process& process, Index rows, Index classes);

}  // namespace candor
