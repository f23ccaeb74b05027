# SPDX-License-Identifier: MIT
"""What is said about a table's columns, and the examples of the help."""
import json
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


    def test_a_class_may_be_a_usual_word_for_missing(self):
        lines = [f"{i % 7 + 3 * (i % 2)}.5,{('NA', 'EU')[i % 2]}" for i in range(40)]
        table, model = self.write("t.csv", "x,y\n" + "\n".join(lines) + "\n"), self.folder / "m"
        self.check("fit", table, "--label", "y", "--na-only", "--na", "gone", *QUICK, "-o", model)
        self.assertRegex(self.check("evaluate", model, table).stdout, r"rows +40\b")
        one_gone = self.write("u.csv", table.read_text().replace(",EU\n", ",gone\n", 1))
        self.assertIn("1 row without a label is left out", self.check("evaluate", model, one_gone).stderr)
        odd = self.write("v.csv", table.read_text().replace(",EU\n", ",Eu\n", 1))
        self.refused("evaluate", model, odd, says=['"Eu" is not among the known classes', 'did you mean "EU"?'])


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

    def test_the_usual_name_needs_no_option(self):
        noisy = self.folder / "n.csv"
        said = self.check("simulate", self.table(wrong=()), "--label", "label", "--rate", "0.1", "-o", noisy).stderr
        self.assertTrue(said.endswith(f": candor audit {noisy} --label label\n"), said)

    def test_trusted_labels_stay_as_they_are(self):
        lines = [line + (",yes" if i % 2 else ",no") for i, line in enumerate(sectors(40)[1:])]
        table, noisy = self.write("t.csv", "id,x,y,label,sure\n" + "\n".join(lines) + "\n"), self.folder / "n.csv"
        for kind in ("uniform", "boundary"):
            said = self.check("simulate", table, "--label", "label", "--trusted", "sure", "--id", "id", "--rate", "0.5",
                              "--kind", kind, "-o", noisy).stderr
            self.assertIn("10 of 20 labels changed", said)
            self.assertTrue(said.endswith("--label label --id id --trusted sure\n"), said)
            for line in noisy.read_text().splitlines()[1:]:
                _, _, _, label, sure, truth = line.split(",")
                self.assertTrue(sure == "no" or label == truth, line)

    def test_too_many_rows_for_every_two_of_them_are_refused(self):
        table = self.write("t.csv", "x,label\n" + "1,a\n2,b\n" * 25001)
        self.refused("simulate", table, "--label", "label", "--kind", "boundary", code=5, says=["50002 rows", "--kind uniform"])

    def test_a_table_without_names_is_audited_by_the_number_of_the_column(self):
        table = self.write("plain.csv", "\n".join(sectors(10)[1:]) + "\n")
        said = self.check("simulate", table, "--no-header", "--label", "4", "--rate", "0.1").stderr
        self.assertIn("candor audit FILE --no-header --label 4 --ignore 5", said)

    def test_what_was_written_is_to_be_read_as_the_table_was(self):
        table, noisy = self.write("t.csv", "\n".join(sectors(10)).replace(",", ";") + "\n"), self.folder / "n.csv"
        options = ["--na=-", "--na=-9 9", "--na-only", "--delimiter=;", "--header"]
        said = self.check("simulate", table, *options, "--label", "label", "--rate", "0.1", "-o", noisy).stderr
        advised = shlex.split(said[said.index("candor audit"):])
        self.assertEqual(advised[3:8], options)
        self.check(*advised[1:], "--dry-run")

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

    def test_a_word_for_missing_decides_nothing(self):
        table = self.write("t.csv", self.table(wrong=()).read_text().replace(",right\n", ",NA\n", 1))
        decisions = self.write("d.csv", "row,label\n1,NA\n2,left\n3,\n")
        done = self.check("apply", table, "--decisions", decisions, "--label", "label")
        self.assertIn("2 decisions without a label", done.stderr)
        self.assertIn("1 label changed", done.stderr)
        self.assertNotIn(",NA\n", done.stdout)
        self.assertIn("2 labels changed", self.check("apply", table, "--decisions", decisions, "--label", "label", "--na-only").stderr)
        suggested = self.write("a.csv", "row,given,suggested,p_wrong\n1,left,NA,0.9\n")
        self.assertIn("1 label changed", self.check("apply", table, "--decisions", suggested, "--label", "label").stderr)

    def test_refuses_what_is_no_whole_audit(self):
        table, audit = self.table(), self.folder / "a.json"
        self.check("audit", table, "--label", "label", *QUICK, "--format", "json", "-o", audit)
        whole = audit.read_text()
        document = json.loads(whole)
        first = document["rows"][0]

        def refused(text, *says):
            self.refused("apply", table, "--decisions", self.write("d", text), "--label", "label", says=[self.folder / "d", *says])
        refused(json.dumps({**document, "schema_version": 7}), "schema_version 7")
        refused(json.dumps({**document, "rows": [first, {**first, "p_wrong": 0.1}]}), "entry 2", "comes twice")
        for p in (1.5, -0.5):
            refused(json.dumps({**document, "rows": [{**first, "p_wrong": p}]}), "entry 1", str(p), "from 0 to 1")
        refused("[]", "holds no decisions")
        refused('{"schema_version": 1}', "is no audit")
        refused(json.dumps({"schema_version": 1, "verdict": "of a comparison"}, indent=2), "is no audit")
        for end in (len(whole) // 2, whole.rindex("}"), whole.rindex('"row"') + 3):
            refused(whole[:end], "ends in the middle")
        refused(whole.replace('"rows": [', '"rows": [ oops', 1), "is not JSON from byte")

    def test_lines_of_an_audit_may_be_its_first(self):
        table, audit = self.table(), self.folder / "a.jsonl"
        arguments = ("apply", table, "--decisions", audit)
        self.check("audit", table, "--label", "label", *QUICK, "--format", "jsonl", "-o", audit)
        lines = audit.read_text().splitlines(keepends=True)
        whole = self.check(*arguments)
        audit.write_text("".join(lines[:10]))
        self.assertEqual((self.check(*arguments).stdout, self.check(*arguments).stderr), (whole.stdout, whole.stderr))
        audit.write_text("".join(lines[:3]))
        self.assertIn("holds 2 of 80 audited rows, all above the threshold", self.check(*arguments).stderr)
        audit.write_text("".join(lines[:1]))
        self.refused(*arguments, says=["none of its 80 audited rows"])
        audit.write_text("".join(lines[:3]) + lines[3][:20])
        self.refused(*arguments, says=["line 4 ends in the middle"])
        audit.write_text(lines[0] + json.dumps({**json.loads(lines[1]), "label": "left"}) + "\n")  # a person's
        self.assertNotIn("audited rows", self.check(*arguments).stderr)

    def test_an_empty_file_is_noted(self):
        done = self.check("apply", self.table(), "--decisions", self.write("d.csv", ""), "--label", "label")
        self.assertIn("d.csv is empty: it holds no decisions", done.stderr)

    def test_rows_above_the_threshold_without_another_label_are_counted(self):
        audit = self.write("a.csv", "row,suggested,given,p_wrong\n1,left,left,0.3\n2,left,right,0.3\n3,left,left,0.1\n")
        arguments = ("apply", self.table(wrong=()), "--decisions", audit, "--label", "label", "--threshold")
        self.assertIn("1 label changed (p_wrong above 0.2); 1 row above it has no other label to take\n",
                      self.check(*arguments, "0.2").stderr)
        self.assertIn("no label was changed (p_wrong above 0.4)\n", self.check(*arguments, "0.4").stderr)

    def test_an_alternative_counts_without_the_given_label(self):
        audit = self.write("a.csv", "row,suggested,alternative,p_wrong\n1,left,right,0.3\n2,left,right,0.7\n")
        done = self.check("apply", self.table(wrong=()), "--decisions", audit, "--label", "label", "--threshold", "0.2")
        self.assertIn("2 labels changed", done.stderr)

    def test_a_threshold_below_the_audit_s_takes_the_alternatives(self):
        table = self.table()
        for form in ("json", "jsonl", "csv"):
            audit = self.folder / f"a.{form}"
            self.check("audit", table, "--label", "label", "--id", "id", *QUICK, "--format", form, "-o", audit)
            arguments = ("apply", table, "--decisions", audit, "--label", "label", "--id", "id")
            said = self.check(*arguments).stderr
            self.assertIn("3 labels changed (p_wrong above 0.5)", said)
            self.assertEqual("does not tell the threshold of its audit" in said, form == "csv", said)
            self.assertIn("80 labels changed (p_wrong above 0)", self.check(*arguments, "--threshold", "0").stderr)

    def test_the_threshold_is_the_audit_s_own_unless_another_is_given(self):
        table, audit = self.table(), self.folder / "a.json"
        self.check("audit", table, "--label", "label", *QUICK, "--threshold", "0", "--format", "json", "-o", audit)
        arguments = ("apply", table, "--decisions", audit)
        self.assertIn("80 labels changed (p_wrong above 0)", self.check(*arguments).stderr)
        self.assertIn("3 labels changed (p_wrong above 0.5)", self.check(*arguments, "--threshold", "0.5").stderr)
        audit.write_text(audit.read_text().replace('"threshold": 0.0', '"threshold": 7'))
        self.refused(*arguments, says=["a.json", "threshold is '7'", "from 0 to 1"])

    def test_numbers_and_bytes_that_no_table_holds_are_refused(self):
        arguments = ("apply", self.table(), "--label", "label", "--new-labels", "--decisions")
        self.refused(*arguments, self.write("d.json", '[{"row": 1e999, "label": "left"}]'), says=["d.json", "too large"])
        self.refused(*arguments, self.write("d.json", '[{"row": 1, "label": "l\\u0000"}]'), says=["entry 1", "NUL"])

    def test_columns_are_looked_for_even_where_nothing_changes(self):
        decisions = self.write("d.csv", "row,label\n")
        for option in ("--label", "--id"):
            self.refused("apply", self.table(), "--decisions", decisions, option, "nowhere", says=["nowhere"])

    def test_a_threshold_is_of_no_use_to_what_is_decided(self):
        decisions = self.write("d.csv", "row,label\n1,left\n")
        said = self.check("apply", self.table(), "--decisions", decisions, "--label", "label", "--threshold", "0.9").stderr
        self.assertIn("--threshold is for audits", said)

    def test_a_suggestion_that_a_person_took_back_is_kept(self):
        audit = self.write("a.csv", "row,given,suggested,alternative,p_wrong\n1,left,left,,0.9\n")
        arguments = ("apply", self.table(wrong=()), "--decisions", audit, "--label", "label")
        self.assertIn("no label was changed", self.check(*arguments, "--threshold", "0.1").stderr)

    def test_decisions_under_another_name_are_refused_with_the_name_they_need(self):
        decisions = self.write("d.csv", "row,suggested\n1,left\n")
        self.refused("apply", self.table(), "--decisions", decisions, "--label", "label", says=["line 2", "'label'"])

    def test_a_label_that_arff_does_not_declare_is_refused(self):
        table = self.write("t.arff", "@relation r\n@attribute x real\n@attribute y {a,b,c}\n@data\n1,a\n2,b\n3,a\n")
        def arguments(label):
            return "apply", table, "--decisions", self.write("d.csv", f"row,label\n2,{label}\n"), "--label", "y", "--new-labels"
        self.assertIn("2,c\n", self.check(*arguments("c")).stdout)
        self.refused(*arguments("d"), says=["corrected table", "line 6", '"d" is not among the declared values', "declare it"])


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
                learns = words[1] in ("audit", "check", "fit", "compare") and not words[2].endswith(".model")
                sample = " --sample 40" if learns else ""
                with self.subTest(example):
                    line = example.replace("candor ", shlex.quote(CANDOR) + " ", 1) + sample
                    done = subprocess.run(["bash", "-c", line], cwd=self.folder,
                                          capture_output=True, text=True, timeout=120)
                    self.assertIn(done.returncode, (0, 4), done.stderr)
                    ran += 1
        self.assertGreater(ran, 15)


if __name__ == "__main__":
    unittest.main()
