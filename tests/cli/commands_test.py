# SPDX-License-Identifier: MIT
"""Every other command, its formats and its round trips."""
import csv
import io
import json
import unittest

from harness import QUICK, ROOT, CliTest, sectors


class Reading(CliTest):
    def test_the_user_may_say_which_line_is_names(self):
        rows = "".join(f"{i},{i % 7},{'ab'[i % 2]}\n" for i in range(20))
        table = self.write("years.csv", "2020,2021,2022\n" + rows)
        self.assertIn("say --header", self.check("audit", table, "--label", "3", "--dry-run").stderr)
        self.assertIn("20 rows", self.check("audit", table, "--header", "--label", "2022", "--dry-run").stdout)
        self.refused("audit", table, "--header", "--no-header", "--label", "3", code=2, says=["--header"])

    def test_one_input_is_a_table_to_predict(self):
        table = self.write("one.csv", "x,c\n" + "".join(f"{i / 10},{'ab'[i > 14]}\n" for i in range(30)))
        model = table.with_suffix(".model")
        self.check("fit", table, "--label", "c", "-o", model, *QUICK)
        found = self.check("predict", model, self.write("new.csv", "x\n0.2\n2.8\n"), "--format", "csv")
        self.assertEqual(len(found.stdout.splitlines()), 3)

    def test_laplace_is_an_engine_where_no_label_is_doubted(self):
        table = self.write("t.csv", "\n".join(sectors(40)) + "\n")
        options = ["--label", "label", "--inference", "laplace", "--covariance", "squared_exponential"]
        self.check("audit", table, *options, "--errors", "none")
        self.refused("audit", table, *options, "--errors", "uniform", code=2, says=["laplace", "use ep"])

    def test_the_variational_engine_doubts_labels(self):
        rows = sectors(60)
        table = self.write("t.csv", "\n".join(rows) + "\n")
        noisy = self.write("noisy.csv", self.check("simulate", table, "--label", "label", "--rate", "0.1",
                                                   "--seed", "5").stdout)
        options = ["--label", "label", "--inference", "variational", "--covariance", "squared_exponential"]
        model = table.with_suffix(".model")
        self.check("fit", noisy, *options, "-o", model)
        kept = json.loads(self.check("info", model, "--format", "json").stdout)
        self.assertEqual(kept["options"]["inference"], "variational")
        self.assertIn("lower bound", self.check("info", model).stdout)
        found = json.loads(self.check("audit", noisy, *options, "--format", "json").stdout)
        chosen = max(found["evidence"], key=lambda row: row["probability"])
        self.assertIn("robust", chosen["model"])
        self.assertTrue(all(row["converged"] for row in found["evidence"]))


