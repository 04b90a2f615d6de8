"""Self-test of tools/test_report.py on the files that ctest, GoogleTest and stages leave behind."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parent.parent / "test_report.py"

CTEST = """<testsuite name="(empty)" tests="1">
  <testcase name="gguf" status="{status}" time="1"/>
</testsuite>"""
GTEST = """<testsuites><testsuite name="Reader">
  <testcase name="Opens" status="run" result="completed" classname="Reader"/>
  <testcase name="Oracle" status="run" result="skipped" classname="Reader">
    <skipped message="a/reader_test.cpp:7&#x0A;the oracles are not here"/>
  </testcase>
  <testcase name="Later" status="notrun" result="suppressed" classname="Reader"/>
  {more}
</testsuite></testsuites>"""
FAILED_CASE = """<testcase name="Bad" status="run" result="completed" classname="Reader">
  <failure message="boom"/></testcase>"""


class TestReport(unittest.TestCase):
    def report(self, files, *options):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                pathlib.Path(folder, name).write_text(text)
            run = subprocess.run([sys.executable, str(TOOL), *options, f"release={folder}"], capture_output=True,
                                 text=True, check=False)
            self.assertEqual(run.stderr, "")
            return run.returncode, run.stdout

    def test_counts_each_test_and_says_why_some_were_skipped(self):
        status, output = self.report({"ctest.xml": CTEST.format(status="run"), "gguf.xml": GTEST.format(more="")})
        self.assertEqual(output.splitlines()[-1], "1 passed, 0 failed, 2 skipped")
        self.assertIn("release: gguf: 1 test: the oracles are not here\n", output)
        self.assertIn("release: gguf: 1 test: disabled\n", output)
        self.assertEqual(status, 0)

    def test_no_skips(self):
        files = {"ctest.xml": CTEST.format(status="run"), "gguf.xml": GTEST.format(more="")}
        self.assertEqual(self.report(files, "--no-skips")[0], 1)
        self.assertEqual(self.report({"checks.tsv": "clang-tidy\tpassed\t\n"}, "--no-skips")[0], 0)

    def test_missing_hardware_may_be_skipped(self):
        line = "gpu\tskipped\tthere is no CUDA device\n"
        status, output = self.report({"checks.tsv": "build\tpassed\t\n" + line}, "--no-skips")
        self.assertEqual(status, 0)
        self.assertIn("1 test: there is no CUDA device", output)
        self.assertEqual(self.report({"checks.tsv": line + "other\tskipped\ttoo lazy\n"}, "--no-skips")[0], 1)

    def test_failed_test_is_named_and_counted_once(self):
        status, output = self.report(
            {"ctest.xml": CTEST.format(status="fail"), "gguf.xml": GTEST.format(more=FAILED_CASE)})
        self.assertEqual(output.splitlines()[-1], "1 passed, 1 failed, 2 skipped")
        self.assertIn("release: gguf: Reader.Bad\n", output)
        self.assertEqual(status, 1)

    def test_crash_without_results_is_a_failure(self):
        status, output = self.report({"ctest.xml": CTEST.format(status="fail")})
        self.assertEqual(output.splitlines()[-1], "0 passed, 1 failed, 0 skipped")
        self.assertEqual(status, 1)

    def test_error_at_exit_after_all_tests_passed_is_a_failure(self):
        status, output = self.report({"ctest.xml": CTEST.format(status="fail"), "gguf.xml": GTEST.format(more="")})
        self.assertEqual(output.splitlines()[-1], "1 passed, 1 failed, 2 skipped")
        self.assertEqual(status, 1)

    def test_skipped_script(self):
        ctest = """<testsuite><testcase name="check_format" status="notrun">
          <skipped message="SKIP_RETURN_CODE=77"/></testcase></testsuite>"""
        status, output = self.report({"ctest.xml": ctest})
        self.assertEqual(output.splitlines()[-1], "0 passed, 0 failed, 1 skipped")
        self.assertIn("check_format: 1 test: SKIP_RETURN_CODE=77", output)
        self.assertEqual(status, 0)

    def test_stage_without_any_test_fails(self):
        status, output = self.report({})
        self.assertIn("release: no test ran", output)
        self.assertEqual(status, 1)


if __name__ == "__main__":
    unittest.main()
