# SPDX-License-Identifier: MIT
import copy
import pickle

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as sk

from candor import GPClassifier
from candor.kernels import RBF, Constant, Discrete, Kernel, Linear, Matern, RationalQuadratic, White, from_sklearn

X = np.random.default_rng(0).normal(size=(12, 3))
Z = np.random.default_rng(1).normal(size=(7, 3))


@pytest.mark.parametrize("theirs", [
    sk.RBF(0.7), sk.RBF([0.5, 2.0, 3.0]), sk.Matern(1.3, nu=0.5), sk.Matern(1.3, nu=1.5), sk.Matern(1.3, nu=2.5),
    sk.Matern(1.3, nu=0.8), sk.Matern(1.3, nu=np.inf), sk.RationalQuadratic(0.9, alpha=1.7), sk.DotProduct(0.0),
    sk.DotProduct(1.4), sk.ConstantKernel(2.5), 3.0 * sk.RBF(0.7), sk.RBF(2.0) ** 2,
    sk.RBF(1.0) * sk.Matern(2.0, nu=1.5) + sk.ConstantKernel(0.1) * sk.DotProduct(2.0),
], ids=str)
def test_translates_exactly(theirs):
    ours = from_sklearn(theirs)
    # Theirs computes distances by differences, ours by products: a few roundings apart.
    np.testing.assert_allclose(ours(X), theirs(X), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(ours(X, Z), theirs(X, Z), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(ours.diag(X), theirs.diag(X), rtol=1e-12)


@pytest.mark.parametrize("theirs", [sk.ExpSineSquared(), sk.PairwiseKernel(), sk.RBF() ** 0.5, sk.CompoundKernel([sk.RBF()]),
                                    sk.WhiteKernel()])
def test_refuses_by_name_what_it_does_not_have(theirs):
    with pytest.raises(ValueError, match=type(theirs).__name__):
        from_sklearn(theirs)


@pytest.mark.parametrize("theirs, says", [
    (2.0 * sk.RBF(1.0, "fixed"), "length_scale fixed"), (sk.ConstantKernel(2.0, "fixed") * sk.RBF(), "constant_value fixed"),
    (sk.Matern(1.0, nu=1.5) + sk.RBF() ** 2, "Exponentiation"),
], ids=str)
def test_what_would_be_learned_otherwise_is_refused_unless_it_is_held(theirs, says):
    y = np.arange(12) % 2
    with pytest.raises(ValueError, match=says):
        GPClassifier(theirs, likelihood="regular").fit(X, y)
    held = GPClassifier(theirs, likelihood="regular", learning=None, standardize=False).fit(X, y)
    np.testing.assert_allclose(held.kernel_(X), theirs(X), rtol=1e-10, atol=1e-12)


def test_is_built_by_sums_products_and_powers():
    a, b = RBF(0.5), Matern([1.0, 2.0, 3.0])
    np.testing.assert_allclose((a + b)(X), a(X) + b(X))
    np.testing.assert_allclose((a * b)(X), a(X) * b(X))
    np.testing.assert_allclose((2.0 * a)(X), 2.0 * a(X))
    np.testing.assert_allclose((a**3)(X), a(X) ** 3)
    np.testing.assert_allclose((a + 1.5)(X), a(X) + 1.5)
    with pytest.raises(ValueError, match="whole"):
        a**0.5


@pytest.mark.parametrize("kernel", [RBF(), Matern(2.0, 1.5), RationalQuadratic(0.3, 2.0), Linear(), Constant(2.0), White(0.1),
                                    Discrete([0, 2]), Discrete(), 2.0 * RBF([1.0, 2.0, 3.0]) + 0.5 * Linear() + Constant(1e-8)])
def test_is_a_value(kernel):
    assert Kernel(kernel.text) == kernel
    assert pickle.loads(pickle.dumps(kernel)) == kernel == copy.deepcopy(kernel)
    np.testing.assert_allclose(kernel.with_theta(kernel.theta).theta, kernel.theta, rtol=1e-14)  # exp(log x)
    assert len(kernel.names) == len(kernel.theta)
    assert repr(kernel) == kernel.text


def test_codes_are_compared_for_equality_only():
    codes = np.array([[0.0], [1.0], [5.0]])
    K = Discrete([0])(codes)
    assert K[0, 1] == K[0, 2] == pytest.approx(np.exp(-0.5))


def test_codes_are_all_columns_where_none_is_named():
    codes = np.array([[0.0, 3.0], [1.0, 3.0], [5.0, 4.0]])
    np.testing.assert_array_equal(Discrete()(codes), Discrete([0, 1])(codes))
    assert "discrete=all" in repr(Discrete() + Linear())
    y = [0, 1, 0, 1]
    model = GPClassifier(2.0 * Discrete(), likelihood="regular", learning=None, standardize=False)
    p = model.fit(np.array([[0, 3], [1, 3], [5, 4], [2, 2]]), y).predict_proba([[0, 3], [9, 9], [-50, 77]])
    assert p[1, 0] == p[2, 0] != p[0, 0]


def test_draws_have_the_variance_they_should():
    draws = (4.0 * RBF(1.0)).sample(np.zeros((1, 1)), n_samples=4000, random_state=1)
    assert draws.shape == (1, 4000)
    assert draws.var() == pytest.approx(4.0, rel=0.15)  # three deviations of a variance of 4000 draws are 7 %


def test_draws_that_needed_help_say_so(monkeypatch):
    monkeypatch.setattr("candor.kernels._core.prior_draws", lambda *_: (np.zeros((2, 1)), 1e-9))
    with pytest.warns(RuntimeWarning, match="singular"):
        RBF().sample([0.0, 1e-9])
