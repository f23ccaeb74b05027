// SPDX-License-Identifier: MIT
#include <candor/model/question.hpp>

#include <candor/covariance/text.hpp>
#include <candor/inference/class_loo.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/model/posterior.hpp>

#include <fmt/format.h>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace candor {
namespace {

// Gives back 2 n² doubles and more.
void forget_matrices(Candidate& candidate) {
  candidate.learned.approximation.posterior = SitePosterior();
  candidate.learned.approximation.class_posterior.reset();
}

// Probability of +1 before any flip, from the cavity: the row's own label is not in it.
Vector p_clean_loo(const Member& member) {
  const Approximation& q = member.approximation;
  Vector p(q.cavity_mean.size());
  std::visit(
      [&](const auto& likelihood) {
        for (Index i = 0; i < p.size(); ++i) {
          p[i] = likelihood.predict({q.cavity_mean[i], q.cavity_variance[i]}).clean;
        }
      },
      member.model.likelihood);
  return p;
}

// That a label is wrong and the class is each other one instead: what its row looks like, by how often
// such a class is recorded so.
Matrix p_instead(const Member& member, const Matrix& p_class, const Observations& observations) {
  Matrix p = Matrix::Zero(p_class.rows(), p_class.cols());
  for (Index i = 0; i < p.rows(); ++i) {
    const auto given = static_cast<Index>(observations.y[i]);
    Vector others = p_class.row(i);
    if (member.confusion.size() > 0) others.array() *= member.confusion.col(given).array();
    others[given] = 0.0;
    const double sum = others.sum();
    if (sum > 0.0) p.row(i) = member.p_wrong[i] / sum * others;
  }
  return p;
}

std::string name_of(const Candidate& c) {
  return fmt::format("{}, {}", name_of(c.errors), c.covariance);
}

EvidenceRow evidence_row(const Candidate& c) {
  int evaluations = c.learned.evaluations + c.mode.evaluations;
  for (const RatePosterior& rate : c.rates) evaluations += rate.evaluations;
  return {.name = name_of(c),
          .family = c.covariance,
          .errors = c.errors,
          .log_evidence = c.learned.log_evidence,
          .log_integrated = c.log_integrated,
          .probability = c.probability,
          .covariance = to_text(c.learned.model.covariance),
          .converged = c.converged(),
          .evaluations = evaluations,
          .sweeps = c.sweeps};
}

// The shortest interval from 0 that holds this share of equally likely values.
Interval shortest_interval(Vector values, double probability) {
  std::ranges::sort(values);
  const Index n = values.size();
  const auto held = static_cast<Index>(std::ceil(probability * static_cast<double>(n)));
  Index best = 0;
  for (Index k = 0; k + held <= n; ++k) {
    if (values[k + held - 1] - values[k] < values[best + held - 1] - values[best]) best = k;
  }
  return {best == 0 ? 0.0 : values[best], values[best + held - 1]};  // 0 is below the first value
}

// The shares of wrong labels that the rates of two classes imply, as if these were independent.
Vector shares_wrong(const RatePosterior& positive, const RatePosterior& negative,
                    const RecordedLabels& recorded) {
  constexpr Index points = 60;
  const Vector negative_rates = negative.equally_likely(points);
  Vector shares(points * points);
  Index k = 0;
  for (const double flip_positive : positive.equally_likely(points)) {
    for (const double flip_negative : negative_rates) {
      const AsymmetricThreshold at{.flip_positive = flip_positive, .flip_negative = flip_negative};
      shares[k++] = share_wrong(at, recorded);
    }
  }
  return shares;
}

// For the number of wrong labels the intervals of two rates, each with the other at its top, are
// joined.
void take_rates(const Candidate& candidate, const RecordedLabels& recorded, Question& question) {
  constexpr double probability = 0.9;
  const std::vector<RatePosterior>& rates = candidate.rates;
  if (rates.size() == 1) {
    question.rate = rates[0].mean;
    question.rate_interval = rates[0].interval(probability);
  } else {
    const Vector shares = shares_wrong(rates[0], rates[1], recorded);
    question.rate = shares.mean();
    question.rate_interval = shortest_interval(shares, probability);
  }
  question.wrong_labels = rates[0].wrong_labels(probability, question.p_label_errors);
  for (std::size_t k = 1; k < rates.size(); ++k) {
    const Interval wrong = rates[k].wrong_labels(probability, question.p_label_errors);
    question.wrong_labels.low = std::min(question.wrong_labels.low, wrong.low);
    question.wrong_labels.high = std::max(question.wrong_labels.high, wrong.high);
  }
}

// Each label is wrong by its own p_wrong, all of which follow the logit of the rate: the normal
// approximation to their number.
Interval count_of_wrong(const Vector& p_wrong, double logit_deviation, double p_label_errors) {
  const double spread = (p_wrong.array() * (1.0 - p_wrong.array())).sum();
  const double deviation = std::sqrt(spread + std::pow(spread * logit_deviation, 2));
  return interval_of_count(0.9, p_label_errors, [&](double q) {
    const double z = boost::math::quantile(boost::math::normal(), q);
    return p_wrong.sum() + z * deviation;
  });
}

// A rate that was held is what it is.
void take_held_rates(const Candidate& candidate, const RecordedLabels& recorded,
                     Question& question) {
  question.rate = share_wrong(candidate.learned.model.likelihood, recorded);
  question.rate_interval = {question.rate, question.rate};
  question.wrong_labels =
      count_of_wrong(candidate.learned.approximation.p_wrong, 0.0, question.p_label_errors);
}

// The rate of all classes together as a beta variable of the same mean and variance; that it is not
// known which labels are wrong adds to the latter.
void take_confusion(const Candidate& candidate, const Observations& observations,
                    Question& question) {
  const Vector& p = candidate.learned.approximation.p_wrong;  // 0 where the label is trusted
  const double rate = candidate.confusion->rate(), most = rate * (1.0 - rate);
  const Eigen::ArrayXd weight = observations.weights();
  const double labels = std::max(candidate.confusion->count.sum(), 1.0);
  const double variance =
      std::pow(candidate.confusion->rate_deviation(), 2) +
      (weight.square() * p.array() * (1.0 - p.array())).sum() / (labels * labels);
  const double counts = std::max(most / variance - 1.0, 1e-3);
  const boost::math::beta_distribution<> posterior(rate * counts, (1.0 - rate) * counts);
  question.rate = rate;
  question.rate_interval = {quantile(posterior, 0.05), quantile(posterior, 0.95)};
  question.wrong_labels =
      count_of_wrong(p, candidate.confusion->rate_deviation() / most, question.p_label_errors);
}

// Rate and number of wrong labels, of which there are no more than may be wrong.
void take_errors(const Candidate& candidate, const Observations& observations, Question& question) {
  const RecordedLabels recorded = recorded_labels(observations);
  if (candidate.confusion) {
    take_confusion(candidate, observations, question);
  } else {
    (candidate.rates.empty() ? take_held_rates : take_rates)(candidate, recorded, question);
  }
  for (double* end : {&question.wrong_labels.low, &question.wrong_labels.high}) {
    *end = std::min(*end, static_cast<double>(recorded.in_doubt));
  }
}

double positive_weight(const Observations& observations) {
  return observations.weights().dot((observations.y.array() > 0.0).cast<double>().matrix());
}

// Log evidence of labels that do not depend on the columns, +1 with a probability of which nothing
// is known: ∫ p^k (1-p)^(n-k) dp; of many classes the same over all shares that sum to 1.
double log_evidence_without_columns(const Observations& observations) {
  if (observations.classes > 2) {
    const auto C = static_cast<double>(observations.classes);
    const Vector weight = observations.weights();
    double sum = std::lgamma(C) - std::lgamma(weight.sum() + C);
    for (Index c = 0; c < observations.classes; ++c) {
      const auto is_c = (observations.y.array() == static_cast<double>(c)).cast<double>();
      sum += std::lgamma(weight.dot(is_c.matrix()) + 1.0);
    }
    return sum;
  }
  const double n = observations.weights().sum(), k = positive_weight(observations);
  return std::lgamma(k + 1.0) + std::lgamma(n - k + 1.0) - std::lgamma(n + 2.0);
}

double signal_of(const Selection& selection, const Observations& observations) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Candidate& c : selection.candidates) {
    if (!std::isnan(c.log_integrated)) best = std::max(best, c.log_integrated);
  }
  return best - log_evidence_without_columns(observations);
}

