// SPDX-License-Identifier: MIT
#include <candor/learning/confusion.hpp>

#include <candor/inference/multiclass_ep.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace candor {
namespace {

Matrix prior_counts(Index classes) {
  constexpr double right = 5.0, wrong = 1.0;
  Matrix alpha = Matrix::Constant(classes, classes, wrong / static_cast<double>(classes - 1));
  alpha.diagonal().setConstant(right);
  return alpha;
}

Matrix shares_from(const Matrix& count) {
  const Matrix sum = prior_counts(count.rows()) + count;
  const Matrix share = sum.array().colwise() / sum.rowwise().sum().array();
  const Matrix held = share.cwiseMax(least_confusion);
  return held.array().colwise() / held.rowwise().sum().array();
}

double log_mass(const Matrix& share, const Matrix& count) {
  const Matrix alpha = prior_counts(count.rows());
  const auto log_beta = [](const auto& row) {
    double sum = -std::lgamma(row.sum());
    for (const double a : row) sum += std::lgamma(a);
    return sum;
  };
  double sum = -(count.array() * share.array().log()).sum();
  for (Index k = 0; k < count.rows(); ++k) {
    sum += log_beta(Vector(alpha.row(k) + count.row(k))) - log_beta(Vector(alpha.row(k)));
  }
  return sum;
}

// N(k, y) under the shares that q was made with.
Matrix expected_counts(const Approximation& q, const Model& model,
                       const Observations& observations) {
  const Index C = observations.classes;
  const Matrix p = p_class_loo(q, robust_max_of(model.likelihood, C));
  Matrix count = Matrix::Zero(C, C);
  for (Index i = 0; i < observations.size(); ++i) {
    const auto [y, known] = observations.row(i);
    if (!std::isnan(known)) continue;
    const auto column = static_cast<Index>(y);
    const Vector of_each = p.row(i).transpose().cwiseProduct(observations.confusion.col(column));
    count.col(column) += observations.weight_of(i) / of_each.sum() * of_each;
  }
  return count;
}

double rate_of_shares(const Matrix& share, const Matrix& count) {
  const double total = count.sum();
  if (!(total > 0.0)) return 1.0 - share.diagonal().mean();
  return (count.rowwise().sum().array() * (1.0 - share.diagonal().array())).sum() / total;
}

// At hyperparameters that stay: EP and shares in turns.
void settle_shares(const Learned& learned, const TrainingSet& data, Observations& observations) {
  constexpr int most_turns = 10;
  constexpr double settled = 1e-3;
  std::optional<Approximation> q;
  for (int turn = 0; turn < most_turns; ++turn) {
    const Approximation& at = q ? *q : learned.approximation;
    const Matrix share = shares_from(expected_counts(at, learned.model, observations));
    const double change = (share - observations.confusion).lpNorm<Eigen::Infinity>();
    observations.confusion = share;
    if (change < settled) return;
    const Model& model = learned.model;
    Approximation next = infer(model.inference, model.covariance, model.likelihood, data.X,
                               observations, data.threads, Sites{at.site_tau, at.site_nu});
    if (next.outcome.status != Status::converged) return;
    q = std::move(next);
  }
}

LearnedConfusion climb_from(const ConfusionStart& start, const TrainingSet& data,
                            Learning learning) {
  constexpr int most_rounds = 6;
  constexpr double settled = 3e-3;  // of a share; evidence + prior are level there, to its square
  Observations observations = data.observations;
  observations.confusion = start.share;
  learning.choice.held.emplace_back("likelihood.flip_probability");
  learning.more_starts.clear();
  learning.spread_starts = 0;
  learning.first_sites = {};
  Model model = start.model;
  std::optional<LearnedConfusion> best;
  int evaluations = 0, sweeps = 0;
  for (int round = 0; round < most_rounds; ++round) {
    Learned learned = learn(model, {data.X, observations, data.threads}, learning);
    evaluations += learned.evaluations;
    sweeps += learned.sweeps;
    const Matrix share = observations.confusion;
    const Matrix count = expected_counts(learned.approximation, learned.model, observations);
    settle_shares(learned, data, observations);
    model = learned.model;
    model.likelihood = Threshold{
        .flip_probability = std::clamp(rate_of_shares(shares_from(count), count), 1e-6, 0.49)};
    learning.first_sites = Sites{learned.approximation.site_tau, learned.approximation.site_nu};
    const bool stays = (observations.confusion - share).lpNorm<Eigen::Infinity>() < settled;
    best.emplace(std::move(learned), Confusion{share, count, log_mass(share, count), stays});
    if (stays) break;
  }
  best->learned.model.likelihood = model.likelihood;
  best->learned.evaluations = evaluations;
  best->learned.sweeps = sweeps;
  return *std::move(best);
}

double value_of(const LearnedConfusion& found) {
  const bool sound = found.learned.approximation.outcome.status == Status::converged;
  const double value = found.learned.value() + found.confusion.log_mass;
  return sound && std::isfinite(value) ? value : -std::numeric_limits<double>::infinity();
}

}  // namespace

double Confusion::rate() const { return rate_of_shares(share, count); }

double Confusion::rate_deviation() const {
  const Vector all = count.rowwise().sum();
  const double total = all.sum();
  double variance = 0.0;
  for (Index k = 0; k < all.size(); ++k) {
    const double weight = total > 0.0 ? all[k] / total : 1.0 / static_cast<double>(all.size());
    const double known = prior_counts(all.size()).row(k).sum() + all[k];
    variance += weight * weight * share(k, k) * (1.0 - share(k, k)) / (known + 1.0);
  }
  return std::sqrt(variance);
}

Matrix alike_shares(Index classes, double rate) {
  Matrix share = Matrix::Constant(classes, classes, rate / static_cast<double>(classes - 1));
  share.diagonal().setConstant(1.0 - rate);
  return share;
}

Matrix contradicted_shares(const Approximation& q, const Model& model,
                           const Observations& observations) {
  const Index C = observations.classes;
  const Matrix p = p_class_loo(q, robust_max_of(model.likelihood, C));
  Matrix count = Matrix::Zero(C, C);
  for (Index i = 0; i < observations.size(); ++i) {
    const auto [y, known] = observations.row(i);
    if (!std::isnan(known)) continue;
    Index likeliest = 0;
    p.row(i).maxCoeff(&likeliest);
    count(likeliest, static_cast<Index>(y)) += observations.weight_of(i);
  }
  return shares_from(count);
}

LearnedConfusion learn_confusion(const std::vector<ConfusionStart>& starts, const TrainingSet& data,
                                 const Learning& options) {
  std::vector<LearnedConfusion> found;
  for (const ConfusionStart& start : starts) found.push_back(climb_from(start, data, options));
  const auto best = std::ranges::max_element(found, {}, value_of);
  int evaluations = 0, sweeps = 0;
  for (const LearnedConfusion& one : found) {
    evaluations += one.learned.evaluations;
    sweeps += one.learned.sweeps;
  }
  best->learned.evaluations = evaluations;
  best->learned.sweeps = sweeps;
  return std::move(*best);
}

}  // namespace candor
