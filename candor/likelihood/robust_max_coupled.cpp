// SPDX-License-Identifier: MIT
#include <candor/likelihood/confused_label.hpp>
#include <candor/likelihood/random_label.hpp>
#include <candor/likelihood/robust_max_coupled.hpp>
#include <candor/linalg/bivariate_normal.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/linalg/normal.hpp>

#include <Eigen/LU>

#include <array>
#include <cmath>
#include <string>

namespace candor {
namespace {

// Of C - 1 rows, without the heap.
constexpr int most_contrasts = 2;
using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_contrasts, most_contrasts>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_contrasts, 1>;

constexpr double deep = -18.0;  // log P from which moments have more digits than derivatives

// The event u + noise > 0 in units of the standard deviations of u + noise.
struct Orthant {
  double log_P;
  double missing;
  SmallVector slope;       // of log P in the standardised means
  SmallMatrix hessian;     //
  SmallVector mean;        // E[u + noise | event]
  SmallMatrix covariance;  // of the same
};

Orthant half_line(double z) {
  const NormalRatios n = normal_ratios(z);
  Orthant out{log_normal_cdf(z), normal_cdf(-z), SmallVector(1),
              SmallMatrix(1, 1), SmallVector(1), SmallMatrix(1, 1)};
  out.slope << n.r;
  out.hessian << (n.r > 0.0 ? -n.r * n.r_plus_z : 0.0);
  out.mean << n.r_plus_z;
  out.covariance << n.one_minus_r_r_plus_z;
  return out;
}

Orthant quadrant(double a, double b, const Correlation& correlation) {
  const BivariateNormal n = bivariate_normal(a, b, correlation);
  const double r = correlation.r;
  Orthant out{n.log_cdf,
              n.missing,
              SmallVector{{n.slope_a, n.slope_b}},
              SmallMatrix(2, 2),
              SmallVector{{n.gap_a, n.gap_b}},
              SmallMatrix(2, 2)};
  const double mixed = n.mixed - n.slope_a * n.slope_b;
  out.hessian << -n.slope_a * (a + n.slope_a) - r * n.mixed, mixed,  //
      mixed, -n.slope_b * (b + n.slope_b) - r * n.mixed;
  out.covariance << n.variance_a, n.covariance, n.covariance, n.variance_b;
  return out;
}

// Rows f_y - f_k for k ≠ y, in terms of the contrasts.
SmallMatrix differences(Index classes, Index y) {
  const Matrix B = contrasts(classes);
  SmallMatrix W(classes - 1, classes - 1);
  for (Index k = 0, i = 0; k < classes; ++k)
    if (k != y) W.row(i++) = (B.col(y) - B.col(k)).transpose();
  return W;
}

struct LabelEvent {
  Orthant orthant;
  SmallMatrix scaled;  // D⁻¹ W: contrasts to standardised differences
};

LabelEvent label_event(Index classes, Index y, const VectorRef& mean, const SmallMatrix& noisy) {
  const SmallMatrix W = differences(classes, y);
  const SmallMatrix S = W * noisy * W.transpose();
  const SmallVector inv_sd = S.diagonal().array().rsqrt();
  const SmallMatrix scaled = inv_sd.asDiagonal() * W;
  const SmallVector z = scaled * mean;
  if (classes == 2) return {half_line(z[0]), scaled};
  // |S| = 3 |V + v₂ I| without the cancellation of 1 - r².
  const double complement = std::sqrt(3.0 * noisy.determinant()) * inv_sd[0] * inv_sd[1];
  return {quadrant(z[0], z[1], {S(0, 1) * inv_sd[0] * inv_sd[1], complement}), scaled};
}

void check_cavity(const RobustMax& likelihood, const VectorRef& mean, const MatrixRef& covariance) {
  likelihood.check();
  if (likelihood.classes > 3)
    throw InvalidInput("classes is " + std::to_string(likelihood.classes) +
                       ", but the coupled form takes 2 or 3");
  check_same_size("classes - 1", likelihood.classes - 1, "mean", mean.size());
  check_same_size("mean", mean.size(), "covariance", covariance.rows());
  check_same_size("mean", mean.size(), "covariance", covariance.cols());
  check_all_finite("mean", mean);
  check_all_finite("covariance", covariance);
  check_positive("covariance", covariance(0, 0));
  check_positive("determinant of covariance", SmallMatrix(covariance).determinant());
}

SmallMatrix symmetric(const SmallMatrix& A) { return 0.5 * (A + A.transpose()); }

// Gradient and Hessian of log Z in the cavity's mean.
CoupledTilted from_derivatives(const LabelMass& mass, const SmallVector& gradient,
                               const SmallMatrix& H, const VectorRef& m, const MatrixRef& V) {
  const SmallMatrix identity = SmallMatrix::Identity(m.size(), m.size());
  CoupledTilted out{mass, {}, {}, m + V * gradient, symmetric(V + V * H * V)};
  out.T = symmetric(-H * (identity + V * H).inverse());
  out.nu = gradient + out.T * out.mean;
  return out;
}

// Of log P of one event.
struct Derivatives {
  SmallVector slope;
  SmallMatrix hessian;
};

Derivatives derivatives_of(const LabelEvent& event) {
  return {event.scaled.transpose() * event.orthant.slope,
          event.scaled.transpose() * event.orthant.hessian * event.scaled};
}

// Sums of positive matrices: for contradicted labels, where 1 + z² terms of the Hessian cancel.
CoupledTilted from_moments(const RandomLabel& label, const LabelEvent& event, double noise_variance,
                           const VectorRef& m, const MatrixRef& V) {
  const SmallMatrix noisy = V + noise_variance * SmallMatrix::Identity(m.size(), m.size());
  const SmallMatrix gain = V * noisy.inverse();
  const SmallMatrix back = event.scaled.inverse();
  const SmallVector change = gain * (back * event.orthant.mean - m);
  const SmallMatrix to_latent = gain * back;
  const SmallMatrix clean =
      noise_variance * gain + to_latent * event.orthant.covariance * to_latent.transpose();
  CoupledTilted out{label.mass, {}, {}, m + label.right * change, {}};
  out.covariance = symmetric(label.random * V + label.right * clean +
                             label.right * label.random * change * change.transpose());
  const SmallMatrix precision = out.covariance.inverse(), cavity_precision = V.inverse();
  out.T = symmetric(precision - cavity_precision);
  out.nu = precision * out.mean - cavity_precision * m;
  return out;
}

}  // namespace

Matrix contrasts(Index classes) {
  Matrix B = Matrix::Zero(classes - 1, classes);
  for (Index j = 0; j + 1 < classes; ++j) {
    const auto before = static_cast<double>(j + 1);
    B.row(j).head(j + 1).setOnes();
    B(j, j + 1) = -before;
    B.row(j) /= std::sqrt(before * (before + 1.0));
  }
  return B;
}

CoupledTilted tilted_coupled(const RobustMax& likelihood, int y, double flip_rate,
                             const VectorRef& mean, const MatrixRef& covariance) {
  check_cavity(likelihood, mean, covariance);
  likelihood.check_row(y, flip_rate);
  const double v2 = likelihood.noise_variance;
  const SmallMatrix noisy = covariance + v2 * Matrix::Identity(mean.size(), mean.size());
  const LabelEvent event = label_event(likelihood.classes, y, mean, noisy);
  const RandomLabel label =
      random_label(likelihood.classes, flip_rate, event.orthant.log_P, event.orthant.missing);
  if (event.orthant.log_P < deep && label.right > 0.5)
    return from_moments(label, event, v2, mean, covariance);
  const auto [slope, clean] = derivatives_of(event);
  const SmallMatrix H = label.right * (clean + label.random * slope * slope.transpose());
  return from_derivatives(label.mass, label.right * slope, H, mean, covariance);
}

CoupledTilted tilted_confused_coupled(const RobustMax& likelihood, int y, const VectorRef& recorded,
                                      const VectorRef& mean, const MatrixRef& covariance) {
  check_cavity(likelihood, mean, covariance);
  const Index C = likelihood.classes;
  const SmallMatrix noisy =
      covariance + likelihood.noise_variance * Matrix::Identity(mean.size(), mean.size());
  std::array<Derivatives, most_contrasts + 1> of;
  Vector log_P(C);
  for (Index k = 0; k < C; ++k) {
    const LabelEvent event = label_event(C, k, mean, noisy);
    log_P[k] = event.orthant.log_P;
    of[static_cast<std::size_t>(k)] = derivatives_of(event);
  }
  const ConfusedLabel label = confused_label(y, recorded, log_P);
  SmallVector gradient = SmallVector::Zero(mean.size());
  SmallMatrix H = SmallMatrix::Zero(mean.size(), mean.size());
  for (Index k = 0; k < C; ++k) {
    gradient += label.share[k] * of[static_cast<std::size_t>(k)].slope;
  }
  for (Index k = 0; k < C; ++k) {
    const auto& [slope, hessian] = of[static_cast<std::size_t>(k)];
    const SmallVector apart = slope - gradient;
    H += label.share[k] * (hessian + apart * apart.transpose());
  }
  return from_derivatives(label.mass, gradient, H, mean, covariance);
}

Vector class_probabilities_coupled(const RobustMax& likelihood, const VectorRef& mean,
                                   const MatrixRef& covariance) {
  check_cavity(likelihood, mean, covariance);
  const Matrix noisy =
      covariance + likelihood.noise_variance * Matrix::Identity(mean.size(), mean.size());
  Vector p(likelihood.classes);
  for (Index y = 0; y < p.size(); ++y)
    p[y] = std::exp(label_event(likelihood.classes, y, mean, noisy).orthant.log_P);
  return p / p.sum();
}

}  // namespace candor
