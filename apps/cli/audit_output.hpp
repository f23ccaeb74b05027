// SPDX-License-Identifier: MIT
// An audit in the formats of the command line; docs/schemas/audit.json describes the JSON.
#pragma once

#include <apps/cli/sheet.hpp>

#include <candor/audit/audit.hpp>
#include <candor/audit/unlabelled.hpp>
#include <candor/data/table.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace candor::cli {

// The heading of a column that only the format for reading has.
inline constexpr std::string_view given_and_suggested = "given → suggested";

struct AuditView {
  const Audit& audit;
  const Classifier& classifier;
  const Table& table;
  std::optional<Index> id_column;
  Index shown = 0;  // rows of the ranking to write
  double threshold = 0.5;
  std::optional<Index> budget;
  std::vector<UnlabelledRow> unlabelled;
  std::vector<std::string> notes;
  bool with_models = false;  // text: the evidence table too
  bool colour = false;
};

[[nodiscard]] std::string audit_text(const AuditView& view);
[[nodiscard]] std::string audit_csv(const AuditView& view);
[[nodiscard]] std::string audit_json(const AuditView& view);
[[nodiscard]] std::string audit_jsonl(const AuditView& view);

}  // namespace candor::cli
