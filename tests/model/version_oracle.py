#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Predictions of tests/model/version_1.candor and version_4.candor without Candor: plain Python, 30 lines of algebra.

    tests/model/version_oracle.py version_1 > tests/model/version_1_predictions.csv

Reads the file by docs/model-file.md alone and predicts rows like those of its training, and one row far away.
The model: 4 * squared_exponential + constant, threshold likelihoods, two processes.
"""
import hashlib
import json
import math
import pathlib
import re
import struct
import sys

HERE = pathlib.Path(__file__).parent


def read(path):
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__")
    digest = metadata["checksum"].removeprefix("sha256:")
    assert hashlib.sha256(data.replace(digest.encode(), b"0" * 64, 1)).hexdigest() == digest
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        kind = {"F64": "d", "I64": "q"}[entry["dtype"]]
        raw = data[8 + length + begin : 8 + length + end]
        arrays[name] = struct.unpack(f"<{(end - begin) // 8}{kind}", raw)
    return json.loads(metadata["model"]), arrays


def solve(A, b):
    """Gauss with row pivots."""
    n = len(b)
    M = [list(row) + [x] for row, x in zip(A, b)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(M[i][k]))
        M[k], M[pivot] = M[pivot], M[k]
        for i in range(k + 1, n):
            factor = M[i][k] / M[k][k]
            for j in range(k, n + 1):
                M[i][j] -= factor * M[k][j]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (M[k][n] - sum(M[k][j] * x[j] for j in range(k + 1, n))) / M[k][k]
    return x


def expected_square(a, b):
    """Of a difference whose sides may be unknown (NaN), with mean 0 and variance 1."""
    known = [0.0 if math.isnan(x) else x for x in (a, b)]
    return (known[0] - known[1]) ** 2 + math.isnan(a) + math.isnan(b)


def covariance(text):
    pattern = r"(\S+) \* squared_exponential\(lengthscale=(\S+?), discrete=(\S.*?)\) \+ constant\((\S+)\)"
    variance, lengthscale, discrete, constant = re.fullmatch(pattern, text).groups()
    codes = set(json.loads(discrete if discrete.startswith("[") else f"[{discrete}]"))
    v, l, c = float(variance), float(lengthscale), float(constant)

    def k(x, z):
        if x is z:
            return v + c
        squares = (float(a != b) if d in codes else expected_square(a, b) for d, (a, b) in enumerate(zip(x, z)))
        return v * math.exp(-0.5 * sum(squares) / l**2) + c

    return k


def predict(model, arrays, x):
    columns = len(x)
    X = [arrays["X"][i : i + columns] for i in range(0, len(arrays["X"]), columns)]
    clean = observed = mean = second = 0.0
    for i, process in enumerate(model["questions"][0]["processes"]):
        weight = arrays["questions.0.process_weight"][i]
        path = f"questions.0.processes.{i}."
        tau, nu = arrays[path + "site_tau"], arrays[path + "site_nu"]
        rate, noise = arrays[path + "likelihood"]
        k = covariance(process["covariance"])
        K = [[k(a, b) for b in X] for a in X]
        k_star = [k(a, x) for a in X]
        A = [[(i == j) + K[i][j] * tau[j] for j in range(len(X))] for i in range(len(X))]  # I + K T
        mu = solve(A, [sum(a * b for a, b in zip(row, nu)) for row in K])
        m = sum(c * (n - t * f) for c, n, t, f in zip(k_star, nu, tau, mu))
        s = solve(A, k_star)
        v = k(x, x) - sum(c * t * w for c, t, w in zip(k_star, tau, s))
        p = 0.5 * math.erfc(-m / math.sqrt(2.0 * (v + noise)))
        clean += weight * p
        observed += weight * (rate + (1.0 - 2.0 * rate) * p)
        mean += weight * m
        second += weight * (v + m * m)
    return clean, observed, mean, second - mean**2


def main():
    model, arrays = read(HERE / f"{sys.argv[1]}.candor")
    columns = len(arrays["X"]) // len(arrays["row"])
    X = [arrays["X"][i : i + columns] for i in range(0, len(arrays["X"]), columns)]
    print("clean,observed,latent_mean,latent_variance")
    for x in [list(row) for row in X] + [[9.0] * columns]:  # lists: other rows than those of training
        print(",".join(f"{number:.12g}" for number in predict(model, arrays, x)))


main()
