// SPDX-License-Identifier: MIT
// Uses the installed package as the README does: seven points on a line, positive on the right, and
// one label on the left that says otherwise.  It must be the one that is doubted.
#include <candor/covariance/text.hpp>
#include <candor/inference/inference.hpp>
#include <candor/inference/predict.hpp>

#include <cstdlib>
#include <iostream>

int main() {
  using namespace candor;

  const Matrix X = Vector::LinSpaced(7, -3.0, 3.0);
  Vector y(7);
  y << -1, +1, -1, -1, +1, +1, +1;

  const Covariance covariance = parse_covariance("4 * squared_exponential(lengthscale=2)");
  const Likelihood likelihood = Threshold{.flip_probability = 0.1, .noise_variance = 0.1};
  const Approximation q = infer(Ep{}, covariance, likelihood, X, {.y = y});

  Index doubted = -1;
  q.p_wrong.maxCoeff(&doubted);
  const Prediction prediction = predict(q, covariance, likelihood, X, X);
  std::cout << name_of(q.outcome.status) << ", log evidence " << q.log_evidence << '\n'
            << "p_wrong  " << q.p_wrong.transpose() << '\n'
            << "p_clean  " << prediction.p_clean.transpose() << '\n'
            << "row most in doubt: " << doubted << '\n';

  const bool as_expected = q.outcome.status == Status::converged && doubted == 1 &&
                           prediction.p_clean[0] < 0.5 && prediction.p_clean[6] > 0.5;
  return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
