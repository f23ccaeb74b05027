// SPDX-License-Identifier: MIT
#include <candor/learning/theta.hpp>

#include <candor/covariance/log_parameters.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace candor {
namespace {

constexpr double smallest_rate = 1e-6;
constexpr double largest_rate = 0.499;

bool is_variance(const FreeParameter& p) {
  return p.coordinate == Coordinate::log && !p.in_likelihood && p.name.ends_with("variance");
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<FreeParameter> covariance_parameters(const Model& model) {
  std::vector<FreeParameter> all;
  for (const std::string& name : parameter_names(model.covariance)) {
    all.push_back({"covariance." + name, Coordinate::log, std::ssize(all), false});
  }
  return all;
}

std::vector<FreeParameter> likelihood_parameters(const Model& model) {
  const auto names = parameter_names(model.likelihood);
  const auto domains = parameter_domains(model.likelihood);
  std::vector<FreeParameter> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_rate = domains[i] == LikelihoodDomain::rate;
    all.push_back({"likelihood." + std::string(names[i]),
                   is_rate ? Coordinate::logit : Coordinate::log, static_cast<Index>(i), true});
  }
  return all;
}

// A name that no parameter has is a mistake of the caller's.
void check_known(const std::vector<std::string>& names, const std::vector<FreeParameter>& all) {
  for (const std::string& name : names) {
    if (std::ranges::any_of(all, [&](const FreeParameter& p) { return p.name == name; })) continue;
    std::string known;
    for (const FreeParameter& p : all) {
      if (!known.empty()) known += ", ";
      known += p.name;
    }
    throw InvalidInput(
        fmt::format("parameter '{}' is not one of this model: it has {}", name, known));
  }
}

// The same covariance tree and the same likelihood, up to numbers.
void check_same_structure(const Model& ours, const Model& other) {
  const bool same = parameter_names(ours.covariance) == parameter_names(other.covariance) &&
                    ours.likelihood.index() == other.likelihood.index();
  if (!same) {
    throw InvalidInput("a start has another structure than the model: both must have the same " +
                       std::string("covariance and likelihood, up to their numbers"));
  }
}

// 0 is legal as a value that is held: a regular model, or noise that the covariance carries.
bool is_zero(const Model& model, const FreeParameter& p) {
  return p.in_likelihood && parameter_values(model.likelihood)[p.position] == 0.0;
}

}  // namespace

double rate_of(double u) { return 0.5 / (1.0 + std::exp(-u)); }

double rate_slope(double u) {
  const double rate = rate_of(u);
  return rate * (1.0 - 2.0 * rate);
}

double logit_of_rate(double rate) { return std::log(2.0 * rate) - std::log1p(-2.0 * rate); }

double largest_variance(const Model& model) {
  const Vector logs = log_parameters(model.covariance);
  double largest = 0.0;
  for (const FreeParameter& p : covariance_parameters(model)) {
    if (is_variance(p)) largest = std::max(largest, std::exp(logs[p.position]));
  }
  return largest > 0.0 ? largest : 1.0;
}

double noise_variance(const Model& model) {
  const auto names = parameter_names(model.likelihood);
  const auto found = std::ranges::find(names, "noise_variance");
  if (found == names.end()) return 1.0;
  const double variance = parameter_values(model.likelihood)[found - names.begin()];
  return variance > 0.0 ? variance : 1.0;
}

Theta ThetaBounds::project(const Theta& theta) const {
  return {theta.value.cwiseMax(lower.value).cwiseMin(upper.value)};
}

Coordinates::Coordinates(Model model, const ParameterChoice& choice) : model_(std::move(model)) {
  std::vector<FreeParameter> all = covariance_parameters(model_);
  const bool has_variance = std::ranges::any_of(all, [&](const FreeParameter& p) {
    return is_variance(p) && !contains(choice.held, p.name);
  });
  for (FreeParameter& p : likelihood_parameters(model_)) all.push_back(std::move(p));
  check_known(choice.held, all);
  check_known(choice.freed, all);
  for (FreeParameter& p : all) {
    if (is_zero(model_, p) && contains(choice.freed, p.name)) {
      throw InvalidInput(
          fmt::format("{} is 0 and freed: to be learned it must start above 0", p.name));
    }
    const bool sets_units = p.name == "likelihood.noise_variance" && has_variance;
    const bool is_held = !choice.anything || contains(choice.held, p.name) || is_zero(model_, p) ||
                         (sets_units && !contains(choice.freed, p.name));
    if (!is_held) free_.push_back(std::move(p));
  }
}

