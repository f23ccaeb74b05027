// SPDX-License-Identifier: MIT
#include <candor/audit/audit.hpp>

#include <candor/audit/reasons.hpp>
#include <candor/audit/verdict.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace candor {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// What the questions say of the table as a whole.
struct Overall {
  double rate = 0.0;
  Interval rate_interval;
  double margin = 0.0;
  double p_label_errors = 0.0;
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

bool tried(const Classifier& classifier, bool errors) {
  return std::ranges::any_of(classifier.questions, [&](const Question& question) {
    return std::ranges::any_of(question.evidence, [&](const EvidenceRow& row) {
      return (row.errors != LabelErrors::none) == errors;
    });
  });
}

bool comparison_failed(const Classifier& classifier, double margin) {
  return std::isnan(margin) && tried(classifier, true) && tried(classifier, false);
}

// Without a margin, what candidates with label errors have of the probability: all where no others
// were tried, nothing where they were not.
double p_label_errors(const Classifier& classifier, double margin) {
  if (!std::isnan(margin)) return 1.0 / (1.0 + std::exp(-margin));
  double share = 0.0;
  for (const Question& question : classifier.questions) {
    for (const EvidenceRow& row : question.evidence) {
      if (row.errors != LabelErrors::none) share += row.probability;
    }
  }
  return share / static_cast<double>(classifier.questions.size());
}

// Every wrong label is wrong in two of the questions of a table with more than two classes, so that
// sums over questions count for half.  Bounds are added as they are: questions err together.
Overall overall(const Classifier& classifier) {
  const double half = classifier.questions.size() == 1 ? 1.0 : 0.5;
  Overall total;
  total.margin = label_error_margin(classifier);
  total.p_label_errors = p_label_errors(classifier, total.margin);
  for (const Question& q : classifier.questions) {
    total.rate += half * q.rate;
    total.rate_interval.low += half * q.rate_interval.low;
    total.rate_interval.high += half * q.rate_interval.high;
  }
  total.rate_interval.high = std::min(total.rate_interval.high, 1.0);
  return total;
}

// π of a training row, from the questions' leave-one-out answers.
Vector class_probabilities(const Classifier& classifier, Index i) {
  const auto classes = static_cast<Index>(classifier.classes.size());
  Vector pi = Vector::Zero(classes);
  if (classifier.questions.size() == 1) {
    const Question& question = classifier.questions.front();
    pi[question.positive_class] = question.p_clean_loo[i];
    pi[1 - question.positive_class] = 1.0 - question.p_clean_loo[i];
    return pi;
  }
  for (const Question& question : classifier.questions) {
    pi[question.positive_class] = question.p_clean_loo[i];
  }
  return exactly_one(pi);
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

bool is_trusted(const Classifier& classifier, Index i) {
  return !classifier.trusted.empty() && classifier.trusted[at(i)];
}

int most_probable_but(int given, Vector pi) {
  pi[given] = -1.0;
  Index best = 0;
  pi.maxCoeff(&best);
  return static_cast<int>(best);
}

// Suggests another class where p_wrong is above `doubt`.
AuditedRow audited(const Classifier& classifier, const Overall& total, double doubt, Index i) {
  AuditedRow row;
  row.row = classifier.row[at(i)];
  row.given = classifier.label[at(i)];
  row.trusted = is_trusted(classifier, i);
  const Vector pi = class_probabilities(classifier, i);
  row.p_given = pi[row.given];
  row.other = most_probable_but(row.given, pi);
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

// Of many questions, the 90 % interval of the number of errors if there are any: about its mean the
// rows scatter each by themselves, and the mean moves with the rate.
Interval wrong_labels_of_many(const Classifier& classifier, const Overall& total) {
  constexpr double z = 1.645;  // 5 % of a normal lie beyond
  const Count count = wrong_labels_at(classifier, total.rate);
  const auto reach = [&](double rate) {
    return std::hypot(z * std::sqrt(count.variance),
                      wrong_labels_at(classifier, rate).mean - count.mean);
  };
  return {std::max(0.0, count.mean - reach(total.rate_interval.low)),
          std::min(count.most, count.mean + reach(total.rate_interval.high))};
}

// From models with errors; with more than 5 % left for a table without any, it begins at 0.
Interval wrong_labels(const Classifier& classifier, const Overall& total, const Audit& audit) {
  Interval interval = classifier.questions.size() == 1 ? classifier.questions.front().wrong_labels
                                                       : wrong_labels_of_many(classifier, total);
  if (!audit.surely_has_errors()) interval.low = 0.0;
  return {std::min(interval.low, audit.expected_wrong),
          std::max(interval.high, audit.expected_wrong)};
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

// Where no label looks wrong: "; rows 40, 7 and 71 stand out most, with p_wrong up to 0.31".
std::string first_rows(const Audit& audit, Index first_row) {
  constexpr double worth_a_look = 0.02;
  constexpr std::size_t most = 3;
  std::vector<Index> rows;
  for (const AuditedRow& row : audit.rows) {
    if (rows.size() == most || row.p_wrong < worth_a_look) break;
    rows.push_back(row.row + first_row);
  }
  if (rows.empty()) return "";
  if (rows.size() == 1) {
    return fmt::format("; row {} stands out most, with p_wrong {:.2f}", rows[0],
                       audit.rows[0].p_wrong);
  }
  const std::string last = fmt::format(" and {}", rows.back());
  rows.pop_back();
  return fmt::format("; rows {}{} stand out most, with p_wrong up to {:.2f}", fmt::join(rows, ", "),
                     last, audit.rows[0].p_wrong);
}

std::string count_sentence(const Audit& audit, const AuditOptions& options) {
  const Index suspects = audit.above(options.threshold);
  const auto n = audit.rows.size();
  if (suspects == 0)
    return fmt::format("None of {} labels looks wrong{}.", n, first_rows(audit, options.first_row));
  return fmt::format("{} of {} labels {} wrong.", suspects, n, suspects == 1 ? "looks" : "look");
}

// The numbers are those of models with errors.  p_wrong is averaged over the others, too, which
// shows where these have a say: then the sentence begins with the condition.
std::string rate_sentence(const Audit& audit) {
  const bool certain = audit.surely_has_errors();
  return fmt::format(
      "{} {:.1f} % (90 % interval {:.1f} to {:.1f} %){} {:.0f} to {:.0f} of the labels here {}.",
      certain ? "Label-error rate" : "If any label is wrong, the label-error rate is",
      100.0 * audit.rate, 100.0 * audit.rate_interval.low, 100.0 * audit.rate_interval.high,
      certain ? ";" : ", and", audit.wrong_labels.low, audit.wrong_labels.high,
      certain ? "are wrong" : "are");
}

std::string verdict(const Audit& audit, const Classifier& classifier, const AuditOptions& options) {
  if (std::ranges::all_of(audit.rows, &AuditedRow::trusted)) {
    return "Every label is trusted: there is nothing to audit.";
  }
  const std::string provisional = provisional_in_words(classifier);
  std::string text = provisional;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) text += (text.empty() ? "" : " ") + sentence;
  };
  add(count_sentence(audit, options));
  add(tried(classifier, true) ? rate_sentence(audit) : "No model with label errors was tried.");
  if (provisional.empty()) add(margin_in_words(audit.margin));  // it rests on every search
  if (comparison_failed(classifier, audit.margin)) {
    add("The comparison of models with and without label errors failed: whether any label is "
        "wrong is not known.");
  }
  return text;
}

}  // namespace

// Of many questions the gains count for half, as above, and the price of a rate once: the table has
// one rate, though each question was charged for its own.
double label_error_margin(const Classifier& classifier) {
  if (classifier.questions.size() == 1) return classifier.questions.front().margin;
  double evidence = 0.0, price = 0.0;
  for (const Question& question : classifier.questions) {
    const std::optional<Gain> gain = gain_of(question);
    if (!gain) return std::numeric_limits<double>::quiet_NaN();
    evidence += 0.5 * gain->evidence;
    price += gain->price / static_cast<double>(classifier.questions.size());
  }
  return evidence - price;
}

Index Audit::above(double threshold) const {
  return std::ranges::count_if(rows, [&](const AuditedRow& r) { return r.p_wrong > threshold; });
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
  for (Index i = 0; i < classifier.X.rows(); ++i) {
    by_training_row.push_back(audited(classifier, total, std::min(0.5, options.threshold), i));
    by_training_row.back().novelty = novel[i];
  }

  Audit audit;
  const std::vector<Index> order = ranked(by_training_row);
  for (const Index i : order) audit.rows.push_back(by_training_row[at(i)]);
  audit.rate = total.rate;
  audit.rate_interval = total.rate_interval;
  audit.margin = total.margin;
  audit.p_label_errors = total.p_label_errors;
  audit.expected_wrong = audit.expected_among(static_cast<Index>(audit.rows.size()));
  audit.wrong_labels = wrong_labels(classifier, total, audit);
  audit.converged = classifier.converged();
  audit.labels_look_clean = audit.above(options.threshold) == 0 && audit.margin < -1.0;
  audit.verdict = verdict(audit, classifier, options);
  add_neighbours(classifier, options, by_training_row, order, audit);
  return audit;
}

}  // namespace candor
