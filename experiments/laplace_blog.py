#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Laplace's method on eight points, contours of the class probability, after a blog post [L23].

k = exp(-|x - x'|²), logistic likelihood.  The post's points are only in its picture: ours are four and four, drawn.  Its
`loglik` returns minus the log likelihood, so that its evidence

    q = -½ aᵀf + loglik(y, f) - Σ log L_ii      is      log q(y) - 2 log p(y|f)

instead of log q(y): both are printed here, with EP's as a third opinion.
"""
import numpy as np
from study import BLUE, ORANGE, Study, plt

from candor.kernels import RBF
from candor.models import Model

SETTINGS = {"seed": 8, "points_per_class": 4, "centres": [[-0.8, -0.5], [0.8, 0.5]], "spread": 0.6}


def main():
    study = Study("laplace_blog", __doc__)
    random = np.random.default_rng(SETTINGS["seed"])
    count = SETTINGS["points_per_class"]
    X = np.concatenate([np.array(c) + SETTINGS["spread"] * random.standard_normal((count, 2)) for c in SETTINGS["centres"]])
    y = np.repeat([-1.0, 1.0], count)
    kernel = RBF(1 / np.sqrt(2))
    fits = {engine: Model(kernel, "logistic", inference=engine).infer(X, y) for engine in ("laplace", "ep")}
    log_likelihood = -np.logaddexp(0, -y * fits["laplace"].latent_mean).sum()
    # RW06, eq. 3.32, from the mode: -½ f̂ᵀK⁻¹f̂ + log p(y|f̂) - ½ log|B|, as a check of what the library says.
    K, f = kernel(X), fits["laplace"].latent_mean
    w = np.exp(-np.logaddexp(0, f) - np.logaddexp(0, -f))
    B = np.eye(len(y)) + np.sqrt(w)[:, None] * K * np.sqrt(w)
    by_hand = -0.5 * f @ np.linalg.solve(K, f) + log_likelihood - 0.5 * np.linalg.slogdet(B)[1]
    study.save({"settings": SETTINGS, "log_evidence": {engine: fit.log_evidence for engine, fit in fits.items()},
                "log_likelihood_at_mode": log_likelihood, "by_hand": by_hand,
                "with_the_wrong_sign": fits["laplace"].log_evidence - 2 * log_likelihood,
                "no_information": len(y) * np.log(0.5)})
    side = np.linspace(-3, 3, 121)
    a, b = np.meshgrid(side, side)
    p = fits["laplace"].predict(np.column_stack([a.ravel(), b.ravel()])).p_clean.reshape(a.shape)
    figure, axes = plt.subplots(figsize=(5.6, 4.6), layout="constrained")
    shades = axes.contourf(a, b, p, levels=np.linspace(0.3, 0.7, 17), cmap="PuOr_r", alpha=0.75, extend="both")
    lines = axes.contour(a, b, p, levels=[0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65], colors="black", linewidths=0.8)
    axes.clabel(lines, fmt="%.2f", fontsize=8)
    for sign, colour, mark, name in ((1, ORANGE, "o", "+1"), (-1, BLUE, "s", "−1")):
        axes.scatter(*X[y == sign].T, s=45, marker=mark, color=colour, edgecolor="black", linewidth=0.8, label=name)
    figure.colorbar(shades, ax=axes, label="p(y = +1 | x), Laplace")
    axes.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    axes.legend(loc="upper left")
    study.picture(figure)


if __name__ == "__main__":
    main()
