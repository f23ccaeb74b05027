# SPDX-License-Identifier: MIT
import numpy as np
import pytest
from conftest import ring
from sklearn.exceptions import ConvergenceWarning

from candor import InvalidInput
from candor.kernels import RBF, Constant, Linear, Matern
from candor.models import Model

X, labels, flipped = ring(60, seed=2, flips=0.05)
y = 2.0 * labels - 1.0
KERNEL = 1.0 * RBF(1.4) + Constant(0.25)


def threshold(rate=0.05, noise=0.05, **more):
    return Model(KERNEL, "threshold", flip_probability=rate, noise_variance=noise, **more)


def test_regression_is_exact():
    rows, targets = X[:, :1], X[:, 1]
    kernel = 0.5 * Matern(0.7, nu=1.5)
    fitted = Model(kernel, "gaussian", noise_variance=0.2).infer(rows, targets)
    C = kernel(rows) + 0.2 * np.eye(len(rows))
    by_hand = -0.5 * targets @ np.linalg.solve(C, targets) - 0.5 * np.linalg.slogdet(2 * np.pi * C)[1]
    at = fitted.predict(np.array([[0.3]]))
    k = kernel(rows, np.array([[0.3]]))[:, 0]
    # Two orders of the same sums: roundings of 60 terms.
    assert fitted.log_evidence == pytest.approx(by_hand, rel=1e-10)
    assert at.latent_mean[0] == pytest.approx(k @ np.linalg.solve(C, targets), rel=1e-9)
    assert at.latent_variance[0] == pytest.approx(0.5 - k @ np.linalg.solve(C, k), rel=1e-9)


def test_learning_moves_what_is_not_held_and_climbs():
    start = threshold()
    fitted = start.learn(X, y, hold=["kernel"])
    assert fitted.converged and fitted.status == "converged" and fitted.evaluations > 1
    np.testing.assert_allclose(fitted.model.kernel.theta, start.kernel.theta, rtol=1e-14)  # by way of logarithms
    assert fitted.model.numbers["noise_variance"] != start.numbers["noise_variance"]
    assert fitted.log_evidence > start.infer(X, y).log_evidence
    held = start.learn(X, y, hold=["kernel", "noise_variance"]).model
    assert held.numbers["noise_variance"] == start.numbers["noise_variance"]
    assert held.numbers["flip_probability"] != start.numbers["flip_probability"]
    some = Model(2.0 * RBF(1.0) + Constant(1e-8), "probit").learn(X, y, hold=["kernel.terms[1].variance"]).model.kernel
    assert some.theta[some.names.index("terms[1].variance")] == pytest.approx(np.log(1e-8), rel=1e-12)
    assert some.theta[some.names.index("terms[0].factor.lengthscale[0]")] != 0.0


def test_a_rate_of_zero_stays_and_has_less_evidence():
    regular, robust = (threshold(rate).learn(X, y, hold=["kernel"]) for rate in (0.0, 0.05))
    assert regular.model.numbers["flip_probability"] == 0.0
    assert robust.log_evidence > regular.log_evidence
    assert set(np.argsort(-robust.p_wrong)[: flipped.sum()]) & set(np.flatnonzero(flipped))


def test_em_ep_has_the_fixed_points_it_should():
    hold = ["kernel", "noise_variance"]
    climbed = threshold().learn(X, y, hold=hold, tolerance=1e-10)
    tilted = threshold().learn_by_em_ep(X, y, hold=hold, rate_step="tilted", tolerance=1e-9, max_steps=5000)
    published = threshold().learn_by_em_ep(X, y, hold=hold, tolerance=1e-9, max_steps=5000)
    # A climb within 1e-10 nats of the top is within √1e-10 of it, in units of the curvature of some nats.
    assert tilted.model.numbers["flip_probability"] == pytest.approx(climbed.model.numbers["flip_probability"], abs=1e-4)
    assert published.model.numbers["flip_probability"] > climbed.model.numbers["flip_probability"]
    assert published.log_evidence < climbed.log_evidence
    assert len(published.trace) == published.steps + 1 or len(published.trace) == published.steps
    assert published.trace[0][0] == 0.05


def test_predictions_know_errors():
    at = threshold(0.1).infer(X, y).predict(X)
    np.testing.assert_allclose(at.p_observed, 0.1 + 0.8 * at.p_clean, rtol=1e-12)


def test_linear_covariance_takes_one_column_too():
    assert Model(Linear(), "logistic", inference="laplace").infer(X[:, 0], y).predict(X[:, 0]).latent_mean.shape == (60,)


