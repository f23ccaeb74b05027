// SPDX-License-Identifier: MIT
#include <candor/audit/audit.hpp>

#include <candor/audit/reasons.hpp>
#include <candor/audit/verdict.hpp>
#include <candor/learning/select.hpp>
#include <candor/linalg/errors.hpp>

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace candor {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// What the questions say of the table as a whole.
struct Overall {
  double rate = 0.0;
  Interval rate_interval;
  double margin = 0.0;
  double signal = 0.0;
  double p_label_errors = 0.0;
  std::vector<double> share_of_yes;  // of each question
  Vector class_shares;               // of each class
};

bool has_evidence(const EvidenceRow& row) { return std::isfinite(row.log_integrated); }

// The same covariance without label errors.
const EvidenceRow* regular_twin(const Question& question, const EvidenceRow& robust) {
  const auto twin = std::ranges::find_if(question.evidence, [&](const EvidenceRow& row) {
    return row.errors == LabelErrors::none && row.family == robust.family && has_evidence(row);
  });
  return twin == question.evidence.end() ? nullptr : &*twin;
}

// What label errors add to the evidence of a question at its best, and what their rate costs when
// it is integrated out: the best candidate with errors against the one without, same covariance.
struct Gain {
  double evidence = 0.0, price = 0.0;
};
std::optional<Gain> gain_of(const Question& question) {
  const EvidenceRow *best = nullptr, *regular = nullptr;
  for (const EvidenceRow& row : question.evidence) {
    if (row.errors == LabelErrors::none || !has_evidence(row)) continue;
    if (best != nullptr && row.log_integrated <= best->log_integrated) continue;
    const EvidenceRow* twin = regular_twin(question, row);
    if (twin == nullptr) continue;
    best = &row;
    regular = twin;
  }
  if (best == nullptr) return std::nullopt;
  const double gain = best->log_evidence - regular->log_evidence;
  return Gain{gain, gain - (best->log_integrated - regular->log_integrated)};
}

// Of many questions by the margin and the signal that they make up together; where there is no
// margin, by their mean, in which their signals are already.
double p_label_errors(const Classifier& classifier, double margin, double signal) {
  if (classifier.questions.size() == 1) return classifier.questions.front().p_label_errors;
  double mean = 0.0;
  for (const Question& question : classifier.questions) {
    mean += question.p_label_errors / static_cast<double>(classifier.questions.size());
  }
  return std::isnan(margin)
             ? mean
             : probability_of(signal) * probability_of(margin + std::log(prior_odds_of_errors));
}

// Every wrong label is wrong in two of the questions of a table with more than two classes, so that
// sums over questions count for half.  Bounds are added as they are: questions err together.
Overall overall(const Classifier& classifier) {
  const double half = classifier.questions.size() == 1 ? 1.0 : 0.5;
  Overall total;
  total.class_shares = class_shares(classifier);
  total.margin = label_error_margin(classifier);
  total.signal = signal_of(classifier);
  total.p_label_errors = p_label_errors(classifier, total.margin, total.signal);
  for (const Question& q : classifier.questions) {
    total.share_of_yes.push_back(share_of_yes(classifier, q));
    total.rate += half * q.rate;
    total.rate_interval.low += half * q.rate_interval.low;
    total.rate_interval.high += half * q.rate_interval.high;
  }
  total.rate = std::min(total.rate, 1.0);
  total.rate_interval.high = std::min(total.rate_interval.high, 1.0);
  return total;
}

// π of a training row, from the answers to the questions.
template <class Answer>
Vector classes_from(const Classifier& classifier, const Answer& answer) {
  Vector pi = Vector::Zero(static_cast<Index>(classifier.classes.size()));
  for (std::size_t k = 0; k < classifier.questions.size(); ++k) {
    pi[classifier.questions[k].positive_class] = answer(k);
  }
  if (classifier.questions.size() > 1) return exactly_one(pi);
  const Index yes = classifier.questions.front().positive_class;
  pi[1 - yes] = 1.0 - pi[yes];
  return pi;
}

// Without the row's own label, if labels depend on the columns.
Vector class_probabilities(const Classifier& classifier, Index i) {
  if (classifier.is_joint()) return classifier.questions.front().p_class_loo.row(i);
  return classes_from(classifier,
                      [&](std::size_t k) { return classifier.questions[k].p_clean_loo[i]; });
}

// p(true = c | given g), of which the share of `p_label_errors` knows of errors at all.
Vector true_class(const Vector& pi, Index given, double rate, double p_label_errors) {
  const auto others = static_cast<double>(pi.size() - 1);
  Vector p = pi * (rate / others);
  p[given] = pi[given] * (1.0 - rate);
  const double sum = p.sum();
  if (sum > 0.0) p *= p_label_errors / sum;
  p[given] = 0.0;
  p[given] = 1.0 - p.sum();
  return p;
}

// As class_probabilities, averaged with labels that do not depend on the columns.
Vector class_probabilities_by_chance(const Classifier& classifier, const Overall& total, Index i) {
  if (classifier.is_joint()) {
    const double depends = probability_of(total.signal);
    return depends * class_probabilities(classifier, i) + (1.0 - depends) * total.class_shares;
  }
  return classes_from(classifier, [&](std::size_t k) {
    const Question& question = classifier.questions[k];
    return with_chance(question.p_clean_loo[i], question.signal, total.share_of_yes[k]);
  });
}

// What the class is if the label is wrong, up to a factor; the given one's entry means nothing.
Vector instead_of_given(const Classifier& classifier, Index i) {
  const Matrix& instead = classifier.questions.front().p_instead;
  if (!classifier.is_joint() || instead.size() == 0 || !(instead.row(i).sum() > 0.0)) {
    return class_probabilities(classifier, i);
  }
  return instead.row(i) / instead.row(i).sum();
}

bool is_trusted(const Classifier& classifier, Index i) {
  return !classifier.trusted.empty() && classifier.trusted[at(i)];
}

// Of classes as probable as each other but for rounding, the first.
int most_probable_but(int given, Vector pi) {
  constexpr double rounding = 1e-9;
  pi[given] = -1.0;
  const double top = pi.maxCoeff() - rounding;
  const auto best = std::ranges::find_if(pi, [&](double p) { return p >= top; });
  return static_cast<int>(best - pi.begin());
}

// Suggests another class where p_wrong is above `doubt`.
AuditedRow audited(const Classifier& classifier, const Overall& total, double doubt, Index i) {
  AuditedRow row;
  row.row = classifier.row[at(i)];
  row.given = classifier.label[at(i)];
  row.trusted = is_trusted(classifier, i);
  const Vector pi = class_probabilities(classifier, i);
  row.p_given = class_probabilities_by_chance(classifier, total, i)[row.given];
  row.other = most_probable_but(row.given, instead_of_given(classifier, i));
  row.suggested = row.given;
  if (row.trusted) return row;
  const double p_wrong =
      classifier.questions.size() == 1
          ? classifier.questions.front().p_wrong[i]
          : 1.0 - true_class(pi, row.given, total.rate, total.p_label_errors)[row.given];
  row.p_wrong = std::clamp(p_wrong, 0.0, 1.0);
  if (row.p_wrong > doubt) row.suggested = row.other;
  return row;
}

void count_label(const Classifier& classifier, const AuditedRow& row, Index i, Matrix& expected) {
  Vector others = instead_of_given(classifier, i);
  others[row.given] = 0.0;
  const double sum = others.sum();
  const double wrong = sum > 0.0 ? row.p_wrong : 0.0;
  if (sum > 0.0) expected.col(row.given) += wrong / sum * others;
  expected(row.given, row.given) += 1.0 - wrong;
}

// Wrong labels at this rate, if there are any at all.
struct Count {
  double mean = 0.0, variance = 0.0;
  double most = 0.0;  // rows that are not trusted
};
Count wrong_labels_at(const Classifier& classifier, double rate) {
  Count count;
  for (Index i = 0; i < classifier.X.rows(); ++i) {
    if (is_trusted(classifier, i)) continue;
    const Index given = classifier.label[at(i)];
    const Vector p = true_class(class_probabilities(classifier, i), given, rate, 1.0);
    count.mean += 1.0 - p[given];
    count.variance += p[given] * (1.0 - p[given]);
    count.most += 1.0;
  }
  return count;
}

// Of many questions, the 90 % interval of the number of errors, which is 0 unless there are any:
// about its mean the rows scatter each by themselves, and the mean moves with the rate.
Interval wrong_labels_of_many(const Classifier& classifier, const Overall& total) {
  const boost::math::normal normal;
  const double usual = boost::math::quantile(normal, 0.95);
  const Count count = wrong_labels_at(classifier, total.rate);
  return interval_of_count(0.9, total.p_label_errors, [&](double q) {
    const double z = boost::math::quantile(normal, q);
    const double rate = z > 0.0 ? total.rate_interval.high : total.rate_interval.low;
    const double reach = std::hypot(usual * std::sqrt(count.variance),
                                    wrong_labels_at(classifier, rate).mean - count.mean);
    return std::min(count.mean + z / usual * reach, count.most);
  });
}

// The mean of a few rare errors may lie above 95 % of their distribution, and is shown beside it.
Interval wrong_labels(const Classifier& classifier, const Overall& total, double expected) {
  const Interval interval = classifier.questions.size() == 1
                                ? classifier.questions.front().wrong_labels
                                : wrong_labels_of_many(classifier, total);
  return {std::min(interval.low, expected), std::max(interval.high, expected)};
}

// Training rows, most suspicious first.
std::vector<Index> ranked(const std::vector<AuditedRow>& rows) {
  std::vector<Index> order(rows.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, [&](Index a, Index b) {
    const AuditedRow &left = rows[at(a)], &right = rows[at(b)];
    if (left.p_wrong != right.p_wrong) return left.p_wrong > right.p_wrong;
    if (left.p_given != right.p_given) return left.p_given < right.p_given;
    return left.row < right.row;
  });
  return order;
}

void add_neighbours(const Classifier& classifier, const AuditOptions& options,
                    const std::vector<AuditedRow>& by_training_row, std::vector<Index> order,
                    Audit& audit) {
  const Index wanted = std::max(options.reasons_for, audit.above(options.threshold));
  order.resize(std::min(order.size(), at(std::max<Index>(wanted, 0))));
  const auto nearest = nearest_rows(classifier, order, options.neighbours, options.threads);
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (const Near& near : nearest[k]) {
      const AuditedRow& other = by_training_row[at(near.training_row)];
      audit.rows[k].neighbours.push_back({other.row, other.given, near.similarity, other.p_wrong});
    }
  }
}

