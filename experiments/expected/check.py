# SPDX-License-Identifier: MIT
"""How results are checked: what holds is counted, what does not is named; bands, and numbers of others to hold them against."""
import json
import math
import pathlib

from stored import stored

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVIDENCE_BAND, ERROR_BAND = 3.0, 3.0  # nats and points, of printed means
# Nats that a search may leave: it ends at slopes of 1e-3, in coordinates that may be ten units from their best; up to 0.006 was seen.
SEARCH = 0.02
# Of EP against sampling, set before anything was sampled here: half a nat and a quarter of a deviation are what `candor check` calls off.
EP_BAND, MEAN_BAND = 0.5, 0.25
LARGEST_ERROR = 2.0  # nats, of a sampled evidence that may be compared
# Their digits come from a package that may not be had (book_digits.py).
OPTIONAL = ["usps_3v5", "usps_sampling", "usps_contours"]
# Draws of a quick and of a full run: means of others are other means.
DRAWS = {"ring_outliers": (8, 100), "thyroid_outliers": (2, 20), "thyroid_flips": (2, 6), "robust_sampling": (6, 42), "prior_draws": (2000, 20000),
         "regression_selection": (10, 100)}

# By an implementation that shares no code with ours, on the very draws of a run: tests/experiments/independent.py says how.
INDEPENDENT = json.loads((ROOT / "tests" / "experiments" / "independent.json").read_text())
# What two searches for one maximum may differ by: nats, points of error on hundreds of rows near a flat maximum.
SAME_EVIDENCE, SAME_ERROR, SAME_RATE = 0.15, 1.5, 0.01


class Checks:
    def __init__(self, folder):
        self.folder, self.failed, self.made = folder, [], 0

    def results(self, name):
        if (found := stored(self.folder, name)) is not None:
            return found
        if name in OPTIONAL:
            print(f"{name}: no results, and nothing of it is checked: the digits of the book are not here (experiments/book_digits.py)")
        else:
            self.that(False, f"{name}: there are no results")
        return None

    def that(self, holds, says):
        self.made += 1
        if not holds:
            self.failed.append(says)

    def above(self, summary, says, errors=3):
        """A mean that is above 0, by some standard errors of it."""
        self.that(summary["mean"] > errors * summary["error"], f"{says}: {summary['mean']:.3g} ± {summary['error']:.2g}")

    def within(self, ours, expected, band, says, source="printed"):
        self.that(abs(ours - expected) <= band, f"{says}: ours {ours:.2f}, {source} {expected:.2f}, allowed {band:g}")

    def draws(self, name, r, draws):
        quick, full = DRAWS[name]
        wanted = quick if r["quick"] else full
        self.that(draws == wanted, f"{name}: {draws} draws instead of {wanted}")

    def book_digits(self, name, r):
        rows = 150 if r["quick"] else 767
        self.that(r["settings"]["digits"] == "the book's" and r["settings"]["rows"] == rows, f"{name}: not of {rows} digits of the book")


def band(name, printed):
    """Around a printed number: of an error never more than half of it."""
    return EVIDENCE_BAND if name == "log_evidence" else min(ERROR_BAND, printed / 2)


def at_place(models, i):
    """Of lists by rate or count, one entry."""
    return {name: {key: of[i] for key, of in m.items() if isinstance(of, list)} for name, m in models.items()}


def beside_independent(check, models, means, where):
    for name, of in means.items():
        for key, allowed in (("log_evidence", SAME_EVIDENCE), ("error", SAME_ERROR), ("rate", SAME_RATE)):
            check.within(models[name][key]["mean"], of[key], allowed, f"{where}: {key} of {name}", "independent")


def settled(check, sampling, where):
    """As the library asks (ProcessCheck::settled), with what fails by name."""
    check.that(sampling["r_hat"] <= 1.05, f"{where}: R-hat is {sampling['r_hat']:.3f}")
    check.that(sampling["effective_draws"] >= 100, f"{where}: {sampling['effective_draws']:.0f} effective draws in the worst row")
    there, back = sampling["there"], sampling["back"]
    noise = math.hypot(there["standard_error"], back["standard_error"])
    check.that(noise <= 0.5 and abs(there["log_evidence"] - back["log_evidence"]) <= min(3 * noise + 0.05, 0.5),
               f"{where}: annealed evidence is {there['log_evidence']:.2f} there and {back['log_evidence']:.2f} back (± {noise:.2f})")
