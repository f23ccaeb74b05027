#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the Python package costs besides the mathematics, each the best of ten: seconds that importing it takes beyond
NumPy, and milliseconds that fitting 100 rows takes.  Run it with the Python that has candor installed."""
import subprocess
import sys
import time

IMPORT = "import numpy, time; t = time.perf_counter(); import candor; print(time.perf_counter() - t)"
IMPORT_ALL = "import numpy, time; t = time.perf_counter(); from candor import GPClassifier; print(time.perf_counter() - t)"


def best(once):
    return min(once() for _ in range(10))


def seconds_of(script):
    return best(lambda: float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                                             check=True).stdout))


def fits():
    import numpy as np

    from candor import GPClassifier
    from candor.kernels import RBF

    random = np.random.default_rng(0)
    X = random.uniform(-1, 1, (100, 2))
    y = (X**2).sum(axis=1) > 0.5
    y[::20] ^= True

    def milliseconds(**options):
        def one():
            began = time.perf_counter()
            GPClassifier(n_jobs=1, **options).fit(X, y)
            return 1e3 * (time.perf_counter() - began)
        return best(one)

    yield "held kernel, robust", milliseconds(kernel=2.0 * RBF(0.7), learning=None, likelihood="robust", label_error_rate=0.05)
    yield "one kernel, regular", milliseconds(kernel=2.0 * RBF(), likelihood="regular")
    yield "one kernel, auto", milliseconds(kernel=2.0 * RBF())
    yield "defaults", milliseconds()


print(f"{'import candor':40} {seconds_of(IMPORT):8.3f} s")
print(f"{'from candor import GPClassifier':40} {seconds_of(IMPORT_ALL):8.3f} s")
for name, cost in fits():
    print(f"{f'fit of 100 rows, {name}':40} {cost:8.2f} ms")
