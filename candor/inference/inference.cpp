// SPDX-License-Identifier: MIT
#include <candor/inference/inference.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/inference/multiclass_ep.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <iterator>
#include <string>
#include <utility>

namespace candor {
namespace {

void check_engine(const Ep& engine) {
  check_positive("tolerance", engine.tolerance);
  check_positive("max_sweeps", engine.max_sweeps);
  check_non_negative("max_sequential_sweeps", engine.max_sequential_sweeps);
  check_non_negative("max_root_finder_rows", static_cast<double>(engine.max_root_finder_rows));
}

void check_engine(const SequentialEp& engine) {
  check_positive("tolerance", engine.tolerance);
  check_positive("max_sweeps", engine.max_sweeps);
  if (!(engine.damping > 0.0 && engine.damping <= 1.0)) {
    throw InvalidInput("damping is " + std::to_string(engine.damping) +
                       ": it must be greater than 0 and at most 1");
  }
}

void check_engine(const Laplace& engine) {
  check_positive("tolerance", engine.tolerance);
  check_positive("max_iterations", engine.max_iterations);
}

void check_engine(const Variational& engine) {
  check_positive("tolerance", engine.tolerance);
  check_positive("max_iterations", engine.max_iterations);
}

// A start of the wrong size would be read as other sites.
void check_warm_start(const Sites& start, Index taus, Index nus) {
  check_all_finite("warm_start.tau", start.tau);
  check_all_finite("warm_start.nu", start.nu);
  check_same_size("warm_start.tau", start.tau.size(), "sites", taus);
  check_same_size("warm_start.nu", start.nu.size(), "sites", nus);
}

Approximation infer_classes(const Inference& inference, const Covariance& covariance,
                            const Likelihood& likelihood, const Matrix& X,
                            const Observations& observations, Threads threads,
                            const std::optional<Sites>& warm_start) {
  const auto* engine = std::get_if<Ep>(&inference);
  if (engine == nullptr) throw InvalidInput("more than two classes at once take ep");
  const Index C = observations.classes;
  ClassPosterior posterior = class_posterior(usual_form(C), C, {covariance}, X, threads);
  if (warm_start) {
    std::visit(
        [&](const auto& q) {
          check_warm_start(*warm_start, q.rows() * q.site_size(), q.rows() * q.latents());
        },
        posterior);
  }
  Approximation result = multiclass_ep(*engine, robust_max_of(likelihood, C), observations,
                                       std::move(posterior), warm_start);
  // Probit has no parameters.
  result.likelihood_gradient.conservativeResize(std::ssize(parameter_names(likelihood)));
  return result;
}

// Tries the alternatives of the list one after the other.
template <std::size_t at = 0>
std::optional<Inference> find_engine(std::string_view name) {
  if constexpr (at < std::variant_size_v<Inference>) {
    using Engine = std::variant_alternative_t<at, Inference>;
    return Engine::name == name ? Inference(Engine{}) : find_engine<at + 1>(name);
  }
  return std::nullopt;
}

template <std::size_t... at>
std::string engine_names(std::index_sequence<at...> /*all*/) {
  std::string names;
  const auto add = [&](std::string_view name) {
    names.append(names.empty() ? "" : ", ").append(name);
  };
  (add(std::variant_alternative_t<at, Inference>::name), ...);
  return names;
}

}  // namespace

std::string_view name_of(const Inference& engine) {
  return std::visit([](const auto& e) { return e.name; }, engine);
}

std::string_view spoken_name(const Inference& engine) {
  return std::visit([](const auto& e) { return e.spoken_name; }, engine);
}

Inference engine_named(std::string_view name) {
  if (auto engine = find_engine(name)) return *std::move(engine);
  constexpr auto all = std::make_index_sequence<std::variant_size_v<Inference>>();
  throw InvalidInput("inference is '" + std::string(name) + "': it must be one of " +
                     engine_names(all));
}

Approximation infer(const Inference& inference, const Covariance& covariance,
                    const Likelihood& likelihood, const Matrix& X, const Observations& observations,
                    Threads threads, const std::optional<Sites>& warm_start) {
  std::visit([](const auto& engine) { check_engine(engine); }, inference);
  check(likelihood);
  check(observations, likelihood);
  check_same_size("rows of X", X.rows(), "labels", observations.size());
  if (observations.classes > 2) {
    return infer_classes(inference, covariance, likelihood, X, observations, threads, warm_start);
  }
  if (warm_start) check_warm_start(*warm_start, observations.size(), observations.size());
  const Gram gram(covariance, X);
  return std::visit(
      [&](const auto& engine) {
        return run(engine, likelihood, observations, SitePosterior(gram, threads), warm_start);
      },
      inference);
}

}  // namespace candor
