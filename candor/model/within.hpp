// SPDX-License-Identifier: MIT
// Internal: says where in a model file something was refused.
#pragma once

#include <candor/linalg/errors.hpp>

#include <string>

namespace candor {

// What f() returns; an InvalidInput of its gets the field's name in front.
template <class F>
auto within(const std::string& field, const F& f) {
  try {
    return f();
  } catch (const InvalidInput& error) {
    throw InvalidInput(field + ": " + error.what());
  }
}

}  // namespace candor
