"""Tables of papers: what stands in a cell, what is marked, and that nothing in a name breaks what is written."""

import csv
import io
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from parakh import published, registry, tracks
from parakh.evaluate import evaluate
from parakh.report import figures, tables
from parakh.report.inputs import Inputs
from parakh.report.tables import Cell, Column, Row, Table, TableKind
from parakh.report.tables._columns import column_decimals
from parakh.results import RecordingResult, Results, Score, Signature, Stats, total
from parakh.types import Recording, Segment
from parakh.typeset import latex
from tests.figures import diarized

PAPERS = Path(__file__).parent.parent.parent / "examples" / "published"
EVIL = 'a & b_c% #1 $x^2$ {~} \\input{x} "q" <b>|`--[कख]*'


def recordings(rate, wobble=0.0, count=12):
    """(miss, false alarm, confusion) in seconds of recordings of 100 s."""
    return {f"r{k:02}": (rate + wobble * (k % 3 - 1), 0.0, 0.0) for k in range(count)}


def spread(system, rates):
    return diarized(system, {f"r{k:02}": (rate, 1.0, 0.0) for k, rate in enumerate(rates)})


@pytest.fixture(scope="module")
def three():
    """Near is not told apart from best (it wins on six of twelve recordings), far is worse on all."""
    base = [10, 12, 14, 9, 11, 13, 10, 12, 14, 9, 11, 13]
    near = [rate + (2 if k % 2 else -1.5) for k, rate in enumerate(base)]
    return [spread("best", base), spread("near", near), spread("far", [rate + 8 for rate in base])]


def column(table, name):
    place = [one.name for one in table.columns].index(name)
    return {row.label: row.cells[place] for row in table.rows}


def test_the_best_is_marked_and_what_is_not_told_apart_from_it(three):
    table = tables.make("systems", Inputs(tuple(three)))
    cells = column(table, "der")
    assert {name: (cell.best, cell.tied) for name, cell in cells.items()} == {
        "best": (True, False),
        "near": (False, True),
        "far": (False, False),
    }
    assert cells["best"].value == pytest.approx((138 + 12) / 1200)
    assert all(cell.interval[0] < cell.value < cell.interval[1] for cell in cells.values())
    text = tables.written(table, ".md")
    assert re.search(r"\| near \| 12\.\d+† \\\[", text)
    assert "†: not told apart from the best (paired permutation test on the recordings that both have" in text
    assert "Values are of 12 recordings." in text


def test_intervals_are_of_the_level_that_the_note_says(three):
    def of(level):
        signature = Signature({"interval": f"bca bootstrap over recordings, {level} %, n=10000, seed=1"})
        score = replace(three[0].metrics["der"], interval=(0.1, 0.2))
        given = replace(three[0], signature=signature, metrics={"der": score})
        return column(tables.make("systems", Inputs((given,))), "der")["best"].interval

    assert of(95) == (0.1, 0.2)
    made = column(tables.make("systems", Inputs((three[0],))), "der")["best"].interval
    assert of(90) == made != (0.1, 0.2)


def test_rates_beside_figures_in_other_units_are_in_percent_all_the_same(three):
    counted = {"der": three[0].metrics["der"], "speaker_count": Score(1.5, Stats(errors=3, recordings=2))}
    table = tables.make("systems", Inputs((replace(three[0], recordings=(), metrics=counted),)))
    assert [one.scale for one in table.columns] == [100.0, 1.0]
    assert table.notes[0].startswith("Rates in %")


def test_published_figures_are_marked_and_never_tested(three):
    paper = Results("diarization", "paper", Signature({"published": "a paper", "set": "AMI"}), {"der": Score(0.01, Stats())}, ())
    table = tables.make("systems", Inputs((*three, paper)))
    cells = column(table, "der")
    assert cells["paper"] == Cell(0.01, None, best=True)
    assert not any(cell.tied for cell in cells.values())  # nothing can be tested against the best
    text = tables.written(table, ".md")
    assert r"| paper\* | **1" in text
    assert "†" not in text
    assert r"\*: published figures, on the recordings of their source and never tested: a paper, on AMI." in text


