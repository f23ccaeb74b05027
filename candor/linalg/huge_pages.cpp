// SPDX-License-Identifier: MIT
#include <candor/linalg/huge_pages.hpp>

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace candor {

void prefer_huge_pages(const Matrix& matrix) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = 4096;
  constexpr std::uintptr_t huge_page = std::uintptr_t{1} << 21U;
  const auto begin = (reinterpret_cast<std::uintptr_t>(matrix.data()) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(matrix.data() + matrix.size());
  if (end < begin + 4 * huge_page) return;
  // A refusal leaves ordinary pages, which is what there was.
  static_cast<void>(madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
#else
  static_cast<void>(matrix);
#endif
}

}  // namespace candor
