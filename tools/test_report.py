#!/usr/bin/env python3
"""Sums up what the stages of `./test` left behind and says what failed and what was skipped, and why.

Usage: test_report.py [--no-skips] STAGE=FOLDER...

A folder holds any of:
  ctest.xml    ctest's own results (ctest --output-junit): a test binary or script is one entry there
  NAME.xml     GoogleTest's results of the ctest entry NAME: its tests are counted instead of the entry
  checks.tsv   lines "name TAB passed|failed|skipped TAB reason": results of stages that are not run by ctest

A test that was skipped because the machine lacks a piece of hardware (HARDWARE below) is counted, and is no failure
under --no-skips.

The last line printed is "N passed, M failed, K skipped". Exits 1 when a test failed, when none ran, or when one was
skipped under --no-skips.
"""
import pathlib
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter

NO_REASON = "no reason given"
HARDWARE = ("there is no CUDA device", "there is a CUDA device")


def one_line(text):
    """A skip message without GoogleTest's own first line, the place in the source."""
    lines = [line.strip() for line in (text or "").splitlines()]
    kept = [line for line in lines if line and line != "Skipped" and ".cpp:" not in line]
    return " ".join(kept) or NO_REASON


def gtest_results(path):
    """(name, outcome, reason) of each test in a GoogleTest XML file."""
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        skipped = case.find("skipped")
        if case.find("failure") is not None:
            yield name, "failed", ""
        elif case.get("status") == "notrun":
            yield name, "skipped", "disabled"
        elif skipped is not None or case.get("result") == "skipped":
            yield name, "skipped", one_line(skipped.get("message") if skipped is not None else "")
        else:
            yield name, "passed", ""


def ctest_results(folder):
    """(group, name, outcome, reason) of each test that ctest ran."""
    for entry in ElementTree.parse(folder / "ctest.xml").getroot().iter("testcase"):
        group, status = entry.get("name"), entry.get("status")
        details = folder / f"{group}.xml"
        results = list(gtest_results(details)) if details.exists() else []
        yield from ((group, *result) for result in results)
        if status == "fail" and not any(outcome == "failed" for _, outcome, _ in results):
            yield group, group, "failed", "the program ended with an error, a crash or a time-out"
        elif not results:
            skipped = entry.find("skipped")
            outcome = "passed" if status == "run" and skipped is None else "failed" if status == "fail" else "skipped"
            yield group, group, outcome, one_line(skipped.get("message")) if skipped is not None else ""


def check_results(folder):
    for line in (folder / "checks.tsv").read_text(encoding="utf-8").splitlines():
        name, outcome, reason = (line + "\t\t").split("\t")[:3]
        yield name, name, outcome, reason


def read_stage(folder):
    results = []
    if (folder / "ctest.xml").exists():
        results += ctest_results(folder)
    if (folder / "checks.tsv").exists():
        results += check_results(folder)
    return results


def print_table(stages):
    print(f"\n{'stage':<12}{'passed':>8}{'failed':>8}{'skipped':>8}")
    for stage, results in stages.items():
        count = Counter(outcome for _, _, outcome, _ in results)
        print(f"{stage:<12}{count['passed']:>8}{count['failed']:>8}{count['skipped']:>8}")


def print_failed(stages):
    failed = [(stage, group, name, reason) for stage, results in stages.items()
              for group, name, outcome, reason in results if outcome == "failed"]
    if failed:
        print("\nfailed:")
    for stage, group, name, reason in failed:
        print(f"  {stage}: {group}: {name}" + (f" ({reason})" if reason else ""))


def print_skipped(stages):
    groups = Counter((stage, group, reason or NO_REASON) for stage, results in stages.items()
                     for group, _, outcome, reason in results if outcome == "skipped")
    if groups:
        print("\nskipped:")
    for (stage, group, reason), count in groups.items():
        print(f"  {stage}: {group}: {count} test{'s' if count > 1 else ''}: {reason}")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--no-skips"]
    no_skips = len(arguments) != len(sys.argv) - 1
    folders = (argument.split("=", 1) for argument in arguments)
    stages = {stage: read_stage(pathlib.Path(folder)) for stage, folder in folders}
    print_table(stages)
    print_failed(stages)
    print_skipped(stages)
    count = Counter(outcome for results in stages.values() for _, _, outcome, _ in results)
    empty = [stage for stage, results in stages.items() if not results]
    for stage in empty:
        print(f"\n{stage}: no test ran")
    needless = sum(outcome == "skipped" and reason not in HARDWARE for results in stages.values()
                   for _, _, outcome, reason in results)
    if no_skips and needless:
        print("\nnothing may be skipped in this run (--no-skips)")
    print(f"\n{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or empty or (no_skips and needless) else 0


if __name__ == "__main__":
    sys.exit(main())
