#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What run.py's measurements must show; ends with 1 and names what does not hold.

    experiments/label_errors/check.py label_errors.jsonl … [--quick]

With --quick, of a few draws, only what holds by a wide margin: that Candor ranks better than disagreement with a forest does, and
accuses fewer rows of clean tables than anybody else.
"""
import argparse
import pathlib
import sys

from methods import METHODS
from comparison import MEASURES, OURS, by_setting, false_flags, measured, ranks


def failures(frame, quick):
    """What does not hold, a sentence each."""
    others = [method for method in METHODS if method != OURS]
    flags = false_flags(frame)
    fewest = min(others, key=lambda method: flags[method])
    if not flags[OURS] < flags[fewest]:
        yield f"false flags on clean tables: {flags[OURS]:.1f} per 1000 by {OURS}, {flags[fewest]:.1f} by {fewest}"
    if quick:
        precision = by_setting(frame, "average_precision").mean()
        if not precision[OURS] > precision["predicted ≠ given"]:
            yield f"average precision: {precision[OURS]:.3f} by {OURS}, {precision['predicted ≠ given']:.3f} by disagreement"
        return
    for measure in ("average_precision", "brier"):
        name, rank = MEASURES[measure][0], ranks(frame, measure).mean()
        best = rank[others].idxmin()
        if not rank[OURS] < rank[best]:
            yield f"average rank in {name}: {rank[OURS]:.2f} of {OURS}, {rank[best]:.2f} of {best}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, nargs="+")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    frame = measured(options.results)
    failed = list(failures(frame, options.quick))
    for says in failed:
        print(f"failed: {says}")
    print(f"label_errors: {frame['table'].nunique()} tables, {len(failed)} failed")
    sys.exit(1 if failed or frame.empty else 0)


if __name__ == "__main__":
    main()
