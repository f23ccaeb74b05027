// SPDX-License-Identifier: MIT
// What is made of a sample: differences, whether it can be believed, and the verdict.
#include <candor/model/check_verdict.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace candor {
namespace {

// A sample that says what the engine does, to three digits.
ProcessCheck good() {
  ProcessCheck check{.engine = "ep"};
  const Vector some = Vector::Constant(3, 0.3);
  check.engine_says.outcome.status = Status::converged;
  check.engine_says.log_evidence = -20.0;
  check.truth = {.mean = some,
                 .variance = some,
                 .p_wrong = some,
                 .mean_error = Vector::Constant(3, 0.01),
                 .variance_error = Vector::Constant(3, 0.01),
                 .p_wrong_error = Vector::Constant(3, 0.001),
                 .r_hat = Vector::Constant(3, 1.003),
                 .effective = Vector::Constant(3, 800.0),
                 .draws = {}};
  check.evidence = {.log_evidence = -20.1, .standard_error = 0.02};
  check.back = {.log_evidence = -20.08, .standard_error = 0.02};
  check.p_wrong = {.row = 1, .value = 0.004, .error = 0.001, .at_most = 0.006};
  check.mean = {.row = 0, .value = -0.12, .error = 0.01, .at_most = 0.14};
  check.sd_ratio = {.row = 2, .value = 0.05, .error = 0.01, .at_most = 0.07};
  return check;
}

Classifier three_rows() {
  Classifier classifier;
  classifier.row = {4, 6, 16};
  return classifier;
}

TEST(Verdict, OfAnEngineThatAgreesSaysByHowMuch) {
  const ProcessCheck check = good();
  EXPECT_TRUE(check.settled());
  EXPECT_EQ(
      verdict(check, three_rows(), 1),
      "EP can be relied on here: within 0.006 in p_wrong, 0.14 posterior deviations in latent "
      "means, a factor of 1.07 in latent deviations, 0.14 nats in log evidence of what was "
      "sampled, "
      "two standard errors included.");
}

TEST(Judgement, IsTheFirstThatIsTrue) {
  ProcessCheck check = good();
  const auto expect = [&](Judgement judged, std::string_view name, const char* words) {
    EXPECT_EQ(judgement(check), judged);
    EXPECT_EQ(name_of(judgement(check)), name);
    EXPECT_NE(verdict(check).find(words), std::string::npos) << verdict(check);
  };
  expect(Judgement::reliable, "reliable", "can be relied on");
  check.back.log_evidence = -21.0;
  expect(Judgement::rows_agree, "rows_agree", "agrees with sampling in all rows");
  check.mean = {.row = 1, .value = 0.2, .error = 0.1, .at_most = 0.4};
  expect(Judgement::may_be_off, "may_be_off", "not seen to be off");
  check.p_wrong = {.row = 1, .value = 0.3, .error = 0.01, .at_most = 0.32};
  expect(Judgement::off, "off", "is off");
  check.engine_says.outcome.status = Status::not_converged;
  expect(Judgement::not_converged, "not_converged", "did not converge");
  check.truth.r_hat.setConstant(1.2);
  expect(Judgement::unknown, "unknown", "nothing can be said");
}

TEST(Verdict, SpeaksOfLatentValuesWhereNoLabelCanBeWrong) {
  ProcessCheck check = good();
  check.truth.p_wrong.setZero();
  check.p_wrong = {};
  EXPECT_EQ(
      verdict(check, three_rows(), 1),
      "EP can be relied on here: within 0.14 posterior deviations in latent means, a factor of "
      "1.07 "
      "in latent deviations, 0.14 nats in log evidence of what was sampled, two standard errors "
      "included.");
}

TEST(Verdict, NamesTheRowThatIsOff) {
  ProcessCheck check = good();
  check.engine = "laplace";
  check.p_wrong = {.row = 2, .value = 0.084, .error = 0.003};
  EXPECT_EQ(verdict(check, three_rows(), 1),
            "Laplace is off here: its p_wrong of row 17 is 0.08 too high.");
  check.p_wrong.error = 0.03;  // within two standard errors of what does not matter
  check.p_wrong.at_most = 0.144;
  EXPECT_NE(verdict(check, three_rows(), 1).find("is not seen to be off"), std::string::npos);
}

// A bound that is above what matters is no reason to rely on anything: fewer draws must not make an
// engine look better.
TEST(Verdict, DoesNotRelyOnWhatIsNotKnownCloselyEnough) {
  ProcessCheck rows = good(), evidence = good(), back = good(), means = good(), deviations = good();
  rows.p_wrong = {.row = 1, .value = 0.04, .error = 0.02, .at_most = 0.08};
  evidence.evidence = {.log_evidence = -20.3, .standard_error = 0.12};
  back.evidence = {.log_evidence = -20.3, .standard_error = 0.02};
  back.back = {.log_evidence = -20.4, .standard_error = 0.06};  // the farther of the two
  means.mean = {.row = 1, .value = 0.2, .error = 0.1, .at_most = 0.4};
  deviations.sd_ratio = {.row = 1, .value = 0.2, .error = 0.02, .at_most = 0.24};
  for (const ProcessCheck& check : {rows, evidence, back, means, deviations}) {
    EXPECT_NE(verdict(check).find("is not seen to be off here, but may be"), std::string::npos)
        << verdict(check);
  }
}

// A quantity whose truth is at its limit is, seed by seed, on either side of it by as much as its
// errors say: that one seed calls off what another relies on takes four of them between the two.
TEST(Verdict, ReliesOnlyTwoErrorsBelowWhatCounts) {
  const auto sees = [](const ProcessCheck& check, const char* words) {
    return verdict(check).find(words) != std::string::npos;
  };
  const auto found = [](double value) {
    return LargestDifference{.row = 1, .value = value, .error = 0.01, .at_most = value + 0.02};
  };
  for (const auto& [quantity, limit] : {std::pair{&ProcessCheck::p_wrong, 0.05},
                                        {&ProcessCheck::mean, 0.25},
                                        {&ProcessCheck::sd_ratio, std::log(1.25)}}) {
    ProcessCheck high = good(), low = good(), well_below = good();
    high.*quantity = found(limit + 0.021);
    low.*quantity = found(limit - 0.019);
    well_below.*quantity = found(limit - 0.021);
    EXPECT_TRUE(sees(high, "is off here")) << verdict(high);
    EXPECT_TRUE(sees(low, "is not seen to be off here, but may be")) << verdict(low);
    EXPECT_TRUE(sees(well_below, "can be relied on here")) << verdict(well_below);
  }
}

TEST(Verdict, CountsRowsFromZeroWhereThereIsNoTable) {
  ProcessCheck check = good();
  check.p_wrong = {.row = 2, .value = -0.084, .error = 0.003};
  EXPECT_EQ(verdict(check), "EP is off here: its p_wrong of row 2 is 0.08 too low.");
}

TEST(Verdict, SpeaksOfTheEvidenceOnlyWhereThatIsSettled) {
  ProcessCheck check = good();
  check.evidence.log_evidence = check.back.log_evidence = -21.0;
  EXPECT_NE(verdict(check, three_rows(), 1).find("log evidence is 1.0 nats too high"),
            std::string::npos);
  check.back.log_evidence = -20.5;
  EXPECT_FALSE(check.evidence_is_settled());
  EXPECT_FALSE(check.settled());
  EXPECT_NE(verdict(check, three_rows(), 1).find("agrees with sampling in all rows here"),
            std::string::npos);
  EXPECT_NE(verdict(check, three_rows(), 1).find("not settled"), std::string::npos);
}

// Few runs may state too small an error: of there and back the one that speaks for the engine
// counts, and large errors do not excuse that they are half a nat apart.
TEST(Verdict, TrustsNoStandardErrorFurtherThanItMust) {
  ProcessCheck check = good();
  check.evidence = {.log_evidence = -20.7, .standard_error = 0.05};
  check.back = {.log_evidence = -20.3, .standard_error = 0.15};
  EXPECT_TRUE(check.evidence_is_settled());
  EXPECT_NE(verdict(check, three_rows(), 1).find("is not seen to be off"), std::string::npos);
  check.back = {.log_evidence = -20.1, .standard_error = 0.3};
  EXPECT_FALSE(check.evidence_is_settled());
}

TEST(Verdict, SaysNothingOfTheEngineBeforeChainsHaveMet) {
  ProcessCheck disagreeing = good();
  disagreeing.truth.r_hat[1] = 1.06;
  ProcessCheck few = good();
  few.truth.effective[2] = 60.0;
  for (const ProcessCheck& check : {disagreeing, few}) {
    EXPECT_FALSE(check.settled());
    EXPECT_NE(verdict(check, three_rows(), 1).find("nothing can be said of EP"), std::string::npos);
  }
}

// EP and its sites are exact here, so that the sample must say what the closed form does.
TEST(CheckPosterior, OfOneModelFindsNoDifferenceWhereItsEngineIsExact) {
  const Matrix X = Vector::LinSpaced(6, 0.0, 1.0);
  const Model model{.covariance = SquaredExponential{}, .likelihood = Gaussian{0.1}};
  const Observations targets{.y = X.array().sin().matrix()};
  const ProcessCheck check =
      check_posterior(model, X, targets, {.runs = 2, .temperatures = 5, .seed = 1});
  EXPECT_TRUE(check.settled());
  EXPECT_EQ(check.weight, 1.0);
  // Every run has the same weight, to roundings of six terms.
  EXPECT_NEAR(check.evidence.log_evidence, check.engine_says.log_evidence, 1e-9);
  // One of six rows, four standard errors: one seed in 2500, and the seed is fixed.
  EXPECT_LT(std::abs(check.mean.value), 4.0 * check.mean.error);
  EXPECT_THROW((void)check_posterior(model, X, targets, {.runs = 1}), InvalidInput);
}

// P(y) of three labels, each the sign of a coordinate of N(0, C), flipped with probability ε: orthants
// of three coordinates have 1/8 + Σ_{i<j} asin(s_i s_j ρ_ij)/4π.
double log_evidence_of_three(const Matrix& C, const Vector& y, double flip_probability) {
  double sum = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    double orthant = 0.125, labels = 1.0;
    Vector s(3);
    for (Index i = 0; i < 3; ++i) {
      s[i] = (corner >> i) % 2 == 0 ? 1.0 : -1.0;
      labels *= s[i] == y[i] ? 1.0 - flip_probability : flip_probability;
      for (Index j = 0; j < i; ++j) {
        const double rho = C(i, j) / std::sqrt(C(i, i) * C(j, j));
        orthant += std::asin(s[i] * s[j] * rho) / (4.0 * std::numbers::pi);
      }
    }
    sum += labels * orthant;
  }
  return std::log(sum);
}