// Where one model alone is kept (Average::none), the others still say whether labels are wrong.
double p_label_errors(const Selection& selection, const std::vector<double>& weights,
                      Average average) {
  if (average == Average::none) return std::min(selection.p_label_errors(), 1.0);
  double with = 0.0, total = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (selection.candidates[k].errors != LabelErrors::none) with += weights[k];
    total += weights[k];
  }
  return std::min(with / total, 1.0);
}

template <class T>
T averaged(const std::vector<Finding>& findings, const std::vector<double>& weights,
           T Finding::*member) {
  T sum = 0.0 * (findings.front().*member);
  double total = 0.0;
  for (std::size_t k = 0; k < findings.size(); ++k) {
    sum += weights[k] * (findings[k].*member);
    total += weights[k];
  }
  return sum / total;
}

}  // namespace

Finding finding_of(Candidate candidate, const TrainingSet& data, Average average_kind) {
  Selection alone;
  alone.candidates.push_back(std::move(candidate));
  alone.candidates.front().probability = 1.0;
  forget_matrices(alone.candidates.front());  // before there are copies of it: nothing is predicted
  const Average kind = average_kind == Average::full ? Average::full : Average::models;
  const Ensemble ensemble = average(alone, data, kind);
  Finding finding{std::move(alone.candidates.front()), {}, ensemble.p_wrong(), {}, {}, {}};
  const bool many = data.observations.classes > 2;
  const Index n = data.observations.size();
  if (many) finding.p_class_loo = finding.p_instead = Matrix::Zero(n, data.observations.classes);
  if (!many) finding.p_clean_loo = Vector::Zero(n);
  for (const Member& member : ensemble.members) {
    if (many) {
      const RobustMax likelihood =
          robust_max_of(member.model.likelihood, data.observations.classes);
      const Matrix p_class = p_class_loo(member.approximation, likelihood);
      finding.p_class_loo += member.weight * p_class;
      finding.p_instead += member.weight * p_instead(member, p_class, data.observations);
    }
    if (!many) finding.p_clean_loo += member.weight * p_clean_loo(member);
    finding.processes.push_back({.name = name_of(finding.candidate),
                                 .weight = member.weight,
                                 .covariance = member.model.covariance,
                                 .likelihood = member.model.likelihood,
                                 .site_tau = member.approximation.site_tau,
                                 .site_nu = member.approximation.site_nu,
                                 .confusion = member.confusion});
  }
  return finding;
}

