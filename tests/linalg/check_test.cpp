// SPDX-License-Identifier: MIT
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

namespace candor {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Checks, AcceptWhatTheirNamesAllow) {
  EXPECT_NO_THROW(check_finite("x", -1e308));
  EXPECT_NO_THROW(check_positive("x", 5e-324));
  EXPECT_NO_THROW(check_non_negative("x", 0.0));
  EXPECT_NO_THROW(check_interval("x", 0.0, 0.0, 0.5));
  EXPECT_NO_THROW(check_same_size("a", 3, "b", 3));
  EXPECT_NO_THROW(check_all_finite("X", Matrix::Ones(2, 3)));
  EXPECT_NO_THROW(check_all_finite("X", Matrix(0, 3)));
  EXPECT_NO_THROW(check_inputs("X", Matrix::Constant(2, 3, nan)));
}

TEST(Checks, NameParameterValueAndRequirement) {
  EXPECT_EQ(refusal([] { check_finite("x", infinity); }), "x is inf: it must be finite");
  EXPECT_EQ(refusal([] { check_inputs("X", Matrix::Constant(1, 1, -infinity)); }),
            "X(0, 0) is -inf: it must be finite, or NaN where it is not known");
  EXPECT_EQ(refusal([] { check_positive("variance", -2.0); }),
            "variance is -2: it must be finite and greater than 0");
  EXPECT_EQ(refusal([] { check_non_negative("noise", -1e-300); }),
            "noise is -1e-300: it must be finite and at least 0");
  EXPECT_EQ(refusal([] { check_interval("flip_probability", 0.5, 0.0, 0.5); }),
            "flip_probability is 0.5: it must be at least 0 and less than 0.5");
  EXPECT_EQ(refusal([] { check_same_size("X", 5, "y", 4); }),
            "X has size 5 and y has size 4: they must have the same size");
}

TEST(Checks, RefuseNanEverywhere) {
  EXPECT_EQ(refusal([] { check_finite("x", -nan); }), "x is nan: it must be finite");
  EXPECT_NE(refusal([] { check_positive("x", nan); }), "accepted");
  EXPECT_NE(refusal([] { check_non_negative("x", nan); }), "accepted");
  EXPECT_NE(refusal([] { check_interval("x", nan, 0.0, 1.0); }), "accepted");
}

TEST(Checks, RefuseInfinityWhereAFiniteNumberIsAsked) {
  EXPECT_NE(refusal([] { check_positive("x", infinity); }), "accepted");
  EXPECT_NE(refusal([] { check_non_negative("x", infinity); }), "accepted");
}

TEST(Checks, PointAtTheFirstBadEntryByRow) {
  Matrix X = Matrix::Zero(4, 3);
  X(3, 0) = nan;
  X(2, 1) = -infinity;
  EXPECT_EQ(refusal([&] { check_all_finite("X", X); }), "X(2, 1) is -inf: it must be finite");
  EXPECT_EQ(refusal([&] { check_all_finite("X", X.bottomRows(1)); }),
            "X(0, 0) is nan: it must be finite");
}

}  // namespace
}  // namespace candor
