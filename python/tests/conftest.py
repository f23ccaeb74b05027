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
def table():
    """Numbers, a category, missing cells, two classes of which some labels are wrong."""
    import pandas

    X, y, _ = ring(80, seed=1, flips=0.05)
    frame = pandas.DataFrame({"length": X[:, 0], "width": X[:, 1], "colour": np.where(X[:, 0] > 0.3, "red", "blue"),
                              "class": np.where(y == 1, "out", "in")})
    frame.loc[3, "width"] = np.nan
    frame.loc[5, "colour"] = None
    return frame
