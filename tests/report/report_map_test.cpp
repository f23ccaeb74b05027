// SPDX-License-Identifier: MIT
#include "fixture.hpp"

#include <apps/cli/report/map.hpp>
#include <apps/cli/report/principal.hpp>
#include <apps/cli/report/suspects.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace candor::cli {
namespace {

// Rounding of sums of a few hundred numbers of order 1.
constexpr double rounding = 1e-10;

TEST(PrincipalDirections, FindTheLongAxisOfACloud) {
  Matrix X(4, 3);
  X << 3, -3, 0, -3, 3, 0, 1, 1, 0, -1, -1, 0;
  const Principal found = principal_directions(X);
  EXPECT_NEAR(std::abs(found.directions.col(0).dot(Eigen::Vector3d(1, -1, 0).normalized())), 1.0,
              rounding);
  EXPECT_NEAR(found.share(0), 36.0 / 40.0, rounding);
  EXPECT_NEAR(found.share(1), 4.0 / 40.0, rounding);
}

TEST(PrincipalDirections, AreTheSameFromRowsAndFromColumns) {
  const auto made = make_up({.rows = 60, .numbers = 5});
  Matrix wide = Matrix::Zero(60, 1200);  // more columns than are squared: zeros change nothing
  wide.leftCols(5) = made->classifier.X;
  const Principal narrow = principal_directions(made->classifier.X);
  const Principal found = principal_directions(wide);
  EXPECT_LT((found.directions.topRows(5) - narrow.directions).norm(), 1e-8);  // squared condition
}

TEST(PrincipalDirections, OfASingleColumnAreThatColumnAndZero) {
  const Principal found = principal_directions(Vector::LinSpaced(5, 3.0, -1.0));
  EXPECT_EQ(found.directions, Eigen::RowVector2d(1.0, 0.0));
  EXPECT_NEAR(found.share(0), 1.0, rounding);
  EXPECT_EQ(found.share(1), 0.0);
}

TEST(PrincipalDirections, OfConstantRowsExplainNothing) {
  EXPECT_EQ(principal_directions(Matrix::Ones(5, 3)).share, Eigen::Vector2d(0.0, 0.0));
}

TEST(WithIndicators, MakesAColumnPerValue) {
  Matrix X(3, 2);
  X << 0.5, 1, 0.25, 4, 0.75, 1;
  Matrix expected(3, 3);
  expected << 0.5, 1, 0, 0.25, 0, 1, 0.75, 1, 0;
  EXPECT_EQ(with_indicators(X, {1}), expected);
}

TEST(Views, PutRowsThatLackANumberAtItsMean) {
  for (const Index numbers : {1, 2, 5}) {
    auto made = make_up({.rows = 60, .numbers = numbers});
    Matrix& X = made->classifier.X;
    for (Index i = 0; i < X.rows(); i += 4) X(i, 0) = std::numeric_limits<double>::quiet_NaN();
    for (const View& view : views_of(made->classifier)) {
      EXPECT_TRUE(view.points.allFinite() && view.origin.allFinite()) << view.title;
      EXPECT_TRUE(std::isfinite(view.x.low) && std::isfinite(view.x.high)) << view.title;
      EXPECT_NE(view.caption.find("lack a number"), std::string::npos) << view.title;
    }
    const auto suspects = suspects_json(made->input(), {});
    EXPECT_TRUE(suspects.at(0).contains("compared"));
    for (const auto& suspect : suspects) {
      if (!suspect.contains("compared")) continue;
      for (const auto& gap : suspect.at("compared").at("difference")) {
        EXPECT_TRUE(gap.is_null() || std::isfinite(gap.get<double>()));
      }
    }
  }
}

class EveryView : public testing::TestWithParam<Scenario> {};

TEST_P(EveryView, PutsEachRowWhereThePlaneSays) {
  const auto made = make_up(GetParam());
  for (const View& view : views_of(made->classifier)) {
    EXPECT_EQ(view.points.rows(), made->classifier.X.rows());
    const std::array axes{view.x, view.y};
    for (Index k = 0; k < 2; ++k) {
      EXPECT_GT(view.points.col(k).minCoeff(), axes[static_cast<std::size_t>(k)].low);
      EXPECT_LT(view.points.col(k).maxCoeff(), axes[static_cast<std::size_t>(k)].high);
    }
    if (view.origin.size() == 0) continue;
    const Matrix centred = made->classifier.X.rowwise() - view.origin.transpose();
    EXPECT_LT((centred * view.u - view.points.col(0)).norm(), rounding);
    EXPECT_NEAR(view.u.norm(), 1.0, rounding);
    EXPECT_NEAR(view.u.dot(view.v), 0.0, rounding);
    if (view.v.norm() > 0.0) {  // else rows are spread out to be seen
      EXPECT_LT((centred * view.v - view.points.col(1)).norm(), rounding);
      EXPECT_NEAR(view.v.norm(), 1.0, rounding);
    }
    for (const Index j : made->classifier.discrete) {
      EXPECT_EQ(view.u(j), 0.0);
      EXPECT_EQ(view.v(j), 0.0);
    }
  }
}

TEST_P(EveryView, ShowsRegionsThatAreProbabilities) {
  const auto made = make_up(GetParam());
  const auto probability = [&](const Matrix& X) { return made->probability(X); };
  const std::vector<View> views = views_of(made->classifier);
  for (const Regions& regions : regions_of(views, made->classifier, probability)) {
    for (std::size_t k = 0; !regions.planes.empty() && k < regions.planes[0].size(); ++k) {
      int sum = 0;
      for (const auto& plane : regions.planes) sum += plane[k];
      EXPECT_NEAR(sum, 10000, 2);  // each of up to four rounded by half a unit
    }
  }
}

TEST(Map, OverChosenColumnsHoldsTheOthersAtTheirMedian) {
  const auto made = make_up({.rows = 61, .categories = 1});
  const auto names = encoded_names(made->classifier.encoder);
  const std::vector<View> views = views_of(made->classifier, std::pair{names[3], names[0]});
  ASSERT_EQ(views.size(), 2U) << "the chosen ones, and principal components";
  const View& view = views.front();
  EXPECT_EQ(view.title, names[3] + " × " + names[0]);
  EXPECT_EQ(view.points.col(0), made->classifier.X.col(3));
  EXPECT_EQ(view.points.col(1), made->classifier.X.col(0));
  Vector other = made->classifier.X.col(1);
  std::sort(other.begin(), other.end());
  EXPECT_EQ(view.origin(1), other(30));
  EXPECT_NE(view.caption.find("held at its median"), std::string::npos);
}

// Every question costs a factorisation of each process.
TEST(Regions, OfAllViewsAreAskedForAtOnceAndBelongToTheirView) {
  const auto made = make_up({.classes = 3});
  const std::vector<View> views = views_of(made->classifier);
  ASSERT_GE(views.size(), 2U);
  int asked = 0;
  const auto probability = [&](const Matrix& X) {
    ++asked;
    return made->probability(X);
  };
  const std::vector<Regions> all = regions_of(views, made->classifier, probability);
  EXPECT_EQ(asked, 1);
  for (std::size_t k = 0; k < views.size(); ++k) {
    const Regions alone = regions_of({views[k]}, made->classifier, probability).front();
    EXPECT_FALSE(alone.planes.empty());
    EXPECT_EQ(all[k].planes, alone.planes);
    // The corner where both axes are lowest.
    const View& view = views[k];
    const Matrix corner = (view.origin + view.x.low * view.u + view.y.low * view.v).transpose();
    EXPECT_NEAR(alone.planes[0][0], 1e4 * made->probability(corner)(0, 0), 1.0);
  }
  EXPECT_TRUE(regions_of(views, made->classifier, {}).front().planes.empty());
}

INSTANTIATE_TEST_SUITE_P(Tables, EveryView,
                         testing::Values(Scenario{}, Scenario{.classes = 4, .categories = 2},
                                         Scenario{.numbers = 2}, Scenario{.numbers = 1},
                                         Scenario{.numbers = 1, .categories = 3}));

TEST(Views, ShowColumnsInTheUnitsOfTheTable) {
  const auto made = make_up({.numbers = 2});
  const std::vector<View> views = views_of(made->classifier);
  ASSERT_EQ(views.size(), 1U);
  const ColumnEncoder& encoder = made->classifier.encoder.columns[views[0].u(0) == 1.0 ? 0 : 1];
  ASSERT_GE(views[0].x.ticks.size(), 3U);
  for (const Tick& tick : views[0].x.ticks)
    EXPECT_NEAR(encoder.center + encoder.scale * tick.at, std::stod(tick.text), 1e-9);
}

TEST(Ticks, FollowABentAxis) {
  ColumnEncoder encoder;
  encoder.knots = {0.0, 1.0, 10.0, 1000.0};
  encoder.scores = {-2.0, -1.0, 1.0, 2.0};
  const std::vector<Tick> ticks = ticks_between(-2.1, 2.1, encoder);
  ASSERT_GE(ticks.size(), 4U);
  for (std::size_t k = 1; k < ticks.size(); ++k) EXPECT_GT(ticks[k].at, ticks[k - 1].at);
}

TEST(Map, ThinsLargeTablesButKeepsSuspectsAndTheirNeighbours) {
  const auto made = make_up({.rows = 8000, .classes = 3, .rate = 0.02});
  const ReportInput input = made->input();
  const auto views = views_of(made->classifier);
  const nlohmann::json map = map_json(input, views, std::vector<Regions>(views.size()), {});
  EXPECT_EQ(map["rows"].size(), 3000U);
  EXPECT_EQ(map["of"], 8000);
  std::set<Index> drawn;
  for (const auto& row : map["rows"]) drawn.insert(row.get<Index>());
  EXPECT_EQ(drawn.size(), 3000U);
  for (Index k = 0; k < made->audit.above(input.threshold); ++k) {
    const AuditedRow& row = made->audit.rows[static_cast<std::size_t>(k)];
    EXPECT_TRUE(drawn.contains(row.row + 1));
    for (const Neighbour& other : row.neighbours) EXPECT_TRUE(drawn.contains(other.row + 1));
  }
}

TEST(Map, GivesTheSevenCommonestClassesAColour) {
  const auto made = make_up({.rows = 2000, .classes = 12});
  const std::vector<int> colour = class_colours(made->classifier);
  EXPECT_EQ(std::set<int>(colour.begin(), colour.end()), (std::set<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(std::count(colour.begin(), colour.end(), 7), 5);
}

}  // namespace
}  // namespace candor::cli
