#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds wrong labels in tables where they are known, by Candor and by others.

    experiments/label_errors/run.py --output label_errors.jsonl [--rows 300] [--seeds 10] [--rates 0,0.1,0.3] [--tables iris,wine] [--share 1/2] [--done FILE …] [--minutes M]

Every line of the output is one method on one table, kind and rate of errors and seed; what is there is left out, so that a run
that was ended goes on where it was.  Candor's lines name the revision of the clone (or --revision), from which it must have been
built; nothing is measured again because that has changed: take lines out for this.
--rows are those drawn from a table, of which a third is kept for testing (of tables with real errors, two thirds are drawn, and the
rest to test by where right labels are known).  Seeds come first: after any time, all tables have about as many.  --share is for several
processes, each with an output of its own; what is in --done, packed or not, is left out, too.  Needs candor, cleanlab and scikit-learn.
"""
import argparse
import gzip
import json
import os
import pathlib
import subprocess
import sys
import time

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score

import tables
from methods import METHODS, timed

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = ("candor", "cmake", "python", "CMakeLists.txt", "pyproject.toml", ":!python/tests")  # of what is measured


def revision():
    """The commit that last changed Candor, "-dirty" where files differ from it; its version where there is no clone.

    Not HEAD: what was measured does not change with a page or a test.
    """
    def git(*words):
        try:
            return subprocess.run(["git", "-C", ROOT, *words, "--", *SOURCES], capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return ""
    commit = git("log", "-1", "--format=%h", "--abbrev=10")
    if not commit:
        import candor
        return candor.__version__
    return commit + ("-dirty" if git("status", "--porcelain") else "")


def calibration_error(p, wrong, bins=10):
    """Mean distance of probabilities from frequencies, over bins of equal width."""
    which = np.minimum((p * bins).astype(int), bins - 1)
    return sum(abs(p[which == k].sum() - wrong[which == k].sum()) for k in range(bins)) / len(p)


def log_loss_of(p, classes, truth):
    columns = {c: k for k, c in enumerate(classes)}
    own = np.array([p[i, columns[c]] if c in columns else 0.0 for i, c in enumerate(truth)])
    return float(-np.log(np.clip(own, 1e-3, 1.0)).mean())  # nobody is ruined by one row


def of_test(ranking, case):
    if len(case.truth_test) == 0:
        return {}
    predicted = ranking.classes[ranking.p_test.argmax(axis=1)]
    return {"error": float((predicted != case.truth_test).mean()), "log_loss": log_loss_of(ranking.p_test, ranking.classes, case.truth_test)}


def measures(ranking, case):
    wrong, score = case.wrong, np.clip(ranking.score, 0.0, 1.0)
    result = {"rows": len(wrong), "wrong": int(wrong.sum()), "flagged": int(ranking.flagged.sum()),
              "flagged_wrong": int((ranking.flagged & wrong).sum()), "brier": float(np.mean((score - wrong) ** 2)),
              "calibration_error": float(calibration_error(score, wrong))}
    if 0 < wrong.sum() < len(wrong):
        top = np.argsort(-score, kind="stable")[: int(wrong.sum())]
        result |= {"auroc": float(roc_auc_score(wrong, score)), "average_precision": float(average_precision_score(wrong, score)),
                   "precision_at_count": float(wrong[top].mean())}
    return result | of_test(ranking, case) | ranking.said


def share_of(text):
    """"1/2" to 0 and 2."""
    part, _, parts = text.partition("/")
    if not (part.isdigit() and parts.isdigit() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text} is no share: it must be K/N, such as 1/2, with K from 1 to N")
    return int(part) - 1, int(parts)


def without_half_a_line(path):
    """A run that was killed may leave one."""
    if path.exists() and (text := path.read_bytes()) and not text.endswith(b"\n"):
        path.write_bytes(text[: text.rfind(b"\n") + 1])


def lines_of(path):
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def cells_in(paths):
    """Those that are measured, by their methods."""
    return {(r["table"], r["kind"], r["rate"], r["seed"], r["drawn"], r["method"]) for path in paths for r in lines_of(path)}


def at_least(least):
    def number(text):
        if not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is no number from {least} on")
        return int(text)
    return number


def rates_of(text):
    try:
        rates = [float(r) for r in text.split(",")]
    except ValueError:
        rates = [-1.0]
    if not all(0.0 <= r < 0.5 for r in rates):
        raise argparse.ArgumentTypeError(f"{text} is no list of rates: each must be from 0 to below 0.5, with commas between")
    return rates


def methods_of(text):
    unknown = [m for m in text.split("|") if m not in METHODS]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]} is no method: there are {', '.join(METHODS)}")
    return text.split("|")


def measured_file(text):
    if not (path := pathlib.Path(text)).is_file():
        raise argparse.ArgumentTypeError(f"{text} is no file")
    return path


def cells(names, rates, seeds):
    for seed in range(1, seeds + 1):
        for name in names:
            if name in tables.REAL:
                yield name, "real", None, seed
                continue
            for rate in rates:
                for kind in tables.KINDS if rate > 0.0 else tables.KINDS[:1]:
                    yield name, kind, rate, seed


def case_of(name, kind, rate, seed, rows):
    if kind == "real":
        return tables.real_case(name, seed, rows * 2 // 3)
    return tables.planted_case(name, kind, rate, seed, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--rows", type=at_least(30), default=300)
    parser.add_argument("--seeds", type=at_least(1), default=10)
    parser.add_argument("--rates", type=rates_of, default="0,0.1,0.3")
    parser.add_argument("--tables", default=",".join((*tables.PLANTED, *tables.REAL)))
    parser.add_argument("--methods", type=methods_of, default="|".join(METHODS), help="with | between")
    parser.add_argument("--share", type=share_of, default=(0, 1), metavar="K/N", help="every Nth cell, from the Kth on")
    parser.add_argument("--done", type=measured_file, nargs="*", default=[], help="measured already")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="no cell begins after so many")
    parser.add_argument("--revision", default=revision(), help="what Candor was built from, if not from the clone as it is")
    options = parser.parse_args()
    names = list(tables.present(options.tables.split(",")))
    if not names:
        parser.error("none of the tables is there")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    without_half_a_line(options.output)
    done = cells_in([p for p in (options.output, *options.done) if p.exists()])
    end = time.monotonic() + 60.0 * options.minutes
    part, parts = options.share
    wanted_cells = [*cells(names, options.rates, options.seeds)][part::parts]
    with options.output.open("a", encoding="utf-8") as output:
        for name, kind, rate, seed in wanted_cells:
            wanted = [m for m in options.methods if (name, kind, rate, seed, options.rows, m) not in done]
            if not wanted:
                continue
            if time.monotonic() > end:
                print("time is up: run again to go on", file=sys.stderr)
                return
            case = case_of(name, kind, rate, seed, options.rows)
            for method in wanted:
                ranking, seconds = timed(method, case, seed)
                line = {"table": name, "kind": kind, "rate": rate, "seed": seed, "drawn": options.rows, "method": method,
                        **measures(ranking, case), "seconds": seconds, **({"revision": options.revision} if method.startswith("candor") else {})}
                print(json.dumps(line), file=output, flush=True)
                print(f"{name} {kind} {rate} {seed} {method}: {seconds:.1f} s, AP {line.get('average_precision', float('nan')):.3f}, "
                      f"Brier {line['brier']:.4f}", file=sys.stderr)


if __name__ == "__main__":
    main()
