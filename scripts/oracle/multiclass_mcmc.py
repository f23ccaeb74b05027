#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/inference/multiclass_mcmc.json: truth for small problems of three classes, by sampling.

The model is that of likelihood/robust_max.hpp with v2 = 1 and a squared-exponential covariance
shared by the classes.  Evidence is by annealed importance sampling with elliptical slice sampling as
its move; probabilities are averages over chains of the latter.  Needs numpy and scipy; some forty
minutes.  Usage: multiclass_mcmc.py FILE
"""
import json
import sys

import numpy as np
from scipy.special import log_ndtr

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(32)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
PROBLEMS = [  # rows, variance, lengthscale, flip_probability, seed
    (12, 4.0, 1.0, 0.08, 0), (12, 20.0, 1.5, 0.05, 1), (25, 4.0, 1.0, 0.08, 2), (25, 30.0, 1.0, 0.05, 3),
    (40, 10.0, 1.5, 0.1, 4), (40, 2.0, 0.7, 0.0, 5)]
CLASSES = 3


def covariance(A, B, variance, lengthscale):
    return variance * np.exp(-0.5 * ((A[:, None] - B[None]) ** 2).sum(2) / lengthscale**2)


def p_largest(f, y):
    """P(f_y + e_y > f_k + e_k for all k), f of shape (rows, chains, classes), y one class per row."""
    own = np.take_along_axis(f, np.broadcast_to(y[:, None, None], f.shape[:2] + (1,)), 2)
    v = own + NODES  # e_y by quadrature, the others in closed form
    log_p = np.zeros(v.shape)
    for k in range(f.shape[2]):
        term = log_ndtr(v - f[:, :, k, None])
        term[y == k] = 0.0
        log_p += term
    return np.exp(log_p) @ WEIGHTS


class Posterior:
    def __init__(self, X, y, variance, lengthscale, rate, chains, rng):
        self.y, self.rate, self.chains, self.rng = y, rate, chains, rng
        K = covariance(X, X, variance, lengthscale)
        self.L = np.linalg.cholesky(K + 1e-10 * variance * np.eye(len(y)))

    def prior(self):
        z = self.rng.standard_normal((CLASSES, len(self.y), self.chains))
        return np.moveaxis(self.L @ z, 0, 2)

    def log_likelihood(self, f):
        p = p_largest(f, self.y)
        return np.log((1 - self.rate) * p + self.rate / (CLASSES - 1) * (1 - p)).sum(0)

    def slice_step(self, f, log_l, beta):
        """One step of elliptical slice sampling of prior × likelihood^beta in every chain."""
        other, bar = self.prior(), beta * log_l + np.log(self.rng.random(self.chains))
        angle = self.rng.random(self.chains) * 2 * np.pi
        low, high, open_ = angle - 2 * np.pi, angle.copy(), np.ones(self.chains, bool)
        new_f, new_l = f.copy(), log_l.copy()
        while open_.any():
            idx = np.flatnonzero(open_)
            g = f[:, idx] * np.cos(angle[idx])[None, :, None] + other[:, idx] * np.sin(angle[idx])[None, :, None]
            l = self.log_likelihood(g)
            done = beta * l > bar[idx]
            new_f[:, idx[done]], new_l[idx[done]] = g[:, done], l[done]
            open_[idx[done]] = False
            rest = idx[~done]
            low[rest] = np.where(angle[rest] < 0, angle[rest], low[rest])
            high[rest] = np.where(angle[rest] >= 0, angle[rest], high[rest])
            angle[rest] = low[rest] + self.rng.random(len(rest)) * (high[rest] - low[rest])
        return new_f, new_l


def anneal(posterior, temperatures):
    f = posterior.prior()
    log_l, log_w = posterior.log_likelihood(f), np.zeros(posterior.chains)
    betas = np.linspace(0, 1, temperatures + 1) ** 3
    for before, after in zip(betas[:-1], betas[1:]):
        log_w += (after - before) * log_l
        f, log_l = posterior.slice_step(f, log_l, after)
    top = log_w.max()
    w = np.exp(log_w - top)
    return f, log_l, top + np.log(w.mean()), w.std() / w.mean() / np.sqrt(len(w))


def solve(rows, variance, lengthscale, rate, seed):
    rng = np.random.default_rng(seed)
    X, X_test = rng.uniform(-2, 2, (rows, 2)), rng.uniform(-2, 2, (5, 2))
    L = np.linalg.cholesky(covariance(X, X, variance, lengthscale) + 1e-9 * np.eye(rows))
    f = L @ rng.standard_normal((rows, CLASSES)) + rng.standard_normal((rows, CLASSES))
    y = f.argmax(1)
    wrong = rng.random(rows) < rate
    y[wrong] = (y[wrong] + rng.integers(1, CLASSES, wrong.sum())) % CLASSES
    posterior = Posterior(X, y, variance, lengthscale, rate, 200, rng)
    f, log_l, log_evidence, error = anneal(posterior, 1600)
    K_cross = covariance(X, X_test, variance, lengthscale)
    V = np.linalg.solve(posterior.L, K_cross)
    spread = np.linalg.cholesky(covariance(X_test, X_test, variance, lengthscale) - V.T @ V + 1e-9 * np.eye(5))
    p_wrong, p_class = [], []
    for step in range(600):
        f, log_l = posterior.slice_step(f, log_l, 1.0)
        if step < 150 or step % 3:
            continue
        p = p_largest(f, y)
        evidence = (1 - rate) * p + rate / (CLASSES - 1) * (1 - p)
        p_wrong.append(rate / (CLASSES - 1) * (1 - p) / evidence)
        white = np.linalg.solve(posterior.L, f.reshape(rows, -1))
        test = (V.T @ white + spread @ rng.standard_normal((5, white.shape[1]))).reshape(5, -1, CLASSES)
        p_class.append(np.stack([p_largest(test, np.full(5, c)) for c in range(CLASSES)], 2))
    by_chain = np.mean(p_wrong, 0)
    return {"X": X.tolist(), "y": y.tolist(), "X_test": X_test.tolist(), "variance": variance,
            "lengthscale": lengthscale, "flip_probability": rate, "log_evidence": log_evidence,
            "log_evidence_error": error, "p_wrong": by_chain.mean(1).tolist(),
            "p_wrong_error": (by_chain.std(1) / np.sqrt(by_chain.shape[1])).tolist(),
            "p_class": np.mean(p_class, (0, 2)).tolist()}


if __name__ == "__main__":
    problems = []
    for problem in PROBLEMS:
        problems.append(solve(*problem))
        print(problem, problems[-1]["log_evidence"], problems[-1]["log_evidence_error"], max(problems[-1]["p_wrong_error"]),
              file=sys.stderr, flush=True)
        with open(sys.argv[1], "w") as out:
            json.dump({"how": __doc__.split("\n\n")[1].replace("\n", " "), "classes": CLASSES, "problems": problems}, out)
            out.write("\n")
