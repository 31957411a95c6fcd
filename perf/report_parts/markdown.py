"""Paragraphs and tables of Markdown, in the documents' own form."""

from __future__ import annotations

import textwrap

_WIDTH = 132  # the documents' own lines are about as long


def paragraph(*parts: str) -> list[str]:
    """Wrapped lines."""
    return textwrap.wrap("".join(parts), _WIDTH, break_long_words=False, break_on_hyphens=False)


def row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def header(*cells: str) -> list[str]:
    """After the empty line that Markdown wants before a table."""
    return ["", row(*cells), row(*["---"] * len(cells))]
