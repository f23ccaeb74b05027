#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Positive nodes and weights of the Gauss-Legendre rule of a given even order, for
candor/linalg/gauss_legendre.hpp.
Run by hand; needs mpmath (Debian: python3-mpmath) and nothing else.

    gauss_legendre.py 30
"""
import sys

import mpmath

mpmath.mp.dps = 50


def rule(order):
    """Newton's method on P_n from the usual cosine start; weight 2/((1 - x^2) P_n'(x)^2)."""
    for k in range(order // 2, 0, -1):
        x = mpmath.cos(mpmath.pi * (k - mpmath.mpf(1) / 4) / (order + mpmath.mpf(1) / 2))
        for _ in range(8):
            p, slope = legendre(order, x)
            x -= p / slope
        _, slope = legendre(order, x)
        yield x, 2 / ((1 - x * x) * slope**2)


def legendre(order, x):
    previous, current = mpmath.mpf(1), x
    for j in range(2, order + 1):
        previous, current = current, ((2 * j - 1) * x * current - (j - 1) * previous) / j
    return current, order * (x * current - previous) / (x * x - 1)


if __name__ == "__main__":
    if len(sys.argv) != 2 or int(sys.argv[1]) % 2:
        sys.exit(__doc__)
    for node, weight in rule(int(sys.argv[1])):
        print(f"    {{{float(node)!r}, {float(weight)!r}}},")
