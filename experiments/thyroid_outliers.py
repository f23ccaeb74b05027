#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""New Thyroid with changed labels, [KG08] table 2: halves to learn from and to test on, 0, 5, 10 and 15 % changed.

k = v₀ exp(-½ l Σ d²) + v₁ with v₀ = 1, v₁ = 1e-8, l = 0.05 held, columns standardised by the training rows (the paper does not
say how its columns are scaled, and prints two l for five columns), ε and v₂ learned:

    svm        support vector machine with the same kernel, C by five folds on the changed labels
    regular    ε = 0, v₂ at the maximum of EP's evidence
    em_ep      ε and v₂ by the published EM-EP, from ε = 0.02, v₂ = 0.1
    selected   whichever of these two has more evidence
    evidence   ε and v₂ at the maximum of EP's evidence: not in the paper.  The best of three starts, one of them the regular model with
               a tiny ε, since the other two alone stalled below it in one split of 20
"""
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC
from study import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, Study, best_of, plt, still_moving, summary, thyroid, thyroid_split, with_changed

from candor.kernels import RBF, Constant
from candor.models import Model

RATES = ["0", "5", "10", "15"]  # per cent of the training labels
SETTINGS = {"v0": 1.0, "v1": 1e-8, "l": 0.05, "rate": 0.02, "tiny_rate": 1e-4, "noise": [0.1, 0.01], "em_ep_steps": 300,
            "svm_C": [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0]}
# Mean and standard error as printed, for RATES.
PRINTED = {
    "svm": {"error": [(4.07, 0.60), (5.09, 0.96), (6.76, 1.10), (8.80, 1.13)]},
    "regular": {"log_evidence": [(-24.4, 0.6), (-41.8, 0.8), (-51.8, 1.1), (-60.2, 1.0)],
                "error": [(3.70, 0.36), (4.90, 0.77), (7.50, 0.88), (8.15, 1.42)]},
    "em_ep": {"log_evidence": [(-27.8, 0.5), (-41.7, 0.8), (-50.9, 0.7), (-59.2, 0.7)],
              "error": [(4.54, 0.55), (5.28, 0.56), (6.30, 0.89), (6.94, 0.75)]},
    "selected": {"log_evidence": [(-24.4, 0.6), (-41.0, 0.7), (-50.5, 0.7), (-58.6, 0.8)],
                 "error": [(3.70, 0.36), (4.54, 0.62), (6.76, 0.76), (6.85, 0.73)]},
}
# Whose errors the paper compares: it calls the first the better one, at some rates.
COMPARED = {"em_ep": ["svm", "regular"], "regular": ["svm", "em_ep"], "selected": ["svm", "regular"]}
NAMES = {"svm": "SVM", "regular": "regular", "em_ep": "robust, EM-EP", "selected": "the better by evidence",
         "evidence": "robust, evidence"}


def machine(X, y, seed, s):
    """v₁ shifts the kernel by a constant that no separating plane with an offset can see: it is left out."""
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    return GridSearchCV(SVC(kernel="rbf", gamma=s["l"] / 2), {"C": s["svm_C"]}, cv=folds).fit(X, y)


def processes(X, y, s):
    kernel = s["v0"] * RBF(1 / np.sqrt(s["l"])) + Constant(s["v1"])

    def start(rate, noise):
        return Model(kernel, "threshold", flip_probability=rate, noise_variance=noise)

    def best(starts):
        return best_of([start(rate, noise).learn(X, y, hold=["kernel"], tolerance=1e-6) for rate, noise in starts])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # counted instead
        regular = best([(0.0, noise) for noise in s["noise"]])
        nested = (s["tiny_rate"], regular.model.numbers["noise_variance"])
        found = {"regular": regular, "evidence": best([(s["rate"], noise) for noise in s["noise"]] + [nested]),
                 "em_ep": start(s["rate"], s["noise"][0]).learn_by_em_ep(X, y, hold=["kernel"], accelerate=True,
                                                                         max_steps=s["em_ep_steps"])}
    return found | {"selected": max(found["regular"], found["em_ep"], key=lambda fit: fit.log_evidence)}


def rows_changed(order, rate):
    """The first of an order, `rate` per cent of it."""
    return order[: round(int(rate) / 100 * len(order))]


def measure(seed, s, X, y):
    """One split at every rate; the rows changed at a lower rate are among those at a higher one."""
    Z, clean, Z_test, y_test, changed = thyroid_split(seed, X, y, len(y) // 2)
    found = {}
    for rate in RATES:
        noisy = with_changed(clean, rows_changed(changed, rate))
        entry = {"svm": {"error": 100 * np.mean(machine(Z, noisy, seed, s).predict(Z_test) != y_test)}}
        for name, fit in processes(Z, noisy, s).items():
            entry[name] = {"log_evidence": fit.log_evidence, "converged": fit.converged, "moving": still_moving(fit),
                           "error": 100 * np.mean(np.sign(fit.predict(Z_test).latent_mean) != y_test),
                           "rate": fit.model.numbers["flip_probability"], "noise": fit.model.numbers["noise_variance"]}
        found[rate] = entry
    return found


def draw(study, models, draws):
    figure, axes = plt.subplots(1, 3, figsize=(11.4, 3.9), layout="constrained")
    rates = np.array([int(rate) for rate in RATES])
    style = {"svm": (GREY, "v"), "regular": (BLUE, "s"), "em_ep": (PURPLE, "^"), "selected": (ORANGE, "D"),
             "evidence": (GREEN, "o")}
    for panel, key, label in ((axes[0], "log_evidence", "log evidence"), (axes[1], "error", "test error (%)")):
        for shift, (name, (colour, mark)) in zip(np.linspace(-0.6, 0.6, 5), style.items(), strict=True):
            if key not in models[name]:
                continue
            ours = models[name][key]
            panel.errorbar(rates + shift, [o["mean"] for o in ours], [o["error"] for o in ours], color=colour, marker=mark, ms=5,
                           lw=1, capsize=2, label=f"{NAMES[name]}")
            if name in PRINTED:
                panel.scatter(rates + shift, [mean for mean, _ in PRINTED[name][key]], marker="_", s=110, color=colour, lw=2)
        panel.set(xlabel="labels changed (%)", ylabel=label, xticks=rates)
    handles, names = axes[1].get_legend_handles_labels()
    handles.append(axes[1].scatter([], [], marker="_", s=110, color="black", lw=2))
    axes[1].legend(handles, [*names, "bars: as printed"], loc="upper left")
    axes[0].set_title(f"means and standard errors of {len(draws)} splits")
    for name in ("em_ep", "evidence"):
        ours = models[name]["rate"]
        axes[2].errorbar(rates, [100 * o["mean"] for o in ours], [100 * o["error"] for o in ours], color=style[name][0],
                         marker=style[name][1], ms=5, lw=1, capsize=2, label=NAMES[name])
    axes[2].plot(rates, rates, color=RED, ls="--", lw=1, label="truth")
    axes[2].set(xlabel="labels changed (%)", ylabel="learned ε (%)", xticks=rates)
    axes[2].legend(loc="upper left")
    study.picture(figure)


def main():
    study = Study("thyroid_outliers", __doc__)
    X, y = thyroid(study)
    draws = study.draws(range(2 if study.quick else 20), lambda seed, s: measure(seed, s, X, y), SETTINGS)
    models = {}
    for name in NAMES:
        keys = ["error"] if name == "svm" else ["log_evidence", "error", "rate"]
        models[name] = {key: [summary([d[rate][name][key] for d in draws]) for rate in RATES] for key in keys}
        models[name]["name"] = NAMES[name]
        if name != "svm":
            models[name]["not_converged"] = [sum(not d[rate][name]["converged"] for d in draws) for rate in RATES]
            models[name]["largest_moving"] = max(d[rate][name]["moving"] for d in draws for rate in RATES)
    gains = {name: {key: [summary([d[rate][name][key] - d[rate]["regular"][key] for d in draws]) for rate in RATES]
                    for key in ("log_evidence", "error")} for name in ("em_ep", "selected", "evidence")}
    leads = {better: {other: [summary([d[rate][other]["error"] - d[rate][better]["error"] for d in draws]) for rate in RATES] for other in others}
             for better, others in COMPARED.items()}
    least = min(d[rate]["evidence"]["log_evidence"] - d[rate]["regular"]["log_evidence"] for d in draws for rate in RATES)
    study.save({"settings": SETTINGS, "rates": RATES, "printed": PRINTED, "draws": len(draws), "models": models,
                "over_regular": gains, "error_leads": leads, "least_evidence_gain": least})
    draw(study, models, draws)


if __name__ == "__main__":
    main()
