# SPDX-License-Identifier: MIT
"""candor check: what sampling says of a model."""
import json
import unittest

from harness import QUICK, ROOT, CliTest

try:
    import jsonschema
except ImportError:
    jsonschema = None

SHORT = ["--draws", "1000", "--runs", "16", "--temperatures", "60"]


class Check(CliTest):
    def small(self):
        return self.table(rows=40, wrong=(9, 24))

    def model(self, *options):
        path = self.folder / "m.model"
        self.check("fit", self.small(), "--label", "label", "--ignore", "id", *QUICK, *options, "-o", path)
        return path

    def test_a_model_and_its_table_say_the_same(self):
        options = ["--format", "json", "--seed", "3", *SHORT]
        by_model = json.loads(self.check("check", self.model(), *options).stdout)
        table = ["check", self.small(), "--label", "label", "--ignore", "id", *QUICK]
        by_table = json.loads(self.check(*table, *options).stdout)
        self.assertTrue(by_model["settled"])
        self.assertEqual(len(by_model["processes"]), 1)
        self.assertEqual(by_model, by_table)
        self.assertEqual(by_model, json.loads(self.check(*table, *options, "--threads", "1").stdout))

    def test_ep_is_near_the_truth_and_the_text_says_so(self):
        model = self.model()
        found = json.loads(self.check("check", model, "--format", "json", *SHORT).stdout)["processes"][0]
        # EP is good to a few tenths of a nat on forty rows of a linear boundary.
        self.assertLess(abs(found["log_evidence"] - found["sampled"]["log_evidence"]),
                        0.5 + 4 * found["sampled"]["standard_error"])
        self.assertEqual(len(found["rows"]), 40)
        worst = max(found["rows"], key=lambda row: abs(row["p_wrong"] - row["p_wrong_sampled"]))
        self.assertEqual(worst["row"], found["p_wrong"]["row"])
        text = self.check("check", model, *SHORT).stdout
        for words in ("log evidence", "back", "p_wrong", "R-hat", "effective draws", found["verdict"][:20]):
            self.assertIn(words, text)

    def test_all_models_and_engines(self):
        model = self.model("--errors", "none", "--inference", "laplace")
        document = json.loads(self.check("check", model, "--format", "json", *SHORT).stdout)
        self.assertEqual(document["processes"][0]["engine"], "laplace")
        both = json.loads(self.check("check", self.model("--average", "full"), "--models", "all", "--format", "json",
                                     *SHORT).stdout)
        self.assertGreater(len(both["processes"]), 1)

    def test_what_has_not_settled_ends_with_code_4(self):
        result = self.check("check", self.model(), "--draws", "4", "--runs", "2", "--temperatures", "1", code=4)
        self.assertIn("more draws", result.stdout)
        self.assertIn("not settled", result.stderr)

    def test_joint_models_are_refused_with_what_to_do(self):
        table = self.table(rows=40, classes=("a", "b", "c"), wrong=(9,))
        joint = self.folder / "joint.model"
        self.check("fit", table, "--label", "label", "--ignore", "id", *QUICK, "-o", joint)
        self.refused("check", joint, says=["one-vs-rest"])
        self.refused("check", table, "--label", "label", "--ignore", "id", *QUICK, says=["3 classes", "one-vs-rest"])
        each = json.loads(self.check("check", table, "--label", "label", "--ignore", "id", *QUICK, "--multiclass",
                                     "one-vs-rest", "--format", "json", *SHORT).stdout)
        self.assertEqual([process["class"] for process in each["processes"]], ["a", "b", "c"])

    def test_bad_input_is_refused(self):
        model = self.model()
        self.refused("check", self.folder / "none.model", "--label", "label", says=["none.model"])
        self.refused("check", self.table(), code=2, says=["--label"])
        self.refused("check", self.table(), "--label", "lable", says=["lable"])
        self.refused("check", model, "--label", "label", code=2, says=["knows its label"])
        damaged = self.folder / "damaged.model"
        damaged.write_bytes(model.read_bytes()[:-8])
        self.refused("check", damaged, says=["damaged.model"])
        self.refused("check", model, "--draws", "3", code=2, says=["--draws"])
        self.refused("check", model, "-o", model, code=2, says=["-o"])

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is not installed")
    def test_json_follows_its_schema(self):
        schema = json.loads((ROOT / "docs/schemas/check.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        document = json.loads(self.check("check", self.model(), "--format", "json", *SHORT).stdout)
        jsonschema.Draft202012Validator(schema).validate(document)
        for mutate in (lambda d: d.pop("settled"), lambda d: d["processes"][0]["rows"][0].update(p_wrong=1.5)):
            mutant = json.loads(json.dumps(document))
            mutate(mutant)
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.Draft202012Validator(schema).validate(mutant)


if __name__ == "__main__":
    unittest.main()
