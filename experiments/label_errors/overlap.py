#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables without wrong labels whose classes overlap: is the overlap taken for wrong labels, and what does that cost predictions?

    experiments/label_errors/overlap.py --output overlap.jsonl [--seeds 10]

Every line of the output is one draw; those that are there are left out.  If overlap is the reason, probabilities of the label as it would
be recorded, in which what was taken for errors comes back, predict test rows as well as the model without label errors does, and those of
the true class do not.
"""
import argparse
import json
import os
import pathlib

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import pandas as pd
from scipy.stats import norm

import tables
from methods import fitted
from run import lines_of, log_loss_of, revision, without_half_a_line

# P(class b) by the first of two columns.
MADE = {"overlap that ends (probit)": lambda x: norm.cdf(2.0 * x),
        "15 % of each class among the other": lambda x: np.where(x > 0.0, 0.85, 0.15),
        "one side pure, the other mixed": lambda x: np.where(x > 0.0, 0.5, 0.05)}
# The table that most false flags are on, one more of people, and two whose classes are apart.
REAL = ("titanic", "adult", "ionosphere", "breast_cancer_wdbc")


def made_case(name, seed, rows):
    random = np.random.default_rng([seed, *name.encode()])
    X = pd.DataFrame(random.standard_normal((rows, 2)), columns=["x", "nothing"])
    label = np.where(random.random(rows) < MADE[name](X["x"].to_numpy()), "b", "a")
    train = 2 * rows // 3
    return tables.Case(X[:train], label[:train], np.zeros(train, bool), X[train:].reset_index(drop=True), label[train:])


def measured(case):
    from candor import GPClassifier
    auto, _ = fitted(GPClassifier(n_jobs=1), case)
    regular, _ = fitted(GPClassifier(likelihood="probit", n_jobs=1), case)
    p = {"of_true_class": auto.predict_proba(case.X_test), "as_recorded": auto.predict_observed_proba(case.X_test),
         "without_errors": regular.predict_proba(case.X_test)}
    return {"rows": len(case.label), "flagged": int((np.asarray(auto.p_wrong_) > 0.5).sum()), "rate": float(auto.label_error_rate_),
            **{name: log_loss_of(p, auto.classes_, case.truth_test) for name, p in p.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--revision", default=revision(), help="what Candor was built from, if not from the clone as it is")
    options = parser.parse_args()
    without_half_a_line(options.output)
    done = {(r["table"], r["seed"]) for r in lines_of(options.output)} if options.output.exists() else set()
    with options.output.open("a", encoding="utf-8") as output:
        for name in (*MADE, *tables.present(REAL)):
            for seed in range(1, options.seeds + 1):
                if (name, seed) in done:
                    continue
                case = made_case(name, seed, options.rows) if name in MADE else tables.planted_case(name, "uniform", 0.0, seed, options.rows)
                line = {"table": name, "seed": seed, **measured(case), "revision": options.revision}
                print(json.dumps(line), file=output, flush=True)
                print(line, flush=True)


if __name__ == "__main__":
    main()
