#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Missing numbers taken as not known, beside medians put in their place: which rows an audit points at.

    scripts/missing_cells.py [--candor build/release/bin/candor] [--tables 12]

Tables of 200 rows and three columns, two of which say the class, with a sharp straight boundary; one says nothing.  Cells of the two, or
half of the third, are blank, and labels wrong.  The same table is audited as it is, and with the median in blank cells and a category beside
each such column that says where.  Prints Markdown.
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


def table(seed, missing, idle, wrong):
    """Rows of three cells, None where blank, a label and whether it is wrong."""
    dice = random.Random(seed)
    rows = []
    for _ in range(ROWS):
        x, y, z = (dice.gauss(0, 1) for _ in range(3))
        is_wrong = dice.random() < wrong
        label = "up" if (x + 0.7 * y > 0) != is_wrong else "down"
        cells = [None if dice.random() < share else number for number, share in ((x, missing), (y, missing), (z, idle))]
        rows.append((cells, label, is_wrong))
    return rows


def blank(rows):
    return [["x", "y", "z", "label"]] + [[*("" if c is None else f"{c:.6f}" for c in cells), label] for cells, label, _ in rows]


def filled(rows):
    lines = [[] for _ in range(1 + len(rows))]
    for name, cells in zip("xyz", zip(*(cells for cells, _, _ in rows))):
        middle = statistics.median(c for c in cells if c is not None)
        column = [name, *(f"{middle if c is None else c:.6f}" for c in cells)]
        said = [f"{name}_said", *("no" if c is None else "yes" for c in cells)] if None in cells else None
        for k, line in enumerate(lines):
            line += [column[k]] if said is None else [column[k], said[k]]
    for line, label in zip(lines, ["label", *(label for _, label, _ in rows)]):
        line.append(label)
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
    print(f"| blank: columns that matter, that does not | wrong labels of {ROWS * options.tables} | missing numbers | pointed at | of these wrong "
          "| right, with a blank cell | largest p_wrong of a right label | mean p_wrong of wrong labels |")
    print("|---|---|---|---|---|---|---|---|")
    for missing, idle, wrong in ((0.05, 0.0, 0.0), (0.15, 0.0, 0.0), (0.05, 0.0, 0.1), (0.15, 0.0, 0.1), (0.0, 0.0, 0.1), (0.0, 0.5, 0.1)):
        for name, write in (("not known", blank), ("medians", filled)):
            shown = found = accused = errors = 0
            largest = of_wrong = 0.0
            for seed in range(options.tables):
                rows = table(seed, missing, idle, wrong)
                for (cells, _, is_wrong), p in zip(rows, audit(options.candor, write(rows))):
                    errors += is_wrong
                    shown += p > 0.5
                    found += p > 0.5 and is_wrong
                    accused += p > 0.5 and not is_wrong and None in cells
                    largest = max(largest, 0.0 if is_wrong else p)
                    of_wrong += p if is_wrong else 0.0
            mean = f"{of_wrong / errors:.3f}" if errors else "–"
            print(f"| {missing:.0%}, {idle:.0%} | {errors} | {name} | {shown} | {found} | {accused} | {largest:.3f} | {mean} |", flush=True)


if __name__ == "__main__":
    main()
