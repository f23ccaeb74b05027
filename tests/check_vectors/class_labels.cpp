// SPDX-License-Identifier: MIT
#include "class_labels.hpp"

#include <fmt/format.h>

#include <cmath>

namespace check_vectors {
namespace {

int read_number_of_classes(const Node& node) {
  const double value = node.number();
  if (!(value >= 2.0 && value <= 1000.0 && std::floor(value) == value)) {
    node.refuse("a whole number from 2 to 1000");
  }
  return static_cast<int>(value);
}

std::vector<int> read_classes(const Node& node, candor::Index rows, int classes) {
  const candor::Vector values = node.vector();
  if (values.size() != rows) {
    node.refuse(fmt::format("a list of {} classes, one per row of X", rows));
  }
  std::vector<int> labels;
  for (const double value : values) {
    if (!(value >= 0.0 && value < classes && std::floor(value) == value)) {
      node.refuse(fmt::format("a list of whole numbers from 0 to {}", classes - 1));
    }
    labels.push_back(static_cast<int>(value));
  }
  return labels;
}

}  // namespace

ClassLabels read_class_labels(const Problem& problem) {
  const int classes = read_number_of_classes(problem["n_classes"]);
  return {read_classes(problem["classes"], problem.X().rows(), classes), classes};
}

}  // namespace check_vectors
