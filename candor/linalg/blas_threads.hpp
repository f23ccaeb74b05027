// SPDX-License-Identifier: MIT
// For processes that share OpenBLAS with others, such as a Python whose NumPy uses the same library:
// Candor wants one thread of it, and they want back what they had.
#pragma once

namespace candor::blas {

// While any of these lives OpenBLAS uses one thread, after the last as many as before the first.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
};

}  // namespace candor::blas
