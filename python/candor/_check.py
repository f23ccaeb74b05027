# SPDX-License-Identifier: MIT
"""How far a model's posterior is from the truth on its own rows, by sampling."""
from __future__ import annotations

import dataclasses
import numbers

import numpy as np

from candor import _core
from candor._words import said_in_python, warn

__all__ = ["PosteriorCheck", "asked", "check", "check_model", "warn_of_check"]


@dataclasses.dataclass(frozen=True, repr=False)
class PosteriorCheck:
    """One Gaussian process of a model beside Markov chains at the same hyperparameters.

    Arrays have one entry for each row of the fit, NaN for rows that were not learned from.  Latent values are those of
    `positive_class`.

    Attributes
    ----------
    name, weight : str, float
        Of the process, and its weight in the average that predictions are.
    positive_class : label
        The class that counts as +1.
    engine : str
        What is checked: "ep", "sequential_ep", "laplace" or "variational", whose log evidence is a lower bound.
    engine_converged : bool
        Where not, what is checked is where it stopped.
    jitter : float
        Relative, added to the covariance by the engine or the sampler.
    from_prior : bool
        Anneals began at the prior: as asked, because the engine's sites leave no proper Gaussian, or, where labels are a noisy step and
        every row counts once, because the engine did not converge or there is hardly any noise.
    log_evidence, log_evidence_mcmc, log_evidence_error : float
        By the engine, by annealed importance sampling, and the standard error of the latter.
    annealed, annealed_back : dict
        There, and in reverse from draws of the posterior: `log_evidence`, `standard_error`, `effective_runs`.
    latent_mean, latent_variance, p_wrong : arrays
        By the engine.  `p_wrong` is this process's own; a model's `p_wrong_` is averaged over processes.
    latent_mean_mcmc, latent_variance_mcmc, p_wrong_mcmc : arrays
        By the chains.
    latent_mean_error, latent_variance_error, p_wrong_error : arrays
        Monte Carlo standard errors of these.
    r_hat, effective_draws : arrays
        Of each latent value.
    rows, draws : list of int, array
        The rows asked for, and their draws: chains x draws x rows.
    evidence_settled : bool
        Anneals there and back agree within three standard errors and 0.05 nats; that difference, and their errors together, are at
        most 0.5 nats.
    settled : bool
        That, the engine has converged, R-hat is at most 1.05 and the worst row has 100 effective draws.
    judgement : str
        The verdict in a word, the first that is true: "unknown" (the chains do not know the truth), "not_converged" (the engine), "off" (by
        what matters), "may_be_off", "rows_agree" (but nothing is known of the evidence), "reliable".
    verdict : str
        One to three sentences: whether the engine can be relied on here, and why not.
    """

    name: str
    weight: float
    positive_class: object
    engine: str
    engine_converged: bool
    jitter: float
    from_prior: bool
    log_evidence: float
    log_evidence_mcmc: float
    log_evidence_error: float
    annealed: dict
    annealed_back: dict
    latent_mean: np.ndarray
    latent_variance: np.ndarray
    p_wrong: np.ndarray
    latent_mean_mcmc: np.ndarray
    latent_mean_error: np.ndarray
    latent_variance_mcmc: np.ndarray
    latent_variance_error: np.ndarray
    p_wrong_mcmc: np.ndarray
    p_wrong_error: np.ndarray
    r_hat: np.ndarray
    effective_draws: np.ndarray
    rows: list
    draws: np.ndarray
    evidence_settled: bool
    settled: bool
    judgement: str
    verdict: str

    @property
    def worst_r_hat(self) -> float:
        """Of all rows."""
        return float(np.nanmax(self.r_hat))

    @property
    def least_effective_draws(self) -> float:
        """Of all rows."""
        return float(np.nanmin(self.effective_draws))

    def __repr__(self) -> str:
        return (f"PosteriorCheck({self.name!r}: {self.engine} {self.log_evidence:.2f}, sampled {self.log_evidence_mcmc:.2f} "
                f"+- {self.log_evidence_error:.2f} nats; R-hat {self.worst_r_hat:.3f}; {self.verdict})")


