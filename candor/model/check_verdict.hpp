// SPDX-License-Identifier: MIT
// What is made of a check (posterior_check.hpp): one word for programs, sentences for people.
//
//   judgement(check)    Judgement::off
//   verdict(check)      "EP is off here: its p_wrong of row 2 is 0.08 too low."
//
// What counts, and how sampling noise is taken into account: docs/math/mcmc.md, "What a check calls
// off".
#pragma once

#include <candor/model/posterior_check.hpp>

#include <string>
#include <string_view>

namespace candor {

// The first that is true.
enum class Judgement {
  unknown,        // the chains do not know the truth
  not_converged,  // the engine: what is checked is where it stopped
  off,            // by what matters, and two Monte Carlo errors more
  may_be_off,     // with two errors more it would be
  rows_agree,     // but nothing is known of the evidence
  reliable,
};

[[nodiscard]] Judgement judgement(const ProcessCheck& check);
[[nodiscard]] std::string_view name_of(Judgement judgement);

// Rows as the classifier's table counts them, from `first_row`, or from 0.
[[nodiscard]] std::string verdict(const ProcessCheck& check);
[[nodiscard]] std::string verdict(const ProcessCheck& check, const Classifier& classifier,
                                  Index first_row);

}  // namespace candor
