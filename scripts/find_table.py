# SPDX-License-Identifier: MIT
"""Where tables are: in data, or in ../shared/data, which is not part of the repository."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def find_table(name):
    """The table's path, or nothing."""
    for folder in ("data", "../shared/data", "../../shared/data"):
        for ending in ("csv", "csv.gz"):
            path = ROOT / folder / f"{name}.{ending}"
            if path.exists():
                return path
    return None
