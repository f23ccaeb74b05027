// SPDX-License-Identifier: MIT
// Sentences about a table's labels, the same wherever they are said.
#pragma once

#include <candor/audit/audit.hpp>

#include <string>
#include <string_view>

namespace candor {

// How many labels look wrong and how many are, where to look first, the rate, the evidence.
[[nodiscard]] std::string verdict_of(const Audit& audit, const Classifier& classifier,
                                     const AuditOptions& options);

// "Strong evidence for label errors (4.1 nats, 60 to 1)."; empty for NaN.  A conjunction, "yet ",
// joins it to the sentence before.
[[nodiscard]] std::string margin_in_words(double nats, std::string_view conjunction = "");

// For a table of which Audit::has_signal is not true.
[[nodiscard]] std::string no_signal_in_words(double nats);

// "The search did not converge: these numbers are provisional."; empty where every search did.  It
// goes before the numbers, since it says how they are to be read.
[[nodiscard]] std::string provisional_in_words(const Classifier& classifier);

}  // namespace candor
