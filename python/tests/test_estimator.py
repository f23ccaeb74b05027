# SPDX-License-Identifier: MIT
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import candor
from candor import GPClassifier
from candor.kernels import RBF, Linear
from conftest import ring


@parametrize_with_checks([GPClassifier()])
def test_is_an_estimator_of_scikit_learn(estimator, check):
    check(estimator)


def test_finds_the_planted_errors(noisy_ring):
    X, y, flipped = noisy_ring
    model = GPClassifier(n_jobs=1).fit(X, y)
    assert model.p_wrong_[flipped].mean() > 5 * model.p_wrong_[~flipped].mean()
    low, high = model.label_error_rate_interval_
    assert low < model.label_error_rate_ < high
    assert model.converged_


def test_probabilities_are_of_the_classes_in_their_order():
    X, y, _ = ring(60, seed=2)
    words = np.array(["zebra", "ape"])[y]
    model, other = GPClassifier(n_jobs=1).fit(X, y), GPClassifier(n_jobs=1).fit(X, words)
    assert list(other.classes_) == ["ape", "zebra"]
    np.testing.assert_allclose(model.predict_proba(X)[:, 0], other.predict_proba(X)[:, 1], atol=1e-3)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_nothing_is_learned_where_nothing_is_to_be():
    X, y, _ = ring(50, seed=3)
    kernel = 2.0 * RBF(0.7)
    model = GPClassifier(kernel, learning=None, likelihood="regular", standardize=False).fit(X, y)
    assert model.kernel_ == kernel
    with pytest.raises(ValueError, match="rate"):
        GPClassifier(kernel, learning=None).fit(X, y)
    held = GPClassifier(kernel, learning=None, label_error_rate=0.1, likelihood="robust").fit(X, y)
    assert held.log_evidence_ != model.log_evidence_


def test_the_gradient_is_that_of_the_evidence():
    X, y, _ = ring(40, seed=4)
    model = GPClassifier(2.0 * RBF([0.7, 1.5]) + 0.1 * Linear(), likelihood="regular").fit(X, y)
    theta = model.kernel_.theta + 0.1
    _, gradient = model.log_evidence(theta, eval_gradient=True)
    for i in range(len(theta)):
        step = 1e-4 * np.eye(len(theta))[i]
        slope = (model.log_evidence(theta + step) - model.log_evidence(theta - step)) / 2e-4
        assert slope == pytest.approx(gradient[i], abs=1e-5)  # truncation 1e-8, EP's residual 1e-8/1e-4


def test_weights_are_copies():
    X, y, _ = ring(40, seed=5)
    weight = np.random.default_rng(0).integers(0, 3, 40)
    weighted = GPClassifier(n_jobs=1).fit(X, y, sample_weight=weight)
    copied = GPClassifier(n_jobs=1).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_array_equal(weighted.predict_proba(X), copied.predict_proba(X))
    assert np.isnan(weighted.p_wrong_[weight == 0]).all()


def test_trusted_rows_are_never_suspected(noisy_ring):
    X, y, _ = noisy_ring
    trusted = np.arange(len(y)) % 2 == 0
    assert GPClassifier(trusted=trusted, n_jobs=1).fit(X, y).p_wrong_[trusted].max() == 0.0


def test_missing_numbers_are_filled():
    X, y, _ = ring(60, seed=6)
    X[::7, 0] = np.nan
    assert np.isfinite(GPClassifier(n_jobs=1).fit(X, y).predict_proba(X)).all()


@pytest.mark.parametrize("store", ["file", "pickle"])
def test_a_model_comes_back_as_it_was(tmp_path, store):
    X, y, _ = ring(50, seed=7)
    model = GPClassifier(n_jobs=1).fit(X, y)
    if store == "file":
        model.save(tmp_path / "m.candor")
        again = candor.load(tmp_path / "m.candor")
        names = ["x0", "x1"]
        pandas = pytest.importorskip("pandas")
        np.testing.assert_array_equal(again.predict_proba(pandas.DataFrame(X, columns=names)), model.predict_proba(X))
    else:
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), model.predict_proba(X))


def test_works_where_scikit_learn_expects_it_to():
    X, y, _ = ring(60, seed=8)
    quick = GPClassifier(RBF(), likelihood="regular", n_jobs=1)
    assert clone(quick).get_params()["likelihood"] == "regular"
    assert make_pipeline(StandardScaler(), quick).fit(X, y).score(X, y) > 0.8
    search = GridSearchCV(quick, {"likelihood": ["regular", "robust"]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.7
    assert cross_val_predict(quick, X, y, cv=3, method="predict_proba").shape == (60, 2)
    assert CalibratedClassifierCV(quick, cv=2).fit(X, y).score(X, y) > 0.7
    three = np.digitize(X[:, 0], [-0.3, 0.3])
    assert OneVsRestClassifier(quick).fit(X, three).score(X, three) > 0.8


@pytest.mark.parametrize(("options", "says"), [({"likelihood": "gauss"}, "likelihood"), ({"learning": "sgd"}, "learning"),
                                               ({"kernel": "linaer"}, "linear"), ({"inference": "mcmc"}, "laplace"),
                                               ({"label_error_rate": 0.7}, "rate"), ({"device": "gpu"}, "device")])
def test_a_wrong_option_is_named(options, says):
    X, y, _ = ring(20, seed=9)
    with pytest.raises(ValueError, match=says):
        GPClassifier(**options).fit(X, y)
