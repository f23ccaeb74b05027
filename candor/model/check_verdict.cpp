// SPDX-License-Identifier: MIT
#include <candor/model/check_verdict.hpp>

#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace candor {
namespace {

// What a row of the check is called.
using RowNumber = std::function<Index(Index)>;

// From the nearer of there and back, since the standard error of few runs may be too small.
double evidence_beyond_noise(const ProcessCheck& check) {
  const auto beyond = [&](const AnnealedEvidence& truth) {
    return std::abs(check.engine_says.log_evidence - truth.log_evidence) -
           2.0 * truth.standard_error;
  };
  return std::min(beyond(check.evidence), beyond(check.back));
}

// What a reader of p_wrong would notice.
constexpr double p_that_matters = 0.05;
// A quarter of a deviation, and a deviation a quarter wider or as much narrower.
constexpr double sds_that_matter = 0.25;
double log_sd_that_matters() { return std::log1p(sds_that_matter); }

// What a reader of p_wrong, or of a comparison of models, would notice, beyond two standard errors.
std::vector<std::string> faults_of(const ProcessCheck& check, const RowNumber& number) {
  const auto row = [&](const LargestDifference& d) { return number(d.row); };
  std::vector<std::string> faults;
  if (check.p_wrong.beyond_noise() > p_that_matters) {
    faults.push_back(fmt::format("its p_wrong of row {} is {:.2f} too {}", row(check.p_wrong),
                                 std::abs(check.p_wrong.value),
                                 check.p_wrong.value > 0.0 ? "high" : "low"));
  }
  if (check.evidence_is_settled() &&
      evidence_beyond_noise(check) > ProcessCheck::nats_that_matter) {
    faults.push_back(fmt::format("its log evidence is {:.1f} nats too {}",
                                 std::abs(check.evidence_difference()),
                                 check.evidence_difference() > 0.0 ? "high" : "low"));
  }
  if (check.mean.beyond_noise() > sds_that_matter) {
    faults.push_back(fmt::format("the latent mean of row {} is off by {:.2f} posterior deviations",
                                 row(check.mean), std::abs(check.mean.value)));
  }
  if (check.sd_ratio.beyond_noise() > log_sd_that_matters()) {
    faults.push_back(fmt::format("the latent deviation of row {} is {:.3g} times the truth",
                                 row(check.sd_ratio), std::exp(check.sd_ratio.value)));
  }
  return faults;
}

// Why nothing can be said of the engine; empty where something can.
std::string why_no_truth(const ProcessCheck& check) {
  if (!check.truth.is_possible) {
    return "The chains found no latent values that the labels allow (no noise, and labels that "
           "cannot be wrong)";
  }
  if (check.chains_have_met() && check.has_enough_draws()) return "";
  return fmt::format(
      "The chains do not yet tell the truth (R-hat {:.3f}, {:.0f} effective draws in the worst "
      "row)",
      check.truth.worst_r_hat(), check.truth.least_effective());
}

std::string known_to_be_within(const ProcessCheck& check) {
  std::vector<std::string> bounds;
  if (check.has_label_errors()) {
    bounds.push_back(fmt::format("{:.3f} in p_wrong", check.p_wrong.at_most));
  }
  bounds.push_back(fmt::format("{:.2f} posterior deviations in latent means", check.mean.at_most));
  bounds.push_back(
      fmt::format("a factor of {:.2f} in latent deviations", std::exp(check.sd_ratio.at_most)));
  if (check.evidence_is_settled()) {
    bounds.push_back(fmt::format("{:.2f} nats in log evidence", check.evidence_off_at_most()));
  }
  return fmt::format("within {} of what was sampled, two standard errors included",
                     fmt::join(bounds, ", "));
}

// What was found is no fault, and yet what is not known could be one: of all that faults_of looks at.
bool rows_may_be_off(const ProcessCheck& check) {
  return check.p_wrong.at_most > p_that_matters || check.mean.at_most > sds_that_matter ||
         check.sd_ratio.at_most > log_sd_that_matters();
}

bool evidence_may_be_off(const ProcessCheck& check) {
  return check.evidence_is_settled() &&
         check.evidence_off_at_most() > ProcessCheck::nats_that_matter;
}

// What stays unknown whatever is said of the rows.
std::string still_open(const ProcessCheck& check) {
  if (check.evidence_is_settled()) return "";
  return check.evidence_out_of_reach
             ? " The evidence is out of reach (labels that cannot be wrong, hardly any noise, and "
               "rows that do not count once)."
             : " The evidence is not settled: more temperatures may help.";
}

std::string verdict_on(const ProcessCheck& check, const RowNumber& number) {
  const std::string engine(spoken_name(engine_named(check.engine)));
  const std::string name = capitalised(engine), open = still_open(check);
  switch (judgement(check)) {
    case Judgement::unknown:
      return fmt::format("{}, so nothing can be said of {}{}.", why_no_truth(check), engine,
                         check.truth.is_possible ? ": more draws may help" : "");
    case Judgement::not_converged: {
      const std::vector<std::string> faults = faults_of(check, number);
      return fmt::format("{} did not converge here and cannot be relied on{}{}.{}", name,
                         faults.empty() ? "" : ": ", fmt::join(faults, "; "), open);
    }
    case Judgement::off:
      return fmt::format("{} is off here: {}.{}", name, fmt::join(faults_of(check, number), "; "),
                         open);
    case Judgement::may_be_off:
      return fmt::format(
          "{} is not seen to be off here, but may be: {}. More draws and runs may tell.{}", name,
          known_to_be_within(check), open);
    case Judgement::rows_agree:
      return fmt::format("{} agrees with sampling in all rows here: {}.{}", name,
                         known_to_be_within(check), open);
    case Judgement::reliable:
      return fmt::format("{} can be relied on here: {}.", name, known_to_be_within(check));
  }
  return "";
}

}  // namespace

Judgement judgement(const ProcessCheck& check) {
  if (!why_no_truth(check).empty()) return Judgement::unknown;
  if (!check.engine_converged()) return Judgement::not_converged;
  if (!faults_of(check, [](Index row) { return row; }).empty()) return Judgement::off;
  if (rows_may_be_off(check) || evidence_may_be_off(check)) return Judgement::may_be_off;
  return check.evidence_is_settled() ? Judgement::reliable : Judgement::rows_agree;
}

std::string_view name_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::unknown:
      return "unknown";
    case Judgement::not_converged:
      return "not_converged";
    case Judgement::off:
      return "off";
    case Judgement::may_be_off:
      return "may_be_off";
    case Judgement::rows_agree:
      return "rows_agree";
    case Judgement::reliable:
      return "reliable";
  }
  return "";
}

std::string verdict(const ProcessCheck& check) {
  return verdict_on(check, [](Index row) { return row; });
}

std::string verdict(const ProcessCheck& check, const Classifier& classifier, Index first_row) {
  return verdict_on(
      check, [&](Index row) { return classifier.row[static_cast<std::size_t>(row)] + first_row; });
}

}  // namespace candor
