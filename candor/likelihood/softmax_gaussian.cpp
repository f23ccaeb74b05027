// SPDX-License-Identifier: MIT
#include <candor/likelihood/softmax_gaussian.hpp>

#include <candor/likelihood/lattice_rule.hpp>
#include <candor/likelihood/logistic_gaussian.hpp>
#include <candor/linalg/blas.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/linalg/normal.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace candor {
namespace {

constexpr double log_error = 18.4;   // of the trapezoidal rule: exp(-18.4) = 1e-8
constexpr double reach = 6.0;        // P(|z| > 6) = 2e-9
constexpr double negligible = 1e-5;  // an axis this short changes p by less than s²
constexpr double most_nodes = 65536.0;
constexpr Index block = 512;  // points whose latent values stay in cache

// f = mean + axes z with independent standard normal z, most important axis first.
struct Belief {
  Vector mean;
  Matrix axes;    // C×(number of axes that matter)
  Vector spread;  // s_j
};

// About the mean over classes, so that the direction which does not matter has variance 0.
Matrix centred(const MatrixRef& covariance) {
  const Matrix symmetric = covariance.selfadjointView<Eigen::Lower>();
  const Matrix rows = symmetric.rowwise() - symmetric.colwise().mean();
  return rows.colwise() - rows.rowwise().mean();
}

Belief principal_axes(const VectorRef& mean, const MatrixRef& covariance) {
  // Of order 1 inside the eigensolver, which squares its entries.
  const double scale = std::max(covariance.diagonal().maxCoeff(), 1e-300);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(centred(covariance / scale));
  const Index C = mean.size();
  Matrix axes = solver.eigenvectors();
  Vector spread(C);
  for (Index j = 0; j < C; ++j) {
    axes.col(j) *= std::sqrt(std::max(solver.eigenvalues()[j], 0.0)) * std::sqrt(scale);
    spread[j] = axes.col(j).maxCoeff() - axes.col(j).minCoeff();
  }
  std::vector<Index> order(static_cast<std::size_t>(C));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return spread[a] > spread[b]; });
  order.pop_back();  // the direction that does not matter, or one as short
  while (!order.empty() && !(spread[order.back()] > negligible)) order.pop_back();
  return {mean.array() - mean.maxCoeff(), axes(Eigen::all, order), spread(order)};
}

// Adds Σ_points weight × softmax(mean + axes z) for the columns z of Z.
void add_softmax(const Belief& belief, const MatrixRef& Z, const VectorRef& weight, Vector& sum) {
  Matrix F = belief.mean.replicate(1, Z.cols());
  if (Z.rows() > 0) blas::gemm(1.0, belief.axes, blas::Op::none, Z, blas::Op::none, 1.0, F);
  F.array().rowwise() -= F.colwise().maxCoeff().array().eval();
  F = F.array().exp();
  sum += F * weight.cwiseQuotient(F.colwise().sum().transpose());
}

// Moving the line of integration by d ≤ π/s into the complex plane shows the error of step h to be
// exp(d²/2 - 2πd/h).
double step(double spread) {
  const double d = std::min(std::numbers::pi / spread, std::sqrt(2.0 * log_error));
  return 2.0 * std::numbers::pi * d / (log_error + 0.5 * d * d);
}

// The product of one trapezoidal rule per axis, without the corners where the normal density is
// below exp(-log_error - 6) of its peak.
class TrapezoidalProduct {
 public:
  explicit TrapezoidalProduct(const Belief& belief) : belief_(&belief) {
    for (const double s : belief.spread) {
      const double h = step(s);
      steps_.push_back(h);
      sides_.push_back(std::ceil(reach / h));
    }
  }

  [[nodiscard]] double nodes() const {
    return std::accumulate(sides_.begin(), sides_.end(), 1.0, [](double product, double side) {
      return product * (2.0 * side + 1.0);
    });
  }

  [[nodiscard]] Vector integrate() {
    const Index axes = belief_->axes.cols();
    sum_ = Vector::Zero(belief_->mean.size());
    z_ = Vector::Zero(axes);
    Z_.resize(axes, block);
    weight_.resize(block);
    walk(0, 0.0);
    flush();
    return sum_;
  }

