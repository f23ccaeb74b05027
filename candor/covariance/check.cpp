// SPDX-License-Identifier: MIT
#include <candor/covariance/check.hpp>

#include <candor/covariance/distance.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace candor {
namespace {

class Check {
 public:
  explicit Check(std::optional<Index> columns) : columns_(columns) {}

  void tree(const std::string& prefix, const Covariance& covariance, int depth) const {
    if (depth > max_covariance_depth) {
      throw InvalidInput("the covariance is nested more than " +
                         std::to_string(max_covariance_depth) + " deep: that is the most allowed");
    }
    std::visit(
        [&](const auto& k) {
          for_each_parameter(k, [&](const auto& p, const auto& member) {
            value(prefix + std::string(p.name), member, depth);
          });
          if constexpr (requires { k.check(prefix); }) k.check(prefix);
        },
        covariance.node);
  }

 private:
  void value(const std::string& path, double number, int) const { check_positive(path, number); }

  void value(const std::string& path, const Vector& numbers, int) const {
    for (Index i = 0; i < numbers.size(); ++i) {
      check_positive(numbers.size() == 1 ? path : path + "[" + std::to_string(i) + "]", numbers[i]);
    }
    const Index size = numbers.size();
    if (size == 0 || (columns_ && size != 1 && size != *columns_)) {
      throw InvalidInput(
          path + " has " + std::to_string(size) + " entries: it must have one" +
          (columns_ ? ", or one per column (" + std::to_string(*columns_) + ")" : ""));
    }
  }

  void value(const std::string& path, const std::vector<Index>& indices, int) const {
    if (indices == std::vector{every_column}) return;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::string entry =
          path + "[" + std::to_string(i) + "] is " + std::to_string(indices[i]);
      if (indices[i] < 0) throw InvalidInput(entry + ": columns are counted from 0");
      if (columns_ && indices[i] >= *columns_) {
        throw InvalidInput(entry + ": the last column is " + std::to_string(*columns_ - 1) +
                           ", counted from 0");
      }
      if (std::find(indices.begin(), indices.begin() + static_cast<Index>(i), indices[i]) !=
          indices.begin() + static_cast<Index>(i)) {
        throw InvalidInput(entry + ": each column may be named only once");
      }
    }
  }

  void value(const std::string& path, const Box<Covariance>& operand, int depth) const {
    tree(path + ".", *operand, depth + 1);
  }

  void value(const std::string& path, const std::vector<Covariance>& operands, int depth) const {
    if (operands.empty())
      throw InvalidInput(path + " is empty: it must hold at least one covariance");
    for (std::size_t i = 0; i < operands.size(); ++i) {
      tree(path + "[" + std::to_string(i) + "].", operands[i], depth + 1);
    }
  }

  std::optional<Index> columns_;
};

}  // namespace

void check(const Covariance& covariance, Index columns) {
  if (columns < 1) {
    throw InvalidInput("the table has " + std::to_string(columns) +
                       " columns: it must have at least 1");
  }
  Check(columns).tree("", covariance, 1);
}

void check(const Covariance& covariance) { Check(std::nullopt).tree("", covariance, 1); }

}  // namespace candor
