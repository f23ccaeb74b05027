# SPDX-License-Identifier: MIT
"""What the core says, in the words of Python, and warnings that point at the caller's own line."""
from __future__ import annotations

import contextlib
import re
import sys
import warnings

from candor import _core

__all__ = ["in_python", "said_in_python", "warn"]

# The command line's words for a missing cell have no option here: a frame has None for that.
_WORDS = [(r"if that means missing, say so with --na", "if that means missing, put None there"),
          (r"say with --na that it means missing", "put None there if it means missing"),
          (r"say with --na that (.+?) means missing", r"put None in the place of \1 if it means missing"),
          (r"--multiclass one-vs-rest", "multiclass=\"one-vs-rest\""),
          (r"--(label|id|ignore|use|categorical|trusted|weight)\b", r"`\1`")]


def in_python(text: str) -> str:
    """Options are called as they are here."""
    for pattern, words in _WORDS:
        text = re.sub(pattern, words, text)
    return text


@contextlib.contextmanager
def said_in_python():
    """Errors of the core inside of this speak of arguments, not of the command line's options."""
    try:
        yield
    except _core.InvalidInput as error:
        raise type(error)(in_python(str(error))) from None


def warn(message: str, category) -> None:
    """As `warnings.warn`, of the first caller outside of this package, however deep inside it one is."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "candor":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
