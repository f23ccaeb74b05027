#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A support vector machine and a random forest on the splits of robust_multiclass.

    build/release/experiments/robust_multiclass --splits splits.jsonl
    experiments/robust_multiclass/rivals.py splits.jsonl --output rivals.jsonl [--minutes 45]

Columns are standardised by their training rows.  The support vector machine has a Gaussian kernel;
C and gamma are chosen by five folds of the noisy training labels, class probabilities are those
of Platt's method.  The forest has 500 trees.  Appends one JSON line per cell and method, and leaves
out what the output already holds; after --minutes no new cell is begun.  Needs numpy, pandas and
scikit-learn.
"""
import argparse
import json
import pathlib
import sys
import time
import warnings

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from find_table import find_table  # noqa: E402

SMALLEST = 1e-4  # probability that a method can pay for, as in robust_multiclass.cpp
GRID = {"svc__C": [0.1, 1, 10, 100, 1000], "svc__gamma": [0.001, 0.01, 0.03, 0.1, 0.3, 1]}


def read_table(name, classes):
    """Numbers and clean class codes of a table."""
    path = find_table(name)
    if path is None:
        raise SystemExit(f"{name}.csv is neither in data nor in ../shared/data")
    table = pd.read_csv(path)
    codes = table["label"].map({c: k for k, c in enumerate(classes)}).to_numpy()
    inputs = [c for c in table if c != "label" and not c.startswith("meta_")]
    return table[inputs].to_numpy(float), codes


def svm(X, y, seed):
    """C and gamma by cross-validation of the labels as they are."""
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    search = GridSearchCV(make_pipeline(StandardScaler(), SVC()), GRID, cv=folds)
    best = search.fit(X, y).best_params_
    chosen = SVC(C=best["svc__C"], gamma=best["svc__gamma"], probability=True, random_state=seed)
    return make_pipeline(StandardScaler(), chosen).fit(X, y)


def forest(X, y, seed):
    return RandomForestClassifier(500, random_state=seed, n_jobs=1).fit(X, y)


METHODS = {"svm": svm, "forest": forest}


def measure(model, X, y):
    """Balanced class rate over the classes that occur, and log loss."""
    predicted = model.predict(X)
    rate = np.mean([np.mean(predicted[y == c] == c) for c in np.unique(y)])
    p = np.zeros((len(y), max(y.max(), model.classes_.max()) + 1))
    p[:, model.classes_] = model.predict_proba(X)
    loss = -np.mean(np.log(np.maximum(SMALLEST, p[np.arange(len(y)), y])))
    return {"balanced_class_rate": float(rate), "log_loss": float(loss)}


def cells_done(path):
    if not path.exists():
        return set()
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    return {(x["table"], x["rate"], x["seed"], x["method"]) for x in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("splits", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    options = parser.parse_args()
    warnings.filterwarnings("ignore")  # classes of fewer than five rows; Platt's method is to move
    done, begin, tables = cells_done(options.output), time.monotonic(), {}
    with options.output.open("a") as file:
        for text in options.splits.read_text().splitlines():
            cell = json.loads(text)
            name, seed, train, test = cell["table"], cell["seed"], cell["train_rows"], cell["test_rows"]
            if name not in tables:
                tables[name] = read_table(name, cell["classes"])
            X, clean = tables[name]
            for method, learn in METHODS.items():
                key = {"table": name, "rate": cell["rate"], "seed": seed, "method": method}
                if tuple(key.values()) in done:
                    continue
                if time.monotonic() - begin > 60 * options.minutes:
                    return
                start = time.process_time()
                model = learn(X[train], np.array(cell["noisy_labels"]), seed)
                line = {**key, **measure(model, X[test], clean[test]),
                        "seconds": time.process_time() - start}
                print(json.dumps(line), file=file, flush=True)


if __name__ == "__main__":
    main()
