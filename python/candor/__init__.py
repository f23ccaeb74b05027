# SPDX-License-Identifier: MIT
"""Candor finds wrong labels in tables, and says how sure it is."""
from candor import kernels
from candor._audit import Audit, audit, find_label_errors
from candor._core import InvalidInput, ModelFileError, NumericalError, TableError
from candor._core import version as __version__
from candor._estimator import GPClassifier, load

__all__ = ["Audit", "GPClassifier", "InvalidInput", "ModelFileError", "NumericalError", "TableError", "audit",
           "find_label_errors", "kernels", "load", "__version__"]
