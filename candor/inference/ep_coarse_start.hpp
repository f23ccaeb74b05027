// SPDX-License-Identifier: MIT
// Where EP begins on a large table: at the sites that EP on half of the rows suggests, which itself
// began at those of a quarter, and so on.  Half of the rows cost an eighth of a sweep, and know
// nearly all that the whole table will say; from the prior, tables with label errors need more
// sweeps the larger they are.
#pragma once

#include <candor/inference/ep_state.hpp>

namespace candor {

// Empty for a table too small to be worth it, or when q on the half is improper.  Memory: those of
// a posterior for half of the rows, ¾ n² doubles with Newton's method.
[[nodiscard]] std::optional<Sites> coarse_start(const EpProblem& problem);

}  // namespace candor
