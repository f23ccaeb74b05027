# SPDX-License-Identifier: MIT
"""What a frame's columns are taken for, and what becomes of the others."""
import warnings

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import candor
from candor import GPClassifier
from candor.kernels import RBF
from conftest import ring

QUICK = {"kernel": 2.0 * RBF(), "likelihood": "regular", "n_jobs": 1}


def coded(rows=60):
    """Codes that are numbers and mean nothing as such: 1 and 3 are one class, 2 and 4 the other."""
    code = np.tile([1, 2, 3, 4], rows // 4)
    return pandas.DataFrame({"code": code}), np.where(code % 2 == 1, "odd", "even")


LIBRARIES = {
    "pandas": lambda X: X.astype("category"),
    "polars": lambda X: polars.DataFrame({"code": X["code"].astype(str).tolist()}, schema={"code": polars.Categorical}),
    "polars enum": lambda X: polars.DataFrame({"code": X["code"].astype(str).tolist()},
                                              schema={"code": polars.Enum(["1", "2", "3", "4"])}),
    "arrow": lambda X: pyarrow.table({"code": pyarrow.array(X["code"]).dictionary_encode()}),
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_a_frame_calls_categories_are_categories(library):
    X, y = coded()
    model = GPClassifier(**QUICK).fit(LIBRARIES[library](X), y)
    assert "discrete=0" in model.kernel_.text
    assert "discrete" not in GPClassifier(**QUICK).fit(X, y).kernel_.text
    by_name = GPClassifier(**QUICK, categorical=["code"]).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(LIBRARIES[library](X)), by_name.predict_proba(X))
    found = candor.audit(LIBRARIES[library](X), y, kernel=2.0 * RBF(), n_jobs=1)
    assert "discrete=0" in found.model.kernel_.text


def test_the_planted_truth_is_not_learned_from():
    X, y, flipped = ring(60, seed=1, flips=0.1)
    table = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "label": y, "true_label": np.where(flipped, 1 - y, y)})
    found = candor.audit(table, "label", kernel=2.0 * RBF(), n_jobs=1)
    assert any("true_label" in note and "`use`" in note for note in found.notes)
    without = candor.audit(table.drop(columns="true_label"), "label", kernel=2.0 * RBF(), n_jobs=1)
    pandas.testing.assert_frame_equal(found.rows, without.rows)
    model = GPClassifier(**QUICK).fit(table.drop(columns="label"), y)
    np.testing.assert_array_equal(model.p_wrong_, GPClassifier(**QUICK).fit(table[["a", "b"]], y).p_wrong_)
    asked = GPClassifier(**QUICK, use=["true_label"]).fit(table.drop(columns="label"), y)
    assert asked.log_evidence_ > model.log_evidence_


def with_names():
    X, y, _ = ring(60, seed=2)
    return pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "name": [f"row {i}" for i in range(60)], "same": 1.0}), y


def test_a_column_that_is_left_out_is_said_once():
    X, y = with_names()
    with pytest.warns(UserWarning, match="not learned from: name;") as warned:
        model = GPClassifier(**QUICK).fit(X, y)
    assert len(warned) == 1  # nothing is lost with a constant
    assert any("name" in note and "identifier" in note for note in model.notes_)
    ignored = GPClassifier(**QUICK, ignore=["name"]).fit(X, y)  # a warning would fail here
    np.testing.assert_array_equal(ignored.predict_proba(X), model.predict_proba(X))
    used = GPClassifier(**QUICK, use=["name"]).fit(X, y)
    assert used.log_evidence_ != model.log_evidence_
    with pytest.warns(UserWarning, match="not learned from: name;"):
        candor.audit(X, y, kernel=2.0 * RBF(), n_jobs=1)


@pytest.mark.parametrize(("options", "says"), [({"ignore": ["nmae"]}, 'did you mean "name"'), ({"use": "name"}, "a list of column names")])
def test_a_wrong_column_is_named(options, says):
    with pytest.raises(ValueError, match=says):
        GPClassifier(**QUICK, **options).fit(*with_names())


