// SPDX-License-Identifier: MIT
// What Candor throws.  Outcomes of an iteration (not converged, jitter added, step rejected) are
// never thrown: they are fields of the result.
#pragma once

#include <stdexcept>

namespace candor {

// The caller's mistake: the message names parameter, value and requirement.
class InvalidInput : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// A breakdown nobody can repair, such as no Cholesky factor at the largest jitter allowed.
class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// No usable OpenBLAS on this machine: the message says what was tried and which package to install.
// Thrown by the first call that needs it.
class LibraryNotFound : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace candor
