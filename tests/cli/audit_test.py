# SPDX-License-Identifier: MIT
"""candor audit, from table to verdict."""
import csv
import io
import json
import random
import unittest

from harness import QUICK, CliTest, sectors


class Audit(CliTest):
    def test_ranks_the_wrong_labels_first(self):
        document = self.audit_json(self.table(), "--label", "label", "--id", "id")
        self.assertEqual({row["row"] for row in document["rows"][:3]}, {9, 24, 57})
        first = document["rows"][0]
        self.assertEqual(first["line"], first["row"] + 1)
        self.assertEqual(first["id"], f"r{first['row'] - 1:03}")
        self.assertNotEqual(first["given"], first["suggested"])
        self.assertEqual(len(first["neighbours"]), 3)
        self.assertEqual(document["above_threshold"], 3)
        self.assertEqual(len(document["rows"]), 80)
        self.assertLess(document["rate"]["low"], document["rate"]["mean"])

    def test_says_which_of_two_classes_is_taken_for_the_other(self):
        clean, noisy = self.table("clean.csv", wrong=(), rows=120), self.folder / "noisy.csv"
        self.check("simulate", clean, "--label", "label", "--kind", "class", "--class-rate", "left=0.4", "-o", noisy)
        audit = ("audit", noisy, "--label", "label", "--id", "id", *QUICK)
        lines = self.check(*audit).stdout.splitlines()
        self.assertRegex(lines[lines.index(next(line for line in lines if "recorded as" in line)) + 1], "^ *left +right ")
        self.assertNotIn("recorded as", self.check(*audit, "--errors", "none,uniform").stdout)

    def test_rows_of_a_clean_table_are_not_wrong_for_what_they_do_not_say(self):
        dice = random.Random(9)
        lines = []
        for _ in range(200):  # a sharp boundary, and every tenth number is missing
            x, y = dice.gauss(0, 1), dice.gauss(0, 1)
            cells = ["" if dice.random() < 0.1 else f"{number:.4f}" for number in (x, y)]
            lines.append(f"{cells[0]},{cells[1]},{'up' if x + 0.7 * y > 0 else 'down'}\n")
        table = self.write("missing.csv", "x,y,label\n" + "".join(lines))
        document = self.audit_json(table, "--label", "label", "--covariance", "4 * squared_exponential + constant")
        self.assertEqual(document["above_threshold"], 0)
        self.assertLess(max(row["p_wrong"] for row in document["rows"]), 0.2)

    def test_noise_is_no_evidence_of_label_errors(self):
        dice = random.Random(3)
        for classes in (2, 3, 5):
            table = self.write("noise.csv", "x,y,label\n" + "".join(
                f"{dice.gauss(0, 1):.3f},{dice.gauss(0, 1):.3f},c{i % classes}\n" for i in range(90)))
            document = self.audit_json(table, "--label", "label")
            self.assertTrue(document["verdict"].startswith("The columns tell next to nothing of the label"), document["verdict"])
            self.assertEqual(document["above_threshold"], 0)
            self.assertLess(document["signal_nats"], 1)
        model = self.folder / "m"
        self.check("fit", table, "--label", "label", *QUICK, "-o", model)
        predicted = self.check("predict", model, table)
        self.assertIn("do not rely", predicted.stderr)
        for row in csv.DictReader(io.StringIO(predicted.stdout)):  # five classes of as many rows each
            self.assertLess(max(float(value) for name, value in row.items() if name.startswith("p(")), 0.5)

    def test_numbers_that_do_not_exist_are_null(self):
        document = self.audit_json(self.table(), "--label", "label", "--errors", "none")
        for key in ("rate", "wrong_labels"):
            self.assertEqual(document[key], {"mean": None, "low": None, "high": None})
        for errors in ("none", "uniform"):
            document = self.audit_json(self.table(), "--label", "label", "--errors", errors)
            self.assertIsNone(document["p_label_errors"])

    def test_the_verdict_comes_first_and_data_go_to_stdout_only(self):
        result = self.check("audit", self.table(), "--label", "label", *QUICK, "-q")
        self.assertTrue(result.stdout.startswith("3 of 80 labels look wrong, and "), result.stdout)
        self.assertIn("left → right", result.stdout)
        self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assertEqual(result.stderr, "")

    def test_shows_twenty_rows_or_as_many_as_asked_for(self):
        table = self.table()
        def count(*options):
            out = self.check("audit", table, "--label", "label", *QUICK, *options).stdout
            return len([line for line in out.splitlines() if "(keep)" in line or "→ right" in line or "→ left" in line])
        self.assertEqual(count(), 20)
        self.assertEqual(count("--top", "2"), 2)
        self.assertEqual(count("--top", "all"), 80)
        self.assertEqual(count("--budget", "7"), 7)
        text = self.check("audit", table, "--label", "label", *QUICK, "--top", "60").stdout
        self.assertEqual(len([line for line in text.splitlines()[1:] if " are " in line or " is " in line]), 60)

    def test_says_what_a_budget_should_find(self):
        document = self.audit_json(self.table(), "--label", "label", "--budget", "3")
        self.assertEqual(document["budget"]["rows"], 3)
        self.assertGreater(document["budget"]["expected_found"], 2.0)
        self.assertEqual(len(document["rows"]), 80)  # data have all rows
        clean = self.table(wrong=())
        self.assertIn("a review would most likely find none", self.check("audit", clean, "--label", "label", *QUICK, "--errors", "none",
                                                              "--budget", "5").stdout)
        for budget, words in (("1", "Reviewing the first 1 row should"), ("99999", "Reviewing all 80 rows should")):
            self.assertIn(words, self.check("audit", self.table(), "--label", "label", *QUICK, "--budget", budget).stdout)

    def test_writes_csv_and_lines_that_agree_with_json(self):
        table = self.table()
        document = self.audit_json(table, "--label", "label", "--id", "id")
        text = self.check("audit", table, "--label", "label", "--id", "id", *QUICK, "--format", "csv").stdout
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual([int(r["row"]) for r in rows], [r["row"] for r in document["rows"]])
        self.assertEqual([float(r["p_wrong"]) for r in rows], [r["p_wrong"] for r in document["rows"]])
        lines = self.check("audit", table, "--label", "label", "--id", "id", *QUICK, "--format", "jsonl").stdout.splitlines()
        self.assertEqual([json.loads(line) for line in lines[1:]], document["rows"])
        self.assertEqual(json.loads(lines[0])["verdict"], document["verdict"])

    def test_the_same_table_gives_the_same_bytes_at_any_number_of_threads(self):
        table = self.table()
        texts = {self.check("audit", table, "--label", "label", *QUICK, "--format", "json", "--threads", n).stdout
                 for n in (1, 2)}
        self.assertEqual(len(texts), 1)

    def test_three_classes_get_suggestions_among_all_of_them(self):
        table = self.table(rows=90, classes=("a", "b", "c"), wrong=(9, 24, 57, 80))
        document = self.audit_json(table, "--label", "label", "--ignore", "id")
        self.assertEqual({row["row"] for row in document["rows"][:4]}, {9, 24, 57, 80})
        self.assertEqual(document["classes"], ["a", "b", "c"])

    def test_a_trusted_row_is_never_doubted(self):
        lines = self.table().read_text().splitlines()
        lines = [lines[0] + ",sure"] + [f"{line},{'yes' if i == 9 else 'no'}" for i, line in enumerate(lines[1:], 1)]
        table = self.write("trusted.csv", "\n".join(lines) + "\n")
        document = self.audit_json(table, "--label", "label", "--trusted", "sure", "--ignore", "id")
        row = next(r for r in document["rows"] if r["row"] == 9)
        self.assertTrue(row["trusted"])
        self.assertEqual(row["p_wrong"], 0)

    def test_rows_without_a_label_are_left_out_and_said_so(self):
        lines = self.table().read_text().splitlines()
        lines[10] = lines[10].rsplit(",", 1)[0] + ","
        result = self.check("audit", self.write("t.csv", "\n".join(lines) + "\n"), "--label", "label", *QUICK,
                            "--format", "json")
        self.assertEqual(json.loads(result.stdout)["audited_rows"], 79)
        self.assertIn("no label", result.stderr)

    def test_rows_without_a_label_are_predicted_in_text_json_and_report(self):
        lines = self.table().read_text().splitlines()
        lines[10] = lines[10].rsplit(",", 1)[0] + ","
        arguments = ("audit", self.write("t.csv", "\n".join(lines) + "\n"), "--label", "label", "--id", "id", *QUICK)
        document = json.loads(self.check(*arguments, "--format", "json").stdout)
        (row,) = document["unlabelled"]
        self.assertEqual((row["row"], row["id"], row["predicted"]), (10, "r009", "right"))
        self.assertIn("no label, predicted", self.check(*arguments).stdout)
        self.assertIn("1 row without a label", self.check(*arguments, "--format", "csv").stderr)
        report = self.folder / "report.html"
        self.check(*arguments, "--report", report)
        self.assertIn('"id":"r009"', report.read_text())

    def test_top_tells_what_it_takes_from_other_programs(self):
        arguments = ("audit", self.table(), "--label", "label", *QUICK, "--top", "2")
        for form in ("csv", "json", "jsonl"):
            self.assertIn("--top 2 leaves out 1 of the 3 labels that look wrong", self.check(*arguments, "--format", form).stderr)
        self.assertNotIn("leaves out", self.check(*arguments).stderr)

    def test_a_nearest_row_in_doubt_is_marked(self):
        lines = self.table().read_text().splitlines()
        head, label = lines[9].rsplit(",", 1)
        twin = head.replace("r008", "twin") + "," + label
        out = self.check("audit", self.write("t.csv", "\n".join([*lines, twin]) + "\n"), "--label", "label", "--ignore", "id",
                         "--covariance", "squared_exponential + 4 * linear + constant", "-q").stdout
        self.assertRegex(out, r"\n +9 .* 81\? ")
        self.assertIn("  ? a nearest row whose own label looks wrong\n", out)

    def test_no_line_is_wider_than_a_hundred_characters(self):
        out = self.check("audit", self.table(), "--label", "label", *QUICK, "--budget", "3").stdout
        self.assertLessEqual(max(map(len, out.splitlines())), 100)
        self.assertRegex(out.splitlines()[1], r"^Label-error rate .* %\)\.$")

    def test_a_dry_run_shows_columns_and_cost_and_learns_nothing(self):
        out = self.check("audit", self.table(), "--label", "label", "--dry-run").stdout
        for word in ("identifier", "number", "label", "of memory"):
            self.assertIn(word, out)
        document = json.loads(self.check("audit", self.table(), "--label", "label", "--dry-run", "--format", "json").stdout)
        self.assertIsInstance(document["bytes"], int)

    def test_fail_on_is_a_gate(self):
        table = self.table()
        self.check("audit", table, "--label", "label", *QUICK, "--fail-on", "3")
        result = self.check("audit", table, "--label", "label", *QUICK, "--fail-on", "2", code=10)
        self.assertIn("more than --fail-on 2", result.stderr)
        self.assertIn("3 of 80", result.stdout)
        one = self.check("audit", self.table(wrong=(9,)), "--label", "label", *QUICK, "--fail-on", "0", code=10)
        self.assertIn("1 label looks wrong, more than --fail-on 0", one.stderr)

    def test_reads_standard_input_and_writes_files_whole(self):
        out = self.folder / "audit.json"
        result = self.check("audit", "-", "--label", "label", *QUICK, "--format", "json", "-o", out,
                            stdin=self.table().read_text())
        self.assertEqual(result.stdout, "")
        self.assertEqual(json.loads(out.read_text())["above_threshold"], 3)

    def test_a_report_is_one_file_that_fetches_nothing(self):
        report = self.folder / "report.html"
        self.check("audit", self.table(), "--label", "label", *QUICK, "--report", report)
        page = report.read_text()
        self.assertLess(len(page), 2_000_000)
        self.assertIn("candor audit", page)
        self.assertNotRegex(page, r'(src|href)="https?:')

    def test_a_sample_is_by_content_not_by_order(self):
        table = self.table()
        lines = table.read_text().splitlines()
        turned = self.write("turned.csv", "\n".join([lines[0], *reversed(lines[1:])]) + "\n")
        ids = [{r["id"] for r in self.audit_json(t, "--label", "label", "--id", "id", "--sample", "20")["rows"]}
               for t in (table, turned)]
        self.assertEqual(len(ids[0]), 20)
        self.assertEqual(*ids)

    def test_the_truth_that_simulate_keeps_is_not_learned_from(self):
        noisy = self.folder / "noisy.csv"
        self.check("simulate", self.write("clean.csv", "\n".join(sectors()) + "\n"), "--label", "label",
                   "--rate", "0.1", "--seed", "3", "-o", noisy)
        result = self.check("audit", noisy, "--label", "label", *QUICK, "--format", "json")
        self.assertIn("true_label", result.stderr)
        for way in (("--ignore", "5"), ("--ignore", "true_label")):
            again = self.check("audit", noisy, "--label", "label", *QUICK, *way, "--format", "json")
            self.assertNotIn("true_label", again.stderr)
            self.assertEqual(again.stdout, result.stdout)
        rows = list(csv.DictReader(io.StringIO(noisy.read_text())))
        planted = {i for i, r in enumerate(rows, 1) if r["label"] != r["true_label"]}
        ranked = [r["row"] for r in json.loads(result.stdout)["rows"]]
        # Some lie so near a boundary that nobody could tell.
        self.assertGreaterEqual(len(planted & set(ranked[:len(planted)])), 0.7 * len(planted))


