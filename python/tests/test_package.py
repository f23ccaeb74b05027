# SPDX-License-Identifier: MIT
"""What comes with the package."""
import ast
import importlib.resources
import subprocess
import sys

import pytest

import candor


def test_importing_it_does_not_import_scikit_learn():
    script = "import sys, candor; print(*{'sklearn', 'scipy', 'pandas', 'matplotlib'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "\n"


@pytest.mark.parametrize("name", candor.__all__)
def test_has_what_it_lists(name):
    assert getattr(candor, name) is getattr(candor, name)
    assert name in dir(candor)


def test_names_what_it_does_not_have():
    with pytest.raises(AttributeError, match="candor.*clasify"):
        candor.clasify


def test_types_are_there_for_those_who_check_them():
    files = importlib.resources.files("candor")
    assert (files / "py.typed").is_file()
    stub = ast.parse((files / "_core.pyi").read_text(encoding="utf-8"))
    said = {getattr(node, "name", None) or node.target.id for node in stub.body
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AnnAssign))}
    assert {name for name in vars(candor._core) if not name.startswith("_")} <= said
