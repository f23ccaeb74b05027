// SPDX-License-Identifier: MIT
#include <candor/learning/objective.hpp>

#include <candor/linalg/errors.hpp>

#include <utility>

namespace candor {
namespace {

Ep without_slower_rungs(Ep engine) {
  engine.max_sequential_sweeps = 0;
  engine.max_root_finder_rows = 0;
  engine.explore = false;
  return engine;
}

// For searches: where EP needs the slower rungs of its ladder, a shorter step is cheaper than the
// climb.
Inference impatient(const Inference& engine, double tolerance) {
  if (const auto* ep = std::get_if<Ep>(&engine)) {
    Ep quick = without_slower_rungs(*ep);
    quick.tolerance = std::max(ep->tolerance, tolerance);
    quick.max_sweeps = std::min(ep->max_sweeps, 25);
    return quick;
  }
  if (const auto* variational = std::get_if<Variational>(&engine)) {
    Variational quick = *variational;
    // EP's last step, Newton's, ends far below its tolerance; a linear one ends just below.
    quick.tolerance = std::max(variational->tolerance, 1e-2 * tolerance);
    return quick;
  }
  return engine;
}

}  // namespace

Objective::Objective(Coordinates coordinates, Prior prior, TrainingSet data)
    : coordinates_(std::move(coordinates)), prior_(std::move(prior)), data_(data) {}

std::optional<Evaluation> Objective::evaluate(const Theta& theta,
                                              const std::optional<Sites>& warm_start, With with,
                                              double tolerance) {
  ++evaluations_;
  const auto fail = [&]() -> std::optional<Evaluation> {
    ++failures_;
    return std::nullopt;
  };
  const Model model = coordinates_.model_at(theta);
  try {
    const Approximation q =
        infer(impatient(model.inference, tolerance), model.covariance, model.likelihood, data_.X,
              data_.observations, data_.threads, warm_start);
    sweeps_ += q.outcome.sweeps;
    if (q.outcome.status != Status::converged) return fail();
    const Prior::Value prior = prior_.at(theta);
    Evaluation result{q.log_evidence, prior.log_density, {}, {q.site_tau, q.site_nu}, q.p_wrong};
    if (with == With::gradient) result.gradient = gradient_at(theta, q);
    return result;
  } catch (const NumericalError&) {
    return fail();  // a breakdown becomes an outcome
  }
}

Vector Objective::gradient_at(const Theta& theta, const Approximation& q) const {
  const EvidenceGradient gradient =
      evidence_gradient(q, coordinates_.model_at(theta).covariance, data_.X);
  return coordinates_.gradient(gradient, theta) + prior_.at(theta).gradient;
}

Approximation Objective::infer_at(const Theta& theta, const std::optional<Sites>& sites) const {
  const Model model = coordinates_.model_at(theta);
  const auto by = [&](const Inference& engine, const std::optional<Sites>& start) {
    return infer(engine, model.covariance, model.likelihood, data_.X, data_.observations,
                 data_.threads, start);
  };
  const Inference& engine = model.inference;
  if (is_log_concave(model.likelihood, data_.observations)) return by(engine, sites);
  Approximation q = by(engine, std::nullopt);
  if (q.outcome.status == Status::converged || !sites) return q;
  // Of many classes the slower rungs all begin at the prior: they have had their turn.
  const auto* ep = std::get_if<Ep>(&engine);
  const bool had_all = ep != nullptr && data_.observations.classes > 2;
  Approximation there = by(had_all ? Inference(without_slower_rungs(*ep)) : engine, sites);
  const int sweeps = q.outcome.sweeps + there.outcome.sweeps;
  Approximation& better = there.outcome.status == Status::converged ? there : q;
  better.outcome.sweeps = sweeps;
  return std::move(better);
}

}  // namespace candor
