// SPDX-License-Identifier: MIT
#include <candor/learning/ensemble.hpp>

#include <candor/linalg/errors.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace candor {
namespace {

// The points about a mode, which counts for 1/reach² and each of them for half of that.
struct SigmaPoints {
  double reach = 1.0;  // in deviations of the Gaussian
  std::vector<Theta> outer;
};

// The axes come from H⁻¹; the narrow ones change no prediction.
SigmaPoints sigma_points(const Candidate& candidate) {
  const Mode& mode = candidate.mode;
  const Theta& top = candidate.learned.theta;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(mode.precision);  // narrowest axis last
  const Index axes = std::min<Index>(most_axes, mode.precision.rows());
  SigmaPoints points{std::sqrt(static_cast<double>(axes) + 1.0), {}};
  for (Index k = 0; k < axes; ++k) {
    const Vector move =
        eigen.eigenvectors().col(k) * (points.reach / std::sqrt(eigen.eigenvalues()[k]));
    for (const double side : {-1.0, 1.0}) {
      Theta theta = top;
      theta.value(mode.smooth) += side * move;
      points.outer.push_back(std::move(theta));
    }
  }
  return points;
}

// p_wrong away from the mode: with the cavities of q, which hardly depend on ε, over ε's posterior.
//   c = probability of the given label before any flip,   p_wrong = ε'(1-c)/((1-ε)c + ε'(1-c))
// with ε' = ε/(C-1), what a wrong label has of each other class.
Vector averaged_over_rate(const Candidate& candidate, const Approximation& q,
                          const Observations& observations) {
  const auto* threshold = std::get_if<Threshold>(&candidate.learned.model.likelihood);
  if (candidate.rates.empty()) return q.p_wrong;
  if (threshold == nullptr) {  // two rates: what their spread adds at the mode
    const Vector added = candidate.p_wrong() - candidate.learned.approximation.p_wrong;
    return (q.p_wrong + added).cwiseMax(0.0).cwiseMin(1.0);
  }
  const RatePosterior& posterior = candidate.rates.front();
  const double here = threshold->flip_probability;
  const auto others = static_cast<double>(observations.classes - 1);
  const Eigen::ArrayXd c =
      ((q.log_loo.array().exp() - here / others) / (1.0 - here - here / others)).max(0.0).min(1.0);
  Vector sum = Vector::Zero(c.size());
  double total = 0.0;
  for (Index k = 0; k < posterior.rate.size(); ++k) {
    const double e = posterior.rate[k];
    const double mass = std::exp(posterior.log_density[k]) * rate_slope(logit_of_rate(e));
    sum.array() += mass * e / others * (1.0 - c) / ((1.0 - e) * c + e / others * (1.0 - c));
    total += mass;
  }
  sum /= total;
  for (Index i = 0; i < sum.size(); ++i) {  // a row that knows its own rate is not asked about ε
    if (!std::isnan(observations.row(i).known_flip_rate)) sum[i] = q.p_wrong[i];
  }
  return sum;
}

// Inference at an outer point; empty where it fails.
std::optional<Approximation> converged_at(const Model& model, const TrainingSet& data) {
  try {
    Approximation q = infer(model.inference, model.covariance, model.likelihood, data.X,
                            data.observations, data.threads);
    if (q.outcome.status == Status::converged) return q;
  } catch (const NumericalError&) {
    // as good as not converged: the point is counted among the skipped
  }
  return std::nullopt;
}

Matrix confusion_of(const Candidate& candidate) {
  return candidate.confusion ? candidate.confusion->share : Matrix();
}

// Adds a candidate's sigma points, whose weights together are `weight`.
void add_points(const Candidate& candidate, double weight, const TrainingSet& data,
                Ensemble& ensemble) {
  const Learned& learned = candidate.learned;
  const Coordinates& coordinates = learned.coordinates;
  const ThetaBounds bounds = coordinates.bounds();
  const Matrix confusion = confusion_of(candidate);
  const Observations observations = data.observations.confused(confusion);
  const auto [reach, outer] = sigma_points(candidate);
  const double centre_weight = 1.0 / (reach * reach);
  double total = centre_weight;
  std::vector<Member> members{{candidate.name, centre_weight, learned.model, learned.approximation,
                               candidate.p_wrong(), confusion}};
  for (const Theta& point : outer) {
    const Theta theta = bounds.project(point);
    const Model model = coordinates.model_at(theta);
    std::optional<Approximation> q = converged_at(model, {data.X, observations, data.threads});
    if (!q) {
      ++ensemble.skipped;
      continue;
    }
    const double fall = learned.value() - q->log_evidence - learned.prior.at(theta).log_density;
    const double gaussian_fall = 0.5 * reach * reach;
    // Far from a Gaussian the ratio could hand everything to one outer point.
    const double w = 0.5 * centre_weight * std::exp(std::min(gaussian_fall - fall, 2.0));
    total += w;
    Vector p_wrong = averaged_over_rate(candidate, *q, data.observations);
    members.push_back({candidate.name, w, model, std::move(*q), std::move(p_wrong), confusion});
  }
  for (Member& member : members) {
    member.weight *= weight / total;
    ensemble.members.push_back(std::move(member));
  }
}

}  // namespace

