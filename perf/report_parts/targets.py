"""What the library is to reach, as data: each clause selects rows, says what is made of them, and names floor and goal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Optional

from report_parts import names
from report_parts.measurements import Row

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
BEYOND_THE_CACHE = 256 * MIB  # bytes: where reduce.json does not say how large the host's last-level cache is


def _by_operation(row: Row) -> tuple[str, ...]:
    return row.configuration.op, row.configuration.input_type


@dataclass(frozen=True)
class Clause:
    """One line of the table of targets: of the selected rows, the mean over sizes of each group, and of these the worst.

    `ops` and `types` are patterns, each of which must be measured for the clause to hold as a whole.
    `each`: every row must reach the figure by itself. `none_below`: beside the mean, no single row may be below this.
    `modes` are alternatives: the first one that has rows counts. GPU time in a graph comes first, because it holds no time
    of the host.
    """

    name: str
    what: str
    floor: float
    goal: float
    baseline: Callable[[str], bool] = names.is_cub
    ops: Sequence[str] = ("sum",)
    types: Sequence[str] = ("f32",)
    sources: Sequence[str] = ("pointer",)
    modes: Sequence[str] = ("graph", "stream")
    sizes: Optional[Sequence[int]] = None
    from_size: int = 0
    to_size: int = 1 << 62
    input_bytes: Optional[int] = None  # only rows of this many bytes of input
    cached: Optional[bool] = None  # the input fits the host's last-level cache
    policies: Sequence[str] = ("automatic",)
    any_source: bool = False  # the sources are alternatives: else each of them is to be measured
    each: bool = False
    none_below: Optional[float] = None
    groups: Callable[[Row], tuple[str, ...]] = _by_operation

    def selects(self, row: Row, cache_bytes: float = BEYOND_THE_CACHE) -> bool:
        """All but the mode, of which the alternatives are tried one after another."""
        at = row.configuration
        size = at.n * names.bytes_of(at.input_type)
        return (_matches(at.op, self.ops) and _matches(at.input_type, self.types) and at.source in self.sources and
                at.policy in self.policies and self.from_size <= at.n <= self.to_size and
                (self.sizes is None or at.n in self.sizes) and
                (self.input_bytes is None or size == self.input_bytes) and
                (self.cached is None or self.cached == (size <= cache_bytes)))


def _matches(text: str, patterns: Sequence[str]) -> bool:
    return any(re.fullmatch(pattern, text) for pattern in patterns)


def _is(*wanted: str) -> Callable[[str], bool]:
    return lambda name: name in wanted


def _starts(*wanted: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(wanted)


def _any_cub(name: str) -> bool:
    """A dot product has no call of its own in CUB: TransformReduce is it."""
    return names.is_cub(name) or name == names.CUB_TRANSFORM


def _by_source(row: Row) -> tuple[str, ...]:
    return row.configuration.input_type, row.configuration.source


_EVERY_SIZE = ("i8|u8", "i16|f16|bf16", "i32|f32", "i64|f64")
_HOST = ("cpu", "host")
_HOST_LOOPS = _starts("omp", "thrust_omp", "std_")
_SMALL = {"from_size": 1 << 10, "to_size": 1 << 24, "none_below": 1.00}

CLAUSES: tuple[Clause, ...] = (
    Clause("P1", "sums of pointers, stream, n = 2^26, 2^28, 2^30, each", 1.00, 1.01, modes=("stream",),
           types=("f32", "i32", "f64", "i64"), sizes=(1 << 26, 1 << 28, 1 << 30), each=True),
    Clause("P2", "float32 sums in a graph, 2^10 to 2^24", 1.15, 1.30, modes=("graph",), **_SMALL),
    Clause("P2", "the same in a user's own graph", 1.15, 1.30, modes=("graph_user",), **_SMALL),
    Clause("P2b", "the same where calls overlap (graph_overlap)", 1.22, 1.35, modes=("graph_overlap",), **_SMALL),
    Clause("P3", "float32 sums on a stream, up to 2^12", 1.05, 1.20, modes=("stream",), to_size=1 << 12),
    Clause("P3", "float32 sums on a stream, 2^13 to 2^20", 2.20, 2.60, modes=("stream",), from_size=1 << 13, to_size=1 << 20),
    Clause("P4", "value on the host, up to 2^20, over Thrust", 2.80, 3.50, _is("thrust"), modes=("host",), to_size=1 << 20),
    Clause("P4", "value on the host, up to 2^20, over CUB, copy, wait", 1.40, 2.00, modes=("host",), to_size=1 << 20),
    Clause("P5", "half and bfloat16 over Sum", 1.04, 1.08, types=("f16", "bf16")),
    Clause("P5", "half and bfloat16 over TransformReduce", 1.12, 1.18, _is(names.CUB_TRANSFORM), types=("f16", "bf16")),
    Clause("P6", "int8 summed in int32, least int8", 1.02, 1.06, ops=("sum", "min"), types=("i8",)),
    Clause("P7", "pointer+1 over an aligned pointer, every element size", 0.97, 1.00, _is(names.ALIGNED),
           types=_EVERY_SIZE, sources=("pointer+1",), groups=_by_source),
    Clause("P7", "the same, issued on a stream", 0.97, 1.00, _is(names.ALIGNED), types=_EVERY_SIZE,
           sources=("pointer+1",), modes=("stream",), groups=_by_source),
    Clause("P7", "device_vector, device_ptr over a pointer", 0.97, 1.00, _is(names.ALIGNED),
           types=(".*",), sources=("device_vector", "device_ptr"), groups=_by_source),
    Clause("P7", "int8 at pointer+1, 1 GiB, over CUB", 3.00, 3.30, types=("i8",), sources=("pointer+1",), input_bytes=GIB),
    Clause("P8", "min_loc and max_loc of 1 GiB, int8", 2.50, 2.70, ops=("min_loc", "max_loc"), types=("i8",),
           input_bytes=GIB, each=True),
    Clause("P8", "the same, int16", 1.30, 1.40, ops=("min_loc", "max_loc"), types=("i16",), input_bytes=GIB, each=True),
    Clause("P8", "the same, int32, float32, float64", 1.01, 1.05, ops=("min_loc", "max_loc"), types=("i32", "f32", "f64"),
           input_bytes=GIB, each=True),
    Clause("P8", "min_loc and max_loc of float32, 2^12 to 2^20, in a graph", 1.15, 1.40, ops=("min_loc", "max_loc"),
           modes=("graph",), from_size=1 << 12, to_size=1 << 20),
    Clause("P9", "dot products, sums of a functor, n = 2^28", 1.00, 1.03, _any_cub, ops=("sum", "dot"),
           types=(".*",), sources=("functor", "zip"), any_source=True, sizes=(1 << 28,), each=True),
    Clause("P10", "structs of 12, 16, 24 bytes", 1.00, 1.05, _any_cub,
           ops=("sum_struct12", "sum_struct16", "sum_struct24"), types=(".*",),
           sources=("pointer", "functor", "device_vector"), any_source=True),
    Clause("P10", "an operator with state", 1.00, 1.05, _any_cub, ops=("affine",), types=(".*",),
           sources=("pointer", "functor", "device_vector"), any_source=True),
    Clause("P11", "float32, float64 over CUB's gpu_to_gpu sums, 2^16, 2^20, 2^28", 1.35, 1.45, _is(names.CUB_GPU_TO_GPU),
           types=("f32", "f64"), sizes=(1 << 16, 1 << 20, 1 << 28), each=True),
    Clause("P12", "openmp, pointers beyond the last-level cache, over the best host loop", 0.95, 1.00,
           _HOST_LOOPS, types=("f32", "f64"), modes=_HOST, policies=("openmp",), cached=False),
    Clause("P12", "the same over thrust::omp", 1.00, 1.00, _starts("thrust_omp"), types=("f32", "f64"), modes=_HOST,
           policies=("openmp",), cached=False, each=True),
    Clause("P12", "openmp in the cache", 0.70, 0.90, _HOST_LOOPS, types=("f32", "f64"),
           modes=_HOST, policies=("openmp",), cached=True),
    Clause("P12", "openmp over functors", 0.70, 0.90, _HOST_LOOPS, ops=("sum", "dot"),
           types=("f32", "f64"), modes=_HOST, policies=("openmp",), sources=("functor",)),
)

# Two targets are no ratio of times of a row.
RATED_SHARE_FLOOR, RATED_SHARE_GOAL = 0.95, 0.97  # P1: float32, 2^30, of the datasheet's bandwidth
COMPILE_TIME_FLOOR, COMPILE_TIME_GOAL = 0.4, 0.3  # P13: of CUB's time; less is better
