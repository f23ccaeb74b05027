# SPDX-License-Identifier: MIT
# cmake -DROOT=<folder that holds candor/> -P CheckIncludes.cmake
#
# Links alone cannot stop a room from including a header of a room above it, since all rooms share one
# include root.  This reads every #include <candor/…> and holds it against the same table.
cmake_minimum_required(VERSION 3.23)
include("${CMAKE_CURRENT_LIST_DIR}/CandorArrows.cmake")

set(problems "")
set(files_read 0)
foreach(room IN LISTS CANDOR_ROOMS)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/candor/${room}/*.hpp" "${ROOT}/candor/${room}/*.cpp")
  foreach(file IN LISTS files)
    math(EXPR files_read "${files_read} + 1")
    file(STRINGS "${ROOT}/${file}" includes REGEX "^#include [<\"]candor/")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE "^#include [<\"]candor/([^/>\"]+)/.*$" "\\1" used "${include}")
      candor_check_arrow(${room} "${used}" problem)
      if(problem)
        string(APPEND problems "\n  ${file}: ${problem}")
      endif()
    endforeach()
  endforeach()
endforeach()

if(files_read EQUAL 0)
  message(FATAL_ERROR "no sources under ${ROOT}/candor")
endif()
if(problems)
  message(FATAL_ERROR "includes against the arrows:${problems}")
endif()
message(STATUS "${files_read} files follow the arrows")
