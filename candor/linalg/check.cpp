// SPDX-License-Identifier: MIT
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace candor {
namespace {

// The shortest text that reads back as the same double, whatever the locale.
std::string text(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

[[noreturn]] void refuse(std::string_view parameter, double value, std::string_view requirement) {
  throw InvalidInput(std::string(parameter) + " is " + text(value) + ": it must be " +
                     std::string(requirement));
}

std::string entry(std::string_view parameter, Index i, Index j) {
  return std::string(parameter) + "(" + std::to_string(i) + ", " + std::to_string(j) + ")";
}

}  // namespace

void check_finite(std::string_view parameter, double value) {
  if (!std::isfinite(value)) refuse(parameter, value, "finite");
}

void check_positive(std::string_view parameter, double value) {
  if (!(std::isfinite(value) && value > 0.0)) refuse(parameter, value, "finite and greater than 0");
}

void check_non_negative(std::string_view parameter, double value) {
  if (!(std::isfinite(value) && value >= 0.0)) refuse(parameter, value, "finite and at least 0");
}

void check_at_most(std::string_view parameter, double value, double high) {
  if (!(value <= high)) refuse(parameter, value, "at most " + text(high));
}

void check_interval(std::string_view parameter, double value, double low, double below) {
  if (!(low <= value && value < below))
    refuse(parameter, value, "at least " + text(low) + " and less than " + text(below));
}

void check_same_size(std::string_view a, Index size_a, std::string_view b, Index size_b) {
  if (size_a != size_b)
    throw InvalidInput(std::string(a) + " has size " + std::to_string(size_a) + " and " +
                       std::string(b) + " has size " + std::to_string(size_b) +
                       ": they must have the same size");
}

void check_all_finite(std::string_view parameter, const MatrixRef& values) {
  if (values.allFinite()) return;
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j) check_finite(entry(parameter, i, j), values(i, j));
}

void check_inputs(std::string_view parameter, const MatrixRef& values) {
  if (!values.array().isInf().any()) return;
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (std::isinf(values(i, j)))
        refuse(entry(parameter, i, j), values(i, j), "finite, or NaN where it is not known");
}

}  // namespace candor
