# SPDX-License-Identifier: MIT
"""The scikit-learn estimator."""
from __future__ import annotations

import copyreg
import json
import numbers
import os

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from candor import _core
from candor._check import PosteriorCheck, asked, check, warn_of_check
from candor._compat import feature_names, numbers_of
from candor._frames import cell_text, columns_of, is_frame, listed, matrix_of, names_of, table_text
from candor._options import VIEWS, check_options, one_of, threads_of
from candor._progress import progress, sampling_progress
from candor._reading import check_labels, mask, read_classes, read_frame, read_numbers, weights
from candor._words import in_python, said_in_python, warn
from candor.kernels import Kernel, from_sklearn

__all__ = ["GPClassifier", "load"]


def _unpickled(data: bytes):
    return _core.from_bytes(data, "pickle")


copyreg.pickle(_core.FittedModel, lambda core: (_unpickled, (core.to_bytes(),)))


class GPClassifier(ClassifierMixin, BaseEstimator):
    """Gaussian process classifier that learns how often labels are wrong, and which.

    Parameters
    ----------
    kernel : Kernel, scikit-learn kernel, text, list of them, or None
        None: Candor's defaults, chosen and averaged by their evidence.  A list: each is tried.
    likelihood : {"auto", "regular", "robust", "class", "probit", "logistic"}
        "auto" lets the evidence decide whether labels are wrong ("robust": at one rate, "class": each class at its own, of
        more than two for every other class) or not ("regular"); of more than three classes it leaves "class" out.
        "logistic" is for Laplace's method.
    inference : {"ep", "laplace", "sequential_ep", "variational"}
        Expectation propagation, Laplace's method, EP one row at a time (slower, to compare with), or the variational
        Gaussian, whose evidence is a lower bound.
    learning : {"evidence", None}
        None holds the kernel's numbers as given; errors in the labels then need `label_error_rate`.
    average : {"models", "full", "none"}
        Predictions are averaged over models, also over hyperparameters, or come from the model of most evidence alone.
    multiclass : {"auto", "joint", "one-vs-rest"}
        More than two classes: one model of all of them, or a question for each; "auto" is joint up to 30 classes
        and 2 GB where the other options allow it.
    label_error_rate : float or None
        The share of wrong labels, where it is known.
    prior : {"weak", "none"}
        Of the hyperparameters; "none" is plain type-II maximum likelihood.
    n_restarts : int
        Starts of each search besides the kernel as given.
    trusted : array of bool, or None
        Rows whose labels are known to be right.
    standardize : bool
        False leaves numbers as they are, and length scales in their units.
    use, ignore, categorical : list of column names, or None
        Of a frame: inputs though they look like identifiers, dates or copies of the label; columns not to learn from;
        categories though they look like numbers.  Columns of a categorical type are categories anyway.
    n_jobs : int or None
        Threads; -1: all, -2: all but one.  None: all, or one inside of joblib's workers.
    random_state : int or None
        Kept with the model; nothing is drawn at random.
    device : {"cpu"}
    verbose : int
        Above 0: progress, by tqdm where it is installed.

    Examples
    --------
    >>> import numpy as np
    >>> from candor import GPClassifier
    >>> X = np.linspace(-3, 3, 60).reshape(-1, 1)
    >>> y = np.where(X[:, 0] > 0, "up", "down")
    >>> y[5] = "up"
    >>> model = GPClassifier().fit(X, y)
    >>> int(np.argmax(model.p_wrong_))
    5
    """

    def __init__(self, kernel=None, *, likelihood="auto", inference="ep", learning="evidence", average="models",
                 multiclass="auto", label_error_rate=None, prior="weak", n_restarts=2, trusted=None, standardize=True, use=None,
                 ignore=None, categorical=None, n_jobs=None, random_state=None, device="cpu", verbose=0):
        self.kernel = kernel
        self.likelihood = likelihood
        self.inference = inference
        self.learning = learning
        self.average = average
        self.multiclass = multiclass
        self.label_error_rate = label_error_rate
        self.prior = prior
        self.n_restarts = n_restarts
        self.trusted = trusted
        self.standardize = standardize
        self.use = use
        self.ignore = ignore
        self.categorical = categorical
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Learns from rows `X`, an array or a frame, and their labels `y`."""
        check_options(self)
        if y is None:
            raise ValueError("GPClassifier requires y to be passed, but the target y is None")
        self._forget()
        self._is_frame = is_frame(X) and bool(self.standardize)
        self._by_name = False
        feature_names(self, X, reset=True)
        label = str(getattr(y, "name", None) or "label")
        if is_frame(X):
            y = column_or_1d(y, warn=True)
            check_consistent_length(X, y)
            X = X if self._is_frame else matrix_of(X)
            self._columns = [str(name) for name in names_of(X)] if self._is_frame else None
            self.n_features_in_ = len(self._columns) if self._is_frame else X.shape[1]
        else:
            X, y = numbers_of(self, X, y)
        if not self._is_frame:
            self._refuse_missing(lambda: np.isnan(X).any())
        y = np.asarray(y)
        check_labels(y)
        check_classification_targets(y)
        self.classes_, codes = read_classes(y)
        weight = None if sample_weight is None else weights(sample_weight, len(codes))
        trusted = None if self.trusted is None else mask(self.trusted, len(codes))
        read = self._read_frame if self._is_frame else self._read_numbers
        self._fit_core(read(X, codes, weight, trusted, label))
        return self

    def _forget(self):
        """An earlier fit, whose classes and columns are no longer these: nothing of it is left where this one fails."""
        self._model = None
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            delattr(self, name)

    def _read_frame(self, frame, codes, weight, trusted, label):
        names = [cell_text(c) for c in self.classes_]
        self._place = np.arange(len(codes))
        return read_frame(frame, [names[code] for code in codes], label, weight, trusted, use=self.use, ignore=self.ignore,
                          categorical=self.categorical)

    def _read_numbers(self, X, codes, weight, trusted, label):
        for name in ("use", "ignore", "categorical"):
            if listed(getattr(self, name)):
                raise ValueError(f"{name} names columns of a frame, and all columns of X are taken as numbers")
        noisy = any("noise(" in kernel for kernel in self._kernels())  # noise is each row's own, also of copies
        names = list(getattr(self, "feature_names_in_", [f"x{i}" for i in range(X.shape[1])]))
        inputs, self._place = read_numbers(X, codes, [cell_text(c) for c in self.classes_], label, weight, trusted, names=names,
                                           standardize=bool(self.standardize), apart=noisy)
        return inputs

    def _kernels(self) -> list[str]:
        if self.kernel is None:
            return []
        kernels = self.kernel if isinstance(self.kernel, (list, tuple)) else [self.kernel]
        return [from_sklearn(kernel, learning=self.learning is not None).text for kernel in kernels]

    def _fit_core(self, inputs):
        kernels = self._kernels()
        rate = None if self.label_error_rate is None else float(self.label_error_rate)
        options = {"kernel": kernels, "likelihood": self.likelihood, "inference": self.inference, "average": self.average,
                   "multiclass": self.multiclass, "learning": self.learning, "label_error_rate": rate, "prior": self.prior,
                   "n_restarts": int(self.n_restarts), "standardize": bool(self.standardize)}
        regular = self.likelihood if self.likelihood in ("probit", "logistic") else None
        seed = abs(self.random_state) if isinstance(self.random_state, numbers.Integral) else 0
        with progress(self.verbose) as tell:
            core = _core.fit(inputs, VIEWS[self.likelihood], kernels, self.inference, regular, rate, self.average,
                             self.multiclass, self.prior == "weak", self.learning is not None, int(self.n_restarts),
                             threads_of(self.n_jobs), int(seed), json.dumps(options), tell)
        self.notes_ = [in_python(note) for note in inputs.notes]
        self._set_core(core)
        if not self.converged_:
            warn("learning did not converge: see evidence_table_ for which model, and what it took", ConvergenceWarning)

    def _set_core(self, core):
        self._model = core
        self._order = [core.classes.index(cell_text(c)) for c in self.classes_]
        self.converged_ = core.converged
        questions = core.questions
        self.log_evidence_ = float(sum(max(row["log_integrated"] for row in q["evidence"]) for q in questions))
        best = max(questions[0]["processes"], key=lambda process: process["weight"])
        self.kernel_ = Kernel(best["covariance"])
        self._audited = None

    def _audit(self):
        check_is_fitted(self)
        if self._audited is None:
            self._audited = self._model.audit(0.5, 0, 0, threads_of(self.n_jobs))
        return self._audited

    def _per_row(self, name) -> np.ndarray:
        rows = self._audit()["rows"]
        place = np.asarray(self._place)
        values = np.full(len(place), np.nan)  # as of rows without a label
        for row in rows:
            values[row["row"]] = row[name]
        return np.where(place < 0, np.nan, values[place])

    @property
    def p_wrong_(self) -> np.ndarray:
        """The probability that each training label is wrong."""
        return self._per_row("p_wrong")

    @property
    def loo_log_predictive_(self) -> np.ndarray:
        """Log probability of each training label, before any error, given all other rows."""
        return np.log(np.maximum(self._per_row("p_given"), np.finfo(float).tiny))

    @property
    def label_error_rate_(self) -> float:
        """The share of wrong labels, averaged over what the data leave open."""
        return self._audit()["rate"]

    @property
    def label_error_rate_interval_(self) -> tuple[float, float]:
        """It lies in here with a probability of 90 %."""
        return self._audit()["rate_interval"]

    @property
    def evidence_table_(self):
        """One row per model that was tried: a DataFrame, or a list of dicts without pandas."""
        check_is_fitted(self)
        rows = []
        for question in self._model.questions:
            single = len(self._model.questions) == 1  # of two classes, or joint
            about = {} if single else {"class": self._model.classes[question["positive_class"]]}
            rows += [about | row for row in question["evidence"]]
        try:
            import pandas
        except ImportError:
            return rows
        return pandas.DataFrame(rows)

    def _predicted(self, X, latent_only=False) -> dict:
        check_is_fitted(self)
        feature_names(self, X, reset=False)
        threads = threads_of(self.n_jobs)
        with said_in_python():
            if is_frame(X) and self._is_frame:
                cells = columns_of(X)
                self._refuse_missing(lambda: any(cell_text(c) == "" for name in self._model.columns for c in cells.get(name, ())))
                predicted = self._model.predict_table(table_text(cells), latent_only, threads)
            else:
                X = matrix_of(X) if is_frame(X) else numbers_of(self, X)
                self._refuse_missing(lambda: np.isnan(X).any())
                if self._is_frame and len(self._model.columns) < X.shape[1]:  # constant columns were left out
                    text = table_text({name: column.tolist() for name, column in zip(self._columns, X.T, strict=True)})
                    predicted = self._model.predict_table(text, latent_only, threads)
                else:
                    predicted = self._model.predict_numbers(X, latent_only, threads)
        for note in predicted["notes"]:
            warn(in_python(note), UserWarning)
        return predicted

    def _refuse_missing(self, is_missing):
        if not self.standardize and is_missing():
            raise ValueError("X has missing cells (NaN), and standardize=False takes none, since only of standardised columns is known what is usual: "
                             "fill them in, leave these rows out, or standardize")

    def predict_proba(self, X) -> np.ndarray:
        """Probabilities of the true classes, one column for each of `classes_`."""
        return self._predicted(X)["clean"][:, self._order]

    def predict_observed_proba(self, X) -> np.ndarray:
        """Probabilities of the labels as they would be recorded, errors included."""
        return self._predicted(X)["observed"][:, self._order]

    def predict(self, X) -> np.ndarray:
        """The class that is most probable before any labelling error."""
        probability = self.predict_proba(X)
        return self.classes_[np.argmax(probability, axis=1)]

    def latent_mean_variance(self, X) -> tuple[np.ndarray, np.ndarray]:
        """Of the latent function: one value per row for two classes, one column per class for more."""
        predicted = self._predicted(X, latent_only=True)
        mean, variance = predicted["latent_mean"], predicted["latent_variance"]
        if len(self.classes_) > 2:
            return mean[:, self._order], variance[:, self._order]
        sign = 1.0 if self._order == [0, 1] else -1.0  # the model file's second class may be our first
        return sign * mean[:, 0], variance[:, 0]

    def log_evidence(self, theta=None, eval_gradient=False):
        """Log evidence of the training labels at the log parameters `theta` of `kernel_`, label errors as learned.

        With `eval_gradient` also its gradient in `theta`.  For two classes, or more in one joint model.
        """
        check_is_fitted(self)
        if len(self._model.questions) > 1:
            raise ValueError("log_evidence(theta) is for one model: one-vs-rest has a kernel for each class")
        kernel = self.kernel_ if theta is None else self.kernel_.with_theta(theta)
        value, gradient, converged, jitter = self._model.log_evidence(kernel.text, self.inference, bool(eval_gradient),
                                                                      threads_of(self.n_jobs))
        if not converged or jitter > 0:
            warn(f"the evidence at {kernel} is not to be relied on: "
                 + ("inference did not converge" if not converged else f"it took a jitter of {jitter:.0e}"), ConvergenceWarning)
        return (value, gradient) if eval_gradient else value

    def check(self, *, chains=4, draws=1000, warmup=None, runs=32, temperatures=200, from_prior=False, models="best",
              rows=(), random_state=None) -> list[PosteriorCheck]:
        """How far the model's posterior is from the truth on its training rows, at the learned hyperparameters.

        The truth is sampled: `chains` Markov chains of `draws` each, after `warmup` more (None: half as many), and for
        the evidence `runs` annealed runs through `temperatures`, both ways, from the Gaussian that is
        checked or `from_prior`, which takes more temperatures.  One check for each question (one for two
        classes), of its process of most weight, or of all with `models="all"`.  `rows` are those whose draws are kept.
        The same `random_state` (None: the model's) gives the same numbers at any number of threads.
        """
        check_is_fitted(self)
        one_of("models", models, ("best", "all"))
        own = self.random_state if isinstance(self.random_state, numbers.Integral) else 0
        options = asked(chains, draws, warmup, runs, temperatures, from_prior, own if random_state is None else random_state,
                        models == "all")
        with sampling_progress(self.verbose) as tell:
            found = check(self._model, self.inference, self.classes_, self._order, self._place, rows, options,
                          threads_of(self.n_jobs), tell)
        warn_of_check(found, self.converged_)
        return found

    def save(self, path) -> None:
        """A model file, which the command line reads too."""
        check_is_fitted(self)
        self._model.save(os.fspath(path))

    def __sklearn_is_fitted__(self):
        return getattr(self, "_model", None) is not None

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = bool(self.standardize)
        return tags

    def _more_tags(self):  # scikit-learn before 1.6
        return {"allow_nan": bool(self.standardize)}


def load(path) -> GPClassifier:
    """A model from its file, whoever wrote it; class labels are text."""
    core = _core.load(os.fspath(path))
    model = GPClassifier(**_options_of(core))
    model.classes_ = np.array(core.classes)
    model.n_features_in_ = len(core.columns)
    model.feature_names_in_ = np.array(core.columns, dtype=object)
    model._is_frame = model._by_name = True
    model._place = range(1 + max(core.row))  # a file may say any number: no memory before it is asked for
    model._set_core(core)
    return model


def _options_of(core) -> dict:
    """What a fit in Python, or by the command line, was told of its engine."""
    told = json.loads(core.options or "{}")
    return {name: told[name] for name in ("inference", "standardize") if name in told}
