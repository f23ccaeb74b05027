// SPDX-License-Identifier: MIT
#include <candor/likelihood/label.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <cmath>
#include <sstream>

namespace candor {

void check_label(const Observation& row) {
  if (row.y == 1.0 || row.y == -1.0) return;
  std::ostringstream message;
  message << "y is " << row.y << ": it must be -1 or +1";
  throw InvalidInput(message.str());
}

void check_class(const Observation& row, Index classes) {
  if (row.y == std::floor(row.y) && row.y >= 0.0 && row.y < static_cast<double>(classes)) return;
  std::ostringstream message;
  message << "y is " << row.y << ": it must be a class number from 0 to " << classes - 1;
  throw InvalidInput(message.str());
}

void check_known_flip_rate(const Observation& row) {
  if (!std::isnan(row.known_flip_rate))
    check_interval("known_flip_rate", row.known_flip_rate, 0.0, 0.5);
}

void check_no_known_flip_rate(const Observation& row) {
  if (std::isnan(row.known_flip_rate) || row.known_flip_rate == 0.0) return;
  std::ostringstream message;
  message << "known_flip_rate is " << row.known_flip_rate
          << ": it must be 0 or not known, because this likelihood has no label flips";
  throw InvalidInput(message.str());
}

}  // namespace candor
