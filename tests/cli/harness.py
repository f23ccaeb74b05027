# SPDX-License-Identifier: MIT
"""Runs the program as a person would; its path is in the environment variable CANDOR."""
import hashlib
import json
import math
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest
from decimal import Decimal

ROOT = pathlib.Path(__file__).resolve().parents[2]
CANDOR = os.environ.get("CANDOR", str(ROOT / "build/release/bin/candor"))
ODDS = re.compile(r", \d+ to 1(?=\))")
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
# One small covariance keeps a fit of 80 rows well below a second.
QUICK = ["--covariance", "4 * linear + constant"]


def run(*arguments, stdin=None, **environment):
    return subprocess.run([CANDOR, *map(str, arguments)], input=stdin, capture_output=True, text=True,
                          timeout=120, env={**os.environ, **environment})


def sectors(rows=80, classes=("left", "right"), seed=7):
    """Points all over a disc, a class to each sector, ids: lines of a CSV file.

    Rows on both sides of the boundaries show that it is sharp: else labels that contradict their neighbours
    could be put down to a soft one.
    """
    dice = random.Random(seed)
    lines = ["id,x,y,label"]
    for i in range(rows):
        k = i % len(classes)
        angle = 2 * math.pi * (k + 0.04 + 0.92 * dice.random()) / len(classes)
        radius = 3 * math.sqrt(0.1 + 0.9 * dice.random())
        lines.append(f"r{i:03},{radius * math.cos(angle):.3f},{radius * math.sin(angle):.3f},{classes[k]}")
    return lines


def unit(text):
    """Of the last digit; none of a whole number."""
    exponent = Decimal(text).as_tuple().exponent
    return Decimal(1).scaleb(exponent) if exponent < 0 else 0


class CliTest(unittest.TestCase):
    """A folder of its own, and checks that show everything when they fail."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def same_text(self, then, now, advice):
        """Line by line.  Another BLAS rounds otherwise, and a search ends within a per cent: counts and rows stay."""
        then, now = (ODDS.sub("", text) for text in (then, now))  # of two digits: they follow the nats beside them
        if then == now:
            return
        self.assertEqual([NUMBER.sub("#", line).split() for line in then.splitlines()],
                         [NUMBER.sub("#", line).split() for line in now.splitlines()], advice)
        for a, b in zip(NUMBER.findall(then), NUMBER.findall(now), strict=True):
            tolerance = max(unit(a), unit(b), abs(Decimal(a)) / 100 if unit(a) else 0)
            self.assertLessEqual(abs(Decimal(a) - Decimal(b)), tolerance, advice)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, newline="")
        return path

    def table(self, name="table.csv", wrong=(9, 24, 57), **options):
        """Sectors in which the labels of some rows (from 1) are exchanged."""
        lines = sectors(**options)
        names = sorted({line.rsplit(",", 1)[1] for line in lines[1:]})
        for row in wrong:
            head, label = lines[row].rsplit(",", 1)
            lines[row] = f"{head},{names[(names.index(label) + 1) % len(names)]}"
        return self.write(name, "\n".join(lines) + "\n")

    @staticmethod
    def interrupt(model):
        """Sets the flag of an interrupted search in a model file, and the checksum that belongs to it."""
        blob = model.read_bytes().replace(rb'\"interrupted\":false', rb'\"interrupted\":true ')
        begin = blob.index(b"sha256:") + 7
        digest = hashlib.sha256(blob[:begin] + b"0" * 64 + blob[begin + 64:]).hexdigest().encode()
        model.write_bytes(blob[:begin] + digest + blob[begin + 64:])

    def check(self, *arguments, code=0, **options):
        result = run(*arguments, **options)
        self.assertEqual(result.returncode, code,
                         f"\n$ candor {' '.join(map(str, arguments))}\nstdout: {result.stdout}\nstderr: {result.stderr}")
        return result

    def refused(self, *arguments, code=3, says=(), **options):
        """One sentence on stderr, nothing on stdout."""
        result = self.check(*arguments, code=code, **options)
        self.assertEqual(result.stdout, "")
        errors = [line for line in result.stderr.splitlines() if not line.startswith("candor: note:")]
        self.assertEqual(len(errors), 1, result.stderr)
        self.assertTrue(errors[0].startswith("candor: "), errors[0])
        for word in says:
            self.assertIn(str(word), errors[0])
        return result

    def audit_json(self, *arguments, code=0):
        return json.loads(self.check("audit", *arguments, *QUICK, "--format", "json", code=code).stdout)
