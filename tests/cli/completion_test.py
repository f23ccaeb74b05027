# SPDX-License-Identifier: MIT
"""Completion scripts in real shells; a shell that is not installed is skipped by name."""
import shutil
import subprocess
import unittest

from harness import CliTest


def needs(shell):
    return unittest.skipIf(shutil.which(shell) is None, f"{shell} is not installed")


class Completion(CliTest):
    def script(self, shell):
        return self.write(f"candor.{shell}", self.check("completion", shell).stdout)

    def shell(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    @needs("bash")
    def test_bash_completes_commands_options_and_words(self):
        def complete(*words):
            line = " ".join(f"'{word}'" for word in words)
            return self.shell("bash", "--norc", "-c", f"source {self.script('bash')}; COMP_WORDS=({line}); "
                              f"COMP_CWORD={len(words) - 1}; _candor; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        self.assertEqual(complete("candor", "au"), ["audit"])
        self.assertIn("--label", complete("candor", "audit", "--la"))
        self.assertEqual(complete("candor", "audit", "--format", "js"), ["json", "jsonl"])
        self.assertEqual(complete("candor", "completion", "z"), ["zsh"])

    @needs("zsh")
    def test_zsh_loads_it(self):
        words = self.shell("zsh", "-f", "-c", f"autoload -Uz compinit; compinit -u -D; source {self.script('zsh')}; "
                           "print ${_comps[candor]}; whence -w _candor")
        self.assertEqual(words, ["_candor", "_candor:", "function"])

    @needs("fish")
    def test_fish_completes_commands_and_options(self):
        def complete(line):
            return self.shell("fish", "--no-config", "-c", f"source {self.script('fish')}; complete -C '{line}'")
        self.assertIn("audit", complete("candor au"))
        self.assertIn("--label", complete("candor audit --la"))

    def test_another_shell_is_refused(self):
        self.refused("completion", "tcsh", code=2, says=["bash"])


if __name__ == "__main__":
    unittest.main()
