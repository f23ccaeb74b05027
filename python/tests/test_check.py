# SPDX-License-Identifier: MIT
"""GPClassifier.check: what sampling says of a fitted model."""
import copy
import os
import signal
import threading
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import candor
from candor import GPClassifier

pytestmark = pytest.mark.filterwarnings("ignore:sampling has not settled")  # short runs have not, and say so


def moons(rows=40, wrong=(3, 17)):
    random = np.random.default_rng(5)
    X = random.normal(size=(rows, 2))
    y = np.where(X[:, 0] + 0.3 * X[:, 1] > 0, "yes", "no")
    for row in wrong:
        y[row] = "no" if y[row] == "yes" else "yes"
    return X, y


@pytest.fixture(scope="module")
def fitted():
    X, y = moons()
    return GPClassifier(kernel="4 * squared_exponential", likelihood="robust", learning=None, label_error_rate=0.05).fit(X, y)


def test_a_check_says_how_far_ep_is_off(fitted):
    [check] = fitted.check(draws=800, runs=16, temperatures=60, random_state=1)
    assert isinstance(check, candor.PosteriorCheck)
    assert check.engine == "ep" and check.positive_class == "yes" and check.weight == 1.0
    assert check.log_evidence == pytest.approx(fitted.log_evidence(), abs=1e-6)
    # EP is known to be good to a few tenths of a nat and a few per cent where forty labels overlap.
    assert abs(check.log_evidence - check.log_evidence_mcmc) < 0.5 + 4 * check.log_evidence_error
    assert np.max(np.abs(check.p_wrong - check.p_wrong_mcmc) - 4 * check.p_wrong_error) < 0.1
    assert set(np.argsort(check.p_wrong_mcmc)[-2:]) == {3, 17}
    # Half a deviation: labels that overlap skew the posterior, whose mean EP does not match exactly.
    apart = (check.latent_mean - check.latent_mean_mcmc) / np.sqrt(check.latent_variance_mcmc)
    assert np.max(np.abs(apart)) < 0.5
    assert check.engine_converged and not check.from_prior and 0 <= check.jitter < 1e-6
    assert check.settled and check.evidence_settled and check.worst_r_hat < 1.05 and check.least_effective_draws > 100
    assert "EP" in check.verdict and check.verdict in repr(check)
    words = {"off": "is off", "may_be_off": "not seen to be off", "reliable": "can be relied on"}  # all that a settled check can be
    assert words[check.judgement] in check.verdict


def test_latent_values_are_those_of_the_positive_class(fitted):
    X, y = moons()
    [check] = fitted.check(draws=100, runs=4, temperatures=5, random_state=1)
    assert np.corrcoef(check.latent_mean_mcmc, y == "yes")[0, 1] > 0.5
    mean, variance = fitted.latent_mean_variance(X)
    np.testing.assert_allclose(check.latent_mean, mean, atol=1e-5)
    np.testing.assert_allclose(check.latent_variance, variance, rtol=1e-4)


def test_draws_of_chosen_rows_are_kept(fitted):
    [check] = fitted.check(chains=3, draws=200, runs=4, temperatures=5, rows=[17, 0])
    assert check.rows == [17, 0] and check.draws.shape == (3, 200, 2)
    np.testing.assert_allclose(check.draws.mean(axis=(0, 1)), check.latent_mean_mcmc[[17, 0]])
    with pytest.raises(ValueError, match="rows holds 40"):
        fitted.check(rows=[40])


def test_the_same_seed_gives_the_same_numbers_on_any_threads(fitted):
    X, y = moons()
    options = dict(draws=50, runs=4, temperatures=5)
    [one] = fitted.set_params(n_jobs=1).check(**options, random_state=3)
    [two] = fitted.set_params(n_jobs=2).check(**options, random_state=3)
    [other] = fitted.check(**options, random_state=4)
    np.testing.assert_array_equal(one.latent_mean_mcmc, two.latent_mean_mcmc)
    assert one.log_evidence_mcmc == two.log_evidence_mcmc
    assert np.any(one.latent_mean_mcmc != other.latent_mean_mcmc)


def test_copies_of_a_row_are_one_row_that_counts_twice():
    X, y = moons(20, wrong=())
    model = GPClassifier(kernel="4 * squared_exponential", likelihood="probit", learning=None)
    model.fit(np.vstack([X, X[:3]]), np.concatenate([y, y[:3]]))
    [check] = model.check(draws=50, runs=4, temperatures=5)
    assert check.r_hat.shape == (23,)
    np.testing.assert_array_equal(check.latent_mean_mcmc[:3], check.latent_mean_mcmc[20:])


def test_what_has_not_settled_is_warned_of(fitted):
    with pytest.warns(UserWarning, match="not settled"):
        [check] = fitted.check(chains=2, draws=4, runs=2, temperatures=1)
    assert not check.settled and check.judgement == "unknown" and "more draws" in check.verdict


def test_more_than_two_classes_are_checked_one_by_one():
    random = np.random.default_rng(1)
    X = random.normal(size=(45, 2))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    options = dict(kernel="4 * squared_exponential", likelihood="probit", learning=None)
    with pytest.raises(ValueError, match='multiclass="one-vs-rest"'):
        GPClassifier(**options).fit(X, y).check()
    checks = GPClassifier(**options, multiclass="one-vs-rest").fit(X, y).check(draws=50, runs=4, temperatures=5)
    assert [check.positive_class for check in checks] == [0, 1, 2]


@pytest.mark.parametrize("engine, name", [("sequential_ep", "equential EP"), ("laplace", "Laplace"),
                                          ("variational", "ariational inference")])
def test_every_engine_is_checked_as_itself(engine, name):
    X, y = moons(20, wrong=())
    model = GPClassifier(kernel="4 * squared_exponential", likelihood="probit", inference=engine, learning=None).fit(X, y)
    [check] = model.check(draws=50, runs=4, temperatures=5, from_prior=True)
    assert check.engine == engine and check.engine_converged and check.from_prior
    assert check.log_evidence == pytest.approx(model.log_evidence(), abs=1e-6)
    assert name in check.verdict


def test_a_model_that_was_not_learned_to_the_end_says_so(fitted):
    stopped = copy.copy(fitted)
    stopped.converged_ = False  # as of a fit that was interrupted
    with pytest.warns(ConvergenceWarning, match="learning did not converge"):
        stopped.check(draws=100, runs=4, temperatures=5)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="learning did not converge")
        fitted.check(draws=100, runs=4, temperatures=5)


def test_a_check_that_does_not_fit_into_memory_is_refused(fitted):
    with pytest.raises(MemoryError, match="draws of 40 rows take about"):
        fitted.check(draws=10**9)


def test_bad_options_are_refused(fitted):
    for bad in ({"chains": 2, "draws": 10, "runs": 21}, {"draws": 3}, {"chains": 0}, {"runs": 1}, {"temperatures": 0}, {"models": "some"},
                {"draws": -1}, {"temperatures": 2**31}, {"random_state": "x"}, {"random_state": 2**64}, {"rows": 5}, {"rows": "12"}, {"rows": [1.7]}):
        with pytest.raises(ValueError, match=list(bad)[-1]):
            fitted.check(**bad)


def test_ctrl_c_ends_a_check(fitted):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where tests run in the background
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            fitted.check(chains=2, draws=300_000)  # half a minute
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
