# SPDX-License-Identifier: MIT
"""What compare, info and audit -v say of models; the report's map over chosen columns."""
import csv
import io
import json
import re
import unittest

from harness import QUICK, CliTest

SMALL = ["--covariance", "rational_quadratic + linear", *QUICK]


class Evidence(CliTest):
    def test_tables_for_people_are_rounded_and_fit_on_a_page(self):
        table, model = self.table(rows=40, wrong=(9, 24)), self.folder / "m.model"
        options = ["--label", "label", "--id", "id", *SMALL]
        audit = self.check("audit", table, *options, "-v", "--save-model", model).stdout
        for text in (audit, self.check("compare", table, *options).stdout, self.check("info", model).stdout):
            models = text[text.index("  evidence  "):]
            self.assertLessEqual(max(map(len, models.splitlines())), 100, text)
            self.assertIsNone(re.search(r"\d\.\d{4}", models), text)
            self.assertIn("robust, rational_quadratic + linear: ", text)

    def test_data_keep_every_digit(self):
        compare = ("compare", self.table(rows=40, wrong=(9, 24)), "--label", "label", *QUICK, "--format")
        rows = list(csv.DictReader(io.StringIO(self.check(*compare, "csv").stdout)))
        document = json.loads(self.check(*compare, "json").stdout)
        for row, other in zip(rows, document["evidence"], strict=True):
            self.assertEqual(float(row["log_evidence"]), other["log_evidence"])
            self.assertEqual(row["covariance"], other["covariance"])
            self.assertRegex(row["covariance"], r"\d\.\d{6}")

    def test_compare_ends_with_what_it_means(self):
        compare = ("compare", self.table(rows=40, wrong=(9, 24)), "--label", "label", *SMALL)
        verdict = json.loads(self.check(*compare, "--format", "json").stdout)["verdict"]
        self.assertRegex(verdict, r"^'[^']*' is preferred over '[^']*' by \d+\.\d nats(, \d+ to 1)?: "
                                  r"(no more than a hint|(some|strong|very strong) evidence)\. ")
        self.assertIn("label", verdict.split(". ")[-1])
        text = self.check(*compare).stdout
        self.assertTrue(" ".join(text.split()).endswith(verdict), text)
        self.assertIn(verdict, self.check(*compare, "-o", self.folder / "out").stderr)

    def test_folds_that_cannot_be_are_refused_before_learning(self):
        few = self.write("few.csv", "x,label\n1,a\n2,a\n3,b\n4,b\n")
        self.refused("compare", few, "--label", "label", "--folds", "3", says=["no class has more than 2 rows"])
        one = self.write("one.csv", "x,label\n1,a\n2,a\n3,b\n")
        self.refused("compare", one, "--label", "label", "--folds", "2", says=["two rows of every class", '"b" has one'])

    def test_compare_speaks_of_every_class(self):
        table = self.table(rows=45, classes=("a", "b  2", "c"), wrong=(9,))
        compare = ("compare", table, "--label", "label", *QUICK, "--errors", "none,class", "--multiclass", "one-vs-rest")
        text = self.check(*compare).stdout
        self.assertIn("\nIs it b  2?\n", text)
        self.assertIn("b  2,", text.split("\nFor a, ")[1], "blanks of a name are kept")
        self.assertNotIn(" \n", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100, text)
        result = self.check(*compare, "--format", "json")
        verdict = json.loads(result.stdout)["verdict"]
        for name in ("a", "b  2", "c"):
            self.assertIn(f"For {name}, '", verdict)
        self.assertIn("--errors class: of 3 classes", result.stderr)


class ReportMap(CliTest):
    def lines(self):
        rows = ["size,weight,colour,shade,label"]
        for i in range(30):
            rows.append(f"{100.5 + 3 * i},{(7 * i) % 30 + 0.5},{('red', 'blue')[i % 2]},{(11 * i) % 17},{'ab'[i > 14]}")
        return self.write("t.csv", "\n".join(rows) + "\n")

    def views(self, *options, table=None):
        report = self.folder / "r.html"
        self.check("audit", table or self.lines(), "--label", "label", *QUICK, "--report", report, *options)
        page = report.read_text()
        data = page[page.index('<script type="application/json"'):]
        return json.loads(data[data.index(">") + 1:data.index("</script>")])["map"]["views"]

    def test_over_chosen_columns_comes_first_and_says_where_it_cuts(self):
        for chosen in (["--map", "shade,weight"], ["--map", "shade", "--map", "weight"], ["--map", "4,2"]):
            view = self.views(*chosen)[0]
            self.assertEqual((view["x"]["label"], view["y"]["label"]), ("shade", "weight"))
            self.assertIn("held at its median", view["caption"])
            self.assertIn("commonest value", view["caption"])
            self.assertIn("grid", view)
            self.assertEqual([text for _, text in view["x"]["ticks"]][:2], ["0", "5"])
        self.assertEqual(self.views()[0]["title"], "Principal components")

    def test_a_column_named_like_an_indicator_is_drawn_itself(self):
        rows = [f"{i + 0.5},{'' if i % 5 == 0 else (7 * i) % 30 + 0.5},{200.5 + i},{'ab'[i > 14]}" for i in range(30)]
        table = self.write("t.csv", "\n".join(["x,z,z is missing,label", *rows]) + "\n")
        view = self.views("--map", "x,z is missing", table=table)[0]
        self.assertEqual(view["y"]["label"], "z is missing")
        self.assertIn("210", [text for _, text in view["y"]["ticks"]])

    def test_refuses_what_it_cannot_draw(self):
        table, report = self.lines(), self.folder / "r.html"
        def refused(*chosen, code=3, says):
            self.refused("audit", table, "--label", "label", *QUICK, "--report", report, "--map", *chosen, code=code, says=says)
        refused("shade,wieght", says=["wieght", 'mean "weight"'])
        refused("shade,colour", says=['"colour"', "of kind category", '"size", "weight" and "shade"'])
        refused("shade,label", says=['"label"', "the label column"])
        refused("shade,shade", says=['"shade" twice'])
        refused("shade", code=2, says=["--map", "two"])
        refused("shade,size,weight", code=2, says=["3 columns"])
        self.refused("audit", table, "--label", "label", "--map", "shade,size", code=2, says=["--map", "--report"])
        self.assertFalse(report.exists())


if __name__ == "__main__":
    unittest.main()
