#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reference numbers for candor/likelihood, from the definitions.
Run by hand; needs mpmath (Debian: python3-mpmath) and nothing else.

    likelihood.py FILE     normally tests/likelihood/likelihood_oracle.json (some minutes)
"""
import json
import sys

import mpmath
from mpmath import mpf

mpmath.mp.dps = 80


def cdf(x):
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def flipped_step(y, mean, variance, noise, eps_positive, eps_negative):
    """log Z, p_wrong and gradients at a cavity; log p(y|f) and derivatives at f = mean."""
    y, mean, variance, noise = map(mpf, (y, mean, variance, noise))

    def z_of(m, v, rate_p, rate_n, log_noise=None):
        v2 = noise if log_noise is None else mpmath.exp(log_noise)
        z = y * m / mpmath.sqrt(v + v2)
        wrong, missed = (rate_n, rate_p) if y > 0 else (rate_p, rate_n)
        return wrong, cdf(-z), missed, cdf(z)

    def log_z(*arguments):
        wrong, other, missed, same = z_of(*arguments)
        return mpmath.log(wrong * other + (1 - missed) * same)

    p, n = mpf(eps_positive), mpf(eps_negative)
    with mpmath.workdps(1200):
        wrong, other, _, _ = z_of(mean, variance, p, n)
        value = log_z(mean, variance, p, n)
        density = [mpmath.diff(lambda f: log_z(f, mpf(0), p, n), mean, k) for k in (1, 2, 3)]
        gradient = [mpmath.diff(lambda x: log_z(mean, variance, x, n), p, 1),
                    mpmath.diff(lambda x: log_z(mean, variance, p, x), n, 1),
                    mpmath.diff(lambda x: log_z(mean, variance, p, n, x), mpmath.log(noise), 1)]
        numbers = {"log_Z": value, "p_wrong": wrong * other / mpmath.exp(value),
                   "gradient": gradient, "log_p": log_z(mean, mpf(0), p, n), "derivatives": density}
    return numbers


def logistic(mean, variance):
    """Moments of sigma(f) N(f; mean, variance) by quadrature, cut finely at the peak and at 0."""
    m, v = mpf(mean), mpf(variance)

    def exponent(f):
        return -(f - m) ** 2 / (2 * v) - mpmath.log1p(mpmath.exp(-f))

    low, high = m, m + v
    for _ in range(400):  # the derivative falls: bisection for the peak
        middle = (low + high) / 2
        rising = -(middle - m) / v + 1 / (1 + mpmath.exp(middle)) > 0
        low, high = (middle, high) if rising else (low, middle)
    peak, top = low, exponent(low)
    curvature = 1 / v + 1 / ((1 + mpmath.exp(peak)) * (1 + mpmath.exp(-peak)))
    width = 1 / mpmath.sqrt(curvature)
    ends = []
    for direction in (-1, 1):
        step = width
        while exponent(peak + direction * step) - top > -180:
            step *= mpf("1.5")
        ends.append(peak + direction * step)
    cuts = {ends[0], ends[1], peak}
    scales = [width * mpf(2) ** k for k in range(-1, 60)]
    cuts |= {peak + s * d for s in scales for d in (-1, 1)}
    cuts |= {mpf(2) ** k * d for k in range(0, 60) for d in (-1, 1)} | {mpf(0)}
    cuts = sorted(c for c in cuts if ends[0] <= c <= ends[1])

    def integral(power):
        return mpmath.quad(lambda f: (f - peak) ** power * mpmath.exp(exponent(f) - top), cuts,
                           method="gauss-legendre")

    mass, first, second = integral(0), integral(1), integral(2)
    tilted_mean = peak + first / mass
    tilted_variance = second / mass - (first / mass) ** 2
    return {"log_Z": top + mpmath.log(mass / mpmath.sqrt(2 * mpmath.pi * v)), "mean": tilted_mean,
            "variance": tilted_variance, "tau": 1 / tilted_variance - 1 / v,
            "nu": tilted_mean / tilted_variance - m / v}


def rounded(x):
    if isinstance(x, dict):
        return {k: rounded(v) for k, v in x.items()}
    return [rounded(v) for v in x] if isinstance(x, list) else float(x)


def main(path):
    steps = []
    for y in (1, -1):
        for mean, variance, noise, p, n in (
                (0.3, 1.5, 0.25, 0.05, 0.05), (-2.0, 0.5, 0.1, 0.2, 0.02),
                (6.0, 2.0, 1.0, 0.0, 0.4),
                (-9.0, 1.0, 1.0, 1e-3, 1e-3), (12.0, 0.1, 0.04, 1e-12, 1e-12),
                (-30.0, 2.0, 1.0, 0.0, 0.0),
                (4.0, 1e4, 1e-4, 0.49, 0.49), (80.0, 1.0, 1.0, 0.1, 1e-200)):
            case = {"y": y, "mean": mean, "variance": variance, "noise_variance": noise,
                    "flip_positive": p, "flip_negative": n}
            steps.append(case | {"expected": rounded(flipped_step(y, mean, variance, noise, p, n))})
    logistics = []
    for mean in (-1000.0, -60.0, -4.0, -0.5, 0.0, 2.5, 30.0, 1000.0):
        for variance in (1e-12, 1e-4, 0.5, 9.0, 1e3, 1e6):
            case = {"mean": mean, "variance": variance}
            logistics.append(case | {"expected": rounded(logistic(mean, variance))})
    head = {"name": "likelihood", "date": "2026-11",
            "how": f"scripts/oracle/likelihood.py, mpmath {mpmath.__version__}, "
                   "80 (logistic) and 1200 digits, then double"}
    with open(path, "w", encoding="utf-8") as out:
        out.write(json.dumps(head)[:-1] + ',\n"flipped_step": [\n')
        out.write(",\n".join(map(json.dumps, steps)) + '\n],\n"logistic": [\n')
        out.write(",\n".join(map(json.dumps, logistics)) + "\n]}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
