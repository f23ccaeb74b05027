// SPDX-License-Identifier: MIT
#include <candor/data/observation_columns.hpp>

#include "table_text.hpp"

namespace candor {
namespace {

using namespace testing_data;

TEST(Weights, ArePositiveNumbers) {
  const Vector weights = read_weights(table_of("w,x\n1,a\n0.5,b\n,d\n1e3,c\n"), 0, {0, 1, 3});
  EXPECT_EQ(weights, (Vector(3) << 1.0, 0.5, 1000.0).finished());
}

TEST(Weights, AreRefusedWithTheirLineOtherwise) {
  for (const std::string bad : {"0", "-1", "inf", "", "x", "1e999"}) {
    const std::string sentence = refusal([&] {
      return read_weights(table_of("w,x\n1,a\n" + bad + ",b\n"), 0, {0, 1});
    });
    EXPECT_TRUE(mentions(sentence, "line 3, column \"w\": weight is \"" + bad +
                                       "\": it must be finite and greater than 0"))
        << sentence;
  }
}

TEST(Weights, AreRefusedWhereTheyAreCountsOfAWholePopulation) {
  const std::string sentence = refusal([] {
    return read_weights(table_of("w,x\n1,a\n20000,b\n"), 0, {0, 1});
  });
  EXPECT_TRUE(mentions(sentence, "line 3, column \"w\": weight is \"20000\", which would count"))
      << sentence;
  EXPECT_TRUE(mentions(sentence, "divide all weights by their mean")) << sentence;
}

TEST(Trusted, KnowsTheWaysToSayYesAndNo) {
  const Table table =
      table_of("t,x\n1,1\nTRUE,2\nyes,3\nY,4\nt,5\n0,6\nFalse,7\nno,8\nN,9\nf,10\n,11\n");
  const std::vector<bool> trusted = read_trusted(table, 0);
  for (std::size_t i = 0; i < trusted.size(); ++i) EXPECT_EQ(trusted[i], i < 5) << i;
}

TEST(Trusted, ListsWhatItCannotRead) {
  const std::string sentence =
      refusal([] { return read_trusted(table_of("t,x\n1,1\nmaybe,2\nsure,3\nmaybe,4\n"), 0); });
  EXPECT_TRUE(mentions(sentence, "line 3, column \"t\": \"maybe\" and \"sure\" cannot be read"))
      << sentence;
}

}  // namespace
}  // namespace candor
