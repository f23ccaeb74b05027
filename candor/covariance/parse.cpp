// SPDX-License-Identifier: MIT
#include <candor/covariance/check.hpp>
#include <candor/covariance/distance.hpp>
#include <candor/covariance/nearest_name.hpp>
#include <candor/covariance/text.hpp>
#include <candor/linalg/errors.hpp>

#include <charconv>
#include <optional>
#include <set>

namespace candor {
namespace {

// Each level of a tree takes at most two levels of text: its parentheses and its factor.
constexpr int max_text_depth = 2 * max_covariance_depth;

// Locale has no say in what a letter is.
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

template <std::size_t... I>
std::vector<std::string_view> covariance_names(std::index_sequence<I...>) {
  return {std::variant_alternative_t<I, Covariance::Node>::name...};
}

template <std::size_t... I>
std::optional<Covariance> default_of(std::string_view name, std::index_sequence<I...>) {
  std::optional<Covariance> found;
  const auto consider = [&]<class K>(std::type_identity<K>) {
    if (name == K::name) found = Covariance(K{});
  };
  (consider(std::type_identity<std::variant_alternative_t<I, Covariance::Node>>{}), ...);
  return found;
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

constexpr auto alternatives = std::make_index_sequence<std::variant_size_v<Covariance::Node>>{};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Covariance whole() {
    Covariance covariance = sum();
    skip_space();
    if (at_ < text_.size()) fail("expected '+', '*' or the end");
    return covariance;
  }

 private:
  // Counts a level of nesting for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > max_text_depth) {
        throw InvalidInput("the covariance is nested too deeply at character " +
                           std::to_string(parser_.at_ + 1) + ": at most " +
                           std::to_string(max_covariance_depth) + " levels are allowed");
      }
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  Covariance sum() {
    std::vector<Covariance> terms;
    do {
      terms.push_back(product());
    } while (accept('+'));
    if (terms.size() == 1) return std::move(terms.front());
    return Sum{std::move(terms)};
  }

  Covariance product() {
    if (at_number()) return scaled();
    std::vector<Covariance> factors;
    do {
      factors.push_back(at_number() ? scaled() : primary());
    } while (accept('*'));
    if (factors.size() == 1) return std::move(factors.front());
    return Product{std::move(factors)};
  }

  Covariance scaled() {
    const Level level(*this);
    const auto variance = number<double>();
    if (!accept('*')) fail("expected '*': a number must be followed by what it scales");
    return Scaled{.variance = variance, .factor = product()};
  }

  Covariance primary() {
    const Level level(*this);
    if (accept('(')) {
      Covariance inside = sum();
      expect(')');
      return inside;
    }
    skip_space();
    const std::size_t start = at_;
    const std::string_view name = identifier("expected a covariance");
    std::optional<Covariance> covariance = default_of(name, alternatives);
    if (!covariance) fail_unknown("covariance", name, start, covariance_names(alternatives));
    if (accept('(') && !accept(')')) {
      std::visit([&](auto& k) { arguments(k); }, covariance->node);
      expect(')');
    }
    return *std::move(covariance);
  }

  template <class K>
  void arguments(K& k) {
    std::set<std::string_view> given;
    do {
      skip_space();
      const std::size_t start = at_;
      const std::optional<std::string_view> written = key();
      if (!written && !given.empty())
        fail("expected a key: only the first argument goes without one");
      const std::string_view name = written.value_or(std::get<0>(K::parameters()).name);
      if (!given.insert(name).second) fail_at("'" + std::string(name) + "' is given twice", start);
      bool known = false;
      std::vector<std::string_view> keys;
      for_each_parameter(k, [&](const auto& p, auto& member) {
        keys.push_back(p.name);
        if (p.name != name) return;
        known = true;
        value(member);
      });
      if (!known) fail_unknown("key of " + std::string(K::name), name, start, keys);
    } while (accept(','));
  }

  // The key before an '=', if there is one.
  std::optional<std::string_view> key() {
    const std::size_t start = at_;
    if (at_ < text_.size() && is_letter(text_[at_])) {
      const std::string_view name = identifier("");
      if (accept('=')) return name;
    }
    at_ = start;
    return std::nullopt;
  }

  void value(double& member) { member = number<double>(); }
  void value(Vector& member) {
    const std::vector<double> numbers = list<double>([&] { return number<double>(); });
    member = Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
  }
  void value(std::vector<Index>& member) {
    skip_space();
    if (at_ < text_.size() && is_letter(text_[at_])) {
      const std::size_t start = at_;
      if (identifier("") != "all") fail_at("expected columns, such as [0, 2], or all", start);
      member = {every_column};
      return;
    }
    member = list<Index>([&] { return number<Index>(); });
  }
  void value(Box<Covariance>& member) { member = sum(); }
  void value(std::vector<Covariance>& member) {
    member = list<Covariance>([&] { return sum(); });
  }

  template <class Item, class Read>
  std::vector<Item> list(Read read) {
    std::vector<Item> items;
    if (!accept('[')) {
      items.push_back(read());
      return items;
    }
    if (accept(']')) return items;
    do {
      items.push_back(read());
    } while (accept(','));
    expect(']');
    return items;
  }

  bool at_number() {
    skip_space();
    return at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.' || text_[at_] == '-');
  }

  template <class Number>
  Number number() {
    if (!at_number()) fail("expected a number");
    Number result{};
    const std::string_view rest = text_.substr(at_);
    if (rest.size() > 1 && is_letter(rest[1]) && rest[0] == '-') fail("expected a number");  // -nan
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), result);
    if (error == std::errc::result_out_of_range) fail("expected a number that can be represented");
    if (error != std::errc()) fail("expected a number");
    at_ += static_cast<std::size_t>(end - rest.data());
    return result;
  }

  std::string_view identifier(std::string_view expectation) {
    skip_space();
    if (at_ == text_.size() || !is_letter(text_[at_])) fail(std::string(expectation));
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(start, at_ - start);
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool accept(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }

  [[noreturn]] void fail(const std::string& expectation) {
    skip_space();
    const std::string found =
        at_ == text_.size() ? "the text ends there" : std::string("found '") + text_[at_] + "'";
    fail_at(expectation + ", " + found, at_);
  }

  [[noreturn]] static void fail_at(const std::string& problem, std::size_t position) {
    throw InvalidInput("the covariance cannot be read at character " +
                       std::to_string(position + 1) + ": " + problem);
  }

  [[noreturn]] static void fail_unknown(const std::string& kind, std::string_view name,
                                        std::size_t position,
                                        const std::vector<std::string_view>& known) {
    constexpr std::size_t longest_quote = 40;  // a message quotes no more than a long name
    const std::string_view quoted = name.substr(0, longest_quote);
    const std::optional<std::string_view> meant = nearest_name(quoted, known);
    throw InvalidInput(
        "unknown " + kind + " '" + std::string(quoted) + "' at character " +
        std::to_string(position + 1) + ": " +
        (meant ? "did you mean '" + std::string(*meant) + "'?" : "known are " + listed(known)));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Covariance parse_covariance(std::string_view text) {
  Covariance covariance = Parser(text).whole();
  check(covariance);
  return covariance;
}

}  // namespace candor
