#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Threes and fives of USPS at four pairs of hyperparameters: evidence and posterior by sampling, beside Laplace's method and EP
[R06, slides 27 and 28].

The pairs are the two maxima that the book prints and the two of usps_3v5.py, whose digits, partition and kernel these are.  At each, Markov
chains sample the latent values of all rows, and annealed importance sampling estimates the evidence, there and back, from the prior: it owes
nothing to EP.  The row whose histogram is drawn is the one whose means by Laplace and EP are farthest apart, in deviations of EP.
"""
import json
import sys
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from study import BLUE, GREEN, GREY, ORANGE, Study, annealed, plt
from usps_3v5 import ENGINES, PRINTED, digits, model

COLOURS = {"laplace": (BLUE, "--"), "ep": (ORANGE, "-")}


def pairs(study):
    """Where, by what it is; ours are those of the other experiment's results."""
    path = study.output.parent / "usps_3v5.json"
    if not path.exists():
        sys.exit(f"{study.name}: there is no {path}: run usps_3v5.py first")
    ours = json.loads(path.read_text())
    found = {f"{name}'s maximum, the book": PRINTED[engine]["at"] for engine, name in ENGINES.items()}
    return found | {f"{name}'s maximum, ours": ours["engines"][engine]["at"] for engine, name in ENGINES.items()}


def histogram(draws, fits, row):
    counts, edges = np.histogram(draws, bins=60)
    return {"row": row, "counts": counts.tolist(), "edges": edges.tolist(), "mean": draws.mean(), "sd": draws.std(),
            "normals": {engine: [fit.latent_mean[row], np.sqrt(fit.latent_variance[row])] for engine, fit in fits.items()}}


def sampled(at, X, y, s):
    fits = {engine: model(*at, engine).infer(X, y) for engine in ENGINES}
    apart = np.abs(fits["ep"].latent_mean - fits["laplace"].latent_mean) / np.sqrt(fits["ep"].latent_variance)
    row = int(np.argmax(apart))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # R-hat and all the rest are results here
        check = fits["ep"].check(**s["chains"], **s["annealing"], rows=[row], random_state=1)
        found = {"at": list(at), "r_hat": check.worst_r_hat, "effective_draws": check.least_effective_draws,
                 "settled": check.settled, "annealed": annealed(check)}
    spread = np.sqrt(check.latent_variance_mcmc)
    for engine, fit in fits.items():
        found[engine] = {"log_evidence": fit.log_evidence, "converged": fit.converged,
                         "mean_off": np.sqrt(np.mean(((fit.latent_mean - check.latent_mean_mcmc) / spread) ** 2)),
                         "sd_ratio": np.exp(np.mean(np.log(np.sqrt(fit.latent_variance) / spread)))}
    return found | {"latent": histogram(check.draws[:, :, 0].ravel(), fits, row)}


def main():
    study = Study("usps_sampling", __doc__)
    X, y, *_ = digits(study)
    places = dict(list(pairs(study).items())[:2]) if study.quick else pairs(study)
    settings = {"digits": "the book's", "rows": len(y), "places": places, "chains": {"chains": 4, "draws": 500 if study.quick else 1000},
                "annealing": {"runs": 16, "temperatures": 200 if study.quick else 5000, "from_prior": True}}
    draws = study.draws(range(len(places)), lambda k, s: sampled(list(places.values())[k], X, y, s), settings)
    points = dict(zip(places, draws, strict=True))
    study.save({"settings": settings, "points": points})
    draw(study, points)


def draw(study, points):
    """The two maxima of the book: a moderate prior and a wide one."""
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.6), layout="constrained")
    for part, point in zip(axes, list(points.values())[:2], strict=True):
        latent = point["latent"]
        edges = np.array(latent["edges"])
        part.stairs(np.array(latent["counts"]) / (np.sum(latent["counts"]) * np.diff(edges)), edges, fill=True, color=GREEN, alpha=0.35,
                    label="sampled")
        ends = [mean + side * 3.5 * sd for mean, sd in latent["normals"].values() for side in (-1, 1)]
        f = np.linspace(min(ends), max(ends), 400)
        for engine, (mean, sd) in latent["normals"].items():
            colour, line = COLOURS[engine]
            part.plot(f, np.exp(-0.5 * ((f - mean) / sd) ** 2) / (sd * np.sqrt(2 * np.pi)), color=colour, ls=line, label=ENGINES[engine])
        part.axvline(0, color=GREY, lw=0.8)
        part.set(xlabel=f"latent value of digit {latent['row']}", ylabel="density", ylim=(0, None),
                 title=f"log ℓ = {point['at'][0]:.2f}, log σ_f = {point['at'][1]:.2f} (worst R-hat {point['r_hat']:.3f})")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    study.picture(figure)


if __name__ == "__main__":
    main()
