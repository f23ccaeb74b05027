#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes matern_profile_oracle.txt: M_nu(u) and dM_nu/d(u^2) in 60-digit arithmetic.

Run by hand; needs mpmath (Debian: python3-mpmath), which building and testing do not.
"""
import datetime
import pathlib

import mpmath

NUS = [1e-3, 0.05, 0.25, 0.4999, 0.7, 1.0, 1.0000001, 1.3, 2.0, 2.9, 3.5, 7.2, 20.0, 50.0, 133.3, 500.0]
U_SQUARED = [1e-100, 1e-40, 1e-12, 1e-3, 0.1, 1.0, 3.9, 4.1, 50.0, 400.0, 1599.0, 1601.0, 1e4, 4e5]


def profile(nu, u_squared):
    with mpmath.workdps(60):
        nu, u = mpmath.mpf(nu), mpmath.sqrt(mpmath.mpf(u_squared))
        weight = 2 ** (1 - nu) / mpmath.gamma(nu) * u**nu
        return weight * mpmath.besselk(nu, u), -weight * mpmath.besselk(nu - 1, u) / (2 * u)


def main():
    lines = [
        "# M_nu(u) = 2^(1-nu)/Gamma(nu) u^nu K_nu(u) and its slope in u^2 [RW06, eq. 4.14]",
        f"# matern_profile_oracle.py, mpmath {mpmath.__version__}, 60 digits, {datetime.date.today()}",
        "# nu u_squared value slope",
    ]
    for nu in NUS:
        for u_squared in U_SQUARED:
            value, slope = profile(nu, u_squared)
            if value > 1e-290:
                lines.append(f"{nu!r} {u_squared!r} {mpmath.nstr(value, 20)} {mpmath.nstr(slope, 20)}")
    path = pathlib.Path(__file__).with_suffix(".txt")
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
