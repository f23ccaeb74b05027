# SPDX-License-Identifier: MIT
"""Other processes, other threads, and people who press Ctrl-C."""
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from threadpoolctl import threadpool_info

from candor import GPClassifier
from candor._options import threads_of
from candor.kernels import RBF
from conftest import ring

PATIENCE = 120  # seconds, for a machine that has other things to do


def quick(**options):
    return GPClassifier(2.0 * RBF(), likelihood="regular", **options)


def test_a_pickle_is_read_by_another_process(tmp_path):
    X, y, _ = ring(40, seed=1)
    model = quick().fit(X, y)
    (tmp_path / "model.pickle").write_bytes(pickle.dumps((model, X)))
    script = ("import pickle, sys; model, X = pickle.load(open(sys.argv[1], 'rb'));"
              "sys.stdout.buffer.write(model.predict_proba(X).tobytes())")
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "model.pickle"], capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == model.predict_proba(X).tobytes()


def test_joblib_stores_models_and_fits_them_in_its_workers(tmp_path):
    X, y, _ = ring(60, seed=2)
    model = quick().fit(X, y)
    joblib.dump(model, tmp_path / "model.joblib")
    np.testing.assert_array_equal(joblib.load(tmp_path / "model.joblib").predict_proba(X), model.predict_proba(X))
    for workers in (1, 2):
        assert cross_val_score(quick(), X, y, cv=2, n_jobs=workers).min() > 0.6


def test_workers_of_joblib_take_one_thread_each():
    assert threads_of(None) == 0
    assert joblib.Parallel(n_jobs=2)(joblib.delayed(threads_of)(None) for _ in range(2)) == [1, 1]
    assert threads_of(3) == 3 and threads_of(-1) == 0
    assert threads_of(-2) == max(1, joblib.cpu_count() - 1) and threads_of(-1000) == 1
    with pytest.raises(ValueError, match="n_jobs"):
        threads_of(0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forking while other threads are there
def test_fits_after_a_fork():
    X, y, _ = ring(300, seed=3)
    before = quick(n_jobs=2).fit(X, y)  # its threads do not live on in the child
    receiver, sender = multiprocessing.Pipe(duplex=False)

    def child():
        sender.send(quick(n_jobs=2).fit(X, y).predict_proba(X))

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    assert receiver.poll(PATIENCE), "the child does not answer"
    np.testing.assert_array_equal(receiver.recv(), before.predict_proba(X))
    process.join()


@pytest.mark.parametrize("step", ["fit", "predict", "gram"])
def test_other_threads_go_on_meanwhile(step):
    X, y, _ = ring(500, seed=4, flips=0.05)
    model = quick(n_jobs=1).fit(X[:200], y[:200])
    grid = np.random.default_rng(0).uniform(-1, 1, (60000, 2))
    done, ticks = threading.Event(), []

    def tick():
        while not done.wait(0.001):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.perf_counter()
    {"fit": lambda: model.fit(X, y), "predict": lambda: model.predict_proba(grid), "gram": lambda: RBF()(grid[:6000])}[step]()
    ended = time.perf_counter()
    done.set()
    thread.join()
    # Without the GIL a thread that wants to run every millisecond has some of them in every tenth of the time.
    tenths = {int(10 * (t - began) / (ended - began)) for t in ticks if began < t < ended}
    assert len(tenths) >= 8, f"in {ended - began:.3f} s only {tenths}"


def test_control_c_ends_a_fit():
    script = """
import signal
import sys
import numpy as np
from candor import GPClassifier
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background has it ignored
random = np.random.default_rng(0)
X = random.normal(size=(3000, 20))
y = (X[:, 0] + random.normal(size=3000) > 0).astype(int)
print("ready", flush=True)
try:
    GPClassifier(n_jobs=1).fit(X, y)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.0)  # a fit of so many rows takes a minute or more
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert out == "interrupted\n"


def test_thread_counts_of_other_libraries_stay_as_they_were():
    X, y, _ = ring(60, seed=5)
    before = {lib["filepath"]: lib["num_threads"] for lib in threadpool_info()}
    quick(n_jobs=2).fit(X, y).predict_proba(X)
    after = {lib["filepath"]: lib["num_threads"] for lib in threadpool_info()}
    assert before.items() <= after.items()


def test_an_openblas_that_others_use_gets_its_threads_back():
    quick().fit(*ring(60, seed=5)[:2])  # so that it is open
    ours = [lib["filepath"] for lib in threadpool_info() if lib["internal_api"] == "openblas" and ".libs" not in lib["filepath"]]
    assert len(ours) == 1, ours
    script = f"""
import ctypes
shared = ctypes.CDLL({ours[0]!r})  # as NumPy has it where both take the system's
shared.openblas_set_num_threads(2)
import numpy as np
from candor import GPClassifier
from candor.kernels import RBF
X = np.random.default_rng(0).normal(size=(60, 2))
for threads in (2, 3):
    shared.openblas_set_num_threads(threads)
    model = GPClassifier(RBF(), likelihood="regular").fit(X, X[:, 0] > 0)
    print(shared.openblas_get_num_threads())
    model.predict(X), model.p_wrong_, RBF()(X), RBF().sample(X)
    print(shared.openblas_get_num_threads())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.split() == ["2", "2", "3", "3"], done.stderr


def test_results_do_not_depend_on_the_number_of_threads():
    X, y, _ = ring(150, seed=6)
    one, two = (quick(n_jobs=n).fit(X, y).predict_proba(X) for n in (1, 2))
    np.testing.assert_array_equal(one, two)
