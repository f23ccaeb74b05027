// SPDX-License-Identifier: MIT
#include "document.hpp"
#include "escape.hpp"
#include "page_pieces.hpp"

#include <candor/learning/select.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <utility>

namespace candor::cli {
namespace {

// FNV-1a.  The page's own scripts carry this number of the data, and its policy admits no other
// script, so even a text that slipped through the escapes could not run.
std::string nonce_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return fmt::format("candor{:016x}", hash);
}

using Values = std::map<std::string, std::string, std::less<>>;

// Replaces each {{name}} once; what is put in is not searched again.
std::string filled(std::string_view page, const Values& values) {
  std::string out;
  while (true) {
    const std::size_t open = page.find("{{");
    const std::size_t close = page.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    out += page.substr(0, open);
    out += values.at(std::string(page.substr(open + 2, close - open - 2)));
    page.remove_prefix(close + 2);
  }
  return out += page;
}

// The first sentence, and what follows it.
std::pair<std::string, std::string> parted(const std::string& verdict) {
  const std::size_t end = verdict.find(". ");
  if (end == std::string::npos) return {verdict, ""};
  return {verdict.substr(0, end + 1), verdict.substr(end + 2)};
}

std::string counted_inputs(const Classifier& classifier) {
  const std::size_t inputs = classifier.encoder.columns.size();
  return fmt::format("{} input column{}", inputs, inputs == 1 ? "" : "s");
}

std::string page_of(const ReportInput& input, const nlohmann::json& document) {
  const Provenance& made = input.classifier.provenance;
  const std::string data = script_json(document);
  const auto [verdict, more] = parted(input.audit.verdict);
  const std::size_t rows = input.audit.rows.size();
  Values values{
      {"title", escape_html(input.table_name)},
      {"facts", fmt::format("{} row{} · {} · {} classes · label column", rows, rows == 1 ? "" : "s",
                            counted_inputs(input.classifier), input.classifier.classes.size())},
      {"label", escape_html(input.classifier.label_name)},
      {"verdict", escape_html(verdict)},
      {"more", escape_html(more)},
      {"doubt", fmt::format("{:g}", doubt_above(input.threshold))},
      {"least_signal", fmt::format("{:g}", least_signal)},
      {"prior_odds", fmt::format("{:g}", prior_odds_of_errors)},
      {"command", escape_html(input.command_line)},
      {"version", escape_html(made.version)},
      {"source", escape_html(made.source)},
      {"hash", escape_html(made.data_hash)},
      {"options", escape_html(made.options)},
      {"seed", std::to_string(made.seed)},
      {"style", std::string(style_css)},
      {"script", std::string(page_js)},
      {"nonce", nonce_of(data)},
      {"data", data}};
  return filled(page_html, values);
}

}  // namespace

std::string html_report(const ReportInput& input, const ClassProbability& probability) {
  const std::vector<View> views = views_of(input.classifier, input.map_columns);
  const std::vector<Regions> regions = regions_of(views, input.classifier, probability);
  // Every limit reaches its floor within ten halvings.
  Limits limits;
  std::string page = page_of(input, document_json(input, views, regions, limits));
  for (int round = 0; round < 10 && page.size() > report_byte_limit; ++round) {
    limits = limits.halved();
    page = page_of(input, document_json(input, views, regions, limits));
  }
  return page;
}

}  // namespace candor::cli
