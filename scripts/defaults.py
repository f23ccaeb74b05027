#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows on real tables with planted label errors which defaults find them, and writes docs/defaults.md.

    scripts/defaults.py [--program build/release/bench/defaults] [--data ../shared/data]
                        [--seeds 1] [--rates 0.1] [--rows 400] [--methods NAME ...] [--output FILE]
    scripts/defaults.py --from RESULTS ...    writes the page from --results of earlier runs

Every table becomes a problem with two classes.  Up to --rows rows are drawn for training and up to 2000
others for testing; numeric columns are standardised on the training rows, those with heavy tails by their ranks as
Candor does itself (--standardise-only: by mean and deviation, too), a missing cell becomes the mean, categorical
columns become indicators.  A share of the training labels is flipped, each with the same
probability; test labels stay as they are.  Tables that are not there are skipped by name, and so are the
columns of scikit-learn where it is not installed.
"""
import argparse
import bisect
import collections
import csv
import gzip
import json
import math
import pathlib
import random
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = {  # file → the two classes, None: the two largest
    "breast_cancer_wdbc.csv": None,
    "breast_cancer_original.csv": None,
    "sonar.csv": None,
    "ionosphere.csv": None,
    "pima.csv": None,
    "heart_statlog.csv": None,
    "crabs.csv": None,
    "ripley_synth.csv": None,
    "banana.csv": None,
    "german_credit.csv": None,
    "spambase.csv.gz": None,
    "bank_marketing.csv.gz": None,
    "electricity.csv.gz": None,
    "titanic.csv": None,
    "house_votes84.csv": None,
    "vehicle.csv": ("saab", "opel"),
}
METHODS = ["regular se", "robust se, rate at mode", "robust matern52, rate at mode",
           "robust matern52+linear, rate at mode", "robust se-ard, rate at mode", "robust se-ard-free, rate at mode",
           "robust matern52+linear", "robust matern52+linear, along ridge", "default none", "default models",
           "default full", "default robust", "default robust equal", "default robust equal full",
           "default robust equal, along ridge"]
MOST_TEST_ROWS = 2000
SCORES = {"average_precision": ("average precision", "{:.3f}"), "auroc": ("AUROC", "{:.3f}"),
          "brier": ("Brier", "{:.4f}"), "error": ("error %", "{:.2f}"), "log_loss": ("log loss", "{:.3f}"),
          "seconds": ("CPU seconds", "{:.1f}"), "sweeps": ("sweeps", "{:.0f}")}
LESS_IS_BETTER = {"brier", "error", "log_loss"}


def read_table(path):
    opened = gzip.open(path, "rt", encoding="utf-8", newline="") if path.suffix == ".gz" \
        else open(path, encoding="utf-8", newline="")
    with opened as file:
        rows = csv.reader(file)
        names = next(rows)
        return names, list(rows)


def is_number(cell):
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def two_classes(rows, pair):
    counts = collections.Counter(row[-1] for row in rows)
    first, second = pair or sorted(counts, key=lambda c: (-counts[c], c))[:2]
    return [row for row in rows if row[-1] in (first, second)], second


def has_heavy_tails(column):
    """The rule of candor/data/number_encoding.cpp."""
    centre = mean(column)
    squares = [(x - centre) ** 2 for x in column]
    return len(column) >= 20 and len(set(column)) > 2 and mean(q * q for q in squares) >= 10 * mean(squares) ** 2


def normal_scores(training, test):
    """The normal quantile of every value's middle rank, straight between the values of training."""
    order = sorted(training)
    values = sorted(set(order))
    ranks = [(bisect.bisect_left(order, x) + bisect.bisect_right(order, x)) / (2 * len(order)) for x in values]
    scores = [statistics.NormalDist().inv_cdf(rank) for rank in ranks]

    def score(x):
        right = bisect.bisect_right(values, x)
        if right in (0, len(values)):
            return scores[0 if right == 0 else -1]
        share = (x - values[right - 1]) / (values[right] - values[right - 1])
        return scores[right - 1] + share * (scores[right] - scores[right - 1])
    return [[score(x) for x in part] for part in (training, test)]


