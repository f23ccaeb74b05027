#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/multiclass.md from what experiments/ and scripts/audit_classes.py have measured.

    scripts/multiclass_page.py RESULTS.jsonl… --audits AUDITS.jsonl… --iris IRIS.json

RESULTS are of robust_multiclass and rivals.py, in any number of files; experiments/README.md says
how to make them.  A seed counts for a table only where every method has run at every rate.
"""
import argparse
import collections
import json
import math
import pathlib
import statistics

ROOT = pathlib.Path(__file__).resolve().parent.parent
METHODS = {
    "softmax": "softmax Laplace", "one_vs_rest": "one-vs-rest EP", "one_vs_rest_robust": "one-vs-rest EP, robust",
    "regular": "joint EP, regular", "robust": "joint EP, robust", "svm": "SVM", "forest": "random forest"}
TABLES = ["new_thyroid", "wine", "glass"]
RATES = [0, 0.05, 0.1, 0.2]
SEEDS = 50
AUDITORS = {"joint": "candor, joint", "one_vs_rest": "candor, one-vs-rest",
            "cleanlab_self_confidence": "cleanlab, self-confidence",
            "cleanlab_normalized_margin": "cleanlab, normalized margin"}
# measure → heading, factor, decimals, +1 where more is better
MEASURES = {"balanced_class_rate": ("Balanced class rate, %", 100, 1, 1), "log_loss": ("Test log loss", 1, 3, -1)}


def read(paths):
    return [json.loads(text) for path in paths for text in path.read_text().splitlines() if text.strip()]


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head),
            *("| " + " | ".join(row) + " |" for row in rows), ""]


def mean_and_error(values):
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return statistics.fmean(values), error


class Results:
    """Lines by table, rate and method, each in the order of the seeds that are complete."""

    def __init__(self, lines):
        cells = {(x["table"], x["rate"], x["method"], x["seed"]): x for x in lines}
        self.cells = cells
        self.seeds = {}
        for name in TABLES:
            all_seeds = {seed for t, _, _, seed in cells if t == name}
            self.seeds[name] = sorted(s for s in all_seeds
                                      if all((name, r, m, s) in cells for r in RATES for m in METHODS))

    def lines(self, name, rate, method):
        return [self.cells[name, rate, method, seed] for seed in self.seeds[name]]

    def values(self, name, rate, method, key):
        return [line[key] for line in self.lines(name, rate, method)]

    def difference(self, name, rate, method, other, key):
        """Mean and standard error of method less other, and how often it is above and below."""
        pairs = zip(self.values(name, rate, method, key), self.values(name, rate, other, key))
        d = [a - b for a, b in pairs]
        return (*mean_and_error(d), sum(x > 1e-12 for x in d), sum(x < -1e-12 for x in d))


def measure_table(results, name, key):
    _, factor, decimals, sign = MEASURES[key]
    means = {(m, r): mean_and_error(results.values(name, r, m, key)) for m in METHODS for r in RATES}
    best = {r: max((means[m, r][0] for m in METHODS), key=lambda v: sign * v) for r in RATES}
    rows = []
    for method, title in METHODS.items():
        row = [title]
        for rate in RATES:
            mean, error = means[method, rate]
            text = f"{factor * mean:.{decimals}f} ± {factor * error:.{decimals}f}"
            row.append(f"**{text}**" if mean == best[rate] else text)
        rows.append(row)
    return table([MEASURES[key][0], *(f"{rate:.0%}" for rate in RATES)], rows)


def pair_table(results):
    rows = []
    for name in TABLES:
        for rate in RATES if results.seeds[name] else []:
            row = [name, f"{rate:.0%}"]
            for key, (_, factor, decimals, _) in MEASURES.items():
                mean, error, above, below = results.difference(name, rate, "robust", "regular", key)
                row.append(f"{factor * mean:+.{decimals}f} ± {factor * error:.{decimals}f} ({above} up, {below} down)")
            wrong = statistics.fmean(results.values(name, rate, "robust", "wrong_share"))
            estimated, error = mean_and_error(results.values(name, rate, "robust", "learned_rate"))
            same = sum(x == 0 for x in results.values(name, rate, "robust", "learned_rate"))
            rows.append([*row, f"{100 * wrong:.1f}", f"{100 * estimated:.1f} ± {100 * error:.1f}", str(same)])
    return table(["table", "redrawn", "balanced class rate, points", "log loss", "wrong, %", "learned ε, %", "same"], rows)


def losses(results, key):
    """Where another method beats the robust one by more than two standard errors of the difference."""
    sign, found = MEASURES[key][3], []
    for name in TABLES:
        for method in METHODS:
            rates = []
            for rate in RATES if method != "robust" and results.seeds[name] else []:
                mean, error, _, _ = results.difference(name, rate, method, "robust", key)
                if sign * mean > 2 * error:
                    rates.append(f"{rate:.0%}")
            if rates:
                found.append(f"{name} by {METHODS[method]} (at {', '.join(rates)})")
    return "; ".join(found) or "nowhere"


def comparisons(results):
    return sum(bool(results.seeds[name]) for name in TABLES) * len(RATES) * (len(METHODS) - 1) * len(MEASURES)


def cost_table(results):
    rows = []
    for method, title in METHODS.items():
        row = [title]
        for name in TABLES:
            lines = [x for rate in RATES for x in results.lines(name, rate, method)]
            failed = sum(not x.get("converged", True) for x in lines)
            seconds = statistics.fmean(x["seconds"] for x in lines) if lines else math.nan
            row.append(f"{seconds:.1f}" + (f", {failed} of {len(lines)} not converged" if failed else ""))
        rows.append(row)
    return table(["seconds of one core", *TABLES], rows)


def comparison(results):
    ran = ", ".join(f"{name} {len(results.seeds[name])}" for name in TABLES)
    short = any(len(results.seeds[name]) < SEEDS for name in TABLES)
    page = ["## Learning from noisy labels", "", f"""The protocol of [HHD11]: a random 2/3 of the rows to learn from, 1/3 to test; a share of the training labels, 0 to
