#!/usr/bin/env python3
"""Tests of compare.py: compare_test.py MINFER MODEL. The rivals are scripts that print what they are told to."""
import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
FAKE = """#!{python}
import json, pathlib, sys
folder = pathlib.Path({folder!r})
log = folder / "calls.jsonl"
calls = len(log.read_text().splitlines()) if log.exists() else 0
with open(log, "a") as file:
    file.write(json.dumps([{name!r}] + sys.argv[1:]) + "\\n")
mine = sum(json.loads(line)[0] == {name!r} for line in log.read_text().splitlines()) - 1
outputs = {outputs!r}
if sys.argv[1] == "synth":
    pathlib.Path(sys.argv[sys.argv.index("-o") + 1]).write_text("made")
sys.stdout.write(outputs[mine % len(outputs)])
sys.exit({status})
"""


def row(rate, **more):
    return json.dumps([{"avg_ts": rate, "build_commit": "abc", "cpu_info": "a CPU", "type_k": "f16", **more}])


def minfer_row(rate, **more):
    return row(rate, **{"ceiling_read_gb_s": 20.0, "read_gb_s": 10.0, "ceiling_share": 0.5, **more})


class CompareTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.model = self.folder / "some-model.gguf"
        self.model.write_bytes(b"")

    def fake(self, name, outputs, status=0):
        path = self.folder / name
        path.write_text(FAKE.format(python=sys.executable, folder=str(self.folder), name=name, outputs=outputs,
                                    status=status))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def calls(self):
        return [json.loads(line) for line in (self.folder / "calls.jsonl").read_text().splitlines()]

    def compare(self, *arguments):
        return subprocess.run([sys.executable, str(FOLDER / "compare.py"), *arguments], capture_output=True, text=True,
                              cwd=self.folder, check=False)

    def table(self, text):
        lines = [line for line in text.splitlines() if line.startswith("|")]
        split = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        return [dict(zip(split[0], cells)) for cells in split[2:]]

    def test_ratios_are_of_rounds_and_shares_of_the_probe(self):
        minfer = self.fake("minfer", [minfer_row(rate) for rate in (100, 110, 150)])
        rival = self.fake("rival", [row(rate) for rate in (50, 100, 50)])
        run = self.compare("--minfer", minfer, "--rival", f"it={rival} -fa 1", "-m", str(self.model), "-t", "3", "-n", "0",
                           "--pairs", "3")
        self.assertEqual(run.returncode, 0, run.stderr)
        [cells] = self.table(run.stdout)
        self.assertEqual(cells["model"], "some-model")
        self.assertEqual((cells["threads"], cells["test"]), ("3", "pp512"))
        self.assertEqual(cells["minfer t/s"], "110 (100-150), 50 %")
        self.assertEqual(cells["it t/s"], "50.0 (50.0-100.0)")
        self.assertEqual(cells["minfer / it"], "2.00 (1.10-3.00)")  # not 110 / 50
        self.assertTrue(cells["noise"].startswith("minfer, it"), cells["noise"])
        calls = self.calls()
        self.assertEqual([call[0] for call in calls], ["minfer", "rival", "rival", "minfer", "minfer", "rival"])
        self.assertEqual(calls[1][1:], ["-m", str(self.model), "-t", "3", "-p", "512", "-n", "0", "-r", "1", "-o", "json",
                                        "-fa", "1"])
        self.assertEqual(calls[0][1:3], ["bench", "--ceilings"])

    def test_a_rivals_generation_has_a_probe_of_its_own(self):
        # Of minfer's calls, the probe for the rival comes second: 10 GB/s, the file 10 GB / 50 tokens = 0.2 GB a token.
        minfer = self.fake("minfer", [minfer_row(50), minfer_row(1, ceiling_read_gb_s=10.0)])
        rival = self.fake("rival", [row(40)])
        raw = self.folder / "raw.jsonl"
        out = self.folder / "table.md"
        arguments = ["--minfer", minfer, "--rival", f"it={rival}", "-m", str(self.model), "-t", "1", "-p", "0", "-d", "7"]
        run = self.compare(*arguments, "--pairs", "1", "--raw", str(raw), "--out", str(out))
        self.assertEqual(run.returncode, 0, run.stderr)
        [cells] = self.table(run.stdout)
        self.assertEqual(cells["test"], "tg64 @ d7")
        self.assertEqual(cells["minfer t/s"], "50.0, 50 %")
        self.assertEqual(cells["it t/s"], "40.0, 80 %")  # 40 * 0.2 of 10 GB/s
        self.assertEqual(out.read_text(), run.stdout)
        again = self.compare("--minfer", minfer, "--from-raw", str(raw))
        self.assertEqual(again.stdout, run.stdout)

    def test_a_failing_rival_is_one_line_and_the_rest_is_kept(self):
        minfer = self.fake("minfer", [minfer_row(50)])
        good = self.fake("good", [row(40)])
        for name, output, status, said in [("crash", "", 3, "exit status 3"), ("text", "hello", 0, "not one result"),
                                           ("two", json.dumps([{}, {}]), 0, "2 rows"), ("none", "[{}]", 0, "avg_ts"),
                                           ("zero", row(0), 0, "avg_ts is 0"), ("nan", row(float("nan")), 0, "nan")]:
            bad = self.fake(name, [output], status)
            run = self.compare("--minfer", minfer, "--rival", f"good={good}", "--rival", f"bad={bad}", "-m",
                               str(self.model), "-t", "1", "-n", "0", "--pairs", "2")
            self.assertEqual(run.returncode, 1)
            errors = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
            self.assertEqual(len(errors), 1, run.stderr)
            self.assertIn(said, errors[0])
            [cells] = self.table(run.stdout)
            self.assertEqual(cells["minfer / good"], "1.25")

    def test_wrong_usage(self):
        for arguments in [[], ["--minfer", "x"], ["--minfer", "x", "-m", "y", "-t", "two"],
                          ["--minfer", "x", "-m", "y", "--rival", "nameless"], ["--minfer", "x", "-m", "y", "--pairs", "0"],
                          ["--minfer", "x", "-m", "y", "--rival", "a=b", "--rival", "a=c"]]:
            self.assertEqual(self.compare(*arguments).returncode, 2, arguments)
        for arguments in [["--minfer", "x", "--from-raw", "nowhere"], ["--minfer", "x", "--from-raw", str(self.model.parent)],
                          ["--minfer", "x", "--synth", "shape"], ["--minfer", "nowhere", "--synth", "a:b"]]:
            run = self.compare(*arguments)
            self.assertEqual(run.returncode, 1, arguments)
            self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        (self.folder / "damaged").write_text('{"rate": 1}\n')
        run = self.compare("--minfer", "x", "--from-raw", str(self.folder / "damaged"))
        self.assertIn("line 1", run.stderr)

    def test_minfer_itself_has_what_is_read(self):
        program, model = PROGRAM
        rival = self.fake("rival", [row(40)])
        run = self.compare("--minfer", program, "--rival", f"it={rival}", "-m", model, "-t", "1", "-p", "8", "-n", "2",
                           "--pairs", "1", "-d", "0,3")
        self.assertEqual(run.returncode, 0, run.stderr)
        tests = [cells["test"] for cells in self.table(run.stdout)]
        self.assertEqual(tests, ["pp8", "tg2", "pp8 @ d3", "tg2 @ d3"])
        for cells in self.table(run.stdout):
            self.assertRegex(cells["minfer t/s"], r"^[\d.]+, \d+ %$")

    def test_makes_the_file_that_synth_names_once(self):
        minfer = self.fake("minfer", [minfer_row(50)])
        arguments = ["--minfer", minfer, "--synth", "qwen3-0.6b:q8_0", "-t", "1", "-n", "0", "--pairs", "1"]
        for _ in range(2):
            run = self.compare(*arguments)
            self.assertEqual(run.returncode, 0, run.stderr)
        made = "models/qwen3-0.6b-q8_0.gguf"
        self.assertEqual([call[1:] for call in self.calls() if call[1] == "synth"],
                         [["synth", "qwen3-0.6b", "--type", "q8_0", "-o", made]])
        self.assertEqual(self.calls()[1][3:5], ["-m", made])


if __name__ == "__main__":
    PROGRAM = tuple(str(pathlib.Path(sys.argv.pop(1)).resolve()) for _ in range(2))
    unittest.main()
