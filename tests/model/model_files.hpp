// SPDX-License-Identifier: MIT
// Model files for tests: one with everything that a model may hold, a small one, and what is said
// of bytes that are refused.
#pragma once

#include "tables.hpp"

#include <candor/model/model_file.hpp>

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <string_view>

namespace candor::testing_tables {

// Weights, trusted rows, categories, missing cells, normal scores: all there is.
inline std::string everything(int rows) {
  std::istringstream lines(two_classes(rows));
  std::string text, line;
  for (int i = -1; std::getline(lines, line); ++i) {
    const double heavy = i % 13 == 3 ? 1e4 + i : 0.01 * i;
    text += line + (i < 0 ? ",heavy,copies,checked\n"
                          : fmt::format(",{},{},{}\n", heavy, 1 + i % 2, i % 7 == 0 ? 1 : 0));
  }
  return text;
}

inline Classifier rich() {
  const Table table = table_of(everything(40), "naïve \"quotes\".csv");
  return fit_table(table, quick(), {.label = "class", .trusted = "checked", .weight = "copies"});
}

inline const Classifier& small() {
  static const Classifier classifier = fit_table(table_of(two_classes(12, 5)));
  return classifier;
}

inline std::string refusal_of(std::string_view bytes) {
  try {
    static_cast<void>(classifier_from(bytes, "m.candor"));
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace candor::testing_tables
