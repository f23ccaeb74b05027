// SPDX-License-Identifier: MIT
#include <candor/learning/defaults.hpp>

#include <algorithm>
#include <cmath>

namespace candor {
namespace {

Covariance smooth_plus_linear(Index columns, const std::vector<Index>& discrete,
                              Index lengthscales) {
  // A typical distance, in column deviations.
  const double typical = std::sqrt(static_cast<double>(std::max<Index>(1, columns)));
  return 4.0 * Covariance(Matern{.smoothness = 2.5,
                                 .lengthscale = Vector::Constant(lengthscales, typical),
                                 .discrete = discrete}) +
         Linear{.lengthscale = Vector::Constant(1, typical), .discrete = discrete} +
         Constant{.variance = 1.0};
}

}  // namespace

std::vector<NamedCovariance> default_covariances(Index columns,
                                                 const std::vector<Index>& discrete) {
  PriorScale prior;
  if (!discrete.empty()) prior.column_deviation = 1.0;  // that of codes means nothing
  std::vector<NamedCovariance> all{
      {"shared lengthscale", smooth_plus_linear(columns, discrete, 1), prior}};
  if (columns > 1 && columns <= most_own_lengthscales) {
    for (const double spread : {0.3, 1.0}) {
      NamedCovariance own{"own lengthscales", smooth_plus_linear(columns, discrete, columns),
                          prior};
      own.name += spread < 0.5 ? " (tied)" : " (loose)";
      own.prior.lengthscale_spread = spread;
      all.push_back(own);
    }
  }
  return all;
}

}  // namespace candor
