// SPDX-License-Identifier: MIT
// Covariances written and read as text.
#include "tests/covariance/zoo.hpp"

#include <candor/covariance/check.hpp>
#include <candor/covariance/distance.hpp>
#include <candor/covariance/text.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace candor::testing_support {
namespace {

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse_covariance(text));
  } catch (const InvalidInput& problem) {
    return problem.what();
  }
  return "";
}

TEST(CovarianceText, IsReadAsDocumented) {
  EXPECT_EQ(
      parse_covariance("2.0 * squared_exponential(lengthscale=[0.5, 2]) + constant(1e-8)"),
      2.0 * Covariance(SquaredExponential{Vector{{0.5, 2.0}}, {}}) + Covariance(Constant{1e-8}));
  EXPECT_EQ(parse_covariance("squared_exponential + linear"),
            Covariance(SquaredExponential{}) + Covariance(Linear{}));
  EXPECT_EQ(parse_covariance(" matern ( 1.5 ,lengthscale = 2,discrete=[ 0,3 ] ) "),
            Covariance(Matern{1.5, Vector::Constant(1, 2.0), {0, 3}}));
  EXPECT_EQ(parse_covariance("linear(discrete = all)"),
            Covariance(Linear{.discrete = {every_column}}));
  EXPECT_EQ(parse_covariance("noise()"), Covariance(Noise{}));
}

TEST(CovarianceText, IsWrittenAsDocumented) {
  EXPECT_EQ(to_text(2.0 * Covariance(SquaredExponential{Vector{{0.5, 2.0}}, {}}) +
                    Covariance(Constant{1e-8})),
            "2 * squared_exponential(lengthscale=[0.5, 2]) + constant(1e-08)");
  EXPECT_EQ(to_text(Matern{1.5, Vector::Ones(1), {2}}),
            "matern(smoothness=1.5, lengthscale=1, discrete=2)");
  EXPECT_EQ(to_text(Linear{.discrete = {every_column}}), "linear(lengthscale=1, discrete=all)");
}

TEST(CovarianceText, LetsANumberScaleAllThatFollowsInItsProduct) {
  const Covariance a = Linear{};
  const Covariance b = Constant{2.0};
  EXPECT_EQ(parse_covariance("3 * linear * constant(2)"), 3.0 * (a * b));
  EXPECT_EQ(parse_covariance("(3 * linear) * constant(2)"), (3.0 * a) * b);
  EXPECT_EQ(parse_covariance("linear * 3 * constant(2)"), a * (3.0 * b));
  EXPECT_EQ(parse_covariance("3 * 4 * linear + constant(2)"), 3.0 * (4.0 * a) + b);
}

TEST(CovarianceText, KeepsTheTreeThatParenthesesDescribe) {
  const Covariance nested =
      Sum{{Sum{{Linear{}, Noise{}}}, Product{{Constant{}, Product{{Linear{}, Noise{}}}}}}};
  EXPECT_EQ(
      to_text(nested),
      "(linear(lengthscale=1) + noise(1)) + constant(1) * (linear(lengthscale=1) * noise(1))");
  EXPECT_EQ(parse_covariance(to_text(nested)), nested);
}

// Any tree of at most so many levels, with numbers of every size.
Covariance random_tree(std::mt19937_64& bits, int levels) {
  const auto number = [&] { return std::exp(std::uniform_real_distribution(-300.0, 300.0)(bits)); };
  const auto numbers = [&] {
    Vector v(1 + static_cast<Index>(bits() % 3));
    for (double& entry : v) entry = number();
    return v;
  };
  const auto some = [&] {
    std::vector<Covariance> operands;
    for (std::uint64_t count = 1 + bits() % 3; count > 0; --count) {
      operands.push_back(random_tree(bits, levels - 1));
    }
    return operands;
  };
  switch (bits() % (levels > 1 ? 9 : 6)) {
    case 0:
      return SquaredExponential{numbers(), {}};
    case 1:
      return RationalQuadratic{number(), numbers(), {3}};
    case 2:
      return Matern{std::uniform_real_distribution(0.01, 499.0)(bits), numbers(), {0, 2}};
    case 3:
      return Linear{numbers(), {}};
    case 4:
      return Constant{number()};
    case 5:
      return Noise{number()};
    case 6:
      return number() * random_tree(bits, levels - 1);
    case 7:
      return Sum{some()};
    default:
      return Product{some()};
  }
}

TEST(CovarianceText, RoundTripsAnyTreeToTheLastBit) {
  constexpr std::uint64_t seed = 31;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 bits(seed);
  for (int trial = 0; trial < 2000; ++trial) {
    const Covariance tree = random_tree(bits, 5);
    ASSERT_EQ(parse_covariance(to_text(tree)), tree) << to_text(tree);
  }
}

TEST(CovarianceText, RoundTripsTheDeepestTreesAllowed) {
  Covariance k = Linear{};
  while (true) {
    Covariance deeper = k;
    switch (std::visit([](const auto& node) { return node.name.size(); }, k.node) % 3) {
      case 0:
        deeper = 2.0 * std::move(k);
        break;
      case 1:
        deeper = Product{{Noise{}, std::move(k)}};
        break;
      default:
        deeper = Sum{{std::move(k), Noise{}}};
        break;
    }
    k = deeper;
    try {
      check(k);
    } catch (const InvalidInput&) {
      k = *std::visit(
          [](auto& node) -> std::optional<Covariance> {
            if constexpr (requires { node.factor; }) return *node.factor;
            if constexpr (requires { node.factors; }) return node.factors.back();
            if constexpr (requires { node.terms; }) return node.terms.front();
            return std::nullopt;
          },
          k.node);
      break;
    }
  }
  EXPECT_EQ(parse_covariance(to_text(k)), k);
}

