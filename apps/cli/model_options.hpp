// SPDX-License-Identifier: MIT
// The options that shape a fit, and those that bound what it may cost.
#pragma once

#include <apps/cli/sheet.hpp>

#include <candor/model/fit.hpp>

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace candor::cli {

struct ModelOptions {
  std::vector<std::string> errors;  // empty: label_views() chooses
  std::vector<std::string> covariance;
  std::string average = "models";
  std::string prior = "weak";
  std::string inference = "ep";
  std::string multiclass = "auto";
  unsigned long long seed = 0;
  int threads = 0;  // 0: all
};

struct LimitOptions {
  std::string max_memory;  // "4G"; empty: what is free
  double max_time = 0.0;   // seconds; 0: no limit
  Index sample = 0;        // rows; 0: all
};

void add_model_options(CLI::App& command, ModelOptions& options);
void add_limit_options(CLI::App& command, LimitOptions& options);
void add_threads(CLI::App& command, int& threads);

[[nodiscard]] FitOptions fit_options(const ModelOptions& options);
// What --errors calls this view.
[[nodiscard]] std::string word_for(LabelErrors errors);
// What shapes a fit, for the model file; threads do not.
[[nodiscard]] Json as_json(const ModelOptions& options);
[[nodiscard]] Threads threads_of(int count);

// UsageError that names the option for a text that is no covariance; the same as an option's check.
[[nodiscard]] Covariance covariance_from(const std::string& text);
[[nodiscard]] CLI::Validator covariance_text();

// "512M", "4G", "100000": bytes; UsageError otherwise.
[[nodiscard]] double bytes_from(const std::string& text);

}  // namespace candor::cli
