#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Audits tables of many classes whose wrong labels are known, beside cleanlab.

    scripts/audit_classes.py build/release/bin/candor --output audits.jsonl [--tables iris,wine]

Planted errors (candor simulate, 10 %): iris, wine and glass with three seeds, digits8x8 with one.
Real errors: music_genre_crowd, the majority vote of a few people against the known genre, on the
rows that were labelled so.  Methods: candor audit, all classes jointly and one-vs-rest, and the
label quality scores of cleanlab from the out-of-fold probabilities of a random forest.  Appends a
JSON line for each table, seed and method, and leaves out what the output already holds;
scripts/multiclass_page.py makes a page of them.  Tables that are neither in data nor in
../shared/data are skipped, and named.  Needs numpy, pandas, scikit-learn and cleanlab.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import pandas as pd
from sklearn.metrics import average_precision_score

from find_table import find_table

RATE = "0.1"
SEEDS = {"iris": 3, "wine": 3, "glass": 3, "digits8x8": 1, "music_genre_crowd": 1}
TRUTH = {"music_genre_crowd": "meta_true_label"}
# Where the defaults (three covariances, two of them with a lengthscale per column) would take hours.
OPTIONS = {
    "digits8x8": ["--errors", "uniform", "--covariance", "4 * squared_exponential(lengthscale=8) + constant"],
    "music_genre_crowd": ["--covariance", "4 * matern(smoothness=2.5, lengthscale=11) + linear(lengthscale=11) + constant"]}
WAYS = {"joint": "joint", "one_vs_rest": "one-vs-rest"}


def write_table(candor, name, path, seed, table):
    """Writes the labels to audit, and returns the name of the column that holds the truth."""
    if name in TRUTH:
        frame = pd.read_csv(path, dtype=str)
        frame[frame["meta_split"] == "train"].to_csv(table, index=False)
        return TRUTH[name]
    subprocess.run([candor, "simulate", path, "--label", "label", "--rate", RATE, "--seed", str(seed),
                    "-o", table, "-q"], check=True)
    return "true_label"


def inputs_of(frame):
    return [c for c in frame if c not in ("label", "true_label") and not c.startswith("meta_")]


def audit(candor, table, frame, options):
    """p_wrong of every row, and what else the audit says."""
    hidden = [c for c in frame if c.startswith("meta_")]
    result = table.with_suffix(".json")
    command = [candor, "audit", table, "--label", "label", "--format", "json", "--top", "all", "-o", result,
               "-q", *options, *(["--ignore", ",".join(hidden)] if hidden else [])]
    before = os.times()
    done = subprocess.run(command, check=False)
    after = os.times()
    if done.returncode not in (0, 4):  # 4: not converged, results written
        raise SystemExit(f"candor audit ended with {done.returncode}")
    document = json.loads(result.read_text())
    score = np.zeros(len(frame))
    for row in document["rows"]:
        score[row["row"] - 1] = row["p_wrong"]
    used = after.children_user - before.children_user + after.children_system - before.children_system
    return score, score > 0.5, {"rate": document["rate"]["mean"], "converged": document["converged"],
                                "options": " ".join(options), "seconds": used}


def forest_probabilities(frame, seed):
    """Out-of-fold class probabilities and labels as numbers."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    codes, _ = pd.factorize(frame["label"], sort=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    model = RandomForestClassifier(500, random_state=seed, n_jobs=1)
    X = frame[inputs_of(frame)].astype(float)
    return codes, cross_val_predict(model, X, codes, cv=folds, method="predict_proba")


def measure(score, flagged, wrong):
    return {"rows": len(wrong), "wrong": int(wrong.sum()), "average_precision": average_precision_score(wrong, score),
            "flagged": int(flagged.sum()), "found": int((flagged & wrong).sum())}


def by_cleanlab(frame, wrong, seed):
    """One line for each of two scores; what is flagged is the same for both."""
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores
    start = time.process_time()
    codes, p = forest_probabilities(frame, seed)
    flagged = find_label_issues(codes, p, n_jobs=1)
    seconds = time.process_time() - start
    for method in ("self_confidence", "normalized_margin"):
        score = -get_label_quality_scores(codes, p, method=method)
        yield {"method": f"cleanlab_{method}", **measure(score, flagged, wrong),
               "rate": float(flagged.mean()), "seconds": seconds}


def lines_of(candor, name, path, seed, wanted):
    """The wanted measurements of one table and seed, as they are done."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "table.csv"
        truth = write_table(candor, name, path, seed, table)
        frame = pd.read_csv(table)
        wrong = (frame["label"] != frame[truth]).to_numpy()
        if any(method.startswith("cleanlab") for method in wanted):
            yield from by_cleanlab(frame, wrong, seed)
        for method, way in WAYS.items():
            if method in wanted:
                options = ["--multiclass", way, *OPTIONS.get(name, [])]
                score, flagged, said = audit(candor, table, frame, options)
                yield {"method": method, **measure(score, flagged, wrong), **said}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("candor")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--tables", default=",".join(SEEDS))
    parser.add_argument("--methods", default="cleanlab_self_confidence,cleanlab_normalized_margin,joint,one_vs_rest")
    options = parser.parse_args()
    candor = str(pathlib.Path(options.candor).resolve())
    done = set()
    if options.output.exists():
        lines = [json.loads(text) for text in options.output.read_text().splitlines()]
        done = {(x["table"], x["seed"], x["method"]) for x in lines}
    with options.output.open("a") as file:
        for name in options.tables.split(","):
            path = find_table(name)
            if path is None:
                print(f"{name} skipped: neither in data nor in ../shared/data")
                continue
            for seed in range(1, SEEDS[name] + 1):
                wanted = [m for m in options.methods.split(",") if (name, seed, m) not in done]
                for line in lines_of(candor, name, path, seed, wanted):
                    if line["method"] in wanted:
                        text = json.dumps({"table": name, "seed": seed, **line})
                        print(text, file=file, flush=True)
                        print(text, flush=True)


if __name__ == "__main__":
    main()
