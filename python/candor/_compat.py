# SPDX-License-Identifier: MIT
"""What scikit-learn's versions call differently."""
from __future__ import annotations

import numpy as np

from candor._frames import is_frame

try:
    from sklearn.utils.validation import _check_feature_names, validate_data
except ImportError:  # before 1.6
    validate_data = _check_feature_names = None


def feature_names(estimator, X, *, reset: bool) -> None:
    """Remembers the names of a frame's columns, or checks them against those remembered."""
    if _check_feature_names is not None:
        _check_feature_names(estimator, X, reset=reset)
    else:
        estimator._check_feature_names(X, reset=reset)


def numbers_of(estimator, X, y=None):
    """X as a float64 matrix, column-major; with labels beside it when fitting."""
    options = {"dtype": np.float64, "order": "F", "reset": y is not None}
    finite = "allow-nan" if estimator.standardize else True
    target = {} if y is None else {"y": y}
    if validate_data is not None:
        return validate_data(estimator, X, **target, **options, ensure_all_finite=finite)
    return estimator._validate_data(X, **target, **options, force_all_finite=finite)
