// SPDX-License-Identifier: MIT
// What every reader and writer of tables throws: one sentence that says what is wrong, where
// (file, line, column), and what to do.
#pragma once

#include <candor/linalg/errors.hpp>

namespace candor {

class TableError : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

}  // namespace candor
