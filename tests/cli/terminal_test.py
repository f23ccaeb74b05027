# SPDX-License-Identifier: MIT
"""On a real terminal: progress, colours, Ctrl-C."""
import json
import os
import pty
import select
import signal
import subprocess
import time
import unittest

from harness import CANDOR, QUICK, CliTest


class OnATerminal(CliTest):
    def on_terminal(self, *arguments, stdout_too=False, interrupt_at=None, on_interrupt=signal.SIG_DFL, **environment):
        """Exit code, what the terminal showed, standard output, seconds since the interrupt."""
        parent, child = pty.openpty()
        done = subprocess.Popen([CANDOR, *map(str, arguments)], stderr=child, text=True,
                                stdout=child if stdout_too else subprocess.PIPE,
                                env={**os.environ, **environment}, start_new_session=True,
                                preexec_fn=lambda: signal.signal(signal.SIGINT, on_interrupt))
        os.close(child)
        shown, interrupted = b"", None
        deadline = time.monotonic() + 100
        while time.monotonic() < deadline:
            if parent in select.select([parent], [], [], 0.05)[0]:
                try:
                    piece = os.read(parent, 65536)
                except OSError:  # the other end is closed
                    break
                if not piece:
                    break
                shown += piece
            if interrupt_at is not None and interrupted is None and interrupt_at in shown:
                interrupted = time.monotonic()
                done.send_signal(signal.SIGINT)
        code = done.wait(timeout=20)
        took = None if interrupted is None else time.monotonic() - interrupted
        out = "" if stdout_too else done.stdout.read()
        if not stdout_too:
            done.stdout.close()
        os.close(parent)
        return code, shown.decode(errors="replace"), out, took

    def test_progress_is_drawn_and_cleared(self):
        code, shown, out, _ = self.on_terminal("audit", self.table(), "--label", "label")
        self.assertEqual(code, 0)
        self.assertIn("learning: ", shown)
        self.assertIn("evaluations", shown)
        after = shown.rsplit("evaluations", 1)[1]
        self.assertIn("\r\x1b[K", after)
        self.assertNotIn("\x1b", out)

    def test_quiet_means_no_progress(self):
        code, shown, _, _ = self.on_terminal("audit", self.table(), "--label", "label", *QUICK, "-q")
        self.assertEqual((code, shown), (0, ""))

    def test_colour_only_where_it_is_wanted(self):
        table = self.table()
        arguments = ("audit", table, "--label", "label", *QUICK, "-q")
        environment = {"NO_COLOR": ""}
        self.assertIn("\x1b[1m", self.on_terminal(*arguments, stdout_too=True, **environment)[1])
        self.assertNotIn("\x1b[1m", self.on_terminal(*arguments, stdout_too=True, NO_COLOR="1")[1])

    def test_control_characters_of_a_table_do_not_reach_the_terminal(self):
        text = self.table().read_text().replace("left", "le\x1b[31mft")
        _, shown, _, _ = self.on_terminal("audit", self.write("evil.csv", text), "--label", "label", *QUICK, "-q",
                                          stdout_too=True, NO_COLOR="1")
        self.assertNotIn("\x1b[31m", shown)

    def test_control_characters_of_names_ids_and_messages_do_not_reach_the_terminal(self):
        bad = "\x1b[31m\u009b32m"
        text = self.table().read_text().replace("id,", f"i{bad}d,", 1).replace("r000", f"r{bad}0")
        table = self.write("evil.csv", text.replace("left", f"le{bad}ft"))
        decisions = self.write("d.csv", f"row,given,label\n2,le{bad}ftt,right\n")
        unknown = self.write("u.csv", f"id,label\nno{bad}body,right\n")
        for arguments in (("audit", table, "--label", "label", "--id", 1, *QUICK, "--top", "all"),
                          ("audit", table, "--label", "label", "--dry-run"), ("audit", table), ("audit", table, "--label", f"l{bad}"),
                          ("apply", table, "--decisions", decisions, "--label", "label"),
                          ("apply", table, "--decisions", unknown, "--label", "label", "--id", 1),
                          ("audit", self.folder / f"no{bad}ne.csv", "--label", "label"), ("audit", f"--{bad}")):
            _, shown, _, _ = self.on_terminal(*arguments, stdout_too=True, NO_COLOR="1")
            self.assertNotEqual(shown, "")
            for control in ("\x1b[31m", "\u009b"):
                self.assertNotIn(control, shown, arguments)

    def test_the_progress_line_spells_out_class_names(self):
        lines = self.table(classes=("a", "b", "c"), wrong=()).read_text().replace(",a\n", ",a\x1b[31m\n")
        _, shown, _, _ = self.on_terminal("audit", self.write("evil.csv", lines), "--label", "label", *QUICK)
        self.assertIn("learning: ", shown)
        self.assertNotIn("\x1b[31m", shown)

    def test_an_ignored_ctrl_c_stays_ignored(self):
        code, shown, out, took = self.on_terminal("audit", self.table(), "--label", "label", *QUICK, "--format", "json",
                                                  interrupt_at=b"learning", on_interrupt=signal.SIG_IGN)
        self.assertIsNotNone(took)
        self.assertEqual(code, 0, shown)
        self.assertTrue(json.loads(out)["converged"])

    def test_ctrl_c_in_a_fold_delivers_the_evidence(self):
        table = self.table(rows=120)
        code, shown, out, took = self.on_terminal("compare", table, "--label", "label", "--folds", "50", "--format", "json",
                                                  *QUICK, interrupt_at=b"\r\x1b[K\r\x1b[Klearning")
        self.assertIsNotNone(took, shown)
        self.assertEqual(code, 4, shown)
        document = json.loads(out)
        self.assertEqual(len(document["evidence"]), 3)
        self.assertLess(len(document["cross_validation"]), 2)
        self.assertFalse(document["converged"])

    def test_ctrl_c_ends_a_check_with_nothing(self):
        code, shown, out, took = self.on_terminal("check", self.table(), "--label", "label", *QUICK, "--draws", "1000000",
                                                  interrupt_at=b"sampling: ")
        self.assertEqual(code, 130, shown)
        self.assertEqual(out, "")
        self.assertIn("interrupted", shown)

    def test_ctrl_c_ends_within_a_second_with_the_best_so_far_or_with_nothing(self):
        table = self.table(rows=150, wrong=(9, 24, 57))
        output = self.folder / "audit.json"
        code, shown, _, took = self.on_terminal("audit", table, "--label", "label", "--average", "full", "--format", "json",
                                                "-o", output, interrupt_at=b"evaluations")
        self.assertIn(code, (4, 130), shown)
        # one second, and what a busy machine takes to start and end a process
        self.assertLess(took, 3.0)
        self.assertIn("interrupted", shown)
        if code == 4:
            self.assertFalse(json.loads(output.read_text())["converged"])
        else:
            self.assertFalse(output.exists())

    def test_ctrl_c_while_files_are_written_leaves_all_of_them(self):
        output, model, report = (self.folder / name for name in ("audit.json", "model.pipe", "report.html"))
        os.mkfifo(model)  # that it waits at until someone reads
        done = subprocess.Popen([CANDOR, "audit", str(self.table()), "--label", "label", *QUICK, "-q", "-o", str(output),
                                 "--save-model", str(model), "--report", str(report)])
        self.addCleanup(done.kill)  # where nobody comes to read
        deadline = time.monotonic() + 100
        while not output.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        done.send_signal(signal.SIGINT)
        with self.assertRaises(subprocess.TimeoutExpired):  # it waits still
            done.wait(timeout=0.5)
        self.assertGreater(len(model.read_bytes()), 0)
        self.assertEqual(done.wait(timeout=20), 0)
        self.assertTrue(report.read_text().rstrip().endswith("</html>"))

    def test_max_time_writes_what_there_is(self):
        table = self.table(rows=120)
        result = subprocess.run([CANDOR, "audit", str(table), "--label", "label", "--average", "full",
                                 "--max-time", "0.7", "--format", "json"], capture_output=True, text=True)
        self.assertIn(result.returncode, (0, 4, 5), result.stderr)
        if result.returncode == 4:
            self.assertFalse(json.loads(result.stdout)["converged"])


if __name__ == "__main__":
    unittest.main()
