# SPDX-License-Identifier: MIT
"""Equal rows as one row that counts for all of them.

A row of weight k, all of whose cells are known, and k copies of it are the same to the model; merged, they are also the same to EP, which otherwise
gives each copy a site of its own.
"""
from __future__ import annotations

import numpy as np


def merge(X, codes, weight, trusted, *, apart: bool) -> tuple[np.ndarray, np.ndarray]:
    """For every row the first that is equal to it, -1 where its weight is 0; and what each such first row counts for.

    The counts are empty where every row counts for itself alone.  Rows are compared one at a time: no copy of X is made.
    Kept apart, rows are equal to themselves only; so are rows with missing cells, of which two need not hold the same.
    """
    place, first = np.full(len(codes), -1), {}
    for row in range(len(codes)) if weight is None else np.flatnonzero(weight).tolist():
        label = codes[row], trusted is not None and bool(trusted[row])
        alone = apart or bool(np.isnan(X[row]).any())
        place[row] = row if alone else first.setdefault((*label, (X[row] + 0.0).tobytes()), row)  # + 0.0: -0 is 0
    kept = np.unique(place[place >= 0])
    count = np.bincount(place[place >= 0], weights=None if weight is None else weight[place >= 0])[kept]
    return place, np.empty(0) if np.all(count == 1) else count.astype(float)