class Simulate(CliTest):
    def test_changes_as_many_labels_as_asked_for_and_nothing_else(self):
        clean = "\r\n".join(line.replace(",", " , ") for line in sectors(40)) + "\r\n"
        table = self.write("clean.csv", clean)
        noisy = self.check("simulate", table, "--label", "label", "--rate", "0.1", "--seed", "5").stdout
        path = self.write("noisy.csv", noisy)
        # text=True turns CRLF into LF on the way: compare files instead
        self.check("simulate", table, "--label", "label", "--rate", "0.1", "--seed", "5", "-o", path)
        new, old = path.read_bytes().decode().split("\r\n"), clean.split("\r\n")
        self.assertEqual(new[0], old[0] + ",true_label")
        changed = 0
        for a, b in zip(new[1:-1], old[1:-1]):
            kept, truth = a.rsplit(",", 1)
            self.assertEqual(truth, b.rsplit(" , ", 1)[1])
            self.assertEqual(kept.rsplit(" , ", 1)[0], b.rsplit(" , ", 1)[0])
            changed += kept != b
        self.assertEqual(changed, 4)

    def test_the_same_seed_plants_the_same_errors(self):
        table = self.write("clean.csv", "\n".join(sectors(40)) + "\n")
        def plant(*options):
            return self.check("simulate", table, "--label", "label", *options).stdout
        for kind in (["--kind", "uniform"], ["--kind", "boundary"], ["--kind", "class", "--class-rate", "left=0.3"]):
            self.assertEqual(plant(*kind, "--seed", "1"), plant(*kind, "--seed", "1"))
            rate = () if "class" in kind else ("--rate", "0.2")
            self.assertNotEqual(plant(*kind, "--seed", "1", *rate), plant(*kind, "--seed", "2", *rate))

    def test_class_errors_stay_in_their_class(self):
        table = self.write("clean.csv", "\n".join(sectors(40)) + "\n")
        out = self.check("simulate", table, "--label", "label", "--kind", "class", "--class-rate", "left=0.5").stdout
        changed = [r for r in csv.DictReader(io.StringIO(out)) if r["label"] != r["true_label"]]
        self.assertEqual([r["true_label"] for r in changed], ["left"] * 10)

    def test_refuses_what_it_cannot_do(self):
        table = self.write("clean.csv", "\n".join(sectors(10)) + "\n")
        self.refused("simulate", table, "--label", "label", "--kind", "class", code=2, says=["--class-rate"])
        self.refused("simulate", table, "--label", "label", "--kind", "class", "--class-rate", "up=0.1", code=2, says=["up"])
        self.refused("simulate", table, "--label", "label", "--class-rate", "left=0.1", code=2, says=["--kind class"])
        for rate in ("nan", "inf", "-0.1"):
            self.refused("simulate", table, "--label", "label", "--rate", rate, code=2, says=["--rate", "from 0 to 1"])
            self.refused("simulate", table, "--label", "label", "--kind", "class", "--class-rate", f"left={rate}", code=2,
                         says=["--class-rate", "from 0 to 1"])
        self.refused("simulate", table, "--label", "label", "--truth", "x", says=["--truth"])
        self.refused("simulate", self.write("t.libsvm", "1 1:2\n-1 1:3\n1 1:4\n-1 1:9\n"), "--label", "label", says=["delimited"])


    def test_a_table_without_names_gets_no_name(self):
        table = self.write("plain.csv", "\n".join(sectors(10)[1:]) + "\n")
        result = self.check("simulate", table, "--no-header", "--label", "4", "--rate", "0.1")
        self.assertIn("1 of 10 labels changed; the labels as they were are in the last column", result.stderr)


