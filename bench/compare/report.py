"""The table of a comparison."""
import pathlib
import statistics

NOISY_SPREAD = 0.05  # as minfer bench has it: (largest - smallest) / median
BUSY_CPUS = 0.1      # others' CPU time, in CPUs, from which on a row is marked


def spread(values):
    return (max(values) - min(values)) / statistics.median(values)


def with_range(values, digits):
    text = f"{statistics.median(values):.{digits}f}"
    return text if len(values) == 1 else f"{text} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def rate_digits(values):
    return 1 if statistics.median(values) < 100 else 0


class Row:
    """The runs of one test."""

    def __init__(self, runs):
        self.runs = runs
        self.test = runs[0]["test"]

    def of(self, who):
        return [run for run in self.runs if run["who"] == who]

    def rates(self, who):
        return [run["rate"] for run in self.of(who)]

    def ratios(self, who):
        """minfer / rival, of the runs of one round."""
        rivals = {run["round"]: run["rate"] for run in self.of(who)}
        return [run["rate"] / rivals[run["round"]] for run in self.of("minfer") if run["round"] in rivals]

    def shares(self, who):
        """Of the bandwidth probed beside each run, in percent; minfer's prompts: of the integer peak."""
        if who == "minfer":
            return [100 * run["share"] for run in self.of(who) if run["share"] is not None]
        sizes = [run["bytes_per_token"] for run in self.of("minfer") if run["bytes_per_token"]]
        if not sizes:
            return []
        size = statistics.median(sizes)
        return [100 * run["rate"] * size / (run["probe_gb_s"] * 1e9) for run in self.of(who) if run["probe_gb_s"]]

    def probes(self):
        return [run["probe_gb_s"] for run in self.runs if run["probe_gb_s"]]

    def noise(self, names):
        marks = [who for who in names if len(self.rates(who)) > 1 and spread(self.rates(who)) > NOISY_SPREAD]
        busiest = max((run["other_cpu"] or 0) for run in self.runs)
        if busiest > BUSY_CPUS:
            marks.append(f"others used {busiest:.1f} CPUs")
        return ", ".join(marks)


def rows_of(runs):
    grouped = {}
    for run in runs:
        grouped.setdefault(tuple(run["test"].items()), []).append(run)
    return [Row(group) for group in grouped.values()]


def cells(row, names):
    test = row.test
    length = f"pp{test['n_prompt']}" if test["n_prompt"] else f"tg{test['n_gen']}"
    yield pathlib.Path(test["model"]).stem
    yield str(test["n_threads"])
    yield length + (f" @ d{test['n_depth']}" if test["n_depth"] else "")
    for who in names:
        rates = row.rates(who)
        shares = row.shares(who)
        share = f", {statistics.median(shares):.0f} %" if shares else ""
        yield with_range(rates, rate_digits(rates)) + share if rates else "-"
    for who in names[1:]:
        ratios = row.ratios(who)
        yield with_range(ratios, 2) if ratios else "-"
    yield with_range(row.probes(), 1) if row.probes() else ""
    yield row.noise(names)


def line(texts):
    return "| " + " | ".join(texts) + " |\n"


def describe(runs, names):
    """Who ran: build, arguments, type of KV cells."""
    text = f"CPU: {runs[0]['cpu']}\n\n" if runs[0].get("cpu") else ""
    for who in names:
        run = next(run for run in runs if run["who"] == who)
        arguments = " ".join(run.get("arguments", [])) or "no further arguments"
        text += f"- {who}: build {run.get('build') or 'unknown'}, {arguments}, KV cells {run.get('type_k') or 'unknown'}\n"
    return text


def markdown(runs):
    if not runs:
        return "nothing was measured\n"
    names = ["minfer"] + sorted({run["who"] for run in runs} - {"minfer"})
    if not any(run["who"] == "minfer" for run in runs):
        names = names[1:]
    titles = ["model", "threads", "test"] + [f"{who} t/s" for who in names]
    titles += [f"minfer / {who}" for who in names[1:]] + ["read GB/s", "noise"]
    text = line(titles) + line(["---", "---:", "---"] + ["---:"] * (2 * len(names)) + ["---"])
    for row in rows_of(runs):
        text += line(cells(row, names))
    return text + "\n" + describe(runs, names)
