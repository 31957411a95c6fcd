"""Made-up folders of results for the tests."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Optional

COLUMNS = ("case,op,input_type,accum_type,source,n,mode,cache,policy,preduce_us,baseline,baseline_version,baseline_us,ratio,"
           "gbps").split(",")
SPREAD = ("case,op,input_type,source,n,mode,cache,policy,baseline,baseline_version,pairs,ratio_low,ratio_high,us_low,"
          "us_high").split(",")


def row(n: int, us: float, ratio: Optional[float] = None, *, version: str = "3.0.1", width: Optional[float] = None,
        **other: object) -> dict[str, object]:
    """A float32 sum in a graph beside CUB, but for what `other` says. `width` is the interval's, a part of the value to
    either side."""
    named: dict[str, object] = {
        "case": "reduce", "op": "sum", "input_type": "f32", "accum_type": "f32", "source": "pointer", "n": n, "mode": "graph",
        "cache": "hot", "policy": "automatic", "preduce_us": us, "baseline": "cub" if ratio else "",
        "baseline_version": version if ratio else "", "baseline_us": us * ratio if ratio else "", "ratio": ratio or "",
        "gbps": n * 4 / us / 1e3, "pairs": 30}
    if width is not None and ratio is not None:
        named.update(ratio_low=ratio * (1 - width), ratio_high=ratio * (1 + width), us_low=us * (1 - width),
                     us_high=us * (1 + width))
    return {**named, **other}


def write(folder: Path, rows: Iterable[dict[str, object]]) -> Path:
    """reduce.csv, and the intervals of the rows that have one."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = list(rows)
    _write(folder / "reduce.csv", COLUMNS, rows)
    wide = [one for one in rows if "ratio_low" in one]
    if wide:
        _write(folder / "reduce.spread.csv", SPREAD, wide)
    return folder


def _write(path: Path, columns: Sequence[str], rows: list[dict[str, object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def write_ladder(folder: Path) -> None:
    """Two rungs: the tables must do with what there is."""
    lines = ["rung,n,us,gbps,of_peak,over_one_thread"]
    for n in (1024, 10**7, 1 << 25):
        lines += [f"single_thread,{n},{n / 100},0.4,0.0001,1", f"last_block,{n},{2 + n / 1e6},2400,0.5,{n / 100}"]
    (folder / "ladder.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
