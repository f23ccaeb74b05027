// SPDX-License-Identifier: MIT
// Which defaults find wrong labels best?  Fits one table with planted label errors by several
// methods.
//
//   defaults TRAIN.csv TEST.csv [--vectors] METHOD...
//   defaults --list
//
// TRAIN.csv holds features, the given label and the true label (±1) in its last two columns,
// TEST.csv features and the true label; neither has a header.  Every method prints one JSON object:
// average precision, AUROC and Brier score of its label-error score against the planted errors;
// error and log loss of its predictions on the test rows; seconds of CPU, sweeps, and evidence.
// With --vectors also the scores themselves.  scripts/defaults.py prepares the tables and writes
// docs/defaults.md.
#include "cost.hpp"
#include "detection.hpp"

#include <candor/learning/defaults.hpp>
#include <candor/learning/ensemble.hpp>
#include <candor/learning/select.hpp>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace candor;
using bench::cpu_seconds;

Matrix read_numbers(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " cannot be read");
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(file, line);) {
    std::vector<double>& row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    if (row.size() != rows.front().size()) throw std::runtime_error(path + " has ragged rows");
  }
  if (rows.empty()) throw std::runtime_error(path + " is empty");
  Matrix numbers(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()));
  for (Index i = 0; i < numbers.rows(); ++i) {
    numbers.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows[static_cast<std::size_t>(i)].data(),
                                                          numbers.cols());
  }
  return numbers;
}

struct Table {
  Matrix X;
  Observations given;
  std::vector<bool> wrong;  // where the given label is not the true one
  Matrix X_test;
  Vector y_test;

  Table(const std::string& training_path, const std::string& test_path) {
    const Matrix training = read_numbers(training_path), test = read_numbers(test_path);
    const Index d = training.cols() - 2;
    if (d < 1 || test.cols() != d + 1) throw std::runtime_error("the two tables do not match");
    X = training.leftCols(d);
    given.y = training.col(d);
    for (Index i = 0; i < training.rows(); ++i)
      wrong.push_back(training(i, d) != training(i, d + 1));
    X_test = test.leftCols(d);
    y_test = test.col(d);
  }
  [[nodiscard]] TrainingSet training() const { return {X, given, Threads{1}}; }
};

double error_rate(const Vector& p_positive, const Vector& y) {
  return ((p_positive.array() > 0.5) != (y.array() > 0.0)).cast<double>().mean();
}

double log_loss(const Vector& p_positive, const Vector& y) {
  constexpr double least = 1e-12;  // a certain and wrong prediction costs 28 nats, not infinity
  const Eigen::ArrayXd p = 0.5 + y.array() * (p_positive.array() - 0.5);
  return -p.max(least).log().mean();
}

struct Trial {
  NamedCovariance covariance;
  bool use_prior = true;
};

enum class Smooth { se, matern_12, matern_32, matern_52, rational_quadratic, none };

Covariance smooth_part(Smooth kind, const Vector& lengthscale) {
  switch (kind) {
    case Smooth::se:
      return SquaredExponential{.lengthscale = lengthscale};
    case Smooth::matern_12:
      return Matern{.smoothness = 0.5, .lengthscale = lengthscale};
    case Smooth::matern_32:
      return Matern{.smoothness = 1.5, .lengthscale = lengthscale};
    case Smooth::rational_quadratic:
      return RationalQuadratic{.shape = 1.0, .lengthscale = lengthscale};
    default:
      return Matern{.smoothness = 2.5, .lengthscale = lengthscale};
  }
}

struct Shape {
  Smooth smooth;
  bool own_lengthscales = false;
  bool linear = false;
};

Covariance covariance_of(const Shape& shape, Index columns) {
  const double typical = std::sqrt(static_cast<double>(columns));  // distance in column deviations
  const Covariance constant = Constant{.variance = 1.0};
  const Covariance linear = Linear{.lengthscale = Vector::Constant(1, typical)};
  if (shape.smooth == Smooth::none) return linear + constant;
  const Vector lengthscale = Vector::Constant(shape.own_lengthscales ? columns : 1, typical);
  const Covariance smooth = 4.0 * smooth_part(shape.smooth, lengthscale);
  return shape.linear ? smooth + linear + constant : smooth + constant;
}

