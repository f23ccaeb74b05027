// SPDX-License-Identifier: MIT
#include <candor/learning/prior.hpp>

#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/linalg/with_means.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>

namespace candor {
namespace {

// The root of the mean column variance of cells that are known, or 1 where all columns are constant.
double column_deviation(const Matrix& X, const Vector& weight) {
  if (X.size() == 0) return 1.0;
  const Vector copies = weight.size() == 0 ? Vector::Ones(X.rows()) : weight;
  Matrix centred(X.rows(), X.cols());
  for (Index c = 0; c < X.cols(); ++c) {
    const Vector known = X.col(c).array().isNaN().select(0.0, copies);
    const Vector share = known / std::max(known.sum(), std::numeric_limits<double>::min());
    const Vector x = with_means(X.col(c));
    centred.col(c) = share.cwiseSqrt().cwiseProduct((x.array() - share.dot(x)).matrix());
  }
  const double deviation = centred.stableNorm() / std::sqrt(static_cast<double>(X.cols()));
  return deviation > 0.0 && std::isfinite(deviation) ? deviation : 1.0;
}

// terms[0].factor.lengthscale[3] belongs to the group terms[0].factor.lengthscale.
std::string group_name(const std::string& name) {
  return name.ends_with(']') ? name.substr(0, name.rfind('[')) : name;
}

}  // namespace

Prior::Prior(std::vector<PriorGroup> groups, std::vector<Index> rates)
    : groups_(std::move(groups)), rates_(std::move(rates)) {
  for (const PriorGroup& group : groups_) {
    if (group.members.empty())
      throw InvalidInput("a prior group has 0 members: it must have at least 1");
    check_positive("common_sd", group.common_sd);
    check_non_negative("spread", group.spread);
    if (group.members.size() > 1) check_positive("spread", group.spread);
  }
}

Matrix Prior::precision(Index size) const {
  Matrix P = Matrix::Zero(size, size);
  for (const auto& [members, centre, common_sd, spread] : groups_) {
    const auto m = static_cast<double>(members.size());
    const double common = common_sd * common_sd, own = spread * spread;
    for (const Index i : members) {
      for (const Index j : members) {
        // (s² I + c 1 1ᵀ)⁻¹ = (I - c/(s² + m c) 1 1ᵀ)/s²
        P(i, j) = members.size() == 1 ? 1.0 / (common + own)
                                      : ((i == j ? 1.0 : 0.0) - common / (own + m * common)) / own;
      }
    }
  }
  return P;
}

Prior::Value Prior::at(const Theta& theta) const {
  const Matrix P = precision(theta.size());
  Vector centred = Vector::Zero(theta.size());
  double log_density = 0.0;
  for (const auto& [members, centre, common_sd, spread] : groups_) {
    for (const Index i : members) centred[i] = theta.value[i] - centre;
    const auto m = static_cast<double>(members.size());
    const double common = common_sd * common_sd, own = spread * spread;
    // log|s² I + c 1 1ᵀ| = (m - 1) log s² + log(s² + m c)
    const double repeated = members.size() > 1 ? (m - 1.0) * std::log(own) : 0.0;
    log_density -=
        0.5 * (repeated + std::log(own + m * common) + m * std::log(2.0 * std::numbers::pi));
  }
  Vector gradient = -P * centred;
  log_density += 0.5 * centred.dot(gradient);
  if (rates_.empty()) return {log_density, gradient};
  double informative = 0.0;  // 1 - ε₊ - ε₋, or 1 - 2ε
  for (const Index i : rates_) {
    informative += (1.0 - 2.0 * rate_of(theta.value[i])) / static_cast<double>(rates_.size());
  }
  log_density += std::log(informative);
  for (const Index i : rates_) {
    gradient[i] -=
        2.0 * rate_slope(theta.value[i]) / (informative * static_cast<double>(rates_.size()));
  }
  return {log_density, gradient};
}

Prior default_prior(const Coordinates& coordinates, const Matrix& X, const PriorScale& scale,
                    const Vector& weight) {
  check_positive("prior variance", scale.variance);
  check_non_negative("column_deviation", scale.column_deviation);
  const double unit =
      scale.column_deviation > 0.0 ? scale.column_deviation : column_deviation(X, weight);
  const double log_distance =
      std::log(unit) + 0.5 * std::log(static_cast<double>(std::max<Index>(1, X.cols())));
  const Model& model = coordinates.model();
  std::map<std::string, PriorGroup> by_name;
  std::vector<std::string> order;
  std::vector<Index> rates;
  for (Index i = 0; i < coordinates.size(); ++i) {
    const FreeParameter& p = coordinates.parameters()[static_cast<std::size_t>(i)];
    if (p.coordinate == Coordinate::logit) {
      rates.push_back(i);
      continue;
    }
    const std::string name = group_name(p.name);
    PriorGroup& group = by_name[name];
    if (group.members.empty()) order.push_back(name);
    group.members.push_back(i);
    if (name.ends_with("lengthscale")) {
      group.centre = log_distance;
      group.common_sd = scale.log_lengthscale_sd;
      group.spread = group.members.size() > 1 ? scale.lengthscale_spread : 0.0;
    } else if (name.ends_with("variance") && !p.in_likelihood) {
      group.centre = std::log(scale.variance * noise_variance(model));
      group.common_sd = scale.log_variance_sd;
    } else {
      group.centre = p.in_likelihood ? std::log(largest_variance(model) / scale.variance) : 0.0;
      group.common_sd = scale.log_other_sd;
    }
  }
  std::vector<PriorGroup> groups;
  groups.reserve(order.size());
  for (const std::string& name : order) groups.push_back(by_name[name]);
  return Prior(std::move(groups), std::move(rates));
}

}  // namespace candor