// Four standard errors, of both directions: one seed in ten thousand, and the seed is fixed.
void expect_evidence(const ProcessCheck& check, double exact) {
  EXPECT_TRUE(check.evidence_is_settled());
  for (const AnnealedEvidence& found : {check.evidence, check.back}) {
    EXPECT_NEAR(found.log_evidence, exact, 4.0 * found.standard_error);
  }
}

const Matrix three_places{{0.0}, {0.5}, {1.5}};
const Observations three_labels{.y = Vector{{1.0, -1.0, 1.0}}};
const CheckOptions short_check{.draws = 400, .runs = 64, .seed = 1};

TEST(CheckPosterior, BeginsAtThePriorWhereThereIsHardlyAnyNoise) {
  const Covariance covariance = 4.0 * Covariance(SquaredExponential{});
  const Matrix K = *covariance_matrix(Gram(covariance, three_places), Threads{1});
  for (const double noise : {0.0, 1e-7, 1e-3}) {
    const Model model{.covariance = covariance,
                      .likelihood = Threshold{.flip_probability = 0.0, .noise_variance = noise}};
    const ProcessCheck check = check_posterior(model, three_places, three_labels, short_check);
    EXPECT_EQ(check.from_prior, noise < 1e-6 * 4.0) << noise;
    const Matrix noisy = K + noise * Matrix::Identity(3, 3);
    expect_evidence(check, log_evidence_of_three(noisy, three_labels.y, 0.0));
  }
}

