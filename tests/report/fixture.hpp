// SPDX-License-Identifier: MIT
// Made-up audits for the report's tests: nothing is fitted, everything follows from the seed.
#pragma once

#include <apps/cli/report.hpp>

#include <memory>
#include <string>

namespace candor::cli {

struct Scenario {
  Index rows = 215;
  int classes = 2;
  Index numbers = 5;
  Index categories = 0;
  double rate = 0.06;  // of planted errors
  unsigned seed = 1;
  std::string cell = {};  // put into every text of the table, where not empty
  bool converged = true;
  Index neighbours_for = 50;
  bool ids = true;
};

// The cell that must stay text.
inline const std::string hostile_cell =
    "</script><img src=x onerror=\"document.title='broken'\"><!--<script>'&\"\xE2\x80\xA8\xFF";

// Owns what a ReportInput refers to.
struct MadeUp {
  Classifier classifier;
  Audit audit;
  Schema schema;
  std::map<Index, std::string> ids;
  std::map<Index, std::vector<std::string>> cells;
  Matrix centres;  // C×numbers
  std::string cell;

  [[nodiscard]] ReportInput input() const;
  // Class probabilities by distance to the classes' centres.
  [[nodiscard]] Matrix probability(const Matrix& X) const;
};

[[nodiscard]] std::unique_ptr<MadeUp> make_up(const Scenario& scenario);

// The page of that scenario.
[[nodiscard]] std::string report_of(const Scenario& scenario);

}  // namespace candor::cli
