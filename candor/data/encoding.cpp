// SPDX-License-Identifier: MIT
#include <candor/data/encoding.hpp>

#include <candor/data/natural_order.hpp>
#include <candor/data/number_encoding.hpp>
#include <candor/data/quoting.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <utility>

namespace candor {
namespace {

ColumnEncoder fit_category(const Table& table, const Column& column) {
  ColumnEncoder encoder{.name = column.name, .category = true};
  std::set<std::string, std::less<>> levels;
  std::string scratch;
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string_view cell = table.view(row, column.index, scratch);
    if (table.is_missing(row, column.index))
      encoder.missing_level = true;
    else if (!levels.contains(cell))
      levels.emplace(cell);
  }
  encoder.levels.assign(levels.begin(), levels.end());
  std::sort(encoder.levels.begin(), encoder.levels.end(), natural_less);
  return encoder;
}

ColumnEncoder fit_number(const Table& table, const Column& column) {
  ColumnEncoder encoder{.name = column.name, .style = column.style};
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(table.rows()));
  std::string scratch;
  for (Index row = 0; row < table.rows(); ++row) {
    const auto value = parse_number(table.view(row, column.index, scratch), column.style);
    if (value && !table.is_missing(row, column.index))
      values.push_back(*value);
    else
      encoder.indicator = true;
  }
  fit_numbers(encoder, std::move(values));
  return encoder;
}

// "1" of "1.0" and "1.0" of "1": programs write either for the same whole number, by whether cells of
// its column are missing.  Of anything else nothing, which is no level.
std::string other_spelling(std::string_view cell) {
  const bool has_point = cell.ends_with(".0");
  const std::string_view whole = has_point ? cell.substr(0, cell.size() - 2) : cell;
  const std::string_view digits = whole.starts_with('-') ? whole.substr(1) : whole;
  const bool is_whole =
      !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_whole) return "";
  return has_point ? std::string(whole) : std::string(cell) + ".0";
}

// A table seen through an encoder.
class Encoding {
 public:
  Encoding(const Encoder& encoder, const Table& table)
      : encoder_(encoder), table_(table), missing_(encoder.missing_words) {}

  Encoded run() {
    find_columns();
    note_extra_columns();
    lay_out();
    for (std::size_t i = 0; i < encoder_.columns.size(); ++i) {
      const ColumnEncoder& column = encoder_.columns[i];
      if (column.category)
        encode_category(column, places_[i], first_[i]);
      else
        encode_numbers(column, places_[i], first_[i]);
    }
    return std::move(out_);
  }

 private:
  void find_columns() {
    std::vector<std::string> absent;
    for (const ColumnEncoder& column : encoder_.columns) {
      const auto found = table_.find(column.name);
      if (found)
        places_.push_back(*found);
      else
        absent.push_back(shown(column.name));
    }
    if (absent.empty()) return;
    throw TableError(fmt::format(
        "{}: {} of the training table {} missing here: {}; this table has {}", table_.source(),
        counted(static_cast<Index>(absent.size()), "column"), absent.size() == 1 ? "is" : "are",
        listed(absent), listed(all_shown(table_.names()), 12)));
  }

  void note_extra_columns() {
    std::set<std::string> known(encoder_.unused.begin(), encoder_.unused.end());
    for (const ColumnEncoder& column : encoder_.columns) known.insert(column.name);
    std::vector<std::string> extra;
    for (const std::string& name : table_.names())
      if (!known.contains(name)) extra.push_back(shown(name));
    if (!extra.empty())
      out_.notes.push_back(fmt::format("{} that training did not have ignored: {}",
                                       counted(static_cast<Index>(extra.size()), "column"),
                                       listed(extra)));
  }

  void lay_out() {
    for (std::size_t i = 0; i < encoder_.columns.size(); ++i) {
      const ColumnEncoder& column = encoder_.columns[i];
      first_.push_back(static_cast<Index>(out_.source.size()));
      if (column.category) out_.discrete.push_back(static_cast<Index>(out_.source.size()));
      out_.source.push_back(static_cast<Index>(i));
      if (!column.category && column.indicator) {
        out_.discrete.push_back(static_cast<Index>(out_.source.size()));
        out_.source.push_back(static_cast<Index>(i));
      }
    }
    out_.names = encoded_names(encoder_);
    out_.X.resize(table_.rows(), static_cast<Index>(out_.source.size()));
  }

  bool is_missing(std::string_view cell) const {
    cell = trim(cell);
    return table_.missing_words().contains(cell) || missing_.contains(cell);
  }