// Copies under noise have no paths, and tempering says -0.3 nats too much, and is sure of it.
TEST(CheckPosterior, DoesNotSettleAnEvidenceThatItCannotReach) {
  const Model model{.covariance = SquaredExponential{},
                    .likelihood = Threshold{.flip_probability = 0.0, .noise_variance = 1e-12}};
  Observations copies = three_labels;
  copies.weight = Vector::Constant(3, 2.0);
  const ProcessCheck check = check_posterior(model, three_places, copies, short_check);
  EXPECT_TRUE(check.evidence_out_of_reach);
  EXPECT_FALSE(check.evidence_is_settled());
  EXPECT_NE(verdict(check).find("out of reach"), std::string::npos) << verdict(check);
  EXPECT_EQ(verdict(check).find("relied on"), std::string::npos) << verdict(check);
}

// A row at 0 of a linear covariance is known for certain, but for the jitter of the sampler.
TEST(CheckPosterior, DoesNotTakeJitterForADifference) {
  const Matrix X{{0.0}, {0.5}, {1.5}, {-1.0}};
  const Model model{.covariance = Linear{},
                    .likelihood = Threshold{.flip_probability = 0.05, .noise_variance = 1.0}};
  const ProcessCheck check =
      check_posterior(model, X, {.y = Vector{{1.0, 1.0, 1.0, -1.0}}}, short_check);
  EXPECT_GT(check.jitter, 0.0);
  // As where nothing is off: a quarter of a deviation is what counts.
  EXPECT_LT(std::abs(check.sd_ratio.value), std::log(1.25)) << "row " << check.sd_ratio.row;
}

