# SPDX-License-Identifier: MIT
"""Candor beside other packages, on the same data.

    python3 bench/peers [--home FOLDER] [--candor WHEEL] [--minutes M] [--sizes N,N,…] [--data D,…] [--only METHOD …]
    python3 bench/peers --page FILE.md          writes the page of what was measured, and measures nothing

Every cell (method, problem, n) is appended to FOLDER/peers.jsonl once it is measured; cells that are there are not
measured again, so a run that was ended goes on where it was.  The peers live in FOLDER/venv, made at the first run.
"""
import argparse
import pathlib

import grid
import home
from names import METHODS
from page import page
from problems import DATA


def main():
    parser = argparse.ArgumentParser(prog="bench/peers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=pathlib.Path, default=home.ROOT / "build" / "peers", help="%(default)s")
    parser.add_argument("--candor", help="wheel to measure; otherwise what is installed, else built from here")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="no cell begins after so many")
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=list(grid.SIZES))
    parser.add_argument("--data", type=lambda text: text.split(","), default=list(DATA))
    parser.add_argument("--only", nargs="+", choices=list(METHODS), default=list(METHODS), metavar="METHOD",
                        help=", ".join(METHODS))
    parser.add_argument("--page", type=pathlib.Path)
    options = parser.parse_args()
    options.home.mkdir(parents=True, exist_ok=True)
    measured = options.home / "peers.jsonl"
    if options.page:
        options.page.write_text(page(grid.read(measured)), encoding="utf-8")
        return
    home.make(options.home, options.candor)
    wanted = grid.cells(options.sizes, options.data, options.only)
    grid.run_all(wanted, measured, options.home, home.versions(options.home), options.minutes)


if __name__ == "__main__":
    main()