def numeric_column(training, test, standardise_only):
    known = [float(c) for c in training if c != ""]
    middle = mean(known) if known else 0.0
    filled = [[float(c) if c != "" else middle for c in part] for part in (training, test)]
    if not standardise_only and has_heavy_tails(filled[0]):
        filled = normal_scores(*filled)
    centre = mean(filled[0])
    variance = mean((x - centre) ** 2 for x in filled[0])
    sd = math.sqrt(variance) if variance > 0.0 else 1.0
    return [[[(x - centre) / sd for x in part] for part in filled]]


def indicator_columns(training, test):
    """One 0/1 column per level seen in training; one alone where there are two levels."""
    levels = sorted(set(training))
    levels = levels[:1] if len(levels) == 2 else levels
    return [[[1.0 if c == level else 0.0 for c in part] for part in (training, test)] for level in levels]


def features(names, training, test, standardise_only):
    columns = []
    for j, name in enumerate(names[:-1]):
        if name.startswith("meta_"):
            continue
        parts = [row[j] for row in training], [row[j] for row in test]
        numeric = all(c == "" or is_number(c) for part in parts for c in part)
        columns += numeric_column(*parts, standardise_only) if numeric else indicator_columns(*parts)
    return [list(zip(*(c[part] for c in columns))) for part in (0, 1)]


def problem(path, pair, rate, rows, seed, standardise_only):
    """Training rows (features, given label, true label) and test rows (features, true label)."""
    names, table = read_table(path)
    table, positive = two_classes(table, pair)
    dice = random.Random(f"{path.name} {seed}")
    dice.shuffle(table)
    n = min(rows, 2 * len(table) // 3)
    training, test = table[:n], table[n:n + MOST_TEST_ROWS]
    X, X_test = features(names, training, test, standardise_only)
    y, y_test = ([1 if row[-1] == positive else -1 for row in part] for part in (training, test))
    given = [-label if dice.random() < rate else label for label in y]
    if given == y:
        given[0] = -given[0]  # scores need something to find
    return ([(*x, g, t) for x, g, t in zip(X, given, y)], [(*x, t) for x, t in zip(X_test, y_test)])


def write_numbers(path, rows):
    path.write_text("".join(",".join(f"{x:.9g}" for x in row) + "\n" for row in rows))


def average_precision(score, wrong):
    order = sorted(range(len(score)), key=lambda i: -score[i])
    total = hits = before = 0
    for k, i in enumerate(order):
        hits += wrong[i]
        if k + 1 == len(order) or score[order[k + 1]] < score[i]:
            total += (hits - before) * hits / (k + 1)
            before = hits
    return total / hits


def auroc(score, wrong):
    order = sorted(range(len(score)), key=lambda i: score[i])
    ranks, start = [0.0] * len(order), 0
    for k, i in enumerate(order):
        if k + 1 == len(order) or score[order[k + 1]] > score[i]:
            for j in order[start:k + 1]:
                ranks[j] = (start + k + 2) / 2
            start = k + 1
    hits = sum(wrong)
    return (sum(r for r, w in zip(ranks, wrong) if w) - hits * (hits + 1) / 2) / (hits * (len(wrong) - hits))


def with_scikit_learn(training, test, seed):
    """A forest and a support-vector classifier: 1 - probability of the given label, by 5-fold cross-validation."""
    try:
        import numpy
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.model_selection import StratifiedKFold, cross_val_predict
        from sklearn.svm import SVC
    except ImportError:
        return []
    X, given, true = numpy.array([r[:-2] for r in training]), [r[-2] for r in training], [r[-1] for r in training]
    X_test, y_test = numpy.array([r[:-1] for r in test]), [r[-1] for r in test]
    wrong = [int(g != t) for g, t in zip(given, true)]
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    lines = []
    for name, model in (("forest", RandomForestClassifier(300, random_state=seed)),
                        ("SVC", CalibratedClassifierCV(SVC(), ensemble=False))):
        p = cross_val_predict(model, X, given, cv=folds, method="predict_proba")[:, 1]
        score = [1 - q if g > 0 else q for q, g in zip(p, given)]
        p_test = model.fit(X, given).predict_proba(X_test)[:, 1]
        right = [max(1e-3, min(1 - 1e-3, q if t > 0 else 1 - q)) for q, t in zip(p_test, y_test)]
        lines.append({"method": name, "average_precision": average_precision(score, wrong),
                      "auroc": auroc(score, wrong),
                      "brier": sum((s - w) ** 2 for s, w in zip(score, wrong)) / len(wrong),
                      "error": sum(r < 0.5 for r in right) / len(right),
                      "log_loss": -sum(math.log(r) for r in right) / len(right)})
    return lines


def run_problem(program, methods, training, test, seed, vectors):
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ("train.csv", "test.csv")]
        for path, rows in zip(paths, (training, test)):
            write_numbers(path, rows)
        command = [program, *paths, *(["--vectors"] if vectors else []), *methods]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()] + with_scikit_learn(training, test, seed)


