"""Two runs beside each other: which rows became slower by more than noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from report_parts.measurements import (ROWS, Configuration, Interval, Key, ReportError, Row, note_missing_intervals,
                                       read_rows)


@dataclass(frozen=True)
class Change:
    """How much faster the new run is, above 1, or slower; by the ratio to a baseline that both runs had, or by time."""

    key: Key
    factor: float
    noise: float
    by_ratio: bool
    old: float
    new: float

    @property
    def slower(self) -> bool:
        return self.factor < 1 / (1 + self.noise)

    @property
    def faster(self) -> bool:
        return self.factor > 1 + self.noise

    def in_words(self) -> str:
        configuration, baseline, version = self.key
        what = f"ratio to {baseline} {version}".rstrip() if self.by_ratio else "us"
        digits = 3 if self.by_ratio else 2
        verdict = "slower" if self.slower else "faster"
        return (f"{verdict}  {configuration.in_words()}: {what} {self.old:.{digits}f} -> {self.new:.{digits}f} "
                f"({100 * (self.factor - 1):+.1f}%, noise {100 * self.noise:.1f}%)")


def _file(path: Path) -> Path:
    return path / ROWS if path.is_dir() else path


def rows_of(path: Path) -> dict[Key, Row]:
    """The rows of a file, or of a folder's reduce.csv, by configuration and baseline."""
    return {row.key: row for row in read_rows(_file(path))}


def _width(value: float, interval: Optional[Interval]) -> float:
    """How far the interval reaches from the value, as a part of it."""
    return max(interval.high / value - 1, 1 - interval.low / value, 0) if interval else 0.0


def change(key: Key, old: Row, new: Row, noise: float) -> Change:
    """By the ratio where both runs have the same baseline, whose version is part of the key: clocks and neighbours hit it and us
    alike. Times of two runs move with the machine."""
    if key[1] and old.ratio and new.ratio:
        spread = math.hypot(_width(old.ratio, old.ratio_95), _width(new.ratio, new.ratio_95))
        return Change(key, new.ratio / old.ratio, max(noise, spread), True, old.ratio, new.ratio)
    spread = math.hypot(_width(old.us, old.us_95), _width(new.us, new.us_95))
    return Change(key, old.us / new.us, max(noise, spread), False, old.us, new.us)


def changes(old: dict[Key, Row], new: dict[Key, Row], noise: float) -> tuple[list[Change], int]:
    """One change for each row that both have, and how many rows have no partner. Rows whose baselines' versions differ are
    matched by configuration, and compared by time."""
    found = [change(key, old[key], new[key], noise) for key in new if key in old]
    partners = {key for key in new if key in old}
    old_left: dict[Configuration, list[Key]] = {}
    for key in old:
        if key not in partners:
            old_left.setdefault(key[0], []).append(key)
    compared = {key[0] for key in partners}
    without_partner = 0
    for key in new:
        if key in partners:
            continue
        others = old_left.get(key[0])
        if others:
            other = others.pop(0)
            if key[0] not in compared:  # else the same time would be compared twice
                found.append(change((key[0], "", ""), old[other], new[key], noise))
                compared.add(key[0])
        else:
            without_partner += 1
    return found, without_partner + sum(len(others) for others in old_left.values())


def without_case(rows: dict[Key, Row]) -> dict[Key, Row]:
    """For files that name their cases differently: the first row of those that differ in nothing else."""
    found: dict[Key, Row] = {}
    for (configuration, baseline, version), row in rows.items():
        found.setdefault((configuration._replace(case=""), baseline, version), row)
    return found


def run(old_path: Path, new_path: Path, noise: float) -> int:
    """Prints the changes, largest losses first; 1 where something became slower."""
    old, new = rows_of(old_path), rows_of(new_path)
    note_missing_intervals(_file(old_path), old.values())
    note_missing_intervals(_file(new_path), new.values())
    if not {key[0].case for key in old} & {key[0].case for key in new}:
        old, new = without_case(old), without_case(new)
    found, alone = changes(old, new, noise)
    if not found:
        raise ReportError(f"{old_path} and {new_path} have no row in common")
    moved = sorted((one for one in found if one.slower or one.faster), key=lambda one: one.factor)
    for one in moved:
        print(one.in_words())
    slower = sum(one.slower for one in moved)
    print(f"{len(found)} rows compared: {slower} slower, {len(moved) - slower} faster, the rest within noise; "
          f"{alone} rows have no partner")
    return 1 if slower else 0
