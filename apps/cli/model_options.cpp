// SPDX-License-Identifier: MIT
#include <apps/cli/model_options.hpp>

#include <apps/cli/exit_code.hpp>
#include <apps/cli/number_check.hpp>
#include <apps/cli/option_group.hpp>
#include <apps/cli/sheet.hpp>

#include <candor/covariance/text.hpp>
#include <candor/data/wording.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace candor::cli {
namespace {

template <class T>
using Words = std::vector<std::pair<std::string, T>>;

const Words<LabelErrors>& views() {
  static const Words<LabelErrors> words{{"none", LabelErrors::none},
                                        {"uniform", LabelErrors::uniform},
                                        {"class", LabelErrors::by_class}};
  return words;
}

const Words<Average>& averages() {
  static const Words<Average> words{
      {"none", Average::none}, {"models", Average::models}, {"full", Average::full}};
  return words;
}

const Words<Inference>& engines() {
  static const Words<Inference> words{
      {"ep", Ep{}}, {"laplace", Laplace{}}, {"variational", Variational{}}};
  return words;
}

const Words<Multiclass>& ways_to_ask() {
  static const Words<Multiclass> words{{"auto", Multiclass::automatic},
                                       {"joint", Multiclass::joint},
                                       {"one-vs-rest", Multiclass::one_vs_rest}};
  return words;
}

template <class T>
std::vector<std::string> names(const Words<T>& words) {
  std::vector<std::string> all;
  for (const auto& [name, value] : words) all.push_back(name);
  return all;
}

template <class T>
T meaning(const Words<T>& words, const std::string& word) {
  for (const auto& [name, value] : words) {
    if (name == word) return value;
  }
  throw UsageError("'" + word + "' is not among the words this option knows");
}

void check_different(const std::string& option, std::vector<std::string> words) {
  std::ranges::sort(words);
  const auto twice = std::ranges::adjacent_find(words);
  if (twice == words.end()) return;
  throw UsageError(fmt::format("{} says {} twice: once is enough", option, shown(*twice)));
}

}  // namespace

Json as_json(const ModelOptions& options) {
  return {{"errors", options.errors},       {"covariance", options.covariance},
          {"average", options.average},     {"prior", options.prior},
          {"inference", options.inference}, {"multiclass", options.multiclass}};
}

void add_threads(CLI::App& command, int& threads) {
  const OptionGroup group(command, "Resources");
  command.add_option("--threads", threads, "Threads to use; 0: all cores (same results)")
      ->check(whole_number("--threads", 0, 4096))
      ->type_name("N");
}