def run_all(options):
    results = []
    for file, pair in TABLES.items():
        path = options.data / file
        name = file.split(".")[0]
        if options.tables and name not in options.tables:
            continue
        if not path.exists():
            print(f"{name}: not in {options.data.name}, skipped")
            continue
        for rate in options.rates:
            for seed in range(options.first_seed, options.first_seed + options.seeds):
                training, test = problem(path, pair, rate, options.rows, seed, options.standardise_only)
                lines = run_problem(options.program, options.methods, training, test, seed, options.vectors)
                results += [{"table": name, "rate": rate, "seed": seed, "rows": len(training),
                             "columns": len(test[0]) - 1, "standardise_only": options.standardise_only, **line}
                            for line in lines]
                best = max(lines, key=lambda line: line["average_precision"])
                print(f"{name} {rate:g} seed {seed}: {len(training)}×{len(test[0]) - 1}, best average precision "
                      f"{best['average_precision']:.3f} ({best['method']}), "
                      f"{sum(line.get('seconds', 0) for line in lines):.0f} s", flush=True)
    return results


def read_results(paths):
    results = [{"standardise_only": True, **json.loads(line)} for path in paths for line in path.read_text().splitlines()]
    return sorted(results, key=lambda r: r["rate"])


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


def methods_of(results):
    return list(dict.fromkeys(r["method"] for r in results))