// Of the model that the rate is taken from.
bool has_rates_by_class(const Classifier& classifier) {
  if (classifier.classes.size() != 2) return false;
  const std::vector<EvidenceRow>& rows = classifier.questions.front().evidence;
  const auto best = best_with_errors(rows);
  return best != rows.end() && best->errors == LabelErrors::by_class;
}

void forget_rates(Audit& audit) {
  audit.rate = no_number;
  audit.rate_interval = audit.wrong_labels = {no_number, no_number};
}

}  // namespace

// It rests on every search.  Of many questions the gains count for half, as above, and the price of
// a rate once: the table has one rate, though each question was charged for its own.
double label_error_margin(const Classifier& classifier) {
  if (classifier.failed_searches() > 0) return no_number;
  if (classifier.questions.size() == 1) return classifier.questions.front().margin;
  double evidence = 0.0, price = 0.0;
  for (const Question& question : classifier.questions) {
    const std::optional<Gain> gain = gain_of(question);
    if (!gain) return no_number;
    evidence += 0.5 * gain->evidence;
    price += gain->price / static_cast<double>(classifier.questions.size());
  }
  return evidence - price;
}

double signal_of(const Classifier& classifier) {
  double sum = 0.0;
  for (const Question& question : classifier.questions) sum += question.signal;
  return classifier.questions.size() == 1 ? sum : 0.5 * sum;
}

