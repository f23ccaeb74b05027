# SPDX-License-Identifier: MIT
"""The methods that are compared."""
from typing import NamedTuple


class Method(NamedTuple):
    what: str
    package: str  # whose version counts
    power: int  # of n, with which the time of a fit grows: tells what would take too long


METHODS = {
    "candor": Method("`GPClassifier()`, as a user calls it: nine models by evidence, averaged", "candor-gp", 3),
    "candor, one kernel": Method("`GPClassifier(1.0 * RBF(…))`, as a user calls it: without label errors, at one rate and "
                                 "at one for each class, three starts each, averaged", "candor-gp", 3),
    "candor laplace": Method("the work of scikit-learn's: Laplace, logistic, c·RBF from the given start, no prior", "candor-gp", 3),
    "candor ep": Method("the work of GPy's: EP, probit, c·RBF from the given start, no prior", "candor-gp", 3),
    "scikit-learn": Method("`GaussianProcessClassifier`: Laplace, logistic, c·RBF", "scikit-learn", 3),
    "GPy": Method("`GPClassification`: EP (nested), probit, c·RBF", "GPy", 3),
    "SVC": Method("RBF, C and gamma by 5-fold search, sigmoid calibration", "scikit-learn", 2),
    "forest": Method("`RandomForestClassifier`, 300 trees", "scikit-learn", 1),
    "cleanlab": Method("`CleanLearning`, 5 folds, forest of 300 trees", "cleanlab", 1),
    "GPyTorch": Method("variational, probit, c·RBF, min(n, 200) learned inducing points, Adam", "gpytorch", 1),
}
