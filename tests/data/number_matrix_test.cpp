// SPDX-License-Identifier: MIT
// Matrices of numbers: encoded as the same numbers in a table would be.
#include <candor/data/number_matrix.hpp>

#include "table_text.hpp"

#include <candor/linalg/errors.hpp>

#include <cmath>
#include <limits>

namespace candor {
namespace {

using namespace testing_data;
using Names = std::vector<std::string>;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

TEST(NumberMatrix, IsEncodedLikeATable) {
  const Table table = table_of("a,b,y\n1,10,u\n2.5,,v\n-3,40,u\n7,1e3,v\n");
  Matrix X(4, 2);
  X << 1, 10, 2.5, missing, -3, 40, 7, 1e3;
  const Encoder of_table = fit_encoder(table, infer_schema(table, {.label = "y"}));
  const Encoder of_matrix = fit_encoder(X, {"a", "b"}, Standardise::yes);
  EXPECT_EQ(of_matrix.columns, of_table.columns);
  const Encoded a = encode(of_table, table), b = encode(of_matrix, X);
  ASSERT_TRUE(std::isnan(a.X(1, 1)) && std::isnan(b.X(1, 1)));
  EXPECT_EQ(a.X.array().isNaN().select(0.0, a.X), b.X.array().isNaN().select(0.0, b.X));
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.discrete, b.discrete);
  EXPECT_EQ(a.source, b.source);
}

TEST(NumberMatrix, StaysAsItIsWhereThatIsAskedFor) {
  Matrix X(2, 2);
  X << 0.1, -1e6, 3e-300, 7;
  const Encoder encoder = fit_encoder(X, {"a", "b"}, Standardise::no);
  EXPECT_EQ(encode(encoder, X).X, X);
  X(1, 1) = 2e6;
  EXPECT_THROW((void)fit_encoder(X, {"a", "b"}, Standardise::no), InvalidInput);
  X(1, 1) = missing;
  EXPECT_THROW((void)fit_encoder(X, {"a", "b"}, Standardise::no), InvalidInput);
}

// Heavy tails too, so that ranks count copies.
TEST(NumberMatrix, AWeightOfKIsKCopies) {
  const Vector weight =
      Vector::NullaryExpr(40, [](Index i) { return 1.0 + static_cast<double>(i % 3); });
  Matrix X(40, 1), copies(static_cast<Index>(weight.sum()), 1);
  Index next = 0;
  for (Index i = 0; i < 40; ++i) {
    X(i, 0) =
        i % 9 == 2 ? std::pow(10.0, static_cast<double>(i % 4)) : 0.1 * static_cast<double>(i);
    for (int k = 0; k < static_cast<int>(weight[i]); ++k) copies(next++, 0) = X(i, 0);
  }
  const ColumnEncoder weighted = fit_encoder(X, {"a"}, Standardise::yes, weight).columns[0];
  const ColumnEncoder copied = fit_encoder(copies, {"a"}, Standardise::yes).columns[0];
  constexpr double rounding = 1e-12;
  EXPECT_NEAR(weighted.center, copied.center, rounding * 100.0);
  EXPECT_NEAR(weighted.scale, copied.scale, rounding * 1000.0);
  EXPECT_EQ(weighted.knots, copied.knots);
  const ColumnEncoder alone = fit_encoder(X, {"a"}, Standardise::yes).columns[0];
  EXPECT_GT(std::abs(alone.center - copied.center), 1e-3);
}

TEST(NumberMatrix, SaysWhatIsWrongAndWhere) {
  Matrix X = Matrix::Ones(3, 2);
  X.col(1) << 1, 2, 3;
  const Encoder encoder = fit_encoder(X, {"a", "b"}, Standardise::yes);
  EXPECT_THROW((void)encode(encoder, Matrix::Ones(3, 3)), InvalidInput);
  X(2, 1) = std::numeric_limits<double>::infinity();
  try {
    static_cast<void>(encode(encoder, X));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("X[2, 1]"), std::string::npos) << error.what();
  }
  X.col(0).setConstant(missing);
  EXPECT_THROW((void)fit_encoder(X, {"a", "b"}, Standardise::yes), InvalidInput);
}

TEST(NumberMatrix, NotesCellsThatTrainingDidNotMiss) {
  Matrix X(3, 1);
  X << 1, 2, 6;
  const Encoder encoder = fit_encoder(X, {"a"}, Standardise::yes);
  X(0, 0) = missing;
  const Encoded encoded = encode(encoder, X);
  EXPECT_TRUE(std::isnan(encoded.X(0, 0)));
  ASSERT_EQ(encoded.notes.size(), 1U);
  EXPECT_NE(encoded.notes[0].find("1 cell is missing"), std::string::npos);
}

}  // namespace
}  // namespace candor
