// SPDX-License-Identifier: MIT
#include <apps/cli/audit_output.hpp>

#include <apps/cli/evidence_output.hpp>

#include <candor/data/wording.hpp>
#include <candor/learning/label_errors.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace candor::cli {
namespace {

const std::string& class_of(const AuditView& view, int label) {
  return view.classifier.classes[static_cast<std::size_t>(label)];
}

Index shown_rows(const AuditView& view) {
  return std::min(view.shown, static_cast<Index>(view.audit.rows.size()));
}

const AuditedRow& row_at(const AuditView& view, Index k) {
  return view.audit.rows[static_cast<std::size_t>(k)];
}

bool in_doubt(const AuditView& view, const Neighbour& near) {
  return near.p_wrong > view.threshold;
}

// "14, 88 and 91 are Hyper", "14 and 88? are Hyper, 91 is Normal"
std::string nearest_in_words(const AuditView& view, const AuditedRow& row) {
  std::vector<std::pair<int, std::vector<std::string>>> groups;  // by label, nearest first
  for (const Neighbour& near : row.neighbours) {
    auto group = std::ranges::find(groups, near.label, [](const auto& g) { return g.first; });
    if (group == groups.end()) group = groups.insert(groups.end(), {near.label, {}});
    group->second.push_back(std::to_string(near.row + 1) + (in_doubt(view, near) ? "?" : ""));
  }
  std::string text;
  for (const auto& [label, rows] : groups) {
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", listed(rows, rows.size()),
                        rows.size() == 1 ? "is" : "are", class_of(view, label));
  }
  return text;
}

std::string suggestion(const AuditView& view, const AuditedRow& row) {
  if (row.trusted) return class_of(view, row.given) + " (trusted)";
  if (row.suggested == row.given) return class_of(view, row.given) + " (keep)";
  return class_of(view, row.given) + " → " + class_of(view, row.suggested);
}

