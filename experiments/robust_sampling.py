#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The models behind the tables of [KG08] and [KGk], sampled: is what the papers compare right, or an error of EP?

Draws, splits and fits are those of ring_outliers.py, thyroid_outliers.py and thyroid_flips.py.  Each fit keeps its numbers; Markov chains sample
its latent values, and annealed importance sampling its evidence, there and back, from the prior: it owes nothing to EP.  What is called sampled is
the mean of there and back, and its error the standard error or half of their difference, whichever is larger.  Beside EP stands the variational
bound at the same numbers.

    regular    ε = 0
    em_ep      ε and v₂ by the published EM-EP; of [KGk] ε alone
    evidence   the same at the maximum of EP's evidence
"""
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from study import BLUE, GREEN, GREY, PURPLE, Study, plt, split, standardised, thyroid, with_changed

import ring_outliers
import thyroid_flips
import thyroid_outliers
from candor.models import Model

NAMES = {"regular": "regular, ε = 0", "em_ep": "robust, EM-EP", "evidence": "robust, evidence"}
SOURCES = {"ring": "ring", "thyroid": "New Thyroid, halves", "flips": "New Thyroid, 194 rows"}
COLOURS = {"regular": (BLUE, "s"), "em_ep": (PURPLE, "^"), "evidence": (GREEN, "o")}


def cases(quick):
    """Source, draw and setting: per cent changed of a half, or labels changed of 194."""
    draws, splits = (2, 1) if quick else (20, 4)
    yield from (("ring", seed, None) for seed in range(draws))
    yield from (("thyroid", seed, rate) for seed in range(splits) for rate in (thyroid_outliers.RATES if not quick else ["0", "10"]))
    yield from (("flips", 0, count) for count in (thyroid_flips.FLIPS if not quick else [0, 9]))


def fits_of(case, table):
    """Rows, labels and fits of a case."""
    source, seed, setting = case
    if source == "ring":
        X, y, *_ = ring_outliers.ring(seed, ring_outliers.SETTINGS)
        return X, y, ring_outliers.fits(X, y, ring_outliers.SETTINGS)
    module = thyroid_outliers if source == "thyroid" else thyroid_flips
    rows = len(table[1])
    train, _, changed = split(seed, rows, rows // 2 if source == "thyroid" else module.SETTINGS["training"])
    X, _ = standardised(table[0][train], table[0][train])
    clean = table[1][train]
    if source == "thyroid":
        y = with_changed(clean, changed[: round(int(setting) / 100 * len(train))])
        return X, y, module.processes(X, y, module.SETTINGS)
    y = with_changed(clean, changed[:setting])
    kernel = module.held_model(X, clean, module.SETTINGS).kernel
    found = module.variants(kernel, X, y, module.SETTINGS)
    return X, y, {name: max(found[name], key=lambda fit: (fit.converged, fit.log_evidence)) for name in NAMES}


def sampled(fit, X, y, s):
    check = fit.check(**s, from_prior=True, random_state=1)
    bound = Model(fit.model.kernel, "threshold", inference="variational", **fit.model.numbers).infer(X, y)
    spread = np.sqrt(check.latent_variance_mcmc)
    there, back = check.annealed, check.annealed_back
    noise = np.hypot(there["standard_error"], back["standard_error"]) / 2
    return {"log_evidence": fit.log_evidence, "sampled": (there["log_evidence"] + back["log_evidence"]) / 2,
            "error": max(noise, abs(there["log_evidence"] - back["log_evidence"]) / 2), "bound": bound.log_evidence, "bound_converged": bound.converged,
            "there": there, "back": back, "settled": check.settled, "r_hat": check.worst_r_hat,
            "effective_draws": check.least_effective_draws,
            "mean_off": float(np.max(np.abs(check.latent_mean - check.latent_mean_mcmc) / spread)),
            "p_wrong_beyond": float(np.max(np.abs(check.p_wrong - check.p_wrong_mcmc) - 2 * check.p_wrong_error, initial=0.0))}


def measure(case, s, table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # R-hat and all the rest are results here
        X, y, fits = fits_of(case, table)
        return {name: sampled(fits[name], X, y, s) for name in NAMES}


def main():
    study = Study("robust_sampling", __doc__)
    table = thyroid(study)
    settings = {"chains": 4, "draws": 500 if study.quick else 1000, "runs": 16, "temperatures": 200 if study.quick else 2000}
    all_cases = list(cases(study.quick))
    draws = study.draws(range(len(all_cases)), lambda k, s: {"case": all_cases[k], **measure(all_cases[k], s, table)}, settings)
    study.save({"settings": settings, "sources": SOURCES, "names": NAMES, "draws": draws})
    draw(study, draws)


def draw(study, draws):
    figure, axes = plt.subplots(1, 3, figsize=(11.4, 3.9), layout="constrained")
    for panel, (source, heading) in zip(axes, SOURCES.items(), strict=True):
        for name, (colour, mark) in COLOURS.items():
            entries = [d[name] for d in draws if d["case"][0] == source]
            panel.errorbar([e["sampled"] for e in entries], [e["log_evidence"] - e["sampled"] for e in entries], [e["error"] for e in entries],
                           fmt=mark, ms=4, lw=0.8, color=colour, label=NAMES[name])
        panel.axhline(0, color=GREY, lw=0.8)
        panel.set(xlabel="log evidence, sampled", title=heading)
    axes[0].set_ylabel("EP's log evidence less the sampled")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    study.picture(figure)


if __name__ == "__main__":
    main()
