// SPDX-License-Identifier: MIT
#include "checks.hpp"

#include "computing.hpp"
#include "memory.hpp"
#include "names.hpp"

#include <candor/model/check_verdict.hpp>

#include <fmt/format.h>

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace candor::python {
namespace {

nb::dict annealed_dict(const AnnealedEvidence& evidence) {
  nb::dict entry;
  entry["log_evidence"] = evidence.log_evidence;
  entry["standard_error"] = evidence.standard_error;
  entry["effective_runs"] = evidence.effective_runs;
  return entry;
}

// Of these rows, a matrix for each chain: draws×rows.
nb::list draws_of(const PosteriorSample& truth, const std::vector<Index>& rows) {
  nb::list chains;
  for (const Matrix& draws : truth.draws) {
    chains.append(nb::cast(Matrix(draws(rows, Eigen::all).transpose())));
  }
  return chains;
}

}  // namespace

nb::dict as_dict(const ProcessCheck& check, const std::string& verdict,
                 const std::vector<Index>& rows) {
  nb::dict entry;
  entry["name"] = check.name;
  entry["weight"] = check.weight;
  entry["positive_class"] = check.positive_class;
  entry["engine"] = check.engine;
  entry["engine_converged"] = check.engine_converged();
  entry["jitter"] = check.jitter;
  entry["from_prior"] = check.from_prior;
  entry["log_evidence"] = check.engine_says.log_evidence;
  entry["log_evidence_mcmc"] = check.evidence.log_evidence;
  entry["log_evidence_error"] = check.evidence.standard_error;
  entry["annealed"] = annealed_dict(check.evidence);
  entry["annealed_back"] = annealed_dict(check.back);
  entry["latent_mean"] = check.engine_says.latent_mean;
  entry["latent_variance"] = check.engine_says.latent_variance;
  entry["p_wrong"] = check.engine_says.p_wrong;
  entry["latent_mean_mcmc"] = check.truth.mean;
  entry["latent_mean_error"] = check.truth.mean_error;
  entry["latent_variance_mcmc"] = check.truth.variance;
  entry["latent_variance_error"] = check.truth.variance_error;
  entry["p_wrong_mcmc"] = check.truth.p_wrong;
  entry["p_wrong_error"] = check.truth.p_wrong_error;
  entry["r_hat"] = check.truth.r_hat;
  entry["effective_draws"] = check.truth.effective;
  entry["evidence_settled"] = check.evidence_is_settled();
  entry["settled"] = check.settled();
  entry["judgement"] = std::string(name_of(judgement(check)));
  entry["verdict"] = verdict;
  entry["draws"] = draws_of(check.truth, rows);
  return entry;
}

void check_memory_of_check(const Cost& cost, Index rows, const CheckOptions& options) {
  check_memory(cost.bytes,
               fmt::format("{} chains of {} draws of {} rows", options.chains, options.draws, rows),
               "ask for fewer draws or chains");
}

CheckOptions watched(CheckOptions options, int threads, PythonWatcher& watcher) {
  options.threads = threads_from(threads);
  options.watcher = [&](const SamplingProgress& progress) {
    return watcher(std::string(progress.stage), progress.done, progress.total);
  };
  return options;
}

namespace {

nb::list checked(const Classifier& classifier, const std::string& engine, const CheckOptions& asked,
                 const std::vector<Index>& rows, int threads, const nb::object& tell) {
  PythonWatcher watcher(tell);
  const CheckOptions options = watched(asked, threads, watcher);
  check_memory_of_check(cost_of_check(classifier, options), classifier.X.rows(), options);
  const std::vector<ProcessCheck> found = watcher.watch([&] {
    const Computing computing;
    return check_posteriors(classifier, engine_named(engine), options);
  });
  nb::list checks;
  for (const ProcessCheck& check : found) {
    checks.append(as_dict(check, verdict(check, classifier, 0), rows));
  }
  return checks;
}

}  // namespace

void bind_checks(nb::module_& module) {
  nb::class_<CheckOptions>(module, "CheckOptions")
      .def(nb::init<>())
      .def_rw("all_models", &CheckOptions::all_models)
      .def_rw("chains", &CheckOptions::chains)
      .def_rw("warmup", &CheckOptions::warmup)
      .def_rw("draws", &CheckOptions::draws)
      .def_rw("runs", &CheckOptions::runs)
      .def_rw("temperatures", &CheckOptions::temperatures)
      .def_rw("from_prior", &CheckOptions::from_prior)
      .def_rw("seed", &CheckOptions::seed);
  module.def("check", &checked, "classifier"_a, "engine"_a, "options"_a, "rows"_a, "threads"_a,
             "tell"_a.none());
}

}  // namespace candor::python
