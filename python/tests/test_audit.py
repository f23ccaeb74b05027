# SPDX-License-Identifier: MIT
import pickle

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import candor
from candor import GPClassifier
from conftest import ring


def test_ranks_rows_and_gives_reasons(table):
    found = candor.audit(table, "class", n_jobs=1)
    rows = found.rows
    assert list(rows["p_wrong"]) == sorted(rows["p_wrong"], reverse=True)
    assert sorted(rows["row"]) == list(range(80))
    near = rows["reasons"][0][0]
    assert near.label in ("in", "out") and 0 <= near.row < 80 and str(near).endswith(f"{near.similarity:.2f}")
    assert f"{near.row} {near.label}" in rows.head().to_string()
    assert "label" in found.summary() and str(found) == found.verdict
    assert found.wrong_labels_interval[0] <= found.expected_wrong <= found.wrong_labels_interval[1]


@pytest.mark.parametrize("library", ["polars", "arrow"])
def test_every_library_of_frames_says_the_same(table, library):
    other = polars.from_pandas(table) if library == "polars" else pyarrow.Table.from_pandas(table, preserve_index=False)
    a, b = (candor.audit(data, "class", n_jobs=1) for data in (table, other))
    pandas.testing.assert_frame_equal(a.rows, b.rows)
    fits = [GPClassifier(n_jobs=1).fit(data, y) for data, y in (
        (table.drop(columns="class"), table["class"]),
        (other.drop("class") if library == "polars" else other.drop_columns(["class"]), table["class"].to_numpy()))]
    np.testing.assert_array_equal(fits[0].p_wrong_, fits[1].p_wrong_)


def test_rows_without_a_label_are_predicted(table):
    table.loc[[2, 79], "class"] = None
    found = candor.audit(table, "class", n_jobs=1)
    assert len(found.rows) == 78
    assert any("2 rows have no label" in note for note in found.notes)
    assert list(found.unlabelled["row"]) == [2, 79] and found.unlabelled["predicted"][1] == "out"  # by the circle
    p = found.model.predict_proba(table)
    np.testing.assert_allclose(found.unlabelled["p"], p[[2, 79]].max(axis=1), atol=1e-12)
    assert pandas.isna(found.apply(1.0)[[2, 79]]).all()
    assert np.isnan(found.model.p_wrong_[[2, 79]]).all()


def test_its_model_is_a_whole_estimator(table):
    table["class"] = np.where(table["class"] == "out", 10, 9)
    found = candor.audit(table, "class", n_jobs=1)
    inputs, model = table.drop(columns="class"), GPClassifier(n_jobs=1).fit(table.drop(columns="class"), table["class"])
    assert list(found.model.feature_names_in_) == list(inputs) and found.model.n_features_in_ == 3
    assert list(found.model.classes_) == [9, 10]
    np.testing.assert_array_equal(found.model.predict(inputs), model.predict(inputs))
    np.testing.assert_array_equal(found.model.p_wrong_, model.p_wrong_)
    ranked = found.rows.sort_values("row")
    np.testing.assert_array_equal(found.model.p_wrong_, ranked["p_wrong"])
    np.testing.assert_allclose(np.exp(found.model.loo_log_predictive_), ranked["p_given"], rtol=1e-14)  # exp(log p)
    assert found.model.score(inputs, table["class"]) > 0.8


def test_its_model_of_an_array_predicts_arrays():
    X, y, _ = ring(40, seed=1)
    X = np.column_stack([np.ones(40), X])  # a constant is not learned from
    found = candor.audit(X, y, kernel="4 * squared_exponential", n_jobs=1)
    assert not hasattr(found.model, "feature_names_in_")
    without = candor.audit(X[:, 1:], y, kernel="4 * squared_exponential", n_jobs=1)
    np.testing.assert_array_equal(found.model.predict_proba(X), without.model.predict_proba(X[:, 1:]))


def test_an_audit_can_be_stored(table, tmp_path):
    found = candor.audit(table, "class", n_jobs=1)
    again = pickle.loads(pickle.dumps(found))
    pandas.testing.assert_frame_equal(again.rows, found.rows)
    assert again.summary() == found.summary()
    for audit, name in ((found, "one.html"), (again, "two.html")):
        audit.report(tmp_path / name)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_the_corrected_labels_come_back(table):
    found = candor.audit(table, "class", n_jobs=1)
    assert list(found.apply(threshold=1.0)) == list(table["class"])
    for threshold in (0.05, 0.02):  # below ½ there are alternatives, and no suggestions
        changed = np.flatnonzero(found.apply(threshold) != table["class"].to_numpy())
        assert len(changed) > 0
        assert set(changed) == set(found.rows["row"][found.rows["p_wrong"] > threshold])
    with pytest.raises(ValueError, match="from 0 to 1"):
        found.apply(2.0)


