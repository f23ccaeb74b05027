#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generating vector of a rank-1 lattice rule with a prime number of points, for
candor/likelihood/lattice_rule.hpp.
Run by hand; needs nothing but Python, and a few minutes.

    lattice_rule.py 8191 63

Component by component: coordinate j takes the z that minimises the squared worst-case error over
functions with one square-integrable derivative in each coordinate,

    mean_i prod_j (1 + 2 pi^2 B_2({i z_j/N})/j^2) - 1,   B_2(x) = x^2 - x + 1/6,

where the weight 1/j^2 says that later coordinates matter less.
"""
import math
import sys


def generating_vector(points, dimensions):
    half = points // 2  # both the rule and the kernel are symmetric about 1/2
    kernel = [2 * math.pi**2 * ((i / points) ** 2 - i / points + 1 / 6) for i in range(points)]
    product = [1.0] * (half + 1)
    for j in range(1, dimensions + 1):
        candidates = [1] if j == 1 else range(1, half + 1)
        best = min(candidates, key=lambda z: sum(map(
            float.__mul__, product, [kernel[i * z % points] for i in range(half + 1)])))
        for i in range(half + 1):
            product[i] *= 1 + kernel[i * best % points] / j**2
        yield best


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(", ".join(map(str, generating_vector(int(sys.argv[1]), int(sys.argv[2])))))
