#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Everything about the normal distribution that Candor stores as numbers.
Run by hand; needs mpmath (Debian: python3-mpmath) and nothing else.

    normal.py coefficients   the Chebyshev coefficients in candor/linalg/mills_series.hpp
    normal.py table FILE     the reference table, normally tests/linalg/normal_oracle.json

Both come from the definitions (mpmath.erfc and mpmath.npdf), with 60 and 200 digits, rounded once.
"""
import json
import sys

import mpmath
from mpmath import mpf

mpmath.mp.dps = 60
CENTRE = 4  # u = (x - 4)/(x + 4) maps x in [0, inf) to [-1, 1)


def mills_tail(x):
    """K3(x) = x + 3/(x + 4/(x + ...)), from the normal distribution, not from the fraction."""
    r = mpmath.npdf(x) / (mpmath.erfc(x / mpmath.sqrt(2)) / 2)
    k2 = 1 / (r - x)
    return 2 / (k2 - x)


def coefficients(nodes=80, smallest=mpf("3e-18")):
    """Chebyshev coefficients in u of g = (K3(x) - x)(x + 4)."""

    def g(u):
        x = CENTRE * (1 + u) / (1 - u)
        # For x > 1e6 the definition needs more digits than it is worth: five terms of the fraction.
        if x > 10**6:
            k = x
            for j in range(8, 3, -1):
                k = x + j / k
            return 3 / k * (x + CENTRE)
        with mpmath.workdps(120):
            return (mills_tail(x) - x) * (x + CENTRE)

    angles = [mpmath.pi * (k + mpf(1) / 2) / nodes for k in range(nodes)]
    values = [g(mpmath.cos(a)) for a in angles]
    series = [2 * mpmath.fsum(v * mpmath.cos(j * a) for v, a in zip(values, angles)) / nodes
              for j in range(nodes)]
    series[0] /= 2
    while abs(series[-1]) < smallest:
        series.pop()
    return series


def ratios(z):
    """log Phi and the five ratios, with digits to spare for the cancellation far to the left."""
    with mpmath.workdps(200):
        z = mpf(z)
        lower = mpmath.erfc(-z / mpmath.sqrt(2)) / 2
        log_cdf = mpmath.log1p(-mpmath.erfc(z / mpmath.sqrt(2)) / 2) if z > 0 else mpmath.log(lower)
        r = mpmath.npdf(z) / lower
        q = r + z
        return {"log_cdf": log_cdf, "cdf": lower, "pdf": mpmath.npdf(z), "r": r, "r_plus_z": q,
                "one_minus_r_r_plus_z": 1 - r * q, "one_plus_z_r_plus_z": 1 + z * q,
                "third_cumulant": r * (q * q - (1 - r * q))}


def grid():
    dense = [mpf(k) / 16 for k in range(-160, 161)]  # through the switch at z = 0
    near_switch = [s * mpf(10) ** -k for k in (1, 3, 6, 9, 12, 16, 300) for s in (-1, 1)]
    wide = [s * mpf(10) ** (mpf(k) / 8) for k in range(8, 33) for s in (-1, 1)]
    return sorted({float(z) for z in dense + near_switch + wide})


def table(path):
    rows = [{"z": z} | {k: float(v) for k, v in ratios(z).items()} for z in grid()]
    head = {"name": "normal",
            "how": f"scripts/oracle/normal.py, mpmath {mpmath.__version__}, 200 digits",
            "date": "2026-11",
            "note": "third_cumulant = r ((r+z)^2 - (1 - r(r+z)))"}
    with open(path, "w", encoding="utf-8") as out:
        out.write(json.dumps(head)[:-1] + ',\n"rows": [\n')
        out.write(",\n".join(json.dumps(row) for row in rows) + "\n]}\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["coefficients"]:
        for c in coefficients():
            print(f"{float(c)!r},")
    elif len(sys.argv) == 3 and sys.argv[1] == "table":
        table(sys.argv[2])
    else:
        sys.exit(__doc__)