def test_only_recordings_that_all_have_are_averaged_and_they_are_named(three):
    fewer = diarized("fewer", recordings(20, count=8), language={f"r{k:02}": "hi" for k in range(8)})
    table = tables.make("systems", Inputs((three[0], fewer)))
    first = sum(one.stats["der"]["miss"] + 1 for one in three[0].recordings[:8]) / 800
    assert column(table, "der")["best"].value == pytest.approx(first)
    assert "Values are of the 8 recordings that all were scored on; each was scored on: best 12, fewer 8." in table.notes


def test_choices_that_differ_leave_no_best(three):
    other = replace(three[1], signature=Signature({"track": "diarization", "collar": "0.25"}))
    table = tables.make("systems", Inputs((three[0], other)))
    assert not any(cell.best or cell.tied for row in table.rows for cell in row.cells)
    third = tables.make("systems", Inputs((three[0], other, three[2])))
    assert not any(cell.best for cell in column(third, "der").values())
    assert any(line.startswith("near is not compared: collar 0.25, not nothing") for line in third.notes)
    assert "Diarization: no choices | collar 0.25." in third.notes


@pytest.mark.parametrize(("half", "decimals"), [(0.12, 0), (0.09, 0), (0.034, 1), (0.02, 1), (0.0034, 2), (0.0002, 2), (1e-9, 2)])
def test_decimals_are_what_the_interval_supports(half, decimals):
    # Of percent: half the width keeps two digits up to 3.5, one above it, and there are never more than two decimals.
    assert column_decimals([Cell(0.5, (0.5 - half, 0.5 + half)), Cell(0.3, (0.0, 1.0))], 100) == decimals


def test_without_intervals_figures_keep_their_digits():
    assert column_decimals([Cell(0.46), Cell(0.4)], 100) == 0
    assert column_decimals([Cell(0.46), Cell(0.1863), Cell(None)], 100) == 2
    assert column_decimals([Cell(0.46), Cell(0.4)], 1) == 2


def test_the_tables_of_the_challenge_have_the_form_of_its_paper():
    inputs = Inputs(tuple(published.load([str(PAPERS / "displace-m.toml")])))
    asr = tables.written(tables.make("challenge-asr", inputs), ".tex").splitlines()
    assert r"system & CER $\downarrow$ & WER $\downarrow$ & tcpWER $\downarrow$ \\" in asr
    assert r"best team* & \textbf{10.59} & \textbf{18.15} & \textbf{18.63} \\" in asr
    assert r"Gemini 2.5 Pro* & 10.76 & 19.60 & n/a \\" in asr
    text = tables.written(tables.make("challenge-text", inputs), ".tex").splitlines()
    assert r" & \multicolumn{2}{c}{topics} & \multicolumn{1}{c}{summarization} \\" in text
    assert r"\cmidrule(lr){2-3}\cmidrule(lr){4-4}" in text
    assert r"best team* & \textbf{0.46} & \textbf{0.44} & 0.20 \\" in text


def test_a_set_has_its_columns_where_two_are_named():
    def of(where, wer):
        choices = Signature({"published": "a paper", "set": where})
        return Results("asr", "x", choices, {"wer": Score(wer, Stats())}, ())

    table = tables.make("challenge-asr", Inputs((of("dev", 0.2), of("eval", 0.3))))
    assert [(one.group, one.heading) for one in table.columns] == [("dev", "WER"), ("eval", "WER")]
    assert [cell.value for cell in table.rows[0].cells] == [0.2, 0.3]


