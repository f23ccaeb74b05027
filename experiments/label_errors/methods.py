# SPDX-License-Identifier: MIT
"""Everybody who ranks labels: Candor, its model without label errors, cleanlab over three learners, and what people do by hand.

Each method takes a Case and returns, per row, a number that is higher the more wrong the label looks (a probability where the
method claims one), whether it would show the row to somebody, and its class probabilities of the test rows.
"""
import time
import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

FOLDS = 5


@dataclass
class Ranking:
    score: np.ndarray
    flagged: np.ndarray
    classes: np.ndarray
    p_test: np.ndarray
    said: dict


def on_tables(model):
    """The model behind what turns columns into numbers."""
    numbers = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
    words = make_pipeline(SimpleImputer(strategy="constant", fill_value="missing"), OneHotEncoder(handle_unknown="ignore", sparse_output=False))
    columns = make_column_transformer((numbers, make_column_selector(dtype_include=np.number)),
                                      (words, make_column_selector(dtype_exclude=np.number)))
    return make_pipeline(columns, model)


def forest(seed):
    return on_tables(RandomForestClassifier(200, random_state=seed, n_jobs=1))


def logistic(_seed):
    return on_tables(LogisticRegression(max_iter=2000))


def boosting(seed):
    return on_tables(HistGradientBoostingClassifier(random_state=seed, max_iter=60))


class EveryClassLearned:
    """Three stratified folds; the rows of a class that has fewer are in every training part, and never held out."""

    def __init__(self, seed):
        self.folds = StratifiedKFold(3, shuffle=True, random_state=seed)

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.folds.get_n_splits(X, y, groups)

    def split(self, X, y, groups=None):
        _, code, count = np.unique(y, return_inverse=True, return_counts=True)
        common, rare = np.flatnonzero(count[code] >= 3), np.flatnonzero(count[code] < 3)
        for train, test in self.folds.split(common, y[common]):
            yield np.concatenate([common[train], rare]), common[test]


def svc(seed):
    return on_tables(CalibratedClassifierCV(SVC(), cv=EveryClassLearned(seed)))


LEARNERS = {"logistic": logistic, "forest": forest, "boosting": boosting}


def folds_of(seed):
    return StratifiedKFold(FOLDS, shuffle=True, random_state=seed)


def out_of_fold(model, X, label, folds):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes with few rows, and of optimisers that stop
        return np.unique(label), cross_val_predict(model, X, label, cv=folds, method="predict_proba")


def shared_out_of_fold(case, learner, seed):
    """Several methods rest on the same folds of the same learner: computed once, and counted for each."""
    if learner not in case.out_of_fold:
        began = time.process_time()
        classes, p = out_of_fold(learner(seed), case.X, case.label, folds_of(seed))
        case.out_of_fold[learner] = classes, p, time.process_time() - began
    else:
        case.seconds_saved += case.out_of_fold[learner][2]
    return case.out_of_fold[learner][:2]


def given(classes, p, label):
    return p[np.arange(len(label)), np.searchsorted(classes, label)]


def fitted(model, case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(case.X, case.label)
        p = model.predict_proba(case.X_test) if len(case.X_test) else np.zeros((0, len(model.classes_)))
    return model, p


def candor(case, _seed, likelihood="auto"):
    from candor import GPClassifier
    model, p = fitted(GPClassifier(likelihood=likelihood, n_jobs=1), case)
    if likelihood == "auto":
        score = np.asarray(model.p_wrong_)
    else:  # without label errors: how improbable a label is, by the other rows
        score = -np.expm1(np.asarray(model.loo_log_predictive_))
    said = {"converged": bool(model.converged_)}
    return Ranking(score, score > 0.5, np.asarray(model.classes_, dtype=str), p, said)


def candor_regular(case, seed):
    return candor(case, seed, likelihood="probit")


def by_folds(learner, case, seed):
    """One minus the out-of-fold probability of the given label; shown where another class is likelier."""
    classes, p = shared_out_of_fold(case, learner, seed)
    model, p_test = fitted(learner(seed), case)
    flagged = classes[p.argmax(axis=1)] != case.label
    return Ranking(1.0 - given(classes, p, case.label), flagged, np.asarray(model.classes_), p_test, {})


def cleanlab(name, case, seed):
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores
    learner = LEARNERS[name]
    classes, p = shared_out_of_fold(case, learner, seed)
    codes = np.searchsorted(classes, case.label)
    flagged = find_label_issues(codes, p, n_jobs=1)
    score = 1.0 - get_label_quality_scores(codes, p)  # self-confidence
    kept = ~flagged if len(np.unique(codes[~flagged])) == len(classes) else np.ones(len(codes), bool)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = learner(seed).fit(case.X[kept], case.label[kept])
        p_test = model.predict_proba(case.X_test) if len(case.X_test) else np.zeros((0, len(classes)))
    return Ranking(score, flagged, np.asarray(model.classes_), p_test, {})


def predicted_differs(case, seed):
    """What people do first: look at the rows where a forest says something else."""
    ranking = by_folds(forest, case, seed)
    ranking.score = ranking.flagged.astype(float)
    return ranking


METHODS = {
    "candor": candor,
    "candor, no label errors": candor_regular,
    "cleanlab, logistic": lambda case, seed: cleanlab("logistic", case, seed),
    "cleanlab, forest": lambda case, seed: cleanlab("forest", case, seed),
    "cleanlab, boosting": lambda case, seed: cleanlab("boosting", case, seed),
    "SVC": lambda case, seed: by_folds(svc, case, seed),
    "forest": lambda case, seed: by_folds(forest, case, seed),
    "predicted ≠ given": predicted_differs,
}


def timed(method, case, seed):
    began, case.seconds_saved = time.process_time(), 0.0
    ranking = METHODS[method](case, seed)
    return ranking, time.process_time() - began + case.seconds_saved
