// SPDX-License-Identifier: MIT
// From a table to a classifier.
//
//   const Table table = read_table("wine.csv");
//   const Schema schema = infer_schema(table, {.label = "class"});
//   const Classifier classifier = fit(table, schema, prepare(table, schema));
//
// Covariances are tried one after the other, each for all classes, and their n×n matrices are gone
// before the next: memory does not grow with the number of candidates.
#pragma once

#include <candor/data/label_column.hpp>
#include <candor/data/schema.hpp>
#include <candor/data/table.hpp>
#include <candor/learning/ensemble.hpp>
#include <candor/learning/learn.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/model/classifier.hpp>
#include <candor/model/cost.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace candor {

// How more than two classes are asked about.
enum class Multiclass {
  automatic,    // joint, but for what why_not_automatically says
  joint,        // one model of all classes
  one_vs_rest,  // a question for each class
};

struct FitOptions {
  std::vector<LabelErrors> errors = {};  // views of the labels to compare; empty: label_views()
  // As text (covariance/text.hpp); empty: the defaults.  A part that names no discrete columns gets
  // the table's, since codes must not be taken for numbers.
  std::vector<std::string> covariances = {};
  Inference inference = Ep{};
  std::optional<Likelihood> regular = {};  // without label errors: Probit or Logistic
  std::optional<double> rate = {};         // of label errors, where it is known
  Average average = Average::models;
  Multiclass multiclass = Multiclass::automatic;
  bool use_prior = true;
  int restarts = Learning{}.spread_starts;  // of each search, besides the covariance as given
  bool learn_parameters = true;             // false: covariances as given, label errors at `rate`
  Threads threads = Threads::all();
  unsigned long long seed = 0;  // kept in the provenance; nothing is drawn at random today
  std::string options_json = "{}";
  // Progress::stage says which class and which model is being learned.  Once it answers no, the fit
  // ends with the covariances that were done for every class, Classifier::interrupted set, or with
  // Cancelled where there is none.
  Watcher watcher = {};
};

// What the table holds, ready to learn from; cheap, so that a dry run can show it.
struct Prepared {
  Encoder encoder;
  Encoded inputs;                  // all rows
  LabelColumn labels;              // all rows
  std::vector<Index> rows;         // those with a label; the others are left out
  Vector weight;                   // of those; empty: all 1
  std::vector<bool> trusted;       // of those; empty: none
  std::vector<std::string> notes;  // what a person should know, of table, schema and encoder
};

// TableError where the schema has no label, the label no two classes, or a cell cannot be used.
[[nodiscard]] Prepared prepare(const Table& table, const Schema& schema);

// The views of the labels that are compared: those of the options or, where they name none, all that
// apply.  Rates by class (docs/decisions/0014 and 0016) are for two classes, and for three in one
// joint question, whose rate is to be learned, unless mostly one class is trusted; where every label
// is trusted, none is wrong.
[[nodiscard]] std::vector<LabelErrors> label_views(const Prepared& prepared,
                                                   const FitOptions& options);

// Why all classes cannot be asked about in one joint question; empty where they can.
[[nodiscard]] std::string why_not_joint(const Prepared& prepared, const FitOptions& options);
// Why Multiclass::automatic does not: that, or their number, or the memory it would take.
[[nodiscard]] std::string why_not_automatically(const Prepared& prepared,
                                                const FitOptions& options);
// Whether a fit will.
[[nodiscard]] bool is_joint(const Prepared& prepared, const FitOptions& options);

// What a cost is estimated from; InvalidInput as from fit().
[[nodiscard]] FitSize fit_size(const Prepared& prepared, const FitOptions& options);
// Some 50 milliseconds, before any O(n³) work.
[[nodiscard]] Cost estimate_cost(const Prepared& prepared, const FitOptions& options);

// Nothing was learned before the watcher said no.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled before anything was learned") {}
};

// Where the rows of a fit come from, for its model file.
struct Origin {
  std::string label_name;
  std::string source;     // name of the table, without its folder
  std::string data_hash;  // as in Provenance
};

// InvalidInput for a covariance that does not fit the inputs, a rate outside [0, ½), and label
// errors whose rate is neither known nor learned; before any O(n³) work.
[[nodiscard]] Classifier fit(const Prepared& prepared, const Origin& origin,
                             const FitOptions& options = {});

// Prepared must come from this table and schema.
[[nodiscard]] Classifier fit(const Table& table, const Schema& schema, const Prepared& prepared,
                             const FitOptions& options = {});

}  // namespace candor
