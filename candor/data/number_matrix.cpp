// SPDX-License-Identifier: MIT
#include <candor/data/number_matrix.hpp>

#include <candor/data/number_encoding.hpp>
#include <candor/data/wording.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>

#include <cmath>

namespace candor {
namespace {

void check_not_infinite(const MatrixRef& X, const std::string& name, Index column) {
  for (Index row = 0; row < X.rows(); ++row) {
    if (!std::isinf(X(row, column))) continue;
    throw InvalidInput(
        fmt::format("X[{}, {}] is {} (column {}): inputs must be finite, or NaN "
                    "where they are missing",
                    row, column, X(row, column), shown(name)));
  }
}

ColumnEncoder fit_column(const MatrixRef& X, Index column, const std::string& name,
                         const Vector& weight) {
  ColumnEncoder encoder{.name = name};
  std::vector<double> values, weights;
  for (Index row = 0; row < X.rows(); ++row) {
    if (std::isnan(X(row, column))) continue;
    values.push_back(X(row, column));
    if (weight.size() > 0) weights.push_back(weight[row]);
  }
  if (values.empty()) {
    throw InvalidInput(
        fmt::format("column {} ({}) of X holds no number: leave it out", column, shown(name)));
  }
  encoder.indicator = std::ssize(values) < X.rows();
  fit_numbers(encoder, std::move(values), std::move(weights));
  return encoder;
}

// (x - 0)/1, which encode_number gives back to the last bit.  Nothing may be missing: mean and
// variance of the column are anybody's guess.
ColumnEncoder unchanged_column(const MatrixRef& X, Index column, const std::string& name) {
  constexpr double farthest = 1e6;
  for (Index row = 0; row < X.rows(); ++row) {
    if (std::abs(X(row, column)) <= farthest) continue;
    throw InvalidInput(
        fmt::format("X[{}, {}] is {} (column {}): without standardising, inputs must be numbers "
                    "within ±1e6",
                    row, column, X(row, column), shown(name)));
  }
  return {.name = name, .fill = 0.0};
}

void encode_column(const Encoder& encoder, const MatrixRef& X, Index i, Encoded& out) {
  const ColumnEncoder& column = encoder.columns[static_cast<std::size_t>(i)];
  if (column.category) {
    throw InvalidInput(
        fmt::format("column {} held categories in training: give a table with names, not a matrix",
                    shown(column.name)));
  }
  check_not_infinite(X, column.name, i);
  const Index target = std::ssize(out.source);
  const double missing_value = encode_missing(column);
  Index missing = 0;
  for (Index row = 0; row < X.rows(); ++row) {
    const bool is_missing = std::isnan(X(row, i));
    out.X(row, target) = is_missing ? missing_value : encode_number(column, X(row, i));
    if (column.indicator) out.X(row, target + 1) = is_missing ? 1.0 : 0.0;
    missing += is_missing ? 1 : 0;
  }
  out.source.push_back(i);
  if (column.indicator) {
    out.discrete.push_back(target + 1);
    out.source.push_back(i);
  } else if (missing > 0) {
    out.notes.push_back(note_on_missing(column, missing));
  }
}

}  // namespace

Encoder fit_encoder(const MatrixRef& X, const std::vector<std::string>& names,
                    Standardise standardise, const Vector& weight) {
  check_same_size("columns of X", X.cols(), "names", std::ssize(names));
  Encoder encoder;
  for (Index column = 0; column < X.cols(); ++column) {
    const std::string& name = names[static_cast<std::size_t>(column)];
    check_not_infinite(X, name, column);
    encoder.columns.push_back(standardise == Standardise::yes ? fit_column(X, column, name, weight)
                                                              : unchanged_column(X, column, name));
  }
  return encoder;
}

Encoded encode(const Encoder& encoder, const MatrixRef& X) {
  const auto columns = std::ssize(encoder.columns);
  check_same_size("columns of X", X.cols(), "columns in training", columns);
  Encoded out{.X = {}, .names = encoded_names(encoder), .source = {}, .discrete = {}, .notes = {}};
  out.X.resize(X.rows(), std::ssize(out.names));
  for (Index i = 0; i < columns; ++i) encode_column(encoder, X, i, out);
  return out;
}

}  // namespace candor
