#!/usr/bin/env python3
"""Checks that units compiled for an instruction set export no code that other units could be linked to.

Usage: check_isa_objects.py BUILD_FOLDER

An inline function or template that such a unit emits is a weak symbol compiled for, say, AVX2. The linker keeps one
copy of a weak symbol for the whole program, perhaps this one, and a CPU without AVX2 then crashes in unrelated code.
So every weak symbol defined by an object file of such a unit is an error. Which units these are is read from the
compile commands. Exits 77 (skipped) where there are none or nm is missing.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
ISA_FLAG = re.compile(r"\s-m(avx|fma|f16c|arch=(?!x86-64-v2\b))")
HARMLESS = "DW.ref."  # an address for exception tables, not code: every copy is the same
WEAK_TYPES = set("WVuC")  # weak, weak object, unique, common: definitions that the linker merges


def isa_objects(build):
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for entry in commands:
        if ISA_FLAG.search(entry["command"]):
            yield build / re.search(r"\s-o\s+(\S+)", entry["command"]).group(1)


def weak_symbols(path):
    listing = subprocess.run(["nm", "--defined-only", "--format=posix", "--demangle", str(path)], check=True,
                             capture_output=True, text=True).stdout
    for line in listing.splitlines():
        name, kind = re.match(r"(.*?) ([A-Za-z])(?: |$)", line).groups()
        if kind in WEAK_TYPES and not name.startswith(HARMLESS):
            yield name


def main():
    build = pathlib.Path(sys.argv[1])
    objects = [path for path in isa_objects(build) if path.exists()]
    if shutil.which("nm") is None or not objects:
        print("skipped: no nm, or no unit for an instruction set in this build")
        return SKIPPED
    found = [f"{path.name}: weak symbol {name}" for path in objects for name in weak_symbols(path)]
    for line in found:
        print(line)
    print(f"{len(objects)} units for instruction sets, {len(found)} weak symbols")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
