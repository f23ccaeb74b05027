# SPDX-License-Identifier: MIT
import numpy as np
import pytest


def ring(n, seed=0, flips=0.0):
    """Two columns, the class says whether a point lies outside of a circle; some labels are flipped."""
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (n, 2))
    clean = (X**2).sum(axis=1) > 0.5
    flipped = random.random(n) < flips
    return X, (clean ^ flipped).astype(int), flipped


@pytest.fixture
def noisy_ring():
    return ring(120, seed=1, flips=0.05)


@pytest.fixture
def thyroid():
    import pathlib

    import pandas

    return pandas.read_csv(pathlib.Path(__file__).parents[2] / "data" / "new_thyroid.csv")
