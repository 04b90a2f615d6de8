"""Self-test of tools/check_style.py: each rule catches its violation and nothing else."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import check_style


class CheckStyle(unittest.TestCase):
    def check(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return list(check_style.check_file(pathlib.Path(folder), name))

    def assert_clean(self, name, text):
        self.assertEqual(self.check(name, text), [])

    def assert_finds(self, what, name, text):
        found = self.check(name, text)
        self.assertEqual(len(found), 1, found)
        self.assertIn(what, found[0])

    def test_sizes(self):
        self.assert_clean("src/minfer/a.cpp", "\n" * 600)
        self.assert_finds("601 lines", "src/minfer/a.cpp", "\n" * 601)
        self.assert_clean("docs/long.md", "\n" * 700)

    def test_lines(self):
        self.assert_clean("src/minfer/a.cpp", "// " + "é" * 117 + "\n")
        self.assert_finds("a.cpp:2: 121 columns", "src/minfer/a.cpp", "\n// " + "x" * 118 + "\n")
        self.assert_finds("trailing blanks", "src/minfer/a.cpp", "int a; \n")
        self.assert_finds("a tab", "tests/a.cpp", "\tint a;\n")

    def test_machine_paths(self):
        for folder in ("home", "root", "Users"):
            self.assert_finds("a.md:1: names a folder", "docs/a.md", f"see /{folder}/someone/file\n")
        self.assert_clean("docs/a.md", "see build/home/x, https://host.example/home/x and ~/home/x\n")

    def test_environment(self):
        self.assert_finds("reads the environment", "src/minfer/ops/a.cpp", 'auto* x = std::getenv("X");\n')
        self.assert_clean("src/minfer/base/levers.cpp", 'auto* x = std::getenv("X");\n')
        self.assert_clean("src/minfer/ops/a.cpp", "// std::getenv(x) is not for here\n/* getenv(\n*/\n")
        self.assert_clean("tests/ops/a.cpp", 'auto* x = std::getenv("X");\n')

    def test_printing(self):
        for code in ("std::cout << 1;", 'printf("x");', "std::exit(1);", 'fprintf(stderr, "x");', 'fmt::print("x");'):
            self.assert_finds("prints or exits", "src/minfer/ops/a.cpp", code + "\n")
            self.assert_clean("src/minfer/cli/a.cpp", code + "\n")
        self.assert_clean("src/minfer/ops/a.cpp", "std::snprintf(buffer, 4, format);\nvoid print_names();\n")

    def test_platforms(self):
        self.assert_finds("#if on a platform", "src/minfer/graph/a.cpp", "#if defined(__AVX2__)\n#endif\n")
        self.assert_finds("#if on a platform", "src/minfer/graph/a.cpp", "#ifdef __aarch64__\n#endif\n")
        self.assert_clean("src/minfer/backends/cpu/a.cpp", "#if defined(__AVX2__)\n#endif\n")
        self.assert_clean("src/minfer/gguf/a.cpp", "#if defined(__linux__)\n#endif\n")


if __name__ == "__main__":
    unittest.main()
