# SPDX-License-Identifier: MIT
import pickle
import sys

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process import kernels as sk
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import candor
from candor import GPClassifier
from candor.kernels import RBF, Linear, White
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


@pytest.mark.parametrize("options", [{"likelihood": "class"}, {"kernel": RBF(), "likelihood": "robust"}, {"trusted": True},
                                     {"weight": True}, {"inference": "laplace", "likelihood": "logistic"},
                                     {"inference": "variational", "likelihood": "robust"}], ids=str)
def test_the_evidence_at_what_was_learned_is_that_of_the_table(options):
    X, y, _ = ring(50, seed=4, flips=0.1)
    weight = 1.0 + np.arange(50) % 3 if options.pop("weight", False) else None
    if options.pop("trusted", False):
        options = {"trusted": np.arange(50) < 25}
    model = GPClassifier(**{"kernel": 2.0 * RBF(), "average": "none"} | options).fit(X, y, sample_weight=weight)
    table = model.evidence_table_
    best = table.loc[table["log_integrated"].idxmax()]
    assert model.log_evidence() == pytest.approx(best["log_evidence"], abs=1e-6)  # EP's tolerance, from another start
    assert model.kernel_.text == best["covariance"]


def test_a_known_rate_is_held():
    X, y, _ = ring(60, seed=5, flips=0.1)
    model = GPClassifier(2.0 * RBF(), likelihood="robust", label_error_rate=0.1).fit(X, y)
    assert model.label_error_rate_ == 0.1
    assert model.label_error_rate_interval_ == (0.1, 0.1)


def test_searches_start_as_often_as_they_are_told():
    X, y, _ = ring(40, seed=6)
    cost = [GPClassifier(2.0 * RBF(), likelihood="regular", n_restarts=n).fit(X, y).evidence_table_["evaluations"][0]
            for n in (0, 6)]
    assert cost[1] >= cost[0] + 6


def test_progress_is_shown_where_it_is_asked_for(capsys):
    X, y, _ = ring(30, seed=7)
    quick = GPClassifier(2.0 * RBF(), likelihood="regular")
    quick.fit(X, y)
    assert capsys.readouterr() == ("", "")
    quick.set_params(verbose=1).fit(X, y)
    shown = capsys.readouterr()
    assert "evaluations" in shown.err and shown.out == ""


