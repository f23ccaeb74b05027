// SPDX-License-Identifier: MIT
#include <apps/cli/evidence_output.hpp>

#include <candor/audit/audit.hpp>
#include <candor/audit/verdict.hpp>
#include <candor/data/wording.hpp>
#include <candor/learning/select.hpp>
#include <candor/model/posterior_check.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace candor::cli {
namespace {

const std::string& class_of(const Classifier& classifier, const Question& question) {
  return classifier.classes[static_cast<std::size_t>(question.positive_class)];
}

bool has_several(const Classifier& classifier) { return classifier.questions.size() > 1; }

// "2.3722958647847716 * linear" to "2.37 * linear"; whole numbers, which count columns, stay.
std::string with_three_digits(const std::string& covariance) {
  std::string text;
  const char* const end = covariance.data() + covariance.size();
  for (const char* at = covariance.data(); at != end;) {
    double number = 0.0;
    const bool digit = std::isdigit(static_cast<unsigned char>(*at)) != 0;
    const char* const next = digit ? std::from_chars(at, end, number).ptr : at + 1;
    const std::string token(at, next);
    text += digit && token.find_first_of(".e") != std::string::npos ? fmt::format("{:.3g}", number)
                                                                    : token;
    at = next;
  }
  return text;
}

// Of the same width as its column's name, so that columns of them are aligned to the right.
std::string nats(double value, std::string_view column) {
  return std::isfinite(value) ? fmt::format("{:>{}.2f}", value, column.size())
                              : fmt::format("{:>{}}", "-", column.size());
}

// One-vs-rest a wrong label is wrong in two questions.
std::string rate_line(const Question& question, bool several) {
  const auto with_errors = [](const EvidenceRow& row) {
    return row.errors != LabelErrors::none && std::isfinite(row.log_integrated);
  };
  if (std::ranges::none_of(question.evidence, with_errors)) return "";
  return fmt::format(
      "  {}, if labels are wrong at all: {:.1f} % (90 % interval {:.1f} to {:.1f} %)\n",
      several ? "wrong answers to this question" : "label-error rate", 100.0 * question.rate,
      100.0 * question.rate_interval.low, 100.0 * question.rate_interval.high);
}

// A covariance counts columns and lists lengthscales in this order.
std::string columns_line(const Classifier& classifier) {
  std::vector<std::string> names = encoded_names(classifier.encoder);
  for (std::string& name : names) {
    if (name.find_first_of(", \"") != std::string::npos) name = shown(name);
  }
  return wrapped(
      "  columns, counted from 0: ", printable(fmt::format("{}", fmt::join(names, ", "))), 4);
}

// A bound is no evidence, though it stands in its place.
std::string bound_line(const Classifier& classifier) {
  const bool is_bound = std::holds_alternative<Variational>(engine_of(classifier));
  return is_bound ? "  by variational inference: each evidence is a lower bound\n" : "";
}

std::string question_text(const Question& question, bool several) {
  constexpr std::string_view best = "evidence", integrated = "integrated";
  Sheet sheet{
      {"model", std::string(best), std::string(integrated), "probability", "converged", "steps"},
      {}};
  std::string covariances;
  for (const EvidenceRow& row : question.evidence) {
    sheet.rows.push_back({row.name, nats(row.log_evidence, best),
                          nats(row.log_integrated, integrated), chance(row.probability),
                          row.converged, row.evaluations});
    covariances += wrapped("  " + printable(row.name) + ": ", with_three_digits(row.covariance), 4);
  }
  return as_text(sheet) + '\n' + covariances + rate_line(question, several);
}

// The two most probable models of a question, as far as there are any with an evidence.
std::vector<EvidenceRow> leaders(const Question& question) {
  std::vector<EvidenceRow> rows;
  for (const EvidenceRow& row : question.evidence) {
    if (std::isfinite(row.log_integrated)) rows.push_back(row);
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, &EvidenceRow::log_integrated);
  rows.resize(std::min<std::size_t>(rows.size(), 2));
  return rows;
}

std::string preference(const Question& question) {
  const std::vector<EvidenceRow> best = leaders(question);
  if (best.empty()) return "no model has an evidence";
  if (best.size() == 1) return fmt::format("'{}' is the only model with an evidence", best[0].name);
  const double lead = best[0].log_integrated - best[1].log_integrated;
  if (lead < 0.05) {
    return fmt::format("'{}' and '{}' have the same evidence", best[0].name, best[1].name);
  }
  return fmt::format("'{}' is preferred over '{}' by {:.1f} nats{}: {}", best[0].name, best[1].name,
                     lead, lead < 1.0 ? "" : odds_of(lead), strength_of(lead));
}

}  // namespace

Json class_asked_about(const Classifier& classifier, const Question& question) {
  return question.is_joint() ? Json(nullptr) : Json(class_of(classifier, question));
}

Sheet evidence_sheet(const Classifier& classifier) {
  Sheet sheet;
  if (has_several(classifier)) sheet.names.emplace_back("class");
  for (const char* name : {"model", "log_evidence", "log_integrated", "probability", "converged",
                           "evaluations", "covariance"}) {
    sheet.names.emplace_back(name);
  }
  for (const Question& question : classifier.questions) {
    for (const EvidenceRow& row : question.evidence) {
      std::vector<Json> cells;
      if (has_several(classifier)) cells.emplace_back(class_of(classifier, question));
      cells.insert(cells.end(),
                   {row.name, finite(row.log_evidence), finite(row.log_integrated),
                    finite(row.probability), row.converged, row.evaluations, row.covariance});
      sheet.rows.push_back(std::move(cells));
    }
  }
  return sheet;
}

std::string evidence_text(const Classifier& classifier) {
  std::string text;
  for (const Question& question : classifier.questions) {
    if (has_several(classifier)) {
      text += fmt::format("{}Is it {}?\n", text.empty() ? "" : "\n",
                          printable(class_of(classifier, question)));
    }
    text += question_text(question, has_several(classifier));
  }
  return text + bound_line(classifier) + columns_line(classifier);
}

std::string comparison_in_words(const Classifier& classifier) {
  const std::string provisional = provisional_in_words(classifier);
  std::string text = provisional.empty() ? "" : provisional + ' ';
  for (const Question& question : classifier.questions) {
    const std::string sentence = preference(question);
    text += has_several(classifier) ? "For " + class_of(classifier, question) + ", " + sentence
                                    : capitalised(sentence);
    text += ". ";
  }
  const double signal = signal_of(classifier);
  text += signal < least_signal ? no_signal_in_words(signal)
                                : margin_in_words(label_error_margin(classifier));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace candor::cli
