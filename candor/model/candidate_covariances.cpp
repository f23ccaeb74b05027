// SPDX-License-Identifier: MIT
#include <candor/model/candidate_covariances.hpp>

#include <candor/covariance/check.hpp>
#include <candor/covariance/text.hpp>
#include <candor/learning/defaults.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>

namespace candor {
namespace {

void tell(Covariance& covariance, const std::vector<Index>& discrete);

// Numbers and lengthscales need not know.
template <class Member>
void tell_member(Member&, const std::vector<Index>&) {}
void tell_member(Box<Covariance>& operand, const std::vector<Index>& discrete) {
  tell(*operand, discrete);
}
void tell_member(std::vector<Covariance>& operands, const std::vector<Index>& discrete) {
  for (Covariance& operand : operands) tell(operand, discrete);
}
// The only lists of columns that covariances have.
void tell_member(std::vector<Index>& columns, const std::vector<Index>& discrete) {
  if (columns.empty()) columns = discrete;
}

void tell(Covariance& covariance, const std::vector<Index>& discrete) {
  std::visit(
      [&](auto& k) {
        for_each_parameter(k, [&](const auto&, auto& member) { tell_member(member, discrete); });
      },
      covariance.node);
}

NamedCovariance asked_for(const std::string& text, Index columns,
                          const std::vector<Index>& discrete) {
  NamedCovariance named{text, with_discrete_columns(parse_covariance(text), discrete)};
  try {
    check(named.covariance, columns);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("covariance {}: {}", text, error.what()));
  }
  return named;
}

}  // namespace

Covariance with_discrete_columns(Covariance covariance, const std::vector<Index>& discrete) {
  tell(covariance, discrete);
  return covariance;
}

std::vector<NamedCovariance> candidate_covariances(const std::vector<std::string>& texts,
                                                   Index columns,
                                                   const std::vector<Index>& discrete) {
  std::vector<NamedCovariance> all;
  if (texts.empty()) all = default_covariances(columns, discrete);
  for (const std::string& text : texts) all.push_back(asked_for(text, columns, discrete));
  for (NamedCovariance& named : all) {
    named.prior.column_deviation =
        1.0;  // columns are standardised, and that of codes means nothing
  }
  return all;
}

}  // namespace candor
