// SPDX-License-Identifier: MIT
// What is made of a sample: differences, whether it can be believed, and the verdict.
#include <candor/model/posterior_check.hpp>

#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor {
namespace {

// A sample that says what the engine does, to three digits.
ProcessCheck good() {
  ProcessCheck check{.engine = "ep"};
  const Vector some = Vector::Constant(3, 0.3);
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
  check.p_wrong = {.row = 1, .value = 0.004, .error = 0.001};
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
      "EP can be relied on here: no p_wrong is off by more than 0.004, and its log evidence by "
      "0.10 nats.");
}

TEST(Verdict, SpeaksOfLatentValuesWhereNoLabelCanBeWrong) {
  ProcessCheck check = good();
  check.truth.p_wrong.setZero();
  check.mean = {.row = 0, .value = -0.12, .error = 0.01};
  EXPECT_EQ(
      verdict(check, three_rows(), 1),
      "EP can be relied on here: no latent mean is off by more than 0.12 posterior deviations, "
      "and its log evidence by 0.10 nats.");
}

TEST(Verdict, NamesTheRowThatIsOff) {
  ProcessCheck check = good();
  check.engine = "laplace";
  check.p_wrong = {.row = 2, .value = 0.084, .error = 0.003};
  EXPECT_EQ(verdict(check, three_rows(), 1),
            "Laplace is off here: its p_wrong of row 17 is 0.08 too high.");
  check.p_wrong.error = 0.03;  // within two standard errors of what does not matter
  EXPECT_NE(verdict(check, three_rows(), 1).find("can be relied on"), std::string::npos);
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
  EXPECT_NE(verdict(check, three_rows(), 1).find("not settled"), std::string::npos);
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

TEST(EngineOf, IsWhatTheOptionsOfTheFitSay) {
  Classifier classifier;
  for (const char* options :
       {R"({"inference": "ep"})", "{}", "", "no json", R"({"inference": 3})"}) {
    classifier.provenance.options = options;
    EXPECT_TRUE(std::holds_alternative<Ep>(engine_of(classifier))) << options;
  }
  classifier.provenance.options = R"({"inference": "laplace"})";
  EXPECT_TRUE(std::holds_alternative<Laplace>(engine_of(classifier)));
}

}  // namespace
}  // namespace candor
