"""From rows to one figure with an interval: the better baseline, geometric means, the worst."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Optional

from report_parts.measurements import Configuration, Interval, Row

TOLERANCE = 0.01  # a figure holds where the interval's end is within this part of it: two runs differ by as much


class Figure(NamedTuple):
    """A figure with its 95% interval; `interval` is None where a row that it is made of has none."""

    value: float
    interval: Optional[Interval]
    count: int = 1

    @property
    def low(self) -> float:
        return self.interval.low if self.interval else self.value

    @property
    def high(self) -> float:
        return self.interval.high if self.interval else self.value

    def holds(self, wanted: float) -> bool:
        """At least `wanted`, as far as the measurement can tell the two apart."""
        return self.low >= wanted * (1 - TOLERANCE)

    def holds_below(self, wanted: float) -> bool:
        """At most `wanted`: for figures where less is better."""
        return self.high <= wanted * (1 + TOLERANCE)


def compared(rows: Iterable[Row], is_baseline: Callable[[str], bool]) -> list[Row]:
    """The rows with a ratio to one of the wanted baselines."""
    return [row for row in rows if row.ratio and row.ratio > 0 and is_baseline(row.baseline)]


def against_the_better(rows: Iterable[Row]) -> list[Row]:
    """One row a configuration: the baseline that did best against us. Judged by the ratio, whose two times were measured in
    turn, rather than by the baseline's time: the times of two versions are from different moments."""
    best: dict[Configuration, Row] = {}
    for row in rows:
        what = row.configuration._replace(case="")  # measured for two targets, it is still one
        known = best.get(what)
        if row.ratio and (known is None or not known.ratio or row.ratio < known.ratio):
            best[what] = row
    return list(best.values())


def figure_of(row: Row) -> Figure:
    """The row's ratio."""
    assert row.ratio is not None
    return Figure(row.ratio, row.ratio_95)


def geometric_mean(rows: Sequence[Row]) -> Figure:
    """Geometric mean of the ratios. Its interval takes the rows' errors as independent, so that they partly cancel: each
    end is the root of the sum of squares of the rows' distances, in logarithms, over their number."""
    ratios = [figure_of(row) for row in rows]
    centre = sum(math.log(ratio.value) for ratio in ratios) / len(ratios)
    if any(ratio.interval is None or ratio.interval.low <= 0 for ratio in ratios):
        return Figure(math.exp(centre), None, len(ratios))
    below = math.sqrt(sum(math.log(ratio.value / ratio.low) ** 2 for ratio in ratios)) / len(ratios)
    above = math.sqrt(sum(math.log(ratio.high / ratio.value) ** 2 for ratio in ratios)) / len(ratios)
    return Figure(math.exp(centre), Interval(math.exp(centre - below), math.exp(centre + above)), len(ratios))


def worst(rows: Sequence[Row]) -> Row:
    """The row whose interval ends lowest: the one that decides whether all of them hold."""
    return min(rows, key=lambda row: (figure_of(row).low, figure_of(row).value))


def versions(rows: Iterable[Row]) -> list[str]:
    """The baselines' versions, oldest first."""
    found = {row.baseline_version for row in rows if row.baseline_version}
    return sorted(found, key=lambda text: [int(part) if part.isdigit() else 0 for part in text.split(".")])
