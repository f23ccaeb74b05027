#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What experiments/expected/check.py calls INDEPENDENT: numbers for the experiments' own draws by an implementation that shares no code with ours.

    python tests/experiments/independent.py FOLDER > independent.json       needs NumPy and SciPy, and ten minutes
    python tests/experiments/independent.py FOLDER ring laplace_blog        only these

FOLDER holds that implementation, which is not part of this repository: modules of NumPy that say what EP, EM-EP, evidence learning and Laplace's
method give (`ep`, `emep`, `laplace`), with their kernels and ring data (`kernels`, `convergence`), written for clarity and not for speed.

Draws, splits and settings are written here once more, so that neither candor nor the experiments' code is needed: who changes one changes
the other.  What is taken from ours is one covariance, that of one_dimension.  For EP the oracle has no logistic likelihood: its tilted
moments are made here, by quadrature.

Of each draw: log evidence, ε as `rate`, v₂ as `noise`, test error in per cent, and whether the last EP and the search converged.  EM-EP
mostly ends at its most steps: `moving` has the nats that its last 30 changed.
"""
import csv
import datetime
import gzip
import hashlib
import json
import pathlib
import re
import sys
from unittest import mock

import numpy as np
import scipy
from scipy.spatial.distance import cdist

ROOT = pathlib.Path(__file__).resolve().parents[2]
if len(sys.argv) < 2 or not (pathlib.Path(sys.argv[1]) / "emep.py").is_file():
    sys.exit(f"{sys.argv[1] if len(sys.argv) > 1 else 'nothing'} was given, which is no folder with emep.py and its neighbours: the first argument must be one")
sys.path[:0] = [sys.argv[1], str(ROOT / "scripts")]
import convergence  # noqa: E402
import emep  # noqa: E402
import ep  # noqa: E402
import kernels  # noqa: E402
import laplace  # noqa: E402
from find_table import find_table  # noqa: E402


def table(name):
    """Columns but the label, by name, and the label; nothing where there is no such table."""
    if (path := find_table(name)) is None:
        return None, None
    with gzip.open(path, "rt") if path.suffix == ".gz" else open(path) as file:
        header, *rows = csv.reader(file)
    columns = dict(zip(header, np.array(rows).T, strict=True))
    return columns, columns.pop("label")


def entry(found, K_test, y_test):
    wrong = np.sign(K_test.T @ found["res"]["alpha"]) != y_test
    return {"log_evidence": found["logev"], "rate": found["eps"], "noise": found["v2"], "error": 100 * wrong.mean(),
            "ep_converged": found["res"]["converged"], "search_converged": bool(found["converged"])}


def best(fits):
    return max(fits, key=lambda fit: (fit["res"]["converged"], fit["logev"]))


def three_models(hyper, X, y, X_test, y_test, noises, tiny_rate=None):
    """At ε = 0, by the published EM-EP, and at the most evidence: looked for beside ε = 0, too, where there is a `tiny_rate`."""
    K, K_test = kernels.cov(X, X, hyper), kernels.cov(X, X_test, hyper)
    regular = best([emep.ml2(K, y, 0.0, noise, learn_eps=False) for noise in noises])
    starts = [(0.02, noise) for noise in noises] + ([(tiny_rate, regular["v2"])] if tiny_rate else [])
    fits = {"regular": regular, "em_ep": emep.emep(K, y, 0.02, noises[0], omega="posterior", iters=300, trace=(trace := [])),
            "evidence": best([emep.ml2(K, y, *start) for start in starts])}
    found = {name: entry(fit, K_test, y_test) for name, fit in fits.items()}
    found["em_ep"]["moving"] = abs(trace[-1][0] - trace[-min(30, len(trace))][0])
    return found


def means(draws):
    keys = ("log_evidence", "rate", "noise", "error")
    return {name: {key: np.mean([draw[name][key] for draw in draws]) for key in keys} for name in draws[0]}


def with_means(draws):
    return {"means": means(draws), "draws": draws}


def ring(quick=8, full=100):
    draws = []
    for seed in range(full):
        X, y, X_test, y_test, _ = convergence.ring(seed, n=40, flips=2, total=1000)
        draws.append(three_models({"v0": 1.0, "v1": 1e-8, "l": 0.5}, X, y, X_test, y_test, [0.01, 0.1]))
        print(f"ring: {seed + 1} of {full}", file=sys.stderr)
    return {f"means_of_{full}": means(draws), **with_means(draws[:quick])}


def thyroid_split(seed, training):
    """Standardised rows to learn from, their labels, the same to test on, and the former rows in the order in which labels change."""
    columns, label = table("new_thyroid")
    X, y = np.column_stack([column.astype(float) for column in columns.values()]), np.where(label == "Normal", -1.0, 1.0)
    random = np.random.default_rng(seed)
    train, test = np.split(random.permutation(len(y)), [training])
    Z = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    return Z[train], y[train], Z[test], y[test], random.permutation(training)


def changed(y, rows):
    return np.where(np.isin(np.arange(len(y)), rows), -y, y)


def thyroid_outliers():
    draws = {rate: [] for rate in (0, 5, 10, 15)}
    for seed in (0, 1):
        X, y, X_test, y_test, order = thyroid_split(seed, 107)
        for rate, of in draws.items():
            noisy = changed(y, order[: round(rate / 100 * len(y))])
            of.append(three_models({"v0": 1.0, "v1": 1e-8, "l": 0.05}, X, noisy, X_test, y_test, [0.1, 0.01], 1e-4))
    return {rate: with_means(of) for rate, of in draws.items()}


def thyroid_flips():
    """v₀ and l of the clean labels, beside v₂ = 1.  In split 1 their evidence grows with v₀ without end, by less than 0.01 nats from 10⁴
    on, and the search ends at its bound, e¹²: `regular` with 9 labels changed depends on where (-84 to -103), `evidence` does not."""
    draws, held = {0: [], 9: []}, []
    for seed in (0, 1):
        X, y, X_test, y_test, order = thyroid_split(seed, 194)
        starts = [{"v0": v0, "l": [l] * X.shape[1], "v1": 1e-8, "v2": 1.0} for v0, l in ((4.0, 0.25), (100.0, 0.05))]
        clean = best([emep.ml2_full(X, y, start, 0.0, learn=("v0", "l"), ard=False) for start in starts])
        held.append({"v0": clean["hyp"]["v0"], "lengthscale": float(clean["hyp"]["l"][0] ** -0.5), "log_evidence": clean["logev"]})
        K, K_test = (kernels.cov(X, other, clean["hyp"]) for other in (X, X_test))
        for count, of in draws.items():
            noisy = changed(y, order[:count])
            res = emep.robust_ep(K, noisy, 0.0, 1.0)
            regular = {"res": res, "logev": res["logev"], "eps": 0.0, "v2": 1.0, "converged": res["converged"]}
            evidence = best([emep.ml2(K, noisy, rate, 1.0, learn_v2=False) for rate in (0.01, 0.02, 0.03)])
            of.append({"regular": entry(regular, K_test, y_test), "evidence": entry(evidence, K_test, y_test)})
    return {count: with_means(of) for count, of in draws.items()} | {"held": held}


def by_laplace(K, y, link="probit"):
    fit = laplace.binary(K, y, link)
    return {"log_evidence": fit["logev"], "largest_latent_mean": np.abs(fit["f"]).max()}


def by_ep(K, y):
    fit = emep.robust_ep(K, y, 0.0, 1.0)
    return {"log_evidence": fit["logev"], "largest_latent_mean": np.abs(fit["m"]).max(), "converged": fit["converged"]}


def one_dimension():
    random, components = np.random.default_rng(3), [(-6.0, 1.0, 20), (0.0, -1.0, 30), (2.0, 1.0, 10)]
    x = np.concatenate([mean + 0.8 * random.standard_normal(count) for mean, _, count in components])[:, None]
    y = np.concatenate([np.full(count, label) for _, label, count in components])
    text = json.loads((ROOT / "experiments/results/one_dimension.json").read_text())["kernel"]
    variance, length = map(float, re.fullmatch(r"(\S+) \* squared_exponential\(lengthscale=(\S+)\)", text).groups())
    K = kernels.cov(x, x, {"v0": variance, "l": length**-2})
    return {"kernel": text, "laplace": by_laplace(K, y), "ep": by_ep(K, y)}


def logistic_site(y, mean, variance, *_):
    """In place of ep.site_update: log Z, and the site that leaves the tilted mean and variance."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    f = mean[:, None] + np.sqrt(variance)[:, None] * nodes
    p = weights / weights.sum() * np.exp(-np.logaddexp(0, -y[:, None] * f))
    Z = p.sum(axis=1)
    tilted = (p * f).sum(axis=1) / Z
    spread = (p * (f - tilted[:, None]) ** 2).sum(axis=1) / Z
    return np.log(Z), None, None, None, 1 / spread - 1 / variance, tilted / spread - mean / variance