class Apply(CliTest):
    def test_without_decisions_the_table_is_the_same_to_the_byte(self):
        text = "\ufeffid;x;label\r\n1; 2,5 ;'a'\r\n\r\n2;\"3,5\";b"
        table = self.write("odd.csv", text)
        for name, decisions in (("none.csv", "row,label\n"), ("empty.csv", ""), ("none.json", '{"rows": []}')):
            out = self.folder / "out.csv"
            self.check("apply", table, "--decisions", self.write(name, decisions), "-o", out)
            self.assertEqual(out.read_bytes(), table.read_bytes())

    def test_simulate_audit_apply_repairs_the_table(self):
        clean = "\n".join(sectors()) + "\n"
        noisy, audit, fixed = (self.folder / n for n in ("noisy.csv", "audit", "fixed.csv"))
        self.check("simulate", self.write("clean.csv", clean), "--label", "label", "--rate", "0.1", "-o", noisy)
        for form, label in (("json", ()), ("jsonl", ()), ("csv", ("--label", "label"))):  # CSV does not name the column
            self.check("audit", noisy, "--label", "label", *QUICK, "--format", form, "-o", audit)
            self.check("apply", noisy, "--decisions", audit, *label, "-o", fixed)
            rows = list(csv.DictReader(io.StringIO(fixed.read_text())))
            self.assertLess(sum(r["label"] != r["true_label"] for r in rows), 4)  # of 8

    def test_decisions_by_row_and_by_id(self):
        table = self.table(wrong=())
        rows = self.write("rows.csv", "row,label\n2,left\n4,\n")
        ids = self.write("ids.csv", "id,given,label\nr001,right,left\n")
        by_row = self.check("apply", table, "--decisions", rows, "--label", "label").stdout
        by_id = self.check("apply", table, "--decisions", ids, "--label", "label", "--id", "id").stdout
        self.assertEqual(by_row, by_id)
        old, new = table.read_text().splitlines(), by_row.splitlines()
        self.assertEqual([i for i in range(len(old)) if old[i] != new[i]], [2])

    def test_refuses_decisions_about_another_table(self):
        table = self.table(wrong=())
        def refused(text, *options, **how):
            self.refused("apply", table, "--decisions", self.write("d.csv", text), "--label", "label", *options, **how)
        refused("row,given,label\n2,left,right\n", says=["d.csv: line 2", "row 2", "line 3", "right"])
        refused("row,label\n1,left\n99,left\n", says=["d.csv: line 3", "80 rows", "99"])
        refused("row,label\n0,left\n", says=["counted from 1"])
        refused("row,label\n2,left\n2,right\n", says=["d.csv: line 3", "decided twice"])
        refused("id,label\nnobody,left\n", "--id", "id", says=["d.csv: line 2", "nobody"])
        refused("row,label,label\n2,left,right\n", says=["two columns", "label"])
        refused("row,label\n3,1,left\n5,2,left\n", says=["one cell more"])
        refused("label\nleft\n", says=["names no row"])
        refused('[{"row": 2, "label": "left", "label": "right"}]', says=['"label" twice'])
        refused('{"rows": [], "decisions": []}', says=["both"])
        self.refused("apply", "-", "--decisions", "-", "--label", "label", code=2, says=["standard input"])
        refused("id,label\nr001,left\n", code=2, says=["--id"])
        refused("row,colour\n2,red\n", says=["line 2"])

    def test_rows_known_by_number_alone_must_be_of_the_table_that_was_audited(self):
        table, audit = self.table(), self.folder / "audit"
        lines = table.read_text().splitlines()
        turned = self.write("turned.csv", "\n".join([lines[0], *reversed(lines[1:])]) + "\n")
        for form in ("json", "jsonl"):
            self.check("audit", table, "--label", "label", *QUICK, "--format", form, "-o", audit)
            self.refused("apply", turned, "--decisions", audit, says=["turned.csv", "--id COLUMN"])
            self.refused("apply", turned, "--decisions", audit, "--threshold", "1", says=["turned.csv"])  # nothing to change

    def test_a_row_must_still_have_its_id(self):
        table, audit = self.table(), self.folder / "audit"
        lines = table.read_text().splitlines()
        turned = self.write("turned.csv", "\n".join([lines[0], *reversed(lines[1:])]) + "\n")
        for form, options in (("json", ()), ("jsonl", ("--id", "id")), ("csv", ("--id", "id", "--label", "label"))):
            self.check("audit", table, "--label", "label", "--id", "id", *QUICK, "--format", form, "-o", audit)
            self.assertIn("3 labels changed", self.check("apply", table, "--decisions", audit, *options).stderr)
            self.refused("apply", turned, "--decisions", audit, *options, says=["has the id", "the decision was made for"])
        decisions = self.write("d.csv", "row,id,label\n2,r005,left\n")
        self.refused("apply", table, "--decisions", decisions, "--label", "label", "--id", "id",
                     says=["row 2 (line 3)", '"r001"', '"r005"'])
        unchecked = self.check("apply", table, "--decisions", decisions, "--label", "label")
        self.assertIn("--id", unchecked.stderr)

    def test_a_byte_order_mark_is_no_part_of_the_decisions(self):
        table = self.table(wrong=())
        for text in ("row,label\n2,left\n", '{"row": 2, "label": "left"}', '{"row": 2, "label": "left"}\n{"row": 4, "label": "left"}\n',
                     '[{"row": 2, "label": "left"}]'):
            plain, marked = (self.check("apply", table, "--decisions", self.write("d", mark + text), "--label", "label").stdout
                             for mark in ("", "\ufeff"))
            self.assertNotEqual(plain, table.read_text())
            self.assertEqual(plain, marked)

    def test_refuses_what_is_no_file_of_decisions(self):
        table = self.table(wrong=())
        for text, says in (("hello", "columns"), ("\ufeffrow,colour\n", "columns"), ("[" * 100000, "32 levels"),
                           ('{"rows": ' + "[" * 60 + "]" * 60 + "}", "32 levels"),
                           ('{"row": 2, "label": ["left"]}', "label is an array"),
                           ('[{"row": 2, "label": {"a": 1}}]', "label is an object")):
            self.refused("apply", table, "--decisions", self.write("d", text), "--label", "label", says=[self.folder / "d", says])

    def test_a_label_that_no_row_has_needs_a_flag(self):
        table = self.table(wrong=())
        arguments = ("apply", table, "--decisions", self.write("d.csv", "row,label\n2,lefft\n"), "--label", "label")
        self.refused(*arguments, says=["line 2", '"lefft"', 'did you mean "left"?', "--new-labels"])
        self.assertIn(",lefft\n", self.check(*arguments, "--new-labels").stdout)

    def test_never_writes_over_the_table_unless_told(self):
        table = self.table(wrong=())
        decisions = self.write("d.csv", "row,label\n2,left\n")
        before = table.read_bytes()
        self.refused("apply", table, "--decisions", decisions, "--label", "label", "-o", table, code=2, says=["--in-place"])
        self.assertEqual(table.read_bytes(), before)
        self.check("apply", table, "--decisions", decisions, "--label", "label", "--in-place")
        self.assertNotEqual(table.read_bytes(), before)


