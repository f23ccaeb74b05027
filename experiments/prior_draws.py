#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions drawn from priors: squared exponential, rational quadratic, Matérn [R06, slides 6 and 8].

Unit variance and unit lengthscale.  Beside the pictures: the covariance of many draws at some distances, against the formula
it was drawn by, in standard errors; and how rough the draws are, which is what the shapes differ in.
"""
import numpy as np
from study import BLUE, GREEN, ORANGE, PURPLE, Study, plt

from candor.kernels import RBF, Matern, RationalQuadratic

FAMILIES = {
    "rational quadratic": [("α = ½", RationalQuadratic(alpha=0.5)), ("α = 2", RationalQuadratic(alpha=2.0)),
                           ("α → ∞: squared exponential", RBF())],
    "Matérn": [("ν = ½", Matern(nu=0.5)), ("ν = 1", Matern(nu=1.0)), ("ν = 2", Matern(nu=2.0)),
               ("ν → ∞: squared exponential", RBF())],
}
COLOURS, LINES = [ORANGE, GREEN, PURPLE, BLUE], ["-", "--", "-.", (0, (1, 1))]
DISTANCES = np.array([0.0, 0.25, 0.5, 1.0, 2.0, 3.0])


def measured(kernel, count, seed):
    """E f(0) f(r) over draws against k(r): the largest difference in its standard errors; and the mean of (f(δ) - f(0))²/δ²."""
    step = 0.01
    at = np.append(DISTANCES, step)
    draws = kernel.sample(at, count, random_state=seed)
    products = draws[0] * draws
    error = products.std(axis=1, ddof=1) / np.sqrt(count)
    z = (products.mean(axis=1) - kernel(np.zeros(1), at)[0]) / error
    return {"largest_z": np.abs(z).max(), "slope": np.sqrt(np.mean((draws[-1] - draws[0]) ** 2)) / step}


def main():
    study = Study("prior_draws", __doc__)
    x, r = np.linspace(-5, 5, 501), np.linspace(0, 3, 200)
    figure, axes = plt.subplots(2, 2, figsize=(10.0, 6.4), layout="constrained", width_ratios=[1, 2])
    numbers, count = {}, 2000 if study.quick else 20000
    for (family, kernels), (left, right) in zip(FAMILIES.items(), axes, strict=True):
        for i, (name, kernel) in enumerate(kernels):
            colour, line = (COLOURS[-1], LINES[0]) if "∞" in name else (COLOURS[i], LINES[i + 1])
            left.plot(r, kernel(np.zeros(1), r)[0], color=colour, ls=line, label=name)
            right.plot(x, kernel.sample(x, 1, random_state=7 + i)[:, 0], color=colour, lw=1.1, label=name)
            numbers[f"{family}, {name}"] = {"kernel": kernel.text, **measured(kernel, count, len(numbers))}
        left.set(xlabel="distance", ylabel="covariance", title=family, ylim=(0, 1.03))
        left.legend()
        right.set(xlabel="x", ylabel="f(x)", title="one draw of each")
    study.picture(figure)
    study.save({"kernels": numbers, "draws": count, "distances": DISTANCES})


if __name__ == "__main__":
    main()
