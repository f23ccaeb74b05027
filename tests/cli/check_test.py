# SPDX-License-Identifier: MIT
"""candor check: what sampling says of a model."""
import json
import unittest

from harness import QUICK, ROOT, CliTest

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROWS = 24
SHORT = ["--draws", "1000", "--runs", "16", "--temperatures", "60"]  # enough to settle so few rows
TINY = ["--draws", "20", "--runs", "4", "--temperatures", "4"]  # enough to be written: code 4


class Check(CliTest):
    fitted = {}  # the bytes of models, by their options: each is fitted once

    def small(self):
        return self.table(rows=ROWS, wrong=(9, 22))

    def model(self, *options):
        path = self.folder / "m.model"
        if options not in self.fitted:
            self.check("fit", self.small(), "--label", "label", "--ignore", "id", *QUICK, *options, "-o", path)
            self.fitted[options] = path.read_bytes()
        path.write_bytes(self.fitted[options])
        return path

    def tiny(self, *arguments):
        return json.loads(self.check("check", *arguments, "--format", "json", *TINY, code=4).stdout)

    def test_a_model_and_its_table_say_the_same(self):
        by_model = self.tiny(self.model(), "--seed", "3")
        table = [self.small(), "--label", "label", "--ignore", "id", *QUICK, "--seed", "3"]
        self.assertEqual(len(by_model["processes"]), 1)
        self.assertEqual(by_model, self.tiny(*table))
        self.assertEqual(by_model, self.tiny(*table, "--threads", "1"))
        self.assertNotEqual(by_model, self.tiny(self.model(), "--seed", "4"))

    def test_ep_is_near_the_truth_and_the_text_says_so(self):
        model = self.model()
        document = json.loads(self.check("check", model, "--format", "json", *SHORT).stdout)
        self.assertTrue(document["settled"])
        found = document["processes"][0]
        self.assertTrue(found["engine_converged"])
        self.assertFalse(found["from_prior"])
        # EP is good to a few tenths of a nat on so few rows of a linear boundary.
        self.assertLess(abs(found["log_evidence"] - found["sampled"]["log_evidence"]),
                        0.5 + 4 * found["sampled"]["standard_error"])
        self.assertEqual(len(found["rows"]), ROWS)
        worst = max(found["rows"], key=lambda row: abs(row["p_wrong"] - row["p_wrong_sampled"]) - 2 * row["p_wrong_error"])
        self.assertEqual(worst["row"], found["p_wrong"]["row"])
        words = {"off": "is off", "may_be_off": "not seen to be off", "reliable": "can be relied on"}  # all that a settled check can be
        self.assertIn(words[found["judgement"]], found["verdict"])
        text = self.check("check", model, *SHORT).stdout
        for words in ("EP has converged", "log evidence", "back", "p_wrong", "R-hat", "effective draws", found["verdict"][:20]):
            self.assertIn(words, text)

    def test_all_models_and_engines(self):
        for engine, spoken in (("laplace", "Laplace"), ("variational", "variational inference")):
            model = self.model("--errors", "none", "--inference", engine)
            process = self.tiny(model, "--from-prior")["processes"][0]
            self.assertEqual(process["engine"], engine)
            self.assertTrue(process["from_prior"])
            text = self.check("check", model, *TINY, code=4).stdout
            self.assertIn(f"by {spoken}", text)
            self.assertNotIn("EP", text)
        self.assertGreater(len(self.tiny(self.model("--average", "full"), "--models", "all")["processes"]), 1)

    def test_what_has_not_settled_ends_with_code_4(self):
        result = self.check("check", self.model(), "--draws", "4", "--runs", "2", "--temperatures", "1", code=4)
        self.assertIn("more draws", result.stdout)
        self.assertIn("not settled", result.stderr)

    def test_a_model_that_was_not_learned_to_the_end_ends_with_code_4(self):
        model = self.model()
        self.interrupt(model)
        result = self.check("check", model, "--format", "json", *SHORT, code=4)
        self.assertFalse(json.loads(result.stdout)["learned"])
        self.assertIn("learning had not converged", result.stderr)

    def test_joint_models_are_refused_with_what_to_do(self):
        table = self.table(rows=30, classes=("a", "b", "c"), wrong=(9,))
        joint = self.folder / "joint.model"
        self.check("fit", table, "--label", "label", "--ignore", "id", *QUICK, "-o", joint)
        self.refused("check", joint, says=["one-vs-rest"])
        self.refused("check", table, "--label", "label", "--ignore", "id", *QUICK, says=["3 classes", "one-vs-rest"])
        each = self.tiny(table, "--label", "label", "--ignore", "id", *QUICK, "--multiclass", "one-vs-rest")
        self.assertEqual([process["class"] for process in each["processes"]], ["a", "b", "c"])

    def test_bad_input_is_refused(self):
        model = self.model()
        self.refused("check", self.folder / "none.model", "--label", "label", says=["none.model"])
        self.refused("check", self.table(), code=2, says=["--label"])
        self.refused("check", self.table(), "--label", "lable", says=["lable"])
        for option in (["--label", "label"], ["--trusted", "t"], ["--na", "x"], ["--header"], ["--errors", "none"],
                       ["--covariance", "linear"], ["--inference", "laplace"], ["--sample", "10"]):
            self.refused("check", model, *option, code=2, says=["is a model", option[0]])
        self.refused("check", model, "--draws", "20", "--runs", "81", code=2, says=["--runs is 81", "80"])  # of four chains
        self.refused("check", model, *TINY, "--max-memory", "1K", code=5, says=["memory", "allowed"])
        self.refused("check", model, *TINY, "--max-time", "1e-9", code=5, says=["--max-time is over"])
        damaged = self.folder / "damaged.model"
        damaged.write_bytes(model.read_bytes()[:-8])
        self.refused("check", damaged, says=["damaged.model"])
        self.refused("check", model, "--draws", "3", code=2, says=["--draws"])
        self.refused("check", model, "-o", model, code=2, says=["-o"])

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is not installed")
    def test_json_follows_its_schema(self):
        schema = json.loads((ROOT / "docs/schemas/check.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        document = self.tiny(self.model())
        jsonschema.Draft202012Validator(schema).validate(document)
        for mutate in (lambda d: d.pop("settled"), lambda d: d["processes"][0]["rows"][0].update(p_wrong=1.5)):
            mutant = json.loads(json.dumps(document))
            mutate(mutant)
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.Draft202012Validator(schema).validate(mutant)


if __name__ == "__main__":
    unittest.main()
