// SPDX-License-Identifier: MIT
// EM-EP: its bound against differences and against the evidence, its fixed points against stored
// ones, and every way in which it can end.
#include <candor/covariance/log_parameters.hpp>
#include <candor/inference/evidence_gradient.hpp>
#include <candor/learning/em_ep.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace candor {
namespace {

const std::string rate_name = "likelihood.flip_probability";
const std::string noise_name = "likelihood.noise_variance";

// 50 rows on a ring, five labels flipped; provenance in tests/oracle/README.md.
struct Ring : testing::Test {
  Ring() : stored(nlohmann::json::parse(std::ifstream("tests/oracle/learning.json"))) {
    const auto& inputs = stored["inputs"];
    const auto n = static_cast<Index>(inputs["y"].size());
    X.resize(n, 2);
    observations.y.resize(n);
    for (Index i = 0; i < n; ++i) {
      const auto& row = inputs["X"][static_cast<std::size_t>(i)];
      X.row(i) << row[0].get<double>(), row[1].get<double>();
      observations.y[i] = inputs["y"][static_cast<std::size_t>(i)].get<double>();
    }
  }

  [[nodiscard]] TrainingSet data(Threads threads = {}) const { return {X, observations, threads}; }
  [[nodiscard]] double expected(const std::string& group, const std::string& name) const {
    return stored["expected"][group][name].get<double>();
  }