_PER_ROW = ("latent_mean", "latent_variance", "p_wrong", "latent_mean_mcmc", "latent_mean_error", "latent_variance_mcmc",
            "latent_variance_error", "p_wrong_mcmc", "p_wrong_error", "r_hat", "effective_draws")
_SIGNED = ("latent_mean", "latent_mean_mcmc")


def asked(chains, draws, warmup, runs, temperatures, from_prior, random_state, all_models=False):
    options = _core.CheckOptions()
    options.chains, options.draws = _whole("chains", chains), _whole("draws", draws)
    options.warmup = max(0, options.draws // 2) if warmup is None else _whole("warmup", warmup)
    options.runs, options.temperatures, options.from_prior = _whole("runs", runs), _whole("temperatures", temperatures), bool(from_prior)
    options.seed, options.all_models = abs(_whole("random_state", random_state, 2**63)), bool(all_models)  # as fits take a seed
    return options


def _whole(name, value, limit=2**31) -> int:
    if not isinstance(value, numbers.Integral):
        raise ValueError(f"{name} is {value!r}: it must be a whole number")
    if not -limit < value < limit:
        raise ValueError(f"{name} is {value}: it must be below 2**{limit.bit_length() - 1}")
    return int(value)


def _row_numbers(rows) -> list[int]:
    if isinstance(rows, str) or not hasattr(rows, "__iter__"):
        raise ValueError(f"rows is {rows!r}: it must be a list of row numbers")
    return [_whole("a number of rows", row, 2**63) for row in rows]


def warn_of_check(checks, learned) -> None:
    """`learned`: the search for the model's numbers ended where it meant to, or there was none."""
    from sklearn.exceptions import ConvergenceWarning
    if not learned:
        warn("learning did not converge: this is a check of the numbers that it stopped at, not of whether they are the best",
             ConvergenceWarning)
    if not all(one.settled for one in checks):
        warn("sampling has not settled: see r_hat, effective_draws and annealed, and ask for more draws or temperatures",
             ConvergenceWarning)


def check_model(core, name, rows, options, threads) -> PosteriorCheck:
    """Of one model, whose rows are all learned from and whose labels are -1 and +1."""
    rows = _row_numbers(rows)
    count = len(core.latent_mean)
    for row in rows:
        if not 0 <= row < count:
            raise ValueError(f"rows holds {row}: it must be the number of a row, 0 to {count - 1}")
    entry = core.check(options, rows, threads, None)
    return PosteriorCheck(**entry | {"name": name, "positive_class": 1.0, "rows": rows, "draws": np.array(entry["draws"])})


def check(core, engine, classes, order, place, rows, options, threads, tell) -> list[PosteriorCheck]:
    """`place` says which of the core's table rows each row of the fit is, -1 for none."""
    trained = {row: k for k, row in enumerate(core.row)}
    at = np.array([trained.get(row, -1) for row in place])
    rows = _row_numbers(rows)
    for row in rows:
        if not 0 <= row < len(at):
            raise ValueError(f"rows holds {row}: it must be the number of a row of the fit, 0 to {len(at) - 1}")
        if at[row] < 0:
            raise ValueError(f"rows holds {row}, which was not learned from")
    with said_in_python():
        found = _core.check(core, engine, options, [int(at[row]) for row in rows], threads, tell)
    return [_one(entry, classes, order, at, rows) for entry in found]


def _one(entry: dict, classes, order, at, rows) -> PosteriorCheck:
    flipped = len(classes) == 2 and order != [0, 1]  # the model file's second class may be our first
    entry["positive_class"] = classes[1] if len(classes) == 2 else classes[order.index(entry["positive_class"])]
    sign = -1.0 if flipped else 1.0
    for name in _PER_ROW:
        values = np.asarray(entry[name]) * (sign if name in _SIGNED else 1.0)
        entry[name] = np.where(at < 0, np.nan, values[at])
    return PosteriorCheck(**entry | {"rows": rows, "draws": sign * np.array(entry["draws"])})