bool tried(const Classifier& classifier, bool errors) {
  return std::ranges::any_of(classifier.questions, [&](const Question& question) {
    return std::ranges::any_of(question.evidence, [&](const EvidenceRow& row) {
      return (row.errors != LabelErrors::none) == errors;
    });
  });
}

bool Audit::all_trusted() const { return std::ranges::all_of(rows, &AuditedRow::trusted); }

Index Audit::above(double threshold) const {
  return std::ranges::count_if(rows, [&](const AuditedRow& r) { return r.p_wrong > threshold; });
}

std::vector<Mistake> Audit::mistakes() const {
  constexpr double too_rare = 0.1;
  std::vector<Mistake> found;
  if (expected_labels.rows() == 2 && !rates_by_class) return found;
  const Vector truly = expected_labels.rowwise().sum();
  for (Index truth = 0; truth < truly.size(); ++truth) {
    for (Index given = 0; given < truly.size(); ++given) {
      const double expected = expected_labels(truth, given);
      if (truth == given || expected < too_rare) continue;
      found.push_back(
          {static_cast<int>(truth), static_cast<int>(given), expected, expected / truly[truth]});
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater{}, &Mistake::expected);
  return found;
}

double Audit::expected_among(Index count) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < std::min(rows.size(), at(count)); ++k) sum += rows[k].p_wrong;
  return sum;
}

