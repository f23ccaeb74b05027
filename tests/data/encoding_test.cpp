// SPDX-License-Identifier: MIT
#include <candor/data/encoding.hpp>

#include "table_text.hpp"

#include <cmath>

namespace candor {
namespace {

using namespace testing_data;
using Names = std::vector<std::string>;

Encoder fit(const Table& table, const SchemaOptions& options = {}) {
  return fit_encoder(table, infer_schema(table, options));
}

// Sums of n terms of order 1.
constexpr double rounding = 1e-12;

TEST(Encoding, StandardisesNumbers) {
  const Table table = table_of("x,y\n1,a\n2,b\n6,a\n");
  const Encoded encoded = encode(fit(table, {.label = "y"}), table);
  ASSERT_EQ(encoded.X.cols(), 1);
  EXPECT_NEAR(encoded.X.col(0).mean(), 0.0, rounding);
  EXPECT_NEAR(encoded.X.col(0).squaredNorm() / 3.0, 1.0, rounding);
  EXPECT_EQ(encoded.names, Names{"x"});
  EXPECT_TRUE(encoded.discrete.empty());
  EXPECT_TRUE(encoded.notes.empty());
}

TEST(Encoding, LeavesMissingNumbersUnknownAndMarksThem) {
  const Table table = table_of("x,y\n1,a\n?,b\n2,b\n9,a\n");
  const Encoded encoded = encode(fit(table, {.label = "y"}), table);
  EXPECT_EQ(encoded.names, (Names{"x", "x is missing"}));
  EXPECT_EQ(encoded.discrete, std::vector<Index>{1});
  EXPECT_TRUE(std::isnan(encoded.X(1, 0)));
  EXPECT_NEAR(encoded.X(0, 0) + encoded.X(2, 0) + encoded.X(3, 0), 0.0, rounding);
  EXPECT_EQ(encoded.X.col(1), (Vector(4) << 0, 1, 0, 0).finished());
  EXPECT_EQ(encoded.source, (std::vector<Index>{0, 0}));
}

TEST(Encoding, CodesCategoriesWithMissingAndUnseenOnesApart) {
  const Table table = table_of("c,x\nred,1\n,2\nblue,3\nred,4\n");
  const Encoder encoder = fit(table);
  EXPECT_EQ(encoder.columns[0].levels, (Names{"blue", "red"}));
  const Encoded trained = encode(encoder, table);
  EXPECT_EQ(trained.X.col(0), (Vector(4) << 1, 2, 0, 1).finished());
  EXPECT_EQ(trained.discrete, std::vector<Index>{0});
  const Encoded fresh = encode(encoder, table_of("x,c\n1,green\n2,NA\n3,blue\n4,pink\n"));
  EXPECT_EQ(fresh.X.col(0), (Vector(4) << 3, 2, 0, 3).finished());
  EXPECT_TRUE(
      any_mentions(fresh.notes, "2 rows hold values not seen in training: \"green\" and \"pink\""));
}

TEST(Encoding, AWholeNumberIsTheSameCategoryWithAndWithoutItsPoint) {
  const Encoder encoder =
      fit(table_of("c,x\n1,1\n2.0,3\n-7,4\n1,5\nred,6\n"), {.categorical = {"c"}});
  const auto codes =
      encode(encoder, table_of("c,x\n1,1\n2.0,3\n-7,4\n1,5\nred,6\n")).X.col(0).eval();
  const Encoded other = encode(encoder, table_of("c,x\n1.0,1\n2,3\n-7.0,4\n1.0,5\nred,6\n"));
  EXPECT_EQ(other.X.col(0), codes);
  EXPECT_TRUE(other.notes.empty());
  const Encoded unseen = encode(encoder, table_of("c,x\n1.5,1\n1.00,2\nred.0,3\n-,4\n.0,5\n"));
  EXPECT_EQ(unseen.X.col(0), Vector::Constant(5, 4.0));
}

TEST(Encoding, AMissingCategoryWithoutOneInTrainingIsUnseen) {
  const Encoder encoder = fit(table_of("c,x\nred,1\nblue,3\nred,4\n"));
  const Encoded fresh = encode(encoder, table_of("c,x\n,1\nred,2\n"));
  EXPECT_EQ(fresh.X(0, 0), 2.0);
  EXPECT_EQ(fresh.X(1, 0), 1.0);
}

TEST(Encoding, MatchesColumnsByNameAndNeverByPosition) {
  const Table table = table_of("a,b\n1,10\n2,20\n3,60\n");
  const Encoder encoder = fit(table);
  const Encoded swapped = encode(encoder, table_of("b,extra,a\n10,x,1\n20,y,2\n60,z,3\n"));
  EXPECT_EQ(swapped.X, encode(encoder, table).X);
  EXPECT_TRUE(any_mentions(swapped.notes, "ignored: \"extra\""));
}

TEST(Encoding, RefusesAMissingColumnAndTextInANumberColumn) {
  const Encoder encoder = fit(table_of("a,b\n1,10\n2,20\n3,60\n"));
  EXPECT_TRUE(mentions(refusal([&] { return encode(encoder, table_of("a,c\n1,2\n")); }),
                       "1 column of the training table is missing here: \"b\""));
  EXPECT_TRUE(mentions(refusal([&] { return encode(encoder, table_of("a,b\n1,2\n3,tall\n")); }),
                       "line 3, column \"b\": \"tall\" is no number"));
}

TEST(Encoding, RemembersTheMissingWordsOfTraining) {
  const Table table = table_of("a,b\n1,10\n-9,20\n3,60\n", {.missing = {.words = {"-9"}}});
  const Encoder encoder = fit(table);
  const Encoded fresh = encode(encoder, table_of("a,b\n-9,10\n3,20\n"));
  EXPECT_EQ(fresh.X(0, 1), 1.0);
  EXPECT_EQ(fresh.names[1], "a is missing");
}

TEST(Encoding, NotesMissingNumbersThatTrainingDidNotHave) {
  const Encoder encoder = fit(table_of("a,b\n1,10\n2,20\n9,60\n"));
  const Encoded fresh = encode(encoder, table_of("a,b\n,10\n2,20\n"));
  EXPECT_TRUE(std::isnan(fresh.X(0, 0)));
  EXPECT_TRUE(any_mentions(fresh.notes, "1 cell is missing, and none was in training"));
}

TEST(Encoding, FillsMissingNumbersWhereAnOlderModelDid) {
  Encoder encoder = fit(table_of("a,b\n1,10\n2,20\n9,60\n"));
  encoder.columns[0].fill = -0.25;
  const Encoded fresh = encode(encoder, table_of("a,b\n,10\n2,20\n"));
  EXPECT_EQ(fresh.X(0, 0), -0.25);
  EXPECT_TRUE(any_mentions(fresh.notes, "taken as 3.1102"));
}

// Pareto-like: kurtosis far above 10.
Table heavy_table(int n) {
  return table_of(lines_of("x,c", n, [n](int i) {
    return std::to_string(1.0 / std::pow(1.0 - (i + 0.5) / n, 2)) + (i % 2 == 0 ? ",a" : ",b");
  }));
}

TEST(Encoding, MapsHeavyTailsByRanksToNormalScores) {
  const Table table = heavy_table(1000);
  const Encoder encoder = fit(table, {.label = "c"});
  const ColumnEncoder& column = encoder.columns[0];
  ASSERT_FALSE(column.knots.empty());
  EXPECT_LE(column.knots.size(), 201U);
  EXPECT_TRUE(std::is_sorted(column.scores.begin(), column.scores.end()));
  const Vector x = encode(encoder, table).X.col(0);
  EXPECT_NEAR(x.mean(), 0.0, rounding);
  EXPECT_NEAR(x.squaredNorm() / 1000.0, 1.0, rounding);
  // Knots lie 2·3.3/199 apart in score: nothing between them is off by more than that.
  EXPECT_NEAR(x[999], 3.29, 0.04);
  EXPECT_NEAR(x[841], 1.0, 0.04);
  EXPECT_TRUE(any_mentions(describe(encoder), "heavy tails: 1 column"));
  const Encoded beyond = encode(encoder, table_of("x,c\n1e300,a\n-1e300,b\n"));
  EXPECT_EQ(beyond.X(0, 0), column.scores.back());
  EXPECT_EQ(beyond.X(1, 0), column.scores.front());
}

TEST(Encoding, LeavesLightTailsShortColumnsAndRareFlagsOnTheLine) {
  EXPECT_TRUE(fit(heavy_table(19), {.label = "c"}).columns[0].knots.empty());
  const Table flags = table_of(
      lines_of("x,z", 200, [](int i) { return (i == 7 ? "1," : "0,") + std::to_string(i % 5); }));
  EXPECT_TRUE(fit(flags).columns[0].knots.empty());
  EXPECT_TRUE(fit(flags).columns[1].knots.empty());
}

TEST(Encoding, StaysFiniteForExtremeNumbers) {
  const std::vector<Names> columns = {{"1.7e308", "-1.7e308", "0", "1"},
                                      {"1e-308", "3e-308", "2e-308", "5e-324"},
                                      {"5e-324", "0", "5e-324", "1e-323"},
                                      {"1e16", "1.0000000000000002e16", "1e16", "1e16"},
                                      {"1e300", "1e-300", "0", "1"}};
  for (const Names& cells : columns)
    for (const int repeats : {1, 10}) {  // 40 rows reach the kurtosis rule
      std::string text = "x,y\n";
      for (int k = 0; k < repeats; ++k)
        for (std::size_t i = 0; i < cells.size(); ++i)
          text += (k > 0 ? cells[3] : cells[i]) + "," + std::to_string(i) + "\n";
      const Table table = table_of(text);
      const Encoder encoder = fit(table);
      EXPECT_TRUE(encode(encoder, table).X.allFinite()) << text;
      const Table far = table_of("x,y\n1.7e308,1\n-1.7e308,2\n5e-324,3\n");
      EXPECT_TRUE(encode(encoder, far).X.allFinite()) << text;
    }
}

TEST(Encoding, KeepsEveryRowOfATableOfMissingCells) {
  const Table table = table_of("x,c\n1,a\n2,b\n3,a\n");
  const Encoded encoded = encode(fit(table), table_of("x,c\n,\n,\n,\n,\n"));
  EXPECT_EQ(encoded.X.rows(), 4);
  EXPECT_TRUE(encoded.X.col(0).array().isNaN().all());
  EXPECT_TRUE(encoded.X.col(1).allFinite());
}

TEST(Encoding, TheEncoderIsAValue) {
  const Table table = heavy_table(100);
  const Encoder encoder = fit(table);
  Encoder copy = encoder;
  EXPECT_EQ(copy, encoder);
  copy.columns[0].scores[3] += 1.0;
  EXPECT_NE(copy, encoder);
  EXPECT_EQ(encoded_names(encoder), encode(encoder, table).names);
}

}  // namespace
}  // namespace candor