std::map<std::string, Trial> plain_trials(Index d) {
  const auto trial = [&](const std::string& name, const Shape& shape, double spread = 0.3,
                         bool use_prior = true) {
    return std::pair{
        name, Trial{{name, covariance_of(shape, d), {.lengthscale_spread = spread}}, use_prior}};
  };
  return {trial("se", {Smooth::se}),
          trial("matern52", {Smooth::matern_52}),
          trial("se-ard", {Smooth::se, true}, 1.0),
          trial("se-ard-free", {Smooth::se, true}, 1.0, false),
          trial("linear", {Smooth::none, false, true}),
          trial("se+linear", {Smooth::se, false, true}),
          trial("matern12+linear", {Smooth::matern_12, false, true}),
          trial("matern32+linear", {Smooth::matern_32, false, true}),
          trial("matern52+linear", {Smooth::matern_52, false, true}),
          trial("rq+linear", {Smooth::rational_quadratic, false, true}),
          trial("tied-0.5", {Smooth::matern_52, true, true}, 0.5)};
}

// matern52+linear under other priors.
std::map<std::string, Trial> prior_trials(Index d) {
  const Covariance covariance = covariance_of({Smooth::matern_52, false, true}, d);
  const auto trial = [&](const std::string& name, const PriorScale& scale) {
    return std::pair{name, Trial{{name, covariance, scale}, true}};
  };
  return {trial("variance-1", {.variance = 1.0}),
          trial("variance-20", {.variance = 20.0}),
          trial("variance-sd-0.7", {.log_variance_sd = 0.7}),
          trial("variance-sd-3", {.log_variance_sd = 3.0}),
          trial("lengthscale-sd-0.5", {.log_lengthscale_sd = 0.5}),
          trial("lengthscale-sd-2", {.log_lengthscale_sd = 2.0})};
}

enum class Weights { by_evidence, tempered, equal };
// What becomes of a rate's posterior: p_wrong averaged over it, as the library does; nothing, the
// rate being put at its mode; or the model averaged along the ridge on which the other numbers
// follow it.
enum class Rates { averaged, at_mode, along_ridge };

struct Method {
  std::string name;
  std::vector<std::string> trials;
  std::vector<LabelErrors> views;
  Weights weights = Weights::by_evidence;
  Average average = Average::models;
  Rates rates = Rates::averaged;
};

struct Catalogue {
  std::map<std::string, Trial> trials;
  std::vector<std::string> defaults;
  std::vector<Method> methods;

  explicit Catalogue(Index d) : trials(plain_trials(d)) {
    trials.merge(prior_trials(d));
    for (const NamedCovariance& covariance : default_covariances(d)) {
      trials.insert({covariance.name, {covariance, true}});
      defaults.push_back(covariance.name);
    }
    const std::vector regular{LabelErrors::none}, robust{LabelErrors::uniform};
    const std::vector both{LabelErrors::none, LabelErrors::uniform};
    methods = {{"regular se", {"se"}, regular},
               {"default none", defaults, both, Weights::by_evidence, Average::none},
               {"default models", defaults, both, Weights::by_evidence, Average::models},
               {"default full", defaults, both, Weights::by_evidence, Average::full},
               {"default robust", defaults, robust},
               {"default robust tempered", defaults, robust, Weights::tempered},
               {"default robust equal", defaults, robust, Weights::equal},
               {"default robust equal full", defaults, robust, Weights::equal, Average::full}};
    for (const auto& [name, trial] : trials) methods.push_back({"robust " + name, {name}, robust});
    add_with_rates(", rate at mode", Rates::at_mode);
    add_with_rates(", along ridge", Rates::along_ridge);
  }

