// SPDX-License-Identifier: MIT
// One specimen or more of every likelihood, the rows each can produce, and cavities to try them on.
#pragma once

#include <candor/likelihood/likelihood.hpp>

#include <cmath>
#include <vector>

namespace candor::testing {

inline std::vector<Likelihood> zoo() {
  return {Threshold{},
          Threshold{.flip_probability = 0.1, .noise_variance = 0.3},
          Threshold{.flip_probability = 1e-12, .noise_variance = 1e-4},
          Threshold{.flip_probability = 0.45, .noise_variance = 25.0},
          Threshold{.flip_probability = 0.0, .noise_variance = 0.0},
          Threshold{.flip_probability = 0.2, .noise_variance = 0.0},
          AsymmetricThreshold{.flip_positive = 0.3, .flip_negative = 0.05, .noise_variance = 0.5},
          AsymmetricThreshold{.flip_positive = 0.0, .flip_negative = 0.7, .noise_variance = 1.0},
          AsymmetricThreshold{.flip_positive = 0.1, .flip_negative = 0.1, .noise_variance = 2.0},
          Probit{},
          Logistic{},
          Gaussian{.noise_variance = 0.2},
          Gaussian{.noise_variance = 40.0}};
}

template <class L>
constexpr bool has_flips = requires(const L& l) {
  l.step(Observation{});
};

template <class L>
constexpr bool is_classifier = !std::is_base_of_v<Gaussian, L>;

template <class L>
std::vector<Observation> rows_for(const L&) {
  if constexpr (!is_classifier<L>) return {{.y = -2.5}, {.y = 0.0}, {.y = 0.75}};
  std::vector<Observation> rows{{.y = 1.0}, {.y = -1.0}};
  if constexpr (has_flips<L>)
    for (const double rate : {0.0, 0.03, 0.4})
      for (const double y : {-1.0, 1.0}) rows.push_back({y, rate});
  return rows;
}

// The distance in f over which log p(y|f) changes its behaviour; 1 for a step.
template <class L>
double latent_scale(const L& l) {
  if constexpr (requires { l.noise_variance; })
    return l.noise_variance > 0.0 ? std::sqrt(l.noise_variance) : 1.0;
  return 1.0;
}

inline std::vector<Moments> cavities() {
  return {{0.0, 1.0}, {0.7, 0.01}, {-0.3, 4.0}, {2.0, 1e-6}, {-6.0, 1.5}, {9.0, 30.0}, {-1.0, 1e4}};
}

inline std::vector<Moments> extreme_cavities() {
  std::vector<Moments> all;
  for (const double mean : {-1e6, -1e3, -1.0, 0.0, 1e-9, 1.0, 1e3, 1e6})
    for (const double variance : {1e-12, 1e-6, 1.0, 1e6, 1e12}) all.push_back({mean, variance});
  return all;
}

}  // namespace candor::testing
