"""The classic ladder's tables: all rungs, and the two series that are published with figures."""

from __future__ import annotations

from typing import Optional

from report_parts import names
from report_parts.markdown import header, paragraph, row
from report_parts.measurements import Rung

LARGEST = 1 << 25  # the published series of eight steps is over this many floats
SERIES_SIZES = (1024, 40960, 10**7)
ONE_THREAD = "single_thread"

# From one thread to one kernel: what each adds, and the rung that has it.
SERIES = (
    ("serial", ONE_THREAD),
    ("two stages", "block_tree_two_stages"),
    ("+ shuffles", "warp_shuffle_two_stages"),
    ("+ vectors", "two_pass"),
    ("in a single kernel", "last_block"),
    ("without a ticket", "look_back"),
)
# The textbook's seven trees and grid-stride loop, then vectors.
STEPS = (
    "block_tree_interleaved_modulo", "block_tree_interleaved_strided", "block_tree_sequential", "block_tree_first_add",
    "block_tree_last_warp", "block_tree", "warp_shuffle_grid_stride", "warp_shuffle",
)
# One element a thread and, from the third on, one atomic a warp or block: they differ in how a block adds up.
WITHIN_A_BLOCK = (
    ("one thread", ONE_THREAD),
    ("an atomic an element", "atomic"),
    ("lane 0 adds its warp's", "atomic_lane_serial"),
    ("thread 0 adds its block's", "atomic_block_serial"),
    ("a tree", "block_tree_sequential"),
    ("shuffles", "warp_shuffle_atomic_a_block"),
)


class Ladder:
    """The rungs by name and size."""

    def __init__(self, rungs: list[Rung]) -> None:
        self.rungs = {(rung.name, rung.n): rung for rung in rungs}
        self.names = list(dict.fromkeys(rung.name for rung in rungs))
        self.sizes = sorted({rung.n for rung in rungs})

    def us(self, name: str, n: int) -> Optional[float]:
        rung = self.rungs.get((name, n))
        return rung.us if rung else None

    def times_faster(self, name: str, than: str, n: int) -> Optional[float]:
        ours, theirs = self.us(name, n), self.us(than, n)
        return theirs / ours if ours and theirs else None


def short(us: Optional[float]) -> str:
    """Microseconds with three to four digits that count."""
    if us is None:
        return "-"
    return f"{us:.0f}" if us >= 1000 else f"{us:.1f}" if us >= 100 else f"{us:.2f}"


def times(factor: Optional[float]) -> str:
    if factor is None:
        return "-"
    return f"{factor:.0f}x" if factor >= 100 else f"{factor:.1f}x" if factor >= 10 else f"{factor:.2f}x"


def _digits(n: int) -> str:
    return str(n) if n < 10**5 else names.size_name(n)


def all_rungs(rungs: list[Rung]) -> list[str]:
    """Every rung at every size; share and speed-up at the largest."""
    ladder = Ladder(rungs)
    largest = ladder.sizes[-1]
    lines = header("rung", *map(_digits, ladder.sizes), "of the memory's rated bandwidth", "over one thread")
    for name in ladder.names:
        last = ladder.rungs.get((name, largest))
        faster = ladder.times_faster(name, ONE_THREAD, largest)
        lines.append(row(f"`{name}`", *(short(ladder.us(name, n)) for n in ladder.sizes),
                         f"{100 * last.of_peak:.1f}%" if last else "-", f"{faster:.0f}" if faster else "-"))
    return lines[1:]  # the table stands alone


def views(rungs: list[Rung]) -> list[str]:
    """The published series, with this machine's figures."""
    ladder = Ladder(rungs)
    return [*_series(ladder), "", *_eight_steps(ladder), "", *_within_a_block(ladder)]


def _over_one_thread(ladder: Ladder, rungs: tuple[tuple[str, str], ...], sizes: tuple[int, ...]) -> list[str]:
    lines = header("", "rung", *(cell for n in sizes for cell in (_digits(n), "")))
    for what, name in rungs:
        cells = [cell for n in sizes for cell in (short(ladder.us(name, n)), times(ladder.times_faster(name, ONE_THREAD, n)))]
        lines.append(row(what, f"`{name}`", *cells))
    return lines


def _series(ladder: Ladder) -> list[str]:
    lines = ["From one thread to one kernel; microseconds, and times faster than one GPU thread:"]
    lines += _over_one_thread(ladder, SERIES, SERIES_SIZES)
    final = times(ladder.times_faster("two_pass", ONE_THREAD, 10**7))
    return lines + ["", *paragraph(
        "A published series of this kind gives 22.1x over its serial version at 10^7 with vectors, where this one has "
        f"{final}: what is called serial cannot be the same, so only the order of the steps compares.")]


def _eight_steps(ladder: Ladder) -> list[str]:
    lines = ["Eight steps, from an interleaved tree to vectors, at 2^25 floats:"]
    lines += header("", "rung", "us", "of the rated bandwidth", "step", "in all")
    before = STEPS[0]
    for at, name in enumerate(STEPS, start=1):
        rung = ladder.rungs.get((name, LARGEST))
        share = f"{100 * rung.of_peak:.1f}%" if rung else "-"
        lines.append(row(str(at), f"`{name}`", short(ladder.us(name, LARGEST)), share,
                         times(ladder.times_faster(name, before, LARGEST)) if at > 1 else "",
                         times(ladder.times_faster(name, STEPS[0], LARGEST)) if at > 1 else "1.00x"))
        before = name
    first, last = short(ladder.us(STEPS[0], LARGEST)), short(ladder.us(STEPS[-1], LARGEST))
    return lines + ["", f"Published for a V100: 788 us to 162 us, 4.86x over eight steps. Here: {first} us to {last} us, "
                    f"{times(ladder.times_faster(STEPS[-1], STEPS[0], LARGEST))}."]


def _within_a_block(ladder: Ladder) -> list[str]:
    lines = ["How a block adds up, one element a thread; microseconds, and times faster than one GPU thread:"]
    lines += _over_one_thread(ladder, WITHIN_A_BLOCK, (10**7, LARGEST))
    lane = times(ladder.times_faster("block_tree_sequential", "atomic_lane_serial", LARGEST))
    block = times(ladder.times_faster("block_tree_sequential", "atomic_block_serial", LARGEST))
    return lines + ["", "Published: the tree is 5.8x as fast as lane 0 alone and 6.4x as fast as thread 0 alone. "
                    f"Here, at 2^25: {lane} and {block}."]
