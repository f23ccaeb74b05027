# SPDX-License-Identifier: MIT
"""The whole job in one call: which labels are wrong, how sure that is, and why."""
from __future__ import annotations

import dataclasses
import hashlib
import os
import pathlib

import numpy as np

from candor import _core
from candor._estimator import GPClassifier
from candor._frames import categories_of, cell_text, columns_of, is_frame, listed, table_text
from candor._options import check_options, threads_of
from candor._reading import mask, read_classes, read_table, weights
from candor._words import said_in_python

__all__ = ["Audit", "Reason", "audit", "find_label_errors"]


@dataclasses.dataclass(frozen=True)
class Reason:
    """A row that speaks for or against a label by its own; `similarity` is the correlation of the two."""

    row: int
    label: object
    similarity: float

    def __str__(self) -> str:  # short, since a table of rows shows it
        return f"{self.row} {self.label} {self.similarity:.2f}"


class Audit:
    """What :func:`audit` found.

    Attributes
    ----------
    rows : pandas.DataFrame
        Every labelled row, most suspicious first: its number from 0, given and suggested label, the alternative (the
        most probable label but the given one), `p_wrong`, `p_given` (probability of the given label by all other
        rows), `novelty`, and the nearest rows as reasons (:class:`Reason`; of the first 50, and of all that look wrong).
    unlabelled : pandas.DataFrame
        Rows without a label: their number, the most probable label and its probability.
    expected_labels : pandas.DataFrame
        Which class is mistaken for which: numbers of labels to be expected, true classes down, given ones across.
    model : GPClassifier
        As if fitted to the table's inputs; a frame's columns are matched by name, and others in it ignored.
    notes : list of str
        What was noticed in the table, and done about it.
    label_error_rate, label_error_rate_interval, expected_wrong, wrong_labels_interval, margin, p_label_errors,
    signal, labels_look_clean, converged, verdict
        As `candor audit` reports them.
    """

    def __init__(self, source: tuple, inputs, model: GPClassifier, labels: list, threshold: float, neighbours: int):
        self._source, self.model, self._labels = source, model, labels
        self.threshold = threshold
        found = model._model.audit(threshold, 50, neighbours, threads_of(model.n_jobs))
        self.label_error_rate = found["rate"]
        self.label_error_rate_interval = found["rate_interval"]
        self.expected_wrong = found["expected_wrong"]
        self.wrong_labels_interval = found["wrong_labels"]
        self.margin = found["margin"]
        self.p_label_errors = found["p_label_errors"]
        self.signal = found["signal"]
        self.labels_look_clean = found["labels_look_clean"]
        self.converged = found["converged"]
        self.verdict = found["verdict"]
        self.notes = list(model.notes_)
        as_given = {cell_text(value): value for value in self._labels}
        classes = [as_given[name] for name in model._model.classes]
        self.rows = self._frame(found["rows"], classes)
        self.expected_labels = _by_class(found["expected_labels"], classes)
        self.unlabelled = self._predicted(inputs, classes)

    def _predicted(self, inputs, classes):
        import pandas

        rows = self.model._model.predict_unlabelled(inputs, threads_of(self.model.n_jobs))
        return pandas.DataFrame({"row": np.array([row["row"] for row in rows], dtype=int),
                                 "predicted": [classes[row["predicted"]] for row in rows],
                                 "p": np.array([row["p"] for row in rows], dtype=float)})

    def _frame(self, rows, classes):
        import pandas

        return pandas.DataFrame(
            [
                {
                    "row": row["row"],
                    "given": classes[row["given"]],
                    "suggested": classes[row["suggested"]],
                    "alternative": classes[row["alternative"]],
                    "p_wrong": row["p_wrong"],
                    "p_given": row["p_given"],
                    "novelty": row["novelty"],
                    "trusted": row["trusted"],
                    "reasons": [Reason(near["row"], classes[near["label"]], near["similarity"]) for near in row["neighbours"]],
                }
                for row in rows
            ]
        )

    def summary(self) -> str:
        """The verdict in words."""
        return self.verdict

    __str__ = summary

    def __repr__(self) -> str:
        above = int((self.rows["p_wrong"] > self.threshold).sum())
        return f"<Audit of {len(self.rows)} labels: {above} look wrong>"

    def apply(self, threshold: float | None = None):
        """The labels of all rows, those with `p_wrong` above the threshold replaced by the alternative."""
        threshold = self.threshold if threshold is None else threshold
        if not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold is {threshold}: it must be from 0 to 1")
        labels = np.empty(len(self._labels), dtype=object)
        labels[:] = self._labels
        for row in self.rows[self.rows["p_wrong"] > threshold].itertuples():
            labels[row.row] = row.alternative
        return labels

    def report(self, path) -> None:
        """The page that `candor audit --report` writes, one HTML file; rows are counted from 1 there."""
        path = pathlib.Path(path)
        if not path.parent.is_dir():
            raise FileNotFoundError(f"{path} cannot be written: there is no folder {path.parent}")
        with said_in_python():
            inputs = _core.from_table(*self._source)
        page = _core.report(inputs, self.model._model, self.threshold, "candor.audit(…) in Python",
                            threads_of(self.model.n_jobs))
        whole = path.with_name(f".{path.name}.{os.getpid()}")  # no half a page is ever seen
        whole.write_text(page, encoding="utf-8")
        os.replace(whole, path)

    def plot(self, ax=None):
        """`p_wrong` in the order of suspicion."""
        from candor.plots import plot_p_wrong

        return plot_p_wrong(self, ax=ax)


