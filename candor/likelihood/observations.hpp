// SPDX-License-Identifier: MIT
// The targets of a table: one label (or real target) per row, and what else is known about it.
#pragma once

#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/robust_max.hpp>
#include <candor/likelihood/site.hpp>
#include <candor/linalg/types.hpp>

#include <algorithm>
#include <vector>

namespace candor {

// Under a smaller share the classes that a label does not name would have no say in its row.
inline constexpr double least_confusion = 1e-6;

// A row of weight k counts as k equal rows, one of weight w < 1 by the factor p(y|f)^w.
struct Observations {
  Vector y;  // -1 or +1; the number of the class, from 0, where there are more than two; a target
  Vector weight{};           // how much each row counts, as above; empty: all 1
  Vector known_flip_rate{};  // empty: none is known; NaN: not known for this row; 0: a trusted row
  Index classes = 2;
  // C×C, of labels whose rate is not known: how many of each true class (row) are recorded as each
  // class (column).  Empty: all classes are mistaken alike, at the likelihood's rate.
  Matrix confusion{};

  [[nodiscard]] Index size() const { return y.size(); }
  [[nodiscard]] double weight_of(Index i) const { return weight.size() == 0 ? 1.0 : weight[i]; }
  [[nodiscard]] Vector weights() const {  // of all rows, ones where none are given
    return weight.size() == 0 ? Vector::Ones(size()) : weight;
  }
  [[nodiscard]] double copies_of(Index i) const { return std::max(weight_of(i), 1.0); }
  [[nodiscard]] double power_of(Index i) const { return std::min(weight_of(i), 1.0); }  // of each
  [[nodiscard]] Vector powers() const { return weights().cwiseMin(1.0); }
  [[nodiscard]] Observations rows(const std::vector<Index>& which) const {
    const auto part = [&](const Vector& x) { return x.size() == 0 ? x : Vector(x(which)); };
    return {.y = y(which),
            .weight = part(weight),
            .known_flip_rate = part(known_flip_rate),
            .classes = classes,
            .confusion = confusion};
  }
  [[nodiscard]] Observations confused(const Matrix& shares) const {  // the same with this confusion
    Observations other = *this;
    other.confusion = shares;
    return other;
  }
  [[nodiscard]] Observation row(Index i) const {
    return {y[i], known_flip_rate.size() == 0 ? rate_not_known : known_flip_rate[i]};
  }
};

// InvalidInput, naming row (counted from 0) and value, unless every row can come from this
// likelihood: n > 0, targets it produces, weights finite and positive, known rates in [0, ½) and
// only where labels can be flipped, sizes that agree.  More than two classes take a likelihood that
// robust_max_of knows, and weights of at least 1; they alone may have a confusion, whose rows are
// shares that sum to 1, none below least_confusion.
void check(const Observations& observations, const Likelihood& likelihood);
// Of the confusion alone.
void check_confusion(const Matrix& confusion, Index classes);

// Whether every p(y|f) of the table is log-concave: EP then has one fixed point, Laplace one mode
// and the variational bound one summit.  Labels that may be wrong are not, be it by the model's rate
// or by a row's own.
[[nodiscard]] bool is_log_concave(const Likelihood& likelihood, const Observations& observations);

// A likelihood of two classes as it is for more of them: threshold, and probit, which is the same
// without errors.  InvalidInput for any other.
[[nodiscard]] RobustMax robust_max_of(const Likelihood& likelihood, Index classes);

}  // namespace candor
