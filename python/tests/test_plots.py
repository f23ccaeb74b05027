# SPDX-License-Identifier: MIT
"""Every picture is drawn, and says what it shows."""
import matplotlib
import numpy as np
import pytest

import candor
from candor import GPClassifier, plots
from candor.kernels import RBF, Matern
from conftest import ring

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def data():
    return ring(100, seed=1, flips=0.08)


@pytest.fixture(scope="module")
def model(data):
    return GPClassifier(2.0 * RBF([0.7, 0.7]), likelihood="robust", standardize=False).fit(*data[:2])


@pytest.fixture(scope="module")
def found(data):
    return candor.audit(data[0], data[1], kernel=2.0 * RBF(), n_jobs=1)


@pytest.fixture(autouse=True)
def closed():
    yield
    matplotlib.pyplot.close("all")


PICTURES = {
    "p_wrong": lambda data, model, found: plots.plot_p_wrong(found),
    "expected_errors": lambda data, model, found: plots.plot_expected_errors(found),
    "boundary": lambda data, model, found: plots.plot_boundary(model, *data[:2], resolution=40),
    "reliability": lambda data, model, found: plots.plot_reliability(model, *data[:2]),
    "evidence": lambda data, model, found: plots.plot_evidence(model, resolution=7),
    "samples": lambda data, model, found: plots.plot_samples(Matern(0.5, nu=1.5)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_is_drawn_on_axes_of_its_own(name, data, model, found, tmp_path):
    ax = PICTURES[name](data, model, found)
    assert ax.get_xlabel() and ax.get_ylabel() and ax.has_data()
    ax.figure.savefig(tmp_path / "picture.png")


def test_covers_every_picture_there_is():
    assert {f"plot_{name}" for name in PICTURES} == set(plots.__all__)


def test_draws_where_it_is_told(found):
    _, ax = matplotlib.pyplot.subplots()
    assert found.plot(ax=ax) is ax


def test_the_boundary_of_three_classes_and_of_frames(data):
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame({"colour": "red", "length": data[0][:, 0], "width": data[0][:, 1]})
    X.loc[::3, "colour"] = "blue"
    y = np.digitize(data[0][:, 0], [-0.3, 0.3])
    model = GPClassifier(2.0 * RBF(), likelihood="regular").fit(X, y)
    ax = plots.plot_boundary(model, X, y, columns=("length", 2), resolution=20)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("length", "width")