def laplace_blog(batches=40):
    random = np.random.default_rng(8)
    X = np.concatenate([np.array(centre) + 0.6 * random.standard_normal((4, 2)) for centre in ([-0.8, -0.5], [0.8, 0.5])])
    y, K = np.repeat([-1.0, 1.0], 4), kernels.cov(X, X, {"v0": 1.0, "l": 2.0})
    L = np.linalg.cholesky(K)  # draws from the prior are enough for eight rows
    means = [np.exp(-np.logaddexp(0, -y * (random.standard_normal((100_000, 8)) @ L.T)).sum(axis=1)).mean() for _ in range(batches)]
    sampled = {"log_evidence": np.log(np.mean(means)), "standard_error": np.std(means, ddof=1) / np.sqrt(batches) / np.mean(means)}
    with mock.patch.object(ep, "site_update", logistic_site):
        return {"laplace": by_laplace(K, y, "logistic"), "ep": by_ep(K, y), "sampled": sampled}


def usps_3v5():
    columns, label = table("usps_3v5")
    if columns is None:
        return None
    train = columns["meta_split"] == "train"
    X = np.column_stack([column.astype(float) for name, column in columns.items() if name.startswith("p")])[train]
    y = np.where(label == "3", 1.0, -1.0)[train]
    squared = cdist(X, X, "sqeuclidean")  # not by kernels.cov, which keeps a matrix for each of 256 columns

    def K(log_length, log_amplitude):
        return np.exp(2 * log_amplitude) * kernels.rho(squared * np.exp(-2 * log_length))

    return {"laplace": by_laplace(K(2.75, 2.27), y), "ep": by_ep(K(2.55, 3.96), y)}


PARTS = {part.__name__: part for part in (one_dimension, laplace_blog, ring, thyroid_outliers, usps_3v5, thyroid_flips)}


def implementation():
    """Hash of the modules that are used, so that whoever has them knows that they are the same."""
    used = sorted(pathlib.Path(module.__file__) for module in (convergence, emep, ep, kernels, laplace))
    return hashlib.sha256(b"".join(path.read_bytes() for path in used)).hexdigest()


if __name__ == "__main__":
    made_by = {"script": "tests/experiments/independent.py", "numpy": np.__version__, "scipy": scipy.__version__, "date": f"{datetime.date.today()}", "implementation_sha256": implementation(),
               "precision": "double; EP to 1e-8 of a nat or better, searches as `search_converged` and `moving` say"}
    # NumPy's numbers are not JSON's.
    print(json.dumps({"made_by": made_by, **{name: PARTS[name]() for name in sys.argv[2:] or PARTS}}, indent=1, default=lambda value: value.item()))
