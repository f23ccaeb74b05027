// SPDX-License-Identifier: MIT
// A mutant: linalg looking up at inference, which the include check must refuse.
#pragma once

#include <candor/inference/ep.hpp>
