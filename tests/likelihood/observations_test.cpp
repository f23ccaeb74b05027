// SPDX-License-Identifier: MIT
#include <candor/likelihood/observations.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace candor {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string refusal(const Observations& observations, const Likelihood& likelihood) {
  try {
    check(observations, likelihood);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

Vector vector(std::initializer_list<double> values) {
  Vector v(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

TEST(Observations, RowsCarryWhatIsKnown) {
  const Observations plain{.y = vector({1, -1}), .weight = {}, .known_flip_rate = {}};
  EXPECT_EQ(plain.size(), 2);
  EXPECT_EQ(plain.weight_of(1), 1.0);
  EXPECT_EQ(plain.weights(), Vector::Ones(2));
  EXPECT_TRUE(std::isnan(plain.row(0).known_flip_rate));

  const Observations rich{
      .y = vector({1, -1}), .weight = vector({2, 3}), .known_flip_rate = vector({0, 0.25})};
  EXPECT_EQ(rich.row(1).y, -1.0);
  EXPECT_EQ(rich.row(1).known_flip_rate, 0.25);
  EXPECT_EQ(rich.weight_of(1), 3.0);
  EXPECT_EQ(rich.weights(), rich.weight);
}

TEST(Observations, AreAcceptedWhereTheLikelihoodCanHaveProducedThem) {
  EXPECT_EQ(refusal({vector({1, -1}), {}, {}}, Probit{}), "accepted");
  EXPECT_EQ(refusal({vector({1}), {}, {}}, Logistic{}), "accepted");
  EXPECT_EQ(refusal({vector({0.3, -7}), vector({1, 0.5}), {}}, Gaussian{}), "accepted");
  EXPECT_EQ(refusal({vector({1, -1}), {}, vector({not_a_number, 0.2})}, Threshold{}), "accepted");
  EXPECT_EQ(refusal({vector({1, -1}), {}, vector({not_a_number, 0.0})}, Probit{}), "accepted");
}

TEST(Observations, AreRefusedByRowAndValue) {
  EXPECT_EQ(refusal({vector({1, 0, -1}), {}, {}}, Threshold{}),
            "row 1: y is 0: it must be -1 or +1");
  EXPECT_EQ(refusal({vector({1, -1, 2}), {}, {}}, Logistic{}),
            "row 2: y is 2: it must be -1 or +1");
  EXPECT_EQ(refusal({vector({1, infinity}), {}, {}}, Gaussian{}),
            "row 1: y is inf: it must be finite");
  EXPECT_EQ(refusal({vector({1, -1}), vector({1, 0}), {}}, Probit{}),
            "row 1: weight is 0: it must be finite and greater than 0");
  EXPECT_EQ(refusal({vector({1, -1}), {}, vector({0.5, 0})}, Threshold{}),
            "row 0: known_flip_rate is 0.5: it must be at least 0 and less than 0.5");
}

TEST(Observations, AreRefusedForEveryOtherMistake) {
  EXPECT_NE(refusal({}, Probit{}), "accepted");
  EXPECT_NE(refusal({vector({1, not_a_number}), {}, {}}, Threshold{}), "accepted");
  EXPECT_NE(refusal({vector({1, -1}), vector({1}), {}}, Threshold{}), "accepted");
  EXPECT_NE(refusal({vector({1, -1}), {}, vector({0, 0, 0})}, Threshold{}), "accepted");
  EXPECT_NE(refusal({vector({1}), vector({-1}), {}}, Threshold{}), "accepted");
  EXPECT_NE(refusal({vector({1}), vector({infinity}), {}}, Threshold{}), "accepted");
  EXPECT_NE(refusal({vector({1}), {}, vector({-0.1})}, AsymmetricThreshold{}), "accepted");
  for (const Likelihood& without_flips : {Likelihood{Probit{}}, Likelihood{Logistic{}}})
    EXPECT_NE(refusal({vector({1}), {}, vector({0.1})}, without_flips), "accepted");
  EXPECT_NE(refusal({vector({1}), {}, vector({0.1})}, Gaussian{}), "accepted");
}

}  // namespace
}  // namespace candor
