# SPDX-License-Identifier: MIT
"""One Gaussian process model on rows of numbers, with every number in the caller's hands.

:class:`candor.GPClassifier` reads tables, chooses models and averages over them; here nothing is standardised, chosen or
averaged, and no prior is put on hyperparameters unless asked for.  It is what the experiments of the papers need.

>>> import numpy as np
>>> from candor.kernels import RBF, Constant
>>> from candor.models import Model
>>> x = np.linspace(-3, 3, 40)
>>> y = np.where(x > 0, 1.0, -1.0)
>>> y[4] = 1.0
>>> model = Model(1.0 * RBF(1.5) + Constant(0.25), "threshold", flip_probability=0.05, noise_variance=0.1)
>>> fitted = model.learn(x, y, hold=["kernel"])
>>> int(np.argmax(fitted.p_wrong))
4
>>> bool(0 < fitted.model.numbers["flip_probability"] < 0.1)
True
"""
from __future__ import annotations

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from candor import _core
from candor._check import PosteriorCheck, asked, check_model, warn_of_check
from candor._options import one_of, threads_or_all, whole_number
from candor._words import warn
from candor.kernels import Kernel, from_sklearn

__all__ = ["Fitted", "Model", "Prediction"]

LIKELIHOODS = ("threshold", "asymmetric_threshold", "probit", "logistic", "gaussian")


class Model:
    """A kernel, a likelihood with its numbers, and the engine that joins them.

    Parameters
    ----------
    kernel : Kernel, scikit-learn kernel or text
    likelihood : {"threshold", "asymmetric_threshold", "probit", "logistic", "gaussian"}
        Labels are -1 and +1; targets of "gaussian" are any numbers, and this is regression.
    inference : {"ep", "sequential_ep", "laplace", "variational"}
    numbers : float
        Of the likelihood: `flip_probability` (0: labels are right) and `noise_variance` of a threshold, `noise_variance`
        of a Gaussian.
    """

    def __init__(self, kernel, likelihood="threshold", *, inference="ep", **numbers: float):
        self.kernel = from_sklearn(kernel)
        one_of("likelihood", likelihood, LIKELIHOODS)
        self.likelihood = likelihood
        self.inference = inference
        self.numbers = _core.likelihood_numbers(likelihood, {name: float(value) for name, value in numbers.items()})

    def __repr__(self) -> str:
        numbers = "".join(f", {name}={value:g}" for name, value in self.numbers.items())
        return f"Model({self.kernel}, {self.likelihood!r}, inference={self.inference!r}{numbers})"

    def infer(self, X, y, *, threads: int = 0) -> Fitted:
        """The posterior of the model as it stands, by so many `threads` (0: all)."""
        return self._fitted(_core.infer_model(*self._start(X, y), threads_or_all(threads)))

    def learn(self, X, y, *, hold=(), free=(), prior="none", n_restarts: int = 0, tolerance: float = 1e-4,
              threads: int = 0) -> Fitted:
        """Maximises the log evidence, from here and from `n_restarts` other places.

        `hold` names numbers that stay as they are, "kernel" all of its; a `flip_probability` of 0 stays anyway.  With a
        variance of the kernel to learn, `noise_variance` of the likelihood is held unless `free` names it.  Names are
        those of ``names``.  `tolerance`: the gain in nats below which a step ends the search.
        """
        one_of("prior", prior, ("weak", "none"))
        held, freed = self._held_and_freed(hold, free)
        return self._fitted(_core.learn_model(*self._start(X, y), held, freed, prior == "weak", whole_number("n_restarts", n_restarts, 0),
                                              _above_zero("tolerance", tolerance), threads_or_all(threads)))

    def learn_by_em_ep(self, X, y, *, hold=(), free=(), rate_step="published", accelerate=False, tolerance: float = 1e-6,
                       max_steps: int = 500, threads: int = 0) -> Fitted:
        """EM-EP as Kim and Ghahramani published it, of a threshold; `rate_step` "tilted" climbs the evidence instead.

        The published step overestimates the rate of wrong labels, and may end below the evidence of a rate of 0.
        `accelerate` extrapolates every third step: the fixed points stay, and are reached sooner.
        """
        held, freed = self._held_and_freed(hold, free)
        return self._fitted(_core.learn_model_by_em_ep(*self._start(X, y), held, freed, rate_step, bool(accelerate),
                                                       _above_zero("tolerance", tolerance), whole_number("max_steps", max_steps, 1),
                                                       threads_or_all(threads)))

    @property
    def names(self) -> list[str]:
        """Of the numbers that can be held or freed."""
        return [f"kernel.{name}" for name in self.kernel.names] + sorted(self.numbers)

    def _start(self, X, y):
        y = np.asarray(y, dtype=float)
        if y.ndim != 1:
            raise ValueError(f"y has {y.ndim} dimensions: it must have one, with a label for each row")
        return (self.kernel.text, self.likelihood, self.numbers, self.inference, _rows_of(X), y)

    def _held_and_freed(self, hold, free) -> tuple[list[str], list[str]]:
        """As the core names them."""
        held, freed = self._named("hold", hold), self._named("free", free)
        if both := [name for name in freed if name in held]:
            raise ValueError(f"{both[0]} is in hold and in free: it must be in one of them")
        return [_core_name(name) for name in held], [_core_name(name) for name in freed]

    def _named(self, parameter, names) -> list[str]:
        """All that is meant, each by its name."""
        if isinstance(names, str) or not hasattr(names, "__iter__"):
            raise ValueError(f"{parameter} is {names!r}: it must be a list of names")
        known, found = self.names, []
        for name in names:
            if name != "kernel" and name not in known:
                raise ValueError(f"{parameter} holds {name!r}: it may hold kernel, {', '.join(known)}")
            found += [part for part in known if part.startswith("kernel.")] if name == "kernel" else [name]
        return found

    def _fitted(self, core) -> Fitted:
        fitted = Fitted(core, self)
        if not fitted.converged:
            warn(f"{fitted.model} did not converge: {fitted.status or 'inference'}", ConvergenceWarning)
        return fitted


