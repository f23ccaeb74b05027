# SPDX-License-Identifier: MIT
"""JSON output against the committed schemas (needs Python's jsonschema; skipped by name without)."""
import json
import unittest

from harness import QUICK, ROOT, CliTest

try:
    import jsonschema
except ImportError:
    jsonschema = None


@unittest.skipIf(jsonschema is None, "python3-jsonschema is not installed")
class Schemas(CliTest):
    def validate(self, name, *arguments, code=0):
        schema = json.loads((ROOT / f"docs/schemas/{name}.json").read_text())
        document = json.loads(self.check(*arguments, "--format", "json", code=code).stdout)
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema).validate(document)
        return schema, document

    def test_every_command(self):
        table, model = self.table(), self.folder / "m.model"
        audit = ("audit", table, "--label", "label", *QUICK)
        self.validate("audit", *audit, "--id", "id", "--budget", "5", "--save-model", model)
        self.validate("audit", *audit, "--errors", "none")
        self.validate("evaluate", "evaluate", model, table)
        self.validate("predict", "predict", model, table, "--id", "id")
        self.validate("compare", "compare", table, "--label", "label", *QUICK, "--folds", "2")
        self.validate("info", "info", model)
        self.validate("info", "info")
        self.validate("dry_run", *audit, "--dry-run")
        self.validate("sample", "sample", "--covariance", "linear")
        self.validate("sample", "sample", table, "--label", "label", "--covariance", "linear")

    def test_rows_without_a_label(self):
        table = self.write("t.csv", self.table().read_text().replace(",left\n", ",\n", 2))
        audit = ("audit", table, "--label", "label", "--id", "id", *QUICK)
        _, document = self.validate("audit", *audit)
        self.assertEqual(document["audited_rows"], 78)
        self.assertEqual([(row["row"], row["id"], row["predicted"]) for row in document["unlabelled"]],
                         [(1, "r000", "left"), (3, "r002", "left")])
        self.assertRegex(self.check(*audit).stdout, r"\n    1  r000 +left +[01]\.\d+\n    3  r002 +left ")

    def test_three_classes(self):
        self.validate("audit", "audit", self.table(classes=("a", "b", "c"), wrong=(9,)), "--label", "label", *QUICK)

    def test_a_mutant_is_refused(self):
        schema, document = self.validate("audit", "audit", self.table(), "--label", "label", *QUICK)
        for mutate in (lambda d: d.pop("verdict"), lambda d: d["rows"][0].update(p_wrong=1.5),
                       lambda d: d["rows"][0].update(row=0), lambda d: d.update(surprise=1)):
            mutant = json.loads(json.dumps(document))
            mutate(mutant)
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.Draft202012Validator(schema).validate(mutant)


if __name__ == "__main__":
    unittest.main()
