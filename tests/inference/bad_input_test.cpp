// SPDX-License-Identifier: MIT
// Mistakes of the caller are refused before any work, by parameter, value and requirement.
#include "zoo.hpp"

#include <candor/inference/evidence_gradient.hpp>

#include <candor/inference/predict.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace candor {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// A problem that is fine until somebody breaks it.
struct Problem {
  Inference engine = Ep{};
  Covariance covariance = 2.0 * Covariance(SquaredExponential{.lengthscale = Vector::Ones(2)});
  Likelihood likelihood = Threshold{0.05, 0.3};
  Table table = ring(8, 1, 3);

  void solve() const {
    static_cast<void>(infer(engine, covariance, likelihood, table.X, table.observations));
  }
};

struct Mistake {
  std::string name;
  std::function<void(Problem&)> commit;
  std::vector<std::string> said;  // what the message must contain
};
std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.name; }

std::vector<Mistake> table_mistakes() {
  return {
      {"infinity in X", [](Problem& p) { p.table.X(0, 0) = -infinity; }, {"X", "inf", "finite"}},
      {"label 0", [](Problem& p) { p.table.observations.y[2] = 0.0; }, {"row 2", "y is 0", "1"}},
      {"label 2", [](Problem& p) { p.table.observations.y[7] = 2.0; }, {"row 7", "y is 2", "1"}},
      {"label nan", [](Problem& p) { p.table.observations.y[0] = nan; }, {"row 0", "y is nan"}},
      {"infinite target",
       [](Problem& p) {
         p.likelihood = Gaussian{};
         p.table.observations.y[1] = infinity;
       },
       {"row 1", "inf", "finite"}},
      {"more rows than labels",
       [](Problem& p) { p.table.X = Matrix::Zero(9, 2); },
       {"X", "9", "8"}},
      {"no rows",
       [](Problem& p) {
         p.table.X = Matrix(0, 2);
         p.table.observations.y = Vector(0);
       },
       {"y", "0"}}};
}

std::vector<Mistake> weight_and_rate_mistakes() {
  return {{"weights of another size",
           [](Problem& p) { p.table.observations.weight = Vector::Ones(3); },
           {"weight", "3", "8"}},
          {"rates of another size",
           [](Problem& p) { p.table.observations.known_flip_rate = Vector::Zero(9); },
           {"known_flip_rate", "9", "8"}},
          {"weight 0",
           [](Problem& p) {
             p.table.observations.weight = Vector::Ones(8);
             p.table.observations.weight[5] = 0.0;
           },
           {"row 5", "weight", "0", "greater than 0"}},
          {"negative weight",
           [](Problem& p) { p.table.observations.weight = Vector::Constant(8, -1.0); },
           {"row 0", "weight", "-1"}},
          {"infinite weight",
           [](Problem& p) { p.table.observations.weight = Vector::Constant(8, infinity); },
           {"weight", "inf", "finite"}},
          {"known rate of a half",
           [](Problem& p) { p.table.observations.known_flip_rate = Vector::Constant(8, 0.5); },
           {"known_flip_rate", "0.5", "less than"}},
          {"negative known rate",
           [](Problem& p) { p.table.observations.known_flip_rate = Vector::Constant(8, -0.1); },
           {"known_flip_rate", "-0.1"}},
          {"known rate where labels are never flipped",
           [](Problem& p) {
             p.likelihood = Probit{};
             p.table.observations.known_flip_rate = Vector::Constant(8, 0.1);
           },
           {"known_flip_rate", "0.1"}}};
}

std::vector<Mistake> likelihood_mistakes() {
  const auto threshold = [](double eps, double v2) {
    return [=](Problem& p) { p.likelihood = Threshold{eps, v2}; };
  };
  const auto asymmetric = [](double plus, double minus) {
    return [=](Problem& p) { p.likelihood = AsymmetricThreshold{plus, minus, 1.0}; };
  };
  return {{"rate of a half", threshold(0.5, 1.0), {"flip_probability", "0.5", "less than"}},
          {"negative rate", threshold(-0.01, 1.0), {"flip_probability", "-0.01"}},
          {"rate nan", threshold(nan, 1.0), {"flip_probability", "nan"}},
          {"negative noise", threshold(0.1, -1.0), {"noise_variance", "-1"}},
          {"infinite noise", threshold(0.1, infinity), {"noise_variance", "inf"}},
          {"rates that sum to one", asymmetric(0.4, 0.6), {"flip_positive", "flip_negative", "1"}},
          {"negative class rate", asymmetric(-0.1, 0.1), {"flip_positive", "-0.1"}},
          {"class rate nan", asymmetric(0.1, nan), {"flip_negative", "nan"}},
          {"Gaussian noise of 0",
           [](Problem& p) { p.likelihood = Gaussian{.noise_variance = 0.0}; },
           {"noise_variance", "0", "greater than 0"}},
          {"Laplace with label errors",
           [](Problem& p) { p.engine = Laplace{}; },
           {"threshold", "Laplace", "probit"}},
          {"a bound on a step that cannot be wrong",
           [](Problem& p) {
             p.engine = Variational{};
             p.likelihood = Threshold{0.1, 0.0};
             p.table.observations.known_flip_rate = Vector::Constant(8, rate_not_known);
             p.table.observations.known_flip_rate[3] = 0.0;
           },
           {"noise_variance", "0", "row 3"}}};
}

