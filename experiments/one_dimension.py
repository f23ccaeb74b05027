#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One input, two classes: Laplace's method and EP beside the process that made the labels [R06, slide 26].

The slide's points are not printed.  Ours come from three normals as its picture suggests: +1 about -6, -1 about 0, +1 about 2,
all with standard deviation 0.8.  Probit likelihood; amplitude and lengthscale at the maximum of Laplace's evidence, and both methods
at the same numbers, so that only the approximation differs.
"""
import numpy as np
from study import BLUE, GREEN, GREY, ORANGE, RED, Study, plt

from candor.kernels import RBF
from candor.models import Model

COMPONENTS = [(-6.0, 1.0, 20), (0.0, -1.0, 30), (2.0, 1.0, 10)]  # mean, label, points
SETTINGS = {"components": COMPONENTS, "spread": 0.8, "seed": 3}
METHODS = {"laplace": ("Laplace", BLUE, "--"), "ep": ("EP", ORANGE, "-")}


def sample(s):
    random = np.random.default_rng(s["seed"])
    x = np.concatenate([mean + s["spread"] * random.standard_normal(count) for mean, _, count in s["components"]])
    return x, np.concatenate([np.full(count, label) for _, label, count in s["components"]])


def truth(x, s):
    """p(y = +1 | x) of the three normals."""
    density = np.array([count * np.exp(-0.5 * ((x - mean) / s["spread"]) ** 2) for mean, _, count in s["components"]])
    return density[np.array([label > 0 for _, label, _ in s["components"]])].sum(axis=0) / density.sum(axis=0)


def main():
    study = Study("one_dimension", __doc__)
    x, y = sample(SETTINGS)
    kernel = Model(25.0 * RBF(2.0), "probit", inference="laplace").learn(x, y, n_restarts=2, tolerance=1e-6).model.kernel
    fits = {name: Model(kernel, "probit", inference=name).infer(x, y) for name in METHODS}
    grid = np.linspace(-9, 5, 400)
    at = {name: fit.predict(grid) for name, fit in fits.items()}
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.4, 4.0), layout="constrained")
    for name, (label, colour, line) in METHODS.items():
        left.plot(grid, at[name].p_clean, color=colour, ls=line, label=label)
        spread = 2 * np.sqrt(at[name].latent_variance)
        right.plot(grid, at[name].latent_mean, color=colour, ls=line, label=f"{label}: mean ± 2 sd")
        right.fill_between(grid, at[name].latent_mean - spread, at[name].latent_mean + spread, color=colour, alpha=0.2, lw=0)
    left.plot(grid, truth(grid, SETTINGS), color=GREEN, ls=":", lw=2, label="process that made the labels")
    for sign, mark, colour, name in ((1, "+", RED, "class +1"), (-1, "o", GREY, "class −1")):
        left.scatter(x[y == sign], np.full((y == sign).sum(), (sign + 1) / 2), marker=mark, s=28, color=colour, lw=1, label=name)
    left.set(xlabel="x", ylabel="p(y = +1 | x)", ylim=(-0.04, 1.04))
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=5, frameon=False)
    right.set(xlabel="x", ylabel="latent f(x)")
    right.legend(loc="upper left")
    study.picture(figure)
    numbers = {name: {"log_evidence": fits[name].log_evidence, "largest_latent_mean": np.abs(fits[name].latent_mean).max(),
                      "distance_to_truth": np.mean(np.abs(at[name].p_clean - truth(grid, SETTINGS)))} for name in METHODS}
    study.save({"settings": SETTINGS, "kernel": kernel.text, "methods": numbers,
                "ep_farther_from_zero": float(np.mean(np.abs(fits["ep"].latent_mean) >= np.abs(fits["laplace"].latent_mean)))})


if __name__ == "__main__":
    main()
