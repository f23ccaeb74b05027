# SPDX-License-Identifier: MIT
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

# Installs the package `candor`: find_package(candor) then offers candor::<room>.
function(candor_install_package)
  set(destination "${CMAKE_INSTALL_LIBDIR}/cmake/candor")

  get_property(packages GLOBAL PROPERTY CANDOR_USED_PACKAGES)
  list(REMOVE_DUPLICATES packages)
  set(CANDOR_FIND_DEPENDENCIES "")
  foreach(package IN LISTS packages)
    string(APPEND CANDOR_FIND_DEPENDENCIES "find_dependency(${package})\n")
  endforeach()

  configure_package_config_file(
    "${PROJECT_SOURCE_DIR}/cmake/candor-config.cmake.in"
    "${PROJECT_BINARY_DIR}/candor-config.cmake" INSTALL_DESTINATION "${destination}")
  # Before 1.0 a minor version may change the interface.
  write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/candor-config-version.cmake" COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/candor-config.cmake"
                "${PROJECT_BINARY_DIR}/candor-config-version.cmake" DESTINATION "${destination}")
  install(EXPORT candor-targets NAMESPACE candor:: DESTINATION "${destination}")
endfunction()
