// SPDX-License-Identifier: MIT
// A hint must never harm: matrices of any size keep working, with and without large pages.
#include <candor/linalg/huge_pages.hpp>

#include <gtest/gtest.h>

namespace candor {
namespace {

TEST(PreferHugePages, LeavesAMatrixWhole) {
  for (const Index size : {0, 1, 100, 1500}) {
    Matrix matrix(size, size);
    prefer_huge_pages(matrix);
    matrix.setConstant(2.0);
    EXPECT_EQ(matrix.sum(), 2.0 * static_cast<double>(size * size)) << size;
    prefer_huge_pages(matrix);  // too late to help, and still harmless
    EXPECT_EQ(matrix.sum(), 2.0 * static_cast<double>(size * size)) << size;
  }
}

}  // namespace
}  // namespace candor
