"""perf/report: what its figures mean, when a target holds, and what it does with input that is missing or wrong."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True  # the source tree is not where tests write
sys.path[:0] = [str(ROOT / "perf"), str(Path(__file__).resolve().parent)]

from report_parts import aggregates, command_line, fits, judgement, measurements, names  # noqa: E402
from results import row, write, write_ladder  # noqa: E402


def run(*words: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the tool."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = command_line.main([str(word) for word in words])
    return code, out.getvalue(), err.getvalue()


class ReportTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def verdict(self, name: str, folder: Path) -> judgement.Verdict:
        return next(one for one in judgement.judge(measurements.read_folder(folder)) if one.name == name)


class Targets(ReportTest):
    def test_p2_is_the_geometric_mean_over_sizes_and_fails_for_one_that_is_below_1(self) -> None:
        folder = write(self.folder, [row(1 << 10, 1, 1.0, width=0.001), row(1 << 20, 1, 4.0, width=0.001),
                                     row(1 << 26, 1, 9.0, width=0.001)])  # above 2^24: not P2's
        verdict = self.verdict("P2", folder)
        self.assertAlmostEqual(verdict.figure.value, 2.0)
        self.assertTrue(verdict.holds(1.15))
        write(folder, [row(1 << 10, 1, 0.9, width=0.001), row(1 << 20, 1, 4.0, width=0.001)])
        self.assertFalse(self.verdict("P2", folder).holds(1.15))

    def test_the_mean_s_interval_is_narrower_than_the_rows(self) -> None:
        rows = measurements.read_rows(write(self.folder, [row(1 << k, 1, 1.5, width=0.1) for k in range(10, 14)]) / "reduce.csv")
        figure = aggregates.geometric_mean(rows)
        self.assertAlmostEqual(figure.low, 1.5 * math.exp(math.log(0.9) / 2))
        self.assertLess(1.35, figure.low)

    def test_a_figure_holds_where_its_interval_ends_within_1_percent(self) -> None:
        interval = measurements.Interval(0.99, 1.2)
        self.assertTrue(aggregates.Figure(1.1, interval).holds(1.0))
        self.assertFalse(aggregates.Figure(1.1, interval).holds(1.01))
        self.assertTrue(aggregates.Figure(1.0, None).holds(1.01))

    def test_the_better_baseline_is_picked_for_each_configuration(self) -> None:
        folder = write(self.folder, [row(1 << 10, 1, 1.3, version="3.0.1"), row(1 << 10, 1, 1.2, version="3.5.0"),
                                     row(1 << 20, 1, 1.4, version="3.0.1"), row(1 << 20, 1, 1.6, version="3.5.0"),
                                     row(1 << 20, 1, 1.0, baseline="cub_gpu_to_gpu")])
        rows = aggregates.compared(measurements.read_rows(folder / "reduce.csv"), names.is_cub)
        self.assertEqual([one.ratio for one in aggregates.against_the_better(rows)], [1.2, 1.4])
        self.assertAlmostEqual(self.verdict("P2", folder).figure.value, math.sqrt(1.2 * 1.4))

    def test_a_target_of_which_a_part_is_not_measured_says_so(self) -> None:
        folder = write(self.folder, [row(1 << k, 1, 1.1, mode="stream") for k in (26, 28)])
        self.assertEqual(self.verdict("P1", folder).missing, ["sum f32 2^30", "sum i32", "sum f64", "sum i64"])
        self.assertIn("| 1.00 so far |", run("tables", folder)[1])
        self.assertIsNone(self.verdict("P3", folder).figure)

    def test_of_several_types_the_worst_counts(self) -> None:
        folder = write(self.folder, [row(1 << 20, 1, 1.2, input_type="f16"), row(1 << 20, 1, 1.05, input_type="bf16")])
        self.assertEqual(self.verdict("P5", folder).figure.value, 1.05)

    def test_p7_holds_pointer_1_on_a_stream_against_our_own_aligned_call_apart_from_the_graph(self) -> None:
        both = {"case": "P7", "source": "pointer+1", "baseline": "preduce_aligned"}
        folder = write(self.folder, [row(1 << 20, 1, 1.0, mode="graph", **both), row(1 << 20, 1, 0.9, mode="stream", **both),
                                     row(1 << 28, 1, 0.9, mode="stream", **both),
                                     row(1 << 28, 1, 2.0, mode="stream", source="pointer+1")])  # over CUB: another clause's
        of = {one.what: one for one in judgement.judge(measurements.read_folder(folder)) if one.name == "P7"}
        graph, stream = of["pointer+1 over an aligned pointer, every element size"], of["the same, issued on a stream"]
        self.assertEqual((graph.figure.value, graph.holds(0.97)), (1.0, True))
        self.assertAlmostEqual(stream.figure.value, 0.9)
        self.assertFalse(stream.holds(0.97))
        self.assertEqual(len(stream.missing), 3)  # of the four element sizes

    def test_compile_time_is_better_when_less(self) -> None:
        folder = write(self.folder, [row(1 << 20, 1, 1.2)])
        (folder / "compile_time.txt").write_text("seconds wall processor\nratio    0.50   0.36   (limit 0.4)\n")
        verdict = self.verdict("P13", folder)
        self.assertEqual((verdict.holds(0.4), verdict.holds(0.3)), (True, False))


class Reading(ReportTest):
    def test_a_file_with_long_names_and_nothing_beside_it_is_read(self) -> None:
        old = row(1 << 20, 1, 1.2, input_type="float32", baseline="cub::DeviceReduce")
        folder = write(self.folder, [old])
        read = measurements.read_folder(folder)
        self.assertEqual((read.rows[0].configuration.input_type, read.rows[0].baseline), ("f32", "cub"))
        self.assertIsNone(read.rows[0].ratio_95)
        self.assertEqual(run("tables", folder)[0], 0)

    def test_unusable_input_is_one_sentence_and_exit_code_2(self) -> None:
        empty = self.folder / "empty"
        empty.mkdir()
        broken = write(self.folder / "broken", [row(1 << 20, 1, 1.2, preduce_us="fast")])
        no_rows = write(self.folder / "no_rows", [])
        other = self.folder / "other"
        other.mkdir()
        (other / "reduce.csv").write_text("a,b\n1,2\n")
        bad_facts = write(self.folder / "facts", [row(1 << 20, 1, 1.2)])
        (bad_facts / "reduce.json").write_text("{")
        for folder in (self.folder / "absent", empty, broken, no_rows, other, bad_facts):
            with self.subTest(folder=folder.name):
                code, out, err = run("tables", folder)
                self.assertEqual((code, out, err.count("\n")), (2, "", 1))
                self.assertIn("report: ", err)


    def test_two_rows_of_one_key_are_refused_by_every_command(self) -> None:
        twice = write(self.folder / "twice", [row(1 << 20, 1, 1.2), row(1 << 10, 1, 1.2), row(1 << 20, 1, 1.3)])
        for words in (("tables", twice), ("plots", twice), ("compare", twice, twice)):
            with self.subTest(command=words[0]):
                if words[0] == "plots" and importlib.util.find_spec("matplotlib") is None:
                    continue
                self.assertEqual(run(*words), (2, "", f"report: {twice}/reduce.csv has two rows for sum f32 pointer n=2^20 "
                                                      "automatic graph cub 3.0.1\n"))
        spread = write(self.folder / "spread", [row(1 << 20, 1, 1.2, width=0.1)]) / "reduce.spread.csv"
        spread.write_text(spread.read_text() + spread.read_text().splitlines()[1] + "\n")
        code, out, err = run("tables", spread.parent)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("reduce.spread.csv has two rows for sum f32", err)

    def test_a_cut_last_line_is_said_to_be_incomplete(self) -> None:
        folder = write(self.folder, [row(1 << k, 1, 1.2, width=0.1) for k in (10, 11)])
        write_ladder(folder)
        for name, fields in (("reduce.csv", 12), ("reduce.spread.csv", 11), ("ladder.csv", 4)):
            with self.subTest(file=name):
                path = folder / name
                whole = path.read_text()
                lines = whole.splitlines()
                path.write_text("\n".join(lines[:-1] + [",".join(lines[-1].split(",")[:fields])]))
                columns = len(lines[0].split(","))
                self.assertEqual(run("tables", folder), (2, "", f"report: {path}, line {len(lines)} is incomplete: it has "
                                                                f"{fields} of {columns} columns\n"))
                path.write_text(whole)

    def test_a_compile_time_that_cannot_be_read_is_not_taken_for_none(self) -> None:
        folder = write(self.folder, [row(1 << 20, 1, 1.2)])
        path = folder / "compile_time.txt"
        for text in ("", "nonsense\n", "ratio 0.40\n0.3\n", "ratio  0.40  (limit 0.4)\n", "ratio 0.40 0\n", "ratio 0.4 1.2.3\n",
                     "ratio 0.4 nan\n", "ratio\xff"):
            with self.subTest(text=text):
                path.write_bytes(text.encode("latin-1"))
                self.assertEqual(run("tables", folder), (2, "", f"report: {path} is not what perf/compile_time.sh prints: it has "
                                                                'no line "ratio WALL PROCESSOR"\n'))
        path.unlink()
        self.assertEqual(run("tables", folder)[0], 0)
        self.assertIsNone(self.verdict("P13", folder).figure)

    def test_rows_without_intervals_are_noted_and_used(self) -> None:
        some = write(self.folder / "some", [row(1 << 10, 1, 1.2, width=0.1), row(1 << 11, 1, 1.2), row(1 << 12, 1, 1.2)])
        none = write(self.folder / "none", [row(1 << 10, 1, 1.2)])
        whole = write(self.folder / "whole", [row(1 << 10, 1, 1.2, width=0.1)])
        of_some = f"report: note: {some}/reduce.spread.csv lacks intervals of 2 of 3 rows, the first sum f32 pointer n=2^11 " \
                  "automatic graph\n"
        of_none = f"report: note: {none}/reduce.spread.csv does not exist: no row of reduce.csv has an interval\n"
        for folder, note in ((some, of_some), (none, of_none), (whole, "")):
            code, out, err = run("tables", folder)
            self.assertEqual((code, err), (0, note))
            self.assertIn("| 2^10 | 1.00 | 1.20 |", out)
        code, _, err = run("compare", some / "reduce.csv", none)
        self.assertEqual((code, err), (0, of_some + of_none))


class Fits(unittest.TestCase):
    def test_the_fit_finds_the_constants_that_made_the_times(self) -> None:
        volumes = [4.0 * (1 << k) for k in range(10, 31)]
        found = fits.fit(volumes, [1.5 + volume / (4500 * 1e3) for volume in volumes])
        self.assertAlmostEqual(found.a, 1.5, places=6)
        self.assertAlmostEqual(found.b, 4500, places=3)
        self.assertLess(found.worst_error, 1e-9)

    def test_two_sizes_or_a_constant_time_have_none(self) -> None:
        self.assertIsNone(fits.fit([1, 2], [1, 2]))
        self.assertIsNone(fits.fit([1e3, 1e6, 1e9], [5, 5, 5]))


class Documents(ReportTest):
    def setUp(self) -> None:
        super().setUp()
        (self.folder / "docs").mkdir()
        for document in ("README.md", "docs/performance.md", "docs/ladder.md"):
            shutil.copy(ROOT / document, self.folder / document)
        self.results = write(self.folder / "results", [row(1 << k, 1 + k / 9, 1.25) for k in range(10, 25, 2)])

    def text(self, document: str) -> str:
        return (self.folder / document).read_text(encoding="utf-8")

    def test_writing_twice_changes_nothing_the_second_time(self) -> None:
        write_ladder(self.results)
        self.assertEqual(run("tables", self.results, "--write", "--root", self.folder)[0], 0)
        once = [self.text(one) for one in ("README.md", "docs/performance.md", "docs/ladder.md")]
        self.assertIn("| 2^10 | 2.11 | 1.25 |", once[0])
        self.assertIn("| `last_block` |", once[2])
        code, out, _ = run("tables", self.results, "--write", "--root", self.folder)
        self.assertEqual((code, out.count("unchanged")), (0, 3))
        self.assertEqual(once, [self.text(one) for one in ("README.md", "docs/performance.md", "docs/ladder.md")])

    def test_without_a_ladder_its_page_stays(self) -> None:
        run("tables", self.results, "--write", "--root", self.folder)
        self.assertEqual(self.text("docs/ladder.md"), (ROOT / "docs/ladder.md").read_text(encoding="utf-8"))

    def test_a_lost_marker_leaves_every_document_as_it_was(self) -> None:
        page = self.folder / "docs/performance.md"
        page.write_text(self.text("docs/performance.md").replace("<!-- report:fits -->", ""), encoding="utf-8")
        before = self.text("README.md"), self.text("docs/performance.md")
        code, _, err = run("tables", self.results, "--write", "--root", self.folder)
        self.assertEqual(code, 2)
        self.assertIn("report:fits", err)
        self.assertEqual(before, (self.text("README.md"), self.text("docs/performance.md")))


class Compare(ReportTest):
    def compare(self, old: list[dict[str, object]], new: list[dict[str, object]], *words: str) -> tuple[int, str, str]:
        return run("compare", write(self.folder / "old", old), write(self.folder / "new", new), *words)

    def test_0_within_noise_and_where_faster(self) -> None:
        self.assertEqual(self.compare([row(1024, 1.00, 1.20)], [row(1024, 1.02, 1.18)])[0], 0)
        code, out, _ = self.compare([row(1024, 1.00, 1.20)], [row(1024, 0.80, 1.50)])
        self.assertEqual(code, 0)
        self.assertIn("0 slower, 1 faster", out)

    def test_1_where_the_ratio_fell(self) -> None:
        code, out, _ = self.compare([row(1024, 1, 1.2)], [row(1024, 1, 1.1)])
        self.assertEqual(code, 1)
        self.assertIn("slower  sum f32 pointer n=2^10 automatic graph", out)
        self.assertEqual(self.compare([row(1024, 1, 1.2)], [row(1024, 1, 1.1)], "--noise", "0.2")[0], 0)

    def test_a_slower_machine_is_no_regression_where_the_baseline_is_the_same(self) -> None:
        self.assertEqual(self.compare([row(1024, 1, 1.2)], [row(1024, 2, 1.2)])[0], 0)

    def test_1_where_the_time_grew_and_there_is_no_common_baseline(self) -> None:
        self.assertEqual(self.compare([row(1024, 1)], [row(1024, 1.1)])[0], 1)
        code, out, _ = self.compare([row(1024, 1, 1.2, version="3.0.1")], [row(1024, 1.1, 1.2, version="3.5.0")])
        self.assertEqual(code, 1)
        self.assertIn("us 1.00 -> 1.10", out)

    def test_intervals_widen_the_noise(self) -> None:
        self.assertEqual(self.compare([row(1024, 1, 1.2, width=0.1)], [row(1024, 1, 1.1, width=0.1)])[0], 0)

    def test_rows_without_partner_are_counted(self) -> None:
        code, out, _ = self.compare([row(1024, 1, 1.2), row(2048, 1, 1.2)], [row(1024, 1, 1.2), row(4096, 1, 1.2)])
        self.assertEqual(code, 0)
        self.assertIn("2 rows have no partner", out)

    def test_files_that_name_their_cases_differently_are_matched(self) -> None:
        code, out, _ = self.compare([row(1024, 1, 1.2)], [row(1024, 1, 1.1, case="P2"), row(1024, 1, 1.1, case="P3")])
        self.assertEqual(code, 1)
        self.assertIn("1 rows compared: 1 slower", out)

    def test_2_for_unusable_input(self) -> None:
        self.assertEqual(self.compare([row(1024, 1, 1.2)], [row(2048, 1, 1.2)])[0], 2)
        self.assertEqual(self.compare([row(1024, 1, 1.2)] * 2, [row(1024, 1, 1.2)])[0], 2)
        self.assertEqual(run("compare", self.folder / "old", self.folder / "absent")[0], 2)


class Program(ReportTest):
    """perf/report itself, which looks for a Python that has matplotlib: it may be another than this one."""

    def program(self, *words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([ROOT / "perf/report", *map(str, words)], capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})

    def test_exit_codes_come_through(self) -> None:
        write(self.folder, [row(1024, 1, 1.2)])
        self.assertEqual(self.program("tables", self.folder).returncode, 0)
        self.assertEqual(self.program("compare", self.folder, self.folder / "absent").returncode, 2)
        self.assertEqual(self.program("nonsense").returncode, 2)

    def test_every_plot_is_drawn_and_small(self) -> None:
        rows = [row(1 << k, 1 + (1 << k) / 1e6, 1.25, version=version, mode=mode, width=0.05)
                for k in range(10, 25) for version in ("3.0.1", "3.5.0") for mode in ("graph", "stream", "host")]
        rows += [row(1 << k, 2 + (1 << k) / 1e6, 1.1, policy="last_block") for k in range(10, 25)]
        write_ladder(write(self.folder, rows))
        facts = {"gpu": "a GPU", "date": "today", "l2_bytes": 1e6, "rated_gbps": 4800, "read_ceiling_gbps": 4500}
        (self.folder / "reduce.json").write_text(json.dumps(facts), encoding="utf-8")
        done = self.program("plots", self.folder)
        if "matplotlib" in done.stderr and done.returncode == 2:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = [Path(line) for line in done.stdout.splitlines()]
        self.assertEqual({path.stem for path in drawn}, {"bandwidth", "time", "ratio", "policies", "fits", "ladder"})
        for path in drawn:
            self.assertEqual(path.read_bytes()[:4], b"\x89PNG")
            self.assertLess(path.stat().st_size, 150_000)


if __name__ == "__main__":
    unittest.main()
