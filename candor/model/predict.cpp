// SPDX-License-Identifier: MIT
#include <candor/inference/predict.hpp>
#include <candor/inference/predict_classes.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/model/classifier.hpp>
#include <candor/model/kept_posteriors.hpp>
#include <candor/model/posterior.hpp>

#include <algorithm>
#include <utility>

namespace candor {
namespace {

void check_finite_predictions(const MatrixRef& part) {
  if (!part.allFinite()) {
    throw NumericalError("the model's predictions are not finite: fit it again");
  }
}

// Moments and probabilities of one question, averaged over its processes; the probabilities also over
// labels that do not depend on the columns (docs/decisions/0011).
struct Answer {
  Vector mean, variance, clean, observed;
  double rate = 0.0;
};

Answer answer(const Classifier& classifier, const Question& question, const Matrix& X_new,
              Threads threads, KeptPosteriors& kept) {
  const Vector zero = Vector::Zero(X_new.rows());
  Answer sum{zero, zero, zero, zero};
  const RecordedLabels recorded =
      recorded_labels(observations_of(classifier, question.positive_class));
  const double by_chance = share_of_yes(classifier, question);
  for (const Process& process : question.processes) {
    const auto q = kept.of(process, threads);
    const Prediction p = predict(*q, process.covariance, process.likelihood, classifier.X, X_new);
    const double w = process.weight;
    sum.mean += w * p.latent_mean;
    sum.variance += w * (p.latent_variance + p.latent_mean.cwiseAbs2());
    sum.clean += w * p.p_clean;
    sum.observed += w * p.p_observed;
    sum.rate += w * share_wrong(process.likelihood, recorded);
  }
  for (const Vector* part : {&sum.mean, &sum.variance, &sum.clean, &sum.observed}) {
    check_finite_predictions(*part);
  }
  sum.variance = (sum.variance - sum.mean.cwiseAbs2()).cwiseMax(0.0);
  for (Vector* p : {&sum.clean, &sum.observed}) {
    *p = p->unaryExpr([&](double yes) { return with_chance(yes, question.signal, by_chance); });
  }
  return sum;
}

// All classes at once, averaged over the processes; and the probabilities also over labels that do
// not depend on the columns, as above.
ClassProbabilities answer_jointly(const Classifier& classifier, const Matrix& X_new,
                                  Threads threads, KeptPosteriors& kept) {
  const Question& question = classifier.questions.front();
  const auto classes = static_cast<Index>(classifier.classes.size());
  const Matrix zero = Matrix::Zero(X_new.rows(), classes);
  ClassProbabilities sum{zero, zero, zero, zero};
  for (const Process& process : question.processes) {
    const auto q = kept.of(process, threads);
    const ClassPrediction p = predict_classes(
        *q, {process.covariance}, robust_max_of(process.likelihood, classes), classifier.X, X_new);
    sum.clean += process.weight * p.clean;
    sum.observed +=
        process.weight *
        (process.confusion.size() > 0 ? Matrix(p.clean * process.confusion) : p.observed);
    sum.latent_mean += process.weight * p.latent_mean;
    sum.latent_variance += process.weight * (p.latent_variance + p.latent_mean.cwiseAbs2());
  }
  sum.latent_variance = (sum.latent_variance - sum.latent_mean.cwiseAbs2()).cwiseMax(0.0);
  const Eigen::RowVectorXd shares = class_shares(classifier).transpose();
  const double depends = probability_of(question.signal);
  for (Matrix* p : {&sum.clean, &sum.observed}) {
    check_finite_predictions(*p);
    *p = (depends * *p).rowwise() + (1.0 - depends) * shares;
  }
  return sum;
}

void check_new_rows(const Classifier& classifier, const Matrix& X_new) {
  check_same_size("columns of X_new", X_new.cols(), "columns of the training table",
                  classifier.X.cols());
  check_inputs("X_new", X_new);
}

}  // namespace

Vector exactly_one(const Vector& p) {
  const Vector odds = p.unaryExpr([](double x) {
    constexpr double certain = 1.0 - 1e-15;  // two certainties share
    const double inside = std::clamp(x, 0.0, certain);
    return inside / (1.0 - inside);
  });
  const double sum = odds.sum();
  if (!(sum > 0.0)) return Vector::Constant(p.size(), 1.0 / static_cast<double>(p.size()));
  return odds / sum;
}

ClassProbabilities predict(const Classifier& classifier, const Matrix& X_new, Threads threads,
                           KeptPosteriors* kept) {
  check_new_rows(classifier, X_new);
  KeptPosteriors none(classifier, 0.0);
  KeptPosteriors& posteriors = kept == nullptr ? none : *kept;
  if (classifier.is_joint()) return answer_jointly(classifier, X_new, threads, posteriors);
  const auto classes = static_cast<Index>(classifier.classes.size());
  const auto questions = static_cast<Index>(classifier.questions.size());
  const Index t = X_new.rows();
  ClassProbabilities result{Matrix(t, classes), Matrix(t, classes), Matrix(t, questions),
                            Matrix(t, questions)};
  double rate = 0.0;
  for (Index k = 0; k < questions; ++k) {
    const Question& question = classifier.questions[static_cast<std::size_t>(k)];
    const Answer a = answer(classifier, question, X_new, threads, posteriors);
    result.latent_mean.col(k) = a.mean;
    result.latent_variance.col(k) = a.variance;
    result.clean.col(question.positive_class) = a.clean;
    result.observed.col(question.positive_class) = a.observed;
    rate += 0.5 * a.rate;
  }
  if (questions == 1) {
    const Index other = 1 - classifier.questions.front().positive_class;
    result.clean.col(other) = 1.0 - result.clean.col(1 - other).array();
    result.observed.col(other) = 1.0 - result.observed.col(1 - other).array();
    return result;
  }
  for (Index i = 0; i < t; ++i) result.clean.row(i) = exactly_one(result.clean.row(i));
  rate = std::min(rate, 1.0);
  const double to_each = rate / static_cast<double>(classes - 1);
  result.observed = (1.0 - rate) * result.clean.array() + to_each * (1.0 - result.clean.array());
  return result;
}

LatentMoments predict_latent(const Classifier& classifier, const Matrix& X_new, Threads threads,
                             KeptPosteriors* kept) {
  check_new_rows(classifier, X_new);
  KeptPosteriors none(classifier, 0.0);
  KeptPosteriors& posteriors = kept == nullptr ? none : *kept;
  if (classifier.is_joint()) {
    ClassProbabilities p = answer_jointly(classifier, X_new, threads, posteriors);
    return {std::move(p.latent_mean), std::move(p.latent_variance)};
  }
  const auto questions = static_cast<Index>(classifier.questions.size());
  LatentMoments sum{Matrix::Zero(X_new.rows(), questions), Matrix::Zero(X_new.rows(), questions)};
  for (Index k = 0; k < questions; ++k) {
    for (const Process& process : classifier.questions[static_cast<std::size_t>(k)].processes) {
      const auto q = posteriors.of(process, threads);
      const LatentPrediction latent = predict_latent(*q, process.covariance, classifier.X, X_new);
      sum.mean.col(k) += process.weight * latent.mean;
      sum.variance.col(k) += process.weight * (latent.variance + latent.mean.cwiseAbs2());
    }
  }
  check_finite_predictions(sum.mean);
  check_finite_predictions(sum.variance);
  sum.variance = (sum.variance - sum.mean.cwiseAbs2()).cwiseMax(0.0);
  return sum;
}

}  // namespace candor
