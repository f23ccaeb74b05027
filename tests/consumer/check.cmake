# SPDX-License-Identifier: MIT
# cmake -DBUILD=<built tree> -DWORK=<scratch folder> -DGENERATOR=… -DCOMPILER=… -DCONFIG=<build type>
#       -DFLAGS=<compiler flags> -P check.cmake
#
# Installs a built tree into an empty prefix, then configures, builds and runs the consumer against it.
cmake_minimum_required(VERSION 3.23)
set(prefix "${WORK}/prefix")
file(REMOVE_RECURSE "${WORK}")

set(ENV{DESTDIR} "")  # a packager's staging folder is not this prefix
foreach(step IN ITEMS install configure build run)
  if(step STREQUAL "install")
    set(command "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")
  elseif(step STREQUAL "configure")
    set(command "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK}/build" -G "${GENERATOR}"
        "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
        "-DCMAKE_CXX_FLAGS=${FLAGS}")
  elseif(step STREQUAL "build")
    set(command "${CMAKE_COMMAND}" --build "${WORK}/build")
  else()
    set(command "${WORK}/build/consumer")
  endif()
  execute_process(COMMAND ${command} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "consumer: ${step} failed (${status})")
  endif()
endforeach()
