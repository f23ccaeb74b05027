# SPDX-License-Identifier: MIT
"""The program and the package give the same numbers, and read each other's model files."""
import csv
import io
import os
import pathlib
import subprocess

import numpy as np
import pytest

import candor
from candor import GPClassifier

BUILT = pathlib.Path(__file__).parents[2] / "build/release/bin/candor"
PROGRAM = os.environ.get("CANDOR", str(BUILT))
pytestmark = pytest.mark.skipif("CANDOR" not in os.environ and not BUILT.exists(),
                                reason="the program candor is not built: set CANDOR to its path")


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def predicted(model_file, table_file, classes):
    rows = list(csv.DictReader(io.StringIO(run("predict", model_file, table_file, "--na-only", "--format", "csv"))))
    return np.array([[float(row[f"p({name})"]) for name in classes] for row in rows])


@pytest.fixture
def fitted(table, tmp_path):
    """The same table fitted by both: a model file of the program's, and an estimator."""
    table.to_csv(tmp_path / "table.csv", index=False)
    run("fit", tmp_path / "table.csv", "--label", "class", "--na-only", "-o", tmp_path / "theirs.candor")
    return tmp_path, GPClassifier().fit(table.drop(columns="class"), table["class"])


def test_the_evidence_is_the_same(fitted):
    folder, ours = fitted
    a, b = ours.evidence_table_, candor.load(folder / "theirs.candor").evidence_table_
    assert list(a["model"]) == list(b["model"])
    for name in ("log_evidence", "log_integrated"):
        np.testing.assert_allclose(a[name], b[name], rtol=0, atol=1e-9)


def test_predictions_are_the_same(fitted, table):
    folder, ours = fitted
    theirs = predicted(folder / "theirs.candor", folder / "table.csv", ours.classes_)
    np.testing.assert_allclose(ours.predict_proba(table.drop(columns="class")), theirs, rtol=0, atol=1e-12)


def test_each_reads_the_files_of_the_other(fitted, table):
    folder, ours = fitted
    ours.save(folder / "ours.candor")
    p = predicted(folder / "ours.candor", folder / "table.csv", ours.classes_)
    np.testing.assert_allclose(p, ours.predict_proba(table.drop(columns="class")), rtol=0, atol=1e-12)
    loaded = candor.load(folder / "theirs.candor")
    assert list(loaded.feature_names_in_) == ["length", "width", "colour"]
    np.testing.assert_allclose(loaded.p_wrong_, ours.p_wrong_, rtol=0, atol=1e-12)


def test_an_audit_ranks_the_same_rows(table, tmp_path):
    table.to_csv(tmp_path / "table.csv", index=False)
    rows = list(csv.DictReader(io.StringIO(
        run("audit", tmp_path / "table.csv", "--label", "class", "--na-only", "--format", "csv", "--quiet"))))
    found = candor.audit(table, "class")
    assert [int(row["row"]) - 1 for row in rows] == list(found.rows["row"])
    np.testing.assert_allclose([float(row["p_wrong"]) for row in rows], found.rows["p_wrong"], rtol=0, atol=1e-12)
