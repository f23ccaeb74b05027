// SPDX-License-Identifier: MIT
// Paths, logarithms and refusals.
#include "tests/covariance/zoo.hpp"

#include <candor/covariance/check.hpp>
#include <candor/covariance/log_parameters.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace candor::testing_support {
namespace {

const Covariance covariance =
    2.0 * Covariance(SquaredExponential{Vector{{0.5, 3.0}}, {}}) + Covariance(Constant{1e-8});

TEST(CovarianceParameters, AreNamedByTheirPath) {
  const std::vector<std::string> expected{"terms[0].variance", "terms[0].factor.lengthscale[0]",
                                          "terms[0].factor.lengthscale[1]", "terms[1].variance"};
  EXPECT_EQ(parameter_names(covariance), expected);
}

TEST(CovarianceParameters, LeaveSmoothnessAndDiscreteColumnsOut) {
  const Covariance k = Matern{2.5, Vector::Ones(1), {0}};
  EXPECT_EQ(parameter_names(k), std::vector<std::string>{"lengthscale[0]"});
}

TEST(CovarianceParameters, AreLogarithmsInTheOrderOfTheirNames) {
  const Vector expected{{std::log(2.0), std::log(0.5), std::log(3.0), std::log(1e-8)}};
  EXPECT_EQ(log_parameters(covariance), expected);
}

TEST(CovarianceParameters, AreSetFromLogarithms) {
  const Covariance moved = with_log_parameters(covariance, Vector::Zero(4));
  EXPECT_EQ(moved,
            1.0 * Covariance(SquaredExponential{Vector::Ones(2), {}}) + Covariance(Constant{1.0}));
}

TEST(CovarianceParameters, RefuseVectorsOfTheWrongSizeAndNumbersThatOverflow) {
  EXPECT_THROW(static_cast<void>(with_log_parameters(covariance, Vector::Zero(3))), InvalidInput);
  EXPECT_THROW(static_cast<void>(with_log_parameters(covariance, Vector::Constant(4, 1e4))),
               InvalidInput);
  EXPECT_THROW(static_cast<void>(with_log_parameters(covariance, Vector::Constant(4, -1e4))),
               InvalidInput);
  const Vector not_numbers = Vector::Constant(4, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(static_cast<void>(with_log_parameters(covariance, not_numbers)), InvalidInput);
}

std::string refusal(const Covariance& k, Index columns) {
  try {
    check(k, columns);
  } catch (const InvalidInput& problem) {
    return problem.what();
  }
  return "";
}

TEST(CovarianceCheck, AcceptsTheZoo) {
  for (const Specimen& s : zoo()) EXPECT_EQ(refusal(s.covariance, s.columns), "") << s.label;
}

TEST(CovarianceCheck, NamesParameterValueAndRequirement) {
  const Covariance bad = Covariance(Constant{1.0}) + Covariance(Linear{Vector{{1.0, -2.0}}, {}});
  const std::string message = refusal(bad, 2);
  EXPECT_NE(message.find("terms[1].lengthscale[1] is -2"), std::string::npos) << message;
  EXPECT_NE(message.find("greater than 0"), std::string::npos) << message;
}

TEST(CovarianceCheck, RefusesNumbersThatAreNotPositive) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(refusal(Constant{bad}, 1), "");
    EXPECT_NE(refusal(Noise{bad}, 1), "");
    EXPECT_NE(refusal(bad * Covariance(Linear{}), 1), "");
    EXPECT_NE(refusal(RationalQuadratic{bad, Vector::Ones(1), {}}, 1), "");
    EXPECT_NE(refusal(Matern{bad, Vector::Ones(1), {}}, 1), "");
    EXPECT_NE(refusal(SquaredExponential{Vector::Constant(1, bad), {}}, 1), "");
  }
  EXPECT_EQ(refusal(Matern{501.0, Vector::Ones(1), {}}, 1),
            "smoothness is 501: it must be at most 500");
}

TEST(CovarianceCheck, RefusesSizesThatDisagreeWithTheTable) {
  EXPECT_EQ(refusal(SquaredExponential{Vector::Ones(3), {}}, 3), "");
  EXPECT_NE(refusal(SquaredExponential{Vector::Ones(2), {}}, 3), "");
  EXPECT_NE(refusal(SquaredExponential{Vector(0), {}}, 3), "");
  EXPECT_NE(refusal(SquaredExponential{}, 0), "");
}

TEST(CovarianceCheck, RefusesDiscreteColumnsOutOfRangeOrRepeated) {
  EXPECT_EQ(refusal(Linear{Vector::Ones(1), {0, 2}}, 3), "");
  EXPECT_NE(refusal(Linear{Vector::Ones(1), {3}}, 3), "");
  EXPECT_NE(refusal(Linear{Vector::Ones(1), {-1}}, 3), "");
  EXPECT_NE(refusal(Linear{Vector::Ones(1), {1, 1}}, 3), "");
}

TEST(CovarianceCheck, RefusesEmptySumsAndProducts) {
  EXPECT_NE(refusal(Sum{}, 1), "");
  EXPECT_NE(refusal(Product{}, 1), "");
  EXPECT_NE(refusal(2.0 * Covariance(Sum{}), 1), "");
}

TEST(CovarianceCheck, RefusesTreesThatAreTooDeep) {
  Covariance k = Linear{};
  for (int level = 0; level < max_covariance_depth; ++level) k = 2.0 * std::move(k);
  EXPECT_NE(refusal(k, 1), "");
}

}  // namespace
}  // namespace candor::testing_support
