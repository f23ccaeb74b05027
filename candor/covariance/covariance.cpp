// SPDX-License-Identifier: MIT
#include <candor/covariance/covariance.hpp>

#include <iterator>

namespace candor {
namespace {

// The parts of an n-ary node, or k itself as its only part.
template <class Nary>
std::vector<Covariance> parts(Covariance k, std::vector<Covariance> Nary::*member) {
  if (auto* nary = std::get_if<Nary>(&k.node)) return std::move(nary->*member);
  std::vector<Covariance> single;
  single.push_back(std::move(k));
  return single;
}

template <class Nary>
Nary join(Covariance a, Covariance b, std::vector<Covariance> Nary::*member) {
  Nary joined{parts<Nary>(std::move(a), member)};
  std::vector<Covariance> more = parts<Nary>(std::move(b), member);
  std::ranges::move(more, std::back_inserter(joined.*member));
  return joined;
}

}  // namespace

void Covariance::evaluate(const RowPairs& pairs, MatrixOut K) const {
  std::visit([&](const auto& k) { k.evaluate(pairs, K); }, node);
}

Vector Covariance::diagonal(const MatrixRef& X, Rows rows) const {
  return std::visit([&](const auto& k) { return k.diagonal(X, rows); }, node);
}

double Covariance::pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                            GradientRef gradient) const {
  return std::visit([&](const auto& k) { return k.pullback(pairs, K_bar, gradient); }, node);
}

Covariance operator+(Covariance a, Covariance b) {
  return join<Sum>(std::move(a), std::move(b), &Sum::terms);
}

Covariance operator*(Covariance a, Covariance b) {
  return join<Product>(std::move(a), std::move(b), &Product::factors);
}

Covariance operator*(double variance, Covariance factor) {
  return Scaled{.variance = variance, .factor = std::move(factor)};
}

}  // namespace candor
