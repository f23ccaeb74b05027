// SPDX-License-Identifier: MIT
#include "fitting.hpp"

#include "computing.hpp"
#include "inputs.hpp"
#include "names.hpp"
#include "watching.hpp"

#include <candor/model/cost.hpp>
#include <candor/model/fit.hpp>

#include <fmt/format.h>

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace candor::python {
namespace {

std::vector<LabelErrors> views_named(const std::vector<std::string>& names) {
  std::vector<LabelErrors> views;
  for (const std::string& name : names) views.push_back(label_errors_named(name));
  return views;
}

// Before any n³ work, since a process that runs out of memory is ended without a word.
void check_memory(const Prepared& prepared, const FitOptions& options) {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  const double needed = cost_of(fit_size(prepared, options), 0.0).bytes;
  const std::optional<double> free = available_bytes();
  if (!free || needed <= *free) return;
  const std::string message = fmt::format(
      "{} rows take about {:.1f} GiB of memory, and {:.1f} GiB are free: fit fewer rows",
      prepared.rows.size(), needed / gibibyte, *free / gibibyte);
  PyErr_SetString(PyExc_MemoryError, message.c_str());
  throw nb::python_error();
}

Classifier fitted(const Inputs& inputs, const std::vector<std::string>& errors,
                  const std::vector<std::string>& covariances, const std::string& inference,
                  const std::optional<std::string>& regular, std::optional<double> rate,
                  const std::string& average, const std::string& multiclass, bool use_prior,
                  bool learn, int restarts, int threads, unsigned long long seed,
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
  check_memory(inputs.prepared, options);
  return watcher.watch([&] {
    const Computing computing;
    return fit(inputs.prepared, inputs.origin, options);
  });
}

}  // namespace

void bind_fitting(nb::module_& module) {
  module.def("fit", &fitted, "inputs"_a, "errors"_a, "covariances"_a, "inference"_a,
             "regular"_a.none(), "rate"_a.none(), "average"_a, "multiclass"_a, "use_prior"_a,
             "learn"_a, "restarts"_a, "threads"_a, "seed"_a, "options_json"_a, "tell"_a.none());
}

}  // namespace candor::python
