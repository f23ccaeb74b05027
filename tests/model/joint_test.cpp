// SPDX-License-Identifier: MIT
// More than two classes in one question.
#include "model_files.hpp"

#include <candor/linalg/errors.hpp>
#include <candor/model/container.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace candor {
namespace {

using namespace testing_tables;

// Clouds on a circle, every `wrong`th label that of the next one.
std::string clouds(int rows, int classes, int wrong = 1000) {
  std::mt19937 dice(3);
  std::normal_distribution<double> normal;
  std::string text = "x,y,class\n";
  for (int i = 0; i < rows; ++i) {
    const int k = i % classes;
    const double angle = 6.283 * k / classes;
    const int given = (k + (i % wrong == wrong - 1 ? 1 : 0)) % classes;
    text += fmt::format("{:.4f},{:.4f},c{}\n", 6.0 * std::cos(angle) + normal(dice),
                        6.0 * std::sin(angle) + normal(dice), given);
  }
  return text;
}

class Joint : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(CoupledAndFactorised, Joint, testing::Values(3, 5));

TEST_P(Joint, IsOneQuestionWhoseProbabilitiesSumToOne) {
  const Classifier c = fit_table(table_of(clouds(60, GetParam())));
  ASSERT_TRUE(c.is_joint());
  EXPECT_TRUE(c.converged());
  EXPECT_EQ(c.questions[0].p_class_loo.cols(), GetParam());
  const ClassProbabilities p = predict(c, c.X);
  for (const Matrix* matrix : {&p.clean, &p.observed}) {
    EXPECT_LT((matrix->rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-9);
    EXPECT_GE(matrix->minCoeff(), 0.0);
  }
  Index right = 0;
  for (Index i = 0; i < c.X.rows(); ++i) {
    Index best = 0;
    p.clean.row(i).maxCoeff(&best);
    if (best == c.label[static_cast<std::size_t>(i)]) ++right;
  }
  EXPECT_GE(right, 54);  // the clouds hardly overlap
  EXPECT_EQ(p.latent_mean.cols(), GetParam());
}

// Five in eighty could be a soft boundary, too: whether labels are wrong at all is not asked here.
TEST_P(Joint, FindsPlantedErrors) {
  FitOptions options = quick();
  options.errors = {LabelErrors::uniform};
  const Classifier c = fit_table(table_of(clouds(80, GetParam(), 16)), options);
  const Question& q = c.questions[0];
  Vector others = q.p_wrong;
  for (Index i = 15; i < 80; i += 16) others[i] = 0.0;
  for (Index i = 15; i < 80; i += 16) EXPECT_GT(q.p_wrong[i], others.maxCoeff()) << i;
  EXPECT_NEAR(q.rate, 5.0 / 80.0, 0.05);
  EXPECT_LT(q.rate_interval.low, 5.0 / 80.0);
  EXPECT_GT(q.rate_interval.high, 5.0 / 80.0);
}

TEST_P(Joint, ComesBackFromItsFileToTheLastBit) {
  const Classifier c = fit_table(table_of(clouds(40, GetParam(), 13)));
  const std::string bytes = to_bytes(c);
  const Classifier again = classifier_from(bytes, "m.candor");
  EXPECT_EQ(to_bytes(again), bytes);
  EXPECT_TRUE(again.is_joint());
  EXPECT_EQ(predict(c, c.X).clean, predict(again, c.X).clean);
  EXPECT_EQ(predict(c, c.X).observed, predict(again, c.X).observed);
  // Of three classes, models by class have a confusion; older encoders fill missing numbers in.
  EXPECT_EQ(format_of(c), 4);
  Classifier filling = c;
  for (ColumnEncoder& column : filling.encoder.columns) column.fill = 0.0;
  EXPECT_EQ(format_of(filling), GetParam() == 3 ? 3 : 2);
}

TEST_P(Joint, RefusesAFileThatSaysAnOlderFormatThanItIs) {
  Classifier c = fit_table(table_of(clouds(30, GetParam())));
  for (ColumnEncoder& column : c.encoder.columns) column.fill = 0.0;  // format 4 is not for these
  Container container = unpack(to_bytes(c), "m.candor");
  const int format = container.format;
  EXPECT_EQ(format, GetParam() == 3 ? 3 : 2);
  for (container.format = 1; container.format < format; ++container.format) {
    EXPECT_TRUE(contains(refusal_of(pack(container)),
                         fmt::format("it says format {}, and holds what only format {} has",
                                     container.format, format)));
  }
  EXPECT_EQ(refusal_of(pack(container)), "");
}

TEST_P(Joint, RefusesAFileWithSitesOfAnotherNumber) {
  Classifier c = fit_table(table_of(clouds(30, GetParam())));
  Classifier altered = c;
  altered.questions[0].processes[0].site_nu.conservativeResize(31);
  EXPECT_TRUE(contains(refusal_of(to_bytes(altered)), "of another number than rows and classes"));
  altered = c;
  altered.questions[0].p_class_loo(0, 0) = 2.0;
  EXPECT_TRUE(contains(refusal_of(to_bytes(altered)), "p_class_loo is no probability"));
}

TEST_P(Joint, RefusesAFileWhoseConfusionIsNone) {
  Classifier c = fit_table(table_of(clouds(30, GetParam())));
  const auto with = [&](const Matrix& confusion) {
    c.questions[0].processes[0].confusion = confusion;
    return refusal_of(to_bytes(c));
  };
  const Index C = GetParam();
  EXPECT_TRUE(contains(with(Matrix::Identity(C, C)), "confusion has a share below 1e-6"));
  EXPECT_TRUE(contains(with(Matrix::Constant(C, C, 0.4)), "does not sum to 1"));
  EXPECT_TRUE(contains(with(Matrix::Constant(2, 2, 0.5)), "rows of confusion"));
}

// More than three classes have shares by pairs where they are asked for.
TEST_P(Joint, LearnsWhichClassIsTakenForWhich) {
  FitOptions options = quick();
  options.errors = {LabelErrors::by_class};
  const Classifier c = fit_table(table_of(clouds(80, GetParam(), 16)), options);
  ASSERT_TRUE(c.is_joint());
  const Question& q = c.questions[0];
  for (const Process& process : q.processes) EXPECT_EQ(process.confusion.rows(), GetParam());
  EXPECT_TRUE(q.p_wrong.allFinite());
  EXPECT_LT(q.rate_interval.low, 5.0 / 80.0);
  EXPECT_GT(q.rate_interval.high, 5.0 / 80.0);
  EXPECT_LT(q.rate_interval.high, 0.3);
}

TEST_P(Joint, OneVersusRestIsStillThere) {
  FitOptions options = quick();
  options.multiclass = Multiclass::one_vs_rest;
  const Classifier c = fit_table(table_of(clouds(40, GetParam())), options);
  EXPECT_FALSE(c.is_joint());
  EXPECT_EQ(std::ssize(c.questions), GetParam());
}

// Labels that have nothing to do with the columns: classes by their shares.
TEST_P(Joint, PredictsSharesWhereColumnsTellNothing) {
  std::mt19937 dice(5);
  std::normal_distribution<double> normal;
  std::string text = "x,class\n";
  for (int i = 0; i < 60; ++i) {
    text += fmt::format("{:.4f},c{}\n", normal(dice), dice() % static_cast<unsigned>(GetParam()));
  }
  const Classifier c = fit_table(table_of(text));
  const ClassProbabilities p = predict(c, c.X);
  EXPECT_LT(p.clean.maxCoeff(), 0.75);
}

TEST(JointFit, SaysWhyItCannotBeHad) {
  FitOptions options = quick();
  options.multiclass = Multiclass::joint;
  options.errors = {LabelErrors::none};
  options.inference = SequentialEp{};
  try {
    static_cast<void>(fit_table(table_of(clouds(30, 3)), options));
    FAIL() << "it should be refused";
  } catch (const InvalidInput& error) {
    EXPECT_TRUE(contains(error.what(),
                         "inference is not ep: ask about each by itself (multiclass one-vs-rest)"))
        << error.what();
  }
  options.multiclass = Multiclass::automatic;
  EXPECT_EQ(fit_table(table_of(clouds(30, 3)), options).questions.size(), 3U);
}

TEST(JointFit, TakesAClassOfOneRow) {
  const Classifier c = fit_table(table_of(clouds(40, 4) + "9,9,rare\n"));
  ASSERT_TRUE(c.is_joint());
  EXPECT_EQ(c.classes.size(), 5U);
  EXPECT_TRUE(predict(c, c.X).clean.allFinite());
}

}  // namespace
}  // namespace candor
