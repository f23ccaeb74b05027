# SPDX-License-Identifier: MIT
"""The notebooks run, and what they print is what they are about."""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
OUT = EXAMPLES.parent / "build" / "examples"


def run(name):
    done = subprocess.run([sys.executable, "-W", "error", EXAMPLES / f"{name}.py"], capture_output=True, text=True,
                          env=os.environ | {"PYTHONIOENCODING": "utf-8"}, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def numbers(pattern, text):
    found = re.search(pattern, text)
    assert found, f"{pattern} is not in:\n{text}"
    return [float(value) for value in found.groups()]


def is_new(path, since):
    return path.exists() and path.stat().st_mtime >= since and path.stat().st_size > 10_000


@pytest.fixture
def since(tmp_path):
    mark = tmp_path / "mark"
    mark.touch()
    return mark.stat().st_mtime


def test_first_audit_finds_what_was_planted(since):
    text = run("first_audit")
    suspects, of_planted, planted = numbers(r"(\d+) labels look wrong; (\d+) of them are among the (\d+) planted", text)
    assert suspects >= of_planted >= planted / 2 and suspects - of_planted <= 2
    assert numbers(r"are (\d+) planted ones", text)[0] >= planted - 2
    before, after = numbers(r"as planted: (\d+)\n.*\nafter apply\(0.5\): (\d+)", text)
    assert after <= before - planted / 2
    assert is_new(OUT / "first_audit.html", since)
    if importlib.util.find_spec("matplotlib"):
        assert is_new(OUT / "first_audit.png", since)


def test_comparing_kernels_prefers_what_predicts_better(since):
    text = run("comparing_kernels")
    line = re.compile(r"^(.{34}) +(-\d+\.\d+) +(-\d+\.\d+) +\d+\.\d+% +(\d+\.\d+)$", re.MULTILINE)
    table = {name.strip(): (float(integrated), float(loss)) for name, _, integrated, loss in line.findall(text)}
    assert len(table) == 5
    best = max(table, key=lambda name: table[name][0])
    assert f"best by evidence: {best};" in text
    assert table[best][1] <= 1.1 * min(loss for _, loss in table.values())
    assert table["linear"][1] == max(loss for _, loss in table.values())
    if importlib.util.find_spec("matplotlib"):
        assert is_new(OUT / "comparing_kernels.png", since)


def test_calibrated_probabilities_are_those_of_the_robust_model(since):
    text = run("calibrated_probabilities")
    pattern = r" +[\d.]+% +([\d.]+) +([\d.]+) +[\d.]+"
    regular, robust = numbers("regular" + pattern, text), numbers("robust" + pattern, text)
    assert robust[0] < 0.8 * regular[0] and robust[1] < 0.6 * regular[1]
    share, low, high = numbers(r"wrong: ([\d.]+)%; learned: .* between ([\d.]+)% and ([\d.]+)%", text)
    assert low <= share <= high
    true, labels = numbers(r"recorded labels: log loss of true classes ([\d.]+), of labels ([\d.]+)", text)
    assert labels < true
    if importlib.util.find_spec("matplotlib"):
        assert is_new(OUT / "calibrated_probabilities.png", since)


@pytest.mark.parametrize("name", ["first_audit", "comparing_kernels", "calibrated_probabilities"])
def test_examples_are_cells(name):
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert text.count("\n# %%\n") >= 5 and text.count("# %% [markdown]") >= 4
