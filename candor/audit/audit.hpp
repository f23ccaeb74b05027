// SPDX-License-Identifier: MIT
// Which labels are wrong, how sure that is, and why.
//
//   p(true class = c | given g) ∝ π_c · (c = g ? 1 - ε : ε/(C - 1)),   p_wrong = 1 - p(true = g)
//
// with π the class probabilities of the row, its own label left out; where it was learned which class
// is taken for which, with the share of class c that is recorded as g instead.  For two classes, and
// for more in a joint question, p_wrong is the question's own, averaged over models.  One-vs-rest, π
// comes from one question per class, of which exactly one is right (exactly_one in
// model/classifier.hpp); ε is half the sum of their rates, since every wrong label is wrong in two
// questions; and p_wrong is multiplied by the probability that labels are wrong at all, whose log odds
// are half the sum of what errors add to the questions' evidence, less the price of one rate.
#pragma once

#include <candor/model/classifier.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace candor {

// A row that speaks for or against a label: near under the learned metric.
struct Neighbour {
  Index row = 0;            // of the table, from 0
  int label = 0;            // as given
  double similarity = 0.0;  // prior correlation of the two latent values, averaged over processes
  double p_wrong = 0.0;     // of the neighbour's own label
};

struct AuditedRow {
  Index row = 0;      // of the table, from 0
  int given = 0;      // index into classes
  int other = 0;      // the most probable class but the given one
  int suggested = 0;  // the given class, or the other where p_wrong is above ½ or the threshold
  double p_wrong = 0.0;
  double p_given =
      0.0;  // leave-one-out probability of the given class (near ½: the row is ambiguous)
  double novelty = 0.0;  // share of the prior variance that other rows leave: 1 = like nothing else
  bool trusted = false;
  std::vector<Neighbour> neighbours;  // nearest first; filled for the rows asked for
};

// Labels of one class recorded as another.
struct Mistake {
  int truth = 0, given = 0;  // indices into classes
  double expected = 0.0;     // number of such labels
  double share = 0.0;  // of all that are truly this class, by what the model makes of the labels
};

inline constexpr double least_signal = 1.0;  // nats: less is no more than a hint

struct Audit {
  // Every training row, most suspicious first: by p_wrong, then p_given, then row.
  std::vector<AuditedRow> rows;
  // ε of the models with label errors, and its 90 % interval; NaN where none was tried.
  double rate = 0.0;
  Interval rate_interval;
  double expected_wrong = 0.0;  // Σ p_wrong
  Interval wrong_labels;        // 90 %; NaN where no model with errors was tried
  // Nats for label errors over none; NaN unless both were tried and every search converged.
  double margin = 0.0;
  double signal = 0.0;  // nats for labels that depend on the columns over such that do not
  // That they do, and are wrong at the rate; NaN where all are trusted.
  double p_label_errors = 0.0;
  bool comparison_failed = false;  // of models with and without label errors
  bool labels_look_clean = false;
  bool converged = false;
  std::string verdict;  // a few sentences
  // C×C: labels to be expected whose true class is the row's and whose given class is the column's.
  Matrix expected_labels;
  bool rates_by_class = false;  // the likeliest view with errors has a rate for each of two classes

  // Leaves models without label errors no say in a 90 % interval.
  [[nodiscard]] bool surely_has_errors() const {
    return p_label_errors >= 0.95 && !comparison_failed;
  }
  // Labels depend on the columns, by more than a hint of evidence.
  [[nodiscard]] bool has_signal() const { return signal >= least_signal; }
  // Nothing is left to doubt.
  [[nodiscard]] bool all_trusted() const;
  // Rows whose p_wrong is above the threshold; they head the list.
  [[nodiscard]] Index above(double threshold) const;
  // Which class is mistaken for which, the most frequent first, without those below a tenth of a
  // label.  Empty for two classes with one rate, which it would only repeat.
  [[nodiscard]] std::vector<Mistake> mistakes() const;
  // Wrong labels to be expected among the first `count` rows.
  [[nodiscard]] double expected_among(Index count) const;
};

struct AuditOptions {
  double threshold = 0.5;  // of p_wrong, above which a label counts as suspect
  Index reasons_for = 50;  // at least so many rows, and all above the threshold, get neighbours
  Index neighbours = 3;
  Index first_row = 1;  // what the verdict calls the first row of the table
  Threads threads = Threads::all();
};

// Another label is suggested where p_wrong is above this.
[[nodiscard]] inline double doubt_above(double threshold) { return std::min(0.5, threshold); }

[[nodiscard]] Audit audit(const Classifier& classifier, const AuditOptions& options = {});

// Audit::margin and Audit::signal alone, without the work of an audit.
[[nodiscard]] double label_error_margin(const Classifier& classifier);
[[nodiscard]] double signal_of(const Classifier& classifier);

// Whether there is a candidate with label errors (true) or without (false).
[[nodiscard]] bool tried(const Classifier& classifier, bool errors);

}  // namespace candor
