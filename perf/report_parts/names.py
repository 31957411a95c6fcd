"""One name for each type and baseline, because files of earlier versions use longer ones, and must stay comparable."""

from __future__ import annotations

_TYPES = {
    "float32": "f32", "float": "f32", "float64": "f64", "double": "f64", "float16": "f16", "half": "f16",
    "bfloat16": "bf16", "int8": "i8", "uint8": "u8", "int16": "i16", "int32": "i32", "int64": "i64",
}
_BYTES = {"i8": 1, "u8": 1, "i16": 2, "f16": 2, "bf16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8}

# Baselines of CUB that answer another question than "how fast is CUB's own call".
CUB_TRANSFORM = "cub_transform_reduce"
CUB_GPU_TO_GPU = "cub_gpu_to_gpu"
ALIGNED = "preduce_aligned"


def type_name(text: str) -> str:
    """`float32` and `f32` are the same type; a type that is not listed keeps its name."""
    return _TYPES.get(text, text)


def bytes_of(type_: str) -> int:
    """Bytes an element, 0 for a type that is not listed."""
    return _BYTES.get(type_, 0)


def baseline_name(text: str) -> str:
    """`cub::DeviceReduce`, as files once said, is `cub`; `thrust::omp` is `thrust_omp`."""
    if text.startswith("cub::DeviceReduce"):
        return CUB_TRANSFORM if text.endswith("TransformReduce") else "cub"
    if text in ("cub_transform", "cub_transform_reduce"):
        return CUB_TRANSFORM
    if text == "thrust::reduce":
        return "thrust"
    return text.replace("::", "_")


def is_cub(name: str) -> bool:
    """CUB's call for the operation itself, whichever it is: Sum, Min, ArgMin, Reduce."""
    return (name == "cub" or name.startswith("cub_")) and name not in (CUB_TRANSFORM, CUB_GPU_TO_GPU)


def size_name(n: int) -> str:
    """2^20 for powers of two from 2^10 on, 10^7 for powers of ten from 10^5 on, else the digits."""
    if n >= 1 << 10 and n & (n - 1) == 0:
        return f"2^{n.bit_length() - 1}"
    if n >= 10**5 and str(n).strip("0") == "1":
        return f"10^{len(str(n)) - 1}"
    return str(n)
