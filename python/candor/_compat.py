# SPDX-License-Identifier: MIT
"""What scikit-learn's versions call differently."""
from __future__ import annotations

import numpy as np

from candor._frames import is_frame, names_of

try:
    from sklearn.utils.validation import _check_feature_names, validate_data
except ImportError:  # before 1.6
    validate_data = _check_feature_names = None


def feature_names(estimator, X, *, reset: bool) -> None:
    """Remembers the names of a frame's columns, or checks them against those remembered.

    Versions differ in the frames they know, so these are ours to read; the rest is left to scikit-learn.
    """
    names = names_of(X) if is_frame(X) else []
    if names and all(isinstance(name, str) for name in names):
        if reset:
            estimator.feature_names_in_ = np.array(names, dtype=object)
            return
        if estimator._by_name:  # the core looks for what it needs, and names what is missing or ignored
            return
        if hasattr(estimator, "feature_names_in_"):
            _check_same(list(estimator.feature_names_in_), names)
            return
    if _check_feature_names is not None:
        _check_feature_names(estimator, X, reset=reset)
    else:
        estimator._check_feature_names(X, reset=reset)


def _check_same(known: list, given: list) -> None:
    """In scikit-learn's words, which its checks look for; it does not list names that are out of order."""
    if known == given:
        return
    order = [name for name in known if name in given]
    moved = [name for name, expected in zip([name for name in given if name in known], order) if name != expected]
    lines = ["The feature names should match those that were passed during fit."]
    for title, names in (("Feature names unseen at fit time:", sorted(set(given) - set(known))),
                         ("Feature names seen at fit time, yet now missing:", sorted(set(known) - set(given))),
                         ("Feature names must be in the same order as they were in fit.", moved),
                         ("Feature names that occur more than once:", sorted({name for name in given if given.count(name) > 1}))):
        if names:
            lines += [title, *(f"- {name}" for name in names)]
    raise ValueError("\n".join(lines) + "\n")


def numbers_of(estimator, X, y=None):
    """X as a float64 matrix, column-major; with labels beside it when fitting."""
    options = {"dtype": np.float64, "order": "F", "reset": y is not None}
    finite = "allow-nan"  # where columns are not standardised, the estimator says why none may be missing
    target = {} if y is None else {"y": y}
    if validate_data is not None:
        return validate_data(estimator, X, **target, **options, ensure_all_finite=finite)
    return estimator._validate_data(X, **target, **options, force_all_finite=finite)
