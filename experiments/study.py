# SPDX-License-Identifier: MIT
"""What every experiment here does alike: its options, tables, draws that go on after a stop, results and pictures.

    def measure(seed, settings): ...        one draw, as a dict of numbers

    study = Study("ring_outliers", __doc__)
    draws = study.draws(range(100), measure, settings)
    study.save({"settings": settings, ...})
"""
import argparse
import csv
import gzip
import json
import pathlib
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402
from stored import whole  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
from find_table import find_table  # noqa: E402

# Told apart with any colour vision (Okabe and Ito's set).
BLUE, ORANGE, GREEN, PURPLE, SKY, RED, GREY = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#666666"
SKIPPED = 77  # exit status of an experiment whose table is nowhere


class Study:
    """Options, draws and results of the experiment `name`."""

    def __init__(self, name, about):
        parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--quick", action="store_true", help="fewer draws: to see that it runs, not to compare")
        parser.add_argument("--output", type=pathlib.Path, default=ROOT / "experiments" / "results" / f"{name}.json",
                            help="results; draws are kept beside it, and a stopped run goes on (default: %(default)s)")
        parser.add_argument("--pictures", type=pathlib.Path, default=ROOT / "docs" / "pictures", help="folder (default: %(default)s)")
        options = parser.parse_args()
        self.name, self.quick, self.output, self.pictures = name, options.quick, options.output, options.pictures
        self.output.parent.mkdir(parents=True, exist_ok=True)
        plt.rcParams.update({"font.size": 9, "axes.titlesize": 9, "legend.fontsize": 8, "axes.spines.top": False,
                             "axes.spines.right": False})

    def table(self, name):
        """Columns of a table by name, as text; the experiment ends where there is none."""
        path = find_table(name)
        if path is None:
            print(f"{self.name}: skipped, since the table {name} is neither in data nor in ../shared/data")
            sys.exit(SKIPPED)
        with gzip.open(path, "rt") if path.suffix == ".gz" else open(path) as file:
            header, *rows = csv.reader(file)
        return dict(zip(header, np.array(rows).T, strict=True))

    def draws(self, seeds, measure, settings):
        """`measure(seed, settings)` of every seed, from the file of draws where it is there already."""
        path = self.output.with_suffix(".jsonl")
        done = _read_draws(path, settings)
        with open(path, "a") as file:
            for i, seed in enumerate(seeds, 1):
                if seed not in done:
                    done[seed] = {"seed": seed, **measure(seed, settings)}
                    file.write(json.dumps(done[seed]) + "\n")
                    file.flush()
                    print(f"{self.name}: {i} of {len(seeds)}", flush=True)
        return [done[seed] for seed in seeds]

    def save(self, results):
        text = json.dumps({"experiment": self.name, "quick": self.quick, **_rounded(results)}, indent=1)
        with whole(self.output) as part:
            part.write_text(text + "\n")
        print(f"{self.name}: {self.output}")

    def picture(self, figure, name=None):
        self.pictures.mkdir(parents=True, exist_ok=True)
        with whole(self.pictures / f"{name or self.name}.png") as part:
            figure.savefig(part, dpi=110, format="png", metadata={"Software": None}, pil_kwargs={"optimize": True})
        plt.close(figure)


def _read_draws(path, settings):
    """By seed.  The first line has the settings: draws made with others are no draws of this experiment."""
    if not path.exists():
        path.write_text(json.dumps({"settings": settings}) + "\n")
        return {}
    first, *lines = path.read_text().splitlines(keepends=True)
    if json.loads(first)["settings"] != json.loads(json.dumps(settings)):
        sys.exit(f"{path} has draws of other settings: remove it to begin again")
    complete = [line for line in lines if line.endswith("\n")]  # a run that was killed may leave half a line
    if len(complete) < len(lines):
        path.write_text("".join([first, *complete]))
    return {draw["seed"]: draw for draw in map(json.loads, complete)}


def _rounded(value):
    """Seven digits: more than anything here is known to, and files that can be read."""
    if isinstance(value, dict):
        return {key: _rounded(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_rounded(entry) for entry in value]
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.7g}")
    return value.item() if isinstance(value, np.generic) else value


def summary(values):
    """Mean and its standard error."""
    values = np.asarray(values, dtype=float)
    return {"mean": values.mean(), "error": values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else float("nan"),
            "draws": len(values)}


def best_of(fits):
    """Of several starts: what converged comes before what did not, and then the most evidence."""
    return max(fits, key=lambda fit: (fit.converged, fit.log_evidence))


def annealed(check):
    """Log evidence by annealed importance sampling, there and back, each with its error; and their mean, whose error is its standard error, or
    half of the difference where that is larger: an anneal there is rather too low, and one back too high."""
    there, back = check.annealed, check.annealed_back
    noise, apart = np.hypot(there["standard_error"], back["standard_error"]), abs(there["log_evidence"] - back["log_evidence"])
    return {"log_evidence": (there["log_evidence"] + back["log_evidence"]) / 2, "error": max(noise, apart) / 2, "there": there, "back": back}


def still_moving(fit, steps=30):
    """Nats that the last steps of EM-EP changed: what stopping it cost, about."""
    return abs(fit.trace[-1][1] - fit.trace[-min(steps, len(fit.trace))][1]) if fit.trace else 0.0


def thyroid(study):
    """New Thyroid with two classes, −1 normal and +1 hyper- or hypothyroid; columns are not standardised yet."""
    table = study.table("new_thyroid")
    y = np.where(table.pop("label") == "Normal", -1.0, 1.0)
    return np.column_stack([column.astype(float) for column in table.values()]), y


def standardised(X, X_test):
    """Both by the mean and the spread of the first."""
    mean, spread = X.mean(axis=0), X.std(axis=0)
    return (X - mean) / spread, (X_test - mean) / spread


def split(seed, rows, training):
    """Rows to learn from, rows to test on, and the former in the order in which their labels are changed."""
    random = np.random.default_rng(seed)
    order = random.permutation(rows)
    return order[:training], order[training:], random.permutation(training)


def thyroid_split(seed, X, y, training):
    """Standardised rows to learn from, their labels, the same to test on, and the former rows in the order in which labels change."""
    train, test, changed = split(seed, len(y), training)
    Z, Z_test = standardised(X[train], X[test])
    return Z, y[train], Z_test, y[test], changed


def with_changed(y, rows):
    noisy = y.copy()
    noisy[rows] *= -1.0
    return noisy


def with_flips(y, count, random):
    """Other labels in `count` rows, and which these are."""
    rows = random.choice(len(y), count, replace=False)
    return with_changed(y, rows), rows
