// SPDX-License-Identifier: MIT
// How good class probabilities are, against labels.
#pragma once

#include <candor/linalg/types.hpp>

#include <vector>

namespace candor::cli {

// One bin of predictions by the probability of the predicted class.
struct CalibrationBin {
  double low = 0.0, high = 0.0;
  Index rows = 0;
  double confidence = 0.0;  // mean probability of the predicted class
  double accuracy = 0.0;
};

struct Metrics {
  Index rows = 0;
  double error = 0.0;              // share of rows whose most probable class is not the label
  double log_loss = 0.0;           // mean -log p(label), in nats
  double brier = 0.0;              // mean Σ_c (p_c - [c = label])²: 0 to 2
  double calibration_error = 0.0;  // Σ bins, share of rows × |accuracy - confidence|
  double auc = 0.0;  // P(a row of the class scores above one of another), mean over classes
  Eigen::MatrixXi confusion;  // label × predicted
  std::vector<CalibrationBin> bins;
};

// p: n×C, rows sum to 1; labels: 0 … C-1.  AUC is NaN when only one class occurs.
[[nodiscard]] Metrics measure(const Matrix& p, const std::vector<int>& labels, int bins = 10);

}  // namespace candor::cli