@pytest.mark.parametrize("kind", [bool, int, float, str])
def test_labels_keep_their_type(kind):
    X, y, _ = ring(50, seed=1, flips=0.1)
    found = candor.audit(X, y.astype(kind), kernel="4 * squared_exponential", n_jobs=1)
    assert set(found.rows["given"]) | set(found.rows["suggested"]) == set(y.astype(kind).tolist())
    assert [type(label) for label in found.apply(0.0)] == [kind] * 50


def test_rows_are_counted_from_0_in_words_too(table):
    found = candor.audit(table, "class", n_jobs=1, threshold=0.999)
    assert f"row {found.rows['row'][0]}" in found.summary() or f"rows {found.rows['row'][0]}" in found.summary()


def test_the_report_is_a_page(table, tmp_path):
    found = candor.audit(table, "class", n_jobs=1)
    found.report(tmp_path / "audit.html")
    page = (tmp_path / "audit.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") or page.startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [tmp_path / "audit.html"]
    (tmp_path / "other").touch()
    assert (tmp_path / "audit.html").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_report_says_which_folder_is_missing(table, tmp_path):
    found = candor.audit(table, "class", kernel="linear", n_jobs=1)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        found.report(tmp_path / "nowhere" / "audit.html")


def test_a_column_of_labels_is_taken():
    X, y, _ = ring(40)
    kernel = {"kernel": "2 * squared_exponential", "n_jobs": 1}
    found, expected = candor.audit(X, y.reshape(-1, 1), **kernel).rows, candor.audit(X, y, **kernel).rows
    assert list(found["row"]) == list(expected["row"])


def test_people_from_cleanlab_find_what_they_know():
    X, y, flipped = ring(250, seed=1, flips=0.06)
    found = candor.find_label_errors(X, y, n_jobs=1)
    assert len(found) > 0 and flipped[found].mean() > 0.7
    rows = candor.audit(X, y, n_jobs=1).rows
    assert list(found) == list(rows["row"][: len(found)]) and rows["p_wrong"][len(found)] <= 0.5


def test_new_columns_are_matched_by_name(table):
    model = GPClassifier(n_jobs=1).fit(table.drop(columns="class"), table["class"])
    inputs = table.drop(columns="class")
    assert model.predict_proba(inputs).shape == (80, 2)
    missing, extra = "yet now missing:\n- {}\n", "unseen at fit time:\n- {}\n"
    moved = "the same order as they were in fit.\n- {}\n- {}\n"
    for wrong, says in ((inputs.drop(columns="width"), [missing.format("width")]),
                        (inputs.assign(height=1.0), [extra.format("height")]),
                        (inputs[["width", "length", "colour"]], [moved.format("width", "length")]),
                        (inputs[["width", "length"]].assign(height=1.0),
                         [missing.format("colour"), extra.format("height"), moved.format("width", "length")])):
        for frame in (wrong, polars.from_pandas(wrong), pyarrow.Table.from_pandas(wrong)):
            with pytest.raises(ValueError) as raised:
                model.predict_proba(frame)
            assert [part for part in says if part not in str(raised.value)] == []


def test_a_column_that_is_not_there_is_named(table):
    with pytest.raises(ValueError, match="clas"):
        candor.audit(table, "clas")
    with pytest.raises(ValueError, match="80 rows"):
        candor.audit(table, [1, 2, 3])


def test_columns_that_tell_nothing_are_said_to():
    random = np.random.default_rng(3)
    found = candor.audit(random.normal(size=(60, 2)), np.arange(60) % 3)
    assert found.signal < 1
    assert found.verdict.startswith("The columns tell next to nothing of the label")
    assert not (found.rows["p_wrong"] > 0.5).any()


def test_which_class_is_mistaken_for_which():
    rng = np.random.default_rng(3)
    true = np.arange(90) % 3
    X = 6 * np.column_stack([true == 0, true == 1]) + rng.standard_normal((90, 2))
    given = np.array(["a", "b", "c"])[true]
    given[:9:3] = "b"  # three of class a
    found = candor.audit(X, given, kernel="4 * squared_exponential(lengthscale=1)", likelihood="robust")
    table = found.expected_labels
    assert list(table.index) == list(table.columns) == ["a", "b", "c"]
    assert table.to_numpy().sum() == pytest.approx(90)
    assert table.loc["a", "b"] == max(table.loc[t, g] for t in "abc" for g in "abc" if t != g)
