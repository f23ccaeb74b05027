// SPDX-License-Identifier: MIT
#include <apps/cli/metrics.hpp>

#include <candor/linalg/check.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace candor::cli {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Mann and Whitney's statistic by mid-ranks: ties count for half.
double area_under_curve(const Vector& score, const std::vector<int>& labels, int positive) {
  std::vector<Index> order(labels.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index i) { return score[i]; });
  double rank_sum = 0.0, positives = 0.0;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && score[order[last]] == score[order[first]]) ++last;
    const double rank = 0.5 * static_cast<double>(first + last + 1);  // from 1
    for (; first < last; ++first) {
      if (labels[at(order[first])] != positive) continue;
      rank_sum += rank;
      positives += 1.0;
    }
  }
  const double negatives = static_cast<double>(labels.size()) - positives;
  if (positives == 0.0 || negatives == 0.0) return std::numeric_limits<double>::quiet_NaN();
  return (rank_sum - 0.5 * positives * (positives + 1.0)) / (positives * negatives);
}

double mean_area(const Matrix& p, const std::vector<int>& labels) {
  if (p.cols() == 2) return area_under_curve(p.col(1), labels, 1);
  double sum = 0.0, classes = 0.0;
  for (Index c = 0; c < p.cols(); ++c) {
    const double area = area_under_curve(p.col(c), labels, static_cast<int>(c));
    if (std::isnan(area)) continue;
    sum += area;
    classes += 1.0;
  }
  return sum / classes;
}

std::vector<CalibrationBin> empty_bins(int count) {
  std::vector<CalibrationBin> bins;
  bins.reserve(static_cast<std::size_t>(count));
  for (int b = 0; b < count; ++b) {
    bins.push_back(
        {.low = static_cast<double>(b) / count, .high = static_cast<double>(b + 1) / count});
  }
  return bins;
}

double finish(std::vector<CalibrationBin>& bins, Index rows) {
  double error = 0.0;
  for (CalibrationBin& bin : bins) {
    if (bin.rows == 0) continue;
    const auto n = static_cast<double>(bin.rows);
    bin.confidence /= n;
    bin.accuracy /= n;
    error += n / static_cast<double>(rows) * std::abs(bin.accuracy - bin.confidence);
  }
  return error;
}

}  // namespace

Metrics measure(const Matrix& p, const std::vector<int>& labels, int bins) {
  const Index n = p.rows(), classes = p.cols();
  check_same_size("probabilities", n, "labels", static_cast<Index>(labels.size()));
  check_positive("rows with a label", static_cast<double>(n));
  Metrics m;
  m.rows = n;
  m.confusion = Eigen::MatrixXi::Zero(classes, classes);
  m.bins = empty_bins(bins);
  for (Index i = 0; i < n; ++i) {
    const int label = labels[at(i)];
    Index predicted = 0;
    const double confidence = p.row(i).maxCoeff(&predicted);
    const bool right = predicted == label;
    m.error += right ? 0.0 : 1.0;
    m.log_loss -= std::log(std::max(p(i, label), std::numeric_limits<double>::min()));
    m.brier += p.row(i).squaredNorm() - 2.0 * p(i, label) + 1.0;
    ++m.confusion(label, predicted);
    CalibrationBin& bin =
        m.bins[at(std::min<Index>(static_cast<Index>(confidence * bins), bins - 1))];
    ++bin.rows;
    bin.confidence += confidence;
    bin.accuracy += right ? 1.0 : 0.0;
  }
  const auto count = static_cast<double>(n);
  m.error /= count;
  m.log_loss /= count;
  m.brier /= count;
  m.calibration_error = finish(m.bins, n);
  m.auc = mean_area(p, labels);
  return m;
}

}  // namespace candor::cli
