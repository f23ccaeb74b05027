// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace check_vectors {

using candor::Index;
using candor::Matrix;
using candor::Vector;

namespace {

Tolerance read_tolerance(const Node& node) {
  const Tolerance tolerance{node["abs"].number(), node["rel"].number()};
  if (tolerance.abs < 0.0) node["abs"].refuse("at least 0");
  if (tolerance.rel < 0.0) node["rel"].refuse("at least 0");
  return tolerance;
}

// The wanted value of a field, in the shape of what was computed.
Matrix wanted(const Node& want, Index rows, Index cols, bool is_vector) {
  Matrix values = is_vector ? Matrix(want.vector()) : want.matrix();
  if (values.rows() != rows || values.cols() != cols) {
    const std::string shape = is_vector ? fmt::format("a list of {} numbers", rows)
                                        : fmt::format("{} rows of {} numbers", rows, cols);
    want.refuse(shape + " for this problem");
  }
  return values;
}

}  // namespace

Tolerances::Tolerances(const Node& tolerance) : default_(read_tolerance(tolerance["default"])) {
  for (const std::string& key : tolerance.keys()) {
    if (key != "default") overrides_.emplace_back(key, read_tolerance(tolerance[key]));
  }
}

Tolerance Tolerances::of(const std::vector<std::string>& field) const {
  const auto named = [&](const std::string& name) {
    return std::find_if(overrides_.begin(), overrides_.end(),
                        [&](const auto& entry) { return entry.first == name; });
  };
  std::vector<std::string> names{joined(field)};
  names.insert(names.end(), field.rbegin(), field.rend());
  for (const std::string& name : names) {
    if (const auto found = named(name); found != overrides_.end()) return found->second;
  }
  return default_;
}

std::string joined(const std::vector<std::string>& field) {
  return fmt::format("{}", fmt::join(field, "."));
}

double Report::worst(const std::vector<std::string>& field, const Matrix& want,
                     const Matrix& got) const {
  const Tolerance tolerance = tolerances_->of(field);
  double worst = 0.0;
  for (Index i = 0; i < want.size(); ++i) {
    const double deviation = std::abs(got.reshaped()[i] - want.reshaped()[i]);
    if (deviation == 0.0) continue;
    const double allowed = tolerance.abs + tolerance.rel * std::abs(want.reshaped()[i]);
    const double share = deviation / allowed;
    worst = std::isnan(share) ? std::numeric_limits<double>::infinity() : std::max(worst, share);
  }
  return worst;
}

void Report::compare(const std::vector<std::string>& field, const Node& want, const Matrix& got) {
  verdict(joined(field), worst(field, wanted(want, got.rows(), got.cols(), false), got));
}

void Report::compare(const std::vector<std::string>& field, const Node& want, const Vector& got) {
  verdict(joined(field), worst(field, wanted(want, got.size(), 1, true), got));
}

void Report::compare(const std::vector<std::string>& field, const Node& want, double got) {
  verdict(joined(field),
          worst(field, Matrix::Constant(1, 1, want.number()), Matrix::Constant(1, 1, got)));
}

void Report::compare_as(const std::vector<std::string>& field, std::string_view how,
                        const Node& want, double got) {
  verdict(fmt::format("{} {}", joined(field), how),
          worst(field, Matrix::Constant(1, 1, want.number()), Matrix::Constant(1, 1, got)));
}

void Report::verdict(const std::string& what, double worst) {
  const bool holds = worst <= 1.0;
  ++(holds ? counts_->passed : counts_->failed);
  fmt::print("{:<4}  {:<30} {:<52} {:.2g} of the allowance\n", holds ? "ok" : "FAIL", problem_,
             what, worst);
}

void Report::require(std::string_view what, bool holds, std::string_view detail) {
  ++(holds ? counts_->passed : counts_->failed);
  fmt::print("{:<4}  {:<30} {:<52} {}\n", holds ? "ok" : "FAIL", problem_, what, detail);
}

void Report::not_covered(const std::string& what) {
  ++counts_->not_covered;
  fmt::print("{:<4}  {:<30} {:<52} not covered\n", "-", problem_, what);
}

void Report::note(const std::string& what, const std::string& text) {
  fmt::print("{:<4}  {:<30} {:<52} {}\n", "note", problem_, what, text);
}

}  // namespace check_vectors
