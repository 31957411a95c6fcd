"""Reads a folder of results: rows, their intervals, and what machine they are from. Only the rows must be there."""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, Optional

from report_parts import names

ROWS = "reduce.csv"  # of a folder


class ReportError(Exception):
    """Input that cannot be used, in one sentence for the user."""


class Configuration(NamedTuple):
    """What was reduced and how it was called: what two runs must share for their times to be compared. `case` says for which
    target it was measured; of the figures none depends on it."""

    case: str
    op: str
    input_type: str
    source: str
    n: int
    mode: str
    cache: str
    policy: str

    def in_words(self) -> str:
        words = f"{self.op} {self.input_type} {self.source} n={names.size_name(self.n)} {self.policy} {self.mode}"
        return words if self.cache == "hot" else f"{words} {self.cache}"


# What a row, or its interval, is found by: configuration, baseline and its version.
Key = tuple[Configuration, str, str]


class Interval(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class Row:
    """One configuration beside one baseline, or beside none: then `baseline` is empty and `ratio` None."""

    configuration: Configuration
    us: float
    baseline: str
    baseline_version: str
    baseline_us: Optional[float]
    ratio: Optional[float]
    gbps: float
    ratio_95: Optional[Interval] = None
    us_95: Optional[Interval] = None

    @property
    def key(self) -> Key:
        return self.configuration, self.baseline, self.baseline_version

    @property
    def lacks_intervals(self) -> bool:
        return self.us_95 is None or (self.ratio is not None and self.ratio_95 is None)

    @property
    def bytes(self) -> float:
        """Input bytes: the csv keeps them only as the rate."""
        return self.gbps * self.us * 1e3


@dataclass
class Rung:
    """One line of ladder.csv: microseconds a call, GB/s, and the share of the rated bandwidth."""

    name: str
    n: int
    us: float
    gbps: float
    of_peak: float


@dataclass
class Results:
    """Everything a folder holds that the report knows of."""

    folder: Path
    rows: list[Row] = field(default_factory=list)
    ladder: list[Rung] = field(default_factory=list)
    facts: dict[str, object] = field(default_factory=dict)
    compile_time: Optional[float] = None  # over CUB's

    def number(self, name: str) -> Optional[float]:
        """A fact of that name, or of one that says what it is a figure of: `bandwidth_rated_gbps`."""
        value = next((self.facts[key] for key in (name, f"bandwidth_{name}") if key in self.facts), None)
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    def text(self, name: str) -> str:
        value = self.facts.get(name)
        if isinstance(value, dict):
            value = value.get("name", "")
        return "" if value is None else str(value)

    @property
    def rated_gbps(self) -> Optional[float]:
        """The datasheet's bandwidth: said by reduce.json, or implied by the ladder's share of it."""
        said = self.number("rated_gbps")
        if said:
            return said
        shares = [rung.gbps / rung.of_peak for rung in self.ladder if rung.of_peak > 0.1]
        return sum(shares) / len(shares) if shares else None


def _lines(path: Path, needed: tuple[str, ...]) -> list[dict[str, str]]:
    try:
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            lines = list(reader)
            columns = reader.fieldnames or []
    except FileNotFoundError:
        raise ReportError(f"{path} does not exist") from None
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise ReportError(f"{path} cannot be read: {fault}") from None
    missing = [name for name in needed if name not in columns]
    if missing:
        raise ReportError(f"{path} is not what the benchmark writes: it has no column {', '.join(missing)}")
    for at, line in enumerate(lines, start=2):
        found = sum(value is not None for value in line.values())
        if found < len(columns):
            raise ReportError(f"{path}, line {at} is incomplete: it has {found} of {len(columns)} columns")
    return lines


def _configuration(line: dict[str, str]) -> Configuration:
    return Configuration(line.get("case") or "reduce", line["op"], names.type_name(line["input_type"]), line["source"],
                         int(line["n"]), line["mode"], line["cache"], line["policy"])


def _optional(text: Optional[str]) -> Optional[float]:
    return float(text) if text else None


def _spread_path(path: Path) -> Path:
    return path.with_suffix(".spread.csv")


def _twice(path: Path, key: Key) -> ReportError:
    configuration, baseline, version = key
    return ReportError(" ".join(f"{path} has two rows for {configuration.in_words()} {baseline} {version}".split()))


_KEYS = ("op", "input_type", "source", "n", "mode", "cache", "policy")


def read_rows(path: Path) -> list[Row]:
    """The rows of a reduce.csv, no two with one key; with intervals where a .spread.csv lies beside it."""
    rows: dict[Key, Row] = {}
    for at, line in enumerate(_lines(path, _KEYS + ("preduce_us", "baseline", "ratio")), start=2):
        try:
            us = float(line["preduce_us"])
            if not (us > 0 and math.isfinite(us)):
                raise ValueError("a time must be above 0")
            configuration = _configuration(line)
            gbps = _optional(line.get("gbps"))
            if gbps is None:
                gbps = configuration.n * names.bytes_of(configuration.input_type) / us / 1e3
            row = Row(configuration, us, names.baseline_name(line["baseline"]), line.get("baseline_version") or "",
                      _optional(line.get("baseline_us")), _optional(line["ratio"]), gbps)
        except (TypeError, ValueError) as fault:
            raise ReportError(f"{path}, line {at} cannot be used: {fault}") from None
        if row.key in rows:
            raise _twice(path, row.key)
        rows[row.key] = row
    if not rows:
        raise ReportError(f"{path} holds no rows")
    return _with_intervals(list(rows.values()), _spread_path(path))


def _with_intervals(rows: list[Row], path: Path) -> list[Row]:
    if not path.exists():
        return rows
    spread: dict[Key, tuple[Optional[Interval], Optional[Interval]]] = {}
    for at, line in enumerate(_lines(path, _KEYS + ("baseline", "ratio_low", "ratio_high")), start=2):
        try:
            key = (_configuration(line), names.baseline_name(line["baseline"]), line.get("baseline_version") or "")
            intervals = _interval(line, "ratio"), _interval(line, "us")
        except (TypeError, ValueError) as fault:
            raise ReportError(f"{path}, line {at} cannot be used: {fault}") from None
        if key in spread:
            raise _twice(path, key)
        spread[key] = intervals
    found = [spread.get(row.key, (None, None)) for row in rows]
    return [replace(row, ratio_95=ratio, us_95=us) for row, (ratio, us) in zip(rows, found)]


def _interval(line: dict[str, str], name: str) -> Optional[Interval]:
    low, high = _optional(line.get(f"{name}_low")), _optional(line.get(f"{name}_high"))
    return Interval(low, high) if low is not None and high is not None else None


def note_missing_intervals(path: Path, rows: Collection[Row]) -> None:
    """Says on stderr where the file's rows have no interval: figures made of them have none either."""
    without = [row for row in rows if row.lacks_intervals]
    beside = _spread_path(path)
    if without and not beside.exists():
        print(f"report: note: {beside} does not exist: no row of {path.name} has an interval", file=sys.stderr)
    elif without:
        print(f"report: note: {beside} lacks intervals of {len(without)} of {len(rows)} rows, the first "
              f"{without[0].configuration.in_words()}", file=sys.stderr)


def read_ladder(path: Path) -> list[Rung]:
    """The rungs of a ladder.csv, none where there is no such file."""
    if not path.exists():
        return []
    try:
        return [Rung(line["rung"], int(line["n"]), float(line["us"]), float(line["gbps"]), float(line["of_peak"]))
                for line in _lines(path, ("rung", "n", "us", "gbps", "of_peak"))]
    except (TypeError, ValueError) as fault:
        raise ReportError(f"{path} cannot be used: {fault}") from None


def read_compile_time(path: Path) -> Optional[float]:
    """The last column of compile_time.txt's line "ratio", processor time: what perf/compile_time.sh judges by. None where
    there is no such file."""
    if not path.exists():
        return None
    try:
        line = re.search(r"^ratio[ \t]+\S+[ \t]+(\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        ratio = float(line.group(1)) if line else math.nan
    except (OSError, ValueError):
        ratio = math.nan
    if not (ratio > 0 and math.isfinite(ratio)):
        raise ReportError(f'{path} is not what perf/compile_time.sh prints: it has no line "ratio WALL PROCESSOR"')
    return ratio


def read_facts(folder: Path) -> dict[str, object]:
    """reduce.json; where there is none, what the head of bench.txt says of GPU, date and command."""
    path = folder / "reduce.json"
    if path.exists():
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as fault:
            raise ReportError(f"{path} cannot be read: {fault}") from None
        if not isinstance(facts, dict):
            raise ReportError(f"{path} is not a JSON object")
        return facts
    return _facts_of_log(folder / "bench.txt")


def _facts_of_log(path: Path) -> dict[str, object]:
    facts: dict[str, object] = {}
    if not path.exists():
        return facts
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines()[:12]:
        name, colon, value = line.partition(":")
        if colon and name.strip() in ("command", "date", "GPU", "driver"):
            facts.setdefault(name.strip().lower(), value.strip())  # the tables below have headings of the same form
    parts = str(facts.get("gpu", "")).split(", ")
    facts["gpu"] = parts[0]
    for part in parts:
        if part.startswith("L2 ") and part.endswith(" MiB"):
            facts["l2_bytes"] = float(part[3:-4]) * (1 << 20)
    return facts


def read_folder(folder: Path) -> Results:
    """reduce.csv must be there; ladder.csv, reduce.json, compile_time.txt and the intervals may be."""
    if not folder.is_dir():
        raise ReportError(f"{folder} is not a folder of results")
    return Results(folder, read_rows(folder / ROWS), read_ladder(folder / "ladder.csv"), read_facts(folder),
                   read_compile_time(folder / "compile_time.txt"))
