# SPDX-License-Identifier: MIT
# %% [markdown]
# # Calibrated probabilities under label noise
#
# Three labels in twenty are wrong.  A classifier that takes them at their word learns how often labels *say* a class,
# not how often it *is* that class.  A robust one tells the two apart.

# %%
import pathlib

import numpy as np

from candor import GPClassifier
from candor.kernels import RBF

OUT = pathlib.Path(__file__).resolve().parent.parent / "build" / "examples"
OUT.mkdir(parents=True, exist_ok=True)
FLIPS = 0.15


def ring(n, random):
    """Inside or outside of a circle: sure far from it, a matter of chance near it."""
    X = random.uniform(-1, 1, (n, 2))
    outside = (X**2).sum(axis=1) - 0.5 + 0.08 * random.normal(size=n) > 0
    return X, outside.astype(int)


def flipped(y, random):
    return np.where(random.random(len(y)) < FLIPS, 1 - y, y)


random = np.random.default_rng(11)
X, clean = ring(350, random)
y = flipped(clean, random)
X_test, y_test = ring(5000, random)
recorded_test = flipped(y_test, random)

# %% [markdown]
# The same kernel twice: once as if every label were right, once with a learned share of wrong ones.

# %%
models = {
    "regular": GPClassifier(1.0 * RBF(1.0), likelihood="regular", n_jobs=1).fit(X, y),
    "robust": GPClassifier(1.0 * RBF(1.0), likelihood="robust", n_jobs=1).fit(X, y),
}
robust = models["robust"]
low, high = robust.label_error_rate_interval_
print(f"labels that are wrong: {np.mean(y != clean):.1%}; "
      f"learned: {robust.label_error_rate_:.1%}, with 90 % between {low:.1%} and {high:.1%}")
print("log evidence: " + ", ".join(f"{name} {model.log_evidence_:.2f}" for name, model in models.items()))

# %% [markdown]
# Log loss and calibration on rows whose labels are right.  The calibration error is the mean distance, over ten bins
# of predicted probability, to the share that was seen.


# %%
def log_loss(p, y):
    return -np.mean(np.log(np.clip(np.where(y == 1, p, 1 - p), 1e-12, 1.0)))


def calibration_error(p, y, bins=10):
    place = np.minimum((p * bins).astype(int), bins - 1)
    total = np.bincount(place, minlength=bins)
    gaps = np.abs(np.bincount(place, p, bins) - np.bincount(place, y, bins))
    return gaps[total > 0].sum() / len(p)


print(f"{'':10} {'error':>7} {'log loss':>9} {'calibration error':>18} {'mean confidence':>16}")
for name, model in models.items():
    p = model.predict_proba(X_test)[:, 1]
    print(f"{name:10} {np.mean((p > 0.5) != y_test):7.1%} {log_loss(p, y_test):9.4f} {calibration_error(p, y_test):18.4f} "
          f"{np.mean(np.maximum(p, 1 - p)):16.3f}")

# %% [markdown]
# What will be *recorded* is another question: errors included, nothing is surer than the labels are.  Against labels as
# recorded, `predict_observed_proba` is the calibrated one.

# %%
true, observed = (predict(X_test)[:, 1] for predict in (robust.predict_proba, robust.predict_observed_proba))
print(f"against right labels:    log loss of true classes {log_loss(true, y_test):.4f}, "
      f"of labels {log_loss(observed, y_test):.4f}")
print(f"against recorded labels: log loss of true classes {log_loss(true, recorded_test):.4f}, "
      f"of labels {log_loss(observed, recorded_test):.4f}")

# %% [markdown]
# The same holds for `p_wrong_`, the probability that each training label is wrong: summed up, it counts them.

# %%
p_wrong = robust.p_wrong_
print(f"wrong labels expected: {p_wrong.sum():.1f}; there are {np.sum(y != clean)}")
for least, most in ((0.0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 1.0)):
    here = (p_wrong >= least) & (p_wrong < most + (most == 1.0))
    if here.any():
        print(f"p_wrong from {least:.1f} to {most:.1f}: {here.sum():4d} labels, {np.mean(y[here] != clean[here]):6.1%} of them wrong, "
              f"{p_wrong[here].mean():6.1%} expected")

# %%
try:
    import matplotlib
except ImportError:
    print("matplotlib is not installed: no pictures")
else:
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from candor.plots import plot_boundary, plot_reliability

    figure, axes = plt.subplots(1, 3, figsize=(15, 4.5), layout="constrained")
    for ax, (name, model) in zip(axes, models.items()):
        plot_reliability(model, X_test, y_test, ax=ax)
        ax.set_title(f"{name}, right labels")
    plot_boundary(robust, X, y, ax=axes[2])
    figure.savefig(OUT / "calibrated_probabilities.png", dpi=100)
    print("wrote calibrated_probabilities.png")