std::vector<Mistake> covariance_mistakes() {
  const auto lengthscale = [](Vector l) {
    return [l = std::move(l)](Problem& p) { p.covariance = SquaredExponential{.lengthscale = l}; };
  };
  return {{"variance 0",
           [](Problem& p) { p.covariance = 0.0 * Covariance(SquaredExponential{}); },
           {"variance", "0", "greater than 0"}},
          {"negative variance",
           [](Problem& p) { p.covariance = Covariance(SquaredExponential{}) + Constant{-2.0}; },
           {"variance", "-2", "greater than 0"}},
          {"variance nan",
           [](Problem& p) { p.covariance = nan * Covariance(SquaredExponential{}); },
           {"variance", "nan", "finite"}},
          {"lengthscale 0", lengthscale(Vector{{1.0, 0.0}}), {"lengthscale[1]", "0"}},
          {"negative lengthscale", lengthscale(Vector::Constant(1, -2.0)), {"lengthscale", "-2"}},
          {"infinite lengthscale", lengthscale(Vector{{infinity, 1.0}}), {"lengthscale[0]", "inf"}},
          {"three lengthscales for two columns",
           lengthscale(Vector::Ones(3)),
           {"lengthscale", "3", "2"}},
          {"discrete column that is not there",
           [](Problem& p) { p.covariance = SquaredExponential{.discrete = {2}}; },
           {"discrete", "2"}},
          {"empty sum", [](Problem& p) { p.covariance = Sum{}; }, {"terms", "empty"}}};
}

std::vector<Mistake> engine_mistakes() {
  return {
      {"tolerance 0", [](Problem& p) { p.engine = Ep{.tolerance = 0.0}; }, {"tolerance", "0"}},
      {"tolerance nan", [](Problem& p) { p.engine = Ep{.tolerance = nan}; }, {"tolerance", "nan"}},
      {"no sweeps", [](Problem& p) { p.engine = Ep{.max_sweeps = 0}; }, {"max_sweeps", "0"}},
      {"damping 0", [](Problem& p) { p.engine = SequentialEp{.damping = 0.0}; }, {"damping", "0"}},
      {"damping above 1",
       [](Problem& p) { p.engine = SequentialEp{.damping = 1.5}; },
       {"damping", "1.5"}},
      {"no iterations",
       [](Problem& p) {
         p.engine = Laplace{.max_iterations = 0};
         p.likelihood = Probit{};
       },
       {"max_iterations", "0"}},
      {"no iterations of the variational engine",
       [](Problem& p) { p.engine = Variational{.max_iterations = 0}; },
       {"max_iterations", "0"}},
      {"a tolerance of the variational engine below 0",
       [](Problem& p) { p.engine = Variational{.tolerance = -1.0}; },
       {"tolerance", "-1"}}};
}

std::vector<Mistake> mistakes() {
  std::vector<Mistake> all;
  for (const auto& group : {table_mistakes(), weight_and_rate_mistakes(), likelihood_mistakes(),
                            covariance_mistakes(), engine_mistakes()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

class BadInput : public testing::TestWithParam<Mistake> {};

TEST_P(BadInput, IsRefusedByParameterValueAndRequirement) {
  Problem problem;
  GetParam().commit(problem);
  try {
    problem.solve();
    FAIL() << "accepted";
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    for (const std::string& part : GetParam().said) {
      EXPECT_NE(message.find(part), std::string::npos) << '"' << message << "\" lacks " << part;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mistakes, BadInput, testing::ValuesIn(mistakes()));

// The mutant: a problem without a mistake is not refused.
TEST(BadInput, IsNotSeenInAProblemWithoutMistakes) { EXPECT_NO_THROW(Problem{}.solve()); }

TEST(BadInput, ForPredictionsIsRefusedToo) {
  const Problem p;
  const Approximation q =
      infer(p.engine, p.covariance, p.likelihood, p.table.X, p.table.observations);
  const auto at = [&](const Matrix& X_test) {
    return predict(q, p.covariance, p.likelihood, p.table.X, X_test);
  };
  EXPECT_THROW(static_cast<void>(at(Matrix::Zero(2, 3))), InvalidInput);
  EXPECT_THROW(static_cast<void>(at(Matrix::Constant(2, 2, infinity))), InvalidInput);
  EXPECT_NO_THROW(static_cast<void>(at(Matrix::Zero(2, 2))));
}

TEST(BadInput, ForAWarmStartOfAnotherSizeIsRefused) {
  const Problem p;
  const Sites start = Sites::zero(3);
  EXPECT_THROW(static_cast<void>(infer(p.engine, p.covariance, p.likelihood, p.table.X,
                                       p.table.observations, {}, start)),
               InvalidInput);
}

TEST(BadInput, ForATableOtherThanTheOneFittedIsRefused) {
  const Table table = ring(8, 1, 4);
  const Covariance covariance = SquaredExponential{};
  const Approximation q = infer(Ep{}, covariance, Probit{}, table.X, table.observations);
  const Matrix other = Matrix::Ones(300, 2);
  EXPECT_THROW(static_cast<void>(evidence_gradient(q, covariance, other)), InvalidInput);
  EXPECT_THROW(static_cast<void>(predict(q, covariance, Probit{}, other, table.X)), InvalidInput);
  const Threshold nonsense{.flip_probability = 0.7, .noise_variance = 1.0};
  EXPECT_THROW(static_cast<void>(predict(q, covariance, nonsense, table.X, table.X)), InvalidInput);
}

TEST(BadInput, ThatOverflowsTheCovarianceIsRefused) {
  const Table table = ring(8, 1, 4);
  EXPECT_THROW(
      static_cast<void>(infer(Ep{}, Linear{}, Probit{}, 1e200 * table.X, table.observations)),
      InvalidInput);
}

}  // namespace
}  // namespace candor
