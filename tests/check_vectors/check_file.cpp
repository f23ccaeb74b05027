// SPDX-License-Identifier: MIT
#include "check_file.hpp"

#include "kinds.hpp"

#include <candor/linalg/errors.hpp>

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

namespace check_vectors {
namespace {

using KindCheck = void (*)(Case&);

const std::map<std::string, KindCheck>& covered_kinds() {
  static const std::map<std::string, KindCheck> kinds{{"kernel", check_kernel},
                                                      {"kernel_list", check_kernel},
                                                      {"integral", check_integral},
                                                      {"site_moments", check_site_moments},
                                                      {"ep", check_ep},
                                                      {"ep_large", check_ep},
                                                      {"ep_gradient", check_ep},
                                                      {"ep_hard", check_hard_ep},
                                                      {"exact", check_exact},
                                                      {"laplace", check_laplace},
                                                      {"laplace_multiclass", check_softmax_laplace},
                                                      {"rmgpc", check_robust_max},
                                                      {"emep_step", check_em_ep_step},
                                                      {"learning", check_learning}};
  return kinds;
}

void check_schema(const Node& root) {
  for (const char* key : {"name", "kind"}) static_cast<void>(root[key].text());
  if (root["schema"].number() != 1.0) root["schema"].refuse("1, the version this program reads");
  for (const char* key : {"inputs", "settings"}) static_cast<void>(root[key].keys());
}

void run_case(KindCheck check, Case c) {
  try {
    check(c);
  } catch (const candor::NumericalError& error) {
    c.report.require("computed", false, error.what());
  } catch (const candor::InvalidInput& error) {
    throw Malformed(fmt::format("{} cannot be computed: {}", c.answers.path(), error.what()));
  }
}

std::vector<Node> scopes_of(const Node& root, const Node* item) {
  std::vector<Node> scopes;
  if (item != nullptr) {
    scopes.push_back(*item);
    for (const char* key : {"inputs", "settings"}) {
      if (item->has(key)) scopes.push_back((*item)[key]);
    }
  }
  scopes.push_back(root["inputs"]);
  scopes.push_back(root["settings"]);
  return scopes;
}

void check_cases(const Node& root, KindCheck check, const std::string& name,
                 const Tolerances& tolerances, Counts& counts) {
  const Node expected = root["expected"];
  Report file_report(name, tolerances, counts);
  list_strays(expected, "cases", file_report);
  const std::vector<Node> cases = expected["cases"].items();
  if (cases.empty()) expected["cases"].refuse("a list of at least one case");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Node& item = cases[i];
    if (!item.is_object()) item.refuse("an object");
    Report report(fmt::format("{}[{}]", name, i), tolerances, counts);
    const bool separate = item.has("expected");
    if (separate) list_strays(item, "expected", report);
    run_case(check, {Problem(scopes_of(root, &item)), separate ? item["expected"] : item, !separate,
                     report});
  }
}

}  // namespace

void check_file(const std::filesystem::path& file, Counts& counts) {
  const nlohmann::ordered_json json = read_json(file);
  const Node root(json, "");
  check_schema(root);
  const std::string name = file.stem().string(), kind = root["kind"].text();
  const Tolerances tolerances(root["tolerance"]);
  const Node expected = root["expected"];
  Report report(name, tolerances, counts);
  const auto found = covered_kinds().find(kind);
  if (found == covered_kinds().end()) root["kind"].refuse("a kind that the schema lists");
  if (expected.has("cases")) {
    check_cases(root, found->second, name, tolerances, counts);
  } else {
    if (expected.is_object() && expected.keys().empty()) expected.refuse("an object with answers");
    run_case(found->second, {Problem(scopes_of(root, nullptr)), expected, false, report});
  }
}

}  // namespace check_vectors
