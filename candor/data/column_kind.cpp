// SPDX-License-Identifier: MIT
#include <candor/data/column_kind.hpp>

#include <candor/data/number_moments.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace candor {
namespace {

constexpr Index fewest_identifiers = 10;  // so many different values look like names of rows
constexpr double identifier_share = 0.9;  // of the cells that hold different texts
constexpr double number_share = 0.9;      // of the cells that make other cells look like typos
constexpr Index many_levels = 50;
constexpr Index seldom = 20;  // rows per level

bool is_named_like_an_identifier(const std::string& name) {
  const std::string lower = lower_case(name);
  return lower == "id" || lower == "index" || lower.ends_with("_id") || lower.ends_with(" id") ||
         lower.ends_with("-id") || lower.ends_with(".id") || name.ends_with("Id") ||
         name.ends_with("ID");
}

bool is_identifier(const Column& column, const ColumnProfile& profile) {
  if (profile.present < fewest_identifiers) return false;
  if (profile.all_numbers())
    return profile.running_integers() ||
           (profile.all_different_integers() && is_named_like_an_identifier(column.name));
  return static_cast<double>(profile.distinct) >=
         identifier_share * static_cast<double>(profile.present);
}

// A few cells that are not numbers among many that are: a typo must not make categories of a
// column.
std::string odd_cells_problem(const Table& table, const Column& column,
                              const ColumnProfile& profile) {
  std::vector<std::string> odd;
  for (const Index row : profile.odd_rows)
    odd.push_back(
        fmt::format("line {} holds {}", table.line(row), shown(table.cell(row, column.index))));
  const std::string word = shown(table.cell(profile.odd_rows.front(), column.index));
  const Index others = profile.present - profile.numbers - static_cast<Index>(odd.size());
  return fmt::format(
      "column {} holds numbers in {} of {} cells, but {}{}: correct that, say with --na that {}"
      " means missing, or use --categorical or --ignore for the column",
      shown(column.name), profile.numbers, profile.present, listed(odd),
      others > 0 ? fmt::format(" ({} more)", others) : "",
      profile.one_odd_word ? word : "such a word");
}

// A code for "missing" such as -999 or 9999, twice or more and outside of all other numbers: of
// another sign or size, or farther from them than their spread explains.
std::string placeholder_note(const ColumnProfile& profile) {
  constexpr double far_in_deviations = 10.0;
  const std::vector<double>& x = profile.sorted;
  for (const double code : {-9.0, -99.0, -999.0, -9999.0, -99999.0, 999.0, 9999.0, 99999.0}) {
    const auto [first, last] = std::equal_range(x.begin(), x.end(), code);
    const bool lowest = code < 0 && first == x.begin(), highest = code > 0 && last == x.end();
    if (last - first < 2 || last - first == profile.numbers || !(lowest || highest)) continue;
    const double nearest = lowest ? *last : *std::prev(first);
    const bool alien = lowest ? nearest >= 0 : nearest < code / 5;
    const auto others = lowest ? std::span(last, x.end()) : std::span(x.begin(), first);
    if (alien || std::abs(code - nearest) > far_in_deviations * moments_of(others).sd)
      return fmt::format("{} cells hold {}: if that means missing, say so with --na", last - first,
                         format_number(code));
  }
  return {};
}

std::string number_note(const ColumnProfile& profile) {
  if (profile.style_is_ambiguous)
    return fmt::format(
        "commas are read as decimal marks ({} is a fraction); if they group thousands,"
        " remove them",
        shown(profile.examples.front()));
  if (profile.points_may_group)
    return "points are read as decimal marks, though they look like thousands marks (30.000 beside"
           " 750): if so, remove them";
  if (profile.style == NumberStyle::decimal_comma) return "numbers with a decimal comma";
  if (profile.style == NumberStyle::thousands_comma) return "commas are read as thousands marks";
  return placeholder_note(profile);
}

std::string category_note(const Table& table, const Column& column, const ColumnProfile& profile) {
  if (profile.numbers * 2 > profile.present && !profile.odd_rows.empty() && !profile.all_numbers())
    return fmt::format("{} of {} cells are numbers, but line {} holds {}: taken as categories",
                       profile.numbers, profile.present, table.line(profile.odd_rows.front()),
                       shown(table.cell(profile.odd_rows.front(), column.index)));
  if (profile.distinct > many_levels && profile.present < seldom * profile.distinct)
    return fmt::format("{} different values: each is seen rarely, so little can be learnt from it",
                       profile.distinct);
  return {};
}

void set_kind(Column& column, ColumnKind kind, std::string note) {
  column.kind = kind;
  column.note = std::move(note);
}

std::string decide_number_or_text(const Table& table, Column& column, const ColumnProfile& profile,
                                  KindWishes wishes) {
  const bool typos =
      !profile.all_numbers() && !profile.all_dates &&
      static_cast<double>(profile.numbers) >= number_share * static_cast<double>(profile.present);
  if (!wishes.use && is_identifier(column, profile) && !typos && !profile.all_dates)
    set_kind(
        column, ColumnKind::identifier,
        fmt::format("{} different {} in {} cells: taken for an identifier, not used (--use takes"
                    " it as an input)",
                    profile.distinct, profile.all_numbers() ? "whole numbers" : "texts",
                    profile.present));
  else if (profile.all_numbers())
    set_kind(column, ColumnKind::number, number_note(profile));
  else if (profile.all_dates && !wishes.use)
    set_kind(column, ColumnKind::date, "dates or times: not used");
  else if (typos && column.role == ColumnRole::input)
    return odd_cells_problem(table, column, profile);
  else
    set_kind(column, ColumnKind::category, category_note(table, column, profile));
  return {};
}

}  // namespace

std::string decide_kind(const Table& table, Column& column, const ColumnProfile& profile,
                        KindWishes wishes) {
  if (profile.present == 0) {
    set_kind(column, ColumnKind::empty, "every cell is missing: not used");
  } else if (profile.distinct == 1 && profile.missing == 0) {
    set_kind(column, ColumnKind::constant,
             fmt::format("every cell holds {}: not used", shown(profile.examples.front())));
  } else if (profile.distinct == 1) {
    set_kind(column, ColumnKind::category,
             fmt::format("every cell holds {} or is missing: used as those two categories",
                         shown(profile.examples.front())));
  } else if (wishes.categorical) {
    set_kind(column, ColumnKind::category, category_note(table, column, profile));
  } else {
    return decide_number_or_text(table, column, profile, wishes);
  }
  return {};
}

}  // namespace candor
