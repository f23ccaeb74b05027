// SPDX-License-Identifier: MIT
#include <candor/covariance/text.hpp>

#include <candor/covariance/distance.hpp>

#include <array>
#include <charconv>

namespace candor {
namespace {

enum class Place { alone, term, factor, scaled };

void write(std::string& out, const Covariance& covariance, Place place);

template <class Number>
requires std::is_arithmetic_v<Number>
void write(std::string& out, Number number) {
  std::array<char, 32> digits;  // the shortest form that reads back to the same bits fits
  const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  out.append(digits.begin(), end);
}

void write(std::string& out, const Covariance& operand) { write(out, operand, Place::alone); }

template <class List>
requires requires(const List& list) { list.size(); }
void write(std::string& out, const List& list) {
  if constexpr (std::is_same_v<List, std::vector<Index>>) {
    if (list == std::vector{every_column}) {
      out += "all";
      return;
    }
  }
  const bool bracketed = list.size() != 1;
  if (bracketed) out += '[';
  bool first = true;
  for (const auto& item : list) {
    if (!std::exchange(first, false)) out += ", ";
    write(out, item);
  }
  if (bracketed) out += ']';
}

// Settings that are empty lists are left out, and a lone number needs no key.
template <class K>
void write_call(std::string& out, const K& k) {
  constexpr bool lone_number = requires {
    requires std::tuple_size_v<decltype(K::parameters())>
    == 1;
    requires std::is_same_v<decltype(k.*std::get<0>(K::parameters()).member), const double&>;
  };
  out += K::name;
  out += '(';
  bool first = true;
  for_each_parameter(k, [&](const auto& p, const auto& member) {
    if constexpr (std::is_same_v<decltype(member), const std::vector<Index>&>) {
      if (member.empty()) return;
    }
    if (!std::exchange(first, false)) out += ", ";
    if (!lone_number) {
      out += p.name;
      out += '=';
    }
    write(out, member);
  });
  out += ')';
}

void write_joined(std::string& out, const std::vector<Covariance>& operands, std::string_view sign,
                  Place place) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) out += sign;
    write(out, operands[i], place);
  }
}

// Operators where they say the same tree, calls for all else.
template <class K>
void write_open(std::string& out, const K& k) {
  if constexpr (std::is_same_v<K, Scaled>) {
    write(out, k.variance);
    out += " * ";
    write(out, *k.factor, Place::scaled);
  } else if constexpr (std::is_same_v<K, Sum>) {
    if (k.terms.size() < 2) return write_call(out, k);
    write_joined(out, k.terms, " + ", Place::term);
  } else if constexpr (std::is_same_v<K, Product>) {
    if (k.factors.size() < 2) return write_call(out, k);
    write_joined(out, k.factors, " * ", Place::factor);
  } else {
    write_call(out, k);
  }
}

bool needs_parentheses(const Covariance& covariance, Place place) {
  if (const auto* sum = std::get_if<Sum>(&covariance.node)) {
    return sum->terms.size() > 1 && place != Place::alone;
  }
  if (const auto* product = std::get_if<Product>(&covariance.node)) {
    return product->factors.size() > 1 && place == Place::factor;
  }
  return std::holds_alternative<Scaled>(covariance.node) && place == Place::factor;
}

void write(std::string& out, const Covariance& covariance, Place place) {
  const bool enclosed = needs_parentheses(covariance, place);
  if (enclosed) out += '(';
  std::visit([&](const auto& k) { write_open(out, k); }, covariance.node);
  if (enclosed) out += ')';
}

}  // namespace

std::string to_text(const Covariance& covariance) {
  std::string out;
  write(out, covariance, Place::alone);
  return out;
}

}  // namespace candor
