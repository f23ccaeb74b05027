#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Threes and fives of USPS: evidence by annealed importance sampling and test information by Markov chains over two hyperparameters
[R06, slides 27 and 28], beside EP and Laplace's method at the same places.

Digits, partition and kernel are those of usps_3v5.py; the grid is coarser.  Anneals begin at the prior and raise steps, so that they owe nothing
to EP; tempering from EP's Gaussian was tried first, and where the amplitude is large a thousand temperatures of it left errors of five nats.  Drawn is
the mean of there and back (study.annealed).  All places share their random numbers, so that neighbours may err alike.  Test information takes
thousands of draws, since a few digits that nearly every draw gets wrong decide its third digit.  At the widest priors all of this is too little: evidences
are known to some nats only, and information comes out a hundredth of a bit low.  Five times as many of all would take as long as the rest of the grid.
"""
import itertools
import warnings

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning
from study import GREY, RED, Study, annealed, plt
from usps_3v5 import BITS, ENGINES, PRINTED, contours, digits, evidence_levels, information, model


def sampled_probabilities(at, draws, X, X_test):
    """P(+1) of test rows: f* given every draw of f is Gaussian, and the probit likelihood integrates it out."""
    amplitude, length = np.exp(2 * at[1]), np.exp(at[0])

    def covariance(A, B):
        squares = np.sum(A**2, 1)[:, None] + np.sum(B**2, 1)[None] - 2 * A @ B.T
        return amplitude * np.exp(-0.5 * np.maximum(squares, 0) / length**2)

    factor = cho_factor(covariance(X, X) + 1e-9 * amplitude * np.eye(len(X)))  # the jitter that rounding asks for at the widest prior
    weights = cho_solve(factor, covariance(X, X_test))
    variance = np.maximum(amplitude - np.sum(weights * covariance(X, X_test), axis=0), 0)
    return norm.cdf(draws @ weights / np.sqrt(1 + variance)).mean(axis=0)


def measured(at, X, y, X_test, y_test, s):
    fits = {engine: model(*at, engine).infer(X, y) for engine in ENGINES}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # R-hat and all the rest are results here
        check = fits["ep"].check(**s["chains"], **s["annealing"], rows=list(range(len(y))), random_state=1)
    p = sampled_probabilities(at, check.draws.reshape(-1, len(y)), X, X_test)
    evidence = annealed(check)
    return {"at": list(at), "log_evidence": evidence["log_evidence"], "error": evidence["error"], "information": information(p, y_test, y),
            "r_hat": check.worst_r_hat, "effective_draws": check.least_effective_draws,
            "effective_runs": min(evidence[way]["effective_runs"] for way in ("there", "back")),
            **{engine: {"log_evidence": fit.log_evidence, "information": information(fit.predict(X_test).p_clean, y_test, y)}
               for engine, fit in fits.items()}}


def main():
    study = Study("usps_contours", __doc__)
    X, y, X_test, y_test = digits(study)
    side = np.linspace(2, 5, 3 if study.quick else 7), np.linspace(0, 7, 3 if study.quick else 8)
    settings = {"digits": "the book's", "rows": len(y), "log_length": side[0].tolist(), "log_amplitude": side[1].tolist(),
                "chains": {"chains": 2, "draws": 300 if study.quick else 2000},
                "annealing": {"runs": 16, "temperatures": 200 if study.quick else 1000, "from_prior": True}}
    places = [(length, amplitude) for amplitude, length in itertools.product(side[1], side[0])]
    draws = study.draws(range(len(places)), lambda k, s: measured(places[k], X, y, X_test, y_test, s), settings)
    best = max(draws, key=lambda d: d["log_evidence"])
    results = {"settings": settings, "test_rows": len(y_test), "best": best, "most_information": max(d["information"] for d in draws), "points": draws}
    study.save(results)
    draw(study, results)


def draw(study, results):
    """Of nothing but the results: `draw(study, json.loads(…))` draws stored ones again."""
    side, draws = [np.array(results["settings"][name]) for name in ("log_length", "log_amplitude")], results["points"]
    figure, axes = plt.subplots(2, 3, figsize=(12.6, 7.6), layout="constrained", sharex=True, sharey=True)
    levels = evidence_levels(max(d["log_evidence"] for d in draws))
    for column, (engine, name) in enumerate((ENGINES | {None: "sampling"}).items()):
        for row, (key, at) in enumerate((("log_evidence", levels), ("information", BITS))):
            values = np.array([(d[engine] if engine else d)[key] for d in draws]).reshape(len(side[1]), len(side[0]))
            part = axes[row, column]
            contours(part, side, values, at)
            part.plot(*[v.ravel() for v in np.meshgrid(*side)], ".", ms=2, color=GREY, label="places measured", clip_on=False)
            most = max(draws, key=lambda d: (d[engine] if engine else d)["log_evidence"])
            part.plot(*most["at"], "+", ms=12, mew=2.2, color=RED, label="most evidence of these places", clip_on=False)
            if engine:
                part.plot(*PRINTED[engine]["at"], "x", ms=8, mew=2, color="black", label="most evidence, the book")
            part.set_title(f"{name}: {'log evidence' if row == 0 else 'test information, bits'}", pad=9)
    for part in axes[1]:
        part.set_xlabel("log lengthscale, log ℓ")
    for part in axes[:, 0]:
        part.set_ylabel("log amplitude, log σ_f")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    study.picture(figure)


if __name__ == "__main__":
    main()
