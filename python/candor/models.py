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
from candor._words import warn
from candor.kernels import Kernel, from_sklearn

__all__ = ["Fitted", "Model", "Prediction"]


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
        self.likelihood = likelihood
        self.inference = inference
        self.numbers = _core.likelihood_numbers(likelihood, {name: float(value) for name, value in numbers.items()})

    def __repr__(self) -> str:
        numbers = "".join(f", {name}={value:g}" for name, value in self.numbers.items())
        return f"Model({self.kernel}, {self.likelihood!r}, inference={self.inference!r}{numbers})"

    def infer(self, X, y, *, threads: int = 0) -> Fitted:
        """The posterior of the model as it stands."""
        return self._fitted(_core.infer_model(*self._start(X, y), threads))

    def learn(self, X, y, *, hold=(), free=(), prior="none", n_restarts: int = 0, tolerance: float = 1e-4,
              threads: int = 0) -> Fitted:
        """Maximises the log evidence, from here and from `n_restarts` other places.

        `hold` names numbers that stay as they are, "kernel" all of its; a `flip_probability` of 0 stays anyway.  With a
        variance of the kernel to learn, `noise_variance` of the likelihood is held unless `free` names it.  Names are
        those of ``names``.  `tolerance`: the gain in nats below which a step ends the search.
        """
        if prior not in ("weak", "none"):
            raise ValueError(f"prior is {prior!r}: it must be one of 'weak', 'none'")
        return self._fitted(_core.learn_model(*self._start(X, y), self._named(hold), self._named(free), prior == "weak",
                                              int(n_restarts), float(tolerance), threads))

    def learn_by_em_ep(self, X, y, *, hold=(), free=(), rate_step="published", accelerate=False, tolerance: float = 1e-6,
                       max_steps: int = 500, threads: int = 0) -> Fitted:
        """EM-EP as Kim and Ghahramani published it, of a threshold; `rate_step` "tilted" climbs the evidence instead.

        The published step overestimates the rate of wrong labels, and may end below the evidence of a rate of 0.
        `accelerate` extrapolates every third step: the fixed points stay, and are reached sooner.
        """
        return self._fitted(_core.learn_model_by_em_ep(*self._start(X, y), self._named(hold), self._named(free), rate_step,
                                                       bool(accelerate), float(tolerance), int(max_steps), threads))

    @property
    def names(self) -> list[str]:
        """Of the numbers that can be held or freed."""
        return [f"kernel.{name}" for name in self.kernel.names] + sorted(self.numbers)

    def _start(self, X, y):
        X = np.asarray(X, dtype=float)
        rows = np.asfortranarray(X.reshape(-1, 1) if X.ndim == 1 else X)
        return (self.kernel.text, self.likelihood, self.numbers, self.inference, rows, np.asarray(y, dtype=float))

    def _named(self, names) -> list[str]:
        if isinstance(names, str):
            raise ValueError(f"the text {names!r} was given for a list of names: it must be a list")
        known = []
        for name in names:
            if name == "kernel":
                known += [f"covariance.{part}" for part in self.kernel.names]
            elif name.startswith("kernel."):
                known.append("covariance." + name.removeprefix("kernel."))
            else:
                known.append(f"likelihood.{name}")
        return known

    def _fitted(self, core) -> Fitted:
        fitted = Fitted(core, self)
        if not fitted.converged:
            warn(f"{fitted.model} did not converge: {fitted.status or 'inference'}", ConvergenceWarning)
        return fitted


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
        X = np.asarray(X, dtype=float)
        return Prediction(**self._core.predict(np.asfortranarray(X.reshape(-1, 1) if X.ndim == 1 else X)))

    def check(self, *, chains=4, draws=1000, warmup=None, runs=32, temperatures=200, from_prior=False, rows=(),
              random_state: int = 0, threads: int = 0) -> PosteriorCheck:
        """How far this posterior is from the truth, which is sampled at the model's own numbers.

        Arguments and result are those of :meth:`candor.GPClassifier.check`; latent values are those of +1, and rows are
        all of them.  A row's draws are chains x draws, of the `rows` asked for.
        """
        found = check_model(self._core, self.model.likelihood, rows,
                            asked(chains, draws, warmup, runs, temperatures, from_prior, random_state), threads)
        warn_of_check([found], learned=self.status in ("", "converged"))
        return found
