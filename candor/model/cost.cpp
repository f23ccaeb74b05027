// SPDX-License-Identifier: MIT
#include <candor/model/cost.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/inference/class_posterior.hpp>
#include <candor/inference/site_posterior.hpp>

#include <algorithm>
#include <chrono>

namespace candor {
namespace {

constexpr Index timed_rows = 768;  // enough for several threads to have something to do

// Learning a candidate, from what it took on tables of 208 to 768 rows and 8 to 60 columns (heart,
// sonar, pima): evaluations of the evidence, and factorisations by EP over all of them.  A large
// table is begun where a sample of it ended, which saves a third of the evaluations and half of the
// factorisations (banana, pima and german credit, 600 to 1200 rows).  On 300, 600 and 1000 or 1200
// rows of these three the estimate is 0.8 to 1.6 times the processor time of an audit on one
// thread.
struct Searching {
  double evaluations = 0.0, sweeps = 0.0;
};
Searching searching(Index parameters, Index rows) {
  constexpr Index rows_to_sample_from = 600;
  const double evaluations = 42.0 + 2.2 * static_cast<double>(parameters);
  const double sweeps = evaluations + 66.0;
  if (rows < rows_to_sample_from) return {evaluations, sweeps};
  return {0.7 * evaluations, 0.55 * sweeps};
}

// What an evaluation costs beside its factorisations, n² of everything (covariances, their
// gradient, Krylov steps), is that of factorising with so many rows more.
double rows_besides(Index columns) { return 2800.0 * (1.0 + static_cast<double>(columns) / 135.0); }

// Moments of a row with a weight below 1 are integrated numerically, five times for a Newton step:
// some 0.2 ms where a sweep of EP takes 1.5e-11 n³ seconds.
constexpr double cubes_per_light_row = 1.3e7;

// The variational engine integrates every row, whatever its weight, once a sweep: some 7 µs; and its
// linear steps are three times as many as those of EP, where the likelihood is not steep.
constexpr double cubes_per_expectation = 5e5;
constexpr double variational_sweeps = 3.0;

// Points about the mode at which Average::full infers, from nothing and to the last digit.
double sigma_points(Index parameters) {
  return 2.0 * static_cast<double>(std::min(most_axes, parameters));
}
constexpr double sweeps_per_point = 12.0;

// Of a joint question: what a sweep costs in those of two classes, and the n×n matrices of an
// approximation and of the inference that runs (the posteriors in inference/ say why).
struct JointSize {
  double sweeps, approximation, working;
};
JointSize joint_size(Index classes) {
  const ClassForm form = usual_form(classes);
  const double sweeps = sweep_cost(form, classes);
  if (classes == 2) return {sweeps, 2.0, 3.0};
  if (form == ClassForm::coupled) return {sweeps, 9.0, 14.0};
  const auto C = static_cast<double>(classes);
  return {sweeps, C + 1.0, C + 2.0};
}

// Matrices of n×n doubles at the worst moment.
double squares(const FitSize& work) {
  const auto [unused, approximation, working] = joint_size(work.joint_classes);
  const auto views = static_cast<double>(work.errors.size());
  double most_points = 0.0;
  for (const Index p : work.parameters) most_points = std::max(most_points, sigma_points(p));
  // Candidates of one covariance live together, of many classes without their matrices; a copy of
  // each begins its average.
  const double kept = work.joint_classes > 2 ? 1.0 : views;
  const double learning = approximation * kept + working;
  const double averaging = approximation * (kept + 1.0 + most_points) + working;
  return work.average == Average::full ? averaging : learning;
}

}  // namespace

double seconds_per_cube(Threads threads) {
  using Clock = std::chrono::steady_clock;
  const Matrix X = Vector::LinSpaced(timed_rows, 0.0, 20.0);
  const Covariance covariance = SquaredExponential{};
  SitePosterior posterior(Gram(covariance, X), threads);
  const Vector tau = Vector::Ones(timed_rows);
  double best = 0.0;
  // The first one also loads the library; the quickest of three says what the machine can do.
  for (int k = 0; k < 4; ++k) {
    const Clock::time_point start = Clock::now();
    if (!posterior.set_precisions(tau)) return 0.0;
    static_cast<void>(posterior.variance());
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (k == 1 || (k > 1 && seconds < best)) best = seconds;
  }
  const auto n = static_cast<double>(timed_rows);
  return best / (n * n * n);
}

double squares_of_posterior(Index joint_classes) { return joint_size(joint_classes).approximation; }

Cost cost_of(const FitSize& work, double seconds_per_cube) {
  const auto n = static_cast<double>(work.rows);
  double sweeps = 0.0, evaluations = 0.0;
  for (const Index parameters : work.parameters) {
    const Searching search = searching(parameters, work.rows);
    sweeps += work.variational ? variational_sweeps * search.sweeps : search.sweeps;
    evaluations += search.evaluations;
    if (work.average != Average::full) continue;
    sweeps += sweeps_per_point * sigma_points(parameters);
    evaluations += sigma_points(parameters);
  }
  // Shares by pairs of classes are learned from two starts, each a search of its own.
  const bool by_pairs = work.joint_classes > 2 &&
                        std::ranges::find(work.errors, LabelErrors::by_class) != work.errors.end();
  const auto searches = static_cast<double>(work.errors.size()) + (by_pairs ? 1.0 : 0.0);
  const double fits = static_cast<double>(work.questions) * searches;
  const double joint = joint_size(work.joint_classes).sweeps;
  const double cubes_per_row =
      work.variational ? cubes_per_expectation : work.light_share * cubes_per_light_row;
  const double cubes = joint * n * n * (sweeps * n + evaluations * rows_besides(work.columns)) +
                       sweeps * n * cubes_per_row;
  const double small = 8.0 * n * static_cast<double>(work.columns) * 4.0;
  return {.seconds = fits * seconds_per_cube * cubes, .bytes = 8.0 * n * n * squares(work) + small};
}

Index affordable_rows(FitSize work, double seconds_per_cube, const Cost& allowed) {
  constexpr Index step = 100;
  const auto fits = [&](Index steps) {
    work.rows = steps * step;
    const Cost cost = cost_of(work, seconds_per_cube);
    return cost.seconds <= allowed.seconds && cost.bytes <= allowed.bytes;
  };
  // One by one: where a first look at a sample begins to pay, more rows cost less.
  Index steps = work.rows / step;
  while (steps > 0 && !fits(steps)) --steps;
  return steps * step;
}

}  // namespace candor
