#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Threes and fives of USPS, 767 to learn from and 773 to test on: evidence and test information over two hyperparameters
[R06, slides 27 and 28; RW06, figures 3.7 and 3.8].

k = σ_f² exp(-½ d²/ℓ²) on pixels in [-1, 1], probit likelihood.  Digits and partition are the book's (book_digits.py).  The table usps_3v5 has
the same pool in another partition, and its pixels are not the same: of it the maxima and the evidence at the book's hyperparameters, to compare.
Information: the mean of log₂ p(y_i) over the test set, above that of guessing by the classes' shares, in bits.  Points of the grid are kept as
draws, one by one.  What sampling says is in usps_sampling.py.
"""
import itertools

import numpy as np
from book_digits import book_digits
from matplotlib.colors import BoundaryNorm
from scipy.interpolate import RectBivariateSpline
from study import RED, Study, find_table, plt

from candor.kernels import RBF
from candor.models import Model

ENGINES = {"laplace": "Laplace", "ep": "EP"}
BITS = [0, 0.25, 0.5, 0.7, 0.8, 0.84, 0.86, 0.88, 0.89]  # contours of test information
PRINTED = {"laplace": {"log_evidence": -99.0, "at": [2.75, 2.27]}, "ep": {"log_evidence": -90.0, "at": [2.55, 3.96]}}


def digits(study):
    """Rows to learn from, their labels, and the same to test on; in a quick run fewer to learn from."""
    X, y, X_test, y_test = book_digits(study)
    rows = slice(0, 150 if study.quick else None)
    return X[rows], y[rows], X_test, y_test


def most_evidence(X, y, engine):
    """The fit at the maximum, and where it is (log ℓ, log σ_f), beside the evidence at the book's."""
    fit = model(2.7, 3.0, engine).learn(X, y, tolerance=1e-5)
    amplitude, length = (fit.model.kernel.theta[fit.model.kernel.names.index(n)] for n in ("variance", "factor.lengthscale[0]"))
    return fit, {"log_evidence": fit.log_evidence, "at": [length, amplitude / 2], "converged": fit.converged,
                 "at_printed": model(*PRINTED[engine]["at"], engine).infer(X, y).log_evidence}


def typical_distance(X):
    """Root mean square over pairs of rows: sums of squares over pixels, twice their variances."""
    return np.sqrt(2.0 * X.var(axis=0, ddof=1).sum())


def of_the_table(study):
    """The same of the table usps_3v5, which may be nowhere."""
    if study.quick or find_table("usps_3v5") is None:
        return None
    table = study.table("usps_3v5")
    train = table["meta_split"] == "train"
    y = np.where(table["label"] == "3", 1.0, -1.0)[train]
    X = np.column_stack([column.astype(float) for name, column in table.items() if name.startswith("p")])[train]
    return {"rows": len(y), "distance": typical_distance(X), "engines": {engine: most_evidence(X, y, engine)[1] for engine in ENGINES}}


def information(p, y, y_train):
    """Bits per test label that the probabilities p of +1 tell, beyond the shares of the classes in training."""
    share = np.mean(y_train > 0)
    base = np.where(y > 0, share, 1 - share)
    told = np.where(y > 0, p, 1 - p)
    return np.mean(np.log2(np.maximum(told, 1e-300)) - np.log2(base))


def model(log_length, log_amplitude, engine):
    return Model(float(np.exp(2 * log_amplitude)) * RBF(float(np.exp(log_length))), "probit", inference=engine)


