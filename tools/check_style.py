#!/usr/bin/env python3
"""Checks the files of the repository for what reviewers would otherwise have to look for.

Usage: check_style.py [--format] [ROOT]     (default: the repository that this file is in)

  sizes       a source file has at most 600 lines (aim at 300)
  paths       no file names a folder of somebody's machine
  environment only base/levers.cpp reads environment variables
  printing    only the front ends print or exit
  platforms   no #if on an instruction set or a backend outside base/ and backends/
  lines       no line of C++ is longer than 120 columns, none has trailing blanks or a tab
  format      with --format: clang-format 14 would change nothing (exits 77, skipped, where it is not installed)

Prints one line a violation and exits 1 when there is any.
"""
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
MAX_LINES = 600
MAX_COLUMNS = 120  # of comments; clang-format holds code to 110
CXX = {".h", ".cpp", ".inl", ".cu", ".cuh", ".metal"}
TEXT = CXX | {".py", ".sh", ".cmake", ".txt", ".md", ".json", ".html", ".js", ".css", ""}
NOT_OURS = ("tests/data/", "models/", "build", ".git/", ".cache/", "LICENSE")
CLANG_FORMAT = ("clang-format-14", "clang-format")

MACHINE_PATH = re.compile(r"(?<![\w.~])/(?:home|root|Users|work|mnt)/\w")
GETENV = re.compile(r"\b(?:secure_)?getenv\s*\(")
PRINTS = re.compile(r"\bstd::(?:cout|cerr|clog|exit|_Exit|abort|quick_exit)\b|\b(?:printf|puts|putchar|_exit)\s*\(|"
                    r"\bfmt::print\b|\bfprintf\s*\(\s*std(?:out|err)|\bfmt::println\b")
PLATFORM_IF = re.compile(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*(?:__AVX|__SSE|__FMA__|__F16C__|__ARM|__aarch64__|"
                         r"__x86_64__|_M_X64|MINFER_(?:CUDA|METAL)|__CUDA)")
FRONT_ENDS = ("src/minfer/cli/", "src/minfer/server/")
SAYS_LAST_WORDS = ("src/minfer/base/mapping_guard.cpp",)  # a signal handler: it ends the process with one line


def own_files(root):
    """The repository's files: what git tracks or would track, or every file where there is no git."""
    listing = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"], capture_output=True,
                             text=True, check=False) if shutil.which("git") else None
    if listing is not None and listing.returncode == 0:
        names = listing.stdout.splitlines()
    else:
        names = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
    for name in sorted(names):
        path = root / name
        if not name.startswith(NOT_OURS) and path.suffix in TEXT and path.is_file():
            yield name


def strip_comments(text):
    """C++ text with comments blanked out, lines kept."""
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), text, flags=re.DOTALL)
    return re.sub(r"//.*", "", text)


def check_cxx(name, text):
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > MAX_COLUMNS:
            yield f"{name}:{number}: {len(line)} columns, at most {MAX_COLUMNS}"
        if "\t" in line or line != line.rstrip():
            yield f"{name}:{number}: a tab or trailing blanks"
    if not name.startswith(("src/", "include/")):
        return
    for number, line in enumerate(strip_comments(text).splitlines(), 1):
        if GETENV.search(line) and name != "src/minfer/base/levers.cpp":
            yield f"{name}:{number}: reads the environment; base/levers.cpp is the place for that"
        if PRINTS.search(line) and not name.startswith(FRONT_ENDS) and name not in SAYS_LAST_WORDS:
            yield f"{name}:{number}: a library function prints or exits"
        if PLATFORM_IF.search(line) and not name.startswith(("src/minfer/base/", "src/minfer/backends/")):
            yield f"{name}:{number}: #if on a platform outside base/ and backends/"


def check_file(root, name):
    try:
        text = (root / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    lines = text.count("\n")
    suffix = pathlib.PurePath(name).suffix
    if lines > MAX_LINES and suffix in CXX | {".py", ".sh"}:
        yield f"{name}: {lines} lines, at most {MAX_LINES}"
    for number, line in enumerate(text.splitlines(), 1):
        if MACHINE_PATH.search(line):
            yield f"{name}:{number}: names a folder of a machine"
    if suffix in CXX:
        yield from check_cxx(name, text)


def check_format(root):
    tool = next((tool for tool in CLANG_FORMAT if shutil.which(tool)), None)
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout if tool else ""
    if " version 14." not in version:  # other versions lay out differently
        print("skipped: clang-format 14 is not installed")
        return None
    names = [name for name in own_files(root) if pathlib.PurePath(name).suffix in {".h", ".cpp", ".inl"}]
    if not names:
        return []
    run = subprocess.run([tool, "--dry-run", "--ferror-limit=1", *names], cwd=root, capture_output=True, text=True,
                         check=False)
    return sorted(set(re.findall(r"^(\S+?):\d+:\d+: (?:warning|error): code should be clang-formatted", run.stderr,
                                 flags=re.MULTILINE)))


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--format"]
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    if "--format" in sys.argv:
        found = check_format(root)
        if found is None:
            return SKIPPED
        found = [f"{name}: run clang-format -i on it" for name in found]
    else:
        found = [line for name in own_files(root) for line in check_file(root, name)]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
