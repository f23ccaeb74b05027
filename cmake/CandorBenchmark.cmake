# SPDX-License-Identifier: MIT
include_guard(GLOBAL)
include(CandorWarnings)
find_package(benchmark REQUIRED)

# candor_add_benchmark(<name> SOURCES … [DEPENDS …])
#
# One Google Benchmark program, one question.  `make bench` runs them all.  A program with its own
# main keeps it: the library's main is linked only where there is none.
function(candor_add_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "candor_add_benchmark(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()

  add_executable(${name} ${arg_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} benchmark::benchmark_main benchmark::benchmark)
  candor_set_warnings(${name})
endfunction()
