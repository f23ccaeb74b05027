// SPDX-License-Identifier: MIT
#include "brute_force.hpp"

#include <candor/likelihood/largest_normal.hpp>
#include <candor/linalg/normal.hpp>

#include <gtest/gtest.h>
#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace candor {
namespace {

struct Case {
  Index y;
  Vector mean, variance;
};

// Near and far classes, likely and contradicted ones, variances within 10^(2 decades) of each other.
std::vector<Case> cases(Index classes, double decades, int count) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<Case> all;
  for (int i = 0; i < count; ++i) {
    Case c{i % classes, Vector(classes), Vector(classes)};
    const double distance = std::pow(10.0, 1.5 * uniform(random));
    for (Index k = 0; k < classes; ++k) {
      c.mean[k] = distance * normal(random);
      c.variance[k] = std::pow(10.0, decades * uniform(random));
    }
    if (i % 2 == 0) c.mean.maxCoeff(&c.y);
    all.push_back(c);
  }
  return all;
}

// Errors of log P (relative to its size from 1 on), of 1 - P and of Var[x_k]/s_k (relative), of the
// curvature and of slope and mean in standard deviations (absolute).
struct Errors {
  double log_P = 0.0, missing = 0.0, shrink = 0.0, curvature = 0.0, slope = 0.0, mean = 0.0;
};

void keep_larger(double& worst, double error) { worst = std::max(worst, std::abs(error)); }

// The integral as it is written, over panels cut at every feature of the integrand; moments are
// taken around the claimed ones.
class BruteForce {
 public:
  BruteForce(const Case& c, const LargestNormal& claimed)
      : c_(c), claimed_(claimed), sd_(c.variance.cwiseSqrt()), k_(c.mean.size()) {
    const std::vector<double> all = cuts();
    for (std::size_t i = 0; i + 1 < all.size(); ++i) add_between(all[i], all[i + 1]);
  }

  void compare(Errors& worst) const {
    keep_larger(worst.log_P, std::log(weight_) / std::max(1.0, std::abs(claimed_.log_P)));
    if (claimed_.missing > 1e-12) keep_larger(worst.missing, claimed_.missing / missing_ - 1.0);
    for (Index k = 0; k < c_.mean.size(); ++k) {
      const Sums& s = k_[static_cast<std::size_t>(k)];
      const double r = s.r / weight_, v = s.v / weight_;
      const double spread = s.r2 / weight_ - r * r;
      const bool is_y = k == c_.y;
      const double shrink = is_y ? s.v2 / weight_ - v * v : s.p / weight_ + spread;
      const double curvature = s.rq / weight_ - spread;
      keep_larger(worst.shrink, claimed_.shrink[k] / shrink - 1.0);
      keep_larger(worst.slope, r / std::max(1.0, std::abs(claimed_.slope[k])));
      if (std::abs(claimed_.slope[k]) < 10.0)
        keep_larger(worst.curvature, claimed_.curvature[k] - curvature);
      keep_larger(worst.mean, is_y ? v : s.mean / weight_);
    }
  }

 private:
  // Sums over the nodes of one class: of r (or √s_y A for y) and v relative to what is claimed.
  struct Sums {
    double r = 0.0, r2 = 0.0, rq = 0.0, p = 0.0, v = 0.0, v2 = 0.0, mean = 0.0;
  };

  std::vector<double> cuts() const {
    std::vector<double> all;
    for (Index k = 0; k < sd_.size(); ++k)
      for (const double z : {-38.0, -12.0, -6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 12.0, 38.0})
        all.push_back(c_.mean[k] + z * sd_[k]);
    const double sd = sd_[c_.y] * std::sqrt(claimed_.shrink[c_.y]);
    for (const double z : {-40.0, -12.0, -6.0, -3.0, 0.0, 3.0, 6.0, 12.0, 40.0})
      all.push_back(claimed_.mean[c_.y] + z * sd);
    std::sort(all.begin(), all.end());
    return all;
  }

  void add_between(double low, double high) {
    constexpr int panels = 4;
    using Rule = boost::math::quadrature::gauss<double, 30>;
    const double half = 0.5 * (high - low) / panels;
    if (!(half > 0.0)) return;
    for (int i = 0; i < panels; ++i)
      for (std::size_t j = 0; j < Rule::abscissa().size(); ++j)
        for (const double sign : {-1.0, 1.0})
          add(low + half * (2.0 * i + 1.0 + sign * Rule::abscissa()[j]), half * Rule::weights()[j]);
  }

