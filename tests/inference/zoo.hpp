// SPDX-License-Identifier: MIT
// Every engine on every likelihood it takes, over small tables: what the laws of inference range
// over.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/inference.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/linalg/types.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace candor {

struct Table {
  std::string name;
  Matrix X;
  Observations observations;
};

struct Setting {
  std::string name;
  Inference engine;
  Likelihood likelihood;
  Covariance covariance;
  Table table;
};
std::ostream& operator<<(std::ostream& out, const Setting& setting);

// Engines that iterate until rounding stops them, so that laws may be checked tightly.
[[nodiscard]] std::vector<Inference> tight_engines();
[[nodiscard]] std::vector<Likelihood> zoo_likelihoods();
[[nodiscard]] std::vector<Table> zoo_tables();

[[nodiscard]] bool takes(const Inference& engine, const Likelihood& likelihood);
[[nodiscard]] std::vector<Setting> zoo();
[[nodiscard]] std::vector<Setting> ep_zoo();  // EP, parallel and sequential

[[nodiscard]] Approximation solve(const Setting& setting);
[[nodiscard]] Observations labels(Vector y);

// The dense covariance of the training rows.
[[nodiscard]] Matrix gram_matrix(const Covariance& covariance, const Matrix& X);

// Standard normal entries, the same for the same seed.
[[nodiscard]] Matrix random_matrix(Index rows, Index cols, unsigned seed);

// Largest |a - b|/(1 + |b|); infinite for different sizes or where one is not a number.
[[nodiscard]] double difference(const Matrix& a, const Matrix& b);
[[nodiscard]] double difference(double a, double b);

// Over everything an approximation says about its rows and its evidence.
[[nodiscard]] double difference(const Approximation& a, const Approximation& b);

// The order of rows: row i of the result is row order[i].
[[nodiscard]] Table rows_of(const Table& table, const std::vector<Index>& order);

// A model problem with rows that contradict each other, where sites turn negative under ε > 0.
[[nodiscard]] Table ring(Index n, int flips, unsigned seed);

}  // namespace candor