  [[nodiscard]] const Method& method(const std::string& name) const {
    const auto found = std::ranges::find(methods, name, &Method::name);
    if (found == methods.end()) throw std::runtime_error("there is no method " + name);
    return *found;
  }

 private:
  void add_with_rates(const std::string& suffix, Rates rates) {
    for (std::size_t i = 0, count = methods.size(); i < count; ++i) {
      Method method = methods[i];
      if (method.views.back() != LabelErrors::uniform || method.rates != Rates::averaged) continue;
      if (rates == Rates::along_ridge && method.average != Average::models) continue;
      method.name += suffix;
      method.rates = rates;
      methods.push_back(method);
    }
  }
};

struct Fit {
  std::vector<Candidate> views;  // regular, robust
  double seconds = 0.0;
};

Fit fit(const Trial& trial, const Table& table) {
  const double start = cpu_seconds();
  Selecting options;
  options.covariances = {trial.covariance};
  options.learning.use_prior = trial.use_prior;
  Selection selection = select_model(table.training(), options);
  return {std::move(selection.candidates), cpu_seconds() - start};
}

void weigh(std::vector<Candidate>& candidates, Weights weights) {
  const double power = weights == Weights::equal ? 0.0 : weights == Weights::tempered ? 0.25 : 1.0;
  const double top = std::ranges::max(candidates, {}, &Candidate::log_integrated).log_integrated;
  double total = 0.0;
  for (Candidate& c : candidates)
    total += c.probability = std::exp(power * (c.log_integrated - top));
  for (Candidate& c : candidates) c.probability /= total;
}

// Masses of the nodes of a rate's posterior, which stand at equal steps of logit 2ε.
Vector node_masses(const RatePosterior& posterior) {
  constexpr double step = 0.4;
  Vector mass = posterior.log_density.array().exp();
  const double below_first = mass[0] * posterior.rate[0];
  mass.array() *= posterior.rate.array() * (1.0 - 2.0 * posterior.rate.array()) * step;
  mass[0] += below_first;
  return mass / mass.sum();
}

void add_ridge(const Candidate& c, const TrainingSet& data, Ensemble& ensemble) {
  const Learned& learned = c.learned;
  const Member at_mode{c.name, c.probability, learned.model, learned.approximation, c.p_wrong()};
  if (c.rates.empty() || c.rates.front().rate.size() == 0) {
    ensemble.members.push_back(at_mode);
    return;
  }
  const Vector mass = node_masses(c.rates.front());
  const double top = learned.theta.value[c.mode.rates.front()];
  double total = 0.0;
  std::vector<Member> members;
  for (Index k = 0; k < mass.size(); ++k) {
    if (mass[k] < 0.02) continue;
    const double u = logit_of_rate(c.rates.front().rate[k]);
    const Theta theta =
        learned.coordinates.bounds().project(c.mode.along(learned.theta, 0, u - top));
    const Model model = learned.coordinates.model_at(theta);
    Approximation q = infer(model.inference, model.covariance, model.likelihood, data.X,
                            data.observations, data.threads);
    if (q.outcome.status != Status::converged) continue;
    total += mass[k];
    const Vector p_wrong = q.p_wrong;
    members.push_back({c.name, mass[k], model, std::move(q), p_wrong});
  }
  if (members.empty()) ensemble.members.push_back(at_mode);
  for (Member& m : members) {
    m.weight *= c.probability / total;
    ensemble.members.push_back(std::move(m));
  }
}

Ensemble averaged(const Selection& selection, const TrainingSet& data, const Method& method) {
  if (method.rates != Rates::along_ridge) return average(selection, data, method.average);
  Ensemble ensemble;
  for (const Candidate& c : selection.candidates) add_ridge(c, data, ensemble);
  return ensemble;
}

Vector label_error_score(const Ensemble& ensemble, const Method& method) {
  if (method.views.back() == LabelErrors::none) return 1.0 - ensemble.log_loo().array().exp();
  if (method.rates != Rates::at_mode) return ensemble.p_wrong();
  Vector sum = Vector::Zero(ensemble.members.front().approximation.p_wrong.size());
  for (const Member& m : ensemble.members) sum += m.weight * m.approximation.p_wrong;
  return sum;
}

