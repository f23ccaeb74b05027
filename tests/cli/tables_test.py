# SPDX-License-Identifier: MIT
"""What is said about a table's columns, and the examples of the help."""
import re
import shlex
import subprocess
import unittest

from harness import CANDOR, QUICK, ROOT, CliTest, sectors


class Missing(CliTest):
    def columns(self, *options):
        lines = [f"{'NA' if i == 3 else '-' if i == 4 else i % 5 + 0.5},{'ab'[i % 2]}" for i in range(40)]
        table = self.write("t.csv", "x,label\n" + "\n".join(lines) + "\n")
        return ("audit", table, "--label", "label", "--dry-run", *options)

    def test_the_advice_to_say_what_means_missing_works(self):
        self.refused(*self.columns(), says=['say with --na that "-" means missing'])
        # kind, use, distinct, missing
        self.assertRegex(self.check(*self.columns("--na", "-")).stdout, r"x +number +input +5 +2 ")

    def test_usual_words_may_be_left_out(self):
        self.refused(*self.columns("--na", "-", "--na-only"), says=['line 5 holds "NA"'])
        self.assertRegex(self.check(*self.columns("--na", "-,NA", "--na-only")).stdout, r"x +number +input +5 +2 ")


class Truth(CliTest):
    def test_a_truth_of_any_name_is_not_learned_from(self):
        noisy = self.folder / "no isy.csv"
        clean = self.write("clean.csv", "\n".join(sectors(40)) + "\n")
        said = self.check("simulate", clean, "--label", "label", "--rate", "0.1", "--truth", "truth", "-o", noisy).stderr
        advised = f"candor audit '{noisy}' --label label --ignore truth"
        self.assertIn(f"column truth, not to be learned from: {advised}\n", said)
        for command in ("audit", "fit", "compare"):
            done = self.check(command, noisy, "--label", "label", *QUICK, *(["-o", self.folder / "m"] if command == "fit" else []))
            self.assertIn('column "truth": holds the label\'s values, and in 90 % of rows the label: taken for a copy, not used', done.stderr)
        plain = self.check(*shlex.split(advised)[1:], *QUICK).stdout
        self.assertEqual(self.check("audit", noisy, "--label", "label", *QUICK).stdout, plain)
        self.assertNotEqual(self.check("audit", noisy, "--label", "label", *QUICK, "--use", "truth").stdout, plain)

    def test_a_table_without_names_is_audited_by_the_number_of_the_column(self):
        table = self.write("plain.csv", "\n".join(sectors(10)[1:]) + "\n")
        said = self.check("simulate", table, "--no-header", "--label", "4", "--rate", "0.1").stderr
        self.assertIn("candor audit FILE --no-header --label 4 --ignore 5", said)

    def test_formats_that_take_no_column_are_refused_with_a_way_out(self):
        self.refused("simulate", self.write("t.libsvm", "1 1:2\n-1 1:3\n1 1:4\n-1 1:9\n"), "--label", "label",
                     says=["LIBSVM", "turn the table into CSV first"])


class Decisions(CliTest):
    def test_an_audit_as_csv_needs_the_label_and_says_so(self):
        table, audit = self.table(), self.folder / "a.csv"
        self.check("audit", table, "--label", "label", "--id", "id", *QUICK, "--format", "csv", "-o", audit)
        self.refused("apply", table, "--decisions", audit, code=2, says=["a.csv", "add --label COLUMN"])
        done = self.check("apply", table, "--decisions", audit, "--label", "label", "--id", "id")
        self.assertIn("3 labels changed", done.stderr)

    def test_an_audit_for_reading_is_refused_by_name(self):
        table, audit = self.table(), self.folder / "a.txt"
        self.check("audit", table, "--label", "label", *QUICK, "-o", audit)
        self.refused("apply", table, "--decisions", audit, "--label", "label",
                     says=["a.txt is an audit in the table format", "--format json or csv"])

    def test_an_id_that_comes_twice_is_noted_and_not_gone_by(self):
        table = self.write("t.csv", self.table(wrong=()).read_text().replace("r005", "r003"))
        note = self.check("audit", table, "--label", "label", "--id", "id", "--dry-run").stderr
        self.assertIn('column "id": "r003" is in lines 5 and 7', note)
        decisions = self.write("d.csv", "id,label\nr001,left\n")
        self.refused("apply", table, "--decisions", decisions, "--label", "label", "--id", "id", says=['"r003"', "lines 5 and 7"])


class Label(CliTest):
    def test_a_quantity_is_no_label_unless_told(self):
        table = self.write("t.csv", "x,age\n" + "".join(f"{i % 7}.5,{i % 46}\n" for i in range(138)))
        audit = ("audit", table, "--label", "age", "--dry-run")
        self.refused(*audit, says=['"age" holds 46 different numbers', "a quantity", "--categorical"])
        self.assertIn("46 classes", self.check(*audit, "--categorical", "age").stdout)


class Examples(CliTest):
    def test_every_example_of_the_help_runs_from_the_repository(self):
        (self.folder / "data").symlink_to(ROOT / "data")
        names = re.findall(r"^## candor (\w+)$", self.check("reference").stdout, re.M)
        ran = 0
        for name in set(names) - {"completion"}:  # which writes where the shell looks
            said = self.check(name, "--help").stdout.split("Examples:\n")[-1].split("\n\n")[0]
            for example in filter(None, map(str.strip, said.splitlines())):
                words = example.split()
                sample = " --sample 40" if words[1] in ("audit", "fit", "compare") else ""
                with self.subTest(example):
                    line = example.replace("candor ", shlex.quote(CANDOR) + " ", 1) + sample
                    done = subprocess.run(["bash", "-c", line], cwd=self.folder,
                                          capture_output=True, text=True, timeout=120)
                    self.assertIn(done.returncode, (0, 4), done.stderr)
                    ran += 1
        self.assertGreater(ran, 15)


if __name__ == "__main__":
    unittest.main()
