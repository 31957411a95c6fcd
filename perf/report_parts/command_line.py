"""The commands of perf/report and their exit codes: 0, 1 where `compare` found something slower, 2 for unusable input."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from report_parts import compare, regions, tables
from report_parts.measurements import ROWS, ReportError, Results, note_missing_intervals, read_folder

UNUSABLE = 2
_ROOT = Path(__file__).resolve().parents[2]


def _print_tables(results: Results, root: Path) -> None:
    for _, document, write, heading in tables.PARTS:
        lines = write(results, root / document)
        print(f"## {heading}\n")
        print("\n".join(lines) if lines else "not measured: the folder has no ladder.csv")
        print()


def _write_tables(results: Results, root: Path) -> None:
    """All documents are made before the first is written: a missing marker leaves none half done."""
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    for name, document, write, _ in tables.PARTS:
        if document not in before:
            try:
                before[document] = after[document] = (root / document).read_text(encoding="utf-8")
            except OSError as fault:
                raise ReportError(f"{root / document} cannot be read: {fault.strerror}") from None
        lines = write(results, root / document)
        if lines:
            after[document] = regions.replace_region(after[document], name, lines, document)
        else:
            print(f"{document}: {name} stays as it is, the folder has no ladder.csv")
    for document, text in after.items():
        changed = text != before[document]
        if changed:
            (root / document).write_text(text, encoding="utf-8")
        print(f"{document}: {'written' if changed else 'unchanged'}")


def _read(folder: Path) -> Results:
    results = read_folder(folder)
    note_missing_intervals(folder / ROWS, results.rows)
    return results


def _tables(arguments: argparse.Namespace) -> int:
    results = _read(arguments.folder)
    if arguments.write:
        _write_tables(results, arguments.root)
    else:
        _print_tables(results, arguments.root)
    return 0


def _plots(arguments: argparse.Namespace) -> int:
    try:
        from report_parts import plots  # here, because tables and comparisons do without matplotlib
    except ImportError:
        raise ReportError("plots need matplotlib (Debian: python3-matplotlib)") from None
    for path in plots.draw_all(_read(arguments.folder)):
        print(path)
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    return compare.run(arguments.old, arguments.new, arguments.noise)


def _part(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1:
        raise ValueError
    return value


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="report", description="Tables, plots and comparisons of what the benchmark measured.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("tables", help="print the tables of a folder as Markdown, or write them into the documents")
    command.add_argument("folder", type=Path, metavar="FOLDER", help="for example perf/results/h200")
    command.add_argument("--write", action="store_true", help="replace the marked regions of README.md and docs/")
    command.add_argument("--root", type=Path, default=_ROOT, metavar="DIR", help="where README.md and docs/ are")
    command.set_defaults(run=_tables)

    command = commands.add_parser("plots", help="draw PNGs into FOLDER/plots")
    command.add_argument("folder", type=Path, metavar="FOLDER")
    command.set_defaults(run=_plots)

    command = commands.add_parser("compare", help="what became slower or faster; exit code 1 where something became slower")
    command.add_argument("old", type=Path, metavar="OLD", help="a csv file or a folder")
    command.add_argument("new", type=Path, metavar="NEW")
    command.add_argument("--noise", type=_part, default=0.03, metavar="PART",
                         help="changes up to this part, or up to the intervals of both runs, are noise (default 0.03)")
    command.set_defaults(run=_compare)
    return top


def main(words: Sequence[str]) -> int:
    arguments = parser().parse_args(words)
    try:
        return int(arguments.run(arguments))
    except ReportError as fault:
        print(f"report: {fault}", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:  # `report tables ... | head`
        sys.stderr.close()
        return 0
