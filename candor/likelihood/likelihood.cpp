// SPDX-License-Identifier: MIT
#include <candor/likelihood/likelihood.hpp>
#include <candor/linalg/check.hpp>

#include <tuple>

namespace candor {
namespace {

// Calls visit(likelihood, parameter) for each parameter of the alternative held, in order.
template <class AnyLikelihood, class Visit>
void for_each_parameter(AnyLikelihood& likelihood, const Visit& visit) {
  std::visit(
      [&](auto& alternative) {
        std::apply([&](const auto&... p) { (visit(alternative, p), ...); },
                   alternative.parameters());
      },
      likelihood);
}

Index parameter_count(const Likelihood& likelihood) {
  Index count = 0;
  for_each_parameter(likelihood, [&](const auto&, const auto&) { ++count; });
  return count;
}

}  // namespace

std::string_view name_of(const Likelihood& likelihood) {
  return std::visit([](const auto& alternative) { return alternative.name; }, likelihood);
}

void check(const Likelihood& likelihood) {
  std::visit([](const auto& alternative) { alternative.check(); }, likelihood);
}

std::vector<std::string_view> parameter_names(const Likelihood& likelihood) {
  std::vector<std::string_view> names;
  for_each_parameter(likelihood, [&](const auto&, const auto& p) { names.push_back(p.name); });
  return names;
}

std::vector<LikelihoodDomain> parameter_domains(const Likelihood& likelihood) {
  std::vector<LikelihoodDomain> domains;
  for_each_parameter(likelihood, [&](const auto&, const auto& p) { domains.push_back(p.domain); });
  return domains;
}

Vector parameter_values(const Likelihood& likelihood) {
  Vector values(parameter_count(likelihood));
  Index i = 0;
  for_each_parameter(likelihood,
                     [&](const auto& l, const auto& p) { values[i++] = l.*(p.member); });
  return values;
}

Likelihood with_parameter_values(const Likelihood& likelihood, const VectorRef& values) {
  check_same_size("values", values.size(), "parameters", parameter_count(likelihood));
  Likelihood changed = likelihood;
  Index i = 0;
  for_each_parameter(changed, [&](auto& l, const auto& p) { l.*(p.member) = values[i++]; });
  check(changed);
  return changed;
}

}  // namespace candor
