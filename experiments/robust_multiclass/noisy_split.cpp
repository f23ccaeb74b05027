// SPDX-License-Identifier: MIT
#include "noisy_split.hpp"

#include <candor/data/label_column.hpp>
#include <candor/data/read_table.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace candor::experiments {
namespace {

enum class Purpose : std::uint64_t { split = 1, redrawn_rows = 2, redrawn_label = 3 };

// The output function of SplitMix64, a bijection of 64 bits.
std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::uint64_t draw(std::uint64_t seed, Purpose purpose, Index row) {
  const std::uint64_t stream = scrambled(scrambled(seed) + static_cast<std::uint64_t>(purpose));
  return scrambled(stream + static_cast<std::uint64_t>(row));
}

std::vector<Index> in_random_order(std::vector<Index> rows, std::uint64_t seed, Purpose purpose) {
  std::ranges::sort(rows, {}, [&](Index row) { return draw(seed, purpose, row); });
  return rows;
}

int random_class(std::uint64_t seed, Index row, std::size_t classes) {
  const double uniform =
      static_cast<double>(draw(seed, Purpose::redrawn_label, row) >> 11U) * 0x1p-53;
  return static_cast<int>(uniform * static_cast<double>(classes));
}

std::vector<int> labels_of(const std::vector<int>& labels, const std::vector<Index>& rows) {
  std::vector<int> result;
  for (const Index row : rows) result.push_back(labels[static_cast<std::size_t>(row)]);
  return result;
}

double number_in(const Table& table, Index row, Index column) {
  const std::string cell = table.cell(row, column);
  try {
    return std::stod(cell);
  } catch (const std::logic_error&) {
    throw InvalidInput(fmt::format("{}: column {} holds {} in row {}: it must hold numbers",
                                   table.source(), table.name(column), cell, row + 1));
  }
}

}  // namespace

NumberTable read_number_table(const std::string& path) {
  const Table table = read_table(path);
  const auto label = table.find("label");
  if (!label) throw InvalidInput(path + ": no column is called label");
  LabelColumn column = read_labels(table, *label);
  std::vector<Index> inputs;
  for (Index c = 0; c < table.columns(); ++c) {
    if (c != *label && !table.name(c).starts_with("meta_")) inputs.push_back(c);
  }
  Matrix X =
      Matrix::NullaryExpr(table.rows(), static_cast<Index>(inputs.size()), [&](Index row, Index k) {
        return number_in(table, row, inputs[static_cast<std::size_t>(k)]);
      });
  return {std::filesystem::path(path).stem().string(), std::move(column.classes),
          std::move(column.codes), std::move(X)};
}

std::string find_table(const std::string& root, const std::string& name) {
  for (const char* folder : {"data", "../shared/data", "../../shared/data"}) {
    const auto path = std::filesystem::path(root) / folder / (name + ".csv");
    if (std::filesystem::exists(path)) return path.string();
  }
  return {};
}

NoisySplit draw_split(const NumberTable& table, double redrawn_share, std::uint64_t seed) {
  check_interval("redrawn share", redrawn_share, 0.0, 1.0);
  std::vector<Index> rows(table.labels.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  rows = in_random_order(std::move(rows), seed, Purpose::split);
  const auto middle = rows.begin() + std::lround(2.0 * static_cast<double>(rows.size()) / 3.0);
  NoisySplit split{{rows.begin(), middle}, {middle, rows.end()}, {}};
  std::vector<Index> redrawn = in_random_order(split.train_rows, seed, Purpose::redrawn_rows);
  redrawn.resize(
      static_cast<std::size_t>(std::lround(redrawn_share * static_cast<double>(redrawn.size()))));
  std::vector<int> labels = table.labels;
  for (const Index row : redrawn) {
    labels[static_cast<std::size_t>(row)] = random_class(seed, row, table.classes.size());
  }
  std::ranges::sort(split.train_rows);
  std::ranges::sort(split.test_rows);
  split.noisy_labels = labels_of(labels, split.train_rows);
  return split;
}

Task task_of(const NumberTable& table, const NoisySplit& split) {
  Task task{static_cast<Index>(table.classes.size()), table.X(split.train_rows, Eigen::all),
            table.X(split.test_rows, Eigen::all), split.noisy_labels,
            labels_of(table.labels, split.test_rows)};
  for (Index column = 0; column < task.X.cols(); ++column) {
    const double mean = task.X.col(column).mean();
    const double deviation = std::sqrt((task.X.col(column).array() - mean).square().mean());
    const double scale = deviation > 0.0 ? deviation : 1.0;
    for (Matrix* X : {&task.X, &task.X_test}) {
      X->col(column) = (X->col(column).array() - mean) / scale;
    }
  }
  return task;
}

}  // namespace candor::experiments
