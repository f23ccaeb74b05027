// SPDX-License-Identifier: MIT
#include "fixture.hpp"

#include <apps/cli/report/escape.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <string_view>

namespace candor::cli {
namespace {

using nlohmann::json;

std::size_t count_of(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

// The page's own markup and nothing else: two scripts, no image, no comment, nothing to load.
testing::AssertionResult holds_own_markup_only(std::string_view page) {
  if (count_of(page, "<script") != 2 || count_of(page, "</script") != 2)
    return testing::AssertionFailure() << "a script element was opened or closed by a text";
  for (const char* word : {"<img", "<!--", "src=\"", "url(", "@import", "https://"})
    if (count_of(page, word) != 0) return testing::AssertionFailure() << "the page holds " << word;
  // The one address is the name of SVG in the script, which nothing is loaded from.
  if (count_of(page, "http://") != count_of(page, "http://www.w3.org/2000/svg"))
    return testing::AssertionFailure() << "the page holds an address";
  return testing::AssertionSuccess();
}

json data_of(std::string_view page) {
  const std::size_t open = page.find("<script type=\"application/json\"");
  const std::size_t start = page.find('>', open) + 1;
  return json::parse(page.substr(start, page.find("</script>", start) - start));
}

TEST(Report, HoldsItsOwnMarkupOnly) { EXPECT_TRUE(holds_own_markup_only(report_of({}))); }

TEST(Report, KeepsEveryTextOfTheTableInert) {
  EXPECT_TRUE(
      holds_own_markup_only(report_of({.classes = 3, .categories = 2, .cell = hostile_cell})));
}

TEST(Report, MarkupLawDetectsATextThatIsNotEscaped) {
  std::string page = report_of({});
  page.insert(page.find("<main>"), "<p>" + hostile_cell + "</p>");
  EXPECT_FALSE(holds_own_markup_only(page));
}

TEST(Report, ShowsCellsExactly) {
  const std::string cell = "</script> \"a\" & 'b' \\ \xE2\x80\xA8 é\t<b>";
  const json data = data_of(report_of({.cell = cell}));
  EXPECT_EQ(data["suspects"][0]["compared"]["cells"].back()[0].get<std::string>().substr(10), cell);
  EXPECT_EQ(data["classes"][0]["name"], "normal" + cell);
}

TEST(Report, ReplacesBytesThatAreNoUtf8) {
  const json data = data_of(report_of({.cell = "\xFF\xC3"}));
  EXPECT_EQ(data["classes"][0]["name"], "normal\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Report, IsTheSameForTheSameInput) {
  const Scenario scenario{.classes = 3, .categories = 1};
  EXPECT_EQ(report_of(scenario), report_of(scenario));
}

TEST(Report, FitsItsLimitWithTwentyThousandRows) {
  EXPECT_LT(report_of({.rows = 20000, .classes = 3, .numbers = 10}).size(), 1'000'000U);
}

TEST(Report, FitsItsLimitWithManyClassesColumnsAndLongCells) {
  const std::string page = report_of({.rows = 1500,
                                      .classes = 30,
                                      .numbers = 150,
                                      .rate = 0.3,
                                      .cell = std::string(3000, '<'),
                                      .neighbours_for = 400});
  // Texts outside the lists (command, name, settings) stand in full; the limit leaves room for
  // them.
  EXPECT_LT(page.size(), 2'000'000U);
  EXPECT_EQ(data_of(page)["suspects"].size() >= 20, true);
}

TEST(Report, ListsEverySuspectInTheOrderOfTheAudit) {
  const auto made = make_up({.rate = 0.2});
  const ReportInput input = made->input();
  const json data = data_of(html_report(input, {}));
  const auto count = data["summary"]["suspects"].get<std::size_t>();
  ASSERT_GT(count, 20U);
  ASSERT_EQ(data["suspects"].size(), count);
  for (std::size_t k = 0; k < count; ++k) {
    EXPECT_EQ(data["suspects"][k]["row"], made->audit.rows[k].row + 1);
    EXPECT_GT(made->audit.rows[k].p_wrong, input.threshold);
  }
}

TEST(Report, ListsAsManyRowsAsAskedForWhereFewAreSuspect) {
  const json data = data_of(report_of({.rate = 0.0}));
  EXPECT_EQ(data["summary"]["suspects"], 0);
  EXPECT_EQ(data["suspects"].size(), 20U);
}

TEST(Report, CountsEveryRowOnceInTheHistogram) {
  const json counts = data_of(report_of({.rows = 500}))["histogram"];
  Index sum = 0;
  for (const json& count : counts) sum += count.get<Index>();
  EXPECT_EQ(sum, 500);
}

TEST(Report, ReviewCurveEndsAtTheExpectedNumberOfErrors) {
  const auto made = make_up({.rows = 3000});
  const json curve = data_of(html_report(made->input(), {}))["curve"];
  EXPECT_EQ(curve["reviewed"].back(), 3000);
  // Written with three decimals.
  EXPECT_NEAR(curve["found"].back().get<double>(), made->audit.expected_wrong, 5.1e-4);
}

TEST(Report, ComparesTheColumnsThatDifferMostFirst) {
  const json data = data_of(report_of({.categories = 2}));
  for (const json& suspect : data["suspects"]) {
    double last = std::numeric_limits<double>::infinity();
    for (const json& gap : suspect["compared"]["difference"]) {
      const double size =
          gap.is_null() ? -1.0 : gap.get<double>();  // columns that are no inputs: last
      EXPECT_LE(size, last);
      last = size;
    }
  }
}

TEST(Report, LeavesOutAMarginThatWasNotCompared) {
  auto made = make_up({});
  made->audit.margin = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(data_of(html_report(made->input(), {}))["summary"]["margin"].is_null());
}

TEST(Report, SaysWhetherItsIntervalsSupposeAnError) {
  EXPECT_EQ(data_of(report_of({.rate = 0.1}))["summary"]["surely_has_errors"], true);
  EXPECT_EQ(data_of(report_of({.rate = 0.0}))["summary"]["surely_has_errors"], false);
}

TEST(Report, SaysAboveWhichDoubtAnotherLabelIsSuggested) {
  const auto made = make_up({});
  ReportInput input = made->input();
  for (const auto& [threshold, doubt] : {std::pair{0.3, "0.3"}, std::pair{0.9, "0.5"}}) {
    input.threshold = threshold;
    EXPECT_NE(html_report(input, {}).find("where p_wrong is above " + std::string(doubt) + ","),
              std::string::npos);
  }
}

TEST(Report, SaysThatAFitHasNotConverged) {
  EXPECT_EQ(data_of(report_of({.converged = false}))["summary"]["converged"], false);
}

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(shortened("äöü", 3), "äöü");
  EXPECT_EQ(shortened("äöü", 2), "äö…");
  EXPECT_EQ(shortened("", 0), "");
}

}  // namespace
}  // namespace candor::cli
