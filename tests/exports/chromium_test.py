"""chromium_test.py VIEWER_TRACES MPIPROF: exports for Chrome, opened in Chromium's own viewer of traces, the panel
"Performance" of its developer tools. (Debian's Chromium has no chrome://tracing.)"""

import collections
import os
import tempfile
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from exported import Exported
from small_program import SLICES

PAGE = "devtools://devtools/bundled/devtools_app.html?panel=timeline"
FIND_INPUT = """
function find(root) {
    for (const each of root.querySelectorAll("*")) {
        if (each.matches("input[type=file]")) return each;
        const inside = each.shadowRoot && find(each.shadowRoot);
        if (inside) return inside;
    }
    return null;
}
return find(document);
"""
# What the flame chart draws: the names of its groups, and of each slice the title, the level, begin and end in milliseconds.
READ_CHART = """
const done = arguments[arguments.length - 1];
async function read() {
    const { TimelinePanel } = await import("./panels/timeline/timeline.js");
    for (;;) {
        const chart = TimelinePanel.TimelinePanel.instance().getFlameChart()?.getMainDataProvider();
        const data = chart?.timelineData();
        if (data?.entryLevels?.length) {
            const slices = Array.from(data.entryLevels, (level, i) =>
                [chart.entryTitle(i), level, data.entryStartTimes[i], data.entryStartTimes[i] + data.entryTotalTimes[i]]);
            return { groups: data.groups.map(group => group.name), slices };
        }
        await new Promise(resolve => setTimeout(resolve, 50));
    }
}
read().then(done, error => done({ error: String(error) }));
"""


class Chromium(Exported):
    @classmethod
    def setUpClass(cls):
        home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(home.cleanup)
        os.environ["HOME"] = home.name
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        cls.browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.set_script_timeout(20)

    def open(self, name):
        path = self.folder / "trace.json"
        path.write_text(self.exported("chrome", *self.made(name)), encoding="utf-8")
        self.browser.get(PAGE)
        deadline = time.monotonic() + 20
        while not (chosen := self.browser.execute_script(FIND_INPUT)):
            self.assertLess(time.monotonic(), deadline, "no place to choose a file")
            time.sleep(0.1)
        chosen.send_keys(str(path))
        chart = self.browser.execute_async_script(READ_CHART)
        self.assertNotIn("error", chart)
        return chart

    def test_shows_ranks_threads_calls_and_phases(self):
        chart = self.open("small")
        self.assertEqual(chart["groups"], [
            "rank 0 (node) (0)", "main thread (1)", "rank 1 (node) (1)", "main thread (1)", "rank 2 (node) (2)",
            "main thread (1)", "worker (2)", "rank 3 (node) (3)", "main thread (1)"])
        found = collections.Counter((title, round(begin * 1e6), round(end * 1e6)) for title, _, begin, end in chart["slices"])
        self.assertEqual(found, collections.Counter(
            (name, begin, end) for slices in SLICES.values() for begin, end, name in slices))
        levels = {round(begin * 1e6): level for _, level, begin, _ in chart["slices"]}
        self.assertEqual([levels[begin] for begin in (100, 110, 170, 180, 220)], [0, 1, 1, 2, 1])

    def test_names_may_hold_anything(self):
        chart = self.open("names")
        self.assertEqual([title for title, _, _, _ in chart["slices"]], ['{"k": "v"}', "ä,\r\n\x01\ufffd", "barrier"])
        self.assertEqual(chart["groups"], ['rank 0 (ho"st) (0)', 'thr"ead\ufffd (1)'])


if __name__ == "__main__":
    unittest.main()
