// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <candor/data/table_error.hpp>
#include <candor/learning/defaults.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/model/candidate_covariances.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace candor {
namespace {

using namespace testing_tables;

TEST(Fit, GivesOneQuestionForTwoClassesAndSaysWhereItComesFrom) {
  FitOptions options = quick();
  options.seed = 7;
  options.options_json = R"({"label":"class"})";
  const Classifier c =
      fit_table(table_of("x,class\n1,b\n2,a\n3,a\n4,b\n5,b\n", "some/folder/t.csv"), options);
  ASSERT_EQ(c.questions.size(), 1U);
  EXPECT_EQ(c.classes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(c.questions[0].positive_class, 1);
  EXPECT_EQ(c.label_name, "class");
  EXPECT_EQ(c.label, (std::vector<int>{1, 0, 0, 1, 1}));
  EXPECT_EQ(c.provenance.source, "t.csv");
  EXPECT_EQ(c.provenance.seed, 7U);
  EXPECT_EQ(c.provenance.options, options.options_json);
  // printf 'x,class\n1,b\n2,a\n3,a\n4,b\n5,b\n' | sha256sum
  EXPECT_EQ(c.provenance.data_hash,
            "bf41ad4471d7051fb607d38c215d43f35fef9862779f7f85ecdf9f1786099f59");
  EXPECT_FALSE(c.provenance.version.empty());
}

TEST(Fit, AgreesWithTheAverageOfLearning) {
  const Table table = table_of(two_classes(40));
  const Schema schema = infer_schema(table, {.label = "class"});
  const Prepared prepared = prepare(table, schema);
  FitOptions options;
  options.covariances = {"4 * matern(smoothness=2.5, lengthscale=2) + constant(1)",
                         "4 * squared_exponential(lengthscale=2) + linear"};
  const Classifier c = fit(table, schema, prepared, options);

  Observations observations{.y = Vector(c.X.rows())};
  for (Index i = 0; i < c.X.rows(); ++i) {
    observations.y[i] = c.label[static_cast<std::size_t>(i)] == 1 ? 1.0 : -1.0;
  }
  Selecting selecting;
  selecting.errors = label_views(prepared, options);
  selecting.covariances =
      candidate_covariances(options.covariances, c.X.cols(), prepared.inputs.discrete);
  const TrainingSet data{c.X, observations};
  const Selection selection = select_model(data, selecting);
  const Ensemble ensemble =
      average(selection, data, Average::models, CovarianceWeights::by_evidence);

  const Question& q = c.questions[0];
  // Covariances are learned one by one here and all at once there: the same arithmetic.
  constexpr double rounding = 1e-12;
  const Vector p_wrong = probability_of(q.signal) * ensemble.p_wrong();
  EXPECT_LT((q.p_wrong - p_wrong).lpNorm<Eigen::Infinity>(), rounding);
  EXPECT_NEAR(q.margin, selection.margin(), rounding);
  ASSERT_EQ(q.evidence.size(), selection.candidates.size());
  for (std::size_t k = 0; k < q.evidence.size(); ++k) {
    EXPECT_NEAR(q.evidence[k].probability, selection.candidates[k].probability, rounding);
  }
  ASSERT_EQ(q.processes.size(), ensemble.members.size());
  for (std::size_t k = 0; k < q.processes.size(); ++k) {
    EXPECT_NEAR(q.processes[k].weight, ensemble.members[k].weight, rounding);
  }
  const Prediction expected = ensemble.predict(c.X, c.X);
  const ClassProbabilities found = predict(c, c.X);
  // Rebuilding a posterior from its sites repeats the factorisation but not every operation.
  constexpr double rebuilt = 1e-9;
  const double share = share_of_yes(c, q);
  const auto averaged = [&](const Vector& p) -> Vector {
    return p.unaryExpr([&](double yes) { return with_chance(yes, q.signal, share); });
  };
  EXPECT_LT((found.clean.col(1) - averaged(expected.p_clean)).lpNorm<Eigen::Infinity>(), rebuilt);
  EXPECT_LT((found.observed.col(1) - averaged(expected.p_observed)).lpNorm<Eigen::Infinity>(),
            rebuilt);
  EXPECT_LT((found.latent_mean.col(0) - expected.latent_mean).lpNorm<Eigen::Infinity>(), rebuilt);
  EXPECT_LT((found.latent_variance.col(0) - expected.latent_variance).lpNorm<Eigen::Infinity>(),
            rebuilt);
  const LatentMoments latent = predict_latent(c, c.X);
  EXPECT_EQ(latent.mean, found.latent_mean);
  EXPECT_EQ(latent.variance, found.latent_variance);
}

TEST(Fit, LeaveOneOutProbabilityAgreesWithWhatLearningSaysOfTheGivenLabel) {
  FitOptions options = quick();
  options.errors = {LabelErrors::uniform};
  const Classifier c = fit_table(table_of(two_classes(40)), options);
  const Question& q = c.questions[0];
  ASSERT_EQ(q.processes.size(), 1U);
  const Process& process = q.processes[0];
  const double rate = std::get<Threshold>(process.likelihood).flip_probability;
  Observations observations{.y = Vector(c.X.rows())};
  for (Index i = 0; i < c.X.rows(); ++i) {
    observations.y[i] = c.label[static_cast<std::size_t>(i)] == 1 ? 1.0 : -1.0;
  }
  const Approximation again =
      infer(Ep{}, process.covariance, process.likelihood, c.X, observations);
  for (Index i = 0; i < c.X.rows(); ++i) {
    const double p = q.p_clean_loo[i], given = observations.y[i] > 0.0 ? p : 1.0 - p;
    // Two runs of EP to its tolerance of 1e-8 or so.
    EXPECT_NEAR(std::log(rate + (1.0 - 2.0 * rate) * given), again.log_loo[i], 1e-6);
  }
}

TEST(Fit, DoesNotTrainOnRowsWithoutALabelButCanPredictThem) {
  std::istringstream lines(two_classes(30));
  std::string with_gaps, line;
  for (int i = 0; std::getline(lines, line); ++i) {
    const bool gap = i == 4 || i == 17;  // the first line is the header
    with_gaps += (gap ? line.substr(0, line.rfind(',') + 1) : line) + "\n";
  }
  const Table table = table_of(with_gaps);
  const Schema schema = infer_schema(table, {.label = "class"});
  const Prepared prepared = prepare(table, schema);
  EXPECT_EQ(prepared.rows.size(), 28U);
  EXPECT_EQ(prepared.labels.missing, 2);
  const auto about_labels = [](const std::string& note) {
    return note.find("label") != std::string::npos;
  };
  EXPECT_EQ(std::ranges::count_if(prepared.notes, about_labels), 1);
  EXPECT_EQ(prepared.notes.back(), "2 rows have no label: they are predicted, not learned from");
  const Classifier c = fit(table, schema, prepared, quick());
  EXPECT_EQ(c.X.rows(), 28);
  EXPECT_EQ(std::ranges::count(c.row, 3), 0);
  EXPECT_EQ(std::ranges::count(c.row, 16), 0);
  EXPECT_EQ(c.row[3], 4);
  const ClassProbabilities p = predict(c, encode(c.encoder, table).X);
  EXPECT_EQ(p.clean.rows(), 30);
  EXPECT_TRUE(p.clean.allFinite());
}

// Of which everything is known: copies of a row that lacks a number need not hold the same number.
TEST(Fit, CountsAWeightAsSoManyEqualRows) {
  const std::string body = two_classes(24, 7, 3);
  std::string weighted, repeated;
  std::istringstream lines(body);
  std::string line;
  for (int i = -1; std::getline(lines, line); ++i) {
    const int copies = i >= 0 && i % 5 == 2 ? 2 : 1;
    weighted += line + (i < 0 ? ",copies\n" : fmt::format(",{}\n", copies));
    for (int k = 0; k < copies; ++k) repeated += line + "\n";
  }
  // The encoder standardises by rows, so that both must be given the same one.
  const Table table = table_of(weighted), copies_table = table_of(repeated);
  const Schema schema = infer_schema(table, {.label = "class", .weight = "copies"});
  const Prepared prepared = prepare(table, schema);
  const Schema copies_schema = infer_schema(copies_table, {.label = "class"});
  Prepared copies = prepare(copies_table, copies_schema);
  copies.encoder = prepared.encoder;
  copies.inputs = encode(prepared.encoder, copies_table);
  const Classifier a = fit(table, schema, prepared, quick());
  const Classifier b = fit(copies_table, copies_schema, copies, quick());
  ASSERT_EQ(a.questions[0].evidence.size(), 3U);
  const auto distance = [&](const Classifier& other) {
    const Matrix difference = predict(a, a.X).clean - predict(other, a.X).clean;
    return difference.lpNorm<Eigen::Infinity>();
  };
  // Two searches of the same function end within their tolerance of 1e-4 nats of each other, which
  // is some 1e-3 in p.
  constexpr double tolerance = 5e-3;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(a.questions[0].evidence[k].log_evidence, b.questions[0].evidence[k].log_evidence,
                tolerance);
  }
  EXPECT_LT(distance(b), tolerance);
  // The tolerance tells weights from none.
  Prepared unweighted = prepared;
  unweighted.weight.resize(0);
  EXPECT_GT(distance(fit(table, schema, unweighted, quick())), tolerance);
}

TEST(Fit, NeverDoubtsATrustedRow) {
  std::istringstream lines(two_classes(40));
  std::string text, line;
  for (int i = -1; std::getline(lines, line); ++i) {
    text += line + (i < 0 ? ",checked\n" : i % 2 == 0 ? ",yes\n" : ",no\n");
  }
  for (const Average average : {Average::none, Average::models, Average::full}) {
    FitOptions options = quick();
    options.average = average;
    const Classifier c =
        fit_table(table_of(text), options, {.label = "class", .trusted = "checked"});
    double others = 0.0;
    for (Index i = 0; i < c.X.rows(); ++i) {
      if (c.trusted[static_cast<std::size_t>(i)]) {
        EXPECT_EQ(c.questions[0].p_wrong[i], 0.0);
      } else {
        others += c.questions[0].p_wrong[i];
      }
    }
    EXPECT_GT(others, 0.0);
  }
}

TEST(Fit, RanksRowsEvenWhereTheRegularModelIsChosen) {
  FitOptions options = quick();
  options.average = Average::none;
  const Classifier c = fit_table(table_of(two_classes(30, 1000)), options);  // no wrong label
  const Question& q = c.questions[0];
  ASSERT_LT(q.margin, 0.0) << "this table was meant to look clean";
  ASSERT_EQ(q.processes.size(), 1U);
  EXPECT_TRUE(std::get<Threshold>(q.processes[0].likelihood).is_log_concave());
  EXPECT_GT(q.p_wrong.maxCoeff(), q.p_wrong.minCoeff());
  EXPECT_LT(q.p_wrong.maxCoeff(), 0.5);
}

TEST(Fit, OneVersusRestGivesProbabilitiesThatSumToOne) {
  FitOptions options = quick();
  options.multiclass = Multiclass::one_vs_rest;
  const Classifier c = fit_table(table_of(three_classes(45)), options);
  ASSERT_EQ(c.questions.size(), 3U);
  const Matrix far = 50.0 * Matrix::Random(7, c.X.cols());
  for (const Matrix& X : {c.X, far}) {
    const ClassProbabilities p = predict(c, X);
    constexpr double rounding = 1e-12;
    EXPECT_LT((p.clean.rowwise().sum().array() - 1.0).abs().maxCoeff(), rounding);
    EXPECT_LT((p.observed.rowwise().sum().array() - 1.0).abs().maxCoeff(), rounding);
    EXPECT_GE(p.clean.minCoeff(), 0.0);
    EXPECT_GE(p.observed.minCoeff(), 0.0);
  }
  const ClassProbabilities p = predict(c, c.X);
  Index right = 0;
  for (Index i = 0; i < c.X.rows(); ++i) {
    Index best = 0;
    p.clean.row(i).maxCoeff(&best);
    right += best == c.label[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  EXPECT_GT(right, 36);  // clouds that overlap a little: four in five at least
}

TEST(Fit, PredictsTheSameWhateverTheOrderOfTheColumns) {
  const Classifier c = fit_table(table_of(two_classes(30)));
  const Table straight = table_of("x,y,colour\n0.3,1,red\n-1,,blue\n2,0.1,green\n");
  const Table turned = table_of("colour,extra,y,x\nred,1,1,0.3\nblue,2,,-1\ngreen,3,0.1,2\n");
  const ClassProbabilities a = predict(c, encode(c.encoder, straight).X);
  const ClassProbabilities b = predict(c, encode(c.encoder, turned).X);
  EXPECT_EQ(a.clean, b.clean);
  EXPECT_EQ(a.latent_mean, b.latent_mean);
}

TEST(Fit, DoesNotDependOnTheNumberOfThreads) {
  FitOptions options = quick();
  const Classifier one = fit_table(table_of(two_classes(30)), options);
  options.threads = {3};
  const Classifier three = fit_table(table_of(two_classes(30)), options);
  EXPECT_EQ(one.questions[0].p_wrong, three.questions[0].p_wrong);
  EXPECT_EQ(predict(one, one.X, {1}).clean, predict(three, one.X, {3}).clean);
}

TEST(Fit, LearnsNothingWhereNothingIsToBeLearned) {
  FitOptions options = quick();
  options.learn_parameters = false;
  options.rate = 0.1;
  options.errors = {LabelErrors::uniform};
  const Classifier c = fit_table(table_of(two_classes(30)), options);
  const auto given = candidate_covariances(options.covariances, c.X.cols(), c.discrete);
  ASSERT_EQ(c.questions[0].processes.size(), 1U);
  const Process& process = c.questions[0].processes[0];
  EXPECT_TRUE(process.covariance == given[0].covariance);
  EXPECT_EQ(std::get<Threshold>(process.likelihood).flip_probability, 0.1);
  EXPECT_TRUE(c.converged());
}

TEST(Fit, StartsItsSearchesAsOftenAsItIsTold) {
  FitOptions options = quick();
  options.errors = {LabelErrors::none};
  int evaluations[2] = {};
  for (const int restarts : {0, 6}) {
    options.restarts = restarts;
    const Classifier c = fit_table(table_of(two_classes(30)), options);
    evaluations[restarts / 6] = c.questions[0].evidence[0].evaluations;
  }
  EXPECT_GE(evaluations[1], evaluations[0] + 6);
  options.restarts = -1;
  EXPECT_THROW(static_cast<void>(fit_table(table_of(two_classes(20)), options)), InvalidInput);
}

TEST(Fit, TakesAnotherRegularLikelihood) {
  FitOptions options = quick();
  options.errors = {LabelErrors::none};
  options.inference = Laplace{};
  options.regular = Logistic{};
  const Classifier c = fit_table(table_of(two_classes(30)), options);
  EXPECT_TRUE(std::holds_alternative<Logistic>(c.questions[0].processes[0].likelihood));
}

TEST(Fit, OfPreparedRowsSaysWhereTheyComeFrom) {
  const Table table = table_of(two_classes(20));
  const Prepared prepared = prepare(table, infer_schema(table, {.label = "class"}));
  const Origin origin{.label_name = "good", .source = "array", .data_hash = std::string(64, 'a')};
  const Classifier c = fit(prepared, origin, quick());
  EXPECT_EQ(c.label_name, origin.label_name);
  EXPECT_EQ(c.provenance.source, origin.source);
  EXPECT_EQ(c.provenance.data_hash, origin.data_hash);
  EXPECT_EQ(c.questions[0].p_wrong, fit_table(table, quick()).questions[0].p_wrong);
}

TEST(Fit, RefusesARateThatIsNoneOrMissing) {
  FitOptions options = quick();
  for (const double rate : {-0.1, 0.5, std::numeric_limits<double>::quiet_NaN()}) {
    options.rate = rate;
    EXPECT_THROW(static_cast<void>(fit_table(table_of(two_classes(20)), options)), InvalidInput);
  }
  options.rate.reset();
  options.learn_parameters = false;
  EXPECT_THROW(static_cast<void>(fit_table(table_of(two_classes(20)), options)), InvalidInput);
}

TEST(Fit, RefusesACovarianceThatDoesNotFitTheTable) {
  FitOptions options = quick();
  options.covariances = {"linear", "squared_exponential(lengthscale=[1, 2])"};
  try {
    static_cast<void>(fit_table(table_of(two_classes(20)), options));
    ADD_FAILURE() << "two lengthscales for one column";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string_view(error.what()).find(options.covariances[1]), 11U) << error.what();
  }
  const Table table = table_of(two_classes(20));
  EXPECT_THROW(static_cast<void>(prepare(table, infer_schema(table, {}))), TableError);
}

// Nothing here is worth learning from; nothing may break either.
TEST(Fit, SurvivesHardTables) {
  std::string copies = "x,class\n", separable = "x,class\n", lone = "x,class\n";
  for (int i = 0; i < 12; ++i) {
    copies += fmt::format("{},{}\n", i % 2, i % 3 == 0 ? "a" : "b");
    separable += fmt::format("{}.5,{}\n", i, i < 6 ? "a" : "b");
    lone += fmt::format("{}.5,{}\n", i, i == 7 ? "rare" : i % 2 == 0 ? "a" : "b");
  }
  const std::string two = "x,class\n1.5,a\n2.5,b\n";
  const std::string huge = "x,class\n1e300,a\n-1e300,b\n0,a\n1,b\n2.5,a\n";
  for (const std::string& text : {copies, separable, lone, two, huge}) {
    for (const bool defaults : {false, true}) {
      const Classifier c = fit_table(table_of(text), defaults ? FitOptions{} : quick());
      EXPECT_TRUE(c.questions[0].p_wrong.allFinite()) << text;
      EXPECT_TRUE(predict(c, c.X).clean.allFinite()) << text;
    }
  }
}

TEST(CandidateCovariances, TellEveryPartWhichColumnsAreDiscrete) {
  const std::vector<Index> discrete{1};
  const auto all = candidate_covariances(
      {"2 * squared_exponential + linear * (matern(discrete=[0]) + constant(1))"}, 2, discrete);
  ASSERT_EQ(all.size(), 1U);
  const auto& terms = std::get<Sum>(all[0].covariance.node).terms;
  const auto& scaled = std::get<Scaled>(terms[0].node);
  EXPECT_EQ(std::get<SquaredExponential>((*scaled.factor).node).discrete, discrete);
  const auto& factors = std::get<Product>(terms[1].node).factors;
  EXPECT_EQ(std::get<Linear>(factors[0].node).discrete, discrete);
  const auto& matern = std::get<Sum>(factors[1].node).terms[0];
  EXPECT_EQ(std::get<Matern>(matern.node).discrete, (std::vector<Index>{0}))
      << "what is said stays";
  EXPECT_EQ(candidate_covariances({}, 2, discrete).size(), default_covariances(2, discrete).size());
}

TEST(Fit, GivesColumnsALengthscaleEachUnlessTheyAreMany) {
  EXPECT_EQ(default_covariances(1).size(), 1U);
  EXPECT_EQ(default_covariances(most_own_lengthscales).size(), 3U);
  EXPECT_EQ(default_covariances(most_own_lengthscales + 1).size(), 1U);
}

}  // namespace
}  // namespace candor
