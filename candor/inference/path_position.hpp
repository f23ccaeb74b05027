// SPDX-License-Identifier: MIT
// Numbers at the position t ∈ [0, 1] of a path between two problems, exactly `to` at t = 1.
#pragma once

namespace candor {

[[nodiscard]] double noise_along(double t, double from, double to);  // a variance v₂
[[nodiscard]] double rate_along(double t, double from, double to);   // a share of labels

}  // namespace candor
