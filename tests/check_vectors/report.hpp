// SPDX-License-Identifier: MIT
// Comparing what was computed with what a file expects, one printed line per check.
#pragma once

#include "vector_json.hpp"

#include <candor/linalg/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace check_vectors {

// |got - want| ≤ abs + rel |want|
struct Tolerance {
  double abs = 0.0;
  double rel = 0.0;
};

// `default`, and overrides by field name.  The most specific name wins: that of the field itself,
// then those of the objects it stands in, from the inside out.
class Tolerances {
 public:
  explicit Tolerances(const Node& tolerance);
  [[nodiscard]] Tolerance of(const std::vector<std::string>& field) const;

 private:
  std::vector<std::pair<std::string, Tolerance>> overrides_;
  Tolerance default_;
};

struct Counts {
  int passed = 0;
  int failed = 0;
  int not_covered = 0;
};

// Where a check belongs, and what it says about it.
class Report {
 public:
  Report(std::string problem, const Tolerances& tolerances, Counts& counts)
      : problem_(std::move(problem)), tolerances_(&tolerances), counts_(&counts) {}

  // `field` is the path of a name inside the expected object; shapes must agree (Malformed).
  void compare(const std::vector<std::string>& field, const Node& want, const candor::Matrix& got);
  void compare(const std::vector<std::string>& field, const Node& want, const candor::Vector& got);
  void compare(const std::vector<std::string>& field, const Node& want, double got);

  // One number, reached in another way than the check of that name before it.
  void compare_as(const std::vector<std::string>& field, std::string_view how, const Node& want,
                  double got);

  void require(std::string_view what, bool holds, std::string_view detail);
  void not_covered(const std::string& what);
  void note(const std::string& what, const std::string& text);

  // Largest |got - want| over its allowance; infinite when got is not a number.
  [[nodiscard]] double worst(const std::vector<std::string>& field, const candor::Matrix& want,
                             const candor::Matrix& got) const;

 private:
  void verdict(const std::string& what, double worst);

  std::string problem_;
  const Tolerances* tolerances_;
  Counts* counts_;
};

[[nodiscard]] std::string joined(const std::vector<std::string>& field);

}  // namespace check_vectors
