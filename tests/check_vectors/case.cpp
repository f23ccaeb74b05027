// SPDX-License-Identifier: MIT
#include "case.hpp"

#include <set>

namespace check_vectors {
namespace {

bool is_reference(const std::string& key) {
  return key == "sampling_reference" || key == "exact_reference";
}

bool is_input(const std::string& key) {
  static const std::set<std::string> inputs{"X",
                                            "X_test",
                                            "y",
                                            "classes",
                                            "flipped_indices",
                                            "hyp",
                                            "eps",
                                            "v2",
                                            "link",
                                            "needs",
                                            "note",
                                            "name",
                                            "inputs",
                                            "mean",
                                            "var",
                                            "settings",
                                            "how",
                                            "rho",
                                            "n",
                                            "case",
                                            "cavity_mean",
                                            "cavity_var",
                                            "description",
                                            "max_real_eigenvalue_of_parallel_update"};
  return inputs.count(key) > 0;
}

void walk(const Node& object, const Field& path, Case& c, const FieldCheck& check) {
  for (const std::string& key : object.keys()) {
    if (path.empty() && c.answers_beside_inputs && is_input(key)) continue;
    const Node value = object[key];
    Field field = path;
    field.push_back(key);
    if (is_reference(key)) {
      c.report.note(joined(field), "reference, not a target");
    } else if (value.is_object()) {
      walk(value, field, c, check);
    } else if (!check(field, value)) {
      c.report.not_covered(joined(field));
    }
  }
}

}  // namespace

void check_fields(Case& c, const FieldCheck& check) { walk(c.answers, {}, c, check); }

void list_strays(const Node& object, const std::string& answers, Report& report) {
  for (const std::string& key : object.keys()) {
    if (key != answers && !is_reference(key) && !is_input(key)) report.not_covered(key);
  }
}

}  // namespace check_vectors
