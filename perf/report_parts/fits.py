"""T = a + V / b for each policy: what a call costs however little it reads, and how fast it reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Optional

from report_parts.measurements import Results

ENOUGH = 3  # sizes: two parameters fit any two


class Fit(NamedTuple):
    """`a` in microseconds, `b` in GB/s, and the largest relative error of the fitted times."""

    a: float
    b: float
    worst_error: float
    count: int

    def us(self, volume: float) -> float:
        return self.a + volume / (self.b * 1e3)


def fit(volumes: Sequence[float], times: Sequence[float]) -> Optional[Fit]:
    """Least squares on the relative error, so that a microsecond and a millisecond count alike: with x = 1/T and y = V/T,
    a*x + y/b is to be 1. None for too few sizes, or where the times do not grow with the volume."""
    if len(set(volumes)) < ENOUGH:
        return None
    xs = [1 / time for time in times]
    ys = [volume / time for volume, time in zip(volumes, times)]
    xx, xy, yy = sum(x * x for x in xs), sum(x * y for x, y in zip(xs, ys)), sum(y * y for y in ys)
    x1, y1 = sum(xs), sum(ys)
    determinant = xx * yy - xy * xy
    if determinant <= 1e-12 * xx * yy:
        return None
    a = (x1 * yy - y1 * xy) / determinant
    slope = (y1 * xx - x1 * xy) / determinant
    if slope <= 0:
        return None
    error = max(abs(a * x + slope * y - 1) for x, y in zip(xs, ys))
    return Fit(a, 1 / (slope * 1e3), error, len(volumes))


def times_by_policy(results: Results, mode: str = "graph") -> dict[str, dict[int, tuple[float, float]]]:
    """For float32 sums of pointers: policy to n to (bytes, microseconds); of a call timed several times, the mean."""
    seen: dict[str, dict[int, list[tuple[float, float]]]] = {}
    for row in results.rows:
        at = row.configuration
        if (at.op, at.input_type, at.source, at.mode, at.cache) == ("sum", "f32", "pointer", mode, "hot"):
            seen.setdefault(at.policy, {}).setdefault(at.n, []).append((at.n * 4.0, row.us))
    return {policy: {n: (pairs[0][0], sum(us for _, us in pairs) / len(pairs)) for n, pairs in sorted(sizes.items())}
            for policy, sizes in seen.items()}


def fits_by_policy(results: Results) -> dict[str, Fit]:
    """Every policy that has enough sizes."""
    found = {policy: fit(*zip(*sizes.values())) for policy, sizes in times_by_policy(results).items()}
    return {policy: fitted for policy, fitted in found.items() if fitted}