class ModelFiles(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.table()
        self.model = self.folder / "a.model"
        self.check("fit", self.data, "--label", "label", "--ignore", "id", *QUICK, "-o", self.model)

    def test_predictions_do_not_depend_on_the_order_of_columns(self):
        turned = "\n".join(",".join(reversed(line.split(","))) for line in self.data.read_text().splitlines())
        a = self.check("predict", self.model, self.data).stdout
        b = self.check("predict", self.model, self.write("turned.csv", turned + "\n")).stdout
        self.assertEqual(a, b)
        rows = list(csv.DictReader(io.StringIO(a)))
        self.assertEqual(len(rows), 80)
        for row in rows:
            self.assertAlmostEqual(float(row["p(left)"]) + float(row["p(right)"]), 1.0, places=12)

    def test_audit_saves_the_model_that_fit_does(self):
        other = self.folder / "b.model"
        self.check("audit", self.data, "--label", "label", "--ignore", "id", *QUICK, "--save-model", other)
        self.assertEqual(self.check("predict", other, self.data).stdout, self.check("predict", self.model, self.data).stdout)

    def test_evaluate_measures(self):
        clean = self.write("clean.csv", "\n".join(sectors()) + "\n")
        document = json.loads(self.check("evaluate", self.model, clean, "--format", "json").stdout)
        self.assertLess(document["error"], 0.05)
        self.assertGreater(document["auc"], 0.95)
        self.assertEqual([sum(row) for row in document["confusion"]["counts"]], [40, 40])
        text = self.check("evaluate", self.model, clean).stdout
        self.assertIn("log_loss", text)
        self.assertIn("predicted left", text)
        self.assertNotIn("learned from", self.check("evaluate", self.model, clean).stderr)
        self.assertIn("the table the model was learned from", self.check("evaluate", self.model, self.data).stderr)

    def test_a_model_that_did_not_converge_says_so(self):
        self.interrupt(self.model)
        for command in ("predict", "evaluate"):
            result = self.check(command, self.model, self.data, "--format", "json", code=4)
            self.assertFalse(json.loads(result.stdout)["converged"])
            self.assertIn("did not converge", result.stderr)

    def test_evaluate_needs_labels(self):
        lines = self.data.read_text().splitlines()
        empty = [lines[0]] + [line.rsplit(",", 1)[0] + "," for line in lines[1:]]
        self.refused("evaluate", self.model, self.write("empty.csv", "\n".join(empty) + "\n"), says=["empty.csv", '"label"', "--label"])
        one = self.write("one.csv", "\n".join([*lines[:3], empty[3]]) + "\n")
        self.assertIn("1 row without a label is left out", self.check("evaluate", self.model, one).stderr)

    def test_evaluate_refuses_a_class_the_model_has_not_seen(self):
        other = self.write("other.csv", self.data.read_text().replace("right", "up", 1))
        self.refused("evaluate", self.model, other, says=["up"])

    def test_info_tells_what_a_model_holds(self):
        document = json.loads(self.check("info", self.model, "--format", "json").stdout)
        self.assertEqual(document["classes"], ["left", "right"])
        self.assertEqual(document["inputs"], ["x", "y"])
        self.assertIn("left, right", self.check("info", self.model).stdout)

    def test_a_file_that_is_no_model_is_refused(self):
        self.refused("predict", self.data, self.data, says=["table.csv"])
        self.refused("info", self.write("empty.model", ""), says=["empty.model"])
        cut = self.folder / "cut.model"
        cut.write_bytes(self.model.read_bytes()[:-7])
        self.refused("predict", cut, self.data, says=["cut.model"])


class Others(CliTest):
    def test_info_without_a_model_tells_of_the_program(self):
        document = json.loads(self.check("info", "--format", "json").stdout)
        self.assertGreaterEqual(document["threads"], 1)
        self.assertIn("BLAS", document["blas"])
        self.refused("info", "--format", "csv", code=2, says=["--format"])

    def test_compare_lists_views_and_covariances(self):
        document = json.loads(self.check("compare", self.table(), "--label", "label", "--covariance", "squared_exponential + constant",
                                         *QUICK, "--folds", "3", "--format", "json").stdout)
        self.assertEqual(len(document["evidence"]), 6)
        self.assertEqual([row["errors"] for row in document["cross_validation"][::2]], ["none", "uniform", "class"])
        for row in document["cross_validation"]:
            self.assertLess(row["error"], 0.2)
        self.assertTrue(document["converged"])

    def test_compare_by_lines_begins_with_its_head_and_has_no_csv_of_folds(self):
        compare = ("compare", self.table(), "--label", "label", *QUICK, "--folds", "2", "--format")
        lines = [json.loads(line) for line in self.check(*compare, "jsonl").stdout.splitlines()]
        self.assertEqual(list(lines[0]), ["schema_version", "converged", "verdict", "columns", "rates"])
        self.assertTrue(lines[0]["converged"])
        self.assertEqual(["errors" in line for line in lines[1:]], [False, False, False, True, True, True])
        self.refused(*compare, "csv", code=2, says=["--folds", "json"])

    def test_verbose_shows_the_columns(self):
        for command in (("audit",), ("fit", "-o", self.folder / "m")):
            err = self.check(*command, self.table(), "--label", "label", *QUICK, "-v").stderr
            self.assertIn("columns of the table:", err)

    def test_sample_draws_from_the_prior(self):
        out = self.check("sample", "--n", "5", "--draws", "2", "--seed", "4").stdout
        self.assertEqual(out, self.check("sample", "--n", "5", "--draws", "2", "--seed", "4").stdout)
        rows = list(csv.reader(io.StringIO(out)))
        self.assertEqual(rows[0], ["x", "draw_1", "draw_2"])
        self.assertEqual([float(r[0]) for r in rows[1:]], [-3, -1.5, 0, 1.5, 3])
        for option, value in (("--from", "nan"), ("--to", "inf"), ("--seed", "-1"), ("--n", "0")):
            self.refused("sample", option, value, code=2, says=[f'{option} is "{value}"'])
        self.refused("sample", "--covariance", "linaer", code=2, says=['--covariance is "linaer"'])
        table = self.check("sample", self.table(), "--label", "label", "--covariance", "linear").stdout
        self.assertEqual(len(table.splitlines()), 81)

    def test_sample_leaves_a_label_of_any_kind_out(self):
        prices = self.write("t.csv", "x,price\n" + "".join(f"{i % 7}.5,{i}.25\n" for i in range(30)))
        sample = ("sample", prices, "--covariance", "linear")
        alone = self.check(*sample, "--ignore", "price").stdout
        self.assertEqual(self.check(*sample, "--label", "price").stdout, alone)

    def test_sample_compares_categories_for_equality_only(self):
        table = self.write("t.csv", "c,label\n" + "".join(f"{c},{y}\n" for c in ("red", "green", "blue") for y in "ab" * 3))
        sample = ("sample", table, "--label", "label", "--covariance")
        document = json.loads(self.check(*sample, "squared_exponential", "--format", "json").stdout)
        self.assertIn("discrete", document["covariance"])

    def test_options_come_from_a_file_and_the_command_line_wins(self):
        table = self.table()
        toml = self.write("c.toml", 'label = "label"\ncovariance = ["linear + constant"]\n[audit]\ntop = "2"\nformat = "csv"\n')
        js = self.write("c.json", json.dumps({"label": "label", "covariance": ["linear + constant"],
                                              "audit": {"top": 2, "format": "csv"}, "quiet": True}))
        a = self.check("audit", table, "--config", toml).stdout
        self.assertEqual(len(a.splitlines()), 3)
        self.assertEqual(a, self.check("audit", table, f"--config={js}").stdout)
        self.assertEqual(len(self.check("audit", table, "--config", toml, "--top", "4").stdout.splitlines()), 5)
        self.refused("audit", table, "--config", self.write("bad.toml", 'labl = "label"\n'), says=["labl", "did you mean 'label'"])
        self.refused("audit", table, "--config", self.write("bad.json", '{"label": '), says=["JSON"])
        self.refused("audit", table, "--config", self.write("empty.toml", 'label = "label"\ntop = ""\n'), says=["top is empty"])
        self.refused("audit", table, "--config", self.write("word.toml", 'format = "xml"\n'), says=["format", "table, csv"])
        self.refused("audit", table, "--config", self.write("twice.json", '{"label": "label", "label": "x"}'), says=["twice"])
        names = self.write("names.toml", 'label = "4"\nheader = true\n')
        plain = self.write("plain.csv", "\n".join(sectors()[1:]) + "\n")
        self.assertIn("80 rows", self.check("audit", plain, "--config", names, "--no-header", "--dry-run").stdout)
        self.refused("audit", table, "--config", self.write("flag.json", '{"label": "label", "dry-run": "yes"}'),
                     says=["dry-run", "true or false"])
        self.check("audit", table, "--config", self.write("off.json", '{"label": "label", "dry-run": false}'), *QUICK)

    def test_a_bad_options_file_is_named(self):
        table = self.table()
        for text, says in (('quiet = "maybe"\n', "quiet"), ('label = "label\n', "line 1"), ("[1,2]", "JSON object"),
                           ("x" * 9000, "no option"), ("[audti]\n", "no command"), ("threshold = nan\n", "--threshold"),
                           ('{"threshold": 7}', "from 0 to 1"), ('{"errors": "none,some"}', "errors"),
                           ('{"covariance": "linaer"}', "--covariance"),
                           ('{"label": ' + "[" * 99999, "32 levels")):
            path = self.write("c", text)
            result = self.refused("audit", table, "--label", "label", "-q", "--config", path, says=[path, says])
            self.assertLess(len(result.stderr), 250)
        marked = self.write("c", '\ufefflabel = "label"  # it\'s ours\n[audit]\ndry-run = true\n')
        self.check("audit", table, "--config", marked)

    def test_help_of_every_command_has_an_example_that_starts_with_its_name(self):
        overview = self.check("--help").stdout
        for command in ("audit", "apply", "fit", "predict", "evaluate", "compare", "check", "simulate", "sample", "info", "completion"):
            self.assertIn(command, overview)
            self.assertIn(f"  candor {command}", self.check(command, "--help").stdout)
        self.assertIn("10  --fail-on", overview)
        self.assertRegex(self.check("--version").stdout, r"^candor \d+\.\d+\.\d+\n$")

    def test_an_option_before_the_command_is_told_where_it_belongs(self):
        self.refused("--label", "label", "audit", "t.csv", code=2, says=["--label stands before the command"])
        self.refused(code=2, says=["audit, apply, fit"])

    def test_evaluate_says_which_column_held_the_labels(self):
        model = self.folder / "m"
        self.check("fit", self.table(), "--label", "label", "--ignore", "id", *QUICK, "-o", model)
        other = self.write("o.csv", "x,y\n1,2\n")
        self.refused("evaluate", model, other, says=["o.csv", '"label"', "--label", "candor predict"])

    def test_points_too_far_apart_are_refused(self):
        self.refused("sample", "--covariance", "linear", "--from", "-1e308", "--to", "1e308", code=2, says=["--from and --to"])

    def test_a_section_is_preferred_to_what_stands_above_it(self):
        table = self.table()
        config = self.write("c.toml", 'label = "x"\n[audit]\nlabel = "label"\n')
        self.check("audit", table, "--config", config, "--dry-run")

    def test_the_reference_page_is_up_to_date(self):
        self.assertEqual(self.check("reference").stdout, (ROOT / "docs/cli.md").read_text(),
                         "docs/cli.md is not what the program says: run make docs")


if __name__ == "__main__":
    unittest.main()
