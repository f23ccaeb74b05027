# SPDX-License-Identifier: MIT
include_guard(GLOBAL)
include(CandorArrows)
include(CandorWarnings)

# candor_add_component(<room> HEADERS … [SOURCES …] [DEPENDS …] [PRIVATE_DEPENDS …])
#
# The library of one room: target candor_<room>, alias candor::<room>, installed and exported as part
# of the package `candor`.  Headers are included by their path from the repository root,
# <candor/<room>/x.hpp>.  DEPENDS appear in the room's headers, PRIVATE_DEPENDS only in its sources;
# both take any target (candor::linalg, Threads::Threads) or library (${CMAKE_DL_LIBS}).
function(candor_add_component room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;SOURCES;DEPENDS;PRIVATE_DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "candor_add_component(${room}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "candor_add_component(${room}): SOURCES is empty")
  endif()
  candor_check_arrow(${room} ${room} problem)
  if(problem)
    message(FATAL_ERROR "${problem}")
  endif()
  foreach(dependency IN LISTS arg_DEPENDS arg_PRIVATE_DEPENDS)
    candor_use_from_room(${room} "${dependency}")
  endforeach()

  set(target candor_${room})
  add_library(${target})
  add_library(candor::${room} ALIAS ${target})
  target_sources(
    ${target}
    PRIVATE ${arg_SOURCES}
    PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${arg_HEADERS})
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room} CXX_EXTENSIONS OFF
                                             POSITION_INDEPENDENT_CODE ON)
  # Eigen is an imported target, so its headers are SYSTEM and warn about nothing.
  target_link_libraries(${target} PUBLIC Eigen3::Eigen ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY CANDOR_USED_PACKAGES Eigen3)
  candor_set_warnings(${target})

  install(
    TARGETS ${target}
    EXPORT candor-targets
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endfunction()

# Refuses an arrow between rooms that is not allowed; remembers the package of any other target, for
# candor-config.cmake to look for.
function(candor_use_from_room room dependency)
  if(dependency MATCHES "^candor(::|_)(.+)$")
    candor_check_arrow(${room} "${CMAKE_MATCH_2}" problem)
    if(problem)
      message(FATAL_ERROR "${problem}")
    endif()
  elseif(dependency MATCHES "^([A-Za-z0-9_]+)::")
    set_property(GLOBAL APPEND PROPERTY CANDOR_USED_PACKAGES "${CMAKE_MATCH_1}")
  endif()
endfunction()