class Refusals(CliTest):
    def test_the_command_line_is_wrong(self):
        table = self.table()
        self.refused("audit", table, code=2, says=["--label", "perhaps --label label"])
        self.refused("audit", table, "--labl", "label", code=2, says=["did you mean --label?"])
        self.refused("audti", table, code=2, says=["did you mean audit?"])
        self.refused("audit", table, "--label", "label", "--top", "many", code=2, says=["--top"])
        self.refused("audit", table, "--label", "label", "--errors", "some", code=2, says=["--errors"])
        self.refused("audit", table, "--label", "label", "--max-memory", "lots", code=2, says=["--max-memory"])
        self.refused("audit", table, "--label", "label", "--covariance", "squared_exp(", code=2, says=["--covariance"])
        self.refused("audit", table, "--label", "label", "--errors", "none,uniform,none", code=2, says=['"none" twice'])
        self.refused("audit", table, "--label", "label", "--label", "x", code=2, says=["--label may be given only once"])
        self.refused("audit", table, "--label", code=2, says=["--label needs a value, COLUMN"])
        self.refused("audit", table, "--label", "label", "--format", "xml", code=2, says=['--format is "xml"', "table, csv"])
        self.refused("audit", table, "--label", "label", "--quiet=maybe", code=2, says=["--quiet takes no value"])
        self.refused("fit", table, code=2, says=["candor fit TABLE --output FILE"])
        self.refused("audit", table, "--label", "0", says=["counted from 1 to 4"])
        self.refused("help", "audit", code=2, says=['there is no command "help"'])
        self.refused("audit", table, "--label", "label", "--inference", "laplace", code=2, says=["--errors none"])
        self.refused("audit", table, "--label", "label", "--multiclass", "joint", "--inference", "variational", code=2,
                     says=["--inference ep", "--multiclass one-vs-rest"])
        for option in ("--report", "--save-model"):
            self.refused("audit", table, "--label", "label", option, "-", code=2, says=["name a file"])
        self.refused("fit", table, "--label", "label", "-o", "-", code=2, says=["name a file"])
        self.refused("simulate", table, "--label", "label", "--kind", "class", "--rate", "0.2", code=2, says=["--class-rate"])
        twice = self.write("twice.csv", "x,label,label\n1,a,b\n2,b,a\n")
        self.refused("audit", twice, "--label", "label", says=["several columns"])
        self.refused(code=2, says=["--help"])

    def test_a_file_must_have_a_name(self):
        for option in ("-o", "--report", "--save-model"):
            self.refused("audit", self.table(), "--label", "label", option, "", code=2, says=["not empty"])
        self.refused("apply", self.table(), "--decisions", "", code=2, says=["--decisions", "not empty"])
        victim = self.write("victim.csv", "precious\n")
        for command in (["info"], ["sample"], ["audit", self.table(), "--label", "label"]):
            self.refused(*command, "--output=", victim, code=2, says=["--output= is without a value"])
        self.refused("audit", "", "--label", "label", code=2, says=["TABLE", "not empty"])
        self.assertEqual(victim.read_text(), "precious\n")

    def test_an_open_descriptor_is_written_to_not_replaced(self):
        import subprocess
        from harness import CANDOR
        kept = self.folder / "kept"
        for place in ("/dev/stdout", "/dev/fd/1", "-"):
            kept.write_text("precious\n")
            with open(kept, "a") as out:
                subprocess.run([CANDOR, "info", "-o", place], stdout=out, check=True)
            self.assertRegex(kept.read_text(), r"^precious\n *version")
        piped = subprocess.run([CANDOR, "info", "-o", "/dev/stdout"], capture_output=True, text=True)
        self.assertIn("version", piped.stdout)

    def test_a_link_to_nothing_is_followed(self):
        link = self.folder / "link"
        link.symlink_to("target.txt")
        self.check("info", "-o", link)
        self.assertTrue(link.is_symlink())
        self.assertIn("version", (self.folder / "target.txt").read_text())
        link.unlink()
        link.symlink_to("link")
        self.refused("info", "-o", link, says=["link"])

    def test_a_limit_on_file_size_is_bad_luck_not_a_crash(self):
        import subprocess
        from harness import CANDOR
        done = subprocess.run(["bash", "-c", f"ulimit -f 1; '{CANDOR}' sample --n 2000 -o '{self.folder}/big'"],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, list(self.folder.iterdir())), (3, []))

    def test_a_report_does_not_replace_the_answer(self):
        import subprocess
        from harness import CANDOR
        with open(self.folder / "out", "w") as out:
            done = subprocess.run([CANDOR, "audit", self.table(), "--label", "label", *QUICK, "--report", "/dev/stdout"],
                                  stdout=out, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--report would write over /dev/stdout", done.stderr)

    def test_the_input_is_bad(self):
        table = self.table()
        self.refused("audit", self.folder / "none.csv", "--label", "label", says=["none.csv"])
        self.refused("audit", table, "--label", "lable", says=["label"])
        self.refused("audit", self.write("ragged.csv", "x,label\n1,a\n2\n3,b\n"), "--label", "label", says=["line 3"])
        self.refused("audit", self.write("one.csv", "x,label\n1,a\n2,a\n3,a\n"), "--label", "label", says=["label"])

    def test_a_number_must_be_finite_and_in_its_range(self):
        table = self.table()
        for option, values in {"--threshold": ("nan", "inf", "abc", "1.1", "1e400"), "--max-time": ("nan", "inf", "0"),
                               "--budget": ("nan", "-1", "1.5"), "--fail-on": ("-1", "x"), "--sample": ("nan", "0", "1"),
                               "--seed": ("-1", "18446744073709551616", "1e30"), "--threads": ("-1",)}.items():
            for value in values:
                result = self.refused("audit", table, "--label", "label", "--dry-run", option, value, code=2,
                                      says=[f'{option} is "{value}": it must be a'])
                self.assertLess(len(result.stderr), 120)
        self.check("audit", table, "--label", "label", "--dry-run", "--seed", "18446744073709551615", "--sample", "2")

    def test_a_column_is_not_both_ignored_and_used(self):
        self.refused("audit", self.table(), "--label", "label", "--ignore", "x", "--use", "2", code=2, says=["--ignore", "--use", '"x"'])

    def test_more_than_is_allowed(self):
        table = self.table()
        self.refused("audit", table, "--label", "label", "--max-memory", "1K", code=5, says=["--sample", "allowed"])
        result = self.check("audit", table, "--label", "label", "--max-time", "1e-9", code=5)
        self.assertEqual(result.stdout, "")
        self.assertIn("--max-time leaves 1e-09 s", result.stderr)

    def test_an_output_that_cannot_be_written_is_refused_before_anything_is_learned(self):
        table, missing = self.table(), self.folder / "none" / "file"
        for option in ("-o", "--report", "--save-model"):
            result = self.refused("audit", table, "--label", "label", option, missing, says=[option, "no folder", self.folder / "none"])
            self.assertNotIn("note", result.stderr)  # not even read
        self.refused("fit", table, "--label", "label", "-o", missing, says=["no folder"])
        self.refused("audit", table, "--label", "label", "-o", self.folder, says=["name a file in it"])

    def test_nothing_is_written_over_an_input(self):
        table, other = self.table(), self.folder / "other"
        before = table.read_bytes()
        for option in ("-o", "--report", "--save-model"):
            self.refused("audit", table, "--label", "label", option, table, code=2, says=[option, "table.csv"])
        for command in ("fit", "compare", "simulate", "sample"):
            self.refused(command, table, "--label", "label", "-o", table, code=2, says=["table.csv"])
        for command in ("predict", "evaluate"):
            self.refused(command, other, table, "-o", table, code=2, says=["table.csv"])
            self.refused(command, table, other, "-o", table, code=2, says=["table.csv"])
        self.refused("info", table, "-o", table, code=2, says=["table.csv"])
        self.refused("audit", table, "--label", "label", "-o", other, "--report", other, code=2, says=["--report"])
        self.assertEqual(table.read_bytes(), before)

    def test_the_answer_comes_before_model_and_report(self):
        # A device that is always full passes every check and fails when it is written.
        result = self.check("audit", self.table(), "--label", "label", *QUICK, "--save-model", "/dev/full", code=3)
        self.assertIn("3 of 80 labels look wrong", result.stdout)

    def test_a_file_name_need_not_be_utf8(self):
        import os
        table = os.fsencode(self.folder) + b"/t\xff.csv"
        with open(table, "wb") as file:
            file.write(self.table().read_bytes())
        for form in ("json", "jsonl", "csv", "table"):
            self.check("audit", os.fsdecode(table), "--label", "label", *QUICK, "--format", form, "--save-model",
                       self.folder / "m", "--report", self.folder / "r.html")
        self.check("audit", os.fsdecode(table), "--label", "label", "--dry-run", "--format", "json")

    def test_a_full_device_is_a_failure(self):
        import subprocess
        from harness import CANDOR
        for arguments in (["info"], ["--help"], ["audit", "--help"], ["--version"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([CANDOR, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("cannot be written", done.stderr)


if __name__ == "__main__":
    unittest.main()
