# SPDX-License-Identifier: MIT
"""README.md shows what the program says today."""
import unittest

from harness import ROOT, CliTest, run


class Example(CliTest):
    def test_the_audit_in_the_readme_is_what_the_command_says(self):
        noisy = self.folder / "demo_table.csv"
        self.check("simulate", ROOT / "data/new_thyroid.csv", "--label", "label", "--rate", "0.05", "--seed", "1", "-o", noisy)
        said = run("audit", noisy, "--label", "label", "--top", "5", "-q").stdout
        command = "$ candor audit build/demo_table.csv --label label --top 5\n"
        shown = (ROOT / "README.md").read_text().split(command)[1].split("```")[0]
        advice = "README.md is not what the program says: make docs writes it again"
        self.same_text(shown, said, advice)


if __name__ == "__main__":
    unittest.main()
