// SPDX-License-Identifier: MIT
#include "names.hpp"

#include <candor/linalg/errors.hpp>

#include <fmt/format.h>

#include <initializer_list>
#include <utility>

namespace candor::python {
namespace {

template <class T>
T named(const std::string& parameter, const std::string& name,
        std::initializer_list<std::pair<const char*, T>> known) {
  std::string words;
  for (const auto& [word, value] : known) {
    if (word == name) return value;
    words += words.empty() ? word : fmt::format(", {}", word);
  }
  throw InvalidInput(fmt::format("{} is '{}': it must be one of {}", parameter, name, words));
}

}  // namespace

LabelErrors label_errors_named(const std::string& name) {
  return named<LabelErrors>("errors", name,
                            {{"none", LabelErrors::none},
                             {"uniform", LabelErrors::uniform},
                             {"class", LabelErrors::by_class}});
}

Average average_named(const std::string& name) {
  return named<Average>(
      "average", name,
      {{"none", Average::none}, {"models", Average::models}, {"full", Average::full}});
}

Multiclass multiclass_named(const std::string& name) {
  return named<Multiclass>("multiclass", name,
                           {{"auto", Multiclass::automatic},
                            {"joint", Multiclass::joint},
                            {"one-vs-rest", Multiclass::one_vs_rest}});
}

Likelihood likelihood_named(const std::string& name) {
  return named<Likelihood>(
      "likelihood", name,
      {{"threshold", Threshold{}}, {"probit", Probit{}}, {"logistic", Logistic{}}});
}

Threads threads_from(int count) {
  if (count < 0) {
    throw InvalidInput(fmt::format("threads is {}: it must be 0, for all, or more", count));
  }
  return count == 0 ? Threads::all() : Threads{count};
}

}  // namespace candor::python
