// SPDX-License-Identifier: MIT
#include <candor/likelihood/label.hpp>
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

void check_class_row(const Observations& observations, Index i) {
  try {
    check_class(observations.row(i), observations.classes);
    check_known_flip_rate(observations.row(i));
    check_positive("weight", observations.weight_of(i));
    if (observations.weight_of(i) < 1.0) {
      throw InvalidInput("weight is below 1: more than two classes at once take whole rows");
    }
  } catch (const InvalidInput& error) {
    throw InvalidInput("row " + std::to_string(i) + ": " + error.what());
  }
}

}  // namespace

bool is_log_concave(const Likelihood& likelihood, const Observations& observations) {
  const bool has_known_errors =
      (observations.known_flip_rate.array() > 0.0).any() || observations.confusion.size() > 0;
  return !has_known_errors &&
         std::visit([](const auto& l) { return l.is_log_concave(); }, likelihood);
}

RobustMax robust_max_of(const Likelihood& likelihood, Index classes) {
  if (const auto* threshold = std::get_if<Threshold>(&likelihood)) {
    return {threshold->flip_probability, threshold->noise_variance, classes};
  }
  if (std::holds_alternative<Probit>(likelihood)) return {0.0, 1.0, classes};
  throw InvalidInput("likelihood is " + std::string(name_of(likelihood)) +
                     ": more than two classes take threshold or probit");
}

void check_confusion(const Matrix& confusion, Index classes) {
  if (classes == 2) throw InvalidInput("confusion is for more than two classes");
  check_same_size("rows of confusion", confusion.rows(), "classes", classes);
  check_same_size("columns of confusion", confusion.cols(), "classes", classes);
  if (!(confusion.array() >= least_confusion).all()) {
    throw InvalidInput(
        "confusion has a share below 1e-6: every class may be taken for every other");
  }
  constexpr double rounding = 1e-9;
  if (!((confusion.rowwise().sum().array() - 1.0).abs() < rounding).all()) {
    throw InvalidInput("confusion has a row that does not sum to 1");
  }
}

void check(const Observations& observations, const Likelihood& likelihood) {
  const Index n = observations.size();
  if (n == 0) throw InvalidInput("y has size 0: it must have at least one row");
  if (observations.weight.size() != 0)
    check_same_size("y", n, "weight", observations.weight.size());
  if (observations.known_flip_rate.size() != 0)
    check_same_size("y", n, "known_flip_rate", observations.known_flip_rate.size());
  if (observations.confusion.size() != 0)
    check_confusion(observations.confusion, observations.classes);
  if (observations.classes > 2) {
    robust_max_of(likelihood, observations.classes).check();
    for (Index i = 0; i < n; ++i) check_class_row(observations, i);
    return;
  }
  for (Index i = 0; i < n; ++i) check_row(observations, likelihood, i);
}

}  // namespace candor
