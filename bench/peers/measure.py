# SPDX-License-Identifier: MIT
"""One run of one method on one problem, in this process: measure.py '["GPy", "ring", 500]' prints a JSON object."""
import json
import pathlib
import sys
import time
import warnings

import numpy as np

from models import CASES
from problems import DATA, FLIPS, TEST_ROWS


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
    make, random = DATA[data], np.random.default_rng(n)
    warm, (X_warm, y_warm) = CASES[name](), make(40, np.random.default_rng(99))
    warm.fit(X_warm, y_warm)  # imports, lazy set-up and the buffers of BLAS are not what is asked for
    warm.predict(X_warm)
    X, clean = make(n, random)
    flipped = random.random(n) < FLIPS
    X_test, y_test = make(TEST_ROWS, random)
    case, before = CASES[name](), memory("VmRSS")
    fit, fit_peak = measured(lambda: case.fit(X, np.where(flipped, 1 - clean, clean)))
    predict, predict_peak = measured(lambda: case.predict(X_test))
    p = np.clip(case.probability(X_test), 1e-3, 1 - 1e-3)
    found = {"fit": fit, "predict": predict, "fit_mib": fit_peak - before, "predict_mib": predict_peak - before,
             "error": float(np.mean((p > 0.5) != y_test)), "log_loss": float(-np.mean(np.log(np.where(y_test, p, 1 - p))))}
    if hasattr(case, "log_evidence"):
        found["log_evidence"] = float(case.log_evidence())
    suspicion = case.suspicion() if hasattr(case, "suspicion") else None
    if suspicion is not None:
        from sklearn.metrics import average_precision_score

        found["found"] = float(average_precision_score(flipped, suspicion))
    return found


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    print(json.dumps(measure(*json.loads(sys.argv[1]))))
