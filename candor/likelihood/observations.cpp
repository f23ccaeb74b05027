// SPDX-License-Identifier: MIT
#include <candor/likelihood/observations.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <string>

namespace candor {
namespace {

void check_row(const Observations& observations, const Likelihood& likelihood, Index i) {
  try {
    std::visit([&](const auto& l) { l.check(observations.row(i)); }, likelihood);
    check_positive("weight", observations.weight_of(i));
  } catch (const InvalidInput& error) {
    throw InvalidInput("row " + std::to_string(i) + ": " + error.what());
  }
}

}  // namespace

void check(const Observations& observations, const Likelihood& likelihood) {
  const Index n = observations.size();
  if (n == 0) throw InvalidInput("y has size 0: it must have at least one row");
  if (observations.weight.size() != 0)
    check_same_size("y", n, "weight", observations.weight.size());
  if (observations.known_flip_rate.size() != 0)
    check_same_size("y", n, "known_flip_rate", observations.known_flip_rate.size());
  for (Index i = 0; i < n; ++i) check_row(observations, likelihood, i);
}

}  // namespace candor
