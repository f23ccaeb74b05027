// SPDX-License-Identifier: MIT
// Are planted label errors found?  Tables with wrong labels at known rates, learned by every
// method.
//
//   recovery [--data ring,mixture] [--kinds uniform,by_class] [--rates 0,0.02,0.05,0.1,0.15,0.2,0.3]
//            [--n 100] [--seeds 1] [--first 0] [--methods regular,em_ep,…] [--em-steps 500]
//
// Methods, all with the first of default_covariances(2):
//
//   regular          ε = 0; its score for a wrong label is 1 - p(y_i | the other rows)
//   em_ep            EM-EP as published, no prior, started at ε = 0.05 and v₂/v₀ = 0.01, from where
//                    it does not run away to ε = ½; ends after --em-steps or at changes below 1e-4
//   robust           one ε, by the evidence, at its mode
//   by_class         ε₊ and ε₋, likewise
//   average_models   those three views (regular, robust, by_class) by their probability
//   average_full     and each over its hyperparameters
//
// Writes one JSON object per table and method to stdout, one line each (docs/recovery.md is made
// from them by scripts/recovery.py), and progress to stderr.  The whole grid is --n 100,300,1000
// --seeds 10.
#include "cost.hpp"
#include "detection.hpp"
#include "flags.hpp"
#include "planted_table.hpp"

#include <candor/learning/defaults.hpp>
#include <candor/learning/em_ep.hpp>
#include <candor/learning/ensemble.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace candor;
using bench::PlantedTable;
using nlohmann::json;

constexpr Index test_rows = 2000;
const std::vector<std::string> all_methods{"regular",  "em_ep",          "robust",
                                           "by_class", "average_models", "average_full"};

std::string method_of(LabelErrors errors) {
  if (errors == LabelErrors::none) return "regular";
  return errors == LabelErrors::uniform ? "robust" : "by_class";
}

// What a method says of a table.
struct Answer {
  Vector score;                // ranks rows by how likely their label is wrong
  bool is_probability = true;  // the score can be read as p_wrong
  Vector p_clean;              // of the test rows
  json extra;                  // rates, intervals, outcome
};

