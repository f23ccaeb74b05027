// SPDX-License-Identifier: MIT
#include <candor/model/check_classifier.hpp>

#include <candor/covariance/check.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/linalg/with_means.hpp>
#include <candor/model/posterior.hpp>
#include <candor/model/within.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace candor {
namespace {

// Encoded inputs and sites of any table are many orders smaller; squares of numbers up to this stay
// finite, and what still overflows is reported as a numerical failure.
constexpr double largest = 1e100;

void require(bool holds, const std::string& what) {
  if (!holds) throw InvalidInput(what);
}

std::string entry(const std::string& list, std::ptrdiff_t k) {
  return list + "." + std::to_string(k);
}

bool all_different(std::vector<std::string> names) {
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

void check_size(const std::string& field, std::ptrdiff_t size, Index rows) {
  check_same_size(field, static_cast<Index>(size), "rows of X", rows);
}

void check_moderate(const std::string& field, const MatrixRef& values) {
  check_all_finite(field, values);
  if (values.size() > 0)
    check_at_most("the largest of " + field, values.cwiseAbs().maxCoeff(), largest);
}

void check_share(const std::string& field, double value) {
  check_non_negative(field, value);
  check_at_most(field, value, 1.0);
}

void check_range(const std::string& field, const Interval& interval, double most) {
  check_non_negative(field + " (low)", interval.low);
  check_at_most(field + " (high)", interval.high, most);
  require(interval.low <= interval.high, field + " ends before it begins");
}

void check_number(const ColumnEncoder& column, const std::string& path) {
  check_finite(path + ".center", column.center);
  check_positive(path + ".scale", column.scale);
  if (column.fill) check_at_most("the size of " + path + ".fill", std::abs(*column.fill), largest);
  check_same_size(path + ".knots", std::ssize(column.knots), path + ".scores",
                  std::ssize(column.scores));
  for (const double x : column.knots) check_finite(path + ".knots", x);
  for (const double x : column.scores) check_finite(path + ".scores", x);
  require(std::ranges::adjacent_find(column.knots, std::greater_equal{}) == column.knots.end(),
          path + ".knots do not ascend");
  require(std::ranges::is_sorted(column.scores), path + ".scores do not ascend");
}

// Numbers are unknown where the column beside them says that they were missing, and nowhere else.
void check_missing(const ColumnEncoder& column, const std::string& path, const Matrix& X,
                   Index place) {
  const bool may_be_unknown = column.indicator && !column.fill;
  for (Index i = 0; i < X.rows(); ++i) {
    const bool is_missing = may_be_unknown && X(i, place + 1) == 1.0;
    require(std::isnan(X(i, place)) == is_missing,
            "X and " + path + " disagree on which cells are missing");
  }
}

// Codes of a column that is compared for equality: 0, 1, … up to the last.
void check_codes(const std::string& path, const Matrix& X, Index column, std::size_t codes) {
  for (const double code : X.col(column)) {
    require(code >= 0.0 && code < static_cast<double>(codes) && code == std::floor(code),
            "X holds a code that " + path + " does not have");
  }
}

void check_encoder(const Classifier& c) {
  std::vector<Index> discrete;
  std::vector<std::string> names;
  Index next = 0;
  for (const ColumnEncoder& column : c.encoder.columns) {
    const std::string path = entry("encoder.columns", std::ssize(names));
    names.push_back(column.name);
    if (column.category) {
      require(all_different(column.levels), path + ".levels names one twice");
      check_codes(path, c.X, next, column.levels.size() + (column.missing_level ? 1 : 0));
      discrete.push_back(next);
    } else {
      check_number(column, path);
      check_missing(column, path, c.X, next);
      if (column.indicator) {
        check_codes(path, c.X, ++next, 2);
        discrete.push_back(next);
      }
    }
    ++next;
  }
  require(all_different(names), "encoder.columns has two of one name");
  require(c.discrete == discrete, "discrete does not list the columns of categories");
}

void check_training_rows(const Classifier& c) {
  const Index n = c.X.rows(), d = c.X.cols();
  require(n > 0 && d > 0, "X is empty");
  check_inputs("X", c.X);
  check_moderate("X", with_means(c.X));
  check_same_size("encoder.columns", std::ssize(encoded_names(c.encoder)), "columns of X", d);
  check_encoder(c);
  check_size("row", std::ssize(c.row), n);
  require(std::ranges::all_of(c.row, [](Index row) { return row >= 0; }), "row is negative");
  constexpr Index most =
      Index{1} << 53;  // what JSON's numbers hold, and counting from 1 needs room
  require(std::ranges::all_of(c.row, [](Index row) { return row < most; }), "row is too large");
  require(std::set<Index>(c.row.begin(), c.row.end()).size() == c.row.size(),
          "row names one twice");
  check_size("label", std::ssize(c.label), n);
  const auto classes = static_cast<int>(c.classes.size());
  require(std::ranges::all_of(c.label, [&](int label) { return label >= 0 && label < classes; }),
          "label is none of the classes");
  if (c.weight.size() > 0) check_size("weight", c.weight.size(), n);
  for (const double weight : c.weight) check_positive("weight", weight);
  check_moderate("weight", c.weight);
  if (!c.trusted.empty()) check_size("trusted", std::ssize(c.trusted), n);
}

void check_probabilities(const std::string& field, const Vector& p, Index rows) {
  check_size(field, p.size(), rows);
  require((p.array() >= 0.0).all() && (p.array() <= 1.0).all(), field + " is no probability");
}

void check(const Process& process, const Classifier& c, bool joint, const std::string& path) {
  within(path + ".covariance", [&] { check(process.covariance, c.X.cols()); });
  within(path + ".likelihood", [&] { check(process.likelihood); });
  if (joint) {
    const auto classes = static_cast<Index>(c.classes.size());
    within(path + ".likelihood", [&] { robust_max_of(process.likelihood, classes).check(); });
    if (process.confusion.size() > 0) {
      within(path + ".confusion", [&] { check_confusion(process.confusion, classes); });
    }
    require(form_of(process, c.X.rows(), classes).has_value(),
            path + ".site_tau and .site_nu are of another number than rows and classes ask for");
  } else {
    require(process.confusion.size() == 0, path + ".confusion is of a question that is not joint");
    check_size(path + ".site_tau", process.site_tau.size(), c.X.rows());
    check_size(path + ".site_nu", process.site_nu.size(), c.X.rows());
  }
  check_moderate(path + ".site_tau", process.site_tau);
  check_moderate(path + ".site_nu", process.site_nu);
}

// Evidence may be NaN or -∞, where it could not be had.
void check(const EvidenceRow& row, const std::string& path) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  require(row.log_evidence != infinity, path + ".log_evidence is infinite");
  require(row.log_integrated != infinity, path + ".log_integrated is infinite");
  check_share(path + ".probability", row.probability);
  check_non_negative(path + ".evaluations", row.evaluations);
  check_non_negative(path + ".sweeps", row.sweeps);
}

// Rows that each sum to 1.
void check_class_probabilities(const std::string& field, const Matrix& p, const Classifier& c) {
  check_size(field, p.rows(), c.X.rows());
  check_same_size("columns of " + field, p.cols(), "classes", std::ssize(c.classes));
  constexpr double rounding = 1e-6;  // of the integrals that they come from
  require((p.array() >= 0.0).all() && (p.array() <= 1.0).all() &&
              ((p.rowwise().sum().array() - 1.0).abs() < rounding).all(),
          field + " is no probability");
}

void check(const Question& question, const Classifier& c, const std::string& path) {
  const Matrix& X = c.X;
  check_probabilities(path + ".p_wrong", question.p_wrong, X.rows());
  if (question.is_joint()) {
    check_class_probabilities(path + ".p_class_loo", question.p_class_loo, c);
    const Matrix& instead = question.p_instead;
    require(instead.size() == 0 ||
                (instead.rows() == X.rows() && instead.cols() == question.p_class_loo.cols() &&
                 (instead.array() >= 0.0 && instead.array() <= 1.0).all()),
            path + ".p_instead is no probability of each class");
  } else {
    check_probabilities(path + ".p_clean_loo", question.p_clean_loo, X.rows());
  }
  check_share(path + ".rate", question.rate);
  check_range(path + ".rate, its interval", question.rate_interval, 1.0);
  check_share(path + ".label_errors, their probability", question.p_label_errors);
  require(!std::isnan(question.signal), path + ".label_errors, the signal, is no number");
  check_range(path + ".rate, wrong labels", question.wrong_labels, largest);
  double total = 0.0;
  for (std::size_t k = 0; k < question.processes.size(); ++k) {
    const Process& process = question.processes[k];
    check(process, c, question.is_joint(),
          entry(path + ".processes", static_cast<std::ptrdiff_t>(k)));
    check_share(path + ".process_weight", process.weight);
    total += process.weight;
  }
  constexpr double rounding = 1e-9;  // of a sum of some hundred weights
  require(std::abs(total - 1.0) < rounding, path + ".process_weight does not sum to 1");
  for (std::size_t k = 0; k < question.evidence.size(); ++k) {
    check(question.evidence[k], entry(path + ".evidence", static_cast<std::ptrdiff_t>(k)));
  }
}

}  // namespace

void check(const Classifier& c) {
  const auto classes = static_cast<Index>(c.classes.size());
  require(classes >= 2, "classes has fewer than two");
  require(all_different(c.classes), "classes has two of one name");
  require(std::ranges::none_of(c.classes, &std::string::empty), "classes has one without a name");
  check_training_rows(c);
  if (c.is_joint()) {
    require(classes > 2, "questions.0.positive_class is every class, of which there are two");
    require((c.weight.array() >= 1.0).all(), "weight is below 1, and the question is joint");
    return check(c.questions.front(), c, "questions.0");
  }
  check_same_size("questions", std::ssize(c.questions), "those that the classes ask",
                  classes == 2 ? 1 : classes);
  std::set<Index> asked;
  for (const Question& question : c.questions) {
    const std::string path = entry("questions", std::ssize(asked));
    check(question, c, path);
    require(question.positive_class >= 0 && question.positive_class < classes &&
                asked.insert(question.positive_class).second,
            path + ".positive_class is no class, or another question's");
  }
}

}  // namespace candor
