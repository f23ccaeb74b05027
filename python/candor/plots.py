# SPDX-License-Identifier: MIT
"""Pictures, with matplotlib.  Every function draws on `ax`, or on axes of its own, and returns them."""
from __future__ import annotations

import numpy as np

from candor._frames import columns_of, is_frame

__all__ = ["plot_boundary", "plot_evidence", "plot_expected_errors", "plot_p_wrong", "plot_reliability", "plot_samples"]

SUSPECT = "#c2410c"
PLAIN = "#1d4e89"


def _axes(ax):
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as missing:
        raise ImportError("pictures need matplotlib: pip install matplotlib") from missing
    return plt.subplots(layout="constrained")[1]


def plot_p_wrong(audit, *, ax=None):
    """`p_wrong` of every label, in the order of suspicion."""
    ax = _axes(ax)
    p = audit.rows["p_wrong"].to_numpy()
    order = np.arange(1, len(p) + 1)
    suspect = p > audit.threshold
    ax.scatter(order[~suspect], p[~suspect], s=12, color=PLAIN, label="looks right")
    ax.scatter(order[suspect], p[suspect], s=16, color=SUSPECT, label="looks wrong")
    ax.axhline(audit.threshold, color="grey", lw=0.8, ls="--")
    ax.set(xlabel="labels, most suspicious first", ylabel="probability of being wrong", ylim=(-0.02, 1.02))
    ax.legend(frameon=False)
    return ax


def plot_expected_errors(audit, *, ax=None):
    """Wrong labels to be expected among the first k rows reviewed."""
    ax = _axes(ax)
    found = np.cumsum(audit.rows["p_wrong"])
    reviewed = np.arange(1, len(found) + 1)
    ax.plot(reviewed, found, color=SUSPECT)
    ax.plot([0, len(found)], [0, found.iloc[-1]], color="grey", lw=0.8, ls="--")
    ax.text(0.5 * len(found), 0.45 * found.iloc[-1], "in any order", color="grey", ha="left", va="top")
    ax.set(xlabel="rows reviewed, most suspicious first", ylabel="wrong labels found (expected)", xlim=(0, len(found)), ylim=(0, None))
    return ax


def plot_boundary(model, X, y, *, columns=(0, 1), ax=None, resolution=120):
    """Probability of the second class over two columns of numbers, the others at their medians or commonest values."""
    ax = _axes(ax)
    table = columns_of(X) if is_frame(X) else dict(enumerate(np.asarray(X, dtype=float).T))
    a, b = (list(table)[c] if isinstance(c, int) else c for c in columns)
    first, second = np.meshgrid(*(_range(table[c], resolution) for c in (a, b)))
    grid = {name: [_typical(cells)] * first.size for name, cells in table.items()} | {a: first.ravel(), b: second.ravel()}
    p = model.predict_proba(_like(X, grid))
    top = p[:, 1] if len(model.classes_) == 2 else p.max(axis=1)
    shades = ax.contourf(first, second, top.reshape(first.shape), levels=np.linspace(0, 1, 11), cmap="RdBu_r", alpha=0.6)
    ax.figure.colorbar(shades, ax=ax, label=f"p({model.classes_[1]})" if len(model.classes_) == 2 else "p of the likeliest class")
    if len(model.classes_) == 2:
        ax.contour(first, second, top.reshape(first.shape), levels=[0.5], colors="black", linewidths=1)
    wrong = np.nan_to_num(model.p_wrong_) > 0.5 if len(model.p_wrong_) == len(X) else np.zeros(len(X), bool)
    x1, x2 = (np.asarray(table[c], dtype=float) for c in (a, b))
    for k, name in enumerate(model.classes_):
        of = np.asarray(y) == name
        ax.scatter(x1[of], x2[of], s=20, marker="ov^sD"[k % 5], edgecolor="white", lw=0.4, color=f"C{k}", label=str(name))
    if wrong.any():
        ax.scatter(x1[wrong], x2[wrong], s=90, facecolor="none", edgecolor="black", lw=1.2, label="looks wrong")
    ax.set(xlabel=a if isinstance(a, str) else f"x{a}", ylabel=b if isinstance(b, str) else f"x{b}")
    ax.legend(loc="upper left", fontsize="small", framealpha=0.9)
    return ax


def _range(cells, resolution) -> np.ndarray:
    x = np.asarray(cells, dtype=float)
    low, high = np.nanmin(x), np.nanmax(x)
    return np.linspace(low - 0.05 * (high - low), high + 0.05 * (high - low), resolution)


def _typical(cells):
    try:
        return float(np.nanmedian(np.asarray(cells, dtype=float)))
    except (TypeError, ValueError):
        return max(set(cells), key=list(cells).count)


def _like(X, grid: dict):
    """The grid as an array, or as a frame where X is one."""
    if not is_frame(X):
        return np.column_stack(list(grid.values()))
    import pandas

    return pandas.DataFrame(grid)


def plot_reliability(model, X, y, *, bins=10, ax=None):
    """Share of the second class against its predicted probability, with 90 % intervals of a binomial."""
    ax = _axes(ax)
    p = model.predict_proba(X)[:, 1]
    hit = np.asarray(y) == model.classes_[1]
    place = np.minimum((p * bins).astype(int), bins - 1)
    filled = [k for k in range(bins) if np.any(place == k)]
    centre = np.array([p[place == k].mean() for k in filled])
    share = np.array([hit[place == k].mean() for k in filled])
    count = np.array([np.sum(place == k) for k in filled])
    error = 1.645 * np.sqrt(np.maximum(share * (1 - share), 0.25 / count) / count)
    ax.plot([0, 1], [0, 1], color="grey", lw=0.8, ls="--")
    ax.errorbar(centre, share, yerr=error, fmt="o", color=PLAIN, capsize=2)
    ax.set(xlabel=f"predicted p({model.classes_[1]})", ylabel="share in the data", xlim=(0, 1), ylim=(0, 1))
    return ax


def plot_evidence(model, *, parameters=(0, 1), span=2.0, resolution=25, ax=None):
    """Log evidence over two of the kernel's log parameters, about what was learned."""
    ax = _axes(ax)
    i, j = parameters
    top, names = model.kernel_.theta, model.kernel_.names
    first, second = (np.linspace(top[k] - span, top[k] + span, resolution) for k in (i, j))
    values = np.empty((resolution, resolution))
    for row, b in enumerate(second):
        for column, a in enumerate(first):
            theta = top.copy()
            theta[i], theta[j] = a, b
            values[row, column] = model.log_evidence(theta)
    best = values.max()
    shades = ax.contourf(np.exp(first), np.exp(second), np.maximum(values - best, -20.0), levels=12, cmap="viridis")
    ax.figure.colorbar(shades, ax=ax, label="log evidence below the best")
    ax.plot(np.exp(top[i]), np.exp(top[j]), "w+", ms=12)
    ax.set(xscale="log", yscale="log", xlabel=names[i], ylabel=names[j])
    ax.xaxis.set_minor_formatter("")
    ax.yaxis.set_minor_formatter("")
    return ax


def plot_samples(kernel, *, low=-3.0, high=3.0, n_samples=5, random_state=0, ax=None):
    """Functions of one input drawn from a kernel's prior."""
    ax = _axes(ax)
    x = np.linspace(low, high, 200)
    ax.plot(x, kernel.sample(x.reshape(-1, 1), n_samples, random_state), lw=1.2)
    ax.set(xlabel="x", ylabel="f(x)", title=kernel.text)
    return ax
