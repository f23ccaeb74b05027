// SPDX-License-Identifier: MIT
// Covariances as text: 2 * squared_exponential(lengthscale=[0.5, 2]) + constant(1e-8).
//
//   sum      = product { "+" product }
//   product  = number "*" product  |  primary { "*" primary } [ "*" number "*" product ]
//   primary  = "(" sum ")"  |  name [ "(" [ argument { "," argument } ] ")" ]
//   argument = [ key "=" ] value              the first one may go without its key
//   value    = item  |  "[" [ item { "," item } ] "]"  |  "all"      all: of columns
//   item     = number  |  sum
//
// A number scales all that follows it in its product.  Parentheses are kept: (a + b) + c is a sum
// of a sum and c.  What to_text writes, parse_covariance reads back to the same tree and the same
// bits.
#pragma once

#include <candor/covariance/covariance.hpp>

#include <string>
#include <string_view>

namespace candor {

[[nodiscard]] std::string to_text(const Covariance& covariance);

// InvalidInput with the position (characters counted from 1) where the text cannot be read, or
// naming the parameter whose value is not allowed.
[[nodiscard]] Covariance parse_covariance(std::string_view text);

}  // namespace candor