TEST(CovarianceText, SuggestsTheNearestName) {
  EXPECT_EQ(refusal("2.0 * squared_exponental"),
            "unknown covariance 'squared_exponental' at character 7: did you mean "
            "'squared_exponential'?");
  EXPECT_NE(refusal("mattern(1.5)").find("did you mean 'matern'?"), std::string::npos);
  EXPECT_EQ(refusal("linear(lenghtscale=2)"),
            "unknown key of linear 'lenghtscale' at character 8: did you mean 'lengthscale'?");
}

TEST(CovarianceText, SuggestsTheNameThatAShortOneBegins) {
  EXPECT_NE(refusal("squared_exp").find("did you mean 'squared_exponential'?"), std::string::npos);
  EXPECT_NE(refusal("rational(2)").find("did you mean 'rational_quadratic'?"), std::string::npos);
}

TEST(CovarianceText, ListsTheNamesWhereNoneIsNear) {
  EXPECT_EQ(refusal("linear(period=2)"),
            "unknown key of linear 'period' at character 8: known are lengthscale, discrete");
  EXPECT_EQ(refusal("rbf").find("did you mean"), std::string::npos);
  EXPECT_NE(refusal("rbf").find("squared_exponential"), std::string::npos);
}

TEST(CovarianceText, SaysWhereItCannotBeRead) {
  EXPECT_EQ(
      refusal(""),
      "the covariance cannot be read at character 1: expected a covariance, the text ends there");
  EXPECT_NE(refusal("linear +").find("character 9"), std::string::npos);
  EXPECT_NE(refusal("linear linear").find("character 8: expected '+', '*' or the end, found 'l'"),
            std::string::npos);
  EXPECT_NE(refusal("linear * 2").find("a number must be followed by what it scales"),
            std::string::npos);
  EXPECT_NE(refusal("constant(1, variance=2)").find("'variance' is given twice"),
            std::string::npos);
  EXPECT_NE(refusal("matern(1.5, 2)").find("only the first argument goes without one"),
            std::string::npos);
  EXPECT_NE(refusal("constant(1e999)").find("can be represented"), std::string::npos);
}

TEST(CovarianceText, RefusesValuesThatAreNotAllowed) {
  for (const char* text : {"constant(-1)",
                           "constant(0)",
                           "constant(-inf)",
                           "-2 * linear",
                           "linear(lengthscale=[])",
                           "linear(discrete=-1)",
                           "linear(discrete=any)",
                           "linear(discrete=1.5)",
                           "linear(discrete=[0, 0])",
                           "sum([])",
                           "matern(1e6)",
                           "constant(nan)",
                           "constant(-nan)",
                           "-nan * linear",
                           "constant(99999999999999999999x)",
                           "(",
                           ")",
                           "((",
                           "*",
                           "linear(",
                           "linear(lengthscale",
                           "linear(lengthscale=",
                           "linear(lengthscale=[1",
                           "1",
                           "1*"}) {
    EXPECT_NE(refusal(text), "") << text;
  }
}

TEST(CovarianceText, RefusesDeepNestingInsteadOfExhaustingTheStack) {
  EXPECT_NE(refusal(std::string(1000000, '(')).find("nested too deeply"), std::string::npos);
  std::string scaled;
  for (int i = 0; i < 100000; ++i) scaled += "2*";
  EXPECT_NE(refusal(scaled + "linear").find("nested too deeply"), std::string::npos);
  std::string sums;
  for (int i = 0; i < 100000; ++i) sums += "sum(";
  EXPECT_NE(refusal(sums), "");
}

TEST(CovarianceText, ReadsLongSums) {
  std::string text = "linear";
  for (int i = 1; i < 20000; ++i) text += "+linear";
  EXPECT_EQ(std::get<Sum>(parse_covariance(text).node).terms.size(), 20000U);
}

TEST(CovarianceText, AnswersAnyTextWithACovarianceOrInvalidInput) {
  constexpr std::uint64_t seed = 32;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 bits(seed);
  const std::vector<std::string> pieces{"(",
                                        ")",
                                        "[",
                                        "]",
                                        ",",
                                        "=",
                                        "+",
                                        "*",
                                        "-",
                                        ".",
                                        " ",
                                        "1",
                                        "2.5",
                                        "1e-8",
                                        "e",
                                        "_",
                                        std::string(1, '\0'),
                                        "\xff",
                                        "linear",
                                        "matern",
                                        "noise",
                                        "constant",
                                        "sum",
                                        "product",
                                        "scaled",
                                        "factor",
                                        "terms",
                                        "lengthscale",
                                        "discrete",
                                        "inf"};
  int read = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (std::uint64_t length = bits() % 12; length > 0; --length)
      text += pieces[bits() % pieces.size()];
    try {
      const Covariance k = parse_covariance(text);
      ++read;
      EXPECT_EQ(parse_covariance(to_text(k)), k) << text;
    } catch (const InvalidInput&) {
    }
  }
  EXPECT_GT(read, 100);  // the pieces do make sense now and then
}

}  // namespace
}  // namespace candor::testing_support
