// SPDX-License-Identifier: MIT
#include <candor/inference/approximation.hpp>

namespace candor {

std::string_view name_of(Status status) {
  return status == Status::converged ? "converged" : "not converged";
}

std::string_view name_of(Rung rung) {
  switch (rung) {
    case Rung::parallel:
      return "parallel";
    case Rung::sequential:
      return "sequential";
    case Rung::root_finder:
      return "root finder";
    case Rung::continuation:
      return "continuation";
    case Rung::newton:
      return "newton";
    case Rung::ascent:
      return "ascent";
  }
  return "unknown";
}

}  // namespace candor
