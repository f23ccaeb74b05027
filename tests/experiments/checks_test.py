# SPDX-License-Identifier: MIT
"""The stored results hold what experiments/checks.py asks, their page says what they say, and checks can fail.

    python3 -m unittest tests/experiments/checks_test.py

Quick results are not stored: here they are the full ones with few draws, and with the means of the independent implementation.
"""
import copy
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "experiments" / "results"
sys.path.insert(0, str(ROOT / "experiments"))
import checks  # noqa: E402
import page  # noqa: E402
from expected.check import DRAWS, INDEPENDENT  # noqa: E402
from stored import stored  # noqa: E402

# What is altered (keys into the results, the new value as a function of the old), and words of the check that must notice it.
MUTANTS = {
    "ring_outliers": [(("least_evidence_gain",), lambda v: -0.03, "evidence learning loses"),
                      (("models", "evidence", "log_evidence", "mean"), lambda v: v - 0.06, "log evidence of evidence"),
                      (("models", "em_ep", "gain", "mean"), lambda v: -v, "EM-EP lowers the error"),
                      (("draws",), lambda v: 8, "8 draws instead of 100")],
    "thyroid_outliers": [(("models", "em_ep", "log_evidence", 3, "mean"), lambda v: v - 3.1, "log_evidence of em_ep at 15 %"),
                         (("over_regular", "em_ep", "log_evidence", 0, "mean"), lambda v: -v, "below ε = 0 on clean labels")],
    "thyroid_flips": [(("models", "evidence", "rate", 5, "mean"), lambda v: v - 0.02, "learned and true ε"),
                      (("models", "tiny_noise", "log_evidence", 5, "mean"), lambda v: -60.0, "less noise means less evidence")],
    "robust_sampling": [(("draws", 0, "evidence", "log_evidence"), lambda v: v + 5.0, "nats from the sampled"),
                        (("draws", 0, "regular", "bound"), lambda v: v + 5.0, "variational bound"),
                        (("draws", 0, "em_ep", "error"), lambda v: 2.5, "is known to"),
                        (("draws",), lambda v: v[1:], "41 draws instead of 42")],
    "prior_draws": [(("kernels", "Matérn, ν = 2", "slope"), lambda v: 1.05 * v, "slope")],
    "regression_selection": [(("sets", "Matérn-3/2", "lead", "mean"), lambda v: -v, "prefers Matérn-3/2")],
    "one_dimension": [(("methods", "ep", "log_evidence"), lambda v: v - 0.01, "evidence of ep"),
                      (("sampling", "r_hat"), lambda v: 1.2, "R-hat")],
    "usps_3v5": [(("engines", "ep", "at_printed"), lambda v: v - 1.0, "evidence of EP at the book's maximum")],
    "usps_sampling": [(("points", "EP's maximum, the book", "ep", "log_evidence"), lambda v: v - 3.0, "nats off by EP")],
    "usps_contours": [(("points", 10, "ep", "information"), lambda v: v + 0.02, "test information by EP"),
                      (("settings", "digits"), lambda v: "others", "not of 767 digits of the book")],
    "linear_logistic": [(("problems", "normal, or not", "views", 0, "mean_off"), lambda v: 1e-7, "weights and process differ")],
    "iris": [(("log_evidence",), lambda v: v + 0.1, "log evidence")],
    "laplace_blog": [(("log_evidence", "ep"), lambda v: v + 1e-4, "evidence by ep")],
}
# The same of a quick run.
QUICK_MUTANTS = {
    "ring_outliers": [(("models", "em_ep", "log_evidence", "mean"), lambda v: v - 0.16, "log_evidence of em_ep"),
                      (("models", "regular", "error", "mean"), lambda v: v + 1.6, "error of regular")],
    "thyroid_outliers": [(("models", "evidence", "rate", 2, "mean"), lambda v: v + 0.011, "rate of evidence")],
    "thyroid_flips": [(("models", "evidence", "log_evidence", 5, "mean"), lambda v: v - 0.16, "evidence, 9 changed"),
                      (("flips",), lambda v: [9, 0, 1, 3, 5, 7], "0 changed")],
    "robust_sampling": [(("draws", 0, "evidence", "log_evidence"), lambda v: v + 5.0, "nats from the sampled")],
    "prior_draws": [(("kernels", "Matérn, ν = 2", "slope"), lambda v: 1.1 * v, "slope")],
    "regression_selection": [(("shown", "Matérn-3/2", "log_evidence"), lambda v: v + 0.02, "on the set shown")],
    "one_dimension": [(("sampling", "r_hat"), lambda v: 1.2, "R-hat")],
    "usps_3v5": [(("engines", "ep", "converged"), lambda v: False, "a search did not converge")],
    "usps_sampling": [(("points", "EP's maximum, the book", "ep", "log_evidence"), lambda v: v - 100.0, "nats off by EP")],
    "usps_contours": [(("points", 4, "r_hat"), lambda v: 1.1, "R-hat"), (("settings", "rows"), lambda v: 767, "not of 150 digits")],
    "linear_logistic": [(("problems", "normal, or not", "views", 0, "mean_off"), lambda v: 1e-7, "weights and process differ")],
    "iris": [(("log_evidence",), lambda v: v + 0.1, "log evidence")],
    "laplace_blog": [(("log_evidence", "ep"), lambda v: v + 1e-4, "evidence by ep")],
}


