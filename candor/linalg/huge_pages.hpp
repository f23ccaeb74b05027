// SPDX-License-Identifier: MIT
// Memory of a large matrix in large pages.
//
// Columns of a matrix with thousands of rows lie a page or more apart, so that with pages of 4 KiB
// a tile of a few hundred columns needs more page addresses than the CPU keeps at hand.
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

// Asks the system for large pages under `matrix`; to be called before its memory is first written.
// A hint: only speed depends on it, and where the system knows no such thing it does nothing.
void prefer_huge_pages(const Matrix& matrix);

}  // namespace candor
