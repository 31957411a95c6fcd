"""Holds the targets against what was measured: one verdict a clause."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Optional

from report_parts import names
from report_parts.aggregates import Figure, against_the_better, compared, figure_of, geometric_mean, worst
from report_parts.measurements import Interval, Results, Row
from report_parts.targets import (BEYOND_THE_CACHE, CLAUSES, COMPILE_TIME_FLOOR, COMPILE_TIME_GOAL, RATED_SHARE_FLOOR,
                                  RATED_SHARE_GOAL, Clause)


@dataclass(frozen=True)
class Verdict:
    """A clause beside its figure. `figure` is None where nothing was measured that it could be made of."""

    name: str
    what: str
    floor: float
    goal: float
    figure: Optional[Figure] = None
    remark: str = ""
    percent: bool = False
    less_is_better: bool = False
    spoiled: bool = False  # by a single row below what no row may be below
    missing: Sequence[str] = ()  # what the target is about and was not measured

    def holds(self, wanted: float) -> Optional[bool]:
        if self.figure is None:
            return None
        if self.less_is_better:
            return self.figure.holds_below(wanted)
        return self.figure.holds(wanted) and not self.spoiled


def judge(results: Results) -> list[Verdict]:
    """Every clause, in the targets' order."""
    verdicts = [_judge_clause(clause, results) for clause in CLAUSES]
    return verdicts[:1] + [_share_of_rated_bandwidth(results)] + verdicts[1:] + [_compile_time(results)]


def _select(clause: Clause, results: Results) -> tuple[str, list[Row]]:
    cache_bytes = next((size for size in map(results.number, ("llc_bytes", "l3_bytes")) if size), BEYOND_THE_CACHE)
    rows = [row for row in compared(results.rows, clause.baseline) if clause.selects(row, cache_bytes)]
    for mode in clause.modes:
        for cache in ("hot", "cold"):
            found = [row for row in rows if row.configuration.mode == mode and row.configuration.cache == cache]
            if found:
                return mode, against_the_better(found)
    return "", []


def _judge_clause(clause: Clause, results: Results) -> Verdict:
    mode, rows = _select(clause, results)
    if not rows:
        return Verdict(clause.name, clause.what, clause.floor, clause.goal)
    lowest = worst(rows)
    at = f"{_where(lowest)}: {figure_of(lowest).value:.2f}"
    if clause.each:
        figure, remark = figure_of(lowest)._replace(count=len(rows)), f"the worst of {len(rows)}, {_where(lowest)}"
    else:
        groups: dict[tuple[str, ...], list[Row]] = {}
        for row in rows:
            groups.setdefault(clause.groups(row), []).append(row)
        group, figure = min(((key, geometric_mean(members)) for key, members in groups.items()), key=lambda pair: pair[1].low)
        remark = f"mean of {figure.count}"
        if len(groups) > 1:
            remark += f" for {' '.join(group)}, the worst of {len(groups)}"
        remark += f"; worst {at}"
    spoiled = clause.none_below is not None and not figure_of(lowest).holds(clause.none_below)
    if len(clause.modes) > 1 and mode != "cpu":
        remark += f"; {mode}"
    return Verdict(clause.name, clause.what, clause.floor, clause.goal, figure, remark, spoiled=spoiled,
                   missing=_missing(clause, rows))


def _missing(clause: Clause, rows: list[Row]) -> list[str]:
    """The operations, types, sources and named sizes that a clause is about and no row is of."""
    sources = [".*"] if clause.any_source else [re.escape(source) for source in clause.sources]
    missing = []
    for op, type_, source in itertools.product(clause.ops, clause.types, sources):
        measured = {at.n for at in (row.configuration for row in rows) if re.fullmatch(op, at.op) and
                    re.fullmatch(type_, at.input_type) and re.fullmatch(source, at.source)}
        shown = "" if source == "pointer" else source.replace("\\", "")
        what = " ".join(word for word in (op, type_, shown) if word and word != ".*").replace("|", " or ")
        if not measured:
            missing.append(what)
        else:
            missing += [f"{what} {names.size_name(n)}" for n in clause.sizes or () if n not in measured]
    return missing


def _where(row: Row) -> str:
    at = row.configuration
    source = "" if at.source == "pointer" else f" {at.source}"
    return f"{at.op} {at.input_type}{source} {names.size_name(at.n)}"


def _share_of_rated_bandwidth(results: Results) -> Verdict:
    rated = results.rated_gbps
    figure = None
    for row in results.rows:
        at = row.configuration
        if (at.op, at.input_type, at.source, at.n, at.mode, at.policy) != ("sum", "f32", "pointer", 1 << 30, "stream",
                                                                          "automatic") or not rated:
            continue
        interval = row.us_95 and Interval(row.bytes / row.us_95.high / 1e3 / rated, row.bytes / row.us_95.low / 1e3 / rated)
        # The same call was timed beside each baseline: the lowest counts.
        found = Figure(row.gbps / rated, interval)
        figure = found if figure is None or found.low < figure.low else figure
    remark = f"of {rated:.0f} GB/s" if rated else "the rated bandwidth is not known"
    return Verdict("P1", "float32 sum of 2^30 on a stream, share of the rated bandwidth", RATED_SHARE_FLOOR, RATED_SHARE_GOAL,
                   figure, remark if figure or not rated else "", percent=True)


def _compile_time(results: Results) -> Verdict:
    figure = None if results.compile_time is None else Figure(results.compile_time, None)
    return Verdict("P13", "compile time of one reduction over one with CUB (less is better)", COMPILE_TIME_FLOOR,
                   COMPILE_TIME_GOAL, figure, "processor time" if figure else "", less_is_better=True)
