# SPDX-License-Identifier: MIT
"""What every command says, word for word: golden/NAME.txt.

    python3 tests/cli/golden_test.py --update    writes them as the program speaks today: look at the difference
"""
import pathlib
import re
import sys
import unittest

from harness import QUICK, CliTest, run, sectors

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
# In this order: later ones read what earlier ones wrote.  {} is the folder.
COMMANDS = {
    "simulate": "simulate {}/clean.csv --label label --rate 0.05 --seed 3 -o {}/planted.csv",
    "audit": "audit {}/noisy.csv --label label --id id --top 6 --budget 4",
    "audit_three_classes": "audit {}/three.csv --label label --top 4",
    "audit_noise": "audit {}/noise.csv --label label --top 2",
    "audit_dry_run": "audit {}/unlabelled.csv --label label --dry-run",
    "audit_unlabelled": "audit {}/unlabelled.csv --label label --id id --top 2",
    "audit_json": "audit {}/noisy.csv --label label --id id --format json -o {}/audit.json",
    "apply": "apply {}/noisy.csv --decisions {}/audit.json -o {}/fixed.csv",
    "fit": "fit {}/noisy.csv --label label --ignore id -o {}/m.model",
    "predict": "predict {}/m.model {}/few.csv --id id --format table",
    "evaluate": "evaluate {}/m.model {}/clean.csv",
    "compare": "compare {}/noisy.csv --label label --ignore id --folds 3",
    "info": "info {}/m.model",
    "sample": "sample --covariance matern(smoothness=1.5)+linear --n 6 --format table",
    "no_label": "audit {}/clean.csv",
    "no_column": "audit {}/clean.csv --label lable",
    "no_file": "audit {}/none.csv --label label",
    "ragged": "audit {}/ragged.csv --label label",
}
LEARNS = ("audit", "fit", "compare")


# How long this machine takes, and what a search that ends near the top may find otherwise elsewhere.
OF_THE_MACHINE = re.compile(r"""^candor:\ \d+\ rows\ take\ about\ .*\n|^about\ .*\n  # what it will take
                                |^\ \ (?:regular|robust),\ .*:\ .*\n  # covariances with what was learned
                                |(?<=yes)\ +\d+$|\d+\ to\ 1\b  # steps, odds""", re.MULTILINE | re.VERBOSE)


class Golden(CliTest):
    def setUp(self):
        super().setUp()
        clean = sectors(60)
        self.write("clean.csv", "\n".join(clean) + "\n")
        self.table("noisy.csv")
        self.write("few.csv", "\n".join(clean[:4]) + "\n")
        self.write("three.csv", "\n".join(line.split(",", 1)[1] for line in sectors(60, ("a", "b", "c"))) + "\n")
        self.write("noise.csv", "x,label\n" + "".join(f"{i * 37 % 60 / 8},{'ab'[i * i % 7 % 2]}\n" for i in range(60)))
        self.write("unlabelled.csv", "\n".join(line.rsplit(",", 1)[0] + "," if i in (5, 20) else line
                                               for i, line in enumerate(clean)) + "\n")
        self.write("ragged.csv", "x,y,label\n1,2,a\n3,b\n5,6,a\n")

    def test_every_command_says_what_it_said(self):
        for name, line in COMMANDS.items():
            with self.subTest(name):
                words = [word.replace("{}", str(self.folder)) for word in line.split()]
                done = run(*words, *(QUICK if words[0] in LEARNS and "--dry-run" not in words else ()))
                said = f"$ candor {line}\n{done.stdout}--- {done.returncode}\n{done.stderr}"
                said = OF_THE_MACHINE.sub("", said.replace(str(self.folder), "FOLDER"))
                path = GOLDEN / f"{name}.txt"
                if UPDATE:
                    path.write_text(said)
                self.same_text(path.read_text(), said, f"{path.name}: if the change is meant, golden_test.py --update")

    def test_another_word_or_number_is_seen(self):
        text = (GOLDEN / "audit.txt").read_text()
        for other in (text.replace("labels look wrong", "labels are wrong"), text.replace("p_wrong", "p", 1), text + "x\n",
                      text.replace("0.9", "0.8", 1)):
            with self.assertRaises(AssertionError):
                self.same_text(text, other, "")


UPDATE = "--update" in sys.argv
if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    unittest.main(argv=[word for word in sys.argv if word != "--update"])
