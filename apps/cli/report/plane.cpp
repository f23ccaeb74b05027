// SPDX-License-Identifier: MIT
#include "plane.hpp"

#include "principal.hpp"

#include <candor/linalg/with_means.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>

namespace candor::cli {
namespace {

std::vector<Index> number_columns(const Classifier& classifier) {
  std::vector<Index> columns;
  for (Index j = 0; j < classifier.X.cols(); ++j)
    if (std::find(classifier.discrete.begin(), classifier.discrete.end(), j) ==
        classifier.discrete.end())
      columns.push_back(j);
  return columns;
}

double commonest(const Matrix& X, Index column) {
  std::map<double, Index> count;
  for (Index i = 0; i < X.rows(); ++i) ++count[X(i, column)];
  return std::max_element(count.begin(), count.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// Indicator columns follow their number.
Index columns_of(const ColumnEncoder& encoder) {
  return !encoder.category && encoder.indicator ? 2 : 1;
}

// Where a number stands, "x is missing" says no, however many rows lack it.
void put_commonest(const Classifier& classifier, Vector& row) {
  for (const Index j : classifier.discrete) row(j) = commonest(classifier.X, j);
  Index next = 0;
  for (const ColumnEncoder& encoder : classifier.encoder.columns) {
    if (columns_of(encoder) == 2) row(next + 1) = 0.0;
    next += columns_of(encoder);
  }
}

// The mean row, with the commonest value in columns that are compared for equality.
Vector centre(const Classifier& classifier) {
  Vector origin = with_means(classifier.X).colwise().mean();
  put_commonest(classifier, origin);
  return origin;
}

// Likewise of medians, which a person can look up in the table.
Vector median_row(const Classifier& classifier) {
  Vector origin = Vector::Zero(classifier.X.cols());
  for (Index j = 0; j < origin.size(); ++j) {
    std::vector<double> x;
    for (const double value : classifier.X.col(j)) {
      if (!std::isnan(value)) x.push_back(value);
    }
    if (x.empty()) continue;
    const auto middle = x.begin() + std::ssize(x) / 2;
    std::nth_element(x.begin(), middle, x.end());
    origin(j) = *middle;
  }
  put_commonest(classifier, origin);
  return origin;
}

// The encoder of a column of X.
const ColumnEncoder* encoder_of(const Classifier& classifier, Index column) {
  Index next = 0;
  for (const ColumnEncoder& encoder : classifier.encoder.columns) {
    if (next == column) return &encoder;
    next += columns_of(encoder);
  }
  return nullptr;
}

std::string name_of_column(const Classifier& classifier, Index column) {
  const auto names = encoded_names(classifier.encoder);
  const auto place = static_cast<std::size_t>(column);
  return place < names.size() ? names[place] : fmt::format("column {}", column + 1);
}

void set_range(Axis& axis, const Vector& values) {
  const double low = values.minCoeff(), high = values.maxCoeff();
  const double margin = high > low ? 0.05 * (high - low) : 1.0;
  axis.low = low - margin;
  axis.high = high + margin;
}

Axis column_axis(const Classifier& classifier, Index column) {
  Axis axis{.label = name_of_column(classifier, column), .ticks = {}};
  set_range(axis, with_means(classifier.X.col(column)));
  if (const ColumnEncoder* encoder = encoder_of(classifier, column); encoder != nullptr)
    axis.ticks = ticks_between(axis.low, axis.high, *encoder);
  return axis;
}

// Share of a column's variance that lies between the classes.
double separation(const Classifier& classifier, Index column) {
  const auto C = static_cast<Index>(classifier.classes.size());
  Vector sum = Vector::Zero(C), count = Vector::Zero(C);
  const Vector known = with_means(classifier.X.col(column));
  const Vector x = known.array() - known.mean();
  for (Index i = 0; i < x.size(); ++i) {
    const Index c = classifier.label[static_cast<std::size_t>(i)];
    sum(c) += x(i);
    count(c) += 1.0;
  }
  const double total = x.squaredNorm();
  const double between = (sum.array().square() / count.array().max(1.0)).sum();
  return total > 0.0 ? between / total : 0.0;
}

// Where normal scores stand for a number, equal steps of its axis are not equal steps of the
// number.
std::string bend_sentence(const Classifier& classifier, Index column) {
  const ColumnEncoder* encoder = encoder_of(classifier, column);
  if (encoder == nullptr || encoder->knots.empty()) return "";
  return fmt::format(" {} has far outliers: its axis is stretched so that they fit.",
                     encoder->name);
}

View column_view(const Classifier& classifier, Index i, Index j, const std::string& which) {
  View view;
  view.x = column_axis(classifier, i);
  view.y = column_axis(classifier, j);
  view.title = fmt::format("{} × {}", view.x.label, view.y.label);
  view.origin = median_row(classifier);
  view.origin(i) = view.origin(j) = 0.0;
  view.u = Vector::Unit(view.origin.size(), i);
  view.v = Vector::Unit(view.origin.size(), j);
  view.points.resize(classifier.X.rows(), 2);
  view.points << with_means(classifier.X.col(i)), with_means(classifier.X.col(j));
  view.caption = which + ", in the table's units." + bend_sentence(classifier, i) +
                 bend_sentence(classifier, j);
  if (classifier.X.cols() > 2)
    view.caption +=
        " Regions and boundary: the model with every other column held at its median"
        " (categories at their commonest value), so a row that is far from the median in"
        " those columns may rightly lie in another class's region.";
  else
    view.caption += " Regions and boundary: the model itself, since there are no other inputs.";
  return view;
}

// "rises with T4 and T3, falls with TSH": the columns that carry most of a direction.
std::string reading(const Classifier& classifier, const Vector& direction) {
  std::vector<Index> order(static_cast<std::size_t>(direction.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(direction(a)) > std::abs(direction(b));
  });
  std::string up, down;
  const double least = 0.4 * std::abs(direction(order.front()));
  for (std::size_t k = 0; k < std::min<std::size_t>(order.size(), 3); ++k) {
    const double weight = direction(order[k]);
    if (std::abs(weight) < least) break;
    std::string& list = weight > 0.0 ? up : down;
    list += (list.empty() ? "" : ", ") + name_of_column(classifier, order[k]);
  }
  if (down.empty()) return "rises with " + up;
  return up.empty() ? "falls with " + down
                    : fmt::format("rises with {} and falls with {}", up, down);
}

Axis component_axis(int number, double share, const Vector& values) {
  Axis axis{.label = fmt::format("component {} ({:.0f} % of the variation)", number, 100.0 * share),
            .ticks = {}};
  set_range(axis, values);
  return axis;
}

View principal_view(const Classifier& classifier, const std::vector<Index>& columns) {
  View view;
  view.title = "Principal components";
  view.origin = centre(classifier);
  const Matrix X = with_means(classifier.X), numbers = X(Eigen::all, columns);
  const Principal principal = principal_directions(numbers);
  view.u = view.v = Vector::Zero(classifier.X.cols());
  view.u(columns) = principal.directions.col(0);
  view.v(columns) = principal.directions.col(1);
  const Matrix centred = X.rowwise() - view.origin.transpose();
  view.points.resize(centred.rows(), 2);
  view.points << centred * view.u, centred * view.v;
  view.x = component_axis(1, principal.share(0), view.points.col(0));
  view.y = component_axis(2, principal.share(1), view.points.col(1));
  view.caption = fmt::format(
      "The two directions of the encoded number columns along which rows differ most."
      " Component 1 {}; component 2 {}. Regions and boundary: the model evaluated on the plane of"
      " these directions through the mean row{}; rows off that plane may rightly lie in another"
      " class's region.",
      reading(classifier, view.u), reading(classifier, view.v),
      classifier.discrete.empty() ? "" : " (categories at their commonest value)");
  return view;
}

// Tables of categories: every level a column of 0 and 1.  A point of such a plane is no row, so
// there are no regions.
View category_view(const Classifier& classifier) {
  View view;
  view.title = "Principal components";
  const Matrix numbers = with_indicators(with_means(classifier.X), classifier.discrete);
  const Principal principal = principal_directions(numbers);
  const Matrix centred = numbers.rowwise() - numbers.colwise().mean();
  view.points = centred * principal.directions;
  view.x = component_axis(1, principal.share(0), view.points.col(0));
  view.y = component_axis(2, principal.share(1), view.points.col(1));
  view.caption =
      "The two directions along which rows differ most, each category counted as a column of 0"
      " and 1; rows with the same values lie on each other. No regions are drawn: a point between"
      " categories stands for no possible row.";
  return view;
}

// One number: its rows along a line, spread across it by class.  Up and down is no input, so v = 0.
View single_view(const Classifier& classifier) {
  View view;
  view.x = column_axis(classifier, 0);
  view.title = view.x.label;
  view.origin = Vector::Zero(1);
  view.u = Vector::Unit(1, 0);
  view.v = Vector::Zero(1);
  const Vector x = with_means(classifier.X);
  view.points.resize(x.size(), 2);
  for (Index i = 0; i < x.size(); ++i) {
    // Multiples of the golden ratio, modulo 1, fill an interval evenly.
    const double spread = std::fmod(0.6180339887498949 * static_cast<double>(i), 1.0);
    const int label = classifier.label[static_cast<std::size_t>(i)];
    view.points.row(i) << x[i], label + 0.7 * spread;
  }
  view.y = {.label = "a band for each given label", .ticks = {}, .bare = true};
  set_range(view.y, view.points.col(1));
  view.caption =
      "The one input, in the table's units. Rows are moved up and down only to be told apart,"
      " in one band for each given label. Regions: the model itself.";
  return view;
}

// The two number columns that tell the classes apart best.
View telling_view(const Classifier& classifier, const std::vector<Index>& columns) {
  std::vector<double> score;
  score.reserve(columns.size());
  for (const Index j : columns) score.push_back(separation(classifier, j));
  std::vector<std::size_t> order(columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
  return column_view(classifier, columns[order[0]], columns[order[1]],
                     "The two number columns whose values differ most between the classes");
}

// By the table's names: of the encoded ones an indicator may have another column's.
Index column_named(const Classifier& classifier, const std::string& name) {
  Index next = 0;
  const auto& columns = classifier.encoder.columns;
  const auto found = std::ranges::find(columns, name, &ColumnEncoder::name);
  assert(found != columns.end());
  for (auto column = columns.begin(); column != found; ++column) next += columns_of(*column);
  return next;
}

}  // namespace

std::vector<View> views_of(const Classifier& classifier, const MapColumns& chosen) {
  if (classifier.X.rows() == 0 || classifier.X.cols() == 0) return {};
  const std::vector<Index> columns = number_columns(classifier);
  std::vector<View> views;
  if (classifier.X.cols() == 1 && columns.size() == 1) {
    views.push_back(single_view(classifier));
  } else if (columns.size() < 2) {
    views.push_back(category_view(classifier));
  } else if (chosen) {
    views.push_back(column_view(classifier, column_named(classifier, chosen->first),
                                column_named(classifier, chosen->second),
                                "The two columns that were asked for"));
  }
  if (columns.size() > 2) views.push_back(principal_view(classifier, columns));
  if (columns.size() > 1 && !chosen) views.push_back(telling_view(classifier, columns));
  if (classifier.X.hasNaN()) {
    for (View& view : views)
      view.caption +=
          " Rows that lack a number are drawn at its mean; the regions are those of rows that "
          "have it.";
  }
  return views;
}

}  // namespace candor::cli
