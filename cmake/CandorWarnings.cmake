# SPDX-License-Identifier: MIT
include_guard(GLOBAL)

# Warnings that GCC and Clang both know, for code of this repository only (never for its users).
function(candor_set_warnings target)
  target_compile_options(
    ${target}
    PRIVATE -Wall
            -Wextra
            -Wpedantic
            -Wconversion
            -Wshadow
            -Wnon-virtual-dtor
            -Wold-style-cast
            -Woverloaded-virtual
            # GCC 12 sees overlaps in std::string's operator+ that are not there (its bug 105651).
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
            $<$<BOOL:${CANDOR_WARNINGS_AS_ERRORS}>:-Werror>)
endfunction()
