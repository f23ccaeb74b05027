# SPDX-License-Identifier: MIT
"""Rows and labels, as a fit is given them, to what the core learns from."""
from __future__ import annotations

import hashlib

import numpy as np

from candor import _core
from candor._frames import categories_of, cell_text, columns_of, listed, table_text
from candor._merge import merge
from candor._words import said_in_python, warn

__all__ = ["check_labels", "mask", "read_classes", "read_frame", "read_numbers", "read_table", "weights"]


def check_labels(y) -> None:
    """ValueError where some are missing."""
    y = np.asarray(y)
    if y.dtype.kind in "biu":
        return
    missing = sum(cell_text(value) == "" and not isinstance(value, str) for value in y.ravel())
    if missing:
        raise ValueError(f"y has {missing} missing labels (NaN): leave these rows out, or ask candor.audit, which predicts "
                         "them")


def read_classes(y) -> tuple[np.ndarray, np.ndarray]:
    """The classes in order, and for every row the index of its own."""
    classes, codes = np.unique(y, return_inverse=True)
    names = [cell_text(c) for c in classes]
    if len(set(names)) < len(names):
        raise ValueError(f"labels are {list(classes)}: some differ by type alone and look the same as text")
    bad = [name for name in names if not name.strip() or name != name.strip()]
    if bad:
        raise ValueError(f"y holds the label {bad[0]!r}: a label must not be empty, nor begin or end with a blank")
    if len(names) < 2:
        raise ValueError(f"y has one class only, {names}: a classifier needs two or more")
    return classes, codes


def read_table(source: tuple, weight, trusted):
    """`source` is what `_core.from_table` takes."""
    with said_in_python():
        inputs = _core.from_table(*source)
        if weight is not None:
            inputs.weigh(weight)
    if trusted is not None:
        inputs.trust(trusted.tolist())
    if inputs.left_out:
        warn(f"not learned from: {', '.join(inputs.left_out)}; the notes say why. To learn from a column name it in use, to "
             "leave it out without this warning in ignore", UserWarning)
    return inputs


def read_frame(frame, labels, label, weight, trusted, *, use, ignore, categorical):
    """A frame of inputs with one label for each of its rows, whose column is called `label` if there is none of that name."""
    columns = columns_of(frame)
    while label in columns:
        label += "_"
    columns[label] = labels
    text = table_text(columns)
    return read_table((text, "frame", hashlib.sha256(text).hexdigest(), label, None, listed(ignore),
                       listed(categorical) + categories_of(frame), listed(use)), weight, trusted)


def read_numbers(X, codes, classes, label, weight, trusted, *, names, standardize, apart):
    """A matrix; also for every row the one it was merged with, -1 for a row of weight 0."""
    digest = hashlib.sha256(X.T).hexdigest()  # column-major: its transpose lies there without a copy
    place, count = merge(X, codes, weight, trusted, apart=apart)
    check_heaviest(count)
    rows = np.unique(place[place >= 0])
    if len(np.unique(codes[rows])) < 2:
        raise ValueError("y has one class only where sample_weight is above 0: it needs two or more")
    inputs = _core.from_numbers(X, names, digest, codes.tolist(), classes, label, standardize, rows.tolist(), count)
    if trusted is not None:
        inputs.trust(trusted.tolist())
    return inputs, place


MOST_WEIGHT = 10000.0  # as of a table's weight column


def check_heaviest(weight):
    if np.any(weight > MOST_WEIGHT):
        raise ValueError(f"a row has weight {weight.max():g}, that of equal rows being added: divide all weights by what brings the "
                         f"largest to {MOST_WEIGHT:g} or less")


def weights(given, rows) -> np.ndarray:
    given = np.asarray(given, dtype=float)
    if given.ndim == 0:
        given = np.full(rows, float(given))
    if given.shape != (rows,):
        raise ValueError(f"sample_weight has shape {given.shape}: it must have one number for each of {rows} rows")
    if not np.all(np.isfinite(given) & (given >= 0)):
        raise ValueError("sample_weight holds a number that is negative or not finite")
    if not np.any(given > 0):
        raise ValueError("sample_weight is zero for every row")
    check_heaviest(given)
    return given


def mask(trusted, rows) -> np.ndarray:
    trusted = np.asarray(trusted)
    if trusted.shape != (rows,):
        raise ValueError(f"trusted has shape {trusted.shape}: it must have one flag for each of {rows} rows")
    if trusted.dtype.kind in "iuf" and not np.isin(trusted, (0, 1)).all():
        raise ValueError("trusted has numbers other than 0 and 1: it must have one flag for each row, not the rows' positions")
    return trusted.astype(bool)
