// SPDX-License-Identifier: MIT
#include <candor/model/kept_posteriors.hpp>

#include <candor/model/cost.hpp>
#include <candor/model/posterior.hpp>

#include <utility>

namespace candor {
namespace {

double bytes_of_all(const Classifier& classifier) {
  const auto n = static_cast<double>(classifier.X.rows());
  const bool joint = classifier.is_joint();
  const double squares =
      squares_of_posterior(joint ? static_cast<Index>(classifier.classes.size()) : 2);
  double processes = 0.0;
  for (const Question& question : classifier.questions) {
    processes += static_cast<double>(question.processes.size());
  }
  return processes * squares * n * n * 8.0;
}

Threads threads_of(const Approximation& q) {
  return q.class_posterior
             ? std::visit([](const auto& all) { return all.threads(); }, *q.class_posterior)
             : q.posterior.threads();
}

}  // namespace

KeptPosteriors::KeptPosteriors(const Classifier& classifier, double most_bytes)
    : classifier_(classifier), keeps_(bytes_of_all(classifier) <= most_bytes) {}

std::shared_ptr<const Approximation> KeptPosteriors::of(const Process& process, Threads threads) {
  const auto rebuilt = [&] {
    return std::make_shared<const Approximation>(
        classifier_.is_joint() ? class_posterior_of(classifier_, process, threads)
                               : posterior_of(classifier_, process, threads));
  };
  if (!keeps_) return rebuilt();
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<const Approximation>& kept = kept_[&process];
  if (!kept || threads_of(*kept).count != threads.count) kept = rebuilt();
  return kept;
}

void KeptPosteriors::rebuild(Threads threads) {
  if (!keeps_) return;
  for (const Question& question : classifier_.questions) {
    for (const Process& process : question.processes) static_cast<void>(of(process, threads));
  }
}

}  // namespace candor