20 %, is redrawn uniformly over all classes, so that a part of them stays right. Test labels are as in the table. *Balanced class rate*: the mean over
classes of the share that is recognised. *Log loss*: probabilities below 1e-4 count as that. Means ± standard errors over
seeds; the best mean is bold, which does not say that it is better than the next. Seeds that ran: {ran}{f'; {SEEDS} were planned' if short else ''}.""", "",
            """Columns are standardised by the training rows. All Gaussian processes have one squared exponential with a shared lengthscale plus a
constant, hyperparameters at the maximum of evidence and weak prior. One covariance is less than what `candor` uses by default: this compares
likelihoods, not the product. SVM: Gaussian kernel, C and γ by five folds on the noisy labels. Random forest: 500 trees, nothing tuned.""", ""]
    for name in TABLES:
        if results.seeds[name]:
            page += [f"### {name}", ""]
            for key in MEASURES:
                page += measure_table(results, name, key)
    page += ["### Robust against regular", "", """Joint EP with a learned rate less the same without, on the same splits; *wrong* is the share of training labels that
are wrong in fact, *learned ε* its estimate, *same* the number of seeds where no rate above 0 was found to be better.""", ""] + pair_table(results)
    page += ["### Where the robust model loses", "",
             f"""Against it by more than two standard errors of the paired difference. Of {comparisons(results)} such comparisons about one in forty would
look so by chance, and splits of one table share rows, which makes standard errors too small.""", "",
             f"- balanced class rate: {losses(results, 'balanced_class_rate')}.", f"- log loss: {losses(results, 'log_loss')}.", ""]
    return page + ["### Cost", "", "A robust model's seconds include the regular one it starts from.", ""] + cost_table(results)


def audit_section(lines):
    groups = collections.defaultdict(list)
    for line in lines:
        groups[line["table"], line["method"]].append(line)
    rows, options = [], {}
    for name in dict.fromkeys(line["table"] for line in lines):
        seeds = common_seeds(groups, name)
        for method, title in AUDITORS.items():
            runs = [run for run in groups[name, method] if run["seed"] in seeds]
            if not runs:
                rows.append([name, title, *("–" for _ in range(7))])
                continue
            mean = lambda key: statistics.fmean(run[key] for run in runs)  # noqa: E731
            failed = sum(not run.get("converged", True) for run in runs)
            rows.append([name, title, str(len(runs)), f"{mean('average_precision'):.3f}", f"{mean('found'):.1f} of {mean('flagged'):.1f}",
                         f"{mean('wrong') / runs[0]['rows']:.1%}", f"{mean('rate'):.1%}", f"{mean('seconds'):.0f}",
                         f"{failed} of {len(runs)}" if "converged" in runs[0] else ""])
            if "--covariance" in runs[0].get("options", ""):
                options[name] = " ".join(runs[0]["options"].split()[2:])  # after --multiclass and its way
    said = [f"- {name}: `{text}`" for name, text in options.items()]
    return ["## Finding wrong labels", "", """`scripts/audit_classes.py`. 10 % of the labels of iris, wine and glass (three seeds) and digits8x8 (one) were