 private:
  void walk(Index axis, double squares) {
    if (axis == z_.size()) return add(std::exp(-0.5 * squares));
    const auto j = static_cast<std::size_t>(axis);
    const auto side = static_cast<Index>(sides_[j]);
    for (Index i = -side; i <= side; ++i) {
      z_[axis] = static_cast<double>(i) * steps_[j];
      const double so_far = squares + z_[axis] * z_[axis];
      if (so_far <= 2.0 * (log_error + 6.0)) walk(axis + 1, so_far);
    }
  }

  void add(double weight) {
    Z_.col(used_) = z_;
    weight_[used_++] = weight;
    if (used_ == block) flush();
  }

  void flush() {
    add_softmax(*belief_, Z_.leftCols(used_), weight_.head(used_), sum_);
    used_ = 0;
  }

  const Belief* belief_;
  std::vector<double> steps_, sides_;
  Vector sum_, z_, weight_;
  Matrix Z_;
  Index used_ = 0;
};

// Every point and its mirror image -z, which makes terms of odd order exact.
Vector integrate_by_lattice(const Belief& belief, const Matrix& lattice) {
  Vector sum = Vector::Zero(belief.mean.size());
  const Index axes = belief.axes.cols();
  Belief mirrored = belief;
  mirrored.axes *= -1.0;
  for (Index first = 0; first < lattice.cols(); first += block) {
    const Index count = std::min(block, lattice.cols() - first);
    const auto Z = lattice.block(0, first, axes, count);
    add_softmax(belief, Z, Vector::Ones(count), sum);
    add_softmax(mirrored, Z, Vector::Ones(count), sum);
  }
  return sum;
}

// z with Φ(z) = p.  log Φ is concave and increasing: Newton's method converges from anywhere.
double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1.0 - p);
  double z = 0.0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const double change = (std::log(p) - log_normal_cdf(z)) / normal_ratios(z).r;
    z += change;
    if (std::abs(change) < 1e-12) break;
  }
  return z;
}

// The lattice folded at ½, which makes functions periodic, as normals.  Moved by a quarter of a step
// so that no folded point is 0 or 1: they are (k + ½)/points.
Matrix normal_lattice(Index dimensions) {
  Vector quantile(lattice_points);
  for (Index i = 0; i < lattice_points; ++i) {
    const double x = (static_cast<double>(i) + 0.25) / static_cast<double>(lattice_points);
    quantile[i] = normal_quantile(1.0 - std::abs(2.0 * x - 1.0));
  }
  Matrix Z(dimensions, lattice_points);
  for (Index j = 0; j < dimensions; ++j) {
    const Index generator = lattice_generator[static_cast<std::size_t>(j)];
    for (Index i = 0; i < lattice_points; ++i) Z(j, i) = quantile[i * generator % lattice_points];
  }
  return Z;
}

Vector by_logistic(const VectorRef& mean, const MatrixRef& covariance) {
  const double difference = mean[1] - mean[0];
  const double variance =
      std::max(covariance(0, 0) + covariance(1, 1) - 2.0 * covariance(1, 0), 0.0);
  return Vector{
      {expected_logistic({-difference, variance}), expected_logistic({difference, variance})}};
}

}  // namespace

SoftmaxGaussian::SoftmaxGaussian(Index classes) {
  check_interval("classes", static_cast<double>(classes), 2.0, max_classes + 1.0);
  if (classes > 2) lattice_ = normal_lattice(classes - 1);
}

Vector SoftmaxGaussian::operator()(const VectorRef& mean, const MatrixRef& covariance) const {
  const Index C = mean.size();
  check_same_size("mean", C, "rows of covariance", covariance.rows());
  check_same_size("mean", C, "columns of covariance", covariance.cols());
  check_same_size("mean", C, "classes", lattice_.rows() > 0 ? lattice_.rows() + 1 : 2);
  check_all_finite("mean", mean);
  check_all_finite("covariance", covariance);
  if (C == 2) {
    const Vector p = by_logistic(mean, covariance);
    return p / p.sum();
  }
  const Belief belief = principal_axes(mean, covariance);
  TrapezoidalProduct product(belief);
  const Vector p =
      product.nodes() <= most_nodes ? product.integrate() : integrate_by_lattice(belief, lattice_);
  return p / p.sum();
}

Vector softmax_gaussian(const VectorRef& mean, const MatrixRef& covariance) {
  return SoftmaxGaussian(mean.size())(mean, covariance);
}

}  // namespace candor