TEST(CheckPosterior, BeginsAtThePriorWhereItsEngineStoppedShort) {
  const Ep one_sweep{
      .max_sweeps = 1, .max_sequential_sweeps = 0, .max_root_finder_rows = 0, .explore = false};
  const Model model{.covariance = SquaredExponential{},
                    .likelihood = Threshold{.flip_probability = 0.1, .noise_variance = 0.5},
                    .inference = one_sweep};
  const ProcessCheck check = check_posterior(model, three_places, three_labels, short_check);
  ASSERT_FALSE(check.engine_converged());
  EXPECT_TRUE(check.from_prior);
  const Matrix K = *covariance_matrix(Gram(model.covariance, three_places), Threads{1});
  const Matrix noisy = K + 0.5 * Matrix::Identity(3, 3);
  expect_evidence(check, log_evidence_of_three(noisy, three_labels.y, 0.1));
}

TEST(Verdict, JudgesDeviationsToo) {
  ProcessCheck check = good();
  check.sd_ratio = {.row = 1, .value = std::log(0.7), .error = 0.02};
  EXPECT_EQ(verdict(check, three_rows(), 1),
            "EP is off here: the latent deviation of row 7 is 0.7 times the truth.");
  check.sd_ratio.error = 0.1;  // within two standard errors of what does not matter
  check.sd_ratio.at_most = 0.56;
  EXPECT_NE(verdict(check, three_rows(), 1).find("is not seen to be off"), std::string::npos);
}

TEST(Verdict, DoesNotRelyOnAnEngineThatStoppedShort) {
  ProcessCheck check = good();
  check.engine_says.outcome.status = Status::not_converged;
  EXPECT_FALSE(check.settled());
  EXPECT_EQ(verdict(check, three_rows(), 1), "EP did not converge here and cannot be relied on.");
}

TEST(Verdict, SaysThatLabelsAllowNothingThatWasFound) {
  ProcessCheck check = good();
  check.truth.is_possible = false;
  check.truth.r_hat.setConstant(std::numeric_limits<double>::infinity());
  check.truth.effective.setZero();
  EXPECT_FALSE(check.settled());
  EXPECT_NE(verdict(check, three_rows(), 1).find("no latent values that the labels allow"),
            std::string::npos);
}

TEST(Verdict, SpeaksOfEveryEngineByItsName) {
  ProcessCheck check = good();
  for (const auto& [name, words] : {std::pair{"ep", "EP can be"},
                                    {"sequential_ep", "Sequential EP can be"},
                                    {"laplace", "Laplace can be"},
                                    {"variational", "Variational inference can be"}}) {
    check.engine = name;
    EXPECT_TRUE(verdict(check, three_rows(), 1).starts_with(words)) << name;
  }
}

