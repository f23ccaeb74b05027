# SPDX-License-Identifier: MIT
"""Frames of any library as the text of a table, which the C++ core reads like the command line does.

A missing cell is an empty one; no word means missing, since frames have their own way to say so.
"""
from __future__ import annotations

import csv
import datetime
import io
import math
import numbers

import numpy as np

__all__ = ["categories_of", "cell_text", "columns_of", "is_frame", "listed", "matrix_of", "names_of", "table_text"]


def is_frame(X) -> bool:
    """pandas, polars or Arrow: whatever has named columns."""
    return hasattr(X, "columns") or hasattr(X, "column_names")


def names_of(frame) -> list:
    """Of the columns, as the frame has them."""
    names = getattr(frame, "column_names", None)  # Arrow
    return list(frame.columns if names is None else names)


def columns_of(frame) -> dict[str, list]:
    """Names to cells, as Python values."""
    if hasattr(frame, "column_names") and hasattr(frame, "to_pydict"):  # Arrow
        return {str(name): frame.column(i).to_pylist() for i, name in enumerate(frame.column_names)}
    if hasattr(frame, "iter_columns"):  # polars
        return {column.name: column.to_list() for column in frame.iter_columns()}
    names = [str(name) for name in frame.columns]  # pandas
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"columns {sorted(twice)} occur more than once: rename them")
    return {name: frame.iloc[:, i].tolist() for i, name in enumerate(names)}


def categories_of(frame) -> list[str]:
    """Columns that the frame itself says are categories, whatever their values look like."""
    if hasattr(frame, "schema") and hasattr(frame, "column_names"):  # Arrow
        return [str(field.name) for field in frame.schema if hasattr(field.type, "index_type")]
    if hasattr(frame, "iter_columns"):  # polars
        return [column.name for column in frame.iter_columns() if str(column.dtype).startswith(("Categorical", "Enum"))]
    return [str(name) for name, dtype in frame.dtypes.items() if str(dtype) == "category"]  # pandas


def listed(names) -> list[str]:
    """Of columns, as options give them."""
    return [] if names is None else [str(name) for name in names]


def matrix_of(frame) -> np.ndarray:
    """Its numbers as they are, column-major; ValueError for a column of anything else."""
    columns = columns_of(frame)
    for name, cells in columns.items():
        for cell in cells:
            if cell is not None and not isinstance(cell, numbers.Real):
                raise ValueError(f"column {name!r} holds {cell!r}: a model with standardize=False, or of an array, takes numbers alone")
    return np.array(list(columns.values()), dtype=float).T


def table_text(columns: dict[str, list]) -> bytes:
    """CSV with a header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*([cell_text(value) for value in cells] for cells in columns.values()), strict=True))
    return out.getvalue().encode()


def cell_text(value) -> str:
    if value is None or (isinstance(value, numbers.Real) and math.isnan(value)):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (datetime.date, datetime.datetime)):
        return "" if value != value else value.isoformat()  # NaT differs from itself
    text = str(value)
    return "" if text == "<NA>" else text