  const nlohmann::json stored;
  Matrix X;
  Observations observations;
};

// v₀ = 9 and l = 1.5 as stored; EP as tight as rounding allows, so that laws hold tightly.
Covariance ring_covariance() {
  const Vector lengthscale = Vector::Constant(2, 1.0 / std::sqrt(1.5));
  return 9.0 * Covariance(SquaredExponential{.lengthscale = lengthscale}) +
         Covariance(Constant{1e-8});
}

Model ring_model(double rate = 0.05, double noise = 0.1) {
  return {ring_covariance(), Threshold{.flip_probability = rate, .noise_variance = noise},
          Ep{.tolerance = 1e-11}};
}

// The papers' form of the same model.
Model papers_form(const Model& model) {
  const auto likelihood = std::get<Threshold>(model.likelihood);
  return {model.covariance + Covariance(Noise{likelihood.noise_variance}),
          Threshold{.flip_probability = likelihood.flip_probability, .noise_variance = 0.0},
          model.inference};
}

// Models whose likelihood and covariance have everything to learn.
std::vector<Model> bound_zoo() {
  const Covariance rough = 4.0 * Covariance(Matern{.lengthscale = Vector::Constant(1, 0.7)});
  std::vector<Model> models{ring_model(), ring_model(0.2, 2.0), ring_model(0.0, 0.5)};
  models.push_back({rough + Covariance(Linear{}), Threshold{0.1, 0.3}, Ep{.tolerance = 1e-11}});
  for (std::size_t i = 0, count = models.size(); i < count; ++i) {
    models.push_back(papers_form(models[i]));
  }
  return models;
}

ParameterChoice everything_but_the_rate(const Model& model) {
  const bool has_noise = std::get<Threshold>(model.likelihood).noise_variance > 0.0;
  return {.held = {rate_name},
          .freed = has_noise ? std::vector{noise_name} : std::vector<std::string>{}};
}

ParameterChoice hold_covariance(const Model& model, std::vector<std::string> others = {}) {
  for (const std::string& name : parameter_names(model.covariance)) {
    others.push_back("covariance." + name);
  }
  return {.held = std::move(others)};
}

double rate_in(const Model& model) {
  return std::get<Threshold>(model.likelihood).flip_probability;
}

double noise_in(const Model& model) { return std::get<Threshold>(model.likelihood).noise_variance; }

Approximation solve(const Model& model, const TrainingSet& data) {
  return infer(model.inference, model.covariance, model.likelihood, data.X, data.observations);
}

// Largest |a - b|/(1 + |b|).
double difference(const Vector& a, const Vector& b) {
  return ((a - b).array().abs() / (1.0 + b.array().abs())).maxCoeff();
}

// EP leaves gradients right to its residual, 1e-11 or less; C has a condition number below 5e3
// (n v₀/v₂), and its inverse enters twice, which leaves 3e-9 at worst.  Measured: 2e-13.
constexpr double law_tolerance = 1e-8;

double gap_to_evidence_gradient(const Model& model, const TrainingSet& data,
                                const std::function<void(NoisyPosterior&)>& spoil) {
  const Coordinates coordinates(model, everything_but_the_rate(model));
  Approximation q = solve(model, data);
  NoisyPosterior noisy = noisy_posterior(q, model.likelihood);
  spoil(noisy);
  const Theta theta = coordinates.theta();
  const auto height = EmBound(coordinates, data, noisy).at(theta);
  const EvidenceGradient gradient = evidence_gradient(q, model.covariance, data.X);
  return difference(height.value().gradient, coordinates.gradient(gradient, theta));
}

TEST_F(Ring, BoundHasTheGradientOfTheEvidenceWhereItTouches) {
  for (const Model& model : bound_zoo()) {
    EXPECT_LT(gap_to_evidence_gradient(model, data(), [](NoisyPosterior&) {}), law_tolerance);
  }
}

TEST_F(Ring, MutantBoundsBreakTheLaw) {
  for (const Model& model : bound_zoo()) {
    const auto gap = [&](const std::function<void(NoisyPosterior&)>& spoil) {
      return gap_to_evidence_gradient(model, data(), spoil);
    };
    EXPECT_GT(gap([](NoisyPosterior& q) { q.h.setZero(); }), 10 * law_tolerance);
    EXPECT_GT(gap([](NoisyPosterior& q) { q.A *= 1.001; }), 10 * law_tolerance);
    // Only the marginals of q, as the update of ε takes them.
    EXPECT_GT(gap([](NoisyPosterior& q) { q.A = Matrix(q.A.diagonal().asDiagonal()); }),
              10 * law_tolerance);
  }
}

// Away from where q was computed, so that nothing cancels.  Central differences at two steps and
// Richardson's extrapolation: truncation h⁴ ≈ 1e-11 times a fifth derivative, and rounding of F
// (1e-12 at the condition numbers here) over h: 1e-9.
TEST_F(Ring, BoundAgreesWithItsDifferences) {
  for (const Model& model : bound_zoo()) {
    const Coordinates coordinates(model, everything_but_the_rate(model));
    Approximation q = solve(model, data());
    const EmBound bound(coordinates, data(), noisy_posterior(q, model.likelihood));
    Theta theta = coordinates.theta();
    theta.value.array() += 0.3;
    const Vector gradient = bound.at(theta).value().gradient;
    for (Index p = 0; p < theta.size(); ++p) {
      const auto central = [&](double h) {
        Theta up = theta, down = theta;
        up.value[p] += h;
        down.value[p] -= h;
        return (bound.at(up).value().value - bound.at(down).value().value) / (2.0 * h);
      };
      const double slope = (4.0 * central(1e-3) - central(2e-3)) / 3.0;
      EXPECT_NEAR(gradient[p], slope, 1e-8 * (1.0 + std::abs(slope))) << p;
    }
  }
}

TEST_F(Ring, BothPlacesForTheNoiseMakeTheSameStep) {
  const Model model = ring_model();
  const Model papers = papers_form(model);
  ParameterChoice held = hold_covariance(papers);
  held.held.pop_back();  // noise(v₂), the last
  const Ascent tight{.tolerance = 1e-13, .flat = 1e-7};
  const EmEpStep a = em_ep_step(model, data(), {.choice = hold_covariance(model), .m_step = tight});
  const EmEpStep b = em_ep_step(papers, data(), {.choice = held, .m_step = tight});
  // Both EPs stop within 1e-11 of the same fixed point; slopes differ by n times that.
  EXPECT_LT(difference(a.latent_mean, b.latent_mean), 1e-9);
  EXPECT_LT(difference(a.latent_variance, b.latent_variance), 1e-9);
  EXPECT_NEAR(a.published_rate, b.published_rate, 1e-9);
  EXPECT_NEAR(a.tilted_rate, b.tilted_rate, 1e-9);
  EXPECT_NEAR(a.bound->value, b.bound->value, 1e-7);
  EXPECT_NEAR(a.bound->gradient[0], b.bound->gradient[0], 1e-7);
  // Both climbs end where the slope is below 1e-7, on a bend of more than a nat.
  EXPECT_NEAR(a.summit.theta.value[0], b.summit.theta.value[0], 1e-6);
  EXPECT_EQ(rate_in(a.model), a.published_rate);
}

TEST_F(Ring, StepClimbsTheBoundAndItsRateMaximisesTheOtherPart) {
  const EmEpStep step = em_ep_step(ring_model(), data());
  EXPECT_GT(step.summit.value, step.bound->value);
  const double best = rate_bound(step.omega, step.published_rate);
  EXPECT_LT(rate_bound(step.omega, 0.99 * step.published_rate), best);
  EXPECT_LT(rate_bound(step.omega, 1.01 * step.published_rate), best);
}

// Steps shrink by a factor of about a third here, so the fixed point is within twice the tolerance.
constexpr double fixed_point_tolerance = 1e-9;

EmEp learn_rate_only(RateStep step) {
  return {.rate_step = step,
          .choice = hold_covariance(ring_model(), {noise_name}),
          .tolerance = fixed_point_tolerance};
}

TEST_F(Ring, PublishedRateSettlesAtItsStoredFixedPoint) {
  const EmEpLearned learned =
      learn_by_em_ep(ring_model(), data(), learn_rate_only(RateStep::published));
  ASSERT_EQ(learned.status, EmEpStatus::converged);
  // The reference was iterated to 1e-12, with an EP that stopped at 1e-9.
  EXPECT_NEAR(rate_in(learned.model), expected("emep_eps_fixed_point", "eps"), 1e-7);
  EXPECT_NEAR(learned.log_evidence, expected("emep_eps_fixed_point", "log_evidence"), 1e-7);
  EXPECT_LT(learned.log_evidence, expected("regular", "log_evidence"));
  // Half of the rate is the leak: 5 of 50 labels are wrong, and the evidence falls with ε here.
  EXPECT_LT(learned.approximation.likelihood_gradient[0], -1.0);
}

TEST_F(Ring, TiltedRateSettlesWhereTheEvidenceIsStationary) {
  const EmEpLearned learned =
      learn_by_em_ep(ring_model(), data(), learn_rate_only(RateStep::tilted));
  ASSERT_EQ(learned.status, EmEpStatus::converged);
  EXPECT_NEAR(rate_in(learned.model), expected("tilted_eps_fixed_point", "eps"), 1e-7);
  EXPECT_NEAR(learned.log_evidence, expected("tilted_eps_fixed_point", "log_evidence"), 1e-9);
  // ∂log Z/∂ε = n (mean(p_wrong) - ε)/(ε (1 - ε)), the last step below 1e-9: 50/0.09 times that.
  EXPECT_NEAR(learned.approximation.likelihood_gradient[0], 0.0, 600.0 * fixed_point_tolerance);
}

// The law that tells the two apart, at a rate that is no fixed point of either.
TEST_F(Ring, TiltedStepPointsUpTheEvidenceAndThePublishedOneNeedNot) {
  const double between = 0.13;
  const EmEpStep step = em_ep_step(ring_model(between), data(), learn_rate_only(RateStep::tilted));
  const double n = static_cast<double>(X.rows());
  const auto slope_by = [&](double rate) {
    return n * (rate - between) / (between * (1 - between));
  };
  const double slope = step.approximation.likelihood_gradient[0];
  // Both sides are sums of n terms of the same cavities: rounding alone tells them apart.
  EXPECT_NEAR(slope_by(step.tilted_rate), slope, 1e-10);
  EXPECT_GT(std::abs(slope_by(step.published_rate) - slope), 1.0);
  EXPECT_LT(slope, 0.0);
  EXPECT_GT(step.published_rate, between);
}

// An ε of 0 is held: this is the regular classifier, and v₂ must end where the evidence is largest.
TEST_F(Ring, LearnsTheNoiseOfTheRegularModelToTheStoredMaximum) {
  const Model start = ring_model(0.0, 0.5);
  const EmEpLearned learned =
      learn_by_em_ep(start, data(), {.choice = hold_covariance(start), .tolerance = 1e-7});
  ASSERT_EQ(learned.status, EmEpStatus::converged);
  EXPECT_EQ(rate_in(learned.model), 0.0);
  // The M step leaves a slope below 1e-4, on an evidence that bends by more than 0.1 in log v₂.
  EXPECT_NEAR(std::log(noise_in(learned.model) / expected("regular", "v2")), 0.0, 1e-3);
  EXPECT_NEAR(learned.log_evidence, expected("regular", "log_evidence"), 1e-6);
  EXPECT_GT(learned.evaluations, learned.steps);
}

TEST_F(Ring, LearnsCovarianceAndRateTogether) {
  const EmEpLearned learned =
      learn_by_em_ep(ring_model(), data(), {.rate_step = RateStep::tilted, .tolerance = 1e-5});
  ASSERT_EQ(learned.status, EmEpStatus::converged);
  const EvidenceGradient gradient =
      evidence_gradient(learned.approximation, learned.model.covariance, X);
  // A step of 1e-5 in ε is n/(ε(1 - ε)) times that in slope; the bound is left with slopes of 1e-4.
  EXPECT_LT(gradient.covariance.lpNorm<Eigen::Infinity>(), 2e-3);
  EXPECT_NEAR(gradient.likelihood[0], 0.0, 6e-3);
  EXPECT_GT(learned.log_evidence, learned.trace.front().log_evidence);
}

TEST_F(Ring, AccelerationLeadsToTheSamePointInFewerSteps) {
  EmEp options{.choice = hold_covariance(ring_model(0.0, 0.5)), .tolerance = 1e-6};
  const EmEpLearned plain = learn_by_em_ep(ring_model(0.0, 0.5), data(), options);
  options.accelerate = true;
  const EmEpLearned quick = learn_by_em_ep(ring_model(0.0, 0.5), data(), options);
  ASSERT_EQ(quick.status, EmEpStatus::converged);
  EXPECT_LT(2 * quick.steps, plain.steps);
  // Both leave a slope below 1e-4, on an evidence that bends by more than 0.1 in log v₂.
  EXPECT_NEAR(std::log(noise_in(quick.model) / noise_in(plain.model)), 0.0, 2e-3);
  EXPECT_NEAR(quick.log_evidence, plain.log_evidence, 1e-6);
}

TEST_F(Ring, TellsItsWay) {
  const EmEpLearned learned =
      learn_by_em_ep(ring_model(), data(), learn_rate_only(RateStep::published));
  ASSERT_EQ(learned.trace.size(), static_cast<std::size_t>(learned.steps) + 1);
  EXPECT_EQ(learned.trace.front().flip_probability, 0.05);
  EXPECT_EQ(learned.trace.back().flip_probability, rate_in(learned.model));
  // The trace's last point began at other sites; EP's evidence is right to its residual squared.
  EXPECT_NEAR(learned.trace.back().log_evidence, learned.log_evidence, 1e-9);
  EXPECT_EQ(learned.log_evidence, learned.approximation.log_evidence);
  EXPECT_EQ(learned.log_evidence, solve(learned.model, data()).log_evidence);
  EXPECT_GT(learned.sweeps, learned.steps);
}

TEST_F(Ring, StopsAtTheLimitOfSteps) {
  EmEp options = learn_rate_only(RateStep::published);
  options.max_steps = 3;
  const EmEpLearned learned = learn_by_em_ep(ring_model(), data(), options);
  EXPECT_EQ(learned.status, EmEpStatus::out_of_steps);
  EXPECT_EQ(learned.steps, 3);
  options.max_steps = 0;
  EXPECT_EQ(rate_in(learn_by_em_ep(ring_model(), data(), options).model), 0.05);
}

TEST_F(Ring, SaysThatInferenceFailedForTheModelAsGiven) {
  Model model = ring_model();
  model.inference = SequentialEp{.max_sweeps = 1};
  const EmEpLearned learned = learn_by_em_ep(model, data());
  EXPECT_EQ(learned.status, EmEpStatus::inference_failed);
  EXPECT_EQ(learned.approximation.outcome.status, Status::not_converged);
  EXPECT_TRUE(learned.trace.empty());
  EXPECT_EQ(rate_in(learned.model), 0.05);
}

// The loop walks from a soft start, where three sweeps are enough, to v₂ = 1.6, which needs five.
TEST_F(Ring, KeepsTheLastGoodStateWhenInferenceFailsOnTheWay) {
  Model model = ring_model(0.0, 30.0);
  model.inference = SequentialEp{.tolerance = 1e-6, .max_sweeps = 4};
  const EmEpLearned learned =
      learn_by_em_ep(model, data(), {.choice = hold_covariance(model), .tolerance = 1e-6});
  EXPECT_EQ(learned.status, EmEpStatus::inference_failed);
  EXPECT_GT(learned.steps, 1);
  EXPECT_EQ(learned.approximation.outcome.status, Status::converged);
  EXPECT_EQ(learned.trace.size(), static_cast<std::size_t>(learned.steps));
  EXPECT_LT(noise_in(learned.model), 30.0);
  EXPECT_EQ(learned.log_evidence, solve(learned.model, data()).log_evidence);
}

// Two equal rows without noise of their own: C is singular.
TEST(EmEpWithoutNoise, SaysThatTheBoundHasNoValue) {
  const Matrix X = (Matrix(3, 1) << 0.0, 0.0, 1.0).finished();
  const Observations observations{.y = Eigen::Vector3d(1.0, 1.0, -1.0)};
  const Model model{1.0 * Covariance(SquaredExponential{}), Threshold{0.1, 0.0}, Ep{}};
  const EmEpLearned learned = learn_by_em_ep(model, {X, observations});
  EXPECT_EQ(learned.status, EmEpStatus::bound_failed);
  EXPECT_EQ(learned.approximation.outcome.status, Status::converged);
}

TEST_F(Ring, ReturnsTheLastStateWhenCancelled) {
  EmEp options{.rate_step = RateStep::tilted};
  int asked = 0, last_sweeps = 0;
  options.watcher = [&](const Progress& progress) {
    EXPECT_GE(progress.sweeps, last_sweeps);
    EXPECT_TRUE(std::isfinite(progress.best));
    last_sweeps = progress.sweeps;
    return ++asked < 30;
  };
  const EmEpLearned learned = learn_by_em_ep(ring_model(), data(), options);
  EXPECT_EQ(learned.status, EmEpStatus::cancelled);
  EXPECT_GT(learned.steps, 0);
  EXPECT_EQ(learned.trace.size(), static_cast<std::size_t>(learned.steps) + 1);
  EXPECT_EQ(rate_in(learned.model), learned.trace.back().flip_probability);
  EXPECT_EQ(learned.approximation.outcome.status, Status::converged);
}

TEST_F(Ring, LeavesOutRowsWhoseRateIsKnown) {
  observations.known_flip_rate = Vector::Constant(X.rows(), rate_not_known);
  observations.known_flip_rate.head(20).setZero();
  const EmEpStep step = em_ep_step(ring_model(), data());
  EXPECT_NEAR(step.tilted_rate, step.approximation.p_wrong.tail(30).mean(), 1e-15);
  EXPECT_NEAR(step.published_rate, 1.0 - step.omega.tail(30).mean(), 1e-15);
  observations.known_flip_rate.setZero();
  EXPECT_EQ(rate_in(em_ep_step(ring_model(), data()).model), 0.05);
}

TEST_F(Ring, GivesTheSameBitsOnTwoThreads) {
  const EmEp options{.max_steps = 4};
  const EmEpLearned one = learn_by_em_ep(ring_model(), data({1}), options);
  const EmEpLearned two = learn_by_em_ep(ring_model(), data({2}), options);
  EXPECT_EQ(rate_in(one.model), rate_in(two.model));
  EXPECT_EQ(one.model.covariance, two.model.covariance);
}

TEST_F(Ring, DoesNotDependOnTheOrderOfRows) {
  const EmEp options{.max_steps = 4};
  const EmEpLearned as_given = learn_by_em_ep(ring_model(), data(), options);
  X = X.colwise().reverse().eval();
  observations.y.reverseInPlace();
  const EmEpLearned reversed = learn_by_em_ep(ring_model(), data(), options);
  // Sums in another order, four steps of it: climbs may stop anywhere below a slope of 1e-4.
  EXPECT_NEAR(rate_in(as_given.model), rate_in(reversed.model), 1e-6);
  EXPECT_NEAR(as_given.log_evidence, reversed.log_evidence, 1e-6);
}

TEST_F(Ring, RefusesWhatItCannotLearn) {
  const auto learn_with = [&](const Likelihood& likelihood, const Inference& engine,
                              const EmEp& options = {}) {
    static_cast<void>(learn_by_em_ep({ring_covariance(), likelihood, engine}, data(), options));
  };
  const Threshold threshold{.flip_probability = 0.05, .noise_variance = 0.1};
  EXPECT_THROW(learn_with(Logistic{}, Ep{}), InvalidInput);
  EXPECT_THROW(learn_with(threshold, Laplace{}), InvalidInput);
  EXPECT_THROW(learn_with(threshold, Ep{}, {.tolerance = 0.0}), InvalidInput);
  EXPECT_THROW(learn_with(threshold, Ep{}, {.max_steps = -1}), InvalidInput);
  observations.weight = Vector::Ones(X.rows());
  EXPECT_NO_THROW(learn_with(threshold, Ep{}, {.max_steps = 1}));
  observations.weight[3] = 2.0;
  EXPECT_THROW(learn_with(threshold, Ep{}), InvalidInput);
}

}  // namespace
}  // namespace candor
