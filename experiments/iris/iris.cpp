// SPDX-License-Identifier: MIT
// The species of an iris by the length and width of its petals: softmax Laplace [RW06, §3.5] with
// learned hyperparameters, and its class probabilities over the plane.
//
//   iris [--root .] [--steps 121] > iris.json
//
// Twice: amplitude, lengthscale and a constant learned, and, as in the lecture [P12], σ_f = 1 and
// the lengthscale alone.  One JSON object: classes, rows, grid and, of the first, probabilities (one
// row per grid point, length fastest), the learned covariance in standardised columns, its log
// evidence and the share of the rows that it predicts; of the second the same, in "lecture".
// picture.py draws both.
#include "bench/flags.hpp"
#include "experiments/robust_multiclass/noisy_split.hpp"
#include "experiments/robust_multiclass/softmax_classifier.hpp"

#include <candor/covariance/text.hpp>
#include <candor/inference/softmax_predict.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <exception>

namespace {

using namespace candor;
using namespace candor::experiments;
using nlohmann::json;

constexpr Index petal_length = 2;  // and the column after it, its width

std::vector<double> numbers_of(const VectorRef& x) { return {x.data(), x.data() + x.size()}; }

// Every pair of a length and a width, length fastest.
Matrix grid_of(const Vector& lengths, const Vector& widths) {
  return Matrix::NullaryExpr(lengths.size() * widths.size(), 2, [&](Index i, Index column) {
    return column == 0 ? lengths[i % lengths.size()] : widths[i / lengths.size()];
  });
}

Vector axis(const VectorRef& column, Index steps) {
  const double margin = 0.1 * (column.maxCoeff() - column.minCoeff());
  return Vector::LinSpaced(steps, column.minCoeff() - margin, column.maxCoeff() + margin);
}

json probabilities_of(const Matrix& P) {
  json rows = json::array();
  for (Index i = 0; i < P.rows(); ++i) {
    json row = json::array();
    for (Index c = 0; c < P.cols(); ++c) row.push_back(std::round(1e4 * P(i, c)) / 1e4);
    rows.push_back(std::move(row));
  }
  return rows;
}

// The share of rows whose most probable class is their own.
double accuracy(const Matrix& P, const std::vector<int>& labels) {
  Index right = 0;
  for (Index i = 0; i < P.rows(); ++i) {
    Index best = 0;
    P.row(i).maxCoeff(&best);
    if (best == labels[static_cast<std::size_t>(i)]) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(P.rows());
}

json learned_from(const Covariance& start, const Matrix& X, const std::vector<int>& labels,
                  Index classes, const Matrix& grid) {
  const LearnedSoftmax learned = learn_softmax(start, X, labels, classes, Threads::all());
  const auto probability = [&](const Matrix& X_test) -> Matrix {
    return predict(learned.approximation, {learned.covariance}, X, X_test).probability;
  };
  return {{"probabilities", probabilities_of(probability(grid))},
          {"training_accuracy", accuracy(probability(X), labels)},
          {"covariance", to_text(learned.covariance)},
          {"log_evidence", learned.approximation.log_evidence},
          {"converged", learned.status == AscentStatus::converged}};
}

json draw(const NumberTable& table, Index steps) {
  const Matrix X = table.X.middleCols(petal_length, 2);
  const Vector lengths = axis(X.col(0), steps), widths = axis(X.col(1), steps);
  const Eigen::RowVectorXd mean = X.colwise().mean();
  const Eigen::RowVectorXd deviation =
      (X.rowwise() - mean).array().square().colwise().mean().sqrt();
  const auto standardised = [&](const Matrix& A) -> Matrix {
    return (A.rowwise() - mean).array().rowwise() / deviation.array();
  };
  const auto from = [&](const Covariance& start) {
    return learned_from(start, standardised(X), table.labels,
                        static_cast<Index>(table.classes.size()),
                        standardised(grid_of(lengths, widths)));
  };
  json found = from(4.0 * Covariance(SquaredExponential{}) + Constant{.variance = 1.0});
  found["lecture"] = from(Covariance(SquaredExponential{}));  // of variance 1
  found["classes"] = table.classes;
  found["labels"] = table.labels;
  found["petal_length"] = numbers_of(X.col(0));
  found["petal_width"] = numbers_of(X.col(1));
  found["grid_length"] = numbers_of(lengths);
  found["grid_width"] = numbers_of(widths);
  return found;
}

}  // namespace

int main(int argc, char** argv) try {
  const bench::Flags flags(argc, argv, {"--root", "--steps"});
  const std::string path = find_table(flags.words("--root", {"."}).front(), "iris");
  if (path.empty()) throw InvalidInput("iris.csv is neither in data nor in ../shared/data");
  const int steps = flags.count("--steps", 121);
  if (steps < 2) throw InvalidInput(fmt::format("--steps is {}: it must be at least 2", steps));
  fmt::print("{}\n", draw(read_number_table(path), steps).dump());
  return 0;
} catch (const std::exception& e) {
  fmt::print(stderr, "iris: {}\n", e.what());
  return 3;
}