def _core_name(name) -> str:
    return "covariance." + name.removeprefix("kernel.") if name.startswith("kernel.") else f"likelihood.{name}"


def _rows_of(X):
    """A matrix as the core wants it; numbers in a row are one column."""
    X = np.asarray(X, dtype=float)
    if X.ndim not in (1, 2):
        raise ValueError(f"X has {X.ndim} dimensions: it must have two, rows and columns, or one for a single column")
    return np.asfortranarray(X.reshape(-1, 1) if X.ndim == 1 else X)


def _above_zero(name, value) -> float:
    if not 0 < value < np.inf:
        raise ValueError(f"{name} is {value!r}: it must be finite and greater than 0")
    return float(value)


class Prediction:
    """At new rows: `latent_mean`, `latent_variance`; `p_clean` of +1 before any error, `p_observed` as recorded."""

    def __init__(self, latent_mean, latent_variance, p_clean, p_observed):
        self.latent_mean, self.latent_variance = latent_mean, latent_variance
        self.p_clean, self.p_observed = p_clean, p_observed


class Fitted:
    """What a model says of its rows.

    `model`, as learned; `log_evidence`; `latent_mean` and `latent_variance` of every row; `p_wrong` of its label;
    `log_loo`, its log probability given the others; `converged`, `status` of the search, `evaluations`, and of EM-EP
    `steps` and `trace`, pairs of rate and log evidence.
    """

    def __init__(self, core, start: Model):
        self._core = core
        self.model = Model(Kernel(core.covariance), start.likelihood, inference=start.inference, **core.numbers)
        for name in ("log_evidence", "latent_mean", "latent_variance", "p_wrong", "log_loo", "converged", "status",
                     "evaluations", "steps", "trace"):
            setattr(self, name, getattr(core, name))

    def predict(self, X) -> Prediction:
        return Prediction(**self._core.predict(_rows_of(X)))

    def check(self, *, chains=4, draws=1000, warmup=None, runs=32, temperatures=200, from_prior=False, rows=(),
              random_state: int = 0, threads: int = 0) -> PosteriorCheck:
        """How far this posterior is from the truth, which is sampled at the model's own numbers.

        Arguments and result are those of :meth:`candor.GPClassifier.check`; latent values are those of +1, and rows are
        all of them.  A row's draws are chains x draws, of the `rows` asked for.
        """
        found = check_model(self._core, self.model.likelihood, rows,
                            asked(chains, draws, warmup, runs, temperatures, from_prior, random_state), threads_or_all(threads))
        warn_of_check([found], learned=self.status in ("", "converged"))
        return found
