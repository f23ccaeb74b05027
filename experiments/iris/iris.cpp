// SPDX-License-Identifier: MIT
// The species of an iris by the length and width of its petals: softmax Laplace [RW06, §3.5] with
// learned hyperparameters, and its class probabilities over the plane.
//
//   iris [--root .] [--steps 121] > iris.json
//
// One JSON object: classes, rows, grid, probabilities (one row per grid point, length fastest), the
// learned covariance in standardised columns, and the log evidence.  picture.py draws it.
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

json draw(const NumberTable& table, Index steps) {
  const Matrix X = table.X.middleCols(petal_length, 2);
  const Vector lengths = axis(X.col(0), steps), widths = axis(X.col(1), steps);
  const Eigen::RowVectorXd mean = X.colwise().mean();
  const Eigen::RowVectorXd deviation =
      (X.rowwise() - mean).array().square().colwise().mean().sqrt();
  const auto standardised = [&](const Matrix& A) -> Matrix {
    return (A.rowwise() - mean).array().rowwise() / deviation.array();
  };
  const auto classes = static_cast<Index>(table.classes.size());
  const Covariance start = 4.0 * Covariance(SquaredExponential{}) + Constant{.variance = 1.0};
  const LearnedSoftmax learned =
      learn_softmax(start, standardised(X), table.labels, classes, Threads::all());
  const SoftmaxPrediction prediction =
      predict(learned.approximation, {learned.covariance}, standardised(X),
              standardised(grid_of(lengths, widths)));
  return {{"classes", table.classes},
          {"labels", table.labels},
          {"petal_length", numbers_of(X.col(0))},
          {"petal_width", numbers_of(X.col(1))},
          {"grid_length", numbers_of(lengths)},
          {"grid_width", numbers_of(widths)},
          {"probabilities", probabilities_of(prediction.probability)},
          {"covariance", to_text(learned.covariance)},
          {"log_evidence", learned.approximation.log_evidence},
          {"converged", learned.status == AscentStatus::converged}};
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
