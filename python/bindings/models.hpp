// SPDX-License-Identifier: MIT
// Classifiers: what was learned, predictions, model files, audits.
#pragma once

#include <candor/model/classifier.hpp>
#include <candor/model/kept_posteriors.hpp>

#include <nanobind/nanobind.h>

#include <utility>

namespace candor::python {

// A classifier that predicts more than once.
struct FittedModel : Classifier {
  explicit FittedModel(Classifier classifier) : Classifier(std::move(classifier)), kept(*this) {}

  KeptPosteriors kept;
};

void bind_models(nanobind::module_& module);

}  // namespace candor::python
