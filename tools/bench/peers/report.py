"""What was measured, as a table for people and as JSON."""

import dataclasses
import statistics

from rounds import Timing, ratio


@dataclasses.dataclass
class Result:
    """One system on one network."""
    name: str
    details: str
    timing: Timing
    error: float  # of the output's largest value, against double precision
    executed_gflop: float = None  # nothing for peers, which do not say

    @property
    def is_ours(self):
        return self.executed_gflop is not None


@dataclasses.dataclass
class Comparison:
    """All systems on one network."""
    model: str
    batch: int
    threads: int
    gflop: float  # of one run, as the operators are written
    results: list
    beside: list = dataclasses.field(default_factory=list)  # names of ours, as of peers

    def ours(self):
        return [result for result in self.results if result.is_ours]

    def peers(self):
        return [result for result in self.results if not result.is_ours]

    def baselines(self):
        """What the others are compared with."""
        chosen = [result for result in self.ours() if result.name in self.beside]
        return self.peers() + chosen


def format_table(rows):
    """The first row is of titles; the first column is text, the others are numbers."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [rows[0], ["-" * width for width in widths]] + rows[1:]
    return "".join(
        "  ".join([row[0].ljust(widths[0])] + [
            cell.rjust(width) for cell, width in zip(row[1:], widths[1:])
        ]).rstrip() + "\n" for row in lines)


def _ms(seconds):
    ms = seconds * 1e3
    return f"{ms:.2f}" if ms >= 1 else f"{ms:.4f}"


def _range(low, high):
    return f"{_ms(low)} to {_ms(high)}"


def _ratio_text(timing, baseline):
    """Tunings of one network are closer to each other than to peers."""
    digits = 3 if baseline.is_ours else 2
    return f"{ratio(timing, baseline.timing):.{digits}f}"


def _row(comparison, result):
    timing = result.timing
    executed = f"{result.executed_gflop / timing.median:.0f}" if result.is_ours else "-"
    return [
        result.name,
        _ms(timing.best),
        _ms(timing.median),
        _range(*timing.range), f"{comparison.gflop / timing.median:.0f}", executed,
        f"{result.error:.1e}"
    ] + [
        "1" if baseline is result else _ratio_text(timing, baseline)
        for baseline in comparison.baselines()
    ]


def _summary_row(comparison):
    """Of our networks in several folders: medians of medians, and their range."""
    timings = [result.timing for result in comparison.ours()]
    medians = [timing.median for timing in timings]
    median = statistics.median(medians)
    ratios = []
    for baseline in comparison.baselines():
        each = [ratio(timing, baseline.timing) for timing in timings
                if timing is not baseline.timing]
        ratios.append(f"{statistics.median(each):.2f} ({min(each):.2f} to {max(each):.2f})")
    return [
        f"ours, {len(timings)} folders",
        _ms(min(timing.best for timing in timings)),
        _ms(median),
        _range(min(medians), max(medians)), f"{comparison.gflop / median:.0f}", "-",
        f"{max(result.error for result in comparison.ours()):.1e}"
    ] + ratios


def _titles(comparison):
    return ["system", "best ms", "median ms", "of rounds ms", "GFLOP/s", "executed", "error"
           ] + ["of " + baseline.name for baseline in comparison.baselines()]


def _heading(comparison):
    executed = sorted(f"{result.executed_gflop:.2f}" for result in comparison.ours())
    ours = executed[0] if executed[0] == executed[-1] else f"{executed[0]} to {executed[-1]}"
    return (f"{comparison.model}, batch {comparison.batch}, fp32, {comparison.threads} threads; "
            f"{comparison.gflop:.2f} GFLOP a run as written, of which ours executes {ours}\n")


def comparison_text(comparison):
    rows = [_titles(comparison)]
    if len(comparison.ours()) > 1:
        rows.append(_summary_row(comparison))
    rows += [_row(comparison, result) for result in comparison.results]
    lines = [f"ours: {comparison.ours()[0].details}\n"]
    lines += [f"{result.name}: {result.details}\n" for result in comparison.peers()]
    return "\n".join([_heading(comparison), format_table(rows), "".join(lines)])


def as_json(machine, rounds, seconds, comparisons):
    """As it is written to --output."""
    return {
        "machine": machine,
        "rounds": rounds,
        "seconds_per_turn": seconds,
        "networks": [_comparison_json(comparison) for comparison in comparisons],
    }


def _comparison_json(comparison):
    return {
        "model": comparison.model,
        "batch": comparison.batch,
        "threads": comparison.threads,
        "gflop": comparison.gflop,
        "systems": [_result_json(comparison, result) for result in comparison.results],
    }


def _result_json(comparison, result):
    timing = result.timing
    json = {
        "name": result.name,
        "details": result.details,
        "best_ms": timing.best * 1e3,
        "median_ms": timing.median * 1e3,
        "round_medians_ms": [median * 1e3 for median in timing.medians],
        "gflops": comparison.gflop / timing.median,
        "error": result.error,
        "ratios": {
            baseline.name: ratio(timing, baseline.timing)
            for baseline in comparison.baselines()
            if baseline is not result
        },
    }
    if result.is_ours:
        json["executed_gflop"] = result.executed_gflop
    return json
