# SPDX-License-Identifier: MIT
"""Tables whose wrong labels are known: real ones, and planted ones of three kinds."""
import functools
import pathlib
import sys
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from find_table import find_table  # noqa: E402

PLANTED = ("adult", "bank_marketing", "banana", "breast_cancer_original", "breast_cancer_wdbc", "crabs", "digits8x8", "electricity",
           "flights_600k", "german_credit", "glass", "heart_statlog", "house_votes84", "ionosphere", "iris", "letter",
           "mnist70k_pca50", "new_thyroid", "pima", "pima_missing", "ripley_synth", "satellite", "shuttle", "sonar", "soybean",
           "spambase", "titanic", "usps", "usps_3v5", "vehicle", "vowel", "wine")
# Where people were wrong, or a teacher on purpose: the column that tells.
REAL = {"cifar10n_logprobs": "meta_true_label", "colon_alon": "meta_suspect", "mnist_test_verified": "meta_verified_error",
        "music_genre_crowd": "meta_true_label", "sentiment_crowd_lsa": "meta_true_label", "student_grades": "meta_true_label"}
# Of 10,000 labels 15 are known to be wrong: every draw has all of them.
FEW_ERRORS = ("mnist_test_verified",)
KINDS = ("uniform", "by_class", "boundary")


def present(names):
    """Those that are there; the others are named."""
    for name in names:
        if find_table(name) is None:
            print(f"{name}: neither in data nor in ../shared/data: skipped", file=sys.stderr)
        else:
            yield name


@dataclass
class Case:
    """What a method is given, and what it is judged by."""

    X: pd.DataFrame
    label: np.ndarray  # as recorded
    wrong: np.ndarray
    X_test: pd.DataFrame
    truth_test: np.ndarray  # empty where there is none
    out_of_fold: dict = field(default_factory=dict)  # probabilities that several methods share
    seconds_saved: float = 0.0


@functools.cache
def read(name):
    return pd.read_csv(find_table(name), dtype={"label": str, "meta_true_label": str})


def inputs_of(frame):
    return frame[[c for c in frame if c != "label" and not c.startswith("meta_")]].reset_index(drop=True)


def drawn(frame, rows, random):
    """So many rows at random, without classes of which fewer than six are left: two go to the test, and four are few enough."""
    frame = frame.iloc[random.permutation(len(frame))[:rows]]
    counts = frame["label"].value_counts()
    return frame[frame["label"].isin(counts.index[counts >= 6])]


def hardness(X, label, seed):
    """Out-of-fold probability, by a forest, of the true class, and the class that comes next."""
    from methods import folds_of, forest, out_of_fold
    classes, p = out_of_fold(forest(seed), X, label, folds_of(seed))
    own = np.searchsorted(classes, label)
    rest = p.copy()
    rest[np.arange(len(own)), own] = -1.0
    return p[np.arange(len(own)), own], classes[rest.argmax(axis=1)]


def plant(X, label, kind, rate, random, seed):
    """Labels of which round(rate n) are wrong.

    uniform: any row, any other class.  by_class: rows of every second class only, always as the same other one, and never more
    than 45 % of them, so that the rate of a table of two classes ends at about 22 %.
    boundary: the harder a row is for a forest that knows the truth, the likelier, as the class next in line.
    """
    classes, recorded = np.unique(label), label.copy()
    count = round(rate * len(label))
    if count == 0:
        return recorded
    if kind == "boundary":
        own, second = hardness(X, label, seed)
        weight = np.exp(-4.0 * own)
        which = random.choice(len(label), count, replace=False, p=weight / weight.sum())
        recorded[which] = second[which]
        return recorded
    if kind == "by_class":
        order = random.permutation(classes)
        sources = order[: (len(order) + 1) // 2]
        after = dict(zip(order, np.roll(order, -1)))
        able = np.flatnonzero(np.isin(label, sources))
        which = random.choice(able, min(count, int(0.45 * len(able))), replace=False)
        recorded[which] = [after[c] for c in label[which]]
        return recorded
    which = random.choice(len(label), count, replace=False)
    recorded[which] = [random.choice(classes[classes != c]) for c in label[which]]
    return recorded


def planted_case(name, kind, rate, seed, rows):
    random = np.random.default_rng([seed, len(name), *name.encode()])  # the same rows for every kind and rate
    frame = drawn(read(name), rows, random)
    X, label = inputs_of(frame), frame["label"].to_numpy(str)
    order = random.permutation(len(frame))
    test, train = order[: len(frame) // 3], order[len(frame) // 3:]
    X_train = X.iloc[train].reset_index(drop=True)
    recorded = plant(X_train, label[train], kind, rate, np.random.default_rng([seed, KINDS.index(kind), round(1000 * rate)]), seed)
    return Case(X_train, recorded, recorded != label[train], X.iloc[test].reset_index(drop=True), label[test])


def is_wrong(frame, told):
    if told == "meta_true_label":
        return (frame["label"] != frame[told]).to_numpy()
    return frame[told].fillna(0).astype(bool).to_numpy()


def real_test(everything, train, rows, random):
    """So many rows whose true label is known, of the classes that are learned: those kept for a test, or any others; none where no truth is told."""
    if "meta_true_label" not in everything:
        return everything.iloc[:0], np.array([], dtype=str)
    rest = everything[everything["meta_split"] == "test"] if "meta_split" in everything else everything.drop(train.index)
    rest = rest[rest["meta_true_label"].isin(train["label"])]
    test = rest.iloc[random.permutation(len(rest))[:rows]]
    return test, test["meta_true_label"].to_numpy(str)


def real_case(name, seed, rows):
    """So many rows with labels as people gave them, and half as many with right ones to test by, where these are known."""
    everything, random = read(name), np.random.default_rng(seed)
    frame = everything
    if "meta_split" in frame:  # only those rows were labelled by the crowd
        frame = frame[frame["meta_split"] == "train"]
    if name in FEW_ERRORS:
        wrong = is_wrong(frame, REAL[name])
        right = random.choice(np.flatnonzero(~wrong), rows - wrong.sum(), replace=False)
        frame = frame.iloc[np.concatenate([np.flatnonzero(wrong), right])]
    frame = drawn(frame, rows, random)
    test, truth = real_test(everything, frame, rows // 2, random)  # last, so that what is learned from does not depend on it
    return Case(inputs_of(frame), frame["label"].to_numpy(str), is_wrong(frame, REAL[name]), inputs_of(test), truth)