  void add(double v, double length) {
    const double t = (v - c_.mean[c_.y]) / sd_[c_.y];
    const double log_normal = -0.5 * (t * t + std::log(2.0 * std::numbers::pi * c_.variance[c_.y]));
    double log_cdf = 0.0;
    for (Index k = 0; k < sd_.size(); ++k)
      if (k != c_.y) log_cdf += log_normal_cdf((v - c_.mean[k]) / sd_[k]);
    missing_ += length * std::exp(log_normal) * -std::expm1(log_cdf);
    const double log_weight = log_normal + log_cdf - claimed_.log_P;
    if (log_weight < -700.0) return;
    const double w = length * std::exp(log_weight);
    weight_ += w;
    add_moments(v, w);
  }

  void add_moments(double v, double w) {
    double pull = 0.0, bend = 0.0;
    for (Index k = 0; k < sd_.size(); ++k) {
      if (k == c_.y) continue;
      const NormalRatios n = normal_ratios((v - c_.mean[k]) / sd_[k]);
      const double change = n.r + claimed_.slope[k], ratio = sd_[c_.y] / sd_[k];
      Sums& s = k_[static_cast<std::size_t>(k)];
      s.r += w * change;
      s.r2 += w * change * change;
      s.rq += w * n.r * n.r_plus_z;
      s.p += w * n.one_minus_r_r_plus_z;
      s.mean += w * ((v - claimed_.mean[k]) / sd_[k] - n.r_plus_z);
      pull += n.r * ratio;
      bend += n.r * n.r_plus_z * ratio * ratio;
    }
    Sums& s = k_[static_cast<std::size_t>(c_.y)];
    const double change = pull - claimed_.slope[c_.y];
    const double distance = (v - claimed_.mean[c_.y]) / sd_[c_.y];
    s.r += w * change;
    s.r2 += w * change * change;
    s.rq += w * bend;
    s.v += w * distance;
    s.v2 += w * distance * distance;
  }

  const Case& c_;
  const LargestNormal& claimed_;
  Vector sd_;
  double weight_ = 0.0, missing_ = 0.0;
  std::vector<Sums> k_;
};

using Rule = std::function<LargestNormal(const Case&)>;
Errors errors_of(const Rule& rule, double decades, int count) {
  Errors worst;
  for (const Index classes : {2, 3, 6, 12, 30})
    for (const Case& c : cases(classes, decades, count)) {
      const LargestNormal claimed = rule(c);
      BruteForce(c, claimed).compare(worst);
    }
  return worst;
}

LargestNormal as_it_is(const Case& c) { return largest_normal(c.y, c.mean, c.variance); }

// Three times and more what was measured on 4800 cavities (docs/math/multiclass.md).
::testing::AssertionResult agrees_with_brute_force(const Rule& rule, double decades) {
  const Errors worst = errors_of(rule, decades, 4);
  const bool mild = decades < 2.0;
  if (worst.log_P < 1e-12 && worst.missing < 1e-10 && worst.shrink < (mild ? 1e-11 : 1e-9) &&
      worst.curvature < 1e-10 && worst.slope < 1e-11 && worst.mean < (mild ? 1e-11 : 1e-9))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "variances over " << 2.0 * decades << " decades: log P " << worst.log_P << ", 1 - P "
         << worst.missing << ", shrink " << worst.shrink << ", curvature " << worst.curvature
         << ", slope " << worst.slope << ", mean " << worst.mean;
}

TEST(LargestNormal, AgreesWithBruteForceQuadrature) {
  for (const double decades : {0.0, 0.5, 1.5, 5.0})
    EXPECT_TRUE(agrees_with_brute_force(as_it_is, decades));
}

TEST(LargestNormal, TheBruteForceLawFindsASmallErrorOfOneCurvature) {
  const auto slightly_off = [](const Case& c) {
    LargestNormal wrong = as_it_is(c);
    wrong.curvature[0] += 1e-8;
    return wrong;
  };
  EXPECT_FALSE(agrees_with_brute_force(slightly_off, 0.5));
}

TEST(LargestNormal, ProbabilityAloneIsTheSame) {
  for (const double decades : {0.0, 1.5, 5.0})
    for (const Case& c : cases(7, decades, 50)) {
      const double log_P = as_it_is(c).log_P;
      EXPECT_NEAR(log_probability_largest(c.y, c.mean, c.variance), log_P,
                  1e-13 * (1.0 + std::abs(log_P)));
    }
}

// Right of a rival that is sharp the mode is far from where Newton's steps first become short.
TEST(LargestNormal, FindsAModeBeyondASharpRival) {
  const Vector mean{{0.0, 1.0, 1e3}}, variance{{1e2, 1e-10, 1e2}};
  const LargestNormal found = largest_normal(0, mean, variance);
  const LargestNormal alone =
      largest_normal(0, Vector{{0.0, 1e3}}, Vector{{1e2, 1e2}});  // the sharp one is out of reach
  EXPECT_NEAR(found.log_P / alone.log_P, 1.0, 1e-14);
  EXPECT_NEAR(found.mean[0] / alone.mean[0], 1.0, 1e-13);
}

}  // namespace
}  // namespace candor
