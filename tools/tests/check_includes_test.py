"""Self-test of tools/check_includes.py: each rule catches its violation and nothing else."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import check_includes


class CheckIncludes(unittest.TestCase):
    def check(self, files):
        """The violations in a tree of {path below src/minfer or include: text}."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src/minfer").mkdir(parents=True)
            for name, text in files.items():
                top = "include" if name.startswith("minfer/") else "src/minfer"
                path = root / top / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_includes.violations(root)

    def assert_edge(self, source, target, allowed):
        found = self.check({source: f'#include "{target}"\n', target: ""})
        self.assertEqual(found, [] if allowed else [f'{source}: may not include "{target}"'])

    def test_allowed_edges(self):
        for source, target in [
            ("base/a.cpp", "minfer/error.h"),
            ("ops/a.cpp", "quant/b.h"),
            ("tokenizer/a.cpp", "base/b.h"),
            ("quant/a.h", "tensor/b.h"),
            ("graph/fuse/a.cpp", "graph/b.h"),
            ("graph/a.cpp", "backends/backend.h"),
            ("backends/cpu/ops/a.cpp", "backends/cpu/b.h"),
            ("backends/cpu/a.cpp", "backends/host_memory.h"),
            ("backends/registry.cpp", "backends/cpu/b.h"),
            ("backends/cuda/a.cpp", "backends/gpu_common/b.h"),
            ("models/a.cpp", "graph/builder.h"),
            ("runtime/a.cpp", "backends/registry.h"),
            ("runtime/a.cpp", "minfer/engine.h"),
            ("cli/a.cpp", "minfer/engine.h"),
            ("cli/a.cpp", "gguf/b.h"),
        ]:
            with self.subTest(source=source, target=target):
                self.assert_edge(source, target, allowed=True)

    def test_forbidden_edges(self):
        for source, target in [
            ("base/a.cpp", "tensor/b.h"),
            ("base/a.cpp", "minfer/engine.h"),
            ("tensor/a.cpp", "quant/b.h"),
            ("tokenizer/a.cpp", "gguf/b.h"),
            ("sampling/a.cpp", "runtime/b.h"),
            ("ops/a.cpp", "graph/b.h"),
            ("graph/a.cpp", "backends/cpu/b.h"),
            ("graph/a.cpp", "backends/registry.h"),
            ("backends/backend.h", "graph/b.h"),
            ("backends/host_memory.cpp", "backends/cpu/b.h"),
            ("backends/cpu/a.cpp", "backends/reference/b.h"),
            ("backends/cpu/a.cpp", "backends/registry.h"),
            ("backends/cpu/a.cpp", "graph/graph.h"),
            ("backends/reference/a.cpp", "backends/gpu_common/b.h"),
            ("models/a.cpp", "graph/scheduler.h"),
            ("models/a.cpp", "runtime/b.h"),
            ("runtime/a.cpp", "backends/cpu/b.h"),
            ("ops/a.cpp", "minfer/engine.h"),
            ("server/a.cpp", "gguf/b.h"),
            ("cli/a.cpp", "runtime/b.h"),
            ("minfer/engine.h", "runtime/b.h"),
            ("minfer/engine.h", "base/check.h"),
        ]:
            with self.subTest(source=source, target=target):
                self.assert_edge(source, target, allowed=False)

    def test_folder_names_are_not_prefixes(self):
        self.assertEqual(self.check({"ops/a.cpp": '#include "quantities/b.h"\n', "quantities/b.h": ""}),
                         ['ops/a.cpp: may not include "quantities/b.h"',
                          "quantities/b.h: its folder has no rule in tools/check_includes.py"])

    def test_missing_header(self):
        self.assertEqual(self.check({"ops/a.cpp": '#include "b.h"\n'}),
                         ['ops/a.cpp: "b.h" is not below an include root'])

    def test_commented_include_is_ignored(self):
        self.assertEqual(self.check({"ops/a.cpp": '// #include "graph/b.h"\n', "graph/b.h": ""}), [])

    def test_isa_unit_sees_plain_headers_only(self):
        unit = "backends/cpu/simd/avx2/a.cpp"
        plain = "#include <cstdint>\n#include <immintrin.h>\n"
        self.assertEqual(self.check({unit: plain + '#include "quant/q.h"\n', "quant/q.h": "#include <cstring>\n"}), [])
        self.assertEqual(self.check({unit: "#include <vector>\n"}),
                         [f"{unit}: units of an instruction set may not include <vector>"])
        self.assertEqual(self.check({"backends/cpu/simd/scalar/a.cpp": "#include <vector>\n"}), [])

    def test_isa_unit_is_checked_through_its_headers(self):
        unit = "backends/cpu/simd/avx512/a.cpp"
        self.assertEqual(
            self.check({unit: '#include "backends/cpu/b.h"\n', "backends/cpu/b.h": '#include "quant/c.h"\n',
                        "quant/c.h": "#include <algorithm>\n"}),
            [f"{unit}: units of an instruction set may not include <algorithm> (through quant/c.h)"])
        self.assertEqual(
            self.check({unit: '#include "backends/cpu/b.h"\n', "backends/cpu/b.h": '#include "base/check.h"\n',
                        "base/check.h": ""}),
            [f"{unit}: units of an instruction set may not reach base/check.h"])


if __name__ == "__main__":
    unittest.main()