void add_model_options(CLI::App& command, ModelOptions& options) {
  const OptionGroup group(command, "Model");
  command
      .add_option(
          "--errors", options.errors,
          "Views of the labels to compare: none, uniform (one rate), class (a rate each, of "
          "more than two classes a share for each pair); default: all three for two or "
          "three classes, none and uniform for more")
      ->type_name("VIEW,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names(views())));
  command
      .add_option(
          "--covariance", options.covariance,
          "Covariance to try, such as '4 * matern(smoothness=2.5) + linear'; may be repeated")
      ->type_name("TEXT")
      ->check(covariance_text())
      ->allow_extra_args(false);
  command
      .add_option("--average", options.average,
                  "Average over: none (model of most evidence), models, full (hyperparameters too)")
      ->type_name("KIND")
      ->check(CLI::IsMember(names(averages())))
      ->capture_default_str();
  command
      .add_option("--prior", options.prior,
                  "Prior of the hyperparameters: weak, or none (plain maximum likelihood)")
      ->type_name("KIND")
      ->check(CLI::IsMember(std::vector<std::string>{"weak", "none"}))
      ->capture_default_str();
  command
      .add_option("--inference", options.inference,
                  "Engine: ep, variational (every evidence is a lower bound), or laplace (--errors "
                  "none only)")
      ->type_name("ENGINE")
      ->check(CLI::IsMember(names(engines())))
      ->capture_default_str();
  command
      .add_option("--multiclass", options.multiclass,
                  "More than two classes: joint (one model of all), one-vs-rest (a question each), "
                  "auto (joint up to 30 classes and 2 GB, where the other options allow it)")
      ->type_name("WAY")
      ->check(CLI::IsMember(names(ways_to_ask())))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Kept with the results; nothing is drawn at random")
      ->type_name("N")
      ->check(seed_number())
      ->capture_default_str();
  add_threads(command, options.threads);
}

void add_limit_options(CLI::App& command, LimitOptions& options) {
  const OptionGroup group(command, "Resources");
  command
      .add_option("--max-memory", options.max_memory,
                  "Refuse to start beyond this, such as 4G; default: the memory that is free")
      ->type_name("BYTES");
  command
      .add_option(
          "--max-time", options.max_time,
          "Refuse to start if this is surely too little, and stop learning after it; above 0")
      ->type_name("SECONDS")
      ->check(number_above_zero("--max-time"));
  command
      .add_option("--sample", options.sample,
                  "Learn from so many rows, chosen by their content, classes in proportion, two of "
                  "each at least")
      ->type_name("ROWS")
      ->check(whole_number("--sample", 2, most_rows));
}

FitOptions fit_options(const ModelOptions& options) {
  check_different("--errors", options.errors);
  check_different("--covariance", options.covariance);
  if (options.inference == "laplace" && options.errors != std::vector<std::string>{"none"}) {
    throw UsageError(
        "--inference laplace does not know label errors: add --errors none, or use ep or "
        "variational");
  }
  if (options.multiclass == "joint") {
    if (options.inference != "ep") {
      throw UsageError(fmt::format(
          "--multiclass joint takes --inference ep: leave out --inference {}, or use --multiclass "
          "one-vs-rest",
          options.inference));
    }
  }
  FitOptions fit;
  for (const std::string& word : options.errors) fit.errors.push_back(meaning(views(), word));
  fit.covariances = options.covariance;
  fit.average = meaning(averages(), options.average);
  fit.inference = meaning(engines(), options.inference);
  fit.multiclass = meaning(ways_to_ask(), options.multiclass);
  fit.use_prior = options.prior != "none";
  fit.threads = threads_of(options.threads);
  fit.seed = options.seed;
  fit.options_json = dumped(as_json(options));
  return fit;
}

std::string word_for(LabelErrors errors) {
  return std::ranges::find(views(), errors, &std::pair<std::string, LabelErrors>::second)->first;
}

CLI::Validator covariance_text() {
  return {[](const std::string& text) -> std::string {
            static_cast<void>(covariance_from(text));
            return "";
          },
          ""};
}

Covariance covariance_from(const std::string& text) {
  try {
    return parse_covariance(text);
  } catch (const InvalidInput& error) {
    throw UsageError(fmt::format("--covariance is {}: {}", shown(text), error.what()));
  }
}

Threads threads_of(int count) { return count == 0 ? Threads::all() : Threads{count}; }

double bytes_from(const std::string& text) {
  constexpr std::array<std::pair<char, double>, 4> units{
      {{'K', 0x1p10}, {'M', 0x1p20}, {'G', 0x1p30}, {'T', 0x1p40}}};
  double number = 0.0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(rest, text.data() + text.size());
  double factor = unit.empty() || unit == "B" ? 1.0 : 0.0;
  for (const auto& [letter, size] : units) {
    if (!unit.empty() && std::toupper(static_cast<unsigned char>(unit.front())) == letter &&
        unit.size() <= 3) {
      factor = size;
    }
  }
  if (error != std::errc() || factor == 0.0 || !(number > 0.0) || !std::isfinite(number)) {
    throw UsageError("--max-memory is '" + text + "': it must be a size such as 800M or 4G");
  }
  return number * factor;
}

}  // namespace candor::cli
