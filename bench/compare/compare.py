#!/usr/bin/env python3
"""Runs minfer and llama-bench programs in turn on the same files and prints ratios with their spread.

Example:
  compare.py --minfer build/release/bin/minfer --synth qwen3-0.6b:q4_0 --threads 1,2 --pairs 5 \\
      --rival mainline=llama.cpp/build/bin/llama-bench \\
      --rival "ik=ik_llama.cpp/build/bin/llama-bench -rtr 1 -thp 1" --out table.md --raw runs.jsonl
"""
import argparse
import os
import pathlib
import shlex
import sys

from report import markdown
from runs import Contestant, Failure, RunLog, Test, run_test

DESCRIPTION = __doc__.split("\n", maxsplit=1)[0]
EXAMPLE = __doc__.partition("Example:\n")[2]


def counts(text):
    """"1,2,4" as a list of positive numbers."""
    values = [int(word) for word in text.split(",")]
    if any(value < 0 for value in values):
        raise ValueError(text)
    return values


def rival(text):
    """"NAME=PROGRAM ARGUMENT..." as a Contestant."""
    name, equals, command = text.partition("=")
    words = shlex.split(command)
    if not name or not equals or not words:
        raise argparse.ArgumentTypeError(f'"{text}" is not NAME=PROGRAM [ARGUMENT...]')
    return Contestant(name, words[0], words[1:])


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=DESCRIPTION, epilog="example:\n" + EXAMPLE,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--minfer", required=True, metavar="PROGRAM", help="the minfer program")
    add("--minfer-args", default="", metavar="ARGS", help='more arguments of its bench, such as "--kv f16"')
    add("--rival", type=rival, action="append", default=[], metavar="NAME=PROGRAM [ARG...]",
        help="a llama-bench and its own arguments, in one word; may be repeated")
    add("-m", "--model", action="append", default=[], metavar="FILE", help="a GGUF file; may be repeated")
    add("--synth", action="append", default=[], metavar="SHAPE:TYPE",
        help="a file that minfer synth makes, such as qwen2.5-0.5b:q8_0; may be repeated")
    add("--dir", default="models", metavar="FOLDER", help="where files of --synth are kept (default: models)")
    add("-t", "--threads", type=counts, default=[1, 2], metavar="N,...", help="default: 1,2")
    add("-p", "--prompt", type=counts, default=[512], metavar="N,...", help="prompt lengths (default: 512; 0: none)")
    add("-n", "--gen", type=counts, default=[64], metavar="N,...", help="generated tokens (default: 64; 0: none)")
    add("-d", "--depth", type=counts, default=[0], metavar="N,...", help="tokens in the context before (default: 0)")
    add("--pairs", type=int, default=5, metavar="N", help="rounds in which everyone runs once (default: 5)")
    add("--timeout", type=float, default=1200, metavar="S", help="seconds that one run may take (default: 1200)")
    add("--out", metavar="FILE", help="write the table there as well")
    add("--raw", metavar="FILE", help="append every run as a line of JSON")
    add("--from-raw", metavar="FILE", help="run nothing: print the table of runs that --raw wrote")
    options = parser.parse_args(arguments)
    if options.from_raw is None and not options.model and not options.synth:
        parser.error("nothing to measure: neither --model nor --synth")
    if options.pairs < 1:
        parser.error("--pairs must be at least 1")
    names = ["minfer"] + [each.name for each in options.rival]
    if len(set(names)) != len(names):
        parser.error("two contestants of one name: " + ", ".join(names))
    return options


def synthesize(minfer, what, folder):
    """The path of SHAPE:TYPE, made where it is not there yet."""
    shape, colon, kind = what.partition(":")
    if not colon:
        raise Failure(f'--synth "{what}" is not SHAPE:TYPE')
    path = pathlib.Path(folder) / f"{shape}-{kind}.gguf"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        minfer.call(["synth", shape, "--type", kind, "-o", str(path)], timeout=3600)
    return str(path)


def tests_of(options, models):
    for model in models:
        for n_threads in options.threads:
            for depth in options.depth:
                lengths = [(n, 0) for n in options.prompt if n] + [(0, n) for n in options.gen if n]
                for n_prompt, n_gen in lengths:
                    yield Test(model, n_threads, n_prompt, n_gen, depth)


def measure(options, log):
    """Every test, in rounds; returns whether some run failed."""
    minfer = Contestant("minfer", options.minfer, shlex.split(options.minfer_args))
    models = options.model + [synthesize(minfer, what, options.dir) for what in options.synth]
    failed = False
    for test in tests_of(options, models):
        print(f"{test.name()}", file=sys.stderr)
        for number in range(options.pairs):
            try:
                run_test(test, number, minfer, options.rival, log, options.timeout)
            except Failure as failure:
                print(f"error: {failure}", file=sys.stderr)
                failed = True
                break  # the next rounds would fail too
    return failed


def main(arguments):
    options = parse_arguments(arguments)
    failed = False
    try:
        log = RunLog.read(options.from_raw) if options.from_raw else RunLog(options.raw)
        if not options.from_raw:
            failed = measure(options, log)
    except KeyboardInterrupt:
        failed = True  # what was measured is still worth a table
    except (Failure, OSError) as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    text = markdown(log.runs)
    print(text, end="")
    if options.out:
        partial = options.out + ".partial"
        pathlib.Path(partial).write_text(text, encoding="utf-8")
        os.replace(partial, options.out)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