Sheet text_sheet(const AuditView& view) {
  Sheet sheet;
  sheet.names = {"row"};
  if (view.id_column) sheet.names.push_back(view.table.name(*view.id_column));
  sheet.names.emplace_back(given_and_suggested);
  for (const char* name : {"p_wrong", "p(given)", "novelty", "nearest rows"}) {
    sheet.names.emplace_back(name);
  }
  for (Index k = 0; k < shown_rows(view); ++k) {
    const AuditedRow& row = row_at(view, k);
    std::vector<Json> cells{row.row + 1};
    if (view.id_column) cells.emplace_back(view.table.cell(row.row, *view.id_column));
    cells.insert(cells.end(), {suggestion(view, row), chance(row.p_wrong), chance(row.p_given),
                               fmt::format("{:.2f}", row.novelty), nearest_in_words(view, row)});
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

// For a threshold below the one that a label must pass to get a suggestion.
Json alternative(const AuditView& view, const AuditedRow& row) {
  if (row.trusted || row.suggested != row.given) return nullptr;
  return class_of(view, row.other);
}

Json neighbours_json(const AuditView& view, const AuditedRow& row) {
  Json all = Json::array();
  for (const Neighbour& near : row.neighbours) {
    all.push_back({{"row", near.row + 1},
                   {"label", class_of(view, near.label)},
                   {"similarity", finite(near.similarity)},
                   {"p_wrong", finite(near.p_wrong)}});
  }
  return all;
}

// Where a row stands, as the first keys of its object.
Json place_json(const AuditView& view, Index row) {
  Json object{{"row", row + 1}, {"line", view.table.line(row)}};
  if (view.id_column) object["id"] = view.table.cell(row, *view.id_column);
  return object;
}

Json row_json(const AuditView& view, const AuditedRow& row) {
  Json object = place_json(view, row.row);
  object.update(Json{{"given", class_of(view, row.given)},
                     {"suggested", class_of(view, row.suggested)},
                     {"alternative", alternative(view, row)},
                     {"p_wrong", finite(row.p_wrong)},
                     {"p_given", finite(row.p_given)},
                     {"novelty", finite(row.novelty)},
                     {"trusted", row.trusted},
                     {"neighbours", neighbours_json(view, row)}});
  return object;
}

Json interval_json(double mean, const Interval& interval) {
  return {{"mean", finite(mean)}, {"low", finite(interval.low)}, {"high", finite(interval.high)}};
}

Json unlabelled_json(const AuditView& view) {
  Json rows = Json::array();
  for (const UnlabelledRow& row : view.unlabelled) {
    Json object = place_json(view, row.row);
    object.update(Json{{"predicted", class_of(view, row.predicted)}, {"p", finite(row.p)}});
    rows.push_back(std::move(object));
  }
  return rows;
}

std::string unlabelled_text(const AuditView& view) {
  constexpr std::size_t most = 20;
  Sheet sheet{{"row"}, {}};
  if (view.id_column) sheet.names.push_back(view.table.name(*view.id_column));
  sheet.names.insert(sheet.names.end(),
                     {view.audit.has_signal() ? "no label, predicted" : "no label, a guess", "p"});
  for (std::size_t k = 0; k < std::min(most, view.unlabelled.size()); ++k) {
    const UnlabelledRow& row = view.unlabelled[k];
    std::vector<Json> cells{row.row + 1};
    if (view.id_column) cells.emplace_back(view.table.cell(row.row, *view.id_column));
    cells.insert(cells.end(), {class_of(view, row.predicted), chance(row.p)});
    sheet.rows.push_back(std::move(cells));
  }
  std::string text = as_text(sheet);
  if (view.unlabelled.size() > most) {
    text += fmt::format("  … {} more: --format json has them all\n", view.unlabelled.size() - most);
  }
  return text;
}

// The whole table, true classes down and given ones across.
Json expected_labels_json(const AuditView& view) {
  Json rows = Json::array();
  for (Index truth = 0; truth < view.audit.expected_labels.rows(); ++truth) {
    Json row = Json::array();
    for (const double count : view.audit.expected_labels.row(truth)) row.push_back(finite(count));
    rows.push_back(std::move(row));
  }
  return rows;
}

// "pop recorded as disco: 7.2 labels, 6 % of pop"
std::string mistakes_text(const AuditView& view) {
  constexpr std::size_t most = 8;
  const std::vector<Mistake> all = view.audit.mistakes();
  if (all.empty() || !view.audit.has_signal()) return "";
  Sheet sheet{{"true class", "recorded as", "labels expected", "share of the true class"}, {}};
  for (std::size_t k = 0; k < std::min(most, all.size()); ++k) {
    sheet.rows.push_back({class_of(view, all[k].truth), class_of(view, all[k].given),
                          fmt::format("{:.1f}", all[k].expected),
                          fmt::format("{:.1f} %", 100.0 * all[k].share)});
  }
  std::string text = as_text(sheet);
  if (all.size() > most) {
    text += fmt::format("  … {} more: --format json has the whole table\n", all.size() - most);
  }
  return text;
}

// Everything but the rows.
Json head_json(const AuditView& view) {
  const Audit& audit = view.audit;
  Json head{
      {"schema_version", schema_version},
      {"table", view.classifier.provenance.source},
      {"data_sha256", view.classifier.provenance.data_hash},
      {"label", view.classifier.label_name},
      {"classes", view.classifier.classes},
      {"verdict", audit.verdict},
      {"rate", interval_json(audit.rate, audit.rate_interval)},
      {"wrong_labels", interval_json(std::isnan(audit.rate) ? audit.rate : audit.expected_wrong,
                                     audit.wrong_labels)},
      {"margin_nats", finite(audit.margin)},
      {"signal_nats", finite(audit.signal)},
      {"p_label_errors", std::isnan(audit.margin) ? Json(nullptr) : finite(audit.p_label_errors)},
      {"labels_look_clean", audit.labels_look_clean},
      {"converged", audit.converged},
      {"threshold", view.threshold},
      {"above_threshold", audit.above(view.threshold)},
      {"audited_rows", audit.rows.size()}};
  if (view.id_column) head["id_column"] = view.table.name(*view.id_column);
  if (view.budget) {
    head["budget"] = {{"rows", *view.budget},
                      {"expected_found", finite(audit.expected_among(*view.budget))}};
  }
  head["expected_labels"] = expected_labels_json(view);
  head["notes"] = view.notes;
  head["unlabelled"] = unlabelled_json(view);
  head["evidence"] = as_objects(evidence_sheet(view.classifier));
  return head;
}

Json rows_json(const AuditView& view) {
  Json rows = Json::array();
  for (Index k = 0; k < shown_rows(view); ++k) rows.push_back(row_json(view, row_at(view, k)));
  return rows;
}

// "11.7"; "0.012" where one digit behind the point would say nothing.
std::string mean_count(double count) {
  return count >= 1.0 ? fmt::format("{:.1f}", count) : fmt::format("{:.2g}", count);
}

std::string budget_sentence(const AuditView& view) {
  const double found = view.audit.expected_among(*view.budget);
  const double all = view.audit.expected_wrong;
  if (all < 0.1) {
    return fmt::format(
        "{} wrong labels are expected in all: a review would most likely find none.\n",
        mean_count(all));
  }
  const auto rows = static_cast<Index>(view.audit.rows.size());
  const std::string reviewed = *view.budget >= rows ? "all " + counted(rows, "row")
                                                    : "the first " + counted(*view.budget, "row");
  return fmt::format("Reviewing {} should find {} of {} expected wrong labels ({:.0f} %).\n",
                     reviewed, mean_count(found), mean_count(all), 100.0 * found / all);
}

// Every sentence on a line of its own.
std::string line_by_line(const std::string& text) {
  std::string lines;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 2) {
    end = std::min(text.find(". ", begin), text.size() - 1);
    lines += wrapped("", text.substr(begin, end + 1 - begin), 2);
  }
  return lines;
}

bool shows_doubtful_neighbours(const AuditView& view) {
  const auto shown = view.audit.rows | std::views::take(shown_rows(view));
  return std::ranges::any_of(shown, [&](const AuditedRow& row) {
    return std::ranges::any_of(row.neighbours,
                               [&](const Neighbour& near) { return in_doubt(view, near); });
  });
}

}  // namespace

