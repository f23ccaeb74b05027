#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Linear logistic regression, by maximum likelihood and with a prior on its weights [P12].

Maximum likelihood by Newton's method.  Where a plane separates the classes there is no maximum, the weights run to infinity:
this is found out beforehand by a linear program, and said.  With w ~ N(0, I/α) there always is a posterior; Laplace's
approximation of it, in weights, and Laplace's method for the Gaussian process with the covariance (1 + xᵀx')/α are the same
thing, and both are computed here: weights in a few lines of NumPy, the process by the library.

New Thyroid, standardised: normal against not normal by T4 and T3, which overlap, and Hyper against Hypo, which are apart.
"""
import numpy as np
from scipy.optimize import linprog
from study import BLUE, GREY, ORANGE, Study, plt

from candor.kernels import Constant, Linear
from candor.models import Model

SETTINGS = {"columns": ["T4", "T3"], "alpha": [1.0, 0.1, 0.01]}


def sigmoid(t):
    return np.exp(-np.logaddexp(0, -t))


def separable(Z, y):
    """Whether some w has y zᵀw ≥ 0 in all rows and > 0 in one: maximise Σ s, y zᵀw ≥ s, 0 ≤ s ≤ 1."""
    n, d = Z.shape
    found = linprog(np.concatenate([np.zeros(d), -np.ones(n)]), A_ub=np.hstack([-y[:, None] * Z, np.eye(n)]), b_ub=np.zeros(n),
                    bounds=[(None, None)] * d + [(0, 1)] * n)
    if found.status != 0:
        raise ArithmeticError(f"the linear program failed: {found.message}")
    return bool(-found.fun > 1e-6)  # slacks of a solver's tolerance are no separation


def mode(Z, y, alpha=0.0, steps=100):
    """Newton's method on Σ log σ(y zᵀw) - ½ α wᵀw, steps halved until it climbs; and minus the Hessian there."""
    w = np.zeros(Z.shape[1])
    height = -np.inf
    for _ in range(steps):
        p = sigmoid(Z @ w)
        H = Z.T @ ((p * (1 - p))[:, None] * Z) + alpha * np.eye(len(w))
        slope = Z.T @ ((y + 1) / 2 - p) - alpha * w
        if np.abs(slope).max() < 1e-10:
            return w, H
        step = np.linalg.solve(H, slope)
        while (height := _height(Z, y, w + step, alpha)) < _height(Z, y, w, alpha) - 1e-12:
            step /= 2
        w = w + step
    raise ArithmeticError(f"no maximum after {steps} steps: |w| = {np.linalg.norm(w):.3g}, height {height:.3g}")


def _height(Z, y, w, alpha):
    return -np.logaddexp(0, -y * (Z @ w)).sum() - 0.5 * alpha * w @ w


def weight_space(Z, y, Z_new, alpha):
    """Laplace in weights: q(w) = N(ŵ, H⁻¹); log evidence log p(y|ŵ)p(ŵ) + ½ d log 2π - ½ log|H|."""
    w, H = mode(Z, y, alpha)
    mean, variance = Z_new @ w, np.einsum("ij,ij->i", Z_new, np.linalg.solve(H, Z_new.T).T)
    evidence = _height(Z, y, w, alpha) + 0.5 * len(w) * np.log(alpha) - 0.5 * np.linalg.slogdet(H)[1]
    return w, mean, variance, evidence


def with_one(X):
    return np.column_stack([np.ones(len(X)), X])


def problems(study):
    table = study.table("new_thyroid")
    X = np.column_stack([table[c].astype(float) for c in SETTINGS["columns"]])
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    kinds = table["label"]
    sick = kinds != "Normal"
    return {"normal, or not": (X, np.where(sick, 1.0, -1.0), ("not normal", "normal")),
            "Hyper, or Hypo": (X[sick], np.where(kinds[sick] == "Hyper", 1.0, -1.0), ("Hyper", "Hypo"))}


def both_views(X, y, grid, alpha):
    """Largest differences between weights and process, over rows of the grid."""
    _, mean, variance, evidence = weight_space(with_one(X), y, with_one(grid), alpha)
    fit = Model(1 / alpha * Linear() + Constant(1 / alpha), "logistic", inference="laplace").infer(X, y)
    at = fit.predict(grid)
    return {"alpha": alpha, "log_evidence_weights": evidence, "log_evidence_process": fit.log_evidence,
            "mean_off": np.abs(at.latent_mean - mean).max() / np.abs(mean).max(),
            "variance_off": np.abs(at.latent_variance - variance).max() / variance.max(),
            "evidence_off": abs(fit.log_evidence - evidence)}, at.p_clean


def main():
    study = Study("linear_logistic", __doc__)
    figure, axes = plt.subplots(2, 2, figsize=(9.6, 7.4), layout="constrained")
    results = {}
    for row, (name, (X, y, classes)) in zip(axes, problems(study).items(), strict=True):
        sides = [np.linspace(X[:, c].min() - 0.5, X[:, c].max() + 0.5, 90) for c in (0, 1)]
        a, b = np.meshgrid(*sides)
        grid = np.column_stack([a.ravel(), b.ravel()])
        apart = separable(with_one(X), y)
        entry = {"rows": len(y), "separable": apart, "maximum_likelihood": None, "views": []}
        if apart:
            title = f"{name}: no maximum likelihood, a plane separates them"
            w = mode(with_one(X), y, 1e-6)[0]
            p, note = sigmoid(with_one(grid) @ w), f"shown: α = 1e-6, |w| = {np.linalg.norm(w):.0f}, and growing as α falls"
            entry["weights_at_tiny_alpha"] = [float(np.linalg.norm(mode(with_one(X), y, tiny)[0])) for tiny in (1e-2, 1e-4, 1e-6)]
        else:
            w, H = mode(with_one(X), y)
            entry["maximum_likelihood"] = {"weights": w, "errors": np.sqrt(np.diag(np.linalg.inv(H))),
                                           "log_likelihood": _height(with_one(X), y, w, 0.0)}
            p, title, note = sigmoid(with_one(grid) @ w), f"{name}: maximum likelihood", f"|w| = {np.linalg.norm(w):.2f}"
        panel(row[0], a, b, p, X, y, classes, f"{title}\n{note}")
        for alpha in SETTINGS["alpha"]:
            view, p_bayes = both_views(X, y, grid, alpha)
            entry["views"].append(view)
            if alpha == 0.1:
                shades = panel(row[1], a, b, p_bayes, X, y, classes, f"{name}: averaged over weights\nα = 0.1")
        figure.colorbar(shades, ax=row, label=f"p({classes[0]})")
        results[name] = entry
    study.picture(figure)
    study.save({"settings": SETTINGS, "problems": results})


def panel(axes, a, b, p, X, y, classes, title):
    shades = axes.contourf(a, b, p.reshape(a.shape), levels=np.linspace(0, 1, 11), cmap="PuOr_r", alpha=0.7)
    axes.contour(a, b, p.reshape(a.shape), levels=[0.1, 0.5, 0.9], colors=[GREY, "black", GREY], linewidths=[0.9, 1.4, 0.9])
    for sign, colour, mark, name in ((1, ORANGE, "o", classes[0]), (-1, BLUE, "s", classes[1])):
        axes.scatter(*X[y == sign].T, s=18, marker=mark, color=colour, edgecolor="black", linewidth=0.4, label=name)
    axes.set(xlabel="T4, standardised", ylabel="T3, standardised", title=title)
    axes.legend(loc="lower right")
    return shades


if __name__ == "__main__":
    main()