def failures(part, results):
    check = checks.Checks(RESULTS)
    part(check, results)
    return check.failed


def altered(results, keys, change):
    results = copy.deepcopy(results)
    *path, last = keys
    at = results
    for key in path:
        at = at[key]
    at[last] = change(at[last])
    return results


def quick(name):
    """Stored results as those of a quick run.  What its first draws give is not stored: their means are those of the independent
    implementation, and none of their searches failed."""
    results = stored(RESULTS, name) | {"quick": True}
    if name in DRAWS:
        results["draws"] = results["draws"][: DRAWS[name][0]] if isinstance(results["draws"], list) else DRAWS[name][0]
    if "digits" in results.get("settings", {}):
        results["settings"] = results["settings"] | {"rows": 150}
    return with_independent_means(results, name)


def with_independent_means(results, name):

    def put(means, place):
        for model, of in means.items():
            for key in ("log_evidence", "error", "rate"):
                place(results["models"][model][key])["mean"] = of[key]

    independent = INDEPENDENT.get(name.replace("ring_outliers", "ring"))
    if name == "ring_outliers":
        put(independent["means"], lambda summary: summary)
    elif name in ("thyroid_outliers", "thyroid_flips"):
        results["models"] = {key: of | ({"not_converged": [0] * len(of["not_converged"])} if "not_converged" in of else {})
                             for key, of in results["models"].items()}
        settings = results["rates" if name == "thyroid_outliers" else "flips"]
        for i, setting in enumerate(settings):
            if str(setting) in independent:
                put(independent[str(setting)]["means"], lambda summaries, i=i: summaries[i])
    return results


class StoredResults(unittest.TestCase):
    def test_hold(self):
        for part in checks.ALL:
            results = stored(RESULTS, part.__name__)
            self.assertIsNotNone(results, part.__name__)
            self.assertEqual(failures(part, results), [])

    def test_are_what_the_page_says(self):
        at = ROOT / "docs" / "reproduction.md"
        self.assertEqual(page.written(RESULTS, ROOT / "docs" / "pictures", at), at.read_text())


class Mutants(unittest.TestCase):
    def test_every_part_has_one(self):
        parts = {part.__name__ for part in checks.ALL}
        self.assertEqual(parts, set(MUTANTS))
        self.assertEqual(parts, set(QUICK_MUTANTS))

    def assert_noticed(self, part, results, mutants):
        for keys, change, words in mutants:
            with self.subTest(part=part.__name__, keys=keys):
                found = failures(part, altered(results, keys, change))
                self.assertTrue(any(words in says for says in found), f"{words!r} is not in {found}")

    def test_are_noticed(self):
        for part in checks.ALL:
            self.assert_noticed(part, stored(RESULTS, part.__name__), MUTANTS[part.__name__])

    def test_of_quick_runs_are_noticed(self):
        for part in checks.ALL:
            results = quick(part.__name__)
            self.assertEqual(failures(part, results), [])
            self.assert_noticed(part, results, QUICK_MUTANTS[part.__name__])


if __name__ == "__main__":
    unittest.main()
