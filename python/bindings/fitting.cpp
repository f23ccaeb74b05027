// SPDX-License-Identifier: MIT
#include "fitting.hpp"

#include "computing.hpp"
#include "inputs.hpp"
#include "memory.hpp"
#include "models.hpp"
#include "names.hpp"
#include "watching.hpp"

#include <candor/linalg/errors.hpp>
#include <candor/model/cost.hpp>
#include <candor/model/fit.hpp>

#include <fmt/format.h>

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

namespace nb = nanobind;
using namespace nb::literals;

namespace candor::python {
namespace {

std::vector<LabelErrors> views_named(const std::vector<std::string>& names) {
  std::vector<LabelErrors> views;
  for (const std::string& name : names) views.push_back(label_errors_named(name));
  return views;
}

// Before any n³ work.
void check_memory_of_fit(const Prepared& prepared, const FitOptions& options) {
  check_memory(cost_of(fit_size(prepared, options), 0.0).bytes,
               fmt::format("{} rows", prepared.rows.size()), "fit fewer rows");
}

// The posterior of one process is there when the fit is, as others keep theirs; those of an average
// take as many times the memory, and are rebuilt when something is first predicted.
void keep_single_posterior(FittedModel& model, Threads threads) {
  if (model.questions.size() > 1 || model.questions[0].processes.size() > 1) return;
  try {
    model.kept.rebuild(threads);
  } catch (const NumericalError&) {
    // predictions will say so; p_wrong does without it
  }
}

std::unique_ptr<FittedModel> fitted(const Inputs& inputs, const std::vector<std::string>& errors,
                                    const std::vector<std::string>& covariances,
                                    const std::string& inference,
                                    const std::optional<std::string>& regular,
                                    std::optional<double> rate, const std::string& average,
                                    const std::string& multiclass, bool use_prior, bool learn,
                                    int restarts, int threads, unsigned long long seed,
                                    const std::string& options_json, const nb::object& tell) {
  PythonWatcher watcher(tell);
  FitOptions options{.errors = views_named(errors),
                     .covariances = covariances,
                     .inference = engine_named(inference),
                     .rate = rate,
                     .average = average_named(average),
                     .multiclass = multiclass_named(multiclass),
                     .use_prior = use_prior,
                     .restarts = restarts,
                     .learn_parameters = learn,
                     .threads = threads_from(threads),
                     .seed = seed,
                     .options_json = options_json,
                     .watcher = [&](const Progress& progress) {
                       return watcher(progress.stage, progress.evaluations, progress.best);
                     }};
  if (regular) options.regular = likelihood_named(*regular);
  check_memory_of_fit(inputs.prepared, options);
  return watcher.watch([&] {
    const Computing computing;
    auto model = std::make_unique<FittedModel>(fit(inputs.prepared, inputs.origin, options));
    keep_single_posterior(*model, options.threads);
    return model;
  });
}

}  // namespace

void bind_fitting(nb::module_& module) {
  module.def("fit", &fitted, "inputs"_a, "errors"_a, "covariances"_a, "inference"_a,
             "regular"_a.none(), "rate"_a.none(), "average"_a, "multiclass"_a, "use_prior"_a,
             "learn"_a, "restarts"_a, "threads"_a, "seed"_a, "options_json"_a, "tell"_a.none());
}

}  // namespace candor::python
