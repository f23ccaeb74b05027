// SPDX-License-Identifier: MIT
#include "ep_problem.hpp"
#include "kinds.hpp"

#include <fmt/format.h>

namespace check_vectors {
namespace {

using candor::Approximation;
using candor::Ep;
using candor::SequentialEp;
using candor::Status;
using candor::Vector;

std::string how_it_ended(const Approximation& q) {
  return fmt::format("{} on rung {}, {} sweeps, residual {:.1e}", name_of(q.outcome.status),
                     name_of(q.outcome.rung), q.outcome.sweeps, q.outcome.residual);
}

// A quantity against a value of the file; false when the file means another quantity.
bool compare(Report& report, const std::map<std::string, Quantity>& quantities, const Field& field,
             const Node& want) {
  const auto found = quantities.find(field.back());
  if (found == quantities.end()) return false;
  if (const auto* number = std::get_if<double>(&found->second)) {
    report.compare(field, want, *number);
  } else {
    Vector got = std::get<Vector>(found->second);
    // A file names as many of the most doubtful rows as it likes.
    if (field.back() == "top_indices") {
      const auto asked = static_cast<candor::Index>(want.items().size());
      if (asked > got.size()) want.refuse("at most one index per row of X");
      got = got.head(asked).eval();
    }
    report.compare(field, want, got);
  }
  return true;
}

// Other ways to the same fixed point: the papers' loop, and the papers' form.
void check_other_ways(Case& c, const EpProblemData& data, const Node& want_evidence,
                      bool sequential_may_fail) {
  const Field field{"log_evidence"};
  for (const double damping : {1.0, 0.5}) {
    const Approximation q =
        data.solve(SequentialEp{.damping = damping, .tolerance = ep_tolerance, .max_sweeps = 500});
    const std::string how = fmt::format("by sequential_ep, damping {}", damping);
    if (sequential_may_fail && q.outcome.status != Status::converged) {
      c.report.note("log_evidence " + how, how_it_ended(q));
    } else {
      c.report.compare_as(field, how, want_evidence, q.log_evidence);
    }
  }
  if (data.hyp.noise_variance == 0.0) return;  // both forms are one
  const Approximation q = data.solve_papers_form(Ep{.tolerance = ep_tolerance});
  c.report.compare_as(field, "with the noise in the covariance", want_evidence, q.log_evidence);
}

void check_ep_case(Case& c, bool sequential_may_fail) {
  const EpProblemData data = read_ep_problem(c.problem);
  Approximation q = data.solve(Ep{.tolerance = ep_tolerance});
  c.report.require("ep converged", q.outcome.status == Status::converged, how_it_ended(q));

  const auto quantities = ep_quantities(data, q);
  const auto gradient = gradient_quantities(data, q);
  std::map<std::string, Quantity> prediction;
  if (c.problem.has("X_test")) prediction = prediction_quantities(data, q, c.problem.X_test());

  check_fields(c, [&](const Field& field, const Node& want) {
    const std::string& group = field.front();
    if (group == "gradient" || group == "finite_difference_check") {
      return compare(c.report, gradient, field, want);
    }
    if (group == "prediction") {
      if (prediction.empty()) throw Malformed("X_test is missing, though predictions are expected");
      return compare(c.report, prediction, field, want);
    }
    return compare(c.report, quantities, field, want);
  });
  if (c.answers.has("log_evidence")) {
    check_other_ways(c, data, c.answers["log_evidence"], sequential_may_fail);
  }
}

// EP beside the truth: a target where EP is exact, shown for information elsewhere.
void show_reference(Case& c, const std::map<std::string, Quantity>& quantities, const Field& field,
                    const Node& want) {
  const auto found = quantities.find(field.back());
  if (found == quantities.end()) {
    c.report.not_covered(joined(field));
    return;
  }
  double deviation = 0.0;
  if (const auto* number = std::get_if<double>(&found->second)) {
    deviation = std::abs(*number - want.number());
  } else {
    const Vector got = std::get<Vector>(found->second), exact = want.vector();
    if (got.size() != exact.size()) want.refuse(fmt::format("a list of {} numbers", got.size()));
    deviation = (got - exact).lpNorm<Eigen::Infinity>();
  }
  c.report.note(joined(field), fmt::format("reference: EP is off by {:.1e}", deviation));
}

}  // namespace

void check_ep(Case& c) { check_ep_case(c, false); }

void check_hard_ep(Case& c) { check_ep_case(c, true); }

// The tilted moments of a single row are exact, so for n = 1 its own posterior is; a prediction,
// which takes q for Gaussian, is not.
void check_exact(Case& c) {
  const EpProblemData data = read_ep_problem(c.problem);
  const Approximation q = data.solve(Ep{.tolerance = ep_tolerance});
  c.report.require("ep converged", q.outcome.status == Status::converged, how_it_ended(q));
  auto quantities = ep_quantities(data, q);
  if (c.problem.has("X_test")) {
    quantities.merge(prediction_quantities(data, q, c.problem.X_test()));
  }
  check_fields(c, [&](const Field& field, const Node& want) {
    if (field.front() == "expected_ep") return compare(c.report, quantities, field, want);
    if (field.front() != "expected_exact") return false;
    if (data.y.size() == 1 && field.back() != "p_true_label_plus") {
      return compare(c.report, quantities, field, want);
    }
    show_reference(c, quantities, field, want);
    return true;
  });
  if (c.answers.has("expected_ep") && c.answers["expected_ep"].has("log_evidence")) {
    check_other_ways(c, data, c.answers["expected_ep"]["log_evidence"], false);
  }
}

}  // namespace check_vectors
