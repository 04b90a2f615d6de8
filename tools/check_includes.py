#!/usr/bin/env python3
"""Checks who includes whom below src/minfer and include: the layers of ARCHITECTURE.md.

Usage: check_includes.py [ROOT]      (default: the repository that this file is in)

Prints one line a violation and exits 1 when there is any.
"""
import pathlib
import re
import sys

# What the files of a folder may include, besides their own folder and EVERYWHERE. An entry is a folder (all below
# it) or a file. The most specific rule holds: "backends/cpu" before "backends".
ALLOWED = {
    "base": [],
    "tensor": [],
    "quant": [],
    "gguf": ["quant"],
    "tokenizer": [],
    "sampling": ["minfer/sampling.h", "minfer/model.h"],  # the public settings and token ids
    "grammar": [],
    "chat": ["tokenizer"],
    "ops": ["quant"],
    "graph": ["backends/backend.h", "ops"],
    "backends": ["ops", "quant"],  # the contract, and what backends share
    "backends/registry.h": [],
    "backends/registry.cpp": ["backends"],
    "backends/cpu": ["ops", "quant"],
    "backends/null": ["ops", "quant"],
    "backends/reference": ["ops", "quant"],
    "backends/gpu_common": ["ops", "quant"],
    "backends/cuda": ["backends/gpu_common", "ops", "quant"],
    "backends/metal": ["backends/gpu_common", "ops", "quant"],
    "models": ["graph/builder.h", "graph/graph.h", "backends/backend.h", "gguf", "ops", "quant"],
    "runtime": ["models", "graph", "backends/backend.h", "backends/registry.h", "gguf", "tokenizer", "sampling",
                "grammar", "ops", "quant"],
    "server": ["chat"],
    "cli": ["chat", "tokenizer", "gguf", "quant", "runtime/vocab.h"],
    "minfer": [],  # include/minfer: the public headers
}
# The public API is for the front ends; the engine's own folders see only its errors.
EVERYWHERE = ["base", "tensor", "minfer/error.h"]
PUBLIC_API = "minfer"
USES_PUBLIC_API = ["minfer", "runtime", "server", "cli"]
BASE_MAY = {"base": ["minfer/error.h"], "minfer": []}  # where EVERYWHERE is too much
# Shared by all backends: files (not folders) directly in backends/, the registry excepted.
SHARED_BY_BACKENDS = re.compile(r"backends/(?!registry\.)[^/]+\.h")

# Units compiled for an instruction set: nothing they reach may define an inline function that another unit could
# end up calling, so standard headers are limited to plain declarations. tools/check_isa_objects.py looks at the result.
ISA_FOLDER = re.compile(r"backends/cpu/simd/(avx2|avx512|neon)/|base/probe/isa/")
ISA_SYSTEM_HEADERS = {"cstddef", "cstdint", "cstring", "immintrin.h", "arm_neon.h"}
ISA_OWN_HEADERS = re.compile(r"(backends/cpu|quant|base/probe)/")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
SUFFIXES = {".h", ".cpp", ".inl", ".cu", ".cuh", ".metal"}


def read_tree(root):
    """{path relative to its include root: ([own includes], [system includes])}"""
    files = {}
    for top in (root / "src/minfer", root / "include"):
        for path in sorted(top.rglob("*")):
            if path.suffix in SUFFIXES:
                found = INCLUDE.findall(path.read_text(encoding="utf-8"))
                own = [name for name, _ in found if name]
                files[path.relative_to(top).as_posix()] = (own, [name for _, name in found if name])
    return files


def is_in(path, entries):
    return any(path == entry or path.startswith(entry + "/") for entry in entries)


def rule_of(path):
    """The key of ALLOWED that holds for a file, or None for a folder that no rule names."""
    parts = path.split("/")
    for length in range(len(parts), 0, -1):
        key = "/".join(parts[:length])
        if key in ALLOWED:
            return key
    return None


def may_include(path, target):
    rule = rule_of(path)
    folder = rule.rsplit("/", 1)[0] if rule.endswith((".h", ".cpp")) else rule
    if target.startswith(folder + "/") and rule_of(target) == rule:
        return True
    if is_in(target, ALLOWED[rule] + BASE_MAY.get(rule, EVERYWHERE)):
        return True
    if is_in(target, [PUBLIC_API]) and is_in(path, USES_PUBLIC_API):
        return True
    return path.startswith("backends/") and SHARED_BY_BACKENDS.fullmatch(target) is not None


def check_layers(files):
    for path, (own, _) in files.items():
        if rule_of(path) is None:
            yield f"{path}: its folder has no rule in tools/check_includes.py"
            continue
        for target in own:
            if target not in files:
                yield f'{path}: "{target}" is not below an include root'
            elif not may_include(path, target):
                yield f'{path}: may not include "{target}"'


def reachable(files, start):
    seen, stack = set(), [start]
    while stack:
        path = stack.pop()
        if path in files and path not in seen:
            seen.add(path)
            stack.extend(files[path][0])
    return sorted(seen)


def check_isa_units(files):
    for unit in files:
        if not ISA_FOLDER.match(unit):
            continue
        for path in reachable(files, unit):
            via = "" if path == unit else f" (through {path})"
            if not ISA_OWN_HEADERS.match(path):
                yield f"{unit}: units of an instruction set may not reach {path}"
            for header in files[path][1]:
                if header not in ISA_SYSTEM_HEADERS:
                    yield f"{unit}: units of an instruction set may not include <{header}>{via}"


def violations(root):
    files = read_tree(root)
    return list(check_layers(files)) + list(check_isa_units(files))


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = violations(root)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