Theta Coordinates::theta() const { return theta_of(model_); }

Theta Coordinates::theta_of(const Model& model) const {
  check_same_structure(model_, model);
  const Vector logs = log_parameters(model.covariance);
  const Vector values = parameter_values(model.likelihood);
  Theta theta{Vector(size())};
  for (Index i = 0; i < size(); ++i) {
    const FreeParameter& p = free_[static_cast<std::size_t>(i)];
    if (!p.in_likelihood) {
      theta.value[i] = logs[p.position];
    } else if (p.coordinate == Coordinate::log) {
      theta.value[i] = std::log(values[p.position]);
    } else {
      // The papers' ε may be 0 or, for one class, above ½: the nearest number inside.
      theta.value[i] = logit_of_rate(std::clamp(values[p.position], smallest_rate, largest_rate));
    }
  }
  return theta;
}

Model Coordinates::model_at(const Theta& theta) const {
  check_same_size("theta", theta.size(), "learned parameters", size());
  Vector logs = log_parameters(model_.covariance);
  Vector values = parameter_values(model_.likelihood);
  for (Index i = 0; i < size(); ++i) {
    const FreeParameter& p = free_[static_cast<std::size_t>(i)];
    const double u = theta.value[i];
    if (!p.in_likelihood) {
      logs[p.position] = u;
    } else {
      values[p.position] = p.coordinate == Coordinate::log ? std::exp(u) : rate_of(u);
    }
  }
  return {with_log_parameters(model_.covariance, logs),
          with_parameter_values(model_.likelihood, values), model_.inference};
}

Vector Coordinates::gradient(const EvidenceGradient& gradient, const Theta& theta) const {
  Vector result(size());
  for (Index i = 0; i < size(); ++i) {
    const FreeParameter& p = free_[static_cast<std::size_t>(i)];
    const double slope = p.coordinate == Coordinate::logit ? rate_slope(theta.value[i]) : 1.0;
    const Vector& part = p.in_likelihood ? gradient.likelihood : gradient.covariance;
    result[i] = part[p.position] * slope;
  }
  return result;
}

ThetaBounds Coordinates::bounds() const {
  // v₂/v₀ ≥ 1e-6: below it the likelihood is a step for all purposes and EP loses its footing.
  // Where both are learned, each keeps within half of that ratio of what lies between them.
  const bool both = std::ranges::any_of(free_, is_variance) &&
                    std::ranges::any_of(free_, [](const FreeParameter& p) {
                      return p.in_likelihood && p.coordinate == Coordinate::log;
                    });
  const double largest_ratio = both ? 1e3 : 1e6;
  const double middle = std::sqrt(noise_variance(model_) * largest_variance(model_));
  const double noise = both ? middle : noise_variance(model_);
  const double amplitude = both ? middle : largest_variance(model_);
  ThetaBounds box{{Vector::Constant(size(), std::log(1e-6))},
                  {Vector::Constant(size(), std::log(1e6))}};
  for (Index i = 0; i < size(); ++i) {
    const FreeParameter& p = free_[static_cast<std::size_t>(i)];
    if (p.coordinate == Coordinate::logit) {
      box.lower.value[i] = logit_of_rate(smallest_rate);
      box.upper.value[i] = logit_of_rate(largest_rate);
    } else if (is_variance(p)) {
      box.lower.value[i] = std::log(noise / largest_ratio);
      box.upper.value[i] = std::log(noise * largest_ratio);
    } else if (p.in_likelihood) {
      box.lower.value[i] = std::log(amplitude / largest_ratio);
      box.upper.value[i] = std::log(amplitude * largest_ratio);
    }
  }
  return box;
}

}  // namespace candor
