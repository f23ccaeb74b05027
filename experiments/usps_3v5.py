#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Threes and fives of USPS, 767 to learn from and 773 to test on: evidence and test information over two hyperparameters
[R06, slides 27 and 28; RW06, figures 3.7 and 3.8].

k = σ_f² exp(-½ d²/ℓ²) on pixels in [-1, 1], probit likelihood.  The pool of digits and the sizes are the book's, the partition is not,
since the book's could not be had.  What other partitions would give is measured at the book's hyperparameters, for the whole pool and for those
of its digits that were training digits of USPS, since its test digits are known to be harder.  Information: the mean of log₂ p(y_i) over the test set, above that
of guessing by the classes' shares, in bits.  Points of the grid are kept as draws, one by one.  What sampling says is in usps_sampling.py.
"""
import itertools

import numpy as np
from matplotlib.colors import BoundaryNorm
from study import RED, Study, plt

from candor.kernels import RBF
from candor.models import Model

ENGINES = {"laplace": "Laplace", "ep": "EP"}
PRINTED = {"laplace": {"log_evidence": -99.0, "at": [2.75, 2.27]}, "ep": {"log_evidence": -90.0, "at": [2.55, 3.96]}}


def digits(study, quick):
    table = study.table("usps_3v5")
    y = np.where(table["label"] == "3", 1.0, -1.0)
    X = np.column_stack([column.astype(float) for name, column in table.items() if name.startswith("p")])
    train = table["meta_split"] == "train"
    rows = slice(0, 150 if quick else None)
    pools = {"all digits": np.arange(len(y)), "training digits of USPS": np.flatnonzero(table["meta_split_original"] == "train")}
    return X[train][rows], y[train][rows], X[~train][rows], y[~train][rows], {name: (X[of], y[of]) for name, of in pools.items()}


def other_partitions(pools, rows, count):
    """Evidence at the printed hyperparameters of random rows of each pool."""
    found = {}
    for name, (X, y) in pools.items():
        drawn = [np.random.default_rng(seed).permutation(len(y))[:rows] for seed in range(count)]
        values = {engine: [model(*PRINTED[engine]["at"], engine).infer(X[of], y[of]).log_evidence for of in drawn] for engine in ENGINES}
        found[name] = {engine: {"mean": np.mean(v), "spread": np.std(v, ddof=1), "least": min(v), "largest": max(v)}
                       for engine, v in values.items()}
    return found


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
    X, y, X_test, y_test, pools = digits(study, study.quick)
    side = np.linspace(2, 5, 4 if study.quick else 13), np.linspace(0, 7, 4 if study.quick else 15)
    partitions = 3 if study.quick else 20
    settings = {"rows": len(y), "log_length": side[0].tolist(), "log_amplitude": side[1].tolist()}
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
    results, best = {}, {}
    for engine, name in ENGINES.items():
        fit = best[engine] = model(2.7, 3.0, engine).learn(X, y, tolerance=1e-5)
        p = fit.predict(X_test).p_clean
        amplitude, length = (fit.model.kernel.theta[fit.model.kernel.names.index(n)] for n in ("variance", "factor.lengthscale[0]"))
        results[engine] = {"name": name, "log_evidence": fit.log_evidence, "at": [length, amplitude / 2], "converged": fit.converged,
                           "information": information(p, y_test, y), "error": 100 * np.mean((p > 0.5) != (y_test > 0)),
                           "at_printed": model(*PRINTED[engine]["at"], engine).infer(X, y).log_evidence,
                           "grid_not_converged": sum(not d[engine]["converged"] for d in draws),
                           "best_information_on_grid": max(d[engine]["information"] for d in draws)}
    lead = [d["ep"]["log_evidence"] - d["laplace"]["log_evidence"] for d in draws]
    study.save({"settings": settings, "printed": PRINTED, "test_rows": len(y_test), "engines": results, "partitions": partitions,
                "other_partitions": other_partitions(pools, len(y), partitions),
                "ep_over_laplace": {"least": min(lead), "largest": max(lead)}})
    draw(study, side, draws, results)


def draw(study, side, draws, results):
    figure, axes = plt.subplots(2, 2, figsize=(9.6, 8.2), layout="constrained")
    for column, (engine, name) in enumerate(ENGINES.items()):
        for row, (key, levels) in enumerate((("log_evidence", None), ("information", [0, 0.25, 0.5, 0.7, 0.8, 0.84, 0.86, 0.88, 0.89]))):
            values = np.array([d[engine][key] for d in draws]).reshape(len(side[1]), len(side[0]))
            if levels is None:
                top = results[engine]["log_evidence"]
                levels = np.sort([np.ceil(top) - step for step in (1, 3, 6, 12, 20, 35, 60, 100, 200)])
            axes[row, column].set(xlim=(2, 5), ylim=(0, 7))
            panel(axes[row, column], side, values, levels, name, key, results[engine], PRINTED[engine]["at"])
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2, frameon=False)
    study.picture(figure)


def panel(axes, side, values, levels, name, key, result, printed):
    axes.contourf(*side, values, levels=[-1e9, *levels, 1e9], cmap="Blues", norm=BoundaryNorm([-1e9, *levels, 1e9], 256), alpha=0.6)
    lines = axes.contour(*side, values, levels=levels, colors="black", linewidths=0.9, linestyles="solid")
    axes.clabel(lines, fmt="%g", fontsize=7)
    axes.plot(*result["at"], "+", ms=12, mew=2.2, color=RED, label="most evidence, ours")
    axes.plot(*printed, "x", ms=8, mew=2, color="black", label="most evidence, the book's split")
    value = f"{result['log_evidence']:.1f} at +" if key == "log_evidence" else f"{result['information']:.3f} bits at +"
    axes.set(xlabel="log lengthscale, log ℓ", ylabel="log amplitude, log σ_f",
             title=f"{name}: {'log evidence' if key == 'log_evidence' else 'test information'}, {value}")


if __name__ == "__main__":
    main()