Audit audit(const Classifier& classifier, const AuditOptions& options) {
  const Overall total = overall(classifier);
  const Vector novel = novelty(classifier, options.threads);
  std::vector<AuditedRow> by_training_row;
  const auto classes = static_cast<Index>(classifier.classes.size());
  Matrix expected_labels = Matrix::Zero(classes, classes);
  for (Index i = 0; i < classifier.X.rows(); ++i) {
    by_training_row.push_back(audited(classifier, total, doubt_above(options.threshold), i));
    by_training_row.back().novelty = novel[i];
    count_label(classifier, by_training_row.back(), i, expected_labels);
  }

  Audit audit;
  audit.expected_labels = std::move(expected_labels);
  audit.rates_by_class = has_rates_by_class(classifier);
  const std::vector<Index> order = ranked(by_training_row);
  for (const Index i : order) audit.rows.push_back(by_training_row[at(i)]);
  audit.rate = total.rate;
  audit.rate_interval = total.rate_interval;
  audit.margin = total.margin;
  audit.comparison_failed =
      std::isnan(audit.margin) && tried(classifier, true) && tried(classifier, false);
  audit.signal = total.signal;
  audit.p_label_errors = total.p_label_errors;
  audit.expected_wrong = audit.expected_among(static_cast<Index>(audit.rows.size()));
  audit.wrong_labels = wrong_labels(classifier, total, audit.expected_wrong);
  if (!tried(classifier, true) || audit.all_trusted()) forget_rates(audit);
  if (audit.all_trusted()) audit.margin = audit.p_label_errors = no_number;
  audit.converged = classifier.converged();
  audit.labels_look_clean = audit.above(options.threshold) == 0 && audit.margin < -1.0 &&
                            audit.p_label_errors < 0.5 && audit.has_signal();
  audit.verdict = verdict_of(audit, classifier, options);
  add_neighbours(classifier, options, by_training_row, order, audit);
  return audit;
}

}  // namespace candor
