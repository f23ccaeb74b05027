// SPDX-License-Identifier: MIT
// A matrix of numbers in the place of a table: every column is an input, NaN is a missing cell.
#pragma once

#include <candor/data/encoding.hpp>
#include <candor/linalg/types.hpp>

#include <string>
#include <vector>

namespace candor {

enum class Standardise { no, yes };

// Learns from all rows of X, n×d, as from columns of these names.  Standardise::no leaves numbers as
// they are: InvalidInput for a missing cell, or a number beyond ±1e6, which no encoder keeps.
// Always InvalidInput for an infinite number and for a column without any.  A row of weight k counts
// as k rows; no weights: all 1.
[[nodiscard]] Encoder fit_encoder(const MatrixRef& X, const std::vector<std::string>& names,
                                  Standardise standardise, const Vector& weight = {});

// Columns of X in the order of the encoder's, which must all hold numbers; InvalidInput for another
// number of columns or an infinite number.  Notes: missing cells where training had none.
[[nodiscard]] Encoded encode(const Encoder& encoder, const MatrixRef& X);

}  // namespace candor
