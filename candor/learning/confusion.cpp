// SPDX-License-Identifier: MIT
#include <candor/learning/confusion.hpp>

#include <candor/inference/class_loo.hpp>
#include <candor/linalg/errors.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace candor {
namespace {

Matrix prior_counts(Index classes) {
  constexpr double right = 2.0, wrong = 0.4;
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

// Labels of each true class (row) and recorded one (column), without those of a known rate: a label's
// weight is shared among the classes as `truth` says, of what the other rows say of it and its column.
template <class Truth>
Matrix counted(const Approximation& q, const Model& model, const Observations& observations,
               const Truth& truth) {
  const Index C = observations.classes;
  const Matrix p = p_class_loo(q, robust_max_of(model.likelihood, C));
  Matrix count = Matrix::Zero(C, C);
  for (Index i = 0; i < observations.size(); ++i) {
    const auto [y, known] = observations.row(i);
    if (!std::isnan(known)) continue;
    const auto column = static_cast<Index>(y);
    count.col(column) += observations.weight_of(i) * truth(Vector(p.row(i)), column);
  }
  return count;
}

// N(k, y) under the shares that q was made with.
Matrix expected_counts(const Approximation& q, const Model& model,
                       const Observations& observations) {
  return counted(q, model, observations, [&](const Vector& p, Index column) -> Vector {
    const Vector of_each = p.cwiseProduct(observations.confusion.col(column));
    return of_each / of_each.sum();
  });
}

double rate_of_shares(const Matrix& share, const Matrix& count) {
  const double total = count.sum();
  if (!(total > 0.0)) return 1.0 - share.diagonal().mean();
  return (count.rowwise().sum().array() * (1.0 - share.diagonal().array())).sum() / total;
}

// Nobody predicts with it here, and its matrices are (C - 1)² n² doubles and more.
void forget_matrices(Approximation& q) { q.class_posterior.reset(); }

// One climb, with what it costs.
class Climb {
 public:
  Climb(const ConfusionStart& start, const TrainingSet& data, const Learning& options)
      : data_(data),
        learning_(options),
        model_(start.model),
        observations_(data.observations.confused(start.share)) {
    learning_.choice.held.emplace_back("likelihood.flip_probability");
    learning_.more_starts.clear();
    learning_.spread_starts = 0;
    learning_.first_sites.reset();
  }

  // Hyperparameters and shares in turns.
  LearnedConfusion run() {
    constexpr int most_rounds = 12;
    std::optional<LearnedConfusion> last;
    for (int round = 0; round < most_rounds; ++round) {
      LearnedConfusion found = learn_at_shares();
      learning_.first_sites =
          Sites{found.learned.approximation.site_tau, found.learned.approximation.site_nu};
      learning_.sample_rows = data_.X.rows();  // a first look at fewer is for the first round
      settle_shares(found);
      model_ = found.learned.model;
      constexpr double settled =
          3e-3;  // of a share; evidence + prior are level there, to its square
      const double change =
          (observations_.confusion - found.confusion.share).lpNorm<Eigen::Infinity>();
      found.confusion.settled = change < settled;
      const bool goes_on = !found.confusion.settled && is_sound(found) && may_go_on(found.learned);
      if (!last || is_sound(found)) last.emplace(std::move(found));
      if (!goes_on) break;
    }
    last->learned.evaluations = evaluations_;
    last->learned.sweeps = sweeps_;
    return *std::move(last);
  }

  [[nodiscard]] static bool is_sound(const LearnedConfusion& found) {
    return found.learned.approximation.outcome.status == Status::converged &&
           std::isfinite(found.learned.value() + found.confusion.log_mass);
  }
  [[nodiscard]] static double value_of(const LearnedConfusion& found) {
    const double value = found.learned.value() + found.confusion.log_mass;
    return is_sound(found) ? value : -std::numeric_limits<double>::infinity();
  }

 private:
  LearnedConfusion learn_at_shares() {
    Learned learned = learn(model_, {data_.X, observations_, data_.threads}, learning_);
    evaluations_ += learned.evaluations;
    sweeps_ += learned.sweeps;
    forget_matrices(learned.approximation);
    const Matrix& share = observations_.confusion;
    const Matrix count = expected_counts(learned.approximation, learned.model, observations_);
    Confusion confusion{share, count, log_mass(share, count)};
    // The rate that likelihoods know, for whoever asks them: it is not used where shares are known.
    learned.model.likelihood =
        Threshold{.flip_probability = std::clamp(confusion.rate(), least_confusion, 0.49)};
    return {std::move(learned), std::move(confusion)};
  }

  // At hyperparameters that stay: EP and shares in turns.
  void settle_shares(const LearnedConfusion& found) {
    constexpr int most_turns = 10;
    constexpr double settled = 1e-3;
    const Model& model = found.learned.model;
    Matrix count = found.confusion.count;
    Sites sites = *learning_.first_sites;
    for (int turn = 0; turn < most_turns; ++turn) {
      const Matrix share = shares_from(count);
      const double change = (share - observations_.confusion).lpNorm<Eigen::Infinity>();
      observations_.confusion = share;
      if (change < settled || !may_go_on(found.learned)) return;
      Approximation q = infer(model.inference, model.covariance, model.likelihood, data_.X,
                              observations_, data_.threads, sites);
      ++evaluations_;
      sweeps_ += q.outcome.sweeps;
      if (q.outcome.status != Status::converged) return;
      forget_matrices(q);
      count = expected_counts(q, model, observations_);
      sites = {std::move(q.site_tau), std::move(q.site_nu)};
    }
  }

  [[nodiscard]] bool may_go_on(const Learned& learned) const {
    return !learning_.watcher || learning_.watcher({"which class is taken for which", evaluations_,
                                                    sweeps_, learned.value()});
  }

  const TrainingSet& data_;
  Learning learning_;
  Model model_;
  Observations observations_;
  int evaluations_ = 0, sweeps_ = 0;
};

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
  return shares_from(counted(q, model, observations, [](const Vector& p, Index) -> Vector {
    Index likeliest = 0;
    p.maxCoeff(&likeliest);
    return Vector::Unit(p.size(), likeliest);
  }));
}

LearnedConfusion learn_confusion(const std::vector<ConfusionStart>& starts, const TrainingSet& data,
                                 const Learning& options) {
  std::optional<LearnedConfusion> best;
  int evaluations = 0, sweeps = 0;
  std::string failure;
  for (const ConfusionStart& start : starts) {
    try {
      LearnedConfusion found = Climb(start, data, options).run();
      evaluations += found.learned.evaluations;
      sweeps += found.learned.sweeps;
      if (!best || Climb::value_of(found) > Climb::value_of(*best)) best.emplace(std::move(found));
    } catch (const NumericalError& error) {
      failure = error.what();  // the other start may do
    }
  }
  if (!best) throw NumericalError(failure);
  best->learned.evaluations = evaluations;
  best->learned.sweeps = sweeps;
  return *std::move(best);
}

}  // namespace candor
