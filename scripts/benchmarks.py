#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the benchmarks and writes docs/benchmarks.md from what they print.

    scripts/benchmarks.py [BUILD_FOLDER = build/release] [--problems N] [--scale N,N,…]

Figures are counts, rates (GFLOP/s), or ratios to one Cholesky factorisation or one dgemm measured in
the same run.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = {  # benchmark → what it is, and the bar it is held to, in c
    "ep_sweep/2000": ("one EP sweep, n = 2000", "2.6"),
    "ep_to_convergence/1000": ("EP to convergence, n = 1000", "3"),
    "laplace_logistic/1000": ("Laplace, logistic, n = 1000", "1.3"),
    "gradient/2000/20": ("gradient in 21 hyperparameters, n = 2000, d = 20", "0.6 of a sweep"),
}


def google_benchmark(program, *options):
    text = subprocess.run([program, "--benchmark_format=json", *options], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return json.loads(text)["benchmarks"]


def short_name(run):
    return run["name"].split("/iterations")[0].split("/manual_time")[0].replace("/threads:1", "")


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown CPU"


def speed_table(runs):
    by_name = {short_name(r): r for r in runs}
    sweep = by_name["ep_sweep/2000"]["c"]
    lines = ["| what | cost | to reach |", "|---|---|---|"]
    for name, (what, bar) in TARGETS.items():
        c = by_name[name]["c"]
        cost = f"{c:.2f} c" + (f" = {c / sweep:.2f} of a sweep" if "sweep" in bar else "")
        lines.append(f"| {what} | {cost} | ≤ {bar}{'' if 'sweep' in bar else ' c'} |")
    lines += ["", "All of them (c: in units of one n = 2000 Cholesky; sweeps: factorisations of the n×n system):", "",
              "| benchmark | c | sweeps |", "|---|---|---|"]
    for name, run in by_name.items():
        sweeps = f"{run['sweeps']:.0f}" if "sweeps" in run else ""
        lines.append(f"| {name} | {run['c']:.3f} | {sweeps} |")
    return lines


def convergence_table(report):
    groups = [("all problems", report["all"]),
              ("those with v₂/v₀ ≥ 10⁻³", report["v2_over_v0_at_least_1e-3"])]
    lines = ["| | " + " | ".join(name for name, _ in groups) + " |", "|---|" + "---|" * len(groups)]

    def row(name, value):
        lines.append(f"| {name} | " + " | ".join(str(value(g)) for _, g in groups) + " |")

    row("problems", lambda g: g["problems"])
    row("converged to 10⁻⁸", lambda g: f"{g['converged']} ({100 * g['converged'] / g['problems']:.2f} %)")
    for rung in ("parallel", "sequential", "root finder"):
        row(f"… on the rung *{rung}*", lambda g: g["by_rung"].get(rung, 0))
    row("sweeps, median / 90 % / 99 % / most", lambda g: " / ".join(
        str(g["sweeps"][q]) for q in ("median", "q90", "q99", "max")))
    row("largest residual, recomputed independently", lambda g: f"{g['worst_recomputed_residual']:.1e}")
    row("false convergence", lambda g: g["false_convergence"])
    row("results with a NaN", lambda g: g["not_finite"])
    row("exceptions", lambda g: g["exceptions"])
    return lines


def learning_lines(report):
    speed, solved = report["speed"], report["problems_solved"]
    fit, selection = speed["regular_fit_n1000"], speed["selection_n1000"]
    alone = selection["regular_fit_with_defaults"]
    gradient = speed["lengthscales_n2000_d20"]
    return [
        "| what | cost | to reach |", "|---|---|---|",
        f"| regular fit, n = 1000, from lengthscale 0.5 and amplitude 1 | {fit['c']:.1f} c, {fit['evaluations']} evaluations, "
        f"{fit['sweeps']} sweeps | ≤ 12 c |",
        f"| its evidence below the best of 20 random starts | {fit['gap']:.0e} nats | ≤ 10⁻³ |",
        f"| the same with the default prior and starts | {alone['c']:.1f} c | – |",
        f"| choosing between regular and robust, n = 1000 | {selection['c']:.1f} c = {selection['times_one_regular_fit']:.1f} regular fits "
        f"= {selection['times_regular_fit_with_defaults']:.1f} with the default prior and starts | ≤ 4 regular fits |",
        f"| gradient in 21 hyperparameters, n = 2000, d = 20 | {gradient['gradient_over_sweep']:.2f} of a sweep | ≤ 1 sweep |", "",
        f"{solved['ran']} random problems, what learning reaches against the best of {report['starts']} random starts:", "",
        "| | | to reach |", "|---|---|---|",
        f"| within 0.1 nat | {solved['within_0.1_nat']} of {solved['ran']} | ≥ 95 % |",
        f"| largest gap | {solved['gap']['max']:.2f} nats | – |",
        f"| robust model below the regular one | {solved['robust_below_regular']} | 0 |",
        f"| evaluations, median / 90 % / most | {solved['evaluations']['median']:.0f} / {solved['evaluations']['q90']:.0f} / "
        f"{solved['evaluations']['max']:.0f} | – |",
        f"| time, median / 90 % / most | {solved['c']['median']:.2f} / {solved['c']['q90']:.2f} / {solved['c']['max']:.2f} c | – |"]


def scale_table(program, sizes):
    lines = ["| n | status | sweeps | evidence's gradient, relative to EP | peak memory, n² doubles |", "|---|---|---|---|---|"]
    for n in sizes:
        run = json.loads(subprocess.run([program, "--n", str(n)], check=False, stdout=subprocess.PIPE, text=True).stdout)
        lines.append(f"| {n} | {run['status']} | {run['sweeps']} | {run['gradient_seconds'] / run['ep_seconds']:.2f} | "
                     f"{run['peak_in_n2_doubles']:.2f} |")
    return lines


def spin(stop):
    while not stop.is_set():
        pass


def kernel_seconds(program, threads):
    name = f"cholesky_in_place/n:2000/threads:{threads}/"
    runs = google_benchmark(program, f"--benchmark_filter=^{name}", "--benchmark_min_time=1")
    return min(r["real_time"] for r in runs)


def busy_table(program):
    """Wall time of one Cholesky with all threads relative to one, idle and with twice as many busy processes."""
    cores = len(os.sched_getaffinity(0))
    lines = [f"| machine | wall time with {cores} threads, relative to 1 thread |", "|---|---|"]
    for label, load in (("as it was", 0), (f"with {2 * cores} processes spinning beside it", 2 * cores)):
        stop = multiprocessing.Event()
        others = [multiprocessing.Process(target=spin, args=(stop,), daemon=True) for _ in range(load)]
        for process in others:
            process.start()
        time.sleep(0.5)
        ratio = kernel_seconds(program, cores) / kernel_seconds(program, 1)
        stop.set()
        for process in others:
            process.join()
        lines.append(f"| {label} | {ratio:.2f} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("--problems", type=int, default=3000, help="random problems for ep_convergence")
    parser.add_argument("--scale", default="2000,6000,20000", help="rows for scale; 20000 take ten minutes")
    options = parser.parse_args()
    bench = options.build / "bench"

    speed = google_benchmark(bench / "inference")
    kernels = google_benchmark(bench / "kernels", "--benchmark_filter=dgemm|threads:1/")
    convergence = json.loads(subprocess.run([bench / "ep_convergence", str(options.problems)], check=False,
                                            stdout=subprocess.PIPE, text=True).stdout)
    learning = json.loads(subprocess.run([bench / "learning"], check=False, stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL, text=True).stdout)
    lines = [
        "# Benchmarks", "",
        "Written by `scripts/benchmarks.py`; do not edit. Repeat with `make bench-docs`.", "",
        f"Machine: {cpu_model()}, {len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f} at the end. "
        "Machines are noisy: figures are counts, rates, or ratios to something measured in the same run.", "",
        "Speed, memory and answers beside scikit-learn, GPy and others, with ratios: [peers.md](peers.md).", "",
        "## Speed", "",
        "CPU time of one thread. c is one n = 2000 dpotrf (or our Cholesky, if faster) with the kernels in use. Ring data, "
        "5 % of the labels flipped, squared exponential, unit amplitude, lengthscale 0.5 (1.5 for the gradient), v₂ = 1, ε = 0. Building the "
        "covariance is included, except in a sweep and a gradient.", "",
        *speed_table(speed), "",
        "## Kernels", "", "Share of the dgemm rate at the same n, one thread:", "",
        "| kernel | GFLOP/s | of dgemm |", "|---|---|---|",
        *[f"| {short_name(r)} | {r['GFLOP/s']:.1f} | {r.get('of_dgemm', 1.0):.2f} |" for r in kernels], "",
        "One Cholesky factor, n = 2000, when the machine is busy:", "",
        *busy_table(bench / "kernels"), "",
        "## Convergence of EP", "",
        f"{options.problems} random problems, seeds 0 to {options.problems - 1}: n 5-200, d 1-10, five covariances, v₂ 10⁻⁶-1, "
        "amplitude v₀ 0.1-100, ε 0-0.4, 0-20 % of the labels flipped (`bench/ep_convergence`).", "",
        *convergence_table(convergence), "",
        "## Learning", "",
        "Same data, same c; random problems as `bench/learning` describes them.", "",
        *learning_lines(learning), "",
        "## Large tables", "",
        "Ring data in two columns, every label right, threshold(ε = 0.02, v₂ = 1), all cores (`bench/scale`). Sweeps on halves of "
        "the table, where EP begins, are not counted. To reach: convergence, and at most 3 n² doubles beside n × (400 + 384 for each thread) and the buffers of BLAS "
        "(64 MiB).", "",
        *scale_table(bench / "scale", options.scale.split(",")), ""]
    target = ROOT / "docs/benchmarks.md"
    temporary = target.with_suffix(".tmp")
    temporary.write_text("\n".join(lines))
    temporary.rename(target)
    print(f"wrote {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
