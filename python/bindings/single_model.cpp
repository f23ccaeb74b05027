// SPDX-License-Identifier: MIT
#include "single_model.hpp"

#include "arrays.hpp"
#include "checks.hpp"
#include "computing.hpp"
#include "names.hpp"
#include "watching.hpp"

#include <candor/covariance/text.hpp>
#include <candor/inference/predict.hpp>
#include <candor/learning/em_ep.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/model/check_verdict.hpp>

#include <fmt/format.h>

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace candor::python {
namespace {

using Numbers = std::map<std::string, double>;

Likelihood any_likelihood_named(const std::string& name) {
  if (name == Gaussian::name) return Gaussian{};
  if (name == AsymmetricThreshold::name) return AsymmetricThreshold{};
  return likelihood_named(name);
}

// Numbers that are not given stay at the likelihood's defaults.
Likelihood likelihood_from(const std::string& name, const Numbers& given) {
  const Likelihood likelihood = any_likelihood_named(name);
  const auto names = parameter_names(likelihood);
  Vector values = parameter_values(likelihood);
  for (const auto& [parameter, value] : given) {
    const auto found = std::ranges::find(names, parameter);
    if (found == names.end()) {
      throw InvalidInput(
          fmt::format("parameter '{}' is not one of the likelihood {}", parameter, name));
    }
    values[found - names.begin()] = value;
  }
  return with_parameter_values(likelihood, values);
}

// Where learning ends: the model, what inference says of the rows, and how it got there.
struct Fitted {
  Matrix X;
  Observations observations;
  Model model;
  Approximation q;
  std::string status;            // of the search; empty where nothing was learned
  int evaluations = 0;           // of the evidence, or of EM-EP's bound
  int steps = 0;                 // of EM-EP
  std::vector<EmEpPoint> trace;  // of EM-EP

  [[nodiscard]] TrainingSet data(int threads) const {
    return {X, observations, threads_from(threads)};
  }
  [[nodiscard]] bool converged() const {
    return q.outcome.status == Status::converged && (status.empty() || status == "converged");
  }
};

Fitted start(const std::string& covariance, const std::string& likelihood, const Numbers& numbers,
             const std::string& inference, const Array& X, const Vector& y) {
  Matrix rows = matrix_of(X);
  check_all_finite("X", rows);  // no column need be standardised: NaN has no mean and variance
  return {.X = std::move(rows),
          .observations = {.y = y},
          .model = {.covariance = parse_covariance(covariance),
                    .likelihood = likelihood_from(likelihood, numbers),
                    .inference = engine_named(inference)}};
}

Fitted inferred(const std::string& covariance, const std::string& likelihood,
                const Numbers& numbers, const std::string& inference, const Array& X,
                const Vector& y, int threads) {
  Fitted fitted = start(covariance, likelihood, numbers, inference, X, y);
  const Computing computing;
  fitted.q = infer(fitted.model.inference, fitted.model.covariance, fitted.model.likelihood,
                   fitted.X, fitted.observations, threads_from(threads));
  return fitted;
}

Fitted learned(const std::string& covariance, const std::string& likelihood, const Numbers& numbers,
               const std::string& inference, const Array& X, const Vector& y,
               const std::vector<std::string>& held, const std::vector<std::string>& freed,
               bool use_prior, int restarts, double tolerance, int threads) {
  Fitted fitted = start(covariance, likelihood, numbers, inference, X, y);
  const nb::object nobody = nb::none();
  PythonWatcher watcher(nobody);
  Learning options{.choice = {.held = held, .freed = freed},
                   .use_prior = use_prior,
                   .spread_starts = restarts,
                   .watcher = [&](const Progress&) { return watcher(); }};
  options.ascent.tolerance = tolerance;
  options.ascent.flat = 1e3 * tolerance;  // the ratio of Ascent's own defaults
  {
    const Computing computing;
    Learned result = learn(fitted.model, fitted.data(threads), options);
    fitted.model = std::move(result.model);
    fitted.q = std::move(result.approximation);
    fitted.status = name_of(result.status);
    fitted.evaluations = result.evaluations;
  }
  watcher.raise_again();
  return fitted;
}

RateStep rate_step_named(const std::string& name) {
  for (const RateStep step : {RateStep::published, RateStep::tilted}) {
    if (name == name_of(step)) return step;
  }
  throw InvalidInput(fmt::format("rate_step is '{}': it must be one of published, tilted", name));
}

Fitted learned_by_em_ep(const std::string& covariance, const std::string& likelihood,
                        const Numbers& numbers, const std::string& inference, const Array& X,
                        const Vector& y, const std::vector<std::string>& held,
                        const std::vector<std::string>& freed, const std::string& rate_step,
                        bool accelerate, double tolerance, int max_steps, int threads) {
  Fitted fitted = start(covariance, likelihood, numbers, inference, X, y);
  const nb::object nobody = nb::none();
  PythonWatcher watcher(nobody);
  const EmEp options{.rate_step = rate_step_named(rate_step),
                     .choice = {.held = held, .freed = freed},
                     .tolerance = tolerance,
                     .max_steps = max_steps,
                     .accelerate = accelerate,
                     .watcher = [&](const Progress&) { return watcher(); }};
  {
    const Computing computing;
    EmEpLearned result = learn_by_em_ep(fitted.model, fitted.data(threads), options);
    fitted.model = std::move(result.model);
    fitted.q = std::move(result.approximation);
    fitted.status = name_of(result.status);
    fitted.evaluations = result.evaluations;
    fitted.steps = result.steps;
    fitted.trace = std::move(result.trace);
  }
  watcher.raise_again();
  return fitted;
}

nb::dict predicted(const Fitted& fitted, const Array& X) {
  std::optional<Prediction> p;
  const Matrix X_test = matrix_of(X);
  check_all_finite("X", X_test);
  {
    const Computing computing;
    p = predict(fitted.q, fitted.model.covariance, fitted.model.likelihood, fitted.X, X_test);
  }
  nb::dict result;
  result["latent_mean"] = p->latent_mean;
  result["latent_variance"] = p->latent_variance;
  result["p_clean"] = p->p_clean;
  result["p_observed"] = p->p_observed;
  return result;
}

nb::dict checked(const Fitted& fitted, const CheckOptions& asked, const std::vector<Index>& rows,
                 int threads, const nb::object& tell) {
  PythonWatcher watcher(tell);
  const CheckOptions options = watched(asked, threads, watcher);
  const Index n = fitted.X.rows();
  check_memory_of_check(cost_of_check(n, 1, options), n, options);
  const ProcessCheck check = watcher.watch([&] {
    const Computing computing;
    return check_posterior(fitted.model, fitted.X, fitted.observations, options,
                           Sites{fitted.q.site_tau, fitted.q.site_nu});
  });
  return as_dict(check, verdict(check), rows);
}

Numbers numbers_of(const Likelihood& likelihood) {
  const auto names = parameter_names(likelihood);
  const Vector values = parameter_values(likelihood);
  Numbers numbers;
  for (std::size_t i = 0; i < names.size(); ++i) {
    numbers.emplace(names[i], values[static_cast<Index>(i)]);
  }
  return numbers;
}

nb::list trace_of(const Fitted& fitted) {
  nb::list points;
  for (const EmEpPoint& point : fitted.trace) {
    points.append(nb::make_tuple(point.flip_probability, point.log_evidence));
  }
  return points;
}

}  // namespace

void bind_single_model(nb::module_& module) {
  nb::class_<Fitted>(module, "Fitted")
      .def_ro("status", &Fitted::status)
      .def_ro("evaluations", &Fitted::evaluations)
      .def_ro("steps", &Fitted::steps)
      .def_prop_ro("converged", &Fitted::converged)
      .def_prop_ro("trace", &trace_of)
      .def_prop_ro("covariance", [](const Fitted& f) { return to_text(f.model.covariance); })
      .def_prop_ro("numbers", [](const Fitted& f) { return numbers_of(f.model.likelihood); })
      .def_prop_ro("log_evidence", [](const Fitted& f) { return f.q.log_evidence; })
      .def_prop_ro("latent_mean", [](const Fitted& f) { return f.q.latent_mean; })
      .def_prop_ro("latent_variance", [](const Fitted& f) { return f.q.latent_variance; })
      .def_prop_ro("p_wrong", [](const Fitted& f) { return f.q.p_wrong; })
      .def_prop_ro("log_loo", [](const Fitted& f) { return f.q.log_loo; })
      .def("predict", &predicted, "X"_a)
      .def("check", &checked, "options"_a, "rows"_a, "threads"_a, "tell"_a.none());
  module.def(
      "likelihood_numbers",
      [](const std::string& likelihood, const Numbers& given) {
        return numbers_of(likelihood_from(likelihood, given));
      },
      "likelihood"_a, "given"_a);
  module.def("infer_model", &inferred, "covariance"_a, "likelihood"_a, "numbers"_a, "inference"_a,
             "X"_a, "y"_a, "threads"_a);
  module.def("learn_model", &learned, "covariance"_a, "likelihood"_a, "numbers"_a, "inference"_a,
             "X"_a, "y"_a, "held"_a, "freed"_a, "use_prior"_a, "restarts"_a, "tolerance"_a,
             "threads"_a);
  module.def("learn_model_by_em_ep", &learned_by_em_ep, "covariance"_a, "likelihood"_a, "numbers"_a,
             "inference"_a, "X"_a, "y"_a, "held"_a, "freed"_a, "rate_step"_a, "accelerate"_a,
             "tolerance"_a, "max_steps"_a, "threads"_a);
}

}  // namespace candor::python
