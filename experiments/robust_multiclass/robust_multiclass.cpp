// SPDX-License-Identifier: MIT
// The comparison of [HHD11]: which classifiers still know clean labels after learning from noisy ones?
//
//   robust_multiclass --output FILE.jsonl [--tables new_thyroid,wine,glass] [--rates 0,0.05,0.1,0.2]
//                     [--seeds 50] [--first 0] [--methods softmax,…] [--minutes 45] [--root .]
//   robust_multiclass --splits FILE.jsonl [--tables …] [--rates …] [--seeds …] [--first …]
//
// The first form appends a JSON object per table, rate, seed and method, one line each, and leaves
// out what FILE already holds; after --minutes it begins no new cell.  Seeds are the outer loop, so that
// a run that was cut short is complete for its first seeds.  The second form writes the same splits
// and noisy labels, for methods in other languages (rivals.py).
#include "bench/flags.hpp"
#include "methods.hpp"
#include "noisy_split.hpp"

#include <candor/linalg/errors.hpp>

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <set>

namespace {

using namespace candor;
using namespace candor::experiments;
using nlohmann::json;

// Mean over the classes among the test rows of the share of them that is recognised.
double balanced_class_rate(const Matrix& probability, const std::vector<int>& labels) {
  Vector hits = Vector::Zero(probability.cols()), rows = hits;
  for (Index i = 0; i < probability.rows(); ++i) {
    const int label = labels[static_cast<std::size_t>(i)];
    Index best = 0;
    probability.row(i).maxCoeff(&best);
    hits[label] += best == label ? 1.0 : 0.0;
    rows[label] += 1.0;
  }
  const auto present = (rows.array() > 0.0).cast<double>();
  return (hits.array() / rows.array().max(1.0) * present).sum() / present.sum();
}

// A method that has excluded what then happens pays for 1e-4.
double log_loss(const Matrix& probability, const std::vector<int>& labels) {
  double sum = 0.0;
  for (Index i = 0; i < probability.rows(); ++i) {
    sum -= std::log(std::max(1e-4, probability(i, labels[static_cast<std::size_t>(i)])));
  }
  return sum / static_cast<double>(probability.rows());
}

struct Cell {
  std::string table;
  double rate;
  int seed;

  [[nodiscard]] json to_json() const { return {{"table", table}, {"rate", rate}, {"seed", seed}}; }
};

std::string key(const json& line) {
  return json{line.at("table"), line.at("rate"), line.at("seed"), line.at("method")}.dump();
}

// What a file of results holds already; a last line that was cut short does not count.
std::set<std::string> keys_in(const std::string& path) {
  std::set<std::string> keys;
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    const json line = json::parse(text, nullptr, false);
    if (!line.is_discarded()) keys.insert(key(line));
  }
  return keys;
}

class Experiment {
 public:
  explicit Experiment(const bench::Flags& flags)
      : flags_(flags), begin_(std::chrono::steady_clock::now()) {
    const std::string root = flags.words("--root", {"."}).front();
    for (const std::string& name : flags.words("--tables", {"new_thyroid", "wine", "glass"})) {
      const std::string path = find_table(root, name);
      if (path.empty()) {
        fmt::print(stderr, "{} skipped: it is neither in data nor in ../shared/data\n", name);
      } else {
        tables_.push_back(read_number_table(path));
      }
    }
  }

  void write_splits() const {
    std::ofstream file(flags_.words("--splits", {}).front());
    for_each_cell([&](const NumberTable& table, const Cell& cell) {
      const NoisySplit split = draw_split(table, cell.rate, static_cast<std::uint64_t>(cell.seed));
      json line = cell.to_json();
      line.update({{"train_rows", split.train_rows},
                   {"test_rows", split.test_rows},
                   {"classes", table.classes},
                   {"noisy_labels", split.noisy_labels}});
      file << line.dump() << '\n';
      return true;
    });
  }

  void run() const {
    const std::string path = flags_.words("--output", {}).front();
    const std::set<std::string> done = keys_in(path);
    std::ofstream file(path, std::ios::app);
    for_each_cell([&](const NumberTable& table, const Cell& cell) {
      std::vector<std::string> missing;
      for (const std::string& method : flags_.words("--methods", all_methods)) {
        json line = cell.to_json();
        line["method"] = method;
        if (!done.contains(key(line))) missing.push_back(method);
      }
      if (missing.empty()) return true;
      if (is_over_time()) return false;
      run(table, cell, missing, file);
      return true;
    });
  }

 private:
  template <class Visit>
  void for_each_cell(const Visit& visit) const {
    const int first = flags_.count("--first", 0), seeds = flags_.count("--seeds", 50);
    for (int seed = first; seed < first + seeds; ++seed) {
      for (const NumberTable& table : tables_) {
        for (const double rate : flags_.numbers("--rates", {0, 0.05, 0.1, 0.2})) {
          if (!visit(table, Cell{table.name, rate, seed})) return;
        }
      }
    }
  }

  [[nodiscard]] bool is_over_time() const {
    const std::chrono::duration<double, std::ratio<60>> spent =
        std::chrono::steady_clock::now() - begin_;
    return spent.count() > flags_.numbers("--minutes", {1e9}).front();
  }

  static void run(const NumberTable& table, const Cell& cell,
                  const std::vector<std::string>& methods, std::ofstream& file) {
    const NoisySplit split = draw_split(table, cell.rate, static_cast<std::uint64_t>(cell.seed));
    const Task task = task_of(table, split);
    Index wrong = 0;
    for (std::size_t i = 0; i < split.train_rows.size(); ++i) {
      const auto row = static_cast<std::size_t>(split.train_rows[i]);
      wrong += split.noisy_labels[i] != table.labels[row] ? 1 : 0;
    }
    for (const Answer& answer : answers_to(task, methods)) {
      json line = cell.to_json();
      line.update(
          {{"method", answer.method},
           {"balanced_class_rate", balanced_class_rate(answer.probability, task.test_labels)},
           {"log_loss", log_loss(answer.probability, task.test_labels)},
           {"wrong_share", static_cast<double>(wrong) / static_cast<double>(task.X.rows())},
           {"seconds", answer.seconds}});
      line.update(answer.extra);
      file << line.dump() << std::endl;
      fmt::print(stderr, "{} {} seed {} {}: {:.3f}, {:.1f} s\n", cell.table, cell.rate, cell.seed,
                 answer.method, line["balanced_class_rate"].get<double>(), answer.seconds);
    }
  }

  const bench::Flags& flags_;
  std::chrono::steady_clock::time_point begin_;
  std::vector<NumberTable> tables_;
};

}  // namespace

int main(int argc, char** argv) try {
  const bench::Flags flags(argc, argv,
                           {"--output", "--splits", "--tables", "--rates", "--seeds", "--first",
                            "--methods", "--minutes", "--root"});
  if (flags.has("--output") == flags.has("--splits")) {
    throw InvalidInput("give a file for --output, or one for --splits");
  }
  const Experiment experiment(flags);
  if (flags.has("--splits")) {
    experiment.write_splits();
  } else {
    experiment.run();
  }
  return 0;
} catch (const std::exception& e) {
  fmt::print(stderr, "robust_multiclass: {}\n", e.what());
  return 3;
}
