// SPDX-License-Identifier: MIT
// The models that were compared: as data in full, for people rounded and in words.
#pragma once

#include <apps/cli/sheet.hpp>

#include <candor/model/classifier.hpp>

#include <string>

namespace candor::cli {

// The class that a question is about; null where it is all of them.
[[nodiscard]] Json class_asked_about(const Classifier& classifier, const Question& question);

// Of all questions, every digit kept.
[[nodiscard]] Sheet evidence_sheet(const Classifier& classifier);

// For each question a table, and below it the covariances with three digits each and the rate of
// label errors; at the end the columns.  No line is wider than 100 columns unless a name is.
[[nodiscard]] std::string evidence_text(const Classifier& classifier);

// Which model is preferred, by how much, and what that means.
[[nodiscard]] std::string comparison_in_words(const Classifier& classifier);

}  // namespace candor::cli