@pytest.mark.parametrize("names", [["x1", "x0", "k"], ["u", "k", "v"], [0, 1, 2]])
def test_an_array_is_read_in_the_order_of_the_frame(names):
    X, y, _ = ring(60)
    frame = pandas.DataFrame({names[0]: X[:, 0], names[1]: X[:, 1], names[2]: 1.0})  # the last is constant, and left out
    model = GPClassifier(2.0 * RBF(), n_jobs=1).fit(frame, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that an array has no names
        assert np.array_equal(model.predict_proba(frame.to_numpy()), model.predict_proba(frame))


def test_a_column_that_comes_twice_is_named():
    X, y, _ = ring(40)
    frame = pandas.DataFrame(X, columns=["a", "b"])
    model = GPClassifier(2.0 * RBF(), n_jobs=1).fit(frame, y)
    with pytest.raises(ValueError, match="more than once"):
        model.predict(pandas.concat([frame, frame[["a"]]], axis=1))


def test_columns_of_an_array_have_no_names_to_go_by():
    X, y, _ = ring(30)
    with pytest.raises(ValueError, match="ignore names columns of a frame"):
        GPClassifier(**QUICK, ignore=["x0"]).fit(X, y)


def test_a_loaded_model_takes_what_it_needs_of_a_table(tmp_path):
    X, y = with_names()
    GPClassifier(**QUICK, ignore=["name"]).fit(X, y).save(tmp_path / "m")
    loaded = candor.load(tmp_path / "m")
    p = loaded.predict_proba(X)
    np.testing.assert_array_equal(loaded.predict_proba(X[["b", "a"]]), p)
    with pytest.warns(UserWarning, match="training did not have ignored: .*height"):
        np.testing.assert_array_equal(loaded.predict_proba(X.assign(height=1.0)), p)
    with pytest.raises(ValueError, match='1 column of the training table is missing here: "b"'):
        loaded.predict_proba(X.drop(columns="b"))


def test_numbers_of_a_frame_stay_as_they_are_where_that_is_asked_for():
    X, y, _ = ring(40, seed=3)
    frame = pandas.DataFrame(100.0 * X, columns=["a", "b"])
    options = {"kernel": 2.0 * RBF(70.0), "learning": None, "likelihood": "regular", "standardize": False}
    of_array = GPClassifier(**options).fit(frame.to_numpy(), y)
    for given in (frame, polars.from_pandas(frame), pyarrow.Table.from_pandas(frame)):
        model = GPClassifier(**options).fit(given, y)
        assert list(model.feature_names_in_) == ["a", "b"]
        np.testing.assert_array_equal(model.predict_proba(given), of_array.predict_proba(frame.to_numpy()))
    with pytest.raises(ValueError, match="column 'c' holds 'x': .* takes numbers alone"):
        GPClassifier(**options).fit(frame.assign(c="x"), y)


def test_a_row_of_weight_zero_is_not_learned_from():
    X, y, _ = ring(50, seed=4)
    X = np.vstack([X, X[:10]])  # encoders see all rows: with copies they see the same
    y = np.concatenate([y, 1 - y[:10]])
    frame, weight = pandas.DataFrame(X, columns=["a", "b"]), np.repeat([1.0, 0.0], [50, 10])
    model = GPClassifier(**QUICK).fit(frame, y, sample_weight=weight)
    assert np.isnan(model.p_wrong_[50:]).all() and np.isfinite(model.p_wrong_[:50]).all()
    y[50:] = 1 - y[50:]  # what such a row says of itself changes nothing
    np.testing.assert_array_equal(GPClassifier(**QUICK).fit(frame, y, sample_weight=weight).p_wrong_, model.p_wrong_)
    assert len(candor.audit(frame, y, sample_weight=weight, kernel=2.0 * RBF(), n_jobs=1).rows) == 50
    with pytest.raises(ValueError, match="one class only where sample_weight"):
        GPClassifier(**QUICK).fit(frame, y, sample_weight=(y == 1).astype(float))
    with pytest.raises(ValueError, match="one class only where sample_weight"):
        candor.audit(frame, y, sample_weight=(y == 1).astype(float))


def test_missing_labels_are_refused_by_fit_and_predicted_by_audit():
    X, y, _ = ring(40, seed=2)
    frame = pandas.DataFrame(X, columns=["a", "b"])
    labels = pandas.Series(["in" if label else "out" for label in y], dtype=object)
    labels[3] = None
    with pytest.raises(ValueError, match="y has 1 missing labels"):
        GPClassifier(n_jobs=1).fit(frame, labels)
    assert list(candor.audit(frame, labels, kernel=2.0 * RBF(), n_jobs=1).unlabelled["row"]) == [3]


def test_a_warning_points_at_the_callers_line():
    X, y = with_names()
    for call in (lambda: candor.audit(X, y, kernel=2.0 * RBF(), n_jobs=1), lambda: GPClassifier(**QUICK).fit(X, y)):
        with pytest.warns(UserWarning, match="not learned from: name;") as warned:
            call()
        assert {warning.filename for warning in warned} == {__file__}


def test_errors_speak_of_arguments():
    X, y = with_names()
    with pytest.raises(ValueError, match="`ignore`") as raised:
        GPClassifier(**QUICK, ignore=["nobody"]).fit(X, y)
    assert "--" not in str(raised.value) and isinstance(raised.value, candor.TableError)
    X["a"] = ["tall", "-"] + X["a"].tolist()[2:]
    with pytest.raises(ValueError, match="put None .* if it means missing, or use `categorical` or `ignore`"):
        candor.audit(X, y, use=["name"], kernel=2.0 * RBF(), n_jobs=1)


def test_a_code_is_the_same_with_a_missing_one_beside_it():
    X, y = coded()
    model = GPClassifier(**QUICK, categorical=["code"]).fit(X, y)
    with_gap = X.astype(float)  # as pandas holds whole numbers once one is missing
    np.testing.assert_array_equal(model.predict_proba(with_gap), model.predict_proba(X))
    with_gap.loc[0, "code"] = None
    with pytest.warns(UserWarning, match="1 row holds a value not seen in training"):
        assert np.array_equal(model.predict_proba(with_gap)[1:], model.predict_proba(X)[1:])
