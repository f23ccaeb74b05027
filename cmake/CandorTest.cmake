# SPDX-License-Identifier: MIT
include_guard(GLOBAL)
include(CandorWarnings)
find_package(GTest REQUIRED)

# candor_add_test(<name> SOURCES … [DEPENDS …] [ARGS …] [LABELS …])
#
# One GoogleTest binary and one CTest entry of the same name: a process per file, not per test, keeps
# the run short; `<name> --gtest_filter=…` runs a single test.  The working directory is the repository
# root, so stored numbers are found as tests/….  Its folder's name is a label (`ctest -L covariance`);
# LABELS slow leaves it out of `make test`.
function(candor_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;ARGS;LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "candor_add_test(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()

  add_executable(${name} ${arg_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} GTest::gtest_main)
  candor_set_warnings(${name})

  add_test(NAME ${name} COMMAND ${name} ${arg_ARGS} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set(timeout 600)
  if("slow" IN_LIST arg_LABELS)
    set(timeout 7200)
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  set_tests_properties(${name} PROPERTIES LABELS "${folder};${arg_LABELS}" TIMEOUT ${timeout})
endfunction()
