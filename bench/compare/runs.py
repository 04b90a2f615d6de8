"""Running one test with each contestant, and what comes out of it."""
import dataclasses
import datetime
import json
import math
import os
import pathlib
import resource
import subprocess
import time


class Failure(Exception):
    """One line for the user."""


@dataclasses.dataclass(frozen=True)
class Test:
    model: str
    n_threads: int
    n_prompt: int
    n_gen: int
    n_depth: int

    def name(self):
        length = f"pp{self.n_prompt}" if self.n_prompt else f"tg{self.n_gen}"
        depth = f" @ d{self.n_depth}" if self.n_depth else ""
        return f"{pathlib.Path(self.model).stem}, {self.n_threads} threads, {length}{depth}"

    def arguments(self):
        """What minfer bench and every llama-bench take alike."""
        words = ["-m", self.model, "-t", str(self.n_threads), "-p", str(self.n_prompt), "-n", str(self.n_gen),
                 "-r", "1"]
        return words + (["-d", str(self.n_depth)] if self.n_depth else [])


@dataclasses.dataclass(frozen=True)
class Contestant:
    name: str
    program: str
    arguments: list

    def call(self, arguments, timeout):
        """Standard output. Throws Failure for anything but exit status 0."""
        command = [self.program] + arguments
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout,
                                  stdin=subprocess.DEVNULL, check=False)
        except OSError as error:
            raise Failure(f"{self.name}: cannot run {self.program}: {error.strerror}") from error
        except subprocess.TimeoutExpired as error:
            raise Failure(f"{self.name}: no result in {timeout:.0f} s") from error
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise Failure(f"{self.name}: exit status {done.returncode} of {' '.join(command)}: {last}")
        return done.stdout

    def bench(self, arguments, timeout):
        """The only row of a llama-bench's JSON."""
        out = self.call(arguments + self.arguments, timeout)
        try:
            rows = json.loads(out)
            if len(rows) != 1:
                raise ValueError(f"{len(rows)} rows")
            rate = float(rows[0]["avg_ts"])
            if not math.isfinite(rate) or rate <= 0:
                raise ValueError(f"avg_ts is {rate}")
            return rows[0]
        except (ValueError, KeyError, TypeError) as error:
            raise Failure(f"{self.name}: its output is not one result of llama-bench -o json: {error}") from error


class RunLog:
    """All runs so far, also in a file where one is named."""

    def __init__(self, path=None):
        self.runs = []
        self.path = path

    @classmethod
    def read(cls, path):
        log = cls()
        for number, line in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
            try:
                run = json.loads(line)
                if not isinstance(run, dict) or not float(run["rate"]) > 0:
                    raise ValueError("no rate")
                log.runs.append({"probe_gb_s": None, "bytes_per_token": None, "share": None, "other_cpu": None, **run})
                Test(**run["test"])
            except (ValueError, KeyError, TypeError) as error:
                raise Failure(f"{path}: line {number} is no run that --raw wrote: {error}") from error
        return log

    def add(self, run):
        self.runs.append(run)
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(run) + "\n")


def busy_seconds():
    """CPU seconds that the whole machine has worked, or None where that is not told."""
    try:
        words = pathlib.Path("/proc/stat").read_text(encoding="utf-8").split("\n", maxsplit=1)[0].split()
    except OSError:
        return None
    user, nice, system, _idle, _iowait, irq, softirq, steal = (int(word) for word in words[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Interference:
    """The CPUs' worth of time that others took while the block ran."""

    def __enter__(self):
        self._start = (time.monotonic(), busy_seconds(), children_seconds())
        self.cpus = None
        return self

    def __exit__(self, *_):
        wall, busy, own = self._start
        if busy is not None:
            others = busy_seconds() - busy - (children_seconds() - own)
            self.cpus = max(0.0, others / max(1e-3, time.monotonic() - wall))


def probe(test, minfer, timeout):
    """GB/s of reading the file with the test's threads."""
    row = minfer.bench(["bench", "-m", test.model, "-t", str(test.n_threads), "-p", "0", "-n", "1", "-r", "1",
                        "--no-warmup", "--ceilings", "-o", "json"], timeout)
    return row["ceiling_read_gb_s"]


def run_contestant(test, contestant, minfer, timeout):
    """One run, as a line of the log."""
    run = {"time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
           "test": dataclasses.asdict(test), "who": contestant.name, "arguments": contestant.arguments,
           "probe_gb_s": None, "bytes_per_token": None, "share": None}
    is_minfer = contestant is minfer
    with Interference() as others:
        if test.n_gen and not is_minfer:  # minfer's own run begins with its probe
            run["probe_gb_s"] = probe(test, minfer, timeout)
        row = contestant.bench((["bench", "--ceilings"] if is_minfer else []) + test.arguments() + ["-o", "json"],
                               timeout)
    run |= {"rate": float(row["avg_ts"]), "build": str(row.get("build_commit", "")), "cpu": str(row.get("cpu_info", "")),
            "type_k": str(row.get("type_k", "")), "model_type": str(row.get("model_type", "")),
            "other_cpu": others.cpus}
    if is_minfer:
        run["share"] = row["ceiling_share"]
        if test.n_gen:
            run["probe_gb_s"] = row["ceiling_read_gb_s"]
            run["bytes_per_token"] = row["read_gb_s"] * 1e9 / run["rate"]
    return run


def run_test(test, number, minfer, rivals, log, timeout):
    """Round `number`: everyone once, starting with another each round, so that a drift favours nobody."""
    everyone = [minfer] + rivals
    first = number % len(everyone)
    for contestant in everyone[first:] + everyone[:first]:
        run = run_contestant(test, contestant, minfer, timeout)
        run["round"] = number
        log.add(run)