@pytest.mark.parametrize("what, says", [
    (lambda: Model(RBF(), "nothing").infer(X, y), "nothing"),
    (lambda: Model(RBF(), "probit", noise_variance=1.0).infer(X, y), "noise_variance"),
    (lambda: threshold(0.7).infer(X, y), "flip_probability"),
    (lambda: threshold().infer(X, labels.astype(float)), "0"),
    (lambda: threshold().infer(X[:5], y), "rows|labels|size"),
    (lambda: threshold().learn(X, y, hold=["kernel.size"]), "size"),
    (lambda: threshold().learn(X, y, hold="kernel"), "list"),
    (lambda: threshold().learn(X, y, prior="strong"), "prior"),
    (lambda: threshold().learn(X, y, hold=["foo"]), "hold holds 'foo': it may hold kernel, kernel.*, noise_variance$"),
    (lambda: threshold().learn(X, y, free=[3]), "free holds 3"),
    (lambda: threshold().learn(X, y, hold=None), "hold is None"),
    (lambda: threshold().learn(X, y, hold=["kernel"], free=threshold().names[:1]), "in hold and in free"),
    (lambda: threshold().learn(X, y, n_restarts=-1), "n_restarts"),
    (lambda: threshold().learn(X, y, tolerance=0), "tolerance is 0"),
    (lambda: threshold().learn_by_em_ep(X, y, max_steps=2**40), "max_steps"),
    (lambda: threshold().infer(X, y, threads=1.5), "threads"),
    (lambda: threshold().infer(X, y[:, None]), "y has 2 dimensions"),
    (lambda: threshold().infer(3.0, y), "X has 0 dimensions"),
    (lambda: threshold().infer(X, y).check(threads=-2**40), "threads"),
    (lambda: threshold().learn_by_em_ep(X, y, rate_step="large"), "rate_step"),
    (lambda: threshold(inference="laplace").learn_by_em_ep(X, y), "laplace"),
    (lambda: Model(RBF(), "probit").learn_by_em_ep(X, y), "threshold"),
])
def test_mistakes_are_named(what, says):
    with pytest.raises((ValueError, InvalidInput), match=says):
        what()


def test_threads_below_0_count_from_all():
    fitted = threshold().infer(X, y, threads=-1)
    checks = [fitted.check(draws=50, runs=4, temperatures=5, threads=threads) for threads in (0, -1, 1)]
    assert len({check.log_evidence_mcmc for check in checks}) == 1


def test_a_check_that_does_not_fit_into_memory_is_refused():
    with pytest.raises(MemoryError, match="4 chains of 1000000000 draws of 60 rows take about"):
        threshold().infer(X, y).check(draws=10**9)


def test_a_loop_that_is_cut_short_is_not_passed_off():
    with pytest.warns(ConvergenceWarning, match="out of steps"):
        fitted = threshold().learn_by_em_ep(X, y, hold=["kernel"], max_steps=1)
    assert not fitted.converged
    with pytest.warns(ConvergenceWarning, match="learning did not converge"):
        fitted.check(draws=100, runs=4, temperatures=5)


def test_numbers_that_are_not_given_are_those_of_the_likelihood():
    assert Model(RBF(), "threshold", noise_variance=2.0).numbers == {"flip_probability": 0.0, "noise_variance": 2.0}
    assert Model(RBF(), "probit").names == ["kernel.lengthscale[0]"]


def test_reads_well():
    assert repr(threshold()) == ("Model(1 * squared_exponential(lengthscale=1.4) + constant(0.25), 'threshold', "
                                 "inference='ep', flip_probability=0.05, noise_variance=0.05)")


def test_a_check_of_regression_finds_the_closed_form():
    rows, targets = X[:20, :1], X[:20, 1]
    fitted = Model(0.5 * Matern(0.7, nu=1.5), "gaussian", noise_variance=0.2).infer(rows, targets)
    check = fitted.check(runs=4, temperatures=10, rows=[3, 0], random_state=2)
    assert check.settled and check.engine == "ep" and check.name == "gaussian"
    # EP's Gaussian is the posterior here: every run has the same weight, to roundings of 20 terms.
    assert check.log_evidence_mcmc == pytest.approx(fitted.log_evidence, abs=1e-8)
    # Of 20 rows one in 800 samples has one that is four standard errors off; the seed is fixed.
    assert np.max(np.abs(check.latent_mean_mcmc - fitted.latent_mean) / check.latent_mean_error) < 4
    assert np.max(np.abs(check.latent_variance_mcmc - fitted.latent_variance) / check.latent_variance_error) < 4
    assert check.rows == [3, 0] and check.draws.shape == (4, 1000, 2)
    np.testing.assert_allclose(check.draws.mean(axis=(0, 1)), check.latent_mean_mcmc[[3, 0]])


def test_a_check_tells_laplace_from_ep():
    checks = {engine: Model(16.0 * RBF(1.0), "probit", inference=engine).infer(X, y).check(random_state=1) for engine in ("ep", "laplace")}
    assert all(check.settled for check in checks.values())
    off = {engine: np.max(np.abs(check.latent_mean - check.latent_mean_mcmc) / np.sqrt(check.latent_variance_mcmc))
           for engine, check in checks.items()}
    # A mode is nearer to 0 than a mean: a quarter of a deviation is what a verdict calls off.
    assert off["laplace"] > 0.25 > off["ep"]
    # The same truth from two Gaussians to begin from: four standard errors of the difference, and a twentieth of a nat that decides nothing.
    error = np.hypot(*(check.log_evidence_error for check in checks.values()))
    assert abs(checks["ep"].log_evidence_mcmc - checks["laplace"].log_evidence_mcmc) < 4 * error + 0.05
    assert checks["laplace"].p_wrong.max() == 0.0 and "Laplace is off" in checks["laplace"].verdict


def test_a_check_refuses_and_warns():
    fitted = threshold().infer(X, y)
    with pytest.raises(ValueError, match="rows holds 60"):
        fitted.check(rows=[60])
    with pytest.raises(ValueError, match="runs is 1"):
        fitted.check(runs=1)
    with pytest.warns(ConvergenceWarning, match="not settled"):
        assert not fitted.check(chains=2, draws=4, runs=2, temperatures=1).settled
