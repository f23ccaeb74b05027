// SPDX-License-Identifier: MIT
#include <candor/inference/multiclass_path.hpp>

#include <candor/inference/path_position.hpp>

namespace candor {
namespace {

bool can_be_wrong(const ClassProblem& problem) {
  return problem.likelihood.flip_probability > 0.0 || problem.observations.confusion.size() > 0 ||
         (problem.observations.known_flip_rate.array() > 0.0).any();
}

// A share of all labels is drawn by chance, and errors are among the rest as they were.
ClassProblem with_random_labels(ClassProblem problem, double share) {
  const auto C = static_cast<double>(problem.likelihood.classes);
  const auto toward = [share](double rate, double chance) {
    return (1.0 - share) * rate + share * chance;
  };
  double& rate = problem.likelihood.flip_probability;
  rate = toward(rate, (C - 1.0) / C);
  Observations& labels = problem.observations;
  for (double& known : labels.known_flip_rate) known = toward(known, (C - 1.0) / C);
  for (double& recorded : labels.confusion.reshaped()) recorded = toward(recorded, 1.0 / C);
  return problem;
}

}  // namespace

std::optional<ClassProblem> problem_along(ClassPath path, double t, const ClassProblem& wanted,
                                          double prior_variance) {
  if (path == ClassPath::random_labels) {
    if (!can_be_wrong(wanted)) return std::nullopt;
    return with_random_labels(wanted, rate_along(t, 0.9, 0.0));
  }
  const double v2 = wanted.likelihood.noise_variance;
  if (!(prior_variance > v2)) return std::nullopt;
  ClassProblem noisy = wanted;
  noisy.likelihood.noise_variance = noise_along(t, prior_variance, v2);
  return noisy;
}

}  // namespace candor