def main():
    study = Study("usps_3v5", __doc__)
    X, y, X_test, y_test = digits(study)
    side = np.linspace(2, 5, 4 if study.quick else 13), np.linspace(0, 7, 4 if study.quick else 15)
    settings = {"digits": "the book's", "rows": len(y), "log_length": side[0].tolist(), "log_amplitude": side[1].tolist()}
    points = list(itertools.product(range(len(side[1])), range(len(side[0]))))

    def measure(index, _):
        i, j = points[index]
        found = {}
        for engine in ENGINES:
            fit = model(side[0][j], side[1][i], engine).infer(X, y)
            p = fit.predict(X_test).p_clean
            found[engine] = {"log_evidence": fit.log_evidence, "information": information(p, y_test, y), "converged": fit.converged,
                             "error": 100 * np.mean((p > 0.5) != (y_test > 0))}
        return found

    draws = study.draws(range(len(points)), measure, settings)
    results = {}
    for engine, name in ENGINES.items():
        fit, found = most_evidence(X, y, engine)
        p = fit.predict(X_test).p_clean
        results[engine] = {"name": name, **found, "information": information(p, y_test, y), "error": 100 * np.mean((p > 0.5) != (y_test > 0)),
                           "grid_not_converged": sum(not d[engine]["converged"] for d in draws),
                           "best_information_on_grid": max(d[engine]["information"] for d in draws)}
    lead = [d["ep"]["log_evidence"] - d["laplace"]["log_evidence"] for d in draws]
    study.save({"settings": settings, "printed": PRINTED, "test_rows": len(y_test), "distance": typical_distance(X), "engines": results,
                "of_the_table": of_the_table(study), "ep_over_laplace": {"least": min(lead), "largest": max(lead)}})
    draw(study, side, draws, results)


def draw(study, side, draws, results):
    figure, axes = plt.subplots(2, 2, figsize=(9.6, 8.2), layout="constrained")
    for column, (engine, name) in enumerate(ENGINES.items()):
        for row, (key, levels) in enumerate((("log_evidence", evidence_levels(results[engine]["log_evidence"])), ("information", BITS))):
            values = np.array([d[engine][key] for d in draws]).reshape(len(side[1]), len(side[0]))
            panel(axes[row, column], side, values, levels, name, key, results[engine], PRINTED[engine]["at"])
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2, frameon=False)
    study.picture(figure)


def evidence_levels(top):
    """Steps down from the top, wider and wider."""
    return np.sort([np.ceil(top) - step for step in (1, 3, 6, 12, 20, 35, 60, 100, 200)])


def finer(side, values, steps=121):
    """By cubic splines: between places as far apart as these, straight lines make islands of a ridge."""
    fine = [np.linspace(of[0], of[-1], steps) for of in side]
    return fine, RectBivariateSpline(*side, values.T, kx=3, ky=3)(*fine).T


def contours(axes, side, values, levels):
    """Shades and numbered lines at the levels that the values reach."""
    axes.set(xlim=(side[0][0], side[0][-1]), ylim=(side[1][0], side[1][-1]))
    axes.contourf(*side, values, levels=[-1e9, *levels, 1e9], cmap="Blues", norm=BoundaryNorm([-1e9, *levels, 1e9], 256), alpha=0.6)
    reached = [level for level in levels if values.min() < level < values.max()]
    lines = axes.contour(*side, values, levels=reached, colors="black", linewidths=0.9, linestyles="solid")
    axes.clabel(lines, fmt="%g", fontsize=7, manual=[at for line in lines.allsegs for part in line if (at := middle(axes, part)) is not None])


def middle(axes, line, margin=0.08):
    """Of the part of a line that is well within the axes, so that a number there is whole; None where it is too short for one."""
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    share = (line - low) / (high - low)
    t = np.linspace(0, len(line) - 1, 40 * len(line))  # a straight piece may have its ends alone near the edges
    share = np.column_stack([np.interp(t, np.arange(len(line)), share[:, k]) for k in (0, 1)])
    inside = np.flatnonzero(np.all(np.abs(share - 0.5) < 0.5 - margin, axis=1))
    if len(inside) == 0:
        return None
    share = share[inside]
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(share, axis=0), axis=1))])
    return None if along[-1] < 0.1 else low + (high - low) * share[np.searchsorted(along, along[-1] / 2)]


def panel(axes, side, values, levels, name, key, result, printed):
    contours(axes, *finer(side, values), levels)
    axes.plot(*result["at"], "+", ms=12, mew=2.2, color=RED, label="most evidence, ours")
    axes.plot(*printed, "x", ms=8, mew=2, color="black", label="most evidence, the book")
    value = f"{result['log_evidence']:.1f} at +" if key == "log_evidence" else f"{result['information']:.3f} bits at +"
    axes.set(xlabel="log lengthscale, log ℓ", ylabel="log amplitude, log σ_f",
             title=f"{name}: {'log evidence' if key == 'log_evidence' else 'test information'}, {value}")


if __name__ == "__main__":
    main()
