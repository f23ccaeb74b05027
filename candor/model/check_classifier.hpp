// SPDX-License-Identifier: MIT
// Internal: what everybody who is handed a classifier may rely on.
#pragma once

#include <candor/model/classifier.hpp>

namespace candor {

// InvalidInput, naming the field as docs/model-file.md does, unless sizes agree, numbers are in
// their domains, and covariances and likelihoods can be evaluated.
void check(const Classifier& classifier);

}  // namespace candor
