# SPDX-License-Identifier: MIT
"""scikit-learn's own Gaussian process classifier does Laplace's method with a logistic likelihood: so can we."""
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_moons
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process import kernels as sk

from candor import GPClassifier
from conftest import ring


def two_of(data, rows):
    X, y = data.data, data.target
    keep = y < 2
    X = (X[keep] - X[keep].mean(axis=0)) / X[keep].std(axis=0)
    return X[:rows], y[keep][:rows]


DATA = {"iris": lambda: two_of(load_iris(), 100), "wine": lambda: two_of(load_wine(), 130),
        "breast cancer": lambda: two_of(load_breast_cancer(), 150), "moons": lambda: make_moons(120, noise=0.3, random_state=0),
        "ring": lambda: ring(150, seed=3, flips=0.1)[:2]}


@pytest.mark.parametrize("name", DATA)
def test_laplace_logistic_agrees(name):
    X, y = DATA[name]()
    kernel = 2.5 * sk.RBF(1.7)
    theirs = GaussianProcessClassifier(kernel, optimizer=None, max_iter_predict=1000).fit(X, y)
    ours = GPClassifier(kernel, likelihood="logistic", inference="laplace", learning=None, average="none",
                        standardize=False).fit(X, y)
    assert ours.log_evidence() == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-6)
    mean, variance = ours.latent_mean_variance(X)
    their_mean, their_variance = _latent(theirs, X)
    np.testing.assert_allclose(mean, their_mean, atol=1e-6)
    np.testing.assert_allclose(variance, their_variance, atol=1e-6)


def _latent(model, X):
    """As scikit-learn 1.7 has it, for older ones."""
    estimator = model.base_estimator_
    K = estimator.kernel_(estimator.X_train_, X)
    v = np.linalg.solve(estimator.L_, estimator.W_sr_[:, None] * K)
    return K.T @ (estimator.y_train_ - estimator.pi_), estimator.kernel_.diag(X) - (v**2).sum(axis=0)
