# SPDX-License-Identifier: MIT
"""What scikit-learn's versions call differently."""
from __future__ import annotations

from functools import partial

import numpy as np

from candor._frames import is_frame

try:
    from sklearn.utils.validation import _check_feature_names, validate_data
except ImportError:  # before 1.6
    validate_data = _check_feature_names = None


def feature_names(estimator, X, *, reset: bool) -> None:
    """Remembers the names of a frame's columns, or checks them against those remembered."""
    check = estimator._check_feature_names if _check_feature_names is None else partial(_check_feature_names, estimator)
    try:
        check(X, reset=reset)
    except ValueError as error:
        raise ValueError(f"{error}{_differences(estimator, X)}") from None


def _differences(estimator, X) -> str:
    """All of them: scikit-learn lists some, and says of an order only that it differs."""
    if not is_frame(X) or not hasattr(estimator, "feature_names_in_"):
        return ""
    known, given = list(estimator.feature_names_in_), list(getattr(X, "column_names", None) or X.columns)
    shared = [name for name in given if name in known]
    lists = {"missing": [name for name in known if name not in given],
             "extra": [name for name in given if name not in known],
             "in another order": [a for a, b in zip(shared, [n for n in known if n in given]) if a != b]}
    return "".join(f"Columns {what}: {', '.join(map(str, names))}\n" for what, names in lists.items() if names)


def numbers_of(estimator, X, y=None):
    """X as a float64 matrix, column-major; with labels beside it when fitting."""
    options = {"dtype": np.float64, "order": "F", "reset": y is not None}
    finite = "allow-nan" if estimator.standardize else True
    target = {} if y is None else {"y": y}
    if validate_data is not None:
        return validate_data(estimator, X, **target, **options, ensure_all_finite=finite)
    return estimator._validate_data(X, **target, **options, force_all_finite=finite)
