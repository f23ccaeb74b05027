// SPDX-License-Identifier: MIT
// The three views of a label column that compete for the evidence, each nested in the next.
#pragma once

#include <candor/likelihood/likelihood.hpp>

#include <array>
#include <string_view>

namespace candor {

enum class LabelErrors {
  none,     // the regular model: ε = 0
  uniform,  // the robust model: one ε
  by_class,  // ε₊ and ε₋; of more than two classes, a share for each pair (learning/confusion.hpp)
};
inline constexpr std::array all_label_errors{LabelErrors::none, LabelErrors::uniform,
                                             LabelErrors::by_class};

[[nodiscard]] std::string_view name_of(LabelErrors errors);

// The likelihood of this view, v₂ = 1, its rates at `rate`.
[[nodiscard]] Likelihood likelihood_with(LabelErrors errors, double rate);
// The rates of a fitted likelihood carried over to a wider view of the labels.
[[nodiscard]] Likelihood widened(const Likelihood& likelihood, LabelErrors errors);

}  // namespace candor
