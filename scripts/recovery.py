#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/recovery.md from what bench/recovery has printed.

    build/release/bench/recovery --n 100,300 --seeds 10 > results.jsonl
    scripts/recovery.py results.jsonl [MORE.jsonl …]

The grid may be run in pieces, in any order; of lines for the same table and method the last one counts.
The page says which part of the grid they cover.
"""
import argparse
import collections
import json
import math
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
METHODS = {
    "regular": "regular", "em_ep": "EM-EP", "robust": "robust", "by_class": "class-dependent",
    "average_models": "averaged, models", "average_full": "averaged, full"}
KINDS = {"uniform": "uniform flips", "by_class": "class-dependent flips"}
RATES = [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3]
SIZES = [100, 300, 1000]
SEEDS = 10
# measure → heading, factor, decimals, +1 where more is better
MEASURES = {
    "auroc": ("AUROC", 1, 3, 1), "average_precision": ("AP", 1, 3, 1), "brier": ("Brier", 1, 4, -1),
    "ece": ("ECE", 1, 4, -1), "test_error": ("error %", 100, 2, -1), "test_log_loss": ("log loss", 1, 4, -1)}


def read(paths):
    lines = {}
    for path in paths:
        for text in path.read_text().splitlines():
            if text.strip():
                line = json.loads(text)
                lines[tuple(line[k] for k in ("data", "kind", "rate", "n", "seed", "method"))] = line
    return list(lines.values())


class Mean:
    """A mean with its standard error."""

    def __init__(self, values):
        self.count = len(values)
        self.value = sum(values) / len(values) if values else math.nan
        self.error = math.nan
        if len(values) > 1:
            variance = sum((v - self.value) ** 2 for v in values) / (len(values) - 1)
            self.error = math.sqrt(variance / len(values))

    def text(self, factor=1, decimals=3):
        if math.isnan(self.value):
            return "–"
        error = "" if math.isnan(self.error) else f" ± {factor * self.error:.{decimals}f}"
        return f"{factor * self.value:.{decimals}f}{error}"


def mean_of(lines, get):
    values = [get(line) for line in lines if "error" not in line]
    return Mean([v for v in values if v is not None])


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head),
            *("| " + " | ".join(row) + " |" for row in rows)]


class Results:
    def __init__(self, lines):
        self.lines = lines

    def where(self, **wanted):
        return [x for x in self.lines if all(x[k] == v for k, v in wanted.items())]

    def values(self, key):
        return sorted({x[key] for x in self.lines})

    def cells(self):
        """(data, kind, n) that were run."""
        found = {(x["data"], x["kind"], x["n"]) for x in self.lines if x["rate"] > 0}
        return sorted(found, key=lambda c: (c[2], c[0] != "ring", c[1] != "uniform"))


def percent(rate):
    return f"{100 * rate:g} %"


def coverage_of_grid(results):
    """Which part of the grid was run: tables per n, data and kind, out of those planned."""
    rows = []
    for n in SIZES:
        for data in ("ring", "mixture"):
            for kind in KINDS:
                planned = [r for r in RATES if r > 0 or kind == "uniform"]
                counts = {m: len(results.where(n=n, data=data, kind=kind, method=m)) for m in METHODS}
                seeds = results.where(n=n, data=data, kind=kind)
                named = ", ".join(str(s) for s in sorted({x["seed"] for x in seeds})) or "–"
                rows.append([str(n), data, KINDS[kind], named,
                             *(f"{counts[m]} of {SEEDS * len(planned)}" for m in METHODS)])
    return table(["n", "data", "labels", "seeds", *METHODS.values()], rows)


def outcomes(results):
    rows = []
    for method, name in METHODS.items():
        lines = results.where(method=method)
        status = collections.Counter(x.get("status", "–") for x in lines if "error" not in x)
        ep = sum(x.get("ep", "converged") != "converged" for x in lines)
        skipped = sum(x.get("skipped", 0) for x in lines)
        rows.append([name, str(len(lines)), ", ".join(f"{k} {v}" for k, v in status.most_common()) or "–",
                     str(ep), str(skipped), str(sum("error" in x for x in lines))])
    return table(["method", "tables", "search ended", "EP not converged", "points left out of averages",
                  "breakdowns"], rows)


def step_limits(results):
    limits = {x["n"]: x["steps"] for x in results.where(method="em_ep") if x.get("status") == "out of steps"}
    text = ", ".join(f"{steps} at n = {n}" for n, steps in sorted(limits.items()))
    return f"EM-EP ran out of steps after {text}; its numbers are those of the last step." if text else ""


def rate_table(results, data, kind, n):
    def estimate(index):
        return lambda x: x["rates"][index] if len(x.get("rates") or []) > index else None

    rows = []
    for rate in results.values("rate"):
        if kind == "by_class" and rate == 0:
            continue
        lines = {m: results.where(data=data, kind=kind, n=n, rate=rate, method=m) for m in METHODS}
        if not any(lines.values()):
            continue
        any_lines = next(group for group in lines.values() if group)
        factors = (1.5, 0.5) if kind == "by_class" else (1, 1)
        rows.append([
            percent(rate), mean_of(any_lines, lambda x: x["wrong_share"]).text(100, 1),
            mean_of(lines["em_ep"], estimate(0)).text(100, 1), mean_of(lines["robust"], estimate(0)).text(100, 1),
            covered(lines["robust"]),
            f"{percent(factors[0] * rate)}, {percent(factors[1] * rate)}",
            f"{mean_of(lines['by_class'], estimate(0)).text(100, 1)}, "
            f"{mean_of(lines['by_class'], estimate(1)).text(100, 1)}",
            covered(lines["by_class"]),
            mean_of(lines["average_models"], estimate(0)).text(100, 1),
            mean_of(lines["average_full"], estimate(0)).text(100, 1)])
    return table(["planted", "wrong in fact, %", "EM-EP ε", "robust ε", "covered", "planted ε₊, ε₋",
                  "class-dependent ε₊, ε₋", "covered", "averaged, models", "averaged, full"], rows)


def covered(lines):
    hits = [i["covered"] for x in lines for i in x.get("intervals") or [] if i]
    return f"{sum(hits)} of {len(hits)}" if hits else "–"


def coverage_summary(results):
    rows = []
    for n in results.values("n"):
        for data in ("ring", "mixture"):
            for kind in KINDS:
                row = [str(n), data, KINDS[kind]]
                for method in ("robust", "by_class"):
                    for lines in (results.where(n=n, data=data, kind=kind, method=method, rate=0),
                                  [x for x in results.where(n=n, data=data, kind=kind, method=method) if x["rate"] > 0]):
                        hits = [i["covered"] for x in lines for i in x.get("intervals") or [] if i]
                        row.append(f"{100 * sum(hits) / len(hits):.0f} % of {len(hits)}" if hits else "–")
                rows.append(row)
    return table(["n", "data", "labels", "robust, at 0 %", "robust, above", "class-dependent, at 0 %",
                  "class-dependent, above"], rows)


def best_in(means, sign):
    known = [m.value for m in means if not math.isnan(m.value)]
    return max(known, key=lambda v: sign * v) if known else None


def mean_over_tables(lines, key):
    """Rates of one seed share their rows and their luck, so the error is one over seeds."""
    by_seed = collections.defaultdict(list)
    for line in lines:
        if line.get(key) is not None:
            by_seed[line["seed"]].append(line[key])
    return Mean([sum(values) / len(values) for values in by_seed.values()])


def summary_table(results, data, kind, n):
    """Means over all rates above 0, for methods that were run on every table."""
    lines = {m: [x for x in results.where(data=data, kind=kind, n=n, method=m) if x["rate"] > 0] for m in METHODS}
    most = max(len(group) for group in lines.values())
    means = {m: {k: mean_over_tables(lines[m] if len(lines[m]) == most else [], k) for k in MEASURES} for m in METHODS}
    rows = []
    for method, name in METHODS.items():
        row = [name]
        for key, (_, factor, decimals, sign) in MEASURES.items():
            text = means[method][key].text(factor, decimals)
            is_best = means[method][key].value == best_in([means[m][key] for m in METHODS], sign)
            row.append(f"**{text}**" if is_best else text)
        rows.append(row)
    rates = ", ".join(percent(r) for r in sorted({x["rate"] for group in lines.values() for x in group}))
    seeds = len({x["seed"] for group in lines.values() for x in group})
    return [f"Planted: {rates}; seeds: {seeds}.", "",
            *table(["method", *(m[0] for m in MEASURES.values())], rows)]


def clean_table(results):
    rows = []
    for n in results.values("n"):
        for data in ("ring", "mixture"):
            chosen = results.where(n=n, data=data, rate=0, method="average_models")
            for method, name in METHODS.items():
                lines = results.where(n=n, data=data, rate=0, method=method)
                if not lines:
                    continue
                clean = sum((x.get("margin") or 0) < 0 for x in chosen)
                rows.append([str(n), data, name, mean_of(lines, lambda x: x["flags_per_1000"]).text(1, 1),
                             mean_of(lines, lambda x: x["expected_wrong_share"]).text(100, 2),
                             mean_of(lines, lambda x: x["test_error"]).text(100, 2),
                             mean_of(lines, lambda x: x["test_log_loss"]).text(1, 4),
                             f"{clean} of {len(chosen)}" if method == "average_models" else ""])
    return table(["n", "data", "method", "flags per 1,000", "expected wrong, %", "error %", "log loss",
                  "said to look clean"], rows)


def detail_table(results, data, kind, n):
    rows = []
    for rate in results.values("rate"):
        for method, name in METHODS.items():
            lines = results.where(data=data, kind=kind, n=n, rate=rate, method=method)
            if lines:
                rows.append([percent(rate), name, *(mean_of(lines, lambda x: x[k]).text(f, d)
                                                    for k, (_, f, d, _) in MEASURES.items())])
    return table(["planted", "method", *(m[0] for m in MEASURES.values())], rows)


def page(results):
    lines = [
        "# Recovery of planted label errors", "",
        "Written by `scripts/recovery.py` from the output of `bench/recovery`; do not edit.", "",
        "Ring: x uniform on a square, a sharp circular boundary. Mixture: two normals to each class, which overlap (no "
        "classifier does better than about 8 % error). Two columns, standardised. Labels are flipped at the planted rate, or "
        "at 1.5 times the rate for true positives and half of it for true negatives. Tests are on 2,000 fresh rows with "
        "clean labels. Numbers are means ± one standard error over seeds; the same tables for every method; the best of a "
        "column is bold, however small its lead.", "",
        "All methods have the same covariance: Matérn 5/2 with one lengthscale, plus linear, plus constant. *Regular*: ε = 0; "
        "it has no `p_wrong`, so rows are ranked and flagged by 1 - p(y | the other rows), and Brier and ECE do not apply. "
        "*EM-EP*: as published, without priors, from ε = 0.05 and v₂/v₀ = 0.01. *Robust* and *class-dependent*: evidence with the "
        "default prior, at the mode, `p_wrong` averaged over ε. *Averaged*: the regular, robust and class-dependent views by their probability (models), and each over "
        "its hyperparameters too (full). Measured while two rates had the product of the priors of one; "
        "[decision 14](decisions/0014-rates-by-class.md) changed that, and so did [decision 15](decisions/0015-tables-have-errors.md) "
        "equal odds of models with and without errors.", "",
        "## What was run", "", *coverage_of_grid(results), "", *outcomes(results), "", step_limits(results), "",
        "## Clean tables", "", "At 0 %, where every flag (`p_wrong` > ½) is a false one:", "", *clean_table(results), "",
        "## Estimated rates", "",
        "In per cent. The truth for one ε is the mean of the planted rates over rows; for averages the number is "
        "the mean `p_wrong`. *Covered*: 90 % intervals that hold the planted rate.", ""]
    for data, kind, n in results.cells():
        lines += [f"### {data.capitalize()}, {KINDS[kind]}, n = {n}", "", *rate_table(results, data, kind, n), ""]
    lines += ["### Coverage of the 90 % intervals", "",
              "Pooled over rates. At 0 % the truth lies on the edge of what is possible, and an interval covers it only if it "
              "reaches 0. The robust model is the wrong one for class-dependent flips.", "", *coverage_summary(results), "",
              "## Finding the wrong labels, and predicting clean ones", "", "Means over all planted rates above 0 that were run:", ""]
    for data, kind, n in results.cells():
        lines += [f"### {data.capitalize()}, {KINDS[kind]}, n = {n}", "", *summary_table(results, data, kind, n), ""]
    lines += ["## By rate", ""]
    for data, kind, n in results.cells():
        lines += [f"### {data.capitalize()}, {KINDS[kind]}, n = {n}", "", *detail_table(results, data, kind, n), ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs/recovery.md")
    options = parser.parse_args()
    text = page(Results(read(options.results)))
    temporary = options.page.with_suffix(".tmp")
    temporary.write_text(text)
    temporary.rename(options.page)
    print(f"wrote {options.page.name}")


if __name__ == "__main__":
    main()
