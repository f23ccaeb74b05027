// SPDX-License-Identifier: MIT
// The learned parameters of a covariance as one vector of logarithms, addressed by path.
//
// The order is that of the tree, depth first: 2 * squared_exponential(lengthscale=[1, 3]) +
// noise(0.1) has terms[0].variance, terms[0].factor.lengthscale[0], terms[0].factor.lengthscale[1],
// terms[1].variance.
#pragma once

#include <candor/covariance/covariance.hpp>

#include <string>
#include <vector>

namespace candor {

[[nodiscard]] Index log_parameter_count(const Covariance& covariance);
[[nodiscard]] std::vector<std::string> parameter_names(const Covariance& covariance);
[[nodiscard]] Vector log_parameters(const Covariance& covariance);
// InvalidInput unless there is one finite number per learned parameter whose exponential is one
// too.
[[nodiscard]] Covariance with_log_parameters(Covariance covariance,
                                             const VectorRef& log_parameters);

}  // namespace candor
