// SPDX-License-Identifier: MIT
#include "kinds.hpp"

#include <candor/likelihood/flipped_step.hpp>
#include <candor/likelihood/logistic_gaussian.hpp>
#include <candor/likelihood/threshold.hpp>

#include <cmath>
#include <map>

namespace check_vectors {

void check_site_moments(Case& c) {
  const double y = c.problem["y"].number();
  const double eps = c.problem["eps"].number(), v2 = c.problem["v2"].number();
  const candor::Moments cavity{c.problem["cavity_mean"].number(), c.problem["cavity_var"].number()};
  const candor::Threshold likelihood{.flip_probability = eps, .noise_variance = v2};
  likelihood.check();
  likelihood.check(candor::Observation{.y = y});
  if (!(cavity.variance > 0.0)) c.problem["cavity_var"].refuse("greater than 0");

  const candor::Tilted tilted = likelihood.tilted({.y = y}, cavity);
  const double s = cavity.variance + v2;
  const double z = candor::standardised(y, cavity.mean, s);
  const candor::FlippedStepRatios at_z = ratios(candor::FlippedStep{eps, eps}, z);
  const std::map<std::string, double> computed{{"z", z},
                                               {"logZ", tilted.log_Z},
                                               {"dlogZ", y * at_z.r / std::sqrt(s)},
                                               {"beta", at_z.r * at_z.r_plus_z / s},
                                               {"mean", tilted.moments.mean},
                                               {"var", tilted.moments.variance},
                                               {"tau", tilted.site.tau},
                                               {"nu", tilted.site.nu}};

  check_fields(c, [&](const Field& field, const Node& want) {
    const auto found = computed.find(field.back());
    if (found == computed.end()) return false;
    c.report.compare(field, want, found->second);
    return true;
  });
}

void check_integral(Case& c) {
  const candor::Moments normal{c.problem["mean"].number(), c.problem["var"].number()};
  if (normal.variance < 0.0) c.problem["var"].refuse("at least 0");
  c.report.compare({"expected"}, c.answers, candor::expected_logistic(normal));
}

}  // namespace check_vectors
