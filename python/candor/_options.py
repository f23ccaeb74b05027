# SPDX-License-Identifier: MIT
"""The estimator's options: which there are, and which go together."""
from __future__ import annotations

import numbers

from joblib import cpu_count
from joblib.parallel import get_active_backend

__all__ = ["VIEWS", "check_options", "one_of", "threads_of", "threads_or_all", "whole_number"]

# Of the labels' errors, by likelihood.
VIEWS = {"auto": [], "regular": ["none"], "robust": ["uniform"], "class": ["class"],
         "probit": ["none"], "logistic": ["none"]}


def check_options(model):
    """What does not go together, before anything is computed."""
    one_of("likelihood", model.likelihood, VIEWS)
    one_of("multiclass", model.multiclass, ("auto", "joint", "one-vs-rest"))
    one_of("learning", model.learning, ("evidence", None))
    one_of("prior", model.prior, ("weak", "none"))
    one_of("device", model.device, ("cpu",))
    if not isinstance(model.n_restarts, numbers.Integral) or model.n_restarts < 0:
        raise ValueError(f"n_restarts is {model.n_restarts!r}: it must be a whole number, 0 or more")
    rate = model.label_error_rate
    if rate is not None and not (isinstance(rate, numbers.Real) and 0.0 <= rate < 0.5):
        raise ValueError(f"label_error_rate is {rate!r}: it must be a number from 0 to below 1/2, or None to learn it")
    if model.label_error_rate is not None and VIEWS[model.likelihood] == ["none"]:
        raise ValueError(f"label_error_rate is {model.label_error_rate!r}, and likelihood {model.likelihood!r} knows of no "
                         "label errors: leave one of them out")
    if model.label_error_rate is not None and model.likelihood == "class":
        raise ValueError(f"label_error_rate is {model.label_error_rate!r}, one rate, and likelihood 'class' has a rate for each "
                         "class: give likelihood 'robust', or leave the rate to be learned")
    if model.learning is None and model.likelihood == "class":
        raise ValueError("learning is None, and likelihood 'class' has rates that are learned: give likelihood 'robust' with a "
                         "label_error_rate, or 'regular'")
    if model.inference == "laplace" and VIEWS[model.likelihood] != ["none"]:
        raise ValueError(f"inference 'laplace' does not know label errors, which likelihood {model.likelihood!r} has: give "
                         "likelihood 'regular', 'probit' or 'logistic', or another inference")
    for name in ("use", "ignore", "categorical"):
        if isinstance(getattr(model, name), str):
            raise ValueError(f"{name} is the text {getattr(model, name)!r}: it must be a list of column names")
    if isinstance(model.kernel, (list, tuple)) and not model.kernel:
        raise ValueError("kernel is an empty list: give at least one, or None for Candor's own")
    if model.learning is None and model.kernel is None:
        raise ValueError("learning is None and so is kernel: give the kernel that is to be held")


def one_of(name, value, known):
    if value not in known:
        raise ValueError(f"{name} is {value!r}: it must be one of {', '.join(repr(k) for k in known)}")


def threads_of(n_jobs) -> int:
    """Threads of the core: those asked for; without a word all, or one inside of other people's processes."""
    if n_jobs is not None and (not isinstance(n_jobs, numbers.Integral) or n_jobs == 0 or abs(n_jobs) > 2**30):
        raise ValueError(f"n_jobs is {n_jobs!r}: it must be a number of threads, or None or -1 for all")
    if n_jobs is not None:
        return int(n_jobs) if n_jobs > 0 else 0 if n_jobs == -1 else max(1, cpu_count() + 1 + int(n_jobs))
    backend, _ = get_active_backend()
    return 1 if getattr(backend, "nesting_level", 0) else 0


def threads_or_all(threads) -> int:
    """Threads of the core where 0 means all, as -1 does."""
    if not isinstance(threads, numbers.Integral) or abs(threads) > 2**30:
        raise ValueError(f"threads is {threads!r}: it must be a number of threads, or 0 for all")
    return threads_of(threads) if threads != 0 else 0


def whole_number(name, value, least) -> int:
    if not isinstance(value, numbers.Integral) or not least <= value < 2**31:
        raise ValueError(f"{name} is {value!r}: it must be a whole number, at least {least}")
    return int(value)
