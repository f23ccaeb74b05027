// SPDX-License-Identifier: MIT
// Sentences about a classifier's evidence, the same wherever they are said.
#pragma once

#include <candor/model/classifier.hpp>

#include <string>

namespace candor {

// "Strong evidence for label errors (4.1 nats, 60 to 1)."; empty for NaN.
[[nodiscard]] std::string margin_in_words(double nats);

// "The search did not converge: these numbers are provisional."; empty where every search did.  It
// goes before the numbers, since it says how they are to be read.
[[nodiscard]] std::string provisional_in_words(const Classifier& classifier);

}  // namespace candor
