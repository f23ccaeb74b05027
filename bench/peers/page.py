# SPDX-License-Identifier: MIT
"""The page that says what was measured."""
import os
import pathlib
import platform

from grid import ENOUGH_SECONDS, MOST_SECONDS, RUNS
from names import METHODS
from problems import DATA, FLIPS, TEST_ROWS

WORDS = {"fit": "fit", "predict": "mean and variance of 10,000 rows", "fit_mib": "memory of the fit",
         "predict_mib": "memory of the predictions"}
SAME_MODEL = {"candor laplace": "scikit-learn", "candor ep": "GPy"}
BARS = ([("fit", ours, "scikit-learn", n, 4.0) for ours in ("candor laplace", "candor ep", "candor, one kernel", "candor")
         for n in (1000, 2000, 4000)]
        + [("fit", ours, "GPy", 500, 50.0) for ours in ("candor ep", "candor, one kernel", "candor")]
        + [(field, ours, "scikit-learn", n, bar) for field, bar in (("predict", 4.0), ("fit_mib", 3.0), ("predict_mib", 3.0))
           for ours in ("candor laplace", "candor ep", "candor") for n in (1000, 2000, 4000)])


def page(done):
    machine, versions = describe(done)
    lines = ["# Candor and other packages", "", "Written by `bench/peers`; do not edit.", "",
             f"{machine} {versions} One thread each, CPU time, the smallest of three runs, each in its own process; none begins once "
             f"fits of a cell have taken {ENOUGH_SECONDS:.0f} s, and fewer than three are said beside the time. {100 * FLIPS:.0f} % of the "
             f"training labels are flipped; error and log loss are on {TEST_ROWS:,} other rows with right labels, probabilities "
             "kept 1e-3 away from 0 and 1. Predictions are those rows' latent means and variances, where there are such, else "
             "probabilities. Memory is the highest during the call, less what the process had after imports and a fit of 40 rows. "
             "Log evidence is of each model by its own approximation, a bound for GPyTorch, integrated over hyperparameters where "
             "Candor averages. Errors found: average precision of a ranking of the training labels against the flips.", "",
             "Kernels start from 1·RBF(√(d/2)), except in *candor*, which has its own.", "",
             "| | |", "|---|---|", *(f"| {name} | {method.what} |" for name, method in METHODS.items()), "",
             "## Ratios", "", "How many times less Candor takes. Where model and approximation are the same but one of the two "
             "learned better hyperparameters, by 0.1 nats or more, that is said: the other has stopped short.", "",
             *bar_lines(done), ""]
    for data, make in DATA.items():
        lines += [f"## {data.capitalize()}", "", make.__doc__, ""]
        for n in sorted({cell[2] for cell in done}):
            table = table_lines(done, data, n)
            lines += [f"n = {n}:", "", *table, ""] if table else []
    left = [f"- {name}, {data}, n = {n}: {row['left_out']}" for (name, data, n), row in done.items() if "left_out" in row]
    if left:
        lines += ["## Left out", "", f"What would take more than {MOST_SECONDS / 60:.0f} minutes:", "", *left, ""]
    return "\n".join(lines)


def describe(done):
    loads = [row["load"] for row in done.values()]
    names = {line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")} or {platform.machine()}
    machine = f"{', '.join(names)}, {os.cpu_count()} cores, load {min(loads):.1f} to {max(loads):.1f} when runs began."
    versions = sorted({row[key] for row in done.values() for key in ("version", "libraries")})
    return machine, f"{', '.join(versions)}."


def bar_lines(done):
    lines = ["| what | n | against | " + " | ".join(DATA) + " | to reach |", "|---|---|---|" + "---|" * (len(DATA) + 1)]
    for field, ours, theirs, n, bar in BARS:
        ratios = [ratio(done.get((theirs, data, n), {}), done.get((ours, data, n), {}), field, bar) for data in DATA]
        if any(cell != "–" for cell in ratios):
            lines.append(f"| {WORDS[field]}, {ours} | {n} | {theirs} | " + " | ".join(ratios) + f" | ≥ {bar:.0f} |")
    return lines


def ratio(theirs, ours, field, bar):
    if field not in theirs or field not in ours:
        return "–"
    value = theirs[field] / max(ours[field], 1e-9)
    notes = [] if value >= bar else ["missed"]
    ahead = ours["log_evidence"] - theirs["log_evidence"]
    if field == "fit" and abs(ahead) >= 0.1 and SAME_MODEL.get(ours["method"]) == theirs["method"]:
        notes.append(f"{'ours' if ahead > 0 else 'theirs'} {abs(ahead):.1f} nats better")
    return f"{value:.1f}" + (f" ({', '.join(notes)})" if notes else "")


def table_lines(done, data, n):
    rows = [done[name, data, n] for name in METHODS if (name, data, n) in done]
    lines = []
    for row in rows:
        if "fit" not in row:
            lines.append(f"| {row['method']} | {'left out' if 'left_out' in row else row['failed']} | | | | | | | |")
            continue
        once = "" if row["runs"] == RUNS else " (one run)" if row["runs"] == 1 else f" ({row['runs']} runs)"
        evidence = f"{row['log_evidence']:.2f}" if "log_evidence" in row else "–"
        found = f"{row['found']:.3f}" if "found" in row else "–"
        lines.append(f"| {row['method']} | {row['fit']:.3g}{once} | {row['predict']:.3g} | {row['fit_mib']:.0f} | "
                     f"{row['predict_mib']:.0f} | {evidence} | {100 * row['error']:.2f} | {row['log_loss']:.4f} | {found} |")
    head = ["| | fit, s | predict, s | fit, MiB | predict, MiB | log evidence | error % | log loss | errors found |",
            "|---|---|---|---|---|---|---|---|---|"]
    return head + lines if lines else []
