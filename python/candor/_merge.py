# SPDX-License-Identifier: MIT
"""Equal rows as one row that counts for all of them.

A row of weight k and k copies of it are the same to the model; merged, they are also the same to EP, which otherwise
gives each copy a site of its own.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Merged(NamedTuple):
    X: np.ndarray
    codes: np.ndarray
    weight: np.ndarray  # empty: all 1
    trusted: np.ndarray | None
    place: np.ndarray  # of every row among the merged ones; -1: its weight is 0


def merge(X, codes, weight, trusted) -> Merged:
    rows = len(codes)
    count = np.ones(rows) if weight is None else weight
    kept = np.flatnonzero(count > 0)
    key = np.column_stack([np.where(np.isnan(X), np.inf, X), codes, np.zeros(rows) if trusted is None else trusted])
    _, first, inverse = np.unique(key[kept], axis=0, return_index=True, return_inverse=True)
    total = np.bincount(inverse.ravel(), weights=count[kept])
    place = np.full(rows, -1)
    if len(first) == len(kept) and np.all(count[kept] == 1.0):  # nothing to merge: rows stay where they are
        place[kept] = np.arange(len(kept))
        take, total = (kept if len(kept) < rows else slice(None)), np.empty(0)
    else:
        order = np.argsort(first)  # as they come first
        place[kept] = np.argsort(order)[inverse.ravel()]
        take, total = kept[first[order]], total[order]
    return Merged(X[take], codes[take], total, None if trusted is None else trusted[take], place)
