#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reference values of P(X < a, Y < b) for standard normals with correlation r.
Run by hand; needs mpmath (Debian: python3-mpmath) and nothing else.

    bivariate_normal.py FILE     normally tests/linalg/bivariate_normal_oracle.json

By quadrature of the definition with 40 digits, cut at every feature of the integrand.
"""
import itertools
import json
import sys

import mpmath
from mpmath import mpf

mpmath.mp.dps = 40


def cdf(a, b, r):
    a, b, r = mpf(a), mpf(b), mpf(r)
    c = mpmath.sqrt((1 - r) * (1 + r))

    def integrand(x):
        return mpmath.npdf(x) * mpmath.erfc(-(b - r * x) / c / mpmath.sqrt(2)) / 2

    cuts = {a, a - 1, a - 4, a - 12, a - 40}
    for k in (-30, -12, -6, -3, -1, 0, 1, 3, 6, 12, 30):
        if r != 0:
            cuts.add(b / r + k * c / r)      # the step of the inner distribution
            cuts.add(r * b + k * c)          # and the peak of its product with the density
        cuts.add(mpf(k))
    cuts = sorted(x for x in cuts if a - 40 <= x <= a)
    scale = max(integrand(x) for x in cuts)  # quad stops at an absolute error
    return scale * mpmath.quad(lambda x: integrand(x) / scale, cuts)


def main(path):
    bounds = (-14.0, -3.0, -0.25, 0.0, 1.5, 6.0)
    correlations = (-0.999999, -0.9, -0.3, 0.0, 0.5, 0.95, 0.999999, 1 - 1e-12)
    rows = []
    for a, b, r in itertools.product(bounds, bounds, correlations):
        p = cdf(a, b, r)
        if a <= b and p > mpf("1e-280"):
            rows.append({"a": a, "b": b, "r": r, "log_cdf": float(mpmath.log(p))})
    head = {"name": "bivariate_normal", "date": "2026-11",
            "how": f"scripts/oracle/bivariate_normal.py, mpmath {mpmath.__version__}, 40 digits"}
    with open(path, "w", encoding="utf-8") as out:
        out.write(json.dumps(head)[:-1] + ',\n"rows": [\n')
        out.write(",\n".join(json.dumps(row) for row in rows) + "\n]}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
