#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far predictions are from what double precision allows: CPU seconds of latent means and variances of 10,000 rows.

    OPENBLAS_NUM_THREADS=1 build/peers/venv/bin/python bench/predict_floor.py [N …]
    OPENBLAS_NUM_THREADS=1 build/peers/venv/bin/python bench/predict_floor.py --rank [N …]

Each variance is k** - |L⁻¹ k*|², n² operations a row: the floor is half of NumPy's dgemm of an n×n matrix with n×10,000, since
a triangle is half of a square.  Neither distances nor exponentials are in it.  `floor` is the largest ratio to scikit-learn that
anyone could reach without giving up digits; kernels are held, each the best of five, in turns.

--rank: how many eigenvalues λ of W^½ K W^½ matter to the variances of the problems of bench/peers, which is what a form of low rank
would need.  The others take at most Σ λ² off a variance, in units of k**, and matter where that is above 1e-10.
"""
import os
import pathlib
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF as PeersRBF

from candor import GPClassifier
from candor.kernels import RBF

ROWS = 10_000
RUNS = 5


def seconds(call):
    began = time.process_time()
    call()
    return time.process_time() - began


def measured(n):
    random = np.random.default_rng(n)
    X, X_new = random.uniform(-1, 1, (n, 2)), random.uniform(-1, 1, (ROWS, 2))
    y = (X**2).sum(axis=1) > 0.5
    ours = GPClassifier(4.0 * RBF(0.5), likelihood="logistic", inference="laplace", learning=None, average="none", prior="none",
                        standardize=False, n_jobs=1).fit(X, y)
    theirs = GaussianProcessClassifier(4.0 * PeersRBF(0.5), optimizer=None).fit(X, y)
    square, right = random.normal(size=(n, n)), random.normal(size=(n, ROWS))
    out = np.empty((n, ROWS))
    calls = {"scikit-learn": lambda: theirs.latent_mean_and_variance(X_new), "candor": lambda: ours.latent_mean_variance(X_new),
             "floor": lambda: np.matmul(square, right, out=out)}
    best = {name: float("inf") for name in calls}
    for _ in range(RUNS):
        for name, call in calls.items():
            best[name] = min(best[name], seconds(call))
    best["floor"] /= 2
    return best


def rank_that_matters(problem, kernel, n):
    sys.path.insert(0, str(pathlib.Path(__file__).parent / "peers"))
    from problems import DATA, FLIPS
    from scipy.linalg import eigvalsh

    random = np.random.default_rng(n)
    X, y = DATA[problem](n, random)
    y = np.where(random.random(n) < FLIPS, 1 - y, y)
    theirs = GaussianProcessClassifier(kernel, optimizer=None).fit(X, y).base_estimator_
    scale = theirs.W_sr_
    squares = eigvalsh(scale[:, None] * kernel(X) * scale) ** 2  # ascending
    return int((np.cumsum(squares) > 1e-10).sum())


if "--rank" in sys.argv:
    # About what is learned at n = 2000.
    for n in [int(n) for n in sys.argv[1:] if n != "--rank"] or [2000]:
        for problem, kernel in {"ring": 12.0 * PeersRBF(0.25), "mixture": 8.7 * PeersRBF(5.9)}.items():
            print(f"{problem}: {rank_that_matters(problem, kernel, n)} of {n} eigenvalues matter")
    sys.exit()
print(f"{'n':>6} {'scikit-learn':>13} {'candor':>8} {'floor':>8}   ratio: {'candor':>7} {'floor':>6}   candor's share of dgemm")
for n in [int(n) for n in sys.argv[1:]] or [1000, 2000, 4000]:
    best = measured(n)
    peer = best["scikit-learn"]
    print(f"{n:6} {peer:12.3f}s {best['candor']:7.3f}s {best['floor']:7.3f}s          {peer / best['candor']:7.1f} "
          f"{peer / best['floor']:6.1f}   {best['floor'] / best['candor']:.2f}")
