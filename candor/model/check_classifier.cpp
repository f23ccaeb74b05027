// SPDX-License-Identifier: MIT
#include <candor/model/check_classifier.hpp>

#include <candor/covariance/check.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <algorithm>
#include <set>
#include <string>

namespace candor {
namespace {

void require(bool holds, const std::string& what) {
  if (!holds) throw InvalidInput(what);
}

void check_size(const std::string& what, std::ptrdiff_t size, Index rows) {
  check_same_size(what, static_cast<Index>(size), "rows of X", rows);
}

void check(const ColumnEncoder& column) {
  check_finite("center", column.center);
  check_positive("scale", column.scale);
  check_finite("fill", column.fill);
  check_same_size("knots", std::ssize(column.knots), "scores", std::ssize(column.scores));
  for (const double x : column.knots) check_finite("knot", x);
  for (const double x : column.scores) check_finite("score", x);
  require(std::ranges::adjacent_find(column.knots, std::greater_equal{}) == column.knots.end(),
          "knots do not ascend");
  require(std::ranges::is_sorted(column.scores), "scores do not ascend");
}

void check_training_rows(const Classifier& c) {
  const Index n = c.X.rows(), d = c.X.cols();
  require(n > 0, "X has no rows");
  check_all_finite("X", c.X);
  check_same_size("columns of the encoder", std::ssize(encoded_names(c.encoder)), "columns of X",
                  d);
  for (const ColumnEncoder& column : c.encoder.columns) check(column);
  for (const Index column : c.discrete) {
    require(column >= 0 && column < d, "a discrete column is not in X");
  }
  check_size("rows of the table", std::ssize(c.row), n);
  require(std::ranges::all_of(c.row, [](Index row) { return row >= 0; }), "a row is negative");
  check_size("labels", std::ssize(c.label), n);
  const auto classes = static_cast<int>(c.classes.size());
  require(std::ranges::all_of(c.label, [&](int label) { return label >= 0 && label < classes; }),
          "a label is none of the classes");
  if (c.weight.size() > 0) check_size("weights", c.weight.size(), n);
  for (const double weight : c.weight) check_positive("weight", weight);
  if (!c.trusted.empty()) check_size("trusted", std::ssize(c.trusted), n);
}

void check_probabilities(const std::string& what, const Vector& p, Index rows) {
  check_size(what, p.size(), rows);
  require((p.array() >= 0.0).all() && (p.array() <= 1.0).all(), what + " is no probability");
}

void check(const Process& process, const Matrix& X) {
  check(process.covariance, X.cols());
  check(process.likelihood);
  check_size("site_tau", process.site_tau.size(), X.rows());
  check_size("site_nu", process.site_nu.size(), X.rows());
  check_all_finite("site_tau", process.site_tau);
  check_all_finite("site_nu", process.site_nu);
}

void check(const Question& question, const Matrix& X) {
  check_probabilities("p_wrong", question.p_wrong, X.rows());
  check_probabilities("p_clean_loo", question.p_clean_loo, X.rows());
  double total = 0.0;
  for (const Process& process : question.processes) {
    check(process, X);
    check_non_negative("weight of a process", process.weight);
    total += process.weight;
  }
  constexpr double rounding = 1e-9;  // of a sum of some hundred weights
  require(std::abs(total - 1.0) < rounding, "the weights of the processes do not sum to 1");
}

}  // namespace

void check(const Classifier& c) {
  const auto classes = static_cast<Index>(c.classes.size());
  require(classes >= 2, "there are fewer than two classes");
  require(std::set<std::string>(c.classes.begin(), c.classes.end()).size() == c.classes.size(),
          "two classes have one name");
  check_training_rows(c);
  check_same_size("questions", std::ssize(c.questions), "those that the classes ask",
                  classes == 2 ? 1 : classes);
  std::set<Index> asked;
  for (const Question& question : c.questions) {
    check(question, c.X);
    require(question.positive_class >= 0 && question.positive_class < classes &&
                asked.insert(question.positive_class).second,
            "a question is about no class, or two about one");
  }
}

}  // namespace candor