std::string audit_text(const AuditView& view) {
  const Audit& audit = view.audit;
  const std::string bold = view.colour ? "\x1b[1m" : "", plain = view.colour ? "\x1b[0m" : "";
  std::string text = bold + line_by_line(printable(audit.verdict)) + plain;
  if (view.budget) text += budget_sentence(view);
  if (shown_rows(view) > 0) text += '\n' + as_text(text_sheet(view));
  const auto hidden = static_cast<Index>(audit.rows.size()) - shown_rows(view);
  if (hidden > 0) {
    text +=
        fmt::format("  … {} more {}, p_wrong {} and below\n", hidden, hidden == 1 ? "row" : "rows",
                    chance(row_at(view, shown_rows(view)).p_wrong));
  }
  if (shows_doubtful_neighbours(view)) text += "  ? a nearest row whose own label looks wrong\n";
  const std::string mistakes = mistakes_text(view);
  if (!mistakes.empty()) text += '\n' + mistakes;
  if (!view.unlabelled.empty()) text += '\n' + unlabelled_text(view);
  if (view.with_models) text += '\n' + evidence_text(view.classifier);
  return text;
}

std::string audit_csv(const AuditView& view) {
  Sheet sheet;
  sheet.names = {"row", "line"};
  if (view.id_column) sheet.names.emplace_back("id");
  for (const char* name : {"given", "suggested", "alternative", "p_wrong", "p_given", "novelty",
                           "trusted", "nearest"}) {
    sheet.names.emplace_back(name);
  }
  for (Index k = 0; k < shown_rows(view); ++k) {
    const AuditedRow& row = row_at(view, k);
    std::vector<Json> cells{row.row + 1, view.table.line(row.row)};
    if (view.id_column) cells.emplace_back(view.table.cell(row.row, *view.id_column));
    cells.insert(cells.end(),
                 {class_of(view, row.given), class_of(view, row.suggested), alternative(view, row),
                  row.p_wrong, row.p_given, row.novelty, row.trusted, nearest_in_words(view, row)});
    sheet.rows.push_back(std::move(cells));
  }
  return as_csv(sheet);
}

std::string audit_json(const AuditView& view) {
  Json document = head_json(view);
  document["rows"] = rows_json(view);
  return dumped(document, 2) + '\n';
}

std::string audit_jsonl(const AuditView& view) {
  return dumped(head_json(view)) + '\n' + as_lines(rows_json(view));
}

}  // namespace candor::cli
