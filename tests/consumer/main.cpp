// SPDX-License-Identifier: MIT
// Uses the installed package as the README does: points on a line, positive on the right, and one
// label on the left that says otherwise.  It must be the one that is doubted, with learning and
// without.
#include <candor/covariance/text.hpp>
#include <candor/inference/inference.hpp>
#include <candor/learning/ensemble.hpp>
#include <candor/learning/select.hpp>

#include <cstdlib>
#include <iostream>

int main() {
  using namespace candor;

  const Matrix X = Vector::LinSpaced(24, -1.7, 1.7);
  Vector y = X.col(0).unaryExpr([](double x) { return x > 0.0 ? 1.0 : -1.0; });
  y[4] = +1.0;
  const Observations labels{.y = y};

  const Covariance covariance = parse_covariance("4 * squared_exponential(lengthscale=2)");
  const Likelihood likelihood = Threshold{.flip_probability = 0.1, .noise_variance = 0.1};
  const Approximation q = infer(Ep{}, covariance, likelihood, X, labels);
  Index doubted = -1;
  q.p_wrong.maxCoeff(&doubted);
  std::cout << name_of(q.outcome.status) << ", log evidence " << q.log_evidence
            << ", row most in doubt: " << doubted << '\n';
  if (q.outcome.status != Status::converged || doubted != 4) return EXIT_FAILURE;

  const TrainingSet data{X, labels};
  const Selection selection = select_model(data);
  const Ensemble ensemble = average(selection, data, Average::models);
  ensemble.p_wrong().maxCoeff(&doubted);
  const Prediction prediction = ensemble.predict(X, X);
  std::cout << selection.verdict() << "  Row most in doubt: " << doubted << '\n';
  const bool as_expected = selection.chosen().converged() && doubted == 4 &&
                           prediction.p_clean[0] < 0.5 && prediction.p_clean[23] > 0.5;
  return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