Vector Ensemble::p_wrong() const {
  Vector sum = Vector::Zero(members.front().p_wrong.size());
  for (const Member& m : members) sum += m.weight * m.p_wrong;
  return sum;
}

Vector Ensemble::log_loo() const {
  Vector sum = Vector::Zero(members.front().approximation.log_loo.size());
  for (const Member& m : members) sum.array() += m.weight * m.approximation.log_loo.array().exp();
  return sum.array().log();
}

Prediction Ensemble::predict(const Matrix& X, const Matrix& X_test) const {
  const Vector zero = Vector::Zero(X_test.rows());
  Prediction sum{zero, zero, zero, zero, zero};
  for (const Member& m : members) {
    const Prediction p =
        candor::predict(m.approximation, m.model.covariance, m.model.likelihood, X, X_test);
    sum.latent_mean += m.weight * p.latent_mean;
    sum.latent_variance += m.weight * (p.latent_variance + p.latent_mean.cwiseAbs2());
    sum.p_sign += m.weight * p.p_sign;
    sum.p_clean += m.weight * p.p_clean;
    sum.p_observed += m.weight * p.p_observed;
  }
  sum.latent_variance -= sum.latent_mean.cwiseAbs2();
  return sum;
}

// The views of the labels share each covariance's weight by their evidence.
std::vector<double> weights_of(const Selection& selection, Average kind,
                               CovarianceWeights covariances) {
  std::vector<double> weights(selection.candidates.size(), 0.0);
  if (kind == Average::none) {
    weights[selection.best] = 1.0;
    return weights;
  }
  std::map<std::string, double> total;
  for (const Candidate& c : selection.candidates) total[c.covariance] += c.probability;
  const bool alike = covariances == CovarianceWeights::alike;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const Candidate& c = selection.candidates[k];
    const double sum = alike ? total[c.covariance] * static_cast<double>(total.size()) : 1.0;
    // A covariance so improbable that its shares cannot be told is left out.
    const double weight = sum > 0.0 ? c.probability / sum : 0.0;
    if (weight >= negligible_weight) weights[k] = weight;
  }
  return weights;
}

Ensemble average(const Selection& selection, const TrainingSet& data, Average kind,
                 CovarianceWeights covariances) {
  const std::vector<double> weights = weights_of(selection, kind, covariances);
  Ensemble ensemble;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const Candidate& c = selection.candidates[k];
    if (weights[k] == 0.0) continue;
    if (kind == Average::full) {
      add_points(c, weights[k], data, ensemble);
    } else {
      ensemble.members.push_back({c.name, weights[k], c.learned.model, c.learned.approximation,
                                  c.p_wrong(), confusion_of(c)});
    }
  }
  keep_what_matters(ensemble.members);
  return ensemble;
}

}  // namespace candor
