# SPDX-License-Identifier: MIT
"""Candor finds wrong labels in tables, and says how sure it is."""
from importlib import import_module
from typing import TYPE_CHECKING

from candor import kernels
from candor._core import InvalidInput, ModelFileError, NumericalError, TableError
from candor._core import version as __version__

if TYPE_CHECKING:
    from candor import plots
    from candor._audit import Audit, audit, find_label_errors
    from candor._check import PosteriorCheck
    from candor._estimator import GPClassifier, load

__all__ = ["Audit", "GPClassifier", "InvalidInput", "ModelFileError", "NumericalError", "PosteriorCheck", "TableError",
           "audit",
           "find_label_errors", "kernels", "load", "plots", "__version__"]

# scikit-learn takes longer to import than all else together: what needs it waits until it is asked for.
_LATER = {"Audit": "_audit", "audit": "_audit", "find_label_errors": "_audit", "GPClassifier": "_estimator",
          "load": "_estimator", "PosteriorCheck": "_check", "plots": "plots"}


def __getattr__(name):
    if name not in _LATER:
        raise AttributeError(f"module 'candor' has no attribute {name!r}")
    module = import_module(f"candor.{_LATER[name]}")
    globals()[name] = value = module if name == "plots" else getattr(module, name)
    return value


def __dir__():
    return __all__
