// SPDX-License-Identifier: MIT
// What a covariance says about its members.  Each alternative lists them once, in `parameters()`;
// text, paths, checks, comparison and the vector of log parameters all follow from that list.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

namespace candor {

template <class K, class T>
struct CovarianceParameter {
  std::string_view name;
  T K::*member;
  bool learned;  // part of the vector of log parameters
};

// A positive number, or a list of them, learned in its logarithm.
template <class K, class T>
constexpr CovarianceParameter<K, T> learned(std::string_view name, T K::*member) {
  return {name, member, true};
}

// A choice of the user that learning leaves alone.
template <class K, class T>
constexpr CovarianceParameter<K, T> fixed(std::string_view name, T K::*member) {
  return {name, member, false};
}

// The covariances that this one is made of.
template <class K, class T>
constexpr CovarianceParameter<K, T> operand(std::string_view name, T K::*member) {
  return {name, member, false};
}

// Calls visit(parameter, member of k) for each parameter of a single alternative, in order.
template <class K, class Visit>
void for_each_parameter(K& k, Visit visit) {
  std::apply([&](const auto&... p) { (visit(p, k.*p.member), ...); },
             std::remove_const_t<K>::parameters());
}

template <class K, class Variant>
inline constexpr bool is_alternative = false;
template <class K, class... Ks>
inline constexpr bool is_alternative<K, std::variant<Ks...>> = (std::is_same_v<K, Ks> || ...);

}  // namespace candor
