# SPDX-License-Identifier: MIT
"""The virtual environment of the peers, which Candor itself never needs."""
import hashlib
import json
import pathlib
import subprocess
import sys

from names import METHODS

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def python_of(home):
    return home / "venv" / "bin" / "python"


def make(home, candor):
    """Installs what is not there yet; `candor` is a wheel, or None: the one that is there, else one built from here."""
    pip = [python_of(home), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if not python_of(home).exists():
        subprocess.run([sys.executable, "-m", "venv", str(home / "venv")], check=True)
    stamp, wanted = home / "installed.txt", (HERE / "requirements.txt").read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        subprocess.run([*pip, "-r", HERE / "requirements.txt"], check=True)
        stamp.write_text(wanted, encoding="utf-8")
    if candor:
        subprocess.run([*pip, "--force-reinstall", "--no-deps", candor], check=True)
    elif not core_of(home):
        subprocess.run([*pip, ROOT], check=True)


def core_of(home):
    return next(iter((home / "venv").glob("lib/python*/site-packages/candor/_core*.so")), None)


def versions(home):
    """Of every package that counts, with its name; of Candor also which build, since its number stays while it changes."""
    code = "import importlib.metadata as m, json, sys; print(json.dumps({p: m.version(p) for p in sys.argv[1:]}))"
    libraries, packages = ("numpy", "scipy", "torch"), sorted({method.package for method in METHODS.values()})
    found = json.loads(subprocess.run([python_of(home), "-c", code, *packages, *libraries], check=True,
                                      stdout=subprocess.PIPE).stdout)
    found["candor-gp"] += "+" + hashlib.sha256(core_of(home).read_bytes()).hexdigest()[:8]
    named = {package: f"{package} {version}" for package, version in found.items()}
    return named | {"libraries": ", ".join(named[library] for library in libraries)}