def test_the_table_of_diarbench_has_a_block_a_condition(three):
    def cut(one):
        halves = {"near-field": one.recordings[:6], "far-field": one.recordings[6:]}
        held = tuple(
            replace(each, slices={"condition": (name,)}, speaker_slices={}, seconds=seconds[each.id])
            for name, own in halves.items()
            for each in own
        )
        scores = {}
        for name, own in halves.items():
            stats = total([each.stats["der"] for each in own])
            value = (stats["miss"] + stats["false_alarm"]) / stats["scored"]
            scores[name] = {"der": Score(value, stats, {"miss": stats["miss"] / stats["scored"]})}
        return replace(one, recordings=held, slices={"condition": scores})

    seconds = {f"r{k:02}": 60.0 * (1 + k) for k in range(12)}
    cuts = tuple(map(cut, three))
    table = tables.make("diarbench", Inputs(cuts))
    assert [row.group for row in table.rows] == ["near-field"] * 3 + ["far-field"] * 3 + ["overall"] * 3
    assert [one.heading for one in table.columns] == ["DER", "miss", "FA", "conf."]
    # Of best, 10 12 14 9 11 13 s missed and 1 s invented of 100 s; the six recordings weigh 1 to 6.
    missed = sum((1 + k) * rate for k, rate in enumerate([10, 12, 14, 9, 11, 13])) / 21 / 100
    assert [cell.value for cell in table.rows[0].cells] == pytest.approx([missed + 0.01, missed, 0.01, 0.0])
    for row in table.rows:
        assert sum(cell.value for cell in row.cells[1:]) == pytest.approx(row.cells[0].value)
    assert any(line.startswith("Recordings weigh by their duration") for line in table.notes)
    fewer = replace(cuts[1], recordings=cuts[1].recordings[2:])  # weighs only what all have
    uneven = tables.make("diarbench", Inputs((cuts[0], fewer)))
    missed = sum((1 + k) * rate for k, rate in enumerate([10, 12, 14, 9, 11, 13]) if k > 1) / 18 / 100
    assert uneven.rows[0].cells[1].value == pytest.approx(missed)
    unknown = replace(cuts[0], recordings=(replace(cuts[0].recordings[0], seconds=None), *cuts[0].recordings[1:]))
    summed = tables.make("diarbench", Inputs((unknown,)))
    assert summed.rows[0].cells[1].value == pytest.approx(69 / 600)
    assert "the durations of recordings by which they would weigh are not known of all" in " ".join(summed.notes)


def test_each_track_says_which_recordings_its_values_are_of(three):
    def asr(one, held):
        stats = Stats(errors=1, length=10)
        rows = tuple(RecordingResult(f"a{k}", {"wer": 0.1}, {"wer": stats}) for k in held)
        return Results("asr", one, Signature({}), {"wer": Score(0.1, total([stats] * len(held)))}, rows)

    fewer = replace(three[1], recordings=three[1].recordings[:8])
    notes = tables.make("systems", Inputs((three[0], fewer, asr("best", range(3)), asr("near", range(1, 4))))).notes
    assert "Diarization: values are of the 8 recordings that all were scored on; each was scored on: best 12, near 8." in notes
    assert "ASR: values are of the 2 recordings that all were scored on; each was scored on: best 3, near 3." in notes
    notes = tables.make("systems", Inputs((asr("best", range(3)), asr("near", range(3, 6))))).notes
    assert "Values are of different recordings: best 3, near 3." in notes


def test_slices_and_recordings_have_a_column_a_system(three):
    def cut(one):
        held = tuple(replace(each, slices={"language": ("hi" if k < 6 else "kn",)}) for k, each in enumerate(one.recordings))
        scores = {}
        for name, own in (("hi", held[:6]), ("kn", held[6:])):
            stats = total([each.stats["der"] for each in own])
            scores[name] = {"der": Score((stats["miss"] + stats["false_alarm"]) / stats["scored"], stats)}
        return replace(one, recordings=held, slices={"language": scores})

    inputs = Inputs(tuple(map(cut, three)))
    slices = tables.make("slices", inputs)
    assert [(row.group, row.label) for row in slices.rows] == [("language", "hi"), ("language", "kn")]
    assert [(one.group, one.heading) for one in slices.columns] == [("DER", "best"), ("DER", "near"), ("DER", "far")]
    assert slices.rows[0].cells[0].value == pytest.approx((69 + 6) / 600)
    assert "Bold: the best of a row." in slices.notes
    each = tables.make("recordings", inputs)
    assert len(each.rows) == 12
    assert [cell.best for cell in each.rows[0].cells] == [False, True, False]  # 8.5 against 10 and 18
    assert tables.make("slices", Inputs(tuple(three))) is None


def test_a_slice_is_compared_where_systems_lack_recordings_of_another():
    said = [Segment(f"v{k}", "a", 0.0, 4.0, "बुखार कब से है") for k in range(12)]
    known = [Recording(f"v{k}", language="hi" if k < 8 else "kn") for k in range(12)]
    heard = [replace(turn, words="बुखार कब से था") for turn in said]
    given = {"metrics": ["wer"], "recordings": known, "slice_by": ["language"]}
    ours = evaluate(tracks.get("asr"), said, said, system="ours", **given)
    theirs = evaluate(tracks.get("asr"), said, heard[:10], system="theirs", skip_missing=True, **given)
    table = tables.make("slices", Inputs((ours, theirs)))
    assert [[cell.value for cell in row.cells] for row in table.rows] == [[0.0, 0.25], [0.0, 0.25]]
    assert [[cell.best for cell in row.cells] for row in table.rows] == [[True, False], [True, False]]
    assert not any("not compared" in line for line in table.notes)


