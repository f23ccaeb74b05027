// SPDX-License-Identifier: MIT
#include <candor/data/column_profile.hpp>

#include <candor/data/date.hpp>
#include <candor/data/quoting.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

namespace candor {
namespace {

// Calls visit(row, value) for every cell that is not missing.
template <class Visit>
void for_each_present(const Table& table, Index column, Visit visit) {
  std::string scratch;
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string_view cell = trim(table.view(row, column, scratch));
    if (!table.missing_words().contains(cell)) visit(row, cell);
  }
}

void count_cells(const Table& table, Index column, ColumnProfile& profile) {
  // Hashes, not texts: 600,000 different names would cost more than the table.
  std::vector<std::uint64_t> hashes;
  bool dates = true;
  for_each_present(table, column, [&](Index, std::string_view cell) {
    ++profile.present;
    hashes.push_back(std::hash<std::string_view>{}(cell));
    dates = dates && is_date(cell);
    auto& examples = profile.examples;
    if (examples.size() < 3 && std::find(examples.begin(), examples.end(), cell) == examples.end())
      examples.emplace_back(cell);
  });
  profile.missing = table.rows() - profile.present;
  profile.all_dates = dates && profile.present > 0;
  std::sort(hashes.begin(), hashes.end());
  profile.distinct = static_cast<Index>(std::unique(hashes.begin(), hashes.end()) - hashes.begin());
}

void count_numbers(const Table& table, Index column, NumberStyle style, ColumnProfile& profile) {
  profile.style = style;
  profile.sorted.clear();
  profile.odd_rows.clear();
  profile.one_odd_word = true;
  std::string odd_word;
  for_each_present(table, column, [&](Index row, std::string_view cell) {
    if (const auto value = parse_number(cell, style)) {
      profile.sorted.push_back(*value);
      return;
    }
    if (odd_word.empty()) odd_word = cell;
    profile.one_odd_word = profile.one_odd_word && odd_word == cell;
    if (profile.odd_rows.size() < 5) profile.odd_rows.push_back(row);
  });
  profile.numbers = static_cast<Index>(profile.sorted.size());
}

bool has_comma(const Table& table, Index column, const std::vector<Index>& rows) {
  return std::any_of(rows.begin(), rows.end(), [&](Index row) {
    return table.cell(row, column).find(',') != std::string::npos;
  });
}

// The style that reads most cells; between equals the decimal comma, unless commas separate cells.
void choose_style(const Table& table, Index column, ColumnProfile& profile) {
  count_numbers(table, column, NumberStyle::plain, profile);
  if (profile.numbers == profile.present || !has_comma(table, column, profile.odd_rows)) return;
  ColumnProfile comma = profile;
  ColumnProfile thousands = profile;
  count_numbers(table, column, NumberStyle::decimal_comma, comma);
  count_numbers(table, column, NumberStyle::thousands_comma, thousands);
  const bool prefers_comma = table.dialect().delimiter != ',';
  const bool comma_wins =
      comma.numbers > thousands.numbers || (comma.numbers == thousands.numbers && prefers_comma);
  ColumnProfile& best = comma_wins ? comma : thousands;
  if (best.numbers <= profile.numbers) return;
  best.style_is_ambiguous = comma.numbers == thousands.numbers && prefers_comma;
  profile = std::move(best);
}

// Every point stands before exactly three digits and after one to three, and some cells have
// none: a program that writes three decimals would write them everywhere.
bool points_may_group(const Table& table, Index column) {
  Index grouped = 0;
  Index without = 0;
  bool other = false;
  for_each_present(table, column, [&](Index, std::string_view cell) {
    const std::size_t point = cell.find('.');
    if (point == std::string_view::npos)
      ++without;
    else if (point >= 1 && point <= 3 && cell.size() == point + 4 && cell[0] != '0')
      ++grouped;
    else
      other = true;
  });
  return !other && grouped > 0 && without > 0;
}

}  // namespace

bool ColumnProfile::all_different_integers() const {
  if (!all_numbers()) return false;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != std::floor(sorted[i])) return false;
    if (i > 0 && sorted[i] == sorted[i - 1]) return false;
  }
  return true;
}

bool ColumnProfile::running_integers() const {
  return all_different_integers() &&
         sorted.back() - sorted.front() == static_cast<double>(sorted.size() - 1);
}

ColumnProfile profile_column(const Table& table, Index column) {
  ColumnProfile profile;
  count_cells(table, column, profile);
  choose_style(table, column, profile);
  std::sort(profile.sorted.begin(), profile.sorted.end());
  if (profile.all_numbers()) {
    // 1 and 1.0 are one number.
    profile.distinct = 1;
    for (std::size_t i = 1; i < profile.sorted.size(); ++i)
      profile.distinct += profile.sorted[i] != profile.sorted[i - 1] ? 1 : 0;
    profile.points_may_group = profile.style == NumberStyle::plain &&
                               table.dialect().delimiter == ';' && points_may_group(table, column);
  }
  return profile;
}

}  // namespace candor
