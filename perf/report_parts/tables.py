"""The Markdown of the report: targets, sums by size, fits, ladder. Each part is a region of one of the documents."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Optional

from report_parts import ladder_tables, names
from report_parts.aggregates import Figure, against_the_better, compared, versions
from report_parts.fits import fits_by_policy
from report_parts.judgement import Verdict, judge
from report_parts.markdown import header, paragraph, row
from report_parts.measurements import Results, Row

# The sizes of README's table; the csv has more.
SUM_SIZES = tuple(1 << exponent for exponent in range(10, 31, 2))


def link(results: Results, name: str, document: Path) -> str:
    """A link from the document to one of the folder's files."""
    target = Path(os.path.relpath(results.folder.resolve() / name, document.resolve().parent)).as_posix()
    return f"[{target.lstrip('./')}]({target})"


def cub_in_words(rows: list[Row]) -> str:
    """Whose time the ratios are of."""
    found = versions(rows)
    if len(found) > 1:
        return f"the time of the better of CUB {', '.join(found[:-1])} and {found[-1]}"
    return f"CUB {found[0]}'s time" if found else "CUB's time"


def machine_in_words(results: Results) -> str:
    return ", ".join(part for part in (results.text("gpu"), results.text("date")) if part)


def _made_by(results: Results) -> str:
    command = results.text("command")
    return f", made by `{command}`" if command else ""


def _figure(figure: Optional[Figure], percent: bool) -> str:
    if figure is None:
        return "not measured"

    def number(value: float) -> str:
        return f"{100 * value:.1f}%" if percent else f"{value:.2f}"

    interval = f" [{number(figure.low)}, {number(figure.high)}]" if figure.interval else ""
    return number(figure.value) + interval


def _verdict(verdict: Verdict, wanted: float) -> str:
    number = f"{100 * wanted:.0f}%" if verdict.percent else f"{wanted:.2f}"
    holds = verdict.holds(wanted)
    if holds is None:
        return number
    return f"{number} {'no' if not holds else 'so far' if verdict.missing else 'yes'}"


def _remark(verdict: Verdict) -> str:
    if not verdict.missing or verdict.figure is None:
        return verdict.remark
    more = f" and {len(verdict.missing) - 4} more" if len(verdict.missing) > 5 else ""
    shown = verdict.missing[:4] if more else verdict.missing
    return f"{verdict.remark}; not measured: {', '.join(shown)}{more}"


def targets(results: Results, document: Path) -> list[str]:
    """Floor and goal of each clause, what was measured, and whether it holds."""
    cub = cub_in_words(compared(results.rows, names.is_cub))
    lines = paragraph(
        f"Ratios are {cub} over ours where no other baseline is named, from {link(results, 'reduce.csv', document)}"
        f"{_made_by(results)} ({machine_in_words(results) or 'no machine is named'}). In brackets the 95% interval. A figure "
        "holds where the interval's lower end is at least 0.99 times the figure; without an interval, where the ratio itself is. "
        "Of several sizes the geometric mean counts, of several types or operations the worst. `so far`: it holds, but a part is "
        "not measured.")
    lines += header("", "target", "floor", "goal", "measured", "of what")
    for verdict in judge(results):
        lines.append(row(verdict.name, verdict.what, _verdict(verdict, verdict.floor), _verdict(verdict, verdict.goal),
                         _figure(verdict.figure, verdict.percent), _remark(verdict)))
    return lines


def sums(results: Results, document: Path) -> list[str]:
    """Float32 sums by size: what a user gets from `automatic` in a graph, on a stream, and on the host."""
    rows = [line for line in compared(results.rows, names.is_cub)
            if line.configuration[1:4] == ("sum", "f32", "pointer") and
            (line.configuration.cache, line.configuration.policy) == ("hot", "automatic")]
    by_place = {(line.configuration.n, line.configuration.mode): line for line in against_the_better(rows)}
    lines = paragraph(f"Float32 sums in microseconds, and {cub_in_words(rows)} over ours (above 1: faster than CUB), from ",
                      f"{link(results, 'reduce.csv', document)}{_made_by(results)}.")
    lines += header("n", "automatic in a graph", "ratio", "automatic on a stream", "ratio", "automatic, value on the host",
                    "ratio")
    for n in SUM_SIZES:
        found = [by_place.get((n, mode)) for mode in ("graph", "stream", "host")]
        if any(found):
            cells = [cell for line, digits in zip(found, (2, 1, 1)) for cell in _time_and_ratio(line, digits)]
            lines.append(row(names.size_name(n), *cells))
    return lines


def _time_and_ratio(line: Optional[Row], digits: int) -> tuple[str, str]:
    return (f"{line.us:.{digits}f}", f"{line.ratio:.2f}") if line else ("-", "-")


def fits(results: Results, document: Path) -> list[str]:
    """What a call costs before it reads, and how fast it reads."""
    lines = paragraph(
        "A call's time in a graph as T = a + V/b, V the bytes read; float32 sums, least squares on the relative error, from ",
        f"{link(results, 'reduce.csv', document)}. A line cannot follow the step where the data leaves the second-level cache: the "
        "last column is what it misses by at worst.")
    lines += header("policy", "a, us", "b, GB/s", "sizes", "largest error")
    for policy, fitted in fits_by_policy(results).items():
        lines.append(row(f"`{policy}`", f"{fitted.a:.2f}", f"{fitted.b:.0f}", str(fitted.count),
                         f"{100 * fitted.worst_error:.0f}%"))
    return lines


def ladder(results: Results, document: Path) -> list[str]:
    """All rungs; empty where the folder has no ladder.csv, so that nothing is replaced by nothing."""
    return ladder_tables.all_rungs(results.ladder) if results.ladder else []


def ladder_views(results: Results, document: Path) -> list[str]:
    """The published series; empty likewise."""
    return ladder_tables.views(results.ladder) if results.ladder else []


# Where each part stands: the region's name, the document, what writes it, and its heading where it is printed.
PARTS = (
    ("targets", "docs/performance.md", targets, "Targets"),
    ("sums", "README.md", sums, "Float32 sums"),
    ("fits", "docs/performance.md", fits, "T = a + V/b"),
    ("ladder", "docs/ladder.md", ladder, "The ladder"),
    ("ladder_views", "docs/ladder.md", ladder_views, "The ladder beside published figures"),
)
