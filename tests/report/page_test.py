# SPDX-License-Identifier: MIT
"""page_test.py <report_page>: structure of the pages; what Chromium shows, where it is installed."""

import html.parser
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "report_page"
SCENARIOS = ["two", "three", "many", "clean", "categories", "single", "plane", "hostile"]
VOID = {"meta", "link", "br", "hr", "img", "input"}


def page_of(scenario):
    return subprocess.run([PROGRAM, scenario], check=True, capture_output=True).stdout.decode()


class Structure(html.parser.HTMLParser):
    """Open elements, ids and references of a page; `problems` names what does not fit."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.wanted, self.problems = [], set(), set(), []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.problems.append(f"<{tag}> has the attribute {name}")
            if name == "id" and value in self.ids:
                self.problems.append(f"id {value} twice")
            if name == "id":
                self.ids.add(value)
            if name == "href" and not value.startswith("#"):
                self.problems.append(f"a link leads to {value}")
            if name == "href":
                self.wanted.add(value[1:])
            if name in ("aria-labelledby", "for"):
                self.wanted.add(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes something else")

    @classmethod
    def problems_of(cls, page):
        structure = cls()
        structure.feed(page)
        structure.close()
        missing = [f"nothing has the id {name}" for name in structure.wanted - structure.ids]
        return structure.problems + missing + [f"<{tag}> is not closed" for tag in structure.open]


class Page(unittest.TestCase):
    def test_elements_are_balanced_and_references_lead_somewhere(self):
        for scenario in SCENARIOS:
            with self.subTest(scenario):
                self.assertEqual(Structure.problems_of(page_of(scenario)), [])

    def test_structure_check_detects_broken_pages(self):
        for broken in ("<p><b></p>", '<a href="https://x">x</a>', '<p onclick="x"></p>',
                       '<a href="#no">x</a>'):
            self.assertNotEqual(Structure.problems_of(broken), [], broken)

    def test_script_is_valid(self):
        if not shutil.which("node"):
            self.skipTest("node is not installed")
        page = page_of("two")
        script = page[page.rindex("<script"):page.rindex("</script>")].split(">", 1)[1]
        subprocess.run(["node", "--check", "-"], input=script.encode(), check=True)


class Browser(unittest.TestCase):
    def setUp(self):
        self.browser = shutil.which("chromium") or shutil.which("chromium-browser")
        if not self.browser:
            self.skipTest("Chromium is not installed")

    def shown(self, scenario):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "page.html")
            file.write_text(page_of(scenario))
            command = [self.browser, "--headless", "--no-sandbox", "--disable-gpu",
                       f"--user-data-dir={folder}/profile", "--virtual-time-budget=3000",
                       "--dump-dom", file.as_uri()]
            done = subprocess.run(command, check=True, capture_output=True, timeout=120)
            return done.stdout.decode()

    def test_draws_the_list_and_every_chart(self):
        dom = self.shown("three")
        self.assertGreaterEqual(dom.count('id="row-'), 20)
        for place in ("histogram", "curve", "map-plot"):
            self.assertRegex(dom, f'id="{place}"[^>]*><svg')

    def test_hostile_cells_stay_text(self):
        dom = self.shown("hostile")
        self.assertGreaterEqual(dom.count('id="row-'), 20)
        self.assertNotIn("<img", dom)
        self.assertIn("<title>Label audit of", dom)


if __name__ == "__main__":
    unittest.main()