Question answer(std::vector<Finding> findings, const Observations& observations, Average average,
                CovarianceWeights covariances) {
  std::vector<Candidate> candidates;
  candidates.reserve(findings.size());
  for (Finding& finding : findings) candidates.push_back(std::move(finding.candidate));
  const Selection selection = selection_of(std::move(candidates));
  const std::vector<double> weights = weights_of(selection, average, covariances);
  Question question;
  question.p_wrong = averaged(findings, weights, &Finding::p_wrong);
  question.p_clean_loo = averaged(findings, weights, &Finding::p_clean_loo);
  question.p_class_loo = averaged(findings, weights, &Finding::p_class_loo);
  question.p_instead = averaged(findings, weights, &Finding::p_instead);
  if (!question.p_wrong.allFinite() || !question.p_clean_loo.allFinite() ||
      !question.p_class_loo.allFinite()) {
    throw NumericalError("no model of this table came to a finite answer");
  }
  question.signal = signal_of(selection, observations);
  const double p_signal = probability_of(question.signal);
  question.p_wrong *= p_signal;
  for (std::size_t k = 0; k < findings.size(); ++k) {
    question.evidence.push_back(evidence_row(selection.candidates[k]));
    for (Process& process : findings[k].processes) {
      process.weight *= weights[k];
      if (process.weight > 0.0) question.processes.push_back(std::move(process));
    }
  }
  keep_what_matters(question.processes);
  question.margin = std::isfinite(selection.margin()) ? selection.margin()
                                                      : std::numeric_limits<double>::quiet_NaN();
  const auto with_errors = best_with_errors(selection.candidates);
  if (with_errors == selection.candidates.end()) return question;
  question.p_label_errors = p_signal * p_label_errors(selection, weights, average);
  take_errors(*with_errors, observations, question);
  if (average == Average::none) {
    question.p_wrong =
        question.p_label_errors *
        findings[static_cast<std::size_t>(with_errors - selection.candidates.begin())].p_wrong;
  }
  return question;
}

}  // namespace candor