class Runner {
 public:
  explicit Runner(const Table& table) : table_(table), catalogue_(table.X.cols()) {}

  [[nodiscard]] nlohmann::json run(const std::string& name, bool with_vectors) {
    const Method& method = catalogue_.method(name);
    double seconds = 0.0;
    const Selection selection = selected(method, seconds);
    const double start = cpu_seconds();
    const Ensemble ensemble = averaged(selection, table_.training(), method);
    const Vector score = label_error_score(ensemble, method);
    const Vector p_test = ensemble.predict(table_.X, table_.X_test).p_clean;
    nlohmann::json line = scores(score, p_test);
    line["method"] = name;
    line["seconds"] = seconds + cpu_seconds() - start;
    line["evidence"] = selection.chosen().learned.log_evidence;
    line["integrated_evidence"] = selection.chosen().log_integrated;
    line["chosen"] = selection.chosen().name;
    line["converged"] = selection.chosen().converged();
    line["members"] = ensemble.members.size();
    line["sweeps"] = 0;
    for (const Candidate& c : selection.candidates) {
      line["sweeps"] = line["sweeps"].get<int>() + c.sweeps;
      line["probabilities"][c.name] = c.probability;
    }
    if (with_vectors) add_vectors(ensemble, score, p_test, line);
    return line;
  }

 private:
  Selection selected(const Method& method, double& seconds) {
    Selection selection;
    for (const std::string& name : method.trials) {
      if (!fits_.contains(name)) fits_[name] = fit(catalogue_.trials.at(name), table_);
      seconds += fits_[name].seconds;
      for (const Candidate& c : fits_[name].views) {
        if (std::ranges::find(method.views, c.errors) != method.views.end())
          selection.candidates.push_back(c);
      }
    }
    weigh(selection.candidates, method.weights);
    const auto best =
        std::ranges::max_element(selection.candidates, {}, &Candidate::log_integrated);
    selection.best = static_cast<std::size_t>(best - selection.candidates.begin());
    return selection;
  }

  [[nodiscard]] nlohmann::json scores(const Vector& score, const Vector& p_test) const {
    const bench::Ranking ranking = bench::rank(score, table_.wrong);
    return {{"average_precision", ranking.average_precision},
            {"auroc", ranking.auroc},
            {"brier", bench::brier_score(score, table_.wrong)},
            {"error", error_rate(p_test, table_.y_test)},
            {"log_loss", log_loss(p_test, table_.y_test)}};
  }

  void add_vectors(const Ensemble& ensemble, const Vector& score, const Vector& p_test,
                   nlohmann::json& line) const {
    const auto list = [](const Vector& v) { return std::vector<double>(v.begin(), v.end()); };
    line["score"] = list(score);
    line["p_test"] = list(p_test);
    line["log_loo"] = list(ensemble.log_loo());
    line["wrong"] = std::vector<int>(table_.wrong.begin(), table_.wrong.end());
    line["y_test"] = list(table_.y_test);
  }

  const Table& table_;
  Catalogue catalogue_;
  std::map<std::string, Fit> fits_;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool with_vectors = std::erase(arguments, "--vectors") > 0;
  if (arguments == std::vector<std::string>{"--list"}) {
    for (const Method& method : Catalogue(2).methods) fmt::print("{}\n", method.name);
    return EXIT_SUCCESS;
  }
  if (arguments.size() < 3) {
    fmt::print(stderr, "usage: defaults TRAIN.csv TEST.csv [--vectors] METHOD...\n");
    return EXIT_FAILURE;
  }
  try {
    const Table table(arguments[0], arguments[1]);
    Runner runner(table);
    for (std::size_t i = 2; i < arguments.size(); ++i) {
      fmt::print("{}\n", runner.run(arguments[i], with_vectors).dump());
      std::fflush(stdout);
    }
  } catch (const std::exception& e) {
    fmt::print(stderr, "defaults: {}\n", e.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
