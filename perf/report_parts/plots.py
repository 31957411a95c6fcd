"""PNGs of one folder of results. Colours are Okabe and Ito's, which colour-blind readers can tell apart; lines differ by marker
too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")  # no display

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator  # noqa: E402

from report_parts import names  # noqa: E402
from report_parts.aggregates import against_the_better, compared, versions  # noqa: E402
from report_parts.fits import fits_by_policy, times_by_policy  # noqa: E402
from report_parts.measurements import Results, Row  # noqa: E402
from report_parts.tables import cub_in_words, machine_in_words  # noqa: E402

BLACK, ORANGE, SKY, GREEN, BLUE, VERMILION, PINK = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7")
OTHERS = (ORANGE, GREEN, VERMILION, PINK)
MARKERS = "osD^vP*"
DPI = 110
Points = list[tuple[int, float]]


def _float_sums(results: Results, mode: str) -> list[Row]:
    """Float32 sums of pointers under `automatic`, beside CUB: what four of the plots are of."""
    rows = [row for row in compared(results.rows, names.is_cub) if row.configuration[1:4] == ("sum", "f32", "pointer")]
    return sorted((row for row in rows if row.configuration[5:] == (mode, "hot", "automatic")),
                  key=lambda row: row.configuration.n)


def _size_axis(axis: Any, sizes: list[int], every: int = 2) -> None:
    """Logarithmic, with a tick for every second power of two between the least and the largest size."""
    ticks = [1 << exponent for exponent in range(0, 64, every) if min(sizes) <= 1 << exponent <= max(sizes)]
    axis.set_xscale("log")
    axis.xaxis.set_major_locator(FixedLocator(ticks))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"$2^{{{int(n).bit_length() - 1}}}$"))
    axis.set_xlabel("n, elements")
    axis.grid(True, color="#dddddd", linewidth=0.6)


def _cache_line(axis: Any, results: Results, bytes_an_element: int = 4) -> None:
    cache = results.number("l2_bytes")
    if cache:
        axis.axvline(cache / bytes_an_element, color=SKY, linestyle=":",
                     label=f"second-level cache full ({cache / 2**20:.0f} MiB)")


def _save(figure: Any, results: Results, title: str, name: str) -> Path:
    machine = machine_in_words(results)
    figure.suptitle(f"{title}\n{machine}" if machine else title, fontsize=11)
    folder = results.folder / "plots"
    folder.mkdir(exist_ok=True)
    figure.tight_layout()
    figure.savefig(folder / f"{name}.png", dpi=DPI, metadata={"Software": ""})  # the same data gives the same file
    plt.close(figure)
    return folder / f"{name}.png"


def _series(rows: list[Row]) -> Iterator[tuple[str, str, str, Points]]:
    """Label, colour, marker and (n, microseconds) of preduce and of each version of CUB. Ours was timed beside each version:
    the mean is drawn."""
    ours: dict[int, list[float]] = {}
    for row in rows:
        ours.setdefault(row.configuration.n, []).append(row.us)
    yield "preduce", BLUE, "o", [(n, sum(times) / len(times)) for n, times in ours.items()]
    for version, colour, marker in zip(versions(rows), OTHERS, MARKERS[1:]):
        yield f"CUB {version}", colour, marker, [(row.configuration.n, row.baseline_us) for row in rows
                                                 if row.baseline_version == version and row.baseline_us]


def bandwidth(results: Results) -> Path:
    """How much is read in a second, beside what the memory could give."""
    rows = _float_sums(results, "graph")
    figure, axis = plt.subplots(figsize=(8, 5))
    for label, colour, marker, points in _series(rows):
        rates = [n * 4 / us / 1e3 for n, us in points]
        axis.plot([n for n, _ in points], rates, color=colour, marker=marker, markersize=4, label=label)
    rated, ceiling = results.rated_gbps, results.number("read_ceiling_gbps")
    if rated:
        axis.axhline(rated, color=BLACK, linestyle="--", linewidth=1, label=f"datasheet ({rated:.0f} GB/s)")
    if ceiling:
        axis.axhline(ceiling, color=BLACK, linestyle="-.", linewidth=1, label=f"read at most, measured ({ceiling:.0f} GB/s)")
    _cache_line(axis, results)
    _size_axis(axis, [row.configuration.n for row in rows])
    axis.set_ylabel("GB/s read")
    axis.set_ylim(0, 1.08 * max([axis.get_ylim()[1], rated or 0]))
    axis.legend(fontsize=8, loc="lower right")
    return _save(figure, results, "Float32 sums in a graph: bandwidth by size", "bandwidth")


def time(results: Results) -> Path:
    """Microseconds a call, where the constant part of a call shows."""
    rows = _float_sums(results, "graph")
    figure, axis = plt.subplots(figsize=(8, 5))
    for label, colour, marker, points in _series(rows):
        axis.plot([n for n, _ in points], [us for _, us in points], color=colour, marker=marker, markersize=4, label=label)
    _cache_line(axis, results)
    _size_axis(axis, [row.configuration.n for row in rows])
    axis.set_yscale("log")
    axis.set_ylabel("microseconds a call")
    axis.legend(fontsize=8)
    return _save(figure, results, "Float32 sums in a graph: time by size", "time")


def ratio(results: Results) -> Path:
    """How much faster than CUB, with the 95% interval, one panel a mode."""
    modes = {"graph": "in a graph", "stream": "on a stream", "host": "value on the host"}
    sums = {mode: _float_sums(results, mode) for mode in modes}
    found = {mode: against_the_better(rows) for mode, rows in sums.items()}
    present = [mode for mode in modes if found[mode]]
    figure, axes = plt.subplots(1, len(present), figsize=(4 * len(present), 4.2), squeeze=False)
    for axis, mode in zip(axes[0], present):
        rows = found[mode]
        sizes = [row.configuration.n for row in rows]
        with_interval = [row for row in rows if row.ratio_95]
        axis.fill_between([row.configuration.n for row in with_interval], [row.ratio_95.low for row in with_interval],
                          [row.ratio_95.high for row in with_interval], color=BLUE, alpha=0.25, linewidth=0, label="95% interval")
        axis.plot(sizes, [row.ratio for row in rows], color=BLUE, marker="o", markersize=4)
        axis.axhline(1, color=BLACK, linewidth=1)
        _size_axis(axis, sizes, every=4)
        axis.set_title(modes[mode], fontsize=10)
        axis.set_ylim(bottom=0)
        if with_interval:
            axis.legend(fontsize=8)
    cub = cub_in_words([row for rows in sums.values() for row in rows])
    axes[0][0].set_ylabel("baseline's time / ours (above 1: faster)")
    return _save(figure, results, f"Float32 sums: {cub} over ours", "ratio")


def _few(sizes: set[int], at_most: int = 16) -> list[int]:
    """All sizes, or where they are too many for a legible map, the powers of two, or every second one."""
    powers = {n for n in sizes if n & (n - 1) == 0}
    fewer = [sizes, powers, {n for n in powers if n.bit_length() % 2}]
    return sorted(next((some for some in fewer if 0 < len(some) <= at_most), fewer[-1] or sizes))


def _heat_map(results: Results, times: dict[str, dict[int, float]], title: str, name: str) -> Path:
    """The best time of a size over each policy's: 1 is the best policy for that size."""
    sizes = _few({n for row in times.values() for n in row})
    best = {n: min(row[n] for row in times.values() if n in row) for n in sizes}
    cells = [[best[n] / row[n] if n in row else float("nan") for n in sizes] for row in times.values()]
    figure, axis = plt.subplots(figsize=(2.6 + 0.62 * max(len(sizes), 7), 1.6 + 0.32 * max(len(times), 3)))
    image = axis.imshow(cells, cmap="cividis", vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(cells):
        for x, value in enumerate(row):
            if value == value:
                axis.text(x, y, f"{value:.2f}", ha="center", va="center", fontsize=7, color="black" if value > 0.55 else "white")
    axis.set_xticks(range(len(sizes)), [names.size_name(n) for n in sizes], fontsize=8)
    axis.set_yticks(range(len(times)), list(times), fontsize=8)
    axis.set_xlabel("n, elements")
    figure.colorbar(image, ax=axis, label="best policy's time / this one's")
    return _save(figure, results, title, name)


def policies(results: Results) -> Path:
    """Which policy for which size."""
    times = {policy: {n: us for n, (_, us) in sizes.items()} for policy, sizes in times_by_policy(results).items()}
    return _heat_map(results, times, "Float32 sums in a graph: policies by size", "policies")


def ladder(results: Results) -> Path:
    """The same for the classic rungs."""
    times: dict[str, dict[int, float]] = {}
    for rung in results.ladder:
        times.setdefault(rung.name, {})[rung.n] = rung.us
    return _heat_map(results, times, "The ladder: rungs by size", "ladder")


def fits(results: Results) -> Path:
    """Measured times as points, the fitted lines through them."""
    fitted = dict(list(fits_by_policy(results).items())[:7])  # as many as there are colours; the table has all
    measured = times_by_policy(results)
    colours = (BLUE, ORANGE, GREEN, VERMILION, PINK, SKY, BLACK)
    figure, axis = plt.subplots(figsize=(8, 5))
    for at, (policy, line) in enumerate(fitted.items()):
        colour, marker = colours[at % len(colours)], MARKERS[at % len(MARKERS)]
        sizes = measured[policy]
        axis.plot(list(sizes), [us for _, us in sizes.values()], color=colour, marker=marker, markersize=4, linestyle="")
        dense = [min(sizes) * (max(sizes) / min(sizes)) ** (step / 60) for step in range(61)]
        axis.plot(dense, [line.us(n * 4) for n in dense], color=colour, linewidth=1, marker=marker, markevery=[60], markersize=4,
                  label=f"{policy}: {line.a:.2f} us + V / ({line.b:.0f} GB/s)")
    _cache_line(axis, results)
    _size_axis(axis, [n for policy in fitted for n in measured[policy]])
    axis.set_yscale("log")
    axis.set_ylabel("microseconds a call (points: measured)")
    axis.legend(fontsize=8)
    return _save(figure, results, "Float32 sums in a graph: T = a + V/b", "fits")


def draw_all(results: Results) -> list[Path]:
    """Every plot that the folder has data for."""
    drawn = []
    if _float_sums(results, "graph"):
        drawn += [bandwidth(results), time(results)]
    if any(_float_sums(results, mode) for mode in ("graph", "stream", "host")):
        drawn.append(ratio(results))
    if times_by_policy(results):
        drawn.append(policies(results))
    if fits_by_policy(results):
        drawn.append(fits(results))
    if results.ladder:
        drawn.append(ladder(results))
    return drawn
