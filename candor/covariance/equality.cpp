// SPDX-License-Identifier: MIT
#include <candor/covariance/covariance.hpp>

#include <algorithm>

namespace candor {
namespace {

bool same(const Box<Covariance>& a, const Box<Covariance>& b) { return *a == *b; }

template <class T>
bool same(const T& a, const T& b) {
  return std::ranges::equal(a, b);
}

bool same(double a, double b) { return a == b; }

}  // namespace

bool operator==(const Covariance& a, const Covariance& b) {
  if (a.node.index() != b.node.index()) return false;
  return std::visit(
      [&](const auto& k) {
        const auto& other = std::get<std::remove_cvref_t<decltype(k)>>(b.node);
        bool equal = true;
        for_each_parameter(k, [&](const auto& p, const auto& member) {
          equal = equal && same(member, other.*p.member);
        });
        return equal;
      },
      a.node);
}

}  // namespace candor
