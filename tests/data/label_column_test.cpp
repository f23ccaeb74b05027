// SPDX-License-Identifier: MIT
#include <candor/data/label_column.hpp>
#include <candor/data/natural_order.hpp>

#include "table_text.hpp"

#include <algorithm>
#include <random>

namespace candor {
namespace {

using namespace testing_data;
using Names = std::vector<std::string>;

Table labelled(const Names& labels) {
  std::string text = "x,y\n";
  for (std::size_t i = 0; i < labels.size(); ++i)
    text += std::to_string(i) + "," + labels[i] + "\n";
  return table_of(text, {.header = true});
}

TEST(LabelColumn, OrdersClassesNaturallyAndCodesRows) {
  const LabelColumn labels = read_labels(labelled({"type10", "type2", "", "type2", "?"}), 1);
  EXPECT_EQ(labels.classes, (Names{"type2", "type10"}));
  EXPECT_EQ(labels.codes, (std::vector<int>{1, 0, -1, 0, -1}));
  EXPECT_EQ(labels.counts, (std::vector<Index>{2, 1}));
  EXPECT_EQ(labels.missing, 2);
  EXPECT_TRUE(any_mentions(labels.notes, "of one row only: \"type10\""));
}

TEST(LabelColumn, NotesClassesThatLookAlike) {
  const LabelColumn labels =
      read_labels(labelled({"yes", "Yes", "yes.", "\" yes\"", "no", "1", "1.0"}), 1);
  EXPECT_EQ(labels.classes.size(), 7U);
  EXPECT_TRUE(any_mentions(labels.notes, "\"yes\""));
  EXPECT_TRUE(any_mentions(labels.notes, "\"1\" and \"1.0\" look alike"));
  EXPECT_FALSE(any_mentions(labels.notes, "\"no\" and \"yes\""));
}

TEST(LabelColumn, RefusesWhatIsNoLabel) {
  const auto refused = [](const Names& labels) {
    return refusal([&] { return read_labels(labelled(labels), 1); });
  };
  EXPECT_TRUE(mentions(refused({"", "?", "NA"}), "every label is missing"));
  EXPECT_TRUE(mentions(refused({"a", "a"}), "one class only, \"a\""));
  Names many;
  for (int i = 0; i < 120; ++i) many.push_back("c" + std::to_string(i));
  EXPECT_TRUE(mentions(refused(many), "120 different values: at most 100"));
}

TEST(LabelColumn, CodesNewRowsUnderKnownClasses) {
  const Table table = labelled({"b", "", "a"});
  EXPECT_EQ(
      read_labels(table, 1, Names{"a", "b", "c"}, MissingWords(std::vector<std::string>{})).codes,
      (std::vector<int>{1, -1, 0}));
  const std::string sentence = refusal([&] {
    return read_labels(labelled({"low.", "high."}), 1, Names{"low", "high"},
                       MissingWords(std::vector<std::string>{}));
  });
  EXPECT_TRUE(mentions(sentence, "line 2, column \"y\": \"low.\" is not among the known classes"))
      << sentence;
  EXPECT_TRUE(mentions(sentence, "did you mean \"low\"?")) << sentence;
  // NA is a class here, and "none" meant missing in training.
  const Table named = labelled({"NA", "EU", "none"});
  EXPECT_EQ(read_labels(named, 1, Names{"EU", "NA"}, MissingWords(std::vector<std::string>{"none"}))
                .codes,
            (std::vector<int>{1, 0, -1}));
}

TEST(NaturalOrder, PutsNumbersByValueAndDigitsInTextsAsNumbers) {
  Names names{"b", "item10", "10", "item2", "2", "-3", "a", "1e1", "item02"};
  std::sort(names.begin(), names.end(), natural_less);
  EXPECT_EQ(names, (Names{"-3", "2", "10", "1e1", "a", "b", "item02", "item2", "item10"}));
}

TEST(NaturalOrder, IsAStrictOrderOnRandomTexts) {
  const unsigned seed = 7;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  Names names;
  for (int i = 0; i < 60; ++i) {
    std::string name;
    for (auto k = random() % 5; k > 0; --k) name += "01a.-"[random() % 5];
    names.push_back(name);
  }
  for (const std::string& a : names)
    for (const std::string& b : names) {
      EXPECT_EQ(natural_less(a, b) + natural_less(b, a), a == b ? 0 : 1) << a << " " << b;
      for (const std::string& c : names)
        EXPECT_TRUE(!natural_less(a, b) || !natural_less(b, c) || natural_less(a, c));
    }
}

}  // namespace
}  // namespace candor
