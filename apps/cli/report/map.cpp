// SPDX-License-Identifier: MIT
#include "map.hpp"

#include "suspects.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace candor::cli {
namespace {

using nlohmann::json;

// Predictions cost n² each: a coarser grid for large tables.
constexpr Index many_rows = 4000;

int colour_count(const std::vector<int>& colour) {
  return colour.empty() ? 0 : 1 + *std::max_element(colour.begin(), colour.end());
}

bool has_grid(const View& view) { return view.origin.size() > 0; }

// Encoded inputs at the points of a view's grid, row by row.
Matrix grid_points(const View& view, const Regions& grid) {
  Matrix X(grid.columns * grid.rows, view.origin.size());
  const Vector a = Vector::LinSpaced(grid.columns, view.x.low, view.x.high);
  const Vector b = Vector::LinSpaced(grid.rows, view.y.low, view.y.high);
  for (Index k = 0; k < X.rows(); ++k)
    X.row(k) = view.origin + a[k % grid.columns] * view.u + b[k / grid.columns] * view.v;
  return X;
}

// Classes that share a colour: the most probable of them.
Matrix by_colour(const Matrix& p, const std::vector<int>& colour) {
  Matrix P = Matrix::Zero(p.rows(), colour_count(colour));
  for (Index c = 0; c < p.cols(); ++c) {
    auto target = P.col(colour[static_cast<std::size_t>(c)]);
    target = target.cwiseMax(p.col(c));
  }
  return P;
}

// Position of a value between low and high, in ten-thousandths.
int place(double value, const Axis& axis) {
  return static_cast<int>(std::lround(1e4 * (value - axis.low) / (axis.high - axis.low)));
}

json axis_json(const Axis& axis) {
  json ticks = json::array();
  for (const Tick& tick : axis.ticks) ticks.push_back({place(tick.at, axis), tick.text});
  const bool plain = ticks.empty() && !axis.bare;  // the page finds round numbers by itself
  return {{"label", axis.label},
          {"ticks", plain ? json(nullptr) : ticks},
          {"low", axis.low},
          {"high", axis.high}};
}

// Training rows to draw: listed suspects and their neighbours first, then every k-th of the others
// in order of class, so that small classes keep their share.
std::vector<Index> chosen_points(const ReportInput& input, const Limits& limits) {
  const Classifier& classifier = input.classifier;
  const auto n = static_cast<Index>(classifier.row.size());
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index{0});
  if (n <= limits.points) return all;

  std::set<Index> kept;
  for (Index rank = 0; rank < listed_rows(input, limits); ++rank) {
    const AuditedRow& row = input.audit.rows[static_cast<std::size_t>(rank)];
    kept.insert(row.row);
    for (const Neighbour& neighbour : row.neighbours) kept.insert(neighbour.row);
  }
  std::vector<Index> chosen, rest;
  for (const Index i : all)
    (kept.contains(classifier.row[static_cast<std::size_t>(i)]) ? chosen : rest).push_back(i);
  std::stable_sort(rest.begin(), rest.end(), [&](Index a, Index b) {
    return classifier.label[static_cast<std::size_t>(a)] <
           classifier.label[static_cast<std::size_t>(b)];
  });
  const Index room = std::max<Index>(limits.points - static_cast<Index>(chosen.size()), 0);
  for (Index k = 0; k < room; ++k)
    chosen.push_back(rest[static_cast<std::size_t>(k * static_cast<Index>(rest.size()) / room)]);
  return chosen;
}

}  // namespace

std::vector<int> class_colours(const Classifier& classifier) {
  const std::size_t C = classifier.classes.size();
  std::vector<Index> count(C, 0);
  for (const int label : classifier.label) ++count[static_cast<std::size_t>(label)];
  std::vector<std::size_t> order(C);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
  std::vector<int> colour(C, colours);
  for (std::size_t k = 0; k < std::min<std::size_t>(C, colours); ++k) colour[order[k]] = 0;
  int next = 0;
  for (int& c : colour)
    if (c == 0) c = next++;
  return colour;
}

std::vector<Regions> regions_of(const std::vector<View>& views, const Classifier& classifier,
                                const ClassProbability& probability) {
  std::vector<Regions> regions(views.size());
  const Index grids = probability ? std::ranges::count_if(views, has_grid) : 0;
  if (grids == 0) return regions;
  const bool many = classifier.X.rows() > many_rows;
  const Regions empty{.columns = many ? 41 : 65, .rows = many ? 29 : 45, .planes = {}};
  const Index t = empty.columns * empty.rows;
  Matrix X(grids * t, classifier.X.cols());
  Index first = 0;
  for (const View& view : views) {
    if (!has_grid(view)) continue;
    X.middleRows(first, t) = grid_points(view, empty);
    first += t;
  }
  // Once for all views: every call factorises the posterior of every process again.
  const Matrix P = by_colour(probability(X), class_colours(classifier));
  first = 0;
  for (std::size_t k = 0; k < views.size(); ++k) {
    if (!has_grid(views[k])) continue;
    regions[k] = empty;
    for (Index c = 0; c < P.cols(); ++c) {
      std::vector<int>& plane = regions[k].planes.emplace_back();
      for (const double p : P.col(c).segment(first, t))
        plane.push_back(static_cast<int>(std::lround(1e4 * p)));
    }
    first += t;
  }
  return regions;
}

json map_json(const ReportInput& input, const std::vector<View>& views,
              const std::vector<Regions>& regions, const Limits& limits) {
  const std::vector<Index> chosen = chosen_points(input, limits);
  std::map<Index, double> p_wrong;
  for (const AuditedRow& row : input.audit.rows) p_wrong[row.row] = row.p_wrong;

  json rows = json::array(), given = json::array(), wrong = json::array();
  for (const Index i : chosen) {
    const Index row = input.classifier.row[static_cast<std::size_t>(i)];
    rows.push_back(row + 1);
    given.push_back(input.classifier.label[static_cast<std::size_t>(i)]);
    wrong.push_back(rounded(p_wrong[row]));
  }
  json pictures = json::array();
  for (std::size_t k = 0; k < views.size(); ++k) {
    const View& view = views[k];
    json x = json::array(), y = json::array();
    for (const Index i : chosen) {
      x.push_back(place(view.points(i, 0), view.x));
      y.push_back(place(view.points(i, 1), view.y));
    }
    json picture{{"title", view.title},
                 {"caption", view.caption},
                 {"x", axis_json(view.x)},
                 {"y", axis_json(view.y)},
                 {"at_x", x},
                 {"at_y", y}};
    if (!regions[k].planes.empty())
      picture["grid"] = {{"columns", regions[k].columns},
                         {"rows", regions[k].rows},
                         {"planes", regions[k].planes}};
    pictures.push_back(std::move(picture));
  }
  return {{"rows", rows},
          {"given", given},
          {"p_wrong", wrong},
          {"views", pictures},
          {"of", input.classifier.row.size()}};
}

}  // namespace candor::cli
