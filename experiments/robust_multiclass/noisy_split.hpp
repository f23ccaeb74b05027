// SPDX-License-Identifier: MIT
// One cell of the protocol of [HHD11]: a table split at random, 2/3 to learn from and 1/3 to test,
// with a share of the training labels redrawn over all classes.
//
// Every draw is a function of (seed, what it is for, row) alone, so a cell can be made again by
// itself, and of one seed a larger share redraws the same rows and more.  A redrawn label is
// the old one with chance 1/C: of 10 % redrawn among three classes 6.7 % are wrong.
#pragma once

#include <candor/linalg/types.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace candor::experiments {

struct NumberTable {
  std::string name;
  std::vector<std::string> classes;
  std::vector<int> labels;  // index into classes, of each row
  Matrix X;                 // n×d, as in the file
};

// The column "label" and all others but those named meta_…, which must hold numbers.
[[nodiscard]] NumberTable read_number_table(const std::string& path);

// Where a table of this name lies below the repository or beside it; empty: nowhere.
[[nodiscard]] std::string find_table(const std::string& root, const std::string& name);

struct NoisySplit {
  std::vector<Index> train_rows, test_rows;  // of the table, ascending
  std::vector<int> noisy_labels;             // of the training rows
};
[[nodiscard]] NoisySplit draw_split(const NumberTable& table, double redrawn_share,
                                    std::uint64_t seed);

// What a method is given: columns standardised by their training rows.
struct Task {
  Index classes;
  Matrix X, X_test;
  std::vector<int> labels, test_labels;  // the first noisy, the second clean
};
[[nodiscard]] Task task_of(const NumberTable& table, const NoisySplit& split);

}  // namespace candor::experiments