def test_progress_is_shown_without_tqdm_too(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    X, y, _ = ring(30, seed=7)
    GPClassifier(2.0 * RBF(), likelihood="regular", verbose=1).fit(X, y)
    assert "evaluations" in capsys.readouterr().out


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
    as_frames = make_pipeline(StandardScaler(), quick).set_output(transform="pandas").fit(X, y)
    assert list(as_frames[-1].feature_names_in_) == ["x0", "x1"]
    three = np.digitize(X[:, 0], [-0.3, 0.3])
    assert OneVsRestClassifier(quick).fit(X, three).score(X, three) > 0.8


@pytest.mark.parametrize(("options", "says"), [({"likelihood": "gauss"}, "likelihood"), ({"learning": "sgd"}, "learning"),
                                               ({"kernel": "linaer"}, "linear"), ({"inference": "mcmc"}, "laplace"),
                                               ({"label_error_rate": 0.7}, "label_error_rate"), ({"device": "gpu"}, "device"),
                                               ({"n_restarts": -1}, "n_restarts"), ({"n_jobs": 0}, "n_jobs"), ({"n_jobs": "x"}, "n_jobs"), ({"use": "x0"}, "use"),
                                               ({"inference": "laplace"}, "does not know label errors"),
                                               ({"likelihood": "class", "label_error_rate": 0.1}, "has a rate for each class")])
def test_a_wrong_option_is_named(options, says):
    X, y, _ = ring(20, seed=9)
    with pytest.raises(ValueError, match=says):
        GPClassifier(**options).fit(X, y)


def test_auto_compares_three_views_of_two_classes():
    X, y, _ = ring(40, seed=9)
    views = GPClassifier(2.0 * RBF(), n_jobs=1).fit(X, y).evidence_table_["model"].str.split(",").str[0]
    assert list(views) == ["regular", "robust", "class-dependent"]
    trusted = GPClassifier(2.0 * RBF(), n_jobs=1, trusted=np.ones(40, dtype=bool)).fit(X, y)
    assert len(trusted.evidence_table_) == 1  # no label can be wrong


def test_a_weight_beyond_a_tables_is_refused():
    X, y, _ = ring(20, seed=9)
    with pytest.raises(ValueError, match="divide all weights"):
        GPClassifier().fit(X, y, sample_weight=1e6)


def numbered(names, rows=60):
    """A frame whose class names are sorted otherwise as text than as numbers."""
    x = np.linspace(-3, 3, rows)
    return pandas.DataFrame({"x": x}), np.array(names)[np.digitize(x, np.linspace(-3, 3, len(names) + 1)[1:-1])]


@pytest.mark.parametrize("names", [["9", "10"], ["10", "9", "z"]])
def test_latent_values_are_those_of_classes_in_their_order(names):
    X, y = numbered(names)
    model = GPClassifier(n_jobs=1).fit(X, y)
    mean, _ = model.latent_mean_variance(X)
    top = (mean > 0).astype(int) if len(names) == 2 else mean.argmax(axis=1)
    assert np.mean(model.classes_[top] == model.predict(X)) > 0.95  # two classes of three may be near each other


def test_weights_that_sum_to_one_are_still_weights():
    X, y, _ = ring(40)
    once = GPClassifier("4 * matern + constant", n_jobs=1).fit(X, y)
    halves = GPClassifier("4 * matern + constant", n_jobs=1).fit(np.vstack([X, X]), np.hstack([y, y]), np.full(80, 0.5))
    np.testing.assert_allclose(halves.log_evidence_, once.log_evidence_, atol=1e-6)  # rows come in the same order


def test_rows_keep_the_numbers_of_their_user(tmp_path):
    X, y, flipped = ring(60, seed=1, flips=0.1)
    X, y = np.vstack([X[:10], X]), np.hstack([y[:10], y])  # rows 10 to 19 are copies
    model = GPClassifier(2.0 * RBF(), likelihood="robust", n_jobs=1).fit(X, y)
    np.testing.assert_array_equal(model.p_wrong_[10:20], model.p_wrong_[:10])
    model.save(tmp_path / "m")
    loaded = candor.load(tmp_path / "m").p_wrong_
    rest = np.r_[0:10, 20:70]
    np.testing.assert_array_equal(loaded[rest], model.p_wrong_[rest])
    assert np.isnan(loaded[10:20]).all()  # the file knows of the first of equal rows


def test_what_is_said_of_a_row_does_not_depend_on_where_it_stands():
    X, y, _ = ring(50, seed=2, flips=0.1)
    order = np.random.default_rng(0).permutation(50)
    options = {"kernel": 2.0 * RBF(), "learning": None, "likelihood": "robust", "label_error_rate": 0.1, "n_jobs": 1}
    a, b = GPClassifier(**options).fit(X, y), GPClassifier(**options).fit(X[order], y[order])
    assert a.p_wrong_.std() > 0.05
    np.testing.assert_allclose(b.p_wrong_, a.p_wrong_[order], atol=1e-6)  # EP's tolerance
    np.testing.assert_allclose(b.loo_log_predictive_, a.loo_log_predictive_[order], atol=1e-5)


def test_the_probability_without_a_row_is_that_of_a_fit_without_it():
    X, y, _ = ring(40, seed=3)
    options = {"kernel": 2.0 * RBF(0.7), "learning": None, "likelihood": "probit", "standardize": False, "n_jobs": 1}
    loo = GPClassifier(**options).fit(X, y).loo_log_predictive_
    for row in (0, 7, 23):
        rest = np.arange(40) != row
        p = GPClassifier(**options).fit(X[rest], y[rest]).predict_proba(X[[row]])[0, y[row]]
        assert np.exp(loo[row]) == pytest.approx(p, abs=0.01)  # a cavity of EP is not quite the posterior without the row


def test_recorded_labels_are_wrong_at_the_rate():
    X, y, _ = ring(200, seed=4, flips=0.1)  # enough for a signal beyond doubt, which leaves chance no say
    model = GPClassifier(2.0 * RBF(), likelihood="robust", label_error_rate=0.1, average="none", n_jobs=1).fit(X, y)
    np.testing.assert_allclose(model.predict_observed_proba(X), 0.8 * model.predict_proba(X) + 0.1, atol=1e-12)


def test_noise_is_every_row_s_own():
    X, y, _ = ring(30, seed=5)
    X[3], y[3] = X[4], y[4]
    kernel = 2.0 * RBF(0.7) + White(0.5)
    options = {"learning": None, "likelihood": "logistic", "inference": "laplace", "standardize": False, "n_jobs": 1}
    theirs = GaussianProcessClassifier(2.0 * sk.RBF(0.7) + sk.WhiteKernel(0.5), optimizer=None, max_iter_predict=1000)
    assert GPClassifier(kernel, **options).fit(X, y).log_evidence() == pytest.approx(
        theirs.fit(X, y).log_marginal_likelihood_value_, abs=1e-6)


def test_an_evidence_that_is_not_one_is_said_to_be():
    X, y, _ = ring(40, seed=6)
    model = GPClassifier(2.0 * RBF(), likelihood="regular", n_jobs=1).fit(X, y)

    class Stuck:
        questions = [None]

        def log_evidence(self, *_):
            return -1.0, np.zeros(2), False, 0.0

    model._model = Stuck()
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        assert model.log_evidence() == -1.0


def test_what_does_not_fit_into_memory_is_refused_at_once():
    X = np.arange(300_000.0).reshape(-1, 1)
    with pytest.raises(MemoryError, match="300000 rows take about .* GiB of memory, and .* are free"):
        GPClassifier(2.0 * RBF()).fit(X, np.arange(300_000) % 2)


def test_merged_rows_stay_in_their_order():
    X, y, _ = ring(30)
    weighted = GPClassifier("4 * matern + constant", n_jobs=1).fit(X, y, np.full(30, 2.0))
    np.testing.assert_array_equal(weighted._place, np.arange(30))


def test_a_loaded_model_remembers_its_engine(tmp_path):
    X, y, _ = ring(40)
    model = GPClassifier(2.0 * RBF(0.5), likelihood="logistic", inference="laplace", standardize=False, n_jobs=1).fit(X, y)
    model.save(tmp_path / "m")
    loaded = candor.load(tmp_path / "m")
    assert (loaded.inference, loaded.standardize) == ("laplace", False)
    assert loaded.log_evidence() == model.log_evidence()


def test_a_failed_fit_leaves_no_half_a_model():
    X, y, _ = ring(40)
    model = GPClassifier(n_jobs=1).fit(X, y)
    with pytest.raises(ValueError, match="one class only"):
        model.fit(X, np.zeros(40))
    with pytest.raises(NotFittedError):
        model.predict(X)
    for name in ("kernel_", "classes_", "log_evidence_", "converged_", "notes_"):
        assert not hasattr(model, name), name


@pytest.mark.parametrize("wrong, says", [
    ({"likelihood": "regular", "label_error_rate": 0.1}, "leave one of them out"),
    ({"kernel": []}, "empty list"),
])
def test_options_that_would_be_ignored_are_refused(wrong, says):
    with pytest.raises(ValueError, match=says):
        GPClassifier(**wrong).fit(*ring(20)[:2])


def test_numbers_of_numpy_are_taken():
    X, y, _ = ring(30)
    GPClassifier(n_restarts=np.int64(0), label_error_rate=np.float32(0.1), likelihood="robust", n_jobs=1).fit(X, y)


def test_labels_of_a_frame_are_checked():
    X, y = numbered(["a", "b"])
    with pytest.raises(ValueError, match="nor begin or end with a blank"):
        GPClassifier().fit(X, np.where(y == "a", "a ", y))
    with pytest.raises(ValueError, match="inconsistent"):
        GPClassifier().fit(X, y[:-1])


def clouds(rows, classes, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    angle = 2 * np.pi * y / classes
    return 5 * np.column_stack([np.cos(angle), np.sin(angle)]) + rng.standard_normal((rows, 2)), y


@pytest.mark.parametrize("classes", [3, 5])
def test_more_classes_are_one_model_with_one_evidence(classes):
    X, y = clouds(45, classes, seed=1)
    model = GPClassifier(4.0 * RBF(), likelihood="robust", n_jobs=1).fit(X, y)
    assert len(model.evidence_table_) == 1 and "class" not in model.evidence_table_
    value, gradient = model.log_evidence(model.kernel_.theta, eval_gradient=True)
    step = 1e-4
    for i in range(len(gradient)):
        ends = [model.log_evidence(model.kernel_.theta + sign * step * np.eye(len(gradient))[i]) for sign in (-1, 1)]
        assert gradient[i] == pytest.approx((ends[1] - ends[0]) / (2 * step), abs=1e-4)  # of the difference
    mean, variance = model.latent_mean_variance(X)
    assert mean.shape == variance.shape == (45, classes) and (variance > 0).all()
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1.0)
    assert model.score(X, y) > 0.9


def test_one_vs_rest_has_an_evidence_for_each_class():
    X, y = clouds(30, 3, seed=2)
    model = GPClassifier(4.0 * RBF(), likelihood="regular", multiclass="one-vs-rest", n_jobs=1).fit(X, y)
    assert list(model.evidence_table_["class"]) == ["0", "1", "2"]
    with pytest.raises(ValueError, match="one-vs-rest has a kernel for each class"):
        model.log_evidence()
    with pytest.raises(ValueError, match="multiclass is 'all': it must be one of 'auto', 'joint', 'one-vs-rest'"):
        GPClassifier(multiclass="all").fit(X, y)
    with pytest.raises(candor.InvalidInput, match="since inference is not ep"):
        GPClassifier(multiclass="joint", inference="variational").fit(X, y)
    with pytest.raises(candor.InvalidInput, match="since inference is not ep"):
        GPClassifier(multiclass="joint", inference="laplace", likelihood="regular").fit(X, y)
