# SPDX-License-Identifier: MIT
"""Which cells (method, problem, n) are measured, in which order, and what was measured before."""
import json
import os
import pathlib
import subprocess
import sys
import time

from home import HERE, python_of
from names import METHODS

SIZES = (200, 500, 1000, 2000, 4000)
RUNS = 3
ENOUGH_SECONDS = 120.0  # no other run of a cell that has taken as long
MOST_SECONDS = 600.0  # a cell that would take longer is left out
# What there is a target for comes first; then all else, small tables before large ones.
FIRST = [("scikit-learn", 1000), ("candor laplace", 1000), ("candor ep", 1000), ("GPy", 500), ("candor ep", 500),
         ("scikit-learn", 2000), ("candor laplace", 2000), ("candor ep", 2000), ("candor", 1000), ("candor, one kernel", 1000)]
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS",
                                     "LOKY_MAX_CPU_COUNT")}


def cells(sizes, data, methods):
    wanted = FIRST + [(name, n) for n in SIZES for name in METHODS if (name, n) not in FIRST]
    wanted += [(name, n) for n in sizes if n not in SIZES for name in METHODS]
    return [(name, problem, n) for name, n in wanted for problem in data if n in sizes and name in methods]


def read(path):
    """Cells to what was measured; of a cell that is there twice the last."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines() if pathlib.Path(path).exists() else []
    return {(row["method"], row["data"], row["n"]): row for row in map(json.loads, lines)}


def run_all(wanted, path, home, versions, minutes):
    """Appends a line for every cell as soon as it is done.  A cell that failed, or was of another version, is done again."""
    done, end = read(path), time.monotonic() + 60.0 * minutes
    for i, cell in enumerate(wanted):
        version = versions[METHODS[cell[0]].package]
        if cell in done and done[cell]["version"] == version and "failed" not in done[cell]:
            continue
        if time.monotonic() > end:
            print(f"{minutes:g} minutes are over: {len(wanted) - i} cells are left for another time", file=sys.stderr)
            return
        head = dict(zip(("method", "data", "n"), cell), version=version, libraries=versions["libraries"],
                    load=os.getloadavg()[0])
        done[cell] = head | measured(cell, done, home)
        with open(path, "a", encoding="utf-8") as out:
            print(json.dumps(done[cell]), file=out)
        print(shown(done[cell]), file=sys.stderr, flush=True)


def measured(cell, done, home):
    expected, why = estimate(cell, done)
    if expected > MOST_SECONDS:
        return {"left_out": why}
    best = run(cell, home)
    spent = best.get("fit", 0.0)
    while "fit" in best and best["runs"] < RUNS and spent <= ENOUGH_SECONDS:
        again = run(cell, home)
        if "fit" not in again:
            return again
        spent += again["fit"]
        smallest = {key: min(best[key], again[key]) for key in ("fit", "predict", "fit_mib", "predict_mib")}
        best |= smallest | {"runs": best["runs"] + 1}
    return best


def estimate(cell, done):
    """Seconds, by the next smaller table of the same method and problem; 0 where there is none."""
    name, data, n = cell
    smaller = [m for m in SIZES if m < n and (name, data, m) in done]
    if not smaller:
        return 0.0, ""
    before = done[name, data, max(smaller)]
    if "left_out" in before:
        return float("inf"), before["left_out"]
    seconds = before.get("fit", 0.0) * (n / before["n"]) ** METHODS[name].power
    return seconds, f"a fit of n = {n} would take about {seconds / 60:.0f} minutes, by that of n = {before['n']}"


def run(cell, home):
    command = [python_of(home), HERE / "measure.py", json.dumps(cell)]
    try:
        done = subprocess.run(command, env=os.environ | ONE_THREAD, capture_output=True, text=True, timeout=2 * MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return {"left_out": f"not done in {2 * MOST_SECONDS / 60:.0f} minutes"}
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1][:200]}
    return json.loads(done.stdout.strip().splitlines()[-1]) | {"runs": 1}


def shown(row):
    values = {key: row[key] for key in row if key not in ("method", "data", "n", "version", "libraries", "load")}
    text = ", ".join(f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in values.items())
    return f"{row['method']}, {row['data']}, n = {row['n']}: {text}"
