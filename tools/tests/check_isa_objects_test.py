"""Self-test of tools/check_isa_objects.py on units that it compiles. Exits 77 (skipped) without compiler or nm."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parent.parent / "check_isa_objects.py"
COMPILER = shutil.which("c++")
INTERNAL = "static inline int twice(int x) { return 2 * x; }\nint entry(int x) { return twice(x); }\n"
INLINE = "inline int twice(int x) { return 2 * x; }\nint (*entry)(int) = twice;\n"


class CheckIsaObjects(unittest.TestCase):
    def check(self, text, flag="-mavx2"):
        """(exit status, output) for a build of one unit that the commands say is compiled with `flag`."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "unit.cpp")
            source.write_text(text)
            subprocess.run([COMPILER, "-O0", "-c", str(source), "-o", str(source.with_suffix(".o"))], check=True)
            commands = [{"command": f"c++ {flag} -o unit.o -c unit.cpp", "file": str(source), "directory": folder}]
            pathlib.Path(folder, "compile_commands.json").write_text(json.dumps(commands))
            run = subprocess.run([sys.executable, str(TOOL), folder], capture_output=True, text=True, check=False)
            return run.returncode, run.stdout

    def test_internal_linkage_is_fine(self):
        status, output = self.check(INTERNAL)
        self.assertEqual(status, 0, output)

    def test_inline_function_is_found(self):
        status, output = self.check(INLINE)
        self.assertEqual(status, 1, output)
        self.assertIn("unit.o: weak symbol twice(int)", output)

    def test_baseline_units_are_not_looked_at(self):
        self.assertEqual(self.check(INLINE, "-march=x86-64-v2")[0], 77)
        self.assertEqual(self.check(INLINE, "-march=x86-64-v3")[0], 1)


if __name__ == "__main__":
    if COMPILER is None or shutil.which("nm") is None:
        print("skipped: no c++ or no nm")
        sys.exit(77)
    unittest.main()
