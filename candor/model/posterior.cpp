// SPDX-License-Identifier: MIT
#include <candor/model/posterior.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/inference/multiclass_ep.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <cmath>
#include <utility>

namespace candor {

Approximation posterior_of(const Classifier& classifier, const Process& process, Threads threads) {
  const Vector& weight = classifier.weight;
  check_same_size("site_tau", process.site_tau.size(), "rows of X", classifier.X.rows());
  check_same_size("site_nu", process.site_nu.size(), "rows of X", classifier.X.rows());
  const bool weighted = weight.size() > 0;
  const Vector tau = weighted ? Vector(process.site_tau.cwiseProduct(weight)) : process.site_tau;
  const Vector nu = weighted ? Vector(process.site_nu.cwiseProduct(weight)) : process.site_nu;
  const auto refuse = [&] {
    throw NumericalError("the sites of \"" + process.name +
                         "\" do not give a proper posterior: fit the model again");
  };
  SitePosterior posterior(Gram(process.covariance, classifier.X), threads);
  if (!posterior.set_precisions(tau)) refuse();
  auto [alpha, mu] = posterior.mean(nu);
  if (!alpha.allFinite() || !mu.allFinite()) refuse();
  return {.outcome = {},
          .site_tau = process.site_tau,
          .site_nu = process.site_nu,
          .latent_mean = std::move(mu),
          .alpha = std::move(alpha),
          .posterior = std::move(posterior)};
}

std::optional<ClassForm> form_of(const Process& process, Index rows, Index classes) {
  for (const ClassForm form : {ClassForm::coupled, ClassForm::factorised}) {
    const SiteCounts count = site_counts(form, classes);
    if (process.site_tau.size() == rows * count.precision &&
        process.site_nu.size() == rows * count.latents) {
      return form;
    }
  }
  return std::nullopt;
}

Approximation class_posterior_of(const Classifier& classifier, const Process& process,
                                 Threads threads) {
  const auto classes = static_cast<Index>(classifier.classes.size());
  const auto form = form_of(process, classifier.X.rows(), classes);
  if (!form) throw InvalidInput("the sites of \"" + process.name + "\" are of another number");
  try {
    const Vector weight =
        classifier.weight.size() > 0 ? classifier.weight : Vector::Ones(classifier.X.rows());
    const auto total = [&](const Vector& sites) -> Vector {
      return (weight.asDiagonal() * sites.reshaped(weight.size(), sites.size() / weight.size()))
          .eval()
          .reshaped();
    };
    return rebuilt(class_posterior(*form, classes, {process.covariance}, classifier.X, threads),
                   {total(process.site_tau), total(process.site_nu)});
  } catch (const NumericalError& error) {
    throw NumericalError(error.what() + (": of \"" + process.name) + "\": fit the model again");
  }
}

Observations observations_of(const Classifier& classifier, Index positive_class) {
  const Index n = classifier.X.rows();
  Observations observations{.y = Vector(n), .weight = classifier.weight};
  const bool joint = positive_class == every_class;
  if (joint) observations.classes = static_cast<Index>(classifier.classes.size());
  if (!classifier.trusted.empty()) observations.known_flip_rate.resize(n);
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double yes_or_no = classifier.label[k] == positive_class ? 1.0 : -1.0;
    observations.y[i] = joint ? classifier.label[k] : yes_or_no;
    if (classifier.trusted.empty()) continue;
    observations.known_flip_rate[i] = classifier.trusted[k] ? 0.0 : rate_not_known;
  }
  return observations;
}

RecordedLabels recorded_labels(const Observations& observations) {
  struct Part {
    double weight = 0.0, positive = 0.0;
    [[nodiscard]] double share() const { return weight > 0.0 ? positive / weight : 0.0; }
  };
  Part doubtful, trusted;
  RecordedLabels recorded;
  for (Index i = 0; i < observations.size(); ++i) {
    const auto [y, known_flip_rate] = observations.row(i);
    const bool is_doubtful = std::isnan(known_flip_rate);
    Part& part = is_doubtful ? doubtful : trusted;
    part.weight += observations.weight_of(i);
    part.positive += y > 0.0 ? observations.weight_of(i) : 0.0;
    recorded.in_doubt += is_doubtful ? 1 : 0;
  }
  recorded.positive = doubtful.share();
  recorded.trusted = trusted.weight / (doubtful.weight + trusted.weight);
  recorded.trusted_positive = trusted.share();
  return recorded;
}

double share_wrong(const Likelihood& likelihood, const RecordedLabels& recorded) {
  if (const auto* threshold = std::get_if<Threshold>(&likelihood)) {
    return threshold->flip_probability;
  }
  if (const auto* by_class = std::get_if<AsymmetricThreshold>(&likelihood)) {
    const double positive = std::lerp(by_class->truly_positive(recorded.positive),
                                      recorded.trusted_positive, recorded.trusted);
    return std::lerp(by_class->flip_negative, by_class->flip_positive, positive);
  }
  return 0.0;
}

}  // namespace candor