changed by `candor simulate`. In music_genre_crowd the errors are people's: 700 rows, the majority vote of a few of them against the
known genre. cleanlab ranks by out-of-fold probabilities of a random forest (500 trees, five folds). *Found*: wrong labels among
those pointed out (means over the seeds that all methods of a table have), p_wrong above ½ or cleanlab's `find_label_issues`. *Estimated*: the learned rate, or the share that cleanlab points out. *Seconds* of
one core. Labels that were wrong in the original tables count as mistakes. –: not run to its end, for lack of time.
`candor audit` ran with its defaults but where these would take hours:""",
            "", *said, "",
            *table(["table", "method", "seeds", "average precision", "found", "wrong", "estimated", "seconds", "not converged"], rows),
            f"cleanlab ranks better than the joint audit on: {audit_losses(groups)}.", ""]


def common_seeds(groups, name):
    """Those that every method has which ran on this table at all."""
    ran = [{run["seed"] for run in groups[name, method]} for method in AUDITORS if groups[name, method]]
    return set.intersection(*ran)


def audit_losses(groups):
    """Tables on which either score of cleanlab has the higher average precision, on the seeds of both."""
    found = []
    for name in dict.fromkeys(name for name, _ in groups):
        precision = {m: {x["seed"]: x["average_precision"] for x in groups.get((name, m), [])} for m in AUDITORS}
        seeds = precision["joint"].keys()
        for method in ("cleanlab_self_confidence", "cleanlab_normalized_margin"):
            theirs = [precision[method][s] for s in seeds if s in precision[method]]
            if theirs and statistics.fmean(theirs) > statistics.fmean(precision["joint"].values()):
                found.append(f"{name} ({AUDITORS[method].split(', ')[1]})")
    return ", ".join(found) or "none of these tables"


def iris_section(path):
    data = json.loads(path.read_text())
    return ["## Three species of iris", "", "![Probability of each species over petal length and width, and decision regions](pictures/iris.png)", "",
            f"""Softmax Laplace [RW06, §3.5] on petal length and width, standardised; all 150 rows are shown. Above, σ_f = 1 as in a lecture
([reproduction.md](reproduction.md)). Below, all is learned: the covariance, shared by the classes, is `{shortened(data['covariance'])}`; log evidence {data['log_evidence']:.2f}. Away from the flowers the
probabilities return towards one third, since nothing was seen there. `experiments/iris` computes the grid and draws the picture.""", ""]


def shortened(covariance):
    """The text of a covariance with three digits to each number."""
    import re
    return re.sub(r"\d+\.\d+(e-?\d+)?", lambda m: f"{float(m.group()):.3g}", covariance)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, nargs="+")
    parser.add_argument("--audits", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--iris", type=pathlib.Path, required=True)
    options = parser.parse_args()
    page = ["# Many classes, measured", "", "Written by `scripts/multiclass_page.py`; do not edit. What the models are: [math/multiclass.md](math/multiclass.md),",
            "[math/softmax.md](math/softmax.md); how to run this again: [experiments/README.md](../experiments/README.md).", ""]
    page += comparison(Results(read(options.results)))
    page += audit_section(read(options.audits))
    page += iris_section(options.iris)
    (ROOT / "docs" / "multiclass.md").write_text("\n".join(page).rstrip() + "\n")


if __name__ == "__main__":
    main()
