// SPDX-License-Identifier: MIT
// Small tables and quick fits for the tests of this folder.
#pragma once

#include <candor/data/read_table.hpp>
#include <candor/model/fit.hpp>

#include <fmt/format.h>

#include <random>
#include <string>

namespace candor::testing_tables {

inline Table table_of(const std::string& text, const std::string& name = "small.csv") {
  return read_table(make_source(text, name));
}

// One covariance: seconds become milliseconds.
inline FitOptions quick() {
  FitOptions options;
  options.covariances = {"4 * squared_exponential(lengthscale=2) + constant(1)"};
  options.threads = {1};
  return options;
}

inline Classifier fit_table(const Table& table, const FitOptions& options = quick(),
                            SchemaOptions columns = {}) {
  if (!columns.label) columns.label = "class";
  const Schema schema = infer_schema(table, columns);
  return fit(table, schema, prepare(table, schema), options);
}

// Two numbers and a colour; the class follows the first number and the colour, and every `wrong`th
// label is the other one's.
inline std::string two_classes(int rows, int wrong = 9, unsigned seed = 1) {
  std::mt19937 dice(seed);
  std::normal_distribution<double> normal;
  std::string text = "x,y,colour,class\n";
  for (int i = 0; i < rows; ++i) {
    const double x = normal(dice), y = normal(dice);
    const bool red = dice() % 2 == 0;
    const bool good = (x + (red ? 0.7 : -0.7) > 0.0) != (i % wrong == wrong - 1);
    // One number in eleven is missing.
    const std::string second = i % 11 == 5 ? "" : fmt::format("{:.4f}", y);
    text += fmt::format("{:.4f},{},{},{}\n", x, second, red ? "red" : "blue", good ? "yes" : "no");
  }
  return text;
}

// Three clouds in the plane.
inline std::string three_classes(int rows, unsigned seed = 2) {
  std::mt19937 dice(seed);
  std::normal_distribution<double> normal;
  std::string text = "x,y,class\n";
  for (int i = 0; i < rows; ++i) {
    const int k = i % 3;
    text += fmt::format("{:.4f},{:.4f},c{}\n", 2.5 * k + normal(dice),
                        (k == 1 ? 2.5 : 0.0) + normal(dice), k + 1);
  }
  return text;
}

}  // namespace candor::testing_tables
