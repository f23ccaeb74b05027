// SPDX-License-Identifier: MIT
// What learning maximises, against infer() and against differences of its own values.
#include <candor/learning/objective.hpp>
#include <candor/linalg/errors.hpp>

#include "tests/covariance/zoo.hpp"
#include "tests/inference/zoo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace candor {
namespace {

// An objective with the table it looks at.
struct Problem {
  std::string name;
  Model model;
  Table table;

  // Of all parameters, v₂ too.
  [[nodiscard]] Coordinates coordinates() const {
    const bool has_noise = std::ranges::count(parameter_names(model.likelihood), "noise_variance");
    return Coordinates(model,
                       {.freed = has_noise ? std::vector<std::string>{"likelihood.noise_variance"}
                                           : std::vector<std::string>{}});
  }
  [[nodiscard]] Objective objective() const {
    return {coordinates(), default_prior(coordinates(), table.X), {table.X, table.observations}};
  }
};

// Weights, a trusted row and a row of known rate where labels may be flipped.
Table enriched(Table table, const Likelihood& likelihood) {
  const Index n = table.X.rows();
  table.observations.weight = Vector::Ones(n);
  table.observations.weight[1] = 2.0;
  if (std::holds_alternative<Threshold>(likelihood) ||
      std::holds_alternative<AsymmetricThreshold>(likelihood)) {
    table.observations.known_flip_rate = Vector::Constant(n, rate_not_known);
    table.observations.known_flip_rate[0] = 0.0;
    table.observations.known_flip_rate[4] = 0.2;
  }
  return table;
}

std::vector<Problem> problems() {
  std::vector<Problem> all;
  for (const Setting& s : zoo()) {
    all.push_back({s.name, {s.covariance, s.likelihood, s.engine}, s.table});
    all.push_back({s.name + ", weighted",
                   {s.covariance, s.likelihood, s.engine},
                   enriched(s.table, s.likelihood)});
  }
  // Every covariance, each with a likelihood of two rates.
  Table table{"table", testing_support::table(14, testing_support::narrow, 5), labels(Vector(14))};
  for (Index i = 0; i < 14; ++i) table.observations.y[i] = table.X(i, 0) > 0.2 ? 1.0 : -1.0;
  for (const auto& specimen : testing_support::zoo()) {
    if (specimen.columns != testing_support::narrow) continue;
    all.push_back({specimen.label,
                   {.covariance = specimen.covariance,
                    .likelihood =
                        AsymmetricThreshold{
                            .flip_positive = 0.03, .flip_negative = 0.12, .noise_variance = 0.3},
                    .inference = tight_engines()[1]},
                   table});
  }
  return all;
}

// Ep stops at search_tolerance, the variational engine at a hundredth of it, and the gradient keeps
// a small multiple of that; the other engines go on until rounding stops them.
double tolerance(const Problem& problem) {
  if (std::holds_alternative<Ep>(problem.model.inference)) return 2.0 * search_tolerance;
  if (std::holds_alternative<Variational>(problem.model.inference)) return 0.05 * search_tolerance;
  return 1e-6;
}

// Central differences at two steps and Richardson's extrapolation.  Truncation is of order h⁴ =
// 1e-8 times a fifth derivative, the evidence's error of 1e-8 in a search costs 1e-6.
Vector differences(const std::function<double(const Theta&)>& value, const Theta& theta) {
  Vector result(theta.size());
  for (Index i = 0; i < theta.size(); ++i) {
    const auto central = [&](double h) {
      Theta up = theta, down = theta;
      up.value[i] += h;
      down.value[i] -= h;
      return (value(up) - value(down)) / (2.0 * h);
    };
    result[i] = (4.0 * central(0.005) - central(0.01)) / 3.0;
  }
  return result;
}

Vector differences(const Problem& problem) {
  Objective objective = problem.objective();
  return differences(
      [&](const Theta& theta) {
        const auto e = objective.evaluate(theta, std::nullopt);
        return e ? e->value() : std::nan("");
      },
      problem.coordinates().theta());
}

TEST(ObjectiveLaws, TheGradientAgreesWithDifferences) {
  for (const Problem& problem : problems()) {
    Objective objective = problem.objective();
    const auto e = objective.evaluate(problem.coordinates().theta(), std::nullopt);
    ASSERT_TRUE(e) << problem.name;
    EXPECT_LT(difference(e->gradient, differences(problem)), tolerance(problem)) << problem.name;
  }
}

// The gradient in the rate itself, taken for that in its logit.
TEST(ObjectiveMutants, ForgettingTheLogitBreaksTheLaw) {
  for (const Problem& problem : problems()) {
    const Coordinates coordinates = problem.coordinates();
    const Approximation q =
        infer(problem.model.inference, problem.model.covariance, problem.model.likelihood,
              problem.table.X, problem.table.observations);
    const EvidenceGradient gradient =
        evidence_gradient(q, problem.model.covariance, problem.table.X);
    Vector wrong = default_prior(coordinates, problem.table.X).at(coordinates.theta()).gradient;
    bool has_rate = false;
    for (Index i = 0; i < coordinates.size(); ++i) {
      const FreeParameter& p = coordinates.parameters()[static_cast<std::size_t>(i)];
      wrong[i] += (p.in_likelihood ? gradient.likelihood : gradient.covariance)[p.position];
      has_rate = has_rate || p.coordinate == Coordinate::logit;
    }
    const double deviation = difference(wrong, differences(problem));
    if (has_rate) {
      EXPECT_GT(deviation, 10.0 * tolerance(problem)) << problem.name;
    } else {
      EXPECT_LT(deviation, tolerance(problem)) << problem.name;
    }
  }
}

TEST(ObjectiveLaws, TheValueIsThatOfInferAndOfThePrior) {
  for (const Problem& problem : problems()) {
    Objective objective = problem.objective();
    const Theta theta = problem.coordinates().theta();
    const auto e = objective.evaluate(theta, std::nullopt);
    ASSERT_TRUE(e) << problem.name;
    const Approximation q =
        infer(problem.model.inference, problem.model.covariance, problem.model.likelihood,
              problem.table.X, problem.table.observations);
    // The square of the residual for every row, the worst case that Objective states.
    const double accuracy = search_tolerance * search_tolerance * 14.0;
    EXPECT_NEAR(e->log_evidence, q.log_evidence, accuracy) << problem.name;
    EXPECT_EQ(e->log_prior, objective.prior().at(theta).log_density) << problem.name;
    EXPECT_EQ(e->value(), e->log_evidence + e->log_prior);
  }
}

TEST(ObjectiveLaws, SitesHandedOnSaveSweepsAndChangeNothing) {
  for (const Problem& problem : problems()) {
    const Theta theta = problem.coordinates().theta();
    Objective cold = problem.objective(), warm = problem.objective();
    const auto first = cold.evaluate(theta, std::nullopt);
    ASSERT_TRUE(first) << problem.name;
    const auto again = warm.evaluate(theta, first->sites);
    ASSERT_TRUE(again) << problem.name;
    EXPECT_NEAR(again->value(), first->value(), 1e-7) << problem.name;
    EXPECT_LE(warm.sweeps(), cold.sweeps()) << problem.name;
  }
}

Problem robust_problem() {
  return {"robust",
          {.covariance = 2.0 * Covariance(SquaredExponential{}),
           .likelihood = Threshold{.flip_probability = 0.1, .noise_variance = 0.5}},
          ring(20, 3, 4)};
}

TEST(Objective, CountsEvaluationsAndSweeps) {
  const Problem robust = robust_problem();
  Objective objective = robust.objective();
  const Theta theta = robust.coordinates().theta();
  for (int i = 1; i <= 3; ++i) {
    const int before = objective.sweeps();
    EXPECT_TRUE(objective.evaluate(theta, std::nullopt));
    EXPECT_EQ(objective.evaluations(), i);
    EXPECT_GT(objective.sweeps(), before);
  }
  EXPECT_EQ(objective.failures(), 0);
}

TEST(Objective, SignalsAFailureWithoutANumber) {
  Problem problem = robust_problem();
  problem.model.inference = Ep{.max_sweeps = 1};
  Objective objective = problem.objective();
  EXPECT_FALSE(objective.evaluate(problem.coordinates().theta(), std::nullopt));
  EXPECT_EQ(objective.evaluations(), 1);
  EXPECT_EQ(objective.failures(), 1);
}

TEST(Objective, AnswersByTheModelsOwnEngineWhereASearchWouldGiveUp) {
  Problem problem = robust_problem();
  problem.model.inference = Ep{.max_sweeps = 1};
  const Approximation q = problem.objective().infer_at(problem.coordinates().theta(), std::nullopt);
  EXPECT_EQ(q.outcome.status, Status::converged);
  EXPECT_NE(q.outcome.rung, Rung::parallel);
}

// Sites come first only where there is no other fixed point to be led to.
TEST(Objective, AnswersFromNothingWhereSeveralFixedPointsMayBe) {
  const Problem robust = robust_problem();
  const Theta theta = robust.coordinates().theta();
  const Objective objective = robust.objective();
  const Approximation cold = objective.infer_at(theta, std::nullopt);
  const Sites sites{cold.site_tau, cold.site_nu};
  const Approximation warm = objective.infer_at(theta, sites);
  EXPECT_EQ(warm.outcome.sweeps, cold.outcome.sweeps);
  EXPECT_EQ(warm.log_evidence, cold.log_evidence);
}

// A fixed point that only the search can reach is an answer all the same.
TEST(Objective, AnswersFromKnownSitesWhereNothingIsFoundWithoutThem) {
  Problem robust = robust_problem();
  const Theta theta = robust.coordinates().theta();
  const Approximation known = robust.objective().infer_at(theta, std::nullopt);
  robust.model.inference =
      Ep{.max_sweeps = 1, .max_sequential_sweeps = 0, .max_root_finder_rows = 0};
  const Objective impatient = robust.objective();
  EXPECT_EQ(impatient.infer_at(theta, std::nullopt).outcome.status, Status::not_converged);
  const Approximation found = impatient.infer_at(theta, Sites{known.site_tau, known.site_nu});
  EXPECT_EQ(found.outcome.status, Status::converged);
  EXPECT_NEAR(found.log_evidence, known.log_evidence, 1e-12);  // the same state, factored again
}

// Of many classes every slower rung begins at the prior, and would fail again as it did.
TEST(Objective, ClimbsTheLadderOfManyClassesOnce) {
  constexpr int few = 3;
  Problem classes = robust_problem();
  Observations& labels = classes.table.observations;
  labels.classes = 3;
  for (Index i = 0; i < labels.size(); ++i) labels.y[i] = static_cast<double>(i % 3);
  const Theta theta = classes.coordinates().theta();
  const Approximation known = classes.objective().infer_at(theta, std::nullopt);
  ASSERT_EQ(known.outcome.status, Status::converged);
  classes.model.inference = Ep{.max_sweeps = few};
  const Objective impatient = classes.objective();
  const Approximation alone = impatient.infer_at(theta, std::nullopt);
  EXPECT_EQ(alone.outcome.status, Status::not_converged);
  // The loop, once more, and continuation: more than the two that are allowed below.
  EXPECT_GT(alone.outcome.sweeps, 2 * (few + 1));
  const Approximation found = impatient.infer_at(theta, Sites{known.site_tau, known.site_nu});
  EXPECT_EQ(found.outcome.status, Status::converged);
  EXPECT_NEAR(found.log_evidence, known.log_evidence, 1e-12);  // the same state, factored again
  const Sites nowhere{0.0 * known.site_tau, 0.0 * known.site_nu};
  const Approximation in_vain = impatient.infer_at(theta, nowhere);
  EXPECT_EQ(in_vain.outcome.status, Status::not_converged);
  EXPECT_LE(in_vain.outcome.sweeps, alone.outcome.sweeps + 2 * (few + 1));  // there, and the loop
}

TEST(Objective, RefusesATableThatDoesNotFitItsLabels) {
  Problem problem = robust_problem();
  problem.table.observations.y = problem.table.observations.y.head(19).eval();
  Objective objective = problem.objective();
  EXPECT_THROW((void)objective.evaluate(problem.coordinates().theta(), std::nullopt), InvalidInput);
}

}  // namespace
}  // namespace candor
