#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The models behind the tables of [KG08] and [KGk], sampled: is what the papers compare right, or an error of EP?

Draws, splits and fits are those of ring_outliers.py, thyroid_outliers.py and thyroid_flips.py.  Each fit keeps its numbers; Markov chains sample
its latent values, and annealed importance sampling its evidence, there and back, from the prior: it owes nothing to EP.  What is called sampled is
the mean of there and back (study.annealed).  Beside EP stands the variational bound at the same numbers.  Every fit has random numbers of its own.

    regular    ε = 0
    em_ep      ε and v₂ by the published EM-EP; of [KGk] ε alone
    evidence   the same at the maximum of EP's evidence
"""
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from study import BLUE, GREEN, GREY, PURPLE, Study, annealed, best_of, plt, thyroid, thyroid_split, with_changed

import ring_outliers
import thyroid_flips
import thyroid_outliers
from candor.models import Model

NAMES = {"regular": "regular, ε = 0", "em_ep": "robust, EM-EP", "evidence": "robust, evidence"}
SOURCES = {"ring": "ring", "thyroid": "New Thyroid, halves", "flips": "New Thyroid, 194 rows"}
# Of anneals: step by step to many rows whose labels are certain takes more.
TEMPERATURES = {"ring": 2000, "thyroid": 2000, "flips": 10000}
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
    if source == "thyroid":
        X, clean, *_, changed = thyroid_split(seed, *table, len(table[1]) // 2)
        y = with_changed(clean, thyroid_outliers.rows_changed(changed, setting))
        return X, y, thyroid_outliers.processes(X, y, thyroid_outliers.SETTINGS)
    X, clean, *_, changed = thyroid_split(seed, *table, thyroid_flips.SETTINGS["training"])
    y = with_changed(clean, changed[:setting])
    kernel = thyroid_flips.held_model(X, clean, thyroid_flips.SETTINGS).kernel
    found = thyroid_flips.variants(kernel, X, y, thyroid_flips.SETTINGS)
    return X, y, {name: best_of(found[name]) for name in NAMES}


def sampled(fit, X, y, s, seed):
    check = fit.check(**s, from_prior=True, random_state=seed)
    bound = Model(fit.model.kernel, "threshold", inference="variational", **fit.model.numbers).infer(X, y)
    spread = np.sqrt(check.latent_variance_mcmc)
    off, noise = np.abs(check.latent_mean - check.latent_mean_mcmc) / spread, check.latent_mean_error / spread
    evidence = annealed(check)
    return {"log_evidence": fit.log_evidence, "sampled": evidence["log_evidence"], "error": evidence["error"], "bound": bound.log_evidence,
            "bound_converged": bound.converged, "there": evidence["there"], "back": evidence["back"], "settled": check.settled, "r_hat": check.worst_r_hat,
            "effective_draws": check.least_effective_draws, "judgement": check.judgement,
            "mean_beyond": float(np.max(off - 2 * noise, initial=0.0)),
            "p_wrong_beyond": float(np.max(np.abs(check.p_wrong - check.p_wrong_mcmc) - 2 * check.p_wrong_error, initial=0.0))}


def measure(case, s, table, place):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # R-hat and all the rest are results here
        X, y, fits = fits_of(case, table)
        return {name: sampled(fits[name], X, y, s, len(NAMES) * place + k) for k, name in enumerate(NAMES)}


def main():
    study = Study("robust_sampling", __doc__)
    table = thyroid(study)
    sampler = {"chains": 4, "draws": 500 if study.quick else 1000, "runs": 16}
    temperatures = dict.fromkeys(TEMPERATURES, 200) if study.quick else TEMPERATURES
    all_cases = list(cases(study.quick))
    settings = {"sampler": sampler, "temperatures": temperatures, "cases": all_cases, **{module.__name__: module.SETTINGS for module in (ring_outliers, thyroid_outliers, thyroid_flips)}}

    def measured(k, s):
        case = all_cases[k]
        return {"case": case, **measure(case, s["sampler"] | {"temperatures": s["temperatures"][case[0]]}, table, k)}

    draws = study.draws(range(len(all_cases)), measured, settings)
    study.save({"settings": settings, "sources": SOURCES, "names": NAMES, "draws": draws})
    draw(study, draws)


def draw(study, draws):
    figure, axes = plt.subplots(1, 3, figsize=(11.4, 3.9), layout="constrained")
    for panel, (source, heading) in zip(axes, SOURCES.items(), strict=True):
        for name, (colour, mark) in COLOURS.items():
            for settled, face, label in ((True, colour, NAMES[name]), (False, "white", None)):
                entries = [d[name] for d in draws if d["case"][0] == source and d[name]["settled"] == settled]
                panel.errorbar([e["sampled"] for e in entries], [e["log_evidence"] - e["sampled"] for e in entries], [e["error"] for e in entries],
                               fmt=mark, ms=4, lw=0.8, color=colour, mfc=face, label=label)
        panel.axhline(0, color=GREY, lw=0.8)
        panel.set(xlabel="log evidence, sampled", title=heading)
    axes[0].set_ylabel("log evidence: EP less sampled (open: not settled)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    study.picture(figure)


if __name__ == "__main__":
    main()
