// SPDX-License-Identifier: MIT
// A table as a matrix.  Numbers are standardised, or mapped by ranks to normal scores where their
// tails are heavy; categories become codes for the discrete part of a covariance.  Missing
// numbers are not known, which is NaN to a covariance, and are marked in a column of their own; a
// missing category is a level.  No row is dropped, and nothing in X is infinite.
#pragma once

#include <candor/data/schema.hpp>
#include <candor/data/table.hpp>
#include <candor/linalg/types.hpp>

#include <optional>
#include <string>
#include <vector>

namespace candor {

// What was learnt from one training column: strings, numbers and flags, so that a model file can
// hold it.
struct ColumnEncoder {
  std::string name;
  bool category = false;

  // Numbers: x ↦ (x - center)/scale, or linear between (knots, scores) where there are knots.
  NumberStyle style = NumberStyle::plain;
  double center = 0.0;
  double scale = 1.0;
  std::vector<double> knots = {};   // ascending
  std::vector<double> scores = {};  // ascending, same size
  // Encoded value of a missing cell; none: not known.  There is one where all others are equal,
  // where columns are not standardised (0), and in models of older formats (the median's).
  std::optional<double> fill = {};
  bool indicator = false;  // cells were missing in training: "<name> is missing" follows as 0/1

  // Categories: levels[c] has code c.  A missing cell has code levels.size() where training had
  // missing ones (missing_level); whatever training has not seen gets the next code, equal to no
  // training row's.
  std::vector<std::string> levels = {};
  bool missing_level = false;

  bool operator==(const ColumnEncoder&) const = default;
};

struct Encoder {
  std::vector<ColumnEncoder> columns = {};
  std::vector<std::string> unused = {};         // the training table's other columns
  std::vector<std::string> missing_words = {};  // of the training table

  bool operator==(const Encoder&) const = default;
};

struct Encoded {
  Matrix X;                        // n×d
  std::vector<std::string> names;  // of X's columns
  std::vector<Index> source;       // per column of X: its index in Encoder::columns
  std::vector<Index> discrete;     // columns of X compared for equality only
  std::vector<std::string> notes;
};

// Learns from all rows of the schema's used columns.
[[nodiscard]] Encoder fit_encoder(const Table& table, const Schema& schema);

// What the encoder does that a person should know: normal scores, missing cells.
[[nodiscard]] std::vector<std::string> describe(const Encoder& encoder);

// Names of the columns of X, without a table.
[[nodiscard]] std::vector<std::string> encoded_names(const Encoder& encoder);

// Matches columns by name; a missing word of training or of this table is missing.  Notes: unseen
// levels with their count, columns that training did not have, missing cells where training had
// none.  Throws TableError for a column that is not there and for text in a number column.
[[nodiscard]] Encoded encode(const Encoder& encoder, const Table& table);

}  // namespace candor
