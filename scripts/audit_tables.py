#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants wrong labels in well-known tables, audits them, and writes docs/audit.md.

    scripts/audit_tables.py build/release/bin/candor [--seeds 3]

For each table, rate and seed: candor simulate, then candor audit; the ranking by p_wrong is compared
with the truth.  Tables that are neither in data/ nor in ../shared/data are skipped, and named.
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import tempfile

from find_table import find_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ["new_thyroid", "wine", "breast_cancer_wdbc", "glass"]
RATES = ["0.05", "0.1"]


def average_precision(ranked, planted):
    """Mean of the precision at each planted row, down the ranking."""
    found, total = 0, 0.0
    for rank, row in enumerate(ranked, 1):
        if row in planted:
            found += 1
            total += found / rank
    return total / len(planted)


def audit(candor, path, rate, seed, folder):
    """One table, one rate, one seed."""
    table, result = folder / "table.csv", folder / "audit.json"
    simulate = [candor, "simulate", path, "--label", "label", "--rate", rate, "--seed", str(seed)]
    subprocess.run([*simulate, "-o", table, "-q"], check=True)
    done = subprocess.run([candor, "audit", table, "--label", "label", "--format", "json", "--top",
                           "1000000", "-o", result, "-q"], check=False)
    if done.returncode not in (0, 4):  # 4: not converged, results written
        raise SystemExit(f"candor audit ended with {done.returncode} on {path.name}")
    document = json.loads(result.read_text())
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    planted = {i for i, row in enumerate(rows, 1) if row["label"] != row["true_label"]}
    ranked = document["rows"]
    doubted = [row["row"] for row in ranked if row["p_wrong"] > document["threshold"]]
    return {
        "rows": len(rows),
        "planted": len(planted),
        "ap": average_precision([row["row"] for row in ranked], planted),
        "found": len(planted.intersection(doubted)),
        "doubted": len(doubted),
        "brier": sum((row["p_wrong"] - (row["row"] in planted)) ** 2 for row in ranked) / len(rows),
        "rate": document["rate"]["mean"],
        "covered": document["wrong_labels"]["low"] <= len(planted) <= document["wrong_labels"]["high"],
        "converged": document["converged"],
    }


def line(name, rate, runs):
    """A row of the table, averaged over seeds."""
    mean = lambda key: statistics.fmean(run[key] for run in runs)
    return (f"| {name} | {runs[0]['rows']} | {float(rate):.0%} | {mean('planted'):.1f} | {mean('ap'):.3f} "
            f"| {mean('found'):.1f} of {mean('doubted'):.1f} | {mean('brier'):.4f} | {mean('rate'):.3f} "
            f"| {sum(run['covered'] for run in runs)} of {len(runs)} "
            f"| {sum(run['converged'] for run in runs)} of {len(runs)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("candor")
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    candor = str(pathlib.Path(options.candor).resolve())
    lines = []
    for name in TABLES:
        path = find_table(name)
        if path is None:
            lines.append(f"| {name} | skipped: no {name}.csv in data or ../shared/data |")
            continue
        for rate in RATES:
            with tempfile.TemporaryDirectory() as folder:
                runs = [audit(candor, path, rate, seed, pathlib.Path(folder))
                        for seed in range(1, options.seeds + 1)]
            lines.append(line(name, rate, runs))
            print(lines[-1], flush=True)
    (ROOT / "docs" / "audit.md").write_text(f"""# How well `candor audit` finds planted errors

Written by `scripts/audit_tables.py`; do not edit. Labels are flipped by `candor simulate` (uniform over rows and
other classes), then ranked by `candor audit` with its defaults. Means over {options.seeds} seeds. Labels that were wrong in the
original tables count as mistakes of the audit. Tables are looked for in data and in ../shared/data, and the script names those it
skips.

*Average precision*: 1 when every planted error is ranked above every other row; a random ranking has about the rate.
*Found*: planted errors with p_wrong above ½, of all rows above ½. *Brier*: mean squared error of p_wrong.
*Covered*: seeds whose number of planted errors lies in the 90 % interval for wrong labels; that is fewer than nine in ten
where p_wrong is too small for all of them, or where the original table has errors of its own.

| table | rows | rate | planted | average precision | found | Brier | estimated ε | covered | converged |
|---|---|---|---|---|---|---|---|---|---|
""" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
