// SPDX-License-Identifier: MIT
// What a large table costs, measured on 600,000 flights (../shared/data, skipped where it is not
// there).
#include <candor/data/encoding.hpp>
#include <candor/data/label_column.hpp>
#include <candor/data/read_table.hpp>

#include <gtest/gtest.h>
#include <tests/peak_memory.hpp>

#include <filesystem>

namespace candor {
namespace {

TEST(LargeTable, StaysWithinThreeTimesTheMemoryOfItsNumbers) {
  const std::string path = "../shared/data/flights_600k.csv.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const Table table = read_table(path);
  const Schema schema = infer_schema(table, {.label = "label", .ignore = {"meta_delay_min"}});
  const LabelColumn labels = read_labels(table, *schema.with_role(ColumnRole::label));
  const Encoded encoded = encode(fit_encoder(table, schema), table);
  ASSERT_EQ(encoded.X.rows(), 600'000);
  ASSERT_EQ(encoded.X.cols(), 11);
  EXPECT_EQ(labels.classes.size(), 2U);
#if !defined(__SANITIZE_ADDRESS__)
  // Text, index, labels and X together, and the program itself.
  const auto numbers = static_cast<double>(encoded.X.size() * Index{sizeof(double)});
  EXPECT_LT(peak_bytes(), 3.0 * numbers);
  RecordProperty("peak_over_numbers", std::to_string(peak_bytes() / numbers));
#endif
}

}  // namespace
}  // namespace candor