// The largest difference is that of a row nothing is known of.
TEST(Differences, AreThoseBeyondTheirNoise) {
  ProcessCheck check = good();
  check.truth.mean = Vector{{0.0, 0.0, 0.0}};
  check.truth.variance = Vector{{4.0, 1.0, 1.0}};
  check.truth.mean_error = Vector{{0.02, 0.4, 0.01}};
  check.truth.variance_error = Vector{{0.04, 0.9, 0.01}};
  check.truth.p_wrong = Vector{{0.5, 0.5, 0.5}};
  check.truth.p_wrong_error = Vector{{0.001, 0.2, 0.001}};
  check.engine_says.latent_mean = Vector{{-1.0, 0.9, 0.1}};
  check.engine_says.latent_variance = Vector{{1.0, 8.0, 1.0}};
  check.engine_says.p_wrong = Vector{{0.4, 0.8, 0.51}};
  find_differences(check);
  EXPECT_EQ(check.mean.row, 0);
  EXPECT_DOUBLE_EQ(check.mean.value, -0.5);  // of a deviation of 2
  EXPECT_DOUBLE_EQ(check.mean.error, 0.01);
  EXPECT_DOUBLE_EQ(check.mean.at_most, 0.9 + 2.0 * 0.4);
  EXPECT_EQ(check.sd_ratio.row, 0);
  EXPECT_DOUBLE_EQ(check.sd_ratio.value, -std::log(2.0));
  EXPECT_DOUBLE_EQ(check.sd_ratio.error, 0.005);  // half of a hundredth
  EXPECT_EQ(check.p_wrong.row, 0);
  EXPECT_NEAR(check.p_wrong.value, -0.1, 1e-15);
  EXPECT_NEAR(check.p_wrong.beyond_noise(), 0.098, 1e-15);
}

TEST(CostOfACheck, CountsTheDrawsOfEveryProcess) {
  Classifier classifier;
  classifier.X = Matrix::Zero(100, 2);
  const Process heavy{"", 0.7, SquaredExponential{}, Probit{}, {}, {}};
  const Process light{"", 0.3, SquaredExponential{}, Probit{}, {}, {}};
  classifier.questions.resize(1);
  classifier.questions[0].processes = {heavy, light};
  CheckOptions options{.chains = 4, .draws = 1000};
  const double one = cost_of_check(classifier, options).bytes;
  options.all_models = true;
  EXPECT_DOUBLE_EQ(cost_of_check(classifier, options).bytes - one, 8.0 * 100 * 4 * 1000);
  // Each run holds a block of draws.
  CheckOptions more_runs = options;
  more_runs.runs += 1000;
  EXPECT_GE(cost_of_check(classifier, more_runs).bytes - cost_of_check(classifier, options).bytes,
            8.0 * 100 * 16 * 1000);
}

TEST(EngineOf, IsWhatTheOptionsOfTheFitSay) {
  Classifier classifier;
  for (const char* options : {"{}", "", "no json", R"(["inference"])"}) {  // that name none
    classifier.provenance.options = options;
    EXPECT_EQ(name_of(engine_of(classifier)), "ep") << options;
  }
  for (const char* name : {"ep", "sequential_ep", "laplace", "variational"}) {
    classifier.provenance.options = std::string(R"({"inference": ")") + name + "\"}";
    EXPECT_EQ(name_of(engine_of(classifier)), name);
  }
  for (const char* options : {R"({"inference": "vb"})", R"({"inference": 3})"}) {
    classifier.provenance.options = options;
    EXPECT_THROW(static_cast<void>(engine_of(classifier)), InvalidInput) << options;
  }
}

// Each run back begins at a draw of its own.
TEST(Checks, RefuseMoreRunsThanDraws) {
  EXPECT_THROW(static_cast<void>(
                   check_posteriors(three_rows(), Ep{}, {.chains = 2, .draws = 10, .runs = 21})),
               InvalidInput);
}

// Waiting for no thread at all would take for ever.
TEST(Checks, RefuseLessThanOneThread) {
  for (const int count : {0, -1}) {
    const CheckOptions options{.threads = Threads{count}};
    EXPECT_THROW(static_cast<void>(check_posteriors(three_rows(), Ep{}, options)), InvalidInput);
  }
}

}  // namespace
}  // namespace candor
