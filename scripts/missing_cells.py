#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Missing numbers taken as not known, beside medians put in their place: which rows an audit points at.

    scripts/missing_cells.py [--candor build/release/bin/candor] [--tables 12]

Tables of 200 rows and two columns, a sharp straight boundary between the classes, with blank cells and wrong labels.  The same table
is audited as it is, and with the median in blank cells and a category beside each column that says where.  Prints Markdown.
"""
import argparse
import csv
import json
import pathlib
import random
import statistics
import subprocess
import tempfile

ROWS = 200


def table(seed, missing, wrong):
    """Rows of two cells, None where blank, a label and whether it is wrong."""
    dice = random.Random(seed)
    rows = []
    for _ in range(ROWS):
        x, y = dice.gauss(0, 1), dice.gauss(0, 1)
        is_wrong = dice.random() < wrong
        label = "up" if (x + 0.7 * y > 0) != is_wrong else "down"
        rows.append(([None if dice.random() < missing else number for number in (x, y)], label, is_wrong))
    return rows


def blank(rows):
    return [["x", "y", "label"]] + [[*("" if c is None else f"{c:.6f}" for c in cells), label] for cells, label, _ in rows]


def filled(rows):
    middle = [statistics.median(cells[k] for cells, _, _ in rows if cells[k] is not None) for k in (0, 1)]
    lines = [["x", "x_said", "y", "y_said", "label"]]
    for cells, label, _ in rows:
        line = []
        for k in (0, 1):
            line += [f"{middle[k] if cells[k] is None else cells[k]:.6f}", "no" if cells[k] is None else "yes"]
        lines.append([*line, label])
    return lines


def audit(candor, lines):
    """p_wrong of every row."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "table.csv"
        with path.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows(lines)
        run = subprocess.run([candor, "audit", path, "--label", "label", "--format", "json", "--top", str(ROWS)], capture_output=True, text=True,
                             check=False)
    if run.returncode not in (0, 4):  # 4: something did not converge, and the audit says so
        raise SystemExit(run.stderr)
    p = [0.0] * ROWS
    for row in json.loads(run.stdout)["rows"]:
        p[row["row"] - 1] = row["p_wrong"]
    return p


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--candor", default="build/release/bin/candor")
    parser.add_argument("--tables", type=int, default=12)
    options = parser.parse_args()
    print(f"| blank cells | wrong labels of {ROWS * options.tables} | missing numbers | pointed at | of these wrong | right, with a blank cell | largest p_wrong of a right label |")
    print("|---|---|---|---|---|---|---|")
    for missing, wrong in ((0.05, 0.0), (0.15, 0.0), (0.05, 0.1), (0.15, 0.1)):
        for name, write in (("not known", blank), ("medians", filled)):
            shown = found = accused = errors = 0
            largest = 0.0
            for seed in range(options.tables):
                rows = table(seed, missing, wrong)
                for (cells, _, is_wrong), p in zip(rows, audit(options.candor, write(rows))):
                    errors += is_wrong
                    shown += p > 0.5
                    found += p > 0.5 and is_wrong
                    accused += p > 0.5 and not is_wrong and None in cells
                    largest = max(largest, 0.0 if is_wrong else p)
            print(f"| {missing:.0%} | {errors} | {name} | {shown} | {found} | {accused} | {largest:.3f} |", flush=True)


if __name__ == "__main__":
    main()
