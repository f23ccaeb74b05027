# SPDX-License-Identifier: MIT
# cmake -DFOLDER=<folder of the pieces> -DOUTPUT=<header> -P embed.cmake
#
# Writes page.html, style.css and all scripts, in one strict function, as C++ string constants.
set(page_js "(() => {\n\"use strict\";\n")
foreach(name IN ITEMS dom scale figure numbers comparison suspects unlabelled histogram curve confusion regions
                      map evidence main)
  file(READ "${FOLDER}/${name}.js" text)
  string(REGEX REPLACE "^// SPDX[^\n]*\n" "" text "${text}")
  string(APPEND page_js "${text}")
endforeach()
string(APPEND page_js "})();\n")
file(READ "${FOLDER}/style.css" style_css)
file(READ "${FOLDER}/page.html" page_html)

set(header "// Generated from the report's page by embed.cmake.\n#pragma once\n\n")
string(APPEND header "#include <string_view>\n\nnamespace candor::cli {\n\n")
foreach(piece IN ITEMS page_html style_css page_js)
  string(APPEND header "inline constexpr std::string_view ${piece} = ")
  string(APPEND header "R\"piece(${${piece}})piece\";\n\n")
endforeach()
string(APPEND header "}  // namespace candor::cli\n")
file(WRITE "${OUTPUT}" "${header}")
