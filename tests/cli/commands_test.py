# SPDX-License-Identifier: MIT
"""Every other command, its formats and its round trips."""
import csv
import io
import json
import unittest

from harness import QUICK, ROOT, CliTest, sectors


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
            self.assertNotEqual(plant(*kind, "--seed", "1", "--rate", "0.2"), plant(*kind, "--seed", "2", "--rate", "0.2"))

    def test_class_errors_stay_in_their_class(self):
        table = self.write("clean.csv", "\n".join(sectors(40)) + "\n")
        out = self.check("simulate", table, "--label", "label", "--kind", "class", "--class-rate", "left=0.5").stdout
        changed = [r for r in csv.DictReader(io.StringIO(out)) if r["label"] != r["true_label"]]
        self.assertEqual([r["true_label"] for r in changed], ["left"] * 10)

    def test_refuses_what_it_cannot_do(self):
        table = self.write("clean.csv", "\n".join(sectors(10)) + "\n")
        self.refused("simulate", table, "--label", "label", "--kind", "class", code=2, says=["--class-rate"])
        self.refused("simulate", table, "--label", "label", "--kind", "class", "--class-rate", "up=0.1", code=2, says=["up"])
        self.refused("simulate", table, "--label", "label", "--truth", "x", says=["--truth"])
        self.refused("simulate", self.write("t.libsvm", "1 1:2\n-1 1:3\n1 1:4\n-1 1:9\n"), "--label", "label", says=["delimited"])


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
        for form in ("json", "jsonl", "csv"):
            self.check("audit", noisy, "--label", "label", *QUICK, "--format", form, "-o", audit)
            self.check("apply", noisy, "--decisions", audit, "--label", "label", "-o", fixed)
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
        refused("row,given,label\n2,left,right\n", says=["row 2", "line 3", "right"])
        refused("row,label\n99,left\n", says=["80 rows", "99"])
        refused("row,label\n0,left\n", says=["counted from 1"])
        refused("row,label\n2,left\n2,right\n", says=[])
        refused("id,label\nnobody,left\n", "--id", "id", says=["nobody"])
        refused("id,label\nr001,left\n", code=2, says=["--id"])
        refused("row,colour\n2,red\n", says=["line 2"])

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

    def test_compare_lists_views_and_covariances(self):
        document = json.loads(self.check("compare", self.table(), "--label", "label", "--covariance", "squared_exponential + constant",
                                         *QUICK, "--folds", "3", "--format", "json").stdout)
        self.assertEqual(len(document["evidence"]), 4)
        self.assertEqual(len(document["cross_validation"]), 4)
        for row in document["cross_validation"]:
            self.assertLess(row["error"], 0.2)

    def test_sample_draws_from_the_prior(self):
        out = self.check("sample", "--n", "5", "--draws", "2", "--seed", "4").stdout
        self.assertEqual(out, self.check("sample", "--n", "5", "--draws", "2", "--seed", "4").stdout)
        rows = list(csv.reader(io.StringIO(out)))
        self.assertEqual(rows[0], ["x", "draw_1", "draw_2"])
        self.assertEqual([float(r[0]) for r in rows[1:]], [-3, -1.5, 0, 1.5, 3])
        table = self.check("sample", self.table(), "--label", "label", "--covariance", "linear").stdout
        self.assertEqual(len(table.splitlines()), 81)

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

    def test_help_of_every_command_has_an_example_that_starts_with_its_name(self):
        overview = self.check("--help").stdout
        for command in ("audit", "apply", "fit", "predict", "evaluate", "compare", "simulate", "sample", "info", "completion"):
            self.assertIn(command, overview)
            self.assertIn(f"  candor {command}", self.check(command, "--help").stdout)
        self.assertIn("10  --fail-on", overview)
        self.assertRegex(self.check("--version").stdout, r"^candor \d+\.\d+\.\d+\n$")

    def test_the_reference_page_is_up_to_date(self):
        self.assertEqual(self.check("reference").stdout, (ROOT / "docs/cli.md").read_text(),
                         "docs/cli.md is not what the program says: run make docs")


if __name__ == "__main__":
    unittest.main()
