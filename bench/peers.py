#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Candor beside other packages, on the same data, in the same run.

    bench/peers.py [--sizes N,N,…] [--data ring,mixture] [--only NAME,…] [--repeats 3] [--out FILE.jsonl] [--page FILE.md]
    bench/peers.py --from FILE.jsonl --page FILE.md

The peers live in build/peers/venv, which is made at the first run; Candor itself never needs them.  Every measurement
is a process of its own, with one thread; repeats of all cases are interleaved.
"""
import argparse
import collections
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOME = ROOT / "build" / "peers"
PYTHON = HOME / "venv" / "bin" / "python"
TEST_ROWS = 10_000
FLIPS = 0.05
ENOUGH_SECONDS = 300.0  # a case that has taken so much CPU time is not repeated

Peer = collections.namedtuple("Peer", "what package largest why")
PEERS = {  # name → what it is; the largest table it gets, and why no larger
    "candor laplace": Peer("Laplace, logistic, c·RBF", "candor", 4000, ""),
    "candor ep": Peer("EP, probit, c·RBF", "candor", 4000, ""),
    "candor robust": Peer("EP, labels wrong at a learned rate, c·RBF", "candor", 4000, ""),
    "candor default": Peer("GPClassifier(): covariances and label errors by evidence, averaged", "candor", 1000,
                           "it learns six models"),
    "scikit-learn": Peer("GaussianProcessClassifier: Laplace, logistic, c·RBF", "sklearn", 4000, ""),
    "GPy": Peer("GPClassification: EP (nested), probit, c·RBF", "GPy", 500, "minutes already"),
    "GPyTorch": Peer("variational, probit, c·RBF, min(n, 200) learned inducing points, Adam", "gpytorch", 4000, ""),
    "SVC": Peer("RBF, C and gamma by 5-fold search, sigmoid calibration", "sklearn", 4000, ""),
    "forest": Peer("RandomForestClassifier, 300 trees", "sklearn", 4000, ""),
    "cleanlab": Peer("CleanLearning, 5 folds, forest of 300 trees", "cleanlab", 4000, ""),
}


# ---- data


def ring(n, random):
    """Two columns; the class says whether a point lies outside of a circle."""
    import numpy as np

    X = random.uniform(-1, 1, (n, 2))
    return X, ((X**2).sum(axis=1) > 0.5).astype(int), np


def mixture(n, random):
    """Twenty columns; each class is two Gaussian blobs, which overlap."""
    import numpy as np

    centres = np.random.default_rng(7).normal(0.0, 0.55, (4, 20))
    blob = random.integers(0, 4, n)
    return centres[blob] + random.normal(size=(n, 20)), blob % 2, np


DATA = {"ring": ring, "mixture": mixture}


# ---- what is measured, one process each


def first_scale(X):
    """Where all kernels start: the peers that climb from one place only get nowhere from 1 in 20 columns."""
    return (X.shape[1] / 2) ** 0.5


def candor_model(**options):
    from candor import GPClassifier
    from candor.kernels import RBF

    plain = {"average": "none", "prior": "none", "standardize": False, "n_jobs": 1}
    model = GPClassifier(**plain | options) if options else GPClassifier(n_jobs=1)

    class Case:
        def fit(self, X, y):
            if options:
                model.kernel = 1.0 * RBF(first_scale(X))
            model.fit(X, y)

        def predict(self, X):
            model.latent_mean_variance(X)

        def probability(self, X):
            return model.predict_proba(X)[:, 1]

        def log_evidence(self):
            return model.log_evidence_

    case = Case()
    if model.likelihood in ("auto", "robust"):
        case.suspicion = lambda: model.p_wrong_
    return case


def sklearn_gp():
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF

    model = GaussianProcessClassifier()

    class Case:
        def fit(self, X, y):
            model.kernel = 1.0 * RBF(first_scale(X))
            model.fit(X, y)

        def predict(self, X):
            model.latent_mean_and_variance(X)

        def probability(self, X):
            return model.predict_proba(X)[:, 1]

        def log_evidence(self):
            return model.log_marginal_likelihood_value_

    return Case()


def gpy():
    import GPy
    import numpy as np

    class Case:
        def fit(self, X, y):
            np.random.seed(0)  # GPy visits the sites in random order
            ep = GPy.inference.latent_function_inference.EP(ep_mode="nested")
            kernel = GPy.kern.RBF(X.shape[1], lengthscale=first_scale(X))
            self.model = GPy.models.GPClassification(X, y.reshape(-1, 1), kernel, inference_method=ep)
            self.model.optimize()

        def predict(self, X):
            self.model.predict_noiseless(X)

        def probability(self, X):
            return self.model.predict(X)[0][:, 0]

        def log_evidence(self):
            return float(self.model.log_likelihood())

    return Case()


def gpytorch_model():
    import gpytorch
    import numpy as np
    import torch

    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)

    class Process(gpytorch.models.ApproximateGP):
        def __init__(self, inducing):
            q = gpytorch.variational.CholeskyVariationalDistribution(len(inducing))
            super().__init__(gpytorch.variational.VariationalStrategy(self, inducing, q))
            self.mean_module = gpytorch.means.ZeroMean()
            self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())
            self.covar_module.outputscale, self.covar_module.base_kernel.lengthscale = 1.0, first_scale(inducing)

        def forward(self, X):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(X), self.covar_module(X))

    class Case:
        def fit(self, X, y, most_steps=2000):
            torch.manual_seed(0)
            X, y = torch.from_numpy(X), torch.from_numpy(y.astype(float))
            self.model, self.likelihood = Process(X[: min(200, len(X))].clone()), gpytorch.likelihoods.BernoulliLikelihood()
            bound = gpytorch.mlls.VariationalELBO(self.likelihood, self.model, len(X))
            adam = torch.optim.Adam(self.model.parameters(), lr=0.05)
            path = []
            while len(path) < most_steps and not (len(path) > 100 and path[-1] - path[-101] < 0.1):  # nats
                adam.zero_grad()
                loss = -bound(self.model(X), y)
                loss.backward()
                adam.step()
                path.append(-loss.item() * len(X))
            self.bound = path[-1]
            self.model.eval()

        def predict(self, X):
            with torch.no_grad(), gpytorch.settings.fast_pred_var():
                f = self.model(torch.from_numpy(X))
                return f.mean, f.variance

        def probability(self, X):
            with torch.no_grad():
                return self.likelihood(self.model(torch.from_numpy(X))).mean.numpy()

        def log_evidence(self):
            return self.bound

    return Case()


class Plain:
    """A classifier without latent variances or an evidence."""

    def __init__(self, model):
        self.model = model

    def fit(self, X, y):
        self.model.fit(X, y)

    def predict(self, X):
        self.model.predict_proba(X)

    def probability(self, X):
        return self.model.predict_proba(X)[:, 1]


def svc():
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    class Case(Plain):
        def __init__(self):
            super().__init__(None)

        def fit(self, X, y):
            scale = 1.0 / (X.shape[1] * X.var())
            grid = {"C": [0.1, 1.0, 10.0, 100.0], "gamma": [0.2 * scale, scale, 5.0 * scale]}
            best = GridSearchCV(SVC(), grid, cv=5, refit=False, n_jobs=1).fit(X, y).best_params_
            self.model = CalibratedClassifierCV(SVC(**best), cv=5, ensemble=False, n_jobs=1).fit(X, y)

    return Case()


def forest():
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(300, random_state=0, n_jobs=1)


def cleanlab_model():
    from cleanlab.classification import CleanLearning

    class Case(Plain):
        def __init__(self):
            super().__init__(CleanLearning(forest(), seed=0, find_label_issues_kwargs={"n_jobs": 1}))

        def suspicion(self):
            return 1.0 - self.model.get_label_issues()["label_quality"].to_numpy()

    return Case()


CASES = {
    "candor laplace": lambda: candor_model(likelihood="logistic", inference="laplace"),
    "candor ep": lambda: candor_model(likelihood="probit"),
    "candor robust": lambda: candor_model(likelihood="robust"),
    "candor default": candor_model,
    "scikit-learn": sklearn_gp,
    "GPy": gpy,
    "GPyTorch": gpytorch_model,
    "SVC": svc,
    "forest": lambda: Plain(forest()),
    "cleanlab": cleanlab_model,
}


def memory(field):
    """MiB of this process: VmRSS now, VmHWM at the highest since the last reset."""
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    raise LookupError(field)


def measured(action):
    """CPU seconds of all threads, and the highest memory in MiB."""
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # resets VmHWM
    start = time.process_time()
    action()
    return time.process_time() - start, memory("VmHWM")


def measure(name, data, n):
    """One case, in this process."""
    import warnings

    warnings.filterwarnings("ignore")
    make = DATA[data]
    X_warm, y_warm, np = make(40, np_random(99))
    warm = CASES[name]()  # imports, lazy set-up and the buffers of BLAS are not what is asked for
    warm.fit(X_warm, y_warm)
    warm.predict(X_warm)
    random = np_random(n)
    X, clean, _ = make(n, random)
    flipped = random.random(n) < FLIPS
    X_test, y_test, _ = make(TEST_ROWS, random)
    case = CASES[name]()
    before = memory("VmRSS")
    fit, fit_peak = measured(lambda: case.fit(X, np.where(flipped, 1 - clean, clean)))
    predict, predict_peak = measured(lambda: case.predict(X_test))
    p = np.clip(case.probability(X_test), 1e-3, 1 - 1e-3)
    found = {"fit": fit, "predict": predict, "fit_mib": fit_peak - before, "predict_mib": predict_peak - before,
             "error": float(np.mean((p > 0.5) != y_test)), "log_loss": float(-np.mean(np.log(np.where(y_test, p, 1 - p))))}
    if hasattr(case, "log_evidence"):
        found["log_evidence"] = float(case.log_evidence())
    if hasattr(case, "suspicion"):
        from sklearn.metrics import average_precision_score

        found["found"] = float(average_precision_score(flipped, case.suspicion()))
    return found


def np_random(seed):
    import numpy as np

    return np.random.default_rng(seed)


# ---- the run


def one_thread():
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
    return {name: "1" for name in names}


def make_home(candor):
    """A virtual environment with the peers, and with Candor unless it is built in `candor`."""
    if not PYTHON.exists():
        HOME.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", str(HOME / "venv")], check=True)
    stamp, wanted = HOME / "installed.txt", ROOT / "bench" / "peers-requirements.txt"
    if not stamp.exists() or stamp.read_text() != wanted.read_text():
        subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "-r", wanted], check=True)
        stamp.write_text(wanted.read_text())
    if not list(pathlib.Path(candor, "candor").glob("_core*.so")):
        subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", ROOT], check=True)


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def versions():
    names = ("scikit-learn", "GPy", "gpytorch", "torch", "cleanlab", "numpy", "scipy")
    code = "import importlib.metadata as m, sys\nfor name in sys.argv[1:]: print(name, m.version(name))"
    text = subprocess.run([PYTHON, "-c", code, *names], check=True, stdout=subprocess.PIPE, text=True).stdout
    return ", ".join(text.splitlines())


def run_case(name, data, n, candor, timeout):
    command = [PYTHON, __file__, "--measure", json.dumps([name, data, n])]
    head = {"peer": name, "data": data, "n": n}
    try:
        found = {"PYTHONPATH": candor} if list(pathlib.Path(candor).glob("candor/_core*.so")) else {}
        done = subprocess.run(command, env=os.environ | one_thread() | found, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return head | {"failed": f"not done in {timeout:.0f} s"}
    if done.returncode:
        return head | {"failed": (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1][:200]}
    return head | json.loads(done.stdout.strip().splitlines()[-1])


def run_all(options):
    cases = [(name, data, n) for n in options.sizes for data in options.data for name in options.only
             if n <= PEERS[name].largest or options.beyond]
    spent, rows = collections.Counter(), []
    with open(options.out, "w", encoding="utf-8") as out:
        head = {"machine": f"{cpu_model()}, {os.cpu_count()} cores", "python": platform.python_version(),
                "versions": versions(), "load": os.getloadavg()[0]}
        print(json.dumps(head), file=out, flush=True)
        for repeat in range(options.repeats):
            for case in cases:
                if repeat and spent[case] > ENOUGH_SECONDS:
                    continue
                row = run_case(*case, options.candor, options.timeout)
                spent[case] += row["fit"] + row["predict"] if "fit" in row else float("inf")
                print(json.dumps(row), file=out, flush=True)
                print(shown(row), file=sys.stderr, flush=True)
                rows.append(row)
    return head, rows


def shown(row):
    values = {key: value for key, value in row.items() if key not in ("peer", "data", "n")}
    text = ", ".join(f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in values.items())
    return f"{row['peer']}, {row['data']}, n = {row['n']}: {text}"


# ---- the page


def best_of(rows):
    """Smallest time and memory over repeats; everything else is the same in each."""
    best = {}
    for row in rows:
        key = row["peer"], row["data"], row["n"]
        old = best.setdefault(key, dict(row, repeats=0))
        old["repeats"] += 1
        for field in ("fit", "predict", "fit_mib", "predict_mib"):
            if field in row:
                old[field] = min(old.get(field, row[field]), row[field])
    return best


SAME_MODEL = {("candor laplace", "scikit-learn"), ("candor ep", "GPy")}


def bar_lines(best):
    bars = [("fit", "candor laplace", "scikit-learn", n, 4.0) for n in (1000, 2000)]
    bars += [("fit", "candor ep", "scikit-learn", n, 4.0) for n in (1000, 2000)]
    bars += [("fit", "candor ep", "GPy", 500, 50.0)]
    bars += [("predict", ours, "scikit-learn", n, 4.0) for ours in ("candor laplace", "candor ep") for n in (1000, 2000)]
    bars += [(field, ours, "scikit-learn", n, 3.0) for field in ("fit_mib", "predict_mib")
             for ours in ("candor laplace", "candor ep") for n in (1000, 2000)]
    words = {"fit": "fit", "predict": "mean and variance of 10,000 rows", "fit_mib": "memory of the fit",
             "predict_mib": "memory of the predictions"}
    lines = ["| what | n | against | " + " | ".join(DATA) + " | to reach |", "|---|---|---|" + "---|" * (len(DATA) + 1)]
    for field, ours, theirs, n, bar in bars:
        cells = [ratio(best.get((theirs, data, n)), best.get((ours, data, n)), field, bar) for data in DATA]
        if any(cell != "–" for cell in cells):
            lines.append(f"| {words[field]}, {ours} | {n} | {theirs} | " + " | ".join(cells) + f" | ≥ {bar:.0f} |")
    return lines


def ratio(theirs, ours, field, bar):
    if not theirs or not ours or field not in theirs or field not in ours:
        return "–"
    value = theirs[field] / max(ours[field], 1e-9)
    notes = [] if value >= bar else ["missed"]
    ahead = ours["log_evidence"] - theirs["log_evidence"]
    if field == "fit" and abs(ahead) >= 0.1 and (ours["peer"], theirs["peer"]) in SAME_MODEL:
        notes.append(f"{'ours' if ahead > 0 else 'theirs'} {abs(ahead):.1f} nats better")
    return f"{value:.1f}" + (f" ({', '.join(notes)})" if notes else "")


def table_lines(best, data, n):
    head = ["| | fit, s | predict, s | fit, MiB | predict, MiB | log evidence | error % | log loss | errors found |",
            "|---|---|---|---|---|---|---|---|---|"]
    lines = []
    for name, peer in PEERS.items():
        row = best.get((name, data, n))
        if row is None:
            if peer.largest < n:
                lines.append(f"| {name} | not run above n = {peer.largest}: {peer.why} | | | | | | | |")
        elif "failed" in row:
            lines.append(f"| {name} | {row['failed']} | | | | | | | |")
        else:
            evidence = f"{row['log_evidence']:.2f}" if "log_evidence" in row else "–"
            found = f"{row['found']:.3f}" if "found" in row else "–"
            lines.append(f"| {name} | {row['fit']:.3g} | {row['predict']:.3g} | {row['fit_mib']:.0f} | {row['predict_mib']:.0f} | "
                         f"{evidence} | {100 * row['error']:.2f} | {row['log_loss']:.4f} | {found} |")
    return head + lines if lines else []


def page(head, rows):
    best = best_of(rows)
    lines = ["# Candor and other packages", "", "Written by `bench/peers.py`; do not edit.", "",
             f"{head['machine']}, load {head['load']:.1f} at the start. Python {head['python']}, {head['versions']}. One thread each, CPU time, the "
             "smallest of three runs, each in its own process and interleaved (one run only where three would take more than "
             f"{ENOUGH_SECONDS:.0f} s). {100 * FLIPS:.0f} % of the training labels are flipped; error and log loss are on {TEST_ROWS:,} "
             "other rows with right labels, probabilities kept 1e-3 away from 0 and 1. Predictions are those rows' latent means and "
             "variances, where there are such, else probabilities. Memory is the highest during the call, less what the process had "
             "after imports and a fit of 40 rows. Log evidence is of each model by its own approximation, a bound for GPyTorch, "
             "integrated over hyperparameters where Candor averages. Errors found: average precision of a ranking of the training "
             "labels against the flips.", "", "Kernels start from 1·RBF(√(d/2)) and have no prior, except in *candor default*.", "",
             "| | |", "|---|---|", *(f"| {name} | {peer.what} |" for name, peer in PEERS.items()), "",
             "## Ratios", "", "How many times less Candor takes. Where model and approximation are the same but one of the two "
             "learned better hyperparameters, by 0.1 nats or more, that is said: the other has stopped short.", "", *bar_lines(best), ""]
    for data in DATA:
        lines += [f"## {data.capitalize()}", "", DATA[data].__doc__, ""]
        for n in sorted({key[2] for key in best}):
            table = table_lines(best, data, n)
            lines += [f"n = {n}:", "", *table, ""] if table else []
    return "\n".join(lines)


def main():
    def texts(value):
        return value.split(",")

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=lambda v: [int(n) for n in v.split(",")], default=[200, 500, 1000, 2000, 4000])
    parser.add_argument("--data", type=texts, default=list(DATA))
    parser.add_argument("--only", type=texts, default=list(PEERS), help="names of peers")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=3600.0, help="seconds for one measurement")
    parser.add_argument("--candor", default=str(ROOT / "python"), help="folder of the package, if built in place")
    parser.add_argument("--beyond", action="store_true", help="also tables above a peer's limit")
    parser.add_argument("--out", default=str(HOME / "peers.jsonl"))
    parser.add_argument("--from", dest="source", help="makes a page of an earlier run")
    parser.add_argument("--page")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(*json.loads(options.measure))))
        return
    if options.source:
        head, *rows = map(json.loads, pathlib.Path(options.source).read_text(encoding="utf-8").splitlines())
    else:
        make_home(options.candor)
        head, rows = run_all(options)
    if options.page:
        pathlib.Path(options.page).write_text(page(head, rows), encoding="utf-8")


if __name__ == "__main__":
    main()
