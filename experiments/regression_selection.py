#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Choosing a covariance by the marginal likelihood of a regression [R06, slide 10]: squared exponential or Matérn-3/2.

The slide's points are not printed, only log marginal likelihoods of -15.6 and -18.0.  Ours are drawn: 40 inputs, a function
from the prior of one of both, Gaussian noise.  Amplitude, lengthscale and noise are learned by each.  One set is shown; of
many sets it is counted how often the marginal likelihood prefers the covariance that the function came from.  With 20 inputs it
prefers a Matérn function's own covariance hardly more often than not, so that there are 40.
"""
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from study import BLUE, ORANGE, Study, plt, summary

from candor.kernels import RBF, Matern
from candor.models import Model

KERNELS = {"squared exponential": RBF(), "Matérn-3/2": Matern(nu=1.5)}
SETTINGS = {"rows": 40, "width": 10.0, "noise": 0.1}
PRINTED = {"squared exponential": -15.6, "Matérn-3/2": -18.0}


def regression_set(seed, kernel, s):
    random = np.random.default_rng(seed)
    x = np.sort(random.uniform(-s["width"] / 2, s["width"] / 2, s["rows"]))
    return x, kernel.sample(x, 1, random_state=seed)[:, 0] + s["noise"] * random.standard_normal(s["rows"])


def learned(kernel, x, y):
    """A function without structure may be told by noise alone, and then the lengthscale is anybody's: both ways are tried."""
    starts = [Model(variance * kernel, "gaussian", noise_variance=noise) for variance, noise in ((1.0, 0.03), (0.3, 0.3))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # counted instead
        fits = [start.learn(x, y, free=["noise_variance"], tolerance=1e-6) for start in starts]
    return max(fits, key=lambda fit: fit.log_evidence)


def closed_form(fit, x, y):
    """log N(y; 0, K + σ²I) [RW06, eq. 2.30]."""
    C = fit.model.kernel(x) + fit.model.numbers["noise_variance"] * np.eye(len(x))
    L = np.linalg.cholesky(C)
    return -0.5 * np.sum(np.linalg.solve(L, y) ** 2) - np.log(np.diag(L)).sum() - 0.5 * len(y) * np.log(2 * np.pi)


def measure(seed, s):
    found = {}
    for truth, kernel in KERNELS.items():
        x, y = regression_set(seed, kernel, s)
        fits = {name: learned(other, x, y) for name, other in KERNELS.items()}
        found[truth] = {"log_evidence": {name: fit.log_evidence for name, fit in fits.items()},
                        "off_closed_form": max(abs(closed_form(fit, x, y) - fit.log_evidence) for fit in fits.values()),
                        "converged": all(fit.converged for fit in fits.values())}
    return found


def draw(study, seed, s):
    x, y = regression_set(seed, KERNELS["squared exponential"], s)
    grid = np.linspace(-s["width"] / 2 - 1, s["width"] / 2 + 1, 400)
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.8), layout="constrained", sharey=True)
    shown = {}
    for panel, (name, kernel), colour in zip(axes, KERNELS.items(), (BLUE, ORANGE), strict=True):
        fit = learned(kernel, x, y)
        at = fit.predict(grid)
        spread = 2 * np.sqrt(at.latent_variance + fit.model.numbers["noise_variance"])
        panel.fill_between(grid, at.latent_mean - spread, at.latent_mean + spread, color=colour, alpha=0.2, lw=0,
                           label="± 2 standard deviations of a target")
        panel.plot(grid, at.latent_mean, color=colour, label="mean")
        panel.scatter(x, y, s=22, color="black", zorder=3, label="targets")
        panel.set(xlabel="x", title=f"{name}: log marginal likelihood {fit.log_evidence:.2f}")
        shown[name] = {"log_evidence": fit.log_evidence, "kernel": fit.model.kernel.text, **fit.model.numbers}
    axes[0].set_ylabel("y")
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=3, frameon=False)
    study.picture(figure)
    return shown


def main():
    study = Study("regression_selection", __doc__)
    draws = study.draws(range(10 if study.quick else 100), measure, SETTINGS)
    other = dict(zip(KERNELS, reversed(list(KERNELS)), strict=True))
    sets = {}
    for truth in KERNELS:
        lead = [d[truth]["log_evidence"][truth] - d[truth]["log_evidence"][other[truth]] for d in draws]
        sets[truth] = {"preferred": sum(value > 0 for value in lead), "lead": summary(lead),
                       "not_converged": sum(not d[truth]["converged"] for d in draws)}
    study.save({"settings": SETTINGS, "printed": PRINTED, "sets": sets, "draws": len(draws), "shown": draw(study, 2, SETTINGS),
                "largest_off_closed_form": max(d[truth]["off_closed_form"] for d in draws for truth in KERNELS)})


if __name__ == "__main__":
    main()