  void encode_category(const ColumnEncoder& column, Index place, Index target) {
    std::map<std::string_view, double> code_of;
    for (const std::string& level : column.levels)
      code_of.emplace(level, static_cast<double>(code_of.size()));
    const auto missing_code = static_cast<double>(column.levels.size());
    const double unseen_code = missing_code + (column.missing_level ? 1.0 : 0.0);
    std::set<std::string, std::less<>> unseen;
    Index unseen_rows = 0;
    std::string scratch;
    for (Index row = 0; row < table_.rows(); ++row) {
      const std::string_view cell = table_.view(row, place, scratch);
      // A level of training stays one, whatever this table's missing words are.
      const auto found = code_of.find(cell);
      if (found != code_of.end()) {
        out_.X(row, target) = found->second;
      } else if (column.missing_level && is_missing(cell)) {
        out_.X(row, target) = missing_code;
      } else if (const auto same = code_of.find(other_spelling(cell)); same != code_of.end()) {
        out_.X(row, target) = same->second;
      } else {
        out_.X(row, target) = unseen_code;
        ++unseen_rows;
        if (!unseen.contains(cell)) unseen.emplace(cell);
      }
    }
    note_unseen(column, unseen_rows, unseen);
  }

  void note_unseen(const ColumnEncoder& column, Index rows,
                   const std::set<std::string, std::less<>>& unseen) {
    if (rows == 0) return;
    const std::vector<std::string> values(unseen.begin(), unseen.end());
    out_.notes.push_back(
        fmt::format("column {}: {} not seen in training: {}", shown(column.name),
                    rows == 1 ? "1 row holds a value" : fmt::format("{} rows hold values", rows),
                    listed(all_shown(values))));
  }

  void encode_numbers(const ColumnEncoder& column, Index place, Index target) {
    const double missing_value = encode_missing(column);
    Index missing_cells = 0;
    std::string scratch;
    for (Index row = 0; row < table_.rows(); ++row) {
      const std::string_view cell = table_.view(row, place, scratch);
      const bool missing = is_missing(cell);
      const auto value = missing ? std::nullopt : parse_number(cell, column.style);
      if (!missing && !value)
        throw TableError(
            fmt::format("{}: {} is no number, and the column held numbers in training:"
                        " correct it, or say with --na that it means missing",
                        place_of(row, place), shown(cell)));
      out_.X(row, target) = value ? encode_number(column, *value) : missing_value;
      if (column.indicator) out_.X(row, target + 1) = value ? 0.0 : 1.0;
      missing_cells += value ? 0 : 1;
    }
    if (missing_cells > 0 && !column.indicator)
      out_.notes.push_back(note_on_missing(column, missing_cells));
  }

  std::string place_of(Index row, Index column) const { return place(table_, row, column); }

  const Encoder& encoder_;
  const Table& table_;
  MissingWords missing_;
  std::vector<Index> places_;  // of the encoder's columns in the table
  std::vector<Index> first_;   // … and in X
  Encoded out_;
};

}  // namespace

Encoder fit_encoder(const Table& table, const Schema& schema) {
  Encoder encoder;
  for (const Column& column : schema.columns) {
    assert(column.index < table.columns());
    if (!column.used())
      encoder.unused.push_back(column.name);
    else if (column.kind == ColumnKind::category)
      encoder.columns.push_back(fit_category(table, column));
    else
      encoder.columns.push_back(fit_number(table, column));
  }
  encoder.missing_words = table.missing_words().words();
  return encoder;
}

std::vector<std::string> encoded_names(const Encoder& encoder) {
  std::vector<std::string> names;
  for (const ColumnEncoder& column : encoder.columns) {
    names.push_back(column.name);
    if (!column.category && column.indicator) names.push_back(column.name + " is missing");
  }
  return names;
}

std::vector<std::string> describe(const Encoder& encoder) {
  std::vector<std::string> ranked;
  std::vector<std::string> gappy;
  for (const ColumnEncoder& column : encoder.columns) {
    if (!column.knots.empty()) ranked.push_back(shown(column.name));
    if (column.indicator && !column.fill) gappy.push_back(shown(column.name));
  }
  std::vector<std::string> notes;
  if (!ranked.empty())
    notes.push_back(fmt::format("heavy tails: {} mapped by ranks to normal scores: {}",
                                counted(static_cast<Index>(ranked.size()), "column"),
                                listed(ranked)));
  if (!gappy.empty())
    notes.push_back(
        fmt::format("missing numbers are taken as not known, and marked in a column of their"
                    " own: {}",
                    listed(gappy)));
  return notes;
}

Encoded encode(const Encoder& encoder, const Table& table) {
  return Encoding(encoder, table).run();
}

}  // namespace candor