def test_csv_holds_every_digit_and_no_formula(three):
    hostile = replace(three[0], system="=1+1")
    table = tables.make("systems", Inputs((hostile, *three[1:])))
    rows = list(csv.DictReader(io.StringIO(tables.written(table, ".csv"))))
    assert rows[0]["system"] == "'=1+1"
    cell = table.rows[0].cells[0]
    assert (float(rows[0]["der"]), float(rows[0]["der_low"])) == (cell.value, cell.interval[0])


def hostile_table():
    columns = (Column("der", "DER"), Column("x", EVIL, EVIL))
    rows = tuple(Row(label, (Cell(0.5, (0.4, 0.6), best=True), Cell(None, tied=True)), EVIL) for label in (EVIL, "[x]", "*"))
    return Table("t", EVIL, EVIL, columns, rows, (EVIL, "नमस्ते"))


def test_no_name_breaks_latex(tmp_path):
    text = tables.written(hostile_table(), ".tex")
    bare = re.sub(r"\\[&%#_{}$\\]", "", re.sub(r"\\[a-zA-Z]+", "", text))
    assert bare.count("{") == bare.count("}")
    assert not re.search("[#^_~]|(?<!\\\\)%(?! )", re.sub(r"\$\^\{\}\$|\$\$", "", bare))
    lines = [line for line in text.splitlines() if line.endswith("\\\\") and "multicolumn" not in line]
    assert {len(re.findall(r"(?<!\\)&", line)) for line in lines} == {2}
    assert "कख" in text
    assert "-{}-" in text  # two hyphens stay two
    assert latex("--- '' ,,") == "-{}-{}- '{}' ,{},"
    assert sum(line.startswith(("{}[x] &", "{}* &")) for line in lines) == 2  # after a line's end a bracket is an option
    assert "input{x}" not in re.sub(r"\\\{|\\\}", "", text).replace("textbackslash{}", "")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles_with_booktabs_alone(tmp_path):
    table = hostile_table()
    ascii_only = replace(table, notes=table.notes[:1])
    text = re.sub("[\u0900-\u097f]", "x", tables.written(ascii_only, ".tex"))
    document = f"\\documentclass{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{text}\\end{{document}}\n"
    (tmp_path / "t.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout[-2000:]


def test_no_name_breaks_markdown():
    lines = tables.written(hostile_table(), ".md").splitlines()
    bars = {len(re.findall(r"(?<!\\)\|", line)) for line in lines if line.startswith("|")}
    assert bars == {4}
    assert not re.search(r"(?<!\\)<b", "\n".join(lines))


@pytest.mark.parametrize("name", registry.names("table"))
def test_every_table_declares_itself_and_has_nothing_to_say_of_nothing(name):
    module = registry.load("table", name)
    assert isinstance(module.TABLE, TableKind)
    assert module.TABLE.title
    assert module.table(Inputs(())) is None


def test_what_a_system_has_no_answer_for_is_told():
    said = [Segment(f"v{k}", "A", 0.0, 4.0) for k in range(9)]
    made = [evaluate(tracks.get("diarization"), said, said[:count], system=f"s{count}", metrics=["der"]) for count in (9, 7)]
    for name in ("systems", "recordings"):
        assert "Without an answer, charged in full: s7 2 recordings." in tables.make(name, Inputs(tuple(made))).notes
    notes = figures.chart("ranks", Inputs(tuple(made))).notes
    assert [note for note in notes if "charged in full" in note] == ["Without an answer, charged in full: s7 2 recordings."]


def test_nothing_is_marked_where_no_test_could_tell_systems_apart():
    base = [10, 12, 14, 9, 11, 13]
    five, six = ([spread(f"s{step}", [rate + step for rate in base[:count]]) for step in (0, 1)] for count in (5, 6))
    for made, tested in ((five, False), (six, True)):
        table = tables.make("systems", Inputs(tuple(made)))
        assert column(table, "der")["s0"].best
        assert not column(table, "der")["s1"].tied
        told = " ".join(table.notes)
        assert ("†" in told) is tested
        assert ("too few for a paired permutation test" in told) is not tested
