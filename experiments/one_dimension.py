#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One input, two classes: Laplace's method and EP beside the sampled posterior and the process that made the labels [R06, slide 26].

The slide's points are not printed.  Ours come from three normals as its picture suggests: +1 about -6, -1 about 0, +1 about 2,
all with standard deviation 0.8.  Probit likelihood; amplitude and lengthscale at the maximum of Laplace's evidence, and all methods
at the same numbers, so that only the approximation differs.  Why the seed is 3 was not written down: of others it is counted how often the same
holds, by Laplace and EP alone.

What is sampled are latent values f of the rows.  At other inputs, f* given f is Gaussian, and so, with a = K⁻¹k* and s² = k** - aᵀk*,

    E[f*] = E[aᵀf],   Var[f*] = s² + Var[aᵀf],   p(y* = +1) = E[ Φ(aᵀf / √(1 + s²)) ]

over draws of f.
"""
import warnings

import numpy as np
from scipy.special import ndtr
from sklearn.exceptions import ConvergenceWarning
from study import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, Study, plt

from candor.kernels import RBF
from candor.models import Model, Prediction

COMPONENTS = [(-6.0, 1.0, 20), (0.0, -1.0, 30), (2.0, 1.0, 10)]  # mean, label, points
SETTINGS = {"components": COMPONENTS, "spread": 0.8, "seed": 3}
METHODS = {"laplace": ("Laplace", BLUE, "--"), "ep": ("EP", ORANGE, "-"), "sampled": ("sampled", PURPLE, "-.")}
JITTER = 1e-8  # of the variance: values that differ by 1e-4 of the prior's deviation from those of the chains


def sample(s):
    random = np.random.default_rng(s["seed"])
    x = np.concatenate([mean + s["spread"] * random.standard_normal(count) for mean, _, count in s["components"]])
    return x, np.concatenate([np.full(count, label) for _, label, count in s["components"]])


def truth(x, s):
    """p(y = +1 | x) of the three normals."""
    density = np.array([count * np.exp(-0.5 * ((x - mean) / s["spread"]) ** 2) for mean, _, count in s["components"]])
    return density[np.array([label > 0 for _, label, _ in s["components"]])].sum(axis=0) / density.sum(axis=0)


def learned(x, y):
    return Model(25.0 * RBF(2.0), "probit", inference="laplace").learn(x, y, n_restarts=2, tolerance=1e-6).model.kernel


def other_seeds(count, s, grid):
    """In how many of them Laplace and EP differ as in the one shown."""
    found = []
    for seed in [seed for seed in range(count + 1) if seed != s["seed"]][:count]:
        x, y = sample(s | {"seed": seed})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            kernel = learned(x, y)
            laplace, ep = (Model(kernel, "probit", inference=name).infer(x, y) for name in ("laplace", "ep"))
        off = [np.mean(np.abs(fit.predict(grid).p_clean - truth(grid, s))) for fit in (laplace, ep)]
        found.append({"ep_farther": np.mean(np.abs(ep.latent_mean) >= np.abs(laplace.latent_mean)) > 0.5, "ep_nearer": off[1] < off[0],
                      "laplace_above": laplace.log_evidence > ep.log_evidence})
    return {"count": count} | {key: sum(bool(f[key]) for f in found) for key in found[0]}


def predict_from_draws(kernel, x, f, grid):
    """`f`: draws x rows."""
    K, k = kernel(x[:, None]), kernel(x[:, None], grid[:, None])
    variance = K[0, 0]
    a = np.linalg.solve(K + JITTER * variance * np.eye(len(x)), k)
    left = np.maximum(variance - np.sum(a * k, axis=0), 0)
    mean = f @ a
    p = ndtr(mean / np.sqrt(1 + left)).mean(axis=0)
    return Prediction(mean.mean(axis=0), left + mean.var(axis=0), p, p)


def main():
    study = Study("one_dimension", __doc__)
    x, y = sample(SETTINGS)
    kernel = learned(x, y)
    fits = {name: Model(kernel, "probit", inference=name).infer(x, y) for name in ("laplace", "ep")}
    sampling = {"chains": 4, "draws": 1000 if study.quick else 10000, "runs": 64, "temperatures": 100 if study.quick else 1000}
    check = fits["ep"].check(**sampling, rows=range(len(y)), random_state=1)
    # From the prior it owes nothing to EP.  Of these chains nothing is used but draws to go back from.
    from_prior = {"chains": 4, "draws": 500, "runs": 32, "temperatures": 200 if study.quick else 4000}
    prior = fits["ep"].check(**from_prior, from_prior=True, random_state=2)
    grid = np.linspace(-9, 5, 400)
    at = {name: fit.predict(grid) for name, fit in fits.items()}
    at["sampled"] = predict_from_draws(kernel, x, check.draws.reshape(-1, len(y)), grid)
    draw(study, x, y, grid, at)
    means = {name: fit.latent_mean for name, fit in fits.items()} | {"sampled": check.latent_mean_mcmc}
    evidence = {name: fit.log_evidence for name, fit in fits.items()} | {"sampled": check.log_evidence_mcmc}
    numbers = {name: {"name": METHODS[name][0], "log_evidence": evidence[name], "largest_latent_mean": np.abs(means[name]).max(),
                      "distance_to_truth": np.mean(np.abs(at[name].p_clean - truth(grid, SETTINGS))),
                      "distance_to_sampled": np.mean(np.abs(at[name].p_clean - at["sampled"].p_clean)),
                      "mean_off": np.max(np.abs(means[name] - check.latent_mean_mcmc) / np.sqrt(check.latent_variance_mcmc))} for name in METHODS}
    study.save({"settings": SETTINGS | sampling | {"from_prior": from_prior}, "kernel": kernel.text, "methods": numbers,
                "sampling": {"r_hat": check.worst_r_hat, "effective_draws": check.least_effective_draws, "settled": check.settled,
                             "there": check.annealed, "back": check.annealed_back,
                             "from_prior": {"there": prior.annealed, "back": prior.annealed_back}},
                "other_seeds": other_seeds(3 if study.quick else 20, SETTINGS, grid),
                "ep_farther_from_zero": float(np.mean(np.abs(means["ep"]) >= np.abs(means["laplace"])))})


def draw(study, x, y, grid, at):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.4, 4.0), layout="constrained")
    for name, (label, colour, line) in METHODS.items():
        left.plot(grid, at[name].p_clean, color=colour, ls=line, label=label)
        spread = 2 * np.sqrt(at[name].latent_variance)
        right.plot(grid, at[name].latent_mean, color=colour, ls=line, label=f"{label}: mean ± 2 sd")
        right.fill_between(grid, at[name].latent_mean - spread, at[name].latent_mean + spread, color=colour, alpha=0.15, lw=0)
    left.plot(grid, truth(grid, SETTINGS), color=GREEN, ls=":", lw=2, label="process that made the labels")
    for sign, mark, colour, name in ((1, "+", RED, "class +1"), (-1, "o", GREY, "class −1")):
        left.scatter(x[y == sign], np.full((y == sign).sum(), (sign + 1) / 2), marker=mark, s=28, color=colour, lw=1, label=name)
    left.set(xlabel="x", ylabel="p(y = +1 | x)", ylim=(-0.04, 1.04))
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=6, frameon=False)
    right.set(xlabel="x", ylabel="latent f(x)")
    right.legend(loc="upper center")
    study.picture(figure)


if __name__ == "__main__":
    main()
