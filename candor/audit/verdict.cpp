// SPDX-License-Identifier: MIT
#include <candor/audit/verdict.hpp>

#include <candor/data/wording.hpp>
#include <candor/learning/select.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace candor {
namespace {

constexpr double undecided = 1.0;  // nats: below, nothing is claimed

// "+0.0" also of what is rounded to it from below.
double without_sign_of_zero(double nats) { return std::abs(nats) < 0.05 ? 0.0 : nats; }

// Rows are shown, and yet the data alone do not speak for errors: the odds beforehand do.
bool shows_more_than_the_data(const Audit& audit, double threshold) {
  return audit.above(threshold) > 0 && audit.margin < undecided;
}

// "12 of 215 labels look wrong, and 11 to 14 are (90 % interval)."  The interval is rounded outwards,
// and left out where it is that of noise, of a comparison that failed, or of less than half a label.
std::string count_sentence(const Audit& audit, double threshold) {
  const Index suspects = audit.above(threshold);
  const auto trusted = std::ranges::count_if(audit.rows, &AuditedRow::trusted);
  const bool has_interval = !std::isnan(audit.rate) && audit.has_signal() &&
                            !audit.comparison_failed && audit.wrong_labels.high >= 0.5;
  constexpr double hardly_any = 0.05;  // of a label: not worth a whole one
  const bool sure = suspects > 0 && !shows_more_than_the_data(audit, threshold);
  const std::string interval =
      !has_interval
          ? ""
          : fmt::format(", {} {:.0f} to {:.0f} {} (90 % interval)",
                        suspects == 0 ? "though" : "and", std::floor(audit.wrong_labels.low),
                        std::ceil(audit.wrong_labels.high - hardly_any), sure ? "are" : "may be");
  return fmt::format("{} of {} labels{} {} wrong{}.",
                     suspects == 0 ? "None" : std::to_string(suspects),
                     std::ssize(audit.rows) - trusted, trusted > 0 ? " that are not trusted" : "",
                     suspects <= 1 ? "looks" : "look", interval);
}

// Where no label looks wrong: "Look first at rows 40, 7 and 71, with p_wrong up to 0.31."  Empty
// where even the first row is most likely right: a reviewer would find nothing.
std::string first_rows(const Audit& audit, const AuditOptions& options) {
  constexpr double worth_a_look = 0.02;
  if (audit.above(options.threshold) > 0) return "";
  std::vector<std::string> rows;
  for (const AuditedRow& row : audit.rows) {
    if (rows.size() == 3 || row.p_wrong < worth_a_look) break;
    rows.push_back(std::to_string(row.row + options.first_row));
  }
  if (rows.empty()) return "";
  return fmt::format("Look first at {} {}, with p_wrong {}{:.2f}.",
                     rows.size() == 1 ? "row" : "rows", listed(rows),
                     rows.size() == 1 ? "" : "up to ", audit.rows.front().p_wrong);
}

// The rate is that of models with label errors.  Where others have a say in p_wrong and in the
// number of wrong labels, the sentence begins with that condition.
std::string rate_sentence(const Audit& audit) {
  return fmt::format(
      "{} {:.1f} % (90 % interval {:.1f} to {:.1f} %).",
      audit.surely_has_errors() ? "Label-error rate" : "If labels are wrong at all, their rate is",
      100.0 * audit.rate, 100.0 * audit.rate_interval.low, 100.0 * audit.rate_interval.high);
}

}  // namespace

std::string verdict_of(const Audit& audit, const Classifier& classifier,
                       const AuditOptions& options) {
  if (audit.all_trusted()) {
    return "Every label is trusted: there is nothing to audit.";
  }
  const std::string provisional = provisional_in_words(classifier);
  std::string text = provisional;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) text += (text.empty() ? "" : " ") + sentence;
  };
  if (!audit.has_signal()) {
    add(no_signal_in_words(audit.signal));
    add(count_sentence(audit, options.threshold));
    if (audit.above(options.threshold) > 0) add("Do not act on that.");
    return text;  // rate and evidence are those of noise
  }
  add(count_sentence(audit, options.threshold));
  add(first_rows(audit, options));
  add(tried(classifier, true) ? rate_sentence(audit) : "No model with label errors was tried.");
  if (!tried(classifier, false)) add("No model without label errors was tried.");
  if (provisional.empty()) {  // it rests on every search
    const bool contradicts = shows_more_than_the_data(audit, options.threshold);
    add(margin_in_words(audit.margin, contradicts ? "yet " : ""));
    if (contradicts) {
      add(fmt::format(
          "They look so since wrong labels are taken to be {} times as probable as none.",
          prior_odds_of_errors));
    }
  }
  if (audit.comparison_failed) {
    add("The comparison of models with and without label errors failed: whether any label is "
        "wrong is not known.");
  }
  return text;
}

std::string margin_in_words(double nats, std::string_view conjunction) {
  if (std::isnan(nats)) return "";
  if (std::abs(nats) < undecided) {
    return capitalised(fmt::format(
        "{}whether any label is wrong the data do not tell ({:+.1f} nats for label errors).",
        conjunction, without_sign_of_zero(nats)));
  }
  return capitalised(fmt::format("{}{} {} label errors ({:.1f} nats{}).", conjunction,
                                 strength_of(nats), nats > 0.0 ? "for" : "against", std::abs(nats),
                                 odds_of(nats)));
}

std::string no_signal_in_words(double nats) {
  return fmt::format(
      "The columns tell next to nothing of the label ({:+.1f} nats): which labels are wrong cannot "
      "be told from them; add columns that have to do with it.",
      without_sign_of_zero(nats));
}

std::string provisional_in_words(const Classifier& classifier) {
  if (classifier.converged()) return "";
  if (classifier.interrupted) return "The search did not end: these numbers are provisional.";
  std::size_t searches = 0;
  for (const Question& question : classifier.questions) searches += question.evidence.size();
  return fmt::format("{} of {} searches did not converge: these numbers are provisional.",
                     classifier.failed_searches(), searches);
}

}  // namespace candor