def _by_class(counts, classes):
    import pandas

    return pandas.DataFrame(counts, index=pandas.Index(classes, name="true"),
                            columns=pandas.Index(classes, name="given"))


def audit(data, label, *, id=None, ignore=(), categorical=(), use=(), trusted=None, sample_weight=None, threshold=0.5,
          neighbours=3, **options) -> Audit:
    """Ranks the labels of a table by how probably they are wrong.

    `data` is a frame (pandas, polars, Arrow) and `label` the name of its label column, or `data` is a frame or array of
    inputs and `label` an array of labels.  Rows without a label are left out.  `ignore`, `categorical`, `use` and `id`
    name columns as the options of `candor audit` do; `options` are those of :class:`GPClassifier`.

    >>> import numpy as np, candor
    >>> x = np.linspace(-3, 3, 60)
    >>> y = np.where(x > 0, "up", "down")
    >>> y[5] = "up"
    >>> found = candor.audit(x.reshape(-1, 1), y)
    >>> int(found.rows["row"][0]), found.rows["suggested"][0]
    (5, 'down')
    """
    if not 0.0 <= threshold <= 1.0:
        raise ValueError(f"threshold is {threshold}: it must be from 0 to 1")
    if not options.get("standardize", True):
        raise ValueError("standardize is False: an audit encodes every column; fit a GPClassifier on an array instead")
    columns, label, numeric = _table(data, label)
    names = [name for name in columns if name != label]
    model = GPClassifier(**options, ignore=ignore, categorical=categorical, use=use)
    check_options(model)
    text = table_text(columns)
    source = (text, "table", hashlib.sha256(text).hexdigest(), label, id, listed(ignore),
              listed(categorical) + ([] if numeric else categories_of(data)), names if numeric else listed(use))
    rows = len(columns[label])
    inputs = read_table(source, None if sample_weight is None else weights(sample_weight, rows),
                        None if trusted is None else mask(trusted, rows))
    model._place = np.arange(rows)
    model.classes_, _ = read_classes(np.array([value for value in columns[label] if cell_text(value)]))
    model.n_features_in_ = len(names)
    if not numeric:
        model.feature_names_in_ = np.array(names, dtype=object)
    model._is_frame = model._by_name = True
    model._columns = names
    model._fit_core(inputs)
    return Audit(source, inputs, model, columns[label], threshold, neighbours)


def _table(data, label):
    """Columns with the label among them, its name, and whether all inputs are numbers of an array."""
    if is_frame(data) and isinstance(label, str):
        columns = columns_of(data)
        if label not in columns:
            raise ValueError(f"there is no column {label!r}: the frame has {list(columns)}")
        return columns, label, False
    numeric = not is_frame(data)
    if numeric:
        X = np.asarray(data, dtype=float)
        if X.ndim != 2:
            raise ValueError(f"data has {X.ndim} dimensions: it must have rows and columns")
        columns = {f"x{i}": X[:, i].tolist() for i in range(X.shape[1])}
    else:
        columns = columns_of(data)
    name = str(getattr(label, "name", None) or "label")
    while name in columns:
        name += "_"
    labels = np.asarray(label)
    labels = (labels[:, 0] if labels.ndim == 2 and labels.shape[1] == 1 else labels).tolist()
    rows = len(next(iter(columns.values())))
    if len(labels) != rows:
        raise ValueError(f"there are {len(labels)} labels for {rows} rows")
    columns[name] = labels
    return columns, name, numeric


def find_label_errors(X, y, *, threshold=0.5, **options) -> np.ndarray:
    """Rows whose labels are wrong with a probability above `threshold`, most suspicious first.

    >>> import numpy as np, candor
    >>> x = np.linspace(-3, 3, 60)
    >>> y = (x > 0).astype(int)
    >>> y[5] = 1
    >>> candor.find_label_errors(x.reshape(-1, 1), y)
    array([5])
    """
    rows = audit(X, y, threshold=threshold, **options).rows
    return rows["row"][rows["p_wrong"] > threshold].to_numpy()
