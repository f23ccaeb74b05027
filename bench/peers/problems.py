# SPDX-License-Identifier: MIT
"""What is learned: two problems of two classes, of any size."""
TEST_ROWS = 10_000
FLIPS = 0.05


def ring(n, random):
    """Two columns; the class says whether a point lies outside of a circle."""
    X = random.uniform(-1, 1, (n, 2))
    return X, ((X**2).sum(axis=1) > 0.5).astype(int)


def mixture(n, random):
    """Twenty columns; each class is two Gaussian blobs, which overlap."""
    import numpy as np  # here, since whoever writes the page may not have it

    centres = np.random.default_rng(7).normal(0.0, 0.55, (4, 20))
    blob = random.integers(0, 4, n)
    return centres[blob] + random.normal(size=(n, 20)), blob % 2


DATA = {"ring": ring, "mixture": mixture}
