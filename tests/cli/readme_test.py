# SPDX-License-Identifier: MIT
"""README.md shows what the program says today."""
import re
import unittest
from decimal import Decimal

from harness import ROOT, CliTest, run

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")


def unit(text):
    """Of the last digit; none of a whole number."""
    exponent = Decimal(text).as_tuple().exponent
    return Decimal(1).scaleb(exponent) if exponent < 0 else 0


class Example(CliTest):
    def test_the_audit_in_the_readme_is_what_the_command_says(self):
        noisy = self.folder / "demo_table.csv"
        self.check("simulate", ROOT / "data/new_thyroid.csv", "--label", "label", "--rate", "0.05", "--seed", "1", "-o", noisy)
        said = run("audit", noisy, "--label", "label", "--top", "5", "-q").stdout
        command = "$ candor audit build/demo_table.csv --label label --top 5\n"
        shown = (ROOT / "README.md").read_text().split(command)[1].split("```")[0]
        advice = "README.md is not what the program says: make docs writes it again"
        self.assertEqual(NUMBER.sub("#", shown).split(), NUMBER.sub("#", said).split(), advice)
        # Another BLAS may round otherwise in the last digit shown; rows and counts are the same.
        for then, now in zip(NUMBER.findall(shown), NUMBER.findall(said), strict=True):
            self.assertLessEqual(abs(Decimal(then) - Decimal(now)), unit(now), advice)


if __name__ == "__main__":
    unittest.main()