def summary(results):
    """One row per method: the mean over all problems that every method has run."""
    columns = [s for s in SCORES if any(s in r for r in results)]
    by_method = {m: [r for r in results if r["method"] == m] for m in methods_of(results)}
    means = {m: {s: mean(r[s] for r in rows) * (100 if s == "error" else 1)
                 for s in columns if s in rows[0]} for m, rows in by_method.items()}
    best = {s: (min if s in LESS_IS_BETTER else max)(row[s] for row in means.values() if s in row) for s in columns}
    lines = ["| | " + " | ".join(SCORES[s][0] for s in columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for method, row in means.items():
        cells = []
        for s in columns:
            text = SCORES[s][1].format(row[s]) if s in row else "–"
            bold = s in row and row[s] == best[s] and s not in ("seconds", "sweeps")
            cells.append(f"**{text}**" if bold else text)
        lines.append(f"| {method} | " + " | ".join(cells) + " |")
    return lines


def by_table(results, score):
    methods = methods_of(results)
    lines = ["| | n × d | " + " | ".join(methods) + " |", "|---" * (len(methods) + 2) + "|"]
    for table in dict.fromkeys(r["table"] for r in results):
        rows = [r for r in results if r["table"] == table]
        cells = {m: mean(r[score] for r in rows if r["method"] == m) * (100 if score == "error" else 1)
                 for m in methods}
        top = (min if score in LESS_IS_BETTER else max)(cells.values())
        shown = (SCORES[score][1].format(cells[m]) for m in methods)
        marked = (f"**{text}**" if cells[m] == top else text for m, text in zip(methods, shown))
        lines.append(f"| {table} | {rows[0]['rows']} × {rows[0]['columns']} | " + " | ".join(marked) + " |")
    return lines


def by_encoding(results):
    """Average precision where tables were run with both encodings, on the same draws."""
    key = lambda r: (r["table"], r["rate"], r["seed"], r["method"])
    plain = {key(r): r["average_precision"] for r in results if r["standardise_only"]}
    both = [(r, plain[key(r)]) for r in results if not r["standardise_only"] and key(r) in plain]
    if not both:
        return []
    lines = ["## Heavy-tailed columns", "",
             "Columns whose kurtosis is 10 or more are mapped by ranks to normal scores. Trees do not care for such a "
             "map, everything that measures distances does. Average precision without and with it, on the same draws:",
             "", "| | flipped | draws | method | standardised only | normal scores |", "|---|---|---|---|---|---|"]
    for table, rate, method in dict.fromkeys((r["table"], r["rate"], r["method"]) for r, _ in both):
        rows = [(r["average_precision"], p) for r, p in both
                if (r["table"], r["rate"], r["method"]) == (table, rate, method)]
        lines.append(f"| {table} | {100 * rate:g} % | {len(rows)} | {method} | {mean(p for _, p in rows):.3f} "
                     f"| {mean(a for a, _ in rows):.3f} |")
    return [*lines, ""]


def report(everything):
    results = [r for r in everything if not r["standardise_only"]] or everything
    tables = list(dict.fromkeys(r["table"] for r in results))
    lines = ["# Defaults on trial", "",
             "Generated by `scripts/defaults.py`; every row of it can be run again.", "",
             f"{len(tables)} tables, at most {max(r['rows'] for r in results)} training rows. Training labels are "
             "flipped with the same probability each; average precision, AUROC and Brier are those of the label-error score against "
             "the planted flips; error and log loss are those of predictions of the true label on other rows with "
             "labels as recorded. The score of a regular model is 1 - its leave-one-out probability of the given "
             "label; of scikit-learn's forest (300 trees) and SVC, 1 - the cross-validated one; their predictions are "
             "kept 1e-3 away from 0 and 1, or the log loss of a forest would be infinite. Errors that the "
             "tables had before the planting count as right labels here.", "",
             "`se`, `matern52`: one lengthscale, plus a constant; `+linear`: plus a linear term; `se-ard`: one "
             "lengthscale per column with a weak prior, `-free`: with none. `rate at mode`: the label-error rate is "
             "put at its most probable value; elsewhere p_wrong is averaged over its posterior; `along ridge`: "
             "predictions too. `default`: the covariances that Candor tries by itself, one chosen (`none`), all "
             "alike with regular and robust by integrated evidence (`models`) or over hyperparameters too (`full`); `robust`: without the regular "
             "models; `equal`: with equal weights. Candor itself has since come to compare rates by class too "
             "([decision 14](decisions/0014-rates-by-class.md)), and to give models with errors odds of 19 to 1 "
             "([decision 15](decisions/0015-tables-have-errors.md)), to learn which of three classes is taken for which ([16](decisions/0016-which-class-for-which.md)) and to share one lengthscale above 100 columns ([17](decisions/0017-wide-tables.md)). With so few draws, differences of .005 in average precision, .003 "
             "in Brier and .005 in log loss between two rows are within chance. CPU time is "
             "of one thread and holds the regular fit from which a robust one starts.", ""]
    for rate in dict.fromkeys(r["rate"] for r in results):
        part = [r for r in results if r["rate"] == rate]
        draws = len({r["seed"] for r in part})
        lines += [f"## {100 * rate:g} % flipped", "",
                  f"{draws} draw{'s' if draws > 1 else ''} of rows and flips for each table.", "", *summary(part), ""]
        for score in ("average_precision", "error", "log_loss"):
            lines += [f"{SCORES[score][0].capitalize() if score != 'auroc' else 'AUROC'} by table:", "",
                      *by_table(part, score), ""]
    lines += by_encoding(everything)
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "build/release/bench/defaults", type=pathlib.Path)
    parser.add_argument("--data", default=ROOT.parent / "shared/data", type=pathlib.Path)
    parser.add_argument("--seeds", default=1, type=int)
    parser.add_argument("--first-seed", default=0, type=int)
    parser.add_argument("--rates", default=[0.1], type=float, nargs="+")
    parser.add_argument("--rows", default=400, type=int)
    parser.add_argument("--methods", default=METHODS, nargs="+")
    parser.add_argument("--tables", default=[], nargs="+")
    parser.add_argument("--vectors", action="store_true", help="keep every row's score in --results")
    parser.add_argument("--results", type=pathlib.Path, help="also write the single results here, as JSON lines")
    parser.add_argument("--output", default=ROOT / "docs/defaults.md", type=pathlib.Path)
    parser.add_argument("--standardise-only", action="store_true")
    parser.add_argument("--from", dest="earlier", default=[], type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    results = read_results(options.earlier) if options.earlier else run_all(options)
    if options.results:
        options.results.write_text("".join(json.dumps(r) + "\n" for r in results))
    options.output.write_text(report(results))


if __name__ == "__main__":
    main()
