# SPDX-License-Identifier: MIT
# %% [markdown]
# # Comparing kernels by evidence
#
# The evidence is the probability of the labels given a model.  It needs no validation set, and weighs a better fit
# against the freedom that bought it.  Here the truth is known: the class depends on two of three columns, along
# a curve, and one label in twenty is wrong.

# %%
import pathlib

import numpy as np

from candor import GPClassifier
from candor.kernels import RBF, Linear, Matern

OUT = pathlib.Path(__file__).resolve().parent.parent / "build" / "examples"
OUT.mkdir(parents=True, exist_ok=True)


def curve(n, random):
    X = random.uniform(-2, 2, (n, 3))
    return X, np.where(X[:, 1] > np.sin(2 * X[:, 0]), "above", "below")


random = np.random.default_rng(4)
X, y = curve(200, random)
wrong = random.random(len(y)) < 0.05
y[wrong] = np.where(y[wrong] == "above", "below", "above")
X_test, y_test = curve(4000, random)

# %% [markdown]
# Kernels add and multiply.  Several length scales are one per column: a long one says that its column does not matter.

# %%
kernels = {
    "linear": 1.0 * Linear(),
    "RBF": 1.0 * RBF(1.0),
    "RBF, a scale per column": 1.0 * RBF([1.0, 1.0, 1.0]),
    "Matern 3/2, a scale per column": 1.0 * Matern([1.0, 1.0, 1.0], nu=1.5),
    "RBF, a scale per column, + linear": 1.0 * RBF([1.0, 1.0, 1.0]) + 0.1 * Linear(),
}

# %% [markdown]
# One model for each, with its label-error rate learned.  `log_integrated` is the evidence with the hyperparameters
# integrated out, which is what models should be compared by; a difference of 5 means odds of 150 to 1.

# %%
print(f"{'kernel':34} {'log evidence':>13} {'integrated':>11} {'error':>7} {'log loss':>9}")
integrated, log_loss, models = {}, {}, {}
for name, kernel in kernels.items():
    model = models[name] = GPClassifier(kernel, likelihood="robust", average="none", n_jobs=1).fit(X, y)
    line = model.evidence_table_.iloc[0]
    integrated[name] = line["log_integrated"]
    p = model.predict_proba(X_test)[np.arange(len(y_test)), np.searchsorted(model.classes_, y_test)]
    log_loss[name] = -np.mean(np.log(p))
    print(f"{name:34} {line['log_evidence']:13.2f} {integrated[name]:11.2f} {np.mean(p < 0.5):7.1%} {log_loss[name]:9.4f}")

best = max(integrated, key=integrated.get)
print(f"best by evidence: {best}; best on {len(y_test)} other rows: {min(log_loss, key=log_loss.get)}")

# %% [markdown]
# What was learned.  The third column is noise.

# %%
learned = models["RBF, a scale per column"].kernel_
for name, value in zip(learned.names, np.exp(learned.theta)):
    print(f"{name}: {value:.2f}")

# %% [markdown]
# Given a list, the classifier tries them all by itself; with `average="none"` the one of most evidence predicts.

# %%
chosen = GPClassifier(list(kernels.values()), likelihood="robust", average="none", n_jobs=1).fit(X, y)
table = chosen.evidence_table_.assign(kernel=list(kernels))
print(table[["kernel", "log_integrated", "probability"]].to_string(index=False, float_format="{:.3f}".format))
print("chosen:", chosen.kernel_)

# %% [markdown]
# The evidence over two of the hyperparameters, and functions drawn from two priors.

# %%
try:
    import matplotlib
except ImportError:
    print("matplotlib is not installed: no pictures")
else:
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from candor.plots import plot_boundary, plot_evidence, plot_samples

    figure, axes = plt.subplots(2, 2, figsize=(11, 8), layout="constrained")
    plot_boundary(models["RBF, a scale per column"], X, y, ax=axes[0, 0])
    plot_evidence(models["RBF"], resolution=13, ax=axes[0, 1])
    plot_samples(RBF(1.0), ax=axes[1, 0])
    plot_samples(Matern(1.0, nu=1.5), ax=axes[1, 1])
    figure.savefig(OUT / "comparing_kernels.png", dpi=100)
    print("wrote comparing_kernels.png")