json number(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

double log_loss(const Vector& p, const Vector& y) {
  double sum = 0.0;
  for (Index i = 0; i < y.size(); ++i) {
    sum -= std::log(std::max(1e-12, y[i] > 0.0 ? p[i] : 1.0 - p[i]));
  }
  return sum / static_cast<double>(y.size());
}

double test_error(const Vector& p, const Vector& y) {
  Index wrong = 0;
  for (Index i = 0; i < y.size(); ++i) wrong += (p[i] > 0.5) != (y[i] > 0.0) ? 1 : 0;
  return static_cast<double>(wrong) / static_cast<double>(y.size());
}

json measures(const Answer& answer, const PlantedTable& table) {
  const bench::Ranking ranking = bench::rank(answer.score, table.wrong);
  const auto n = static_cast<double>(table.y.size());
  json result = answer.extra;
  result["auroc"] = number(ranking.auroc);
  result["average_precision"] = number(ranking.average_precision);
  result["brier"] = nullptr;
  result["ece"] = nullptr;
  if (answer.is_probability) {
    result["brier"] = bench::brier_score(answer.score, table.wrong);
    result["ece"] = bench::calibration_error(answer.score, table.wrong);
  }
  result["flags_per_1000"] = 1000.0 * static_cast<double>((answer.score.array() > 0.5).count()) / n;
  result["expected_wrong_share"] =
      answer.is_probability ? json(answer.score.mean()) : json(nullptr);
  result["test_error"] = test_error(answer.p_clean, table.y_test);
  result["test_log_loss"] = log_loss(answer.p_clean, table.y_test);
  return result;
}

json interval_of(const RatePosterior& posterior, double truth) {
  if (posterior.rate.size() == 0) return nullptr;
  const Interval i = posterior.interval(0.9);
  return {{"low", i.low},
          {"high", i.high},
          {"mean", posterior.mean},
          {"first_node", posterior.rate[0]},
          {"last_node", posterior.rate[posterior.rate.size() - 1]},
          {"truth", truth},
          {"covered", i.low <= truth && truth <= i.high}};
}

// One candidate of the selection: predictions at its mode, p_wrong averaged over its rates.
Answer alone(const Candidate& c, const PlantedTable& table) {
  const Learned& learned = c.learned;
  const Approximation& q = learned.approximation;
  const bool regular = c.errors == LabelErrors::none;
  Answer answer{regular ? Vector(1.0 - q.log_loo.array().exp()) : c.p_wrong(), !regular, {}, {}};
  answer.p_clean =
      predict(q, learned.model.covariance, learned.model.likelihood, table.X, table.X_test).p_clean;
  json intervals = json::array(), rates = json::array();
  if (const auto* one = std::get_if<Threshold>(&learned.model.likelihood)) {
    rates = {one->flip_probability};
  } else if (const auto* two = std::get_if<AsymmetricThreshold>(&learned.model.likelihood)) {
    rates = {two->flip_positive, two->flip_negative};
  }
  for (std::size_t k = 0; k < c.rates.size(); ++k) {
    const double truth = c.rates.size() == 1 ? table.mean_rate
                         : k == 0            ? table.planted.positive
                                             : table.planted.negative;
    intervals.push_back(interval_of(c.rates[k], truth));
  }
  answer.extra = {{"status", std::string(name_of(learned.status))},
                  {"ep", std::string(name_of(q.outcome.status))},
                  {"rates", rates},
                  {"intervals", intervals},
                  {"log_evidence", learned.log_evidence},
                  {"log_integrated", number(c.log_integrated)},
                  {"probability", number(c.probability)},
                  {"evaluations", learned.evaluations},
                  {"raised", c.mode.raised},
                  {"sweeps", c.sweeps}};
  return answer;
}

Answer averaged(const Selection& selection, const TrainingSet& data, const PlantedTable& table,
                Average kind) {
  const Ensemble ensemble = average(selection, data, kind);
  Answer answer{ensemble.p_wrong(), true, ensemble.predict(table.X, table.X_test).p_clean, {}};
  answer.extra = {{"members", ensemble.members.size()},
                  {"skipped", ensemble.skipped},
                  {"rates", {answer.score.mean()}},
                  {"p_label_errors", number(selection.p_label_errors())},
                  {"margin", number(selection.margin())}};
  return answer;
}

Answer by_em_ep(const TrainingSet& data, const PlantedTable& table, int most_steps) {
  const double typical = std::sqrt(2.0);
  constexpr double v0 = 100.0;  // v₂ = 1
  const Model start{
      v0 * Covariance(Matern{.smoothness = 2.5, .lengthscale = Vector::Constant(1, typical)}) +
          Linear{.lengthscale = Vector::Constant(1, typical)} + Constant{.variance = 1.0},
      Threshold{.flip_probability = 0.05}, Ep{}};
  const EmEpLearned learned =
      learn_by_em_ep(start, data, {.tolerance = 1e-4, .max_steps = most_steps});
  const Approximation& q = learned.approximation;
  Answer answer{q.p_wrong, true, {}, {}};
  answer.p_clean =
      predict(q, learned.model.covariance, learned.model.likelihood, table.X, table.X_test).p_clean;
  answer.extra = {{"status", std::string(name_of(learned.status))},
                  {"ep", std::string(name_of(q.outcome.status))},
                  {"rates", {std::get<Threshold>(learned.model.likelihood).flip_probability}},
                  {"log_evidence", learned.log_evidence},
                  {"steps", learned.steps},
                  {"evaluations", learned.evaluations},
                  {"sweeps", learned.sweeps}};
  return answer;
}

struct Cell {
  std::string data, kind;
  double rate;
  Index n;
  std::uint64_t seed;

  [[nodiscard]] json to_json() const {
    return {{"data", data}, {"kind", kind}, {"rate", rate}, {"n", n}, {"seed", seed}};
  }
  [[nodiscard]] PlantedTable table() const {
    const bool by_class = kind == "by_class";
    return bench::plant(data, {by_class ? 1.5 * rate : rate, by_class ? 0.5 * rate : rate}, n,
                        test_rows, seed);
  }
};

// Runs the wanted methods on one table; those that need a selection share it.
class Trial {
 public:
  Trial(const Cell& cell, const std::vector<std::string>& methods, int em_steps)
      : cell_(cell), methods_(methods), em_steps_(em_steps), table_(cell.table()) {}

  void run() {
    const Observations observations{.y = table_.y};
    const TrainingSet data{table_.X, observations, Threads{1}};
    write("em_ep", [&] { return by_em_ep(data, table_, em_steps_); });
    if (std::ranges::none_of(methods_, [](const std::string& m) { return m != "em_ep"; })) return;
    Selection selection;
    const double seconds = bench::seconds_of([&] {
      selection = select_model(data, {.errors = {all_label_errors.begin(), all_label_errors.end()},
                                      .covariances = {default_covariances(2).front()}});
    });
    fmt::print(stderr, "selection {:.2f} s\n", seconds);
    for (const Candidate& c : selection.candidates) {
      write(method_of(c.errors), [&] { return alone(c, table_); });
    }
    write("average_models", [&] { return averaged(selection, data, table_, Average::models); });
    write("average_full", [&] { return averaged(selection, data, table_, Average::full); });
  }

 private:
  template <class Method>
  void write(const std::string& name, const Method& method) const {
    if (std::ranges::find(methods_, name) == methods_.end()) return;
    json line = cell_.to_json();
    line["method"] = name;
    line["mean_rate"] = table_.mean_rate;
    line["wrong_share"] = table_.wrong_share;
    const double start = bench::cpu_seconds();
    try {
      line.update(measures(method(), table_));
    } catch (const NumericalError& e) {
      line["error"] = e.what();
    }
    fmt::print(stderr, "{} {} {} n {} seed {} {}: {:.2f} s\n", cell_.data, cell_.kind, cell_.rate,
               cell_.n, cell_.seed, name, bench::cpu_seconds() - start);
    fmt::print("{}\n", line.dump());
    std::fflush(stdout);
  }

  const Cell& cell_;
  const std::vector<std::string>& methods_;
  int em_steps_;
  PlantedTable table_;
};

}  // namespace

int main(int argc, char** argv) {
  const bench::Flags flags(
      argc, argv,
      {"--data", "--kinds", "--rates", "--n", "--seeds", "--first", "--methods", "--em-steps"});
  const auto methods = flags.words("--methods", all_methods);
  const int first = flags.count("--first", 0), seeds = flags.count("--seeds", 1);
  for (const double n : flags.numbers("--n", {100})) {
    for (int seed = first; seed < first + seeds; ++seed) {
      for (const std::string& data : flags.words("--data", {"ring", "mixture"})) {
        for (const std::string& kind : flags.words("--kinds", {"uniform", "by_class"})) {
          for (const double rate : flags.numbers("--rates", {0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3})) {
            // At 0 % there is but one kind.
            if (rate == 0.0 && kind == "by_class") continue;
            const Cell cell{data, kind, rate, static_cast<Index>(n),
                            static_cast<std::uint64_t>(seed)};
            Trial(cell, methods, flags.count("--em-steps", 500)).run();
          }
        }
      }
    }
  }
  return 0;
}
