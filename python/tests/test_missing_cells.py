# SPDX-License-Identifier: MIT
"""Cells that are missing: not known where columns are standardised, refused where they are not."""
import numpy as np
import pandas
import pytest

import candor
from candor import GPClassifier
from candor._merge import merge
from candor.kernels import RBF
from conftest import ring


def test_missing_numbers_are_not_known():
    X, y, _ = ring(60, seed=6)
    X[::7, 0] = np.nan
    model = GPClassifier(n_jobs=1).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    known, unknown = model.predict_proba([[0.0, 0.0], [np.nan, 0.0]])  # where the median would be, and not
    assert abs(unknown[1] - 0.5) < abs(known[1] - 0.5)


def test_a_model_in_the_units_of_its_columns_takes_no_missing_cells(tmp_path):
    X, y, _ = ring(40, seed=6)
    gappy = X.copy()
    gappy[3, 1] = np.nan

    def frame(rows):
        return pandas.DataFrame(rows, columns=["a", "b"])

    for kind in (np.array, frame):
        model = GPClassifier(2.0 * RBF(), standardize=False, n_jobs=1).fit(kind(X), y)
        with pytest.raises(ValueError, match="missing cells"):
            model.predict_proba(kind(gappy))
    model.save(tmp_path / "m.candor")
    again = candor.load(tmp_path / "m.candor")
    np.testing.assert_array_equal(again.predict_proba(frame(X)), model.predict_proba(frame(X)))
    with pytest.raises(ValueError, match="missing cells"):
        again.predict_proba(frame(gappy))


def test_a_column_of_one_value_says_nothing_where_it_is_missing():
    X, y, _ = ring(40, seed=6)
    constant = np.column_stack([X, np.full(40, 5.0)])
    model = GPClassifier("4 * matern + constant", n_jobs=1).fit(constant, y)
    gappy = constant.copy()
    gappy[::3, 2] = np.nan
    with pytest.warns(UserWarning, match="none was in training"):
        np.testing.assert_array_equal(model.predict_proba(gappy), model.predict_proba(constant))


def test_rows_with_missing_cells_are_not_merged():
    X, y = np.array([[0.0, 1.0], [0.0, 1.0], [np.nan, 1.0], [np.nan, 1.0]]), np.zeros(4, dtype=int)
    place, count = merge(X, y, None, None, apart=False)
    assert place.tolist() == [0, 0, 2, 3]
    assert count.tolist() == [2, 1, 1]
