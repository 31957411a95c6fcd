"""Replaces what stands between `<!-- report:NAME -->` and `<!-- report:end -->` in a document."""

from __future__ import annotations

from report_parts.measurements import ReportError

END = "<!-- report:end -->"


def replace_region(text: str, name: str, lines: list[str], document: str) -> str:
    """The text with the region's lines replaced, markers kept. A region must be there exactly once and must end: a document
    that lost a marker is not one to be guessed at."""
    begin = f"<!-- report:{name} -->"
    if text.count(begin) != 1:
        raise ReportError(f"{document} must have the line {begin} once, and has it {text.count(begin)} times")
    head, tail = text.split(begin)
    inside, end, rest = tail.partition(END)
    if not end or "<!-- report:" in inside:
        raise ReportError(f"in {document} the region {name} does not end with {END}")
    return head + begin + "\n" + "\n".join(lines) + "\n" + END + rest
