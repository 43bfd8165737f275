"""What notebooks and consoles show: everything that is there, escaped, without scripts, and in a console's width."""

import re
from dataclasses import replace

import pytest

import parakh
from parakh.alignment import Alignment, from_detail
from parakh.display import alignment_html, recording_html, results_html
from parakh.errors import InputError, UnknownNameError
from parakh.results import RecordingResult, Results, Score, Signature, Stats
from parakh.types import AlignedWord, Finding, Op, Segment
from tests.pages import Page

ELEMENTS = {
    *[
        "div",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "b",
        "ul",
        "li",
        "details",
        "summary",
        "code",
        "span",
        "mark",
        "del",
        "ins",
        "s",
        "svg",
        "text",
        "path",
        "title",
    ]
}
EVIL = "</td><script>alert(1)</script><b>\"'&\ud800"


@pytest.fixture(scope="module")
def examples() -> dict[str, Results]:
    """The bundled conversations, scored on two tracks."""
    folder = parakh.examples_path()
    answers = folder / "challenge" / "systems" / "embedded"
    given = {
        "asr": (folder / "transcripts", answers / "seglst"),
        "diarization": (folder / "rttm", answers / "rttm"),
        "topics": (folder / "topics.csv", answers / "topics"),
    }
    return {
        track: parakh.score(track, *pair, metadata=folder, slice_by=["language"], interval=95, detail=True, system="embedded")
        for track, pair in given.items()
    }


def test_a_notebook_shows_metrics_intervals_slices_the_worst_recordings_findings_and_the_signature(examples):
    page = results_html(examples["asr"])
    score = examples["asr"].metrics["tcpwer"]
    assert score.interval is not None
    for told in (f"{100 * score.value:.2f}", f"[{100 * score.interval[0]:.2f}, ", "language", "macro", "collar:3.0"):
        assert told in page
    worst = examples["asr"].worst(1)[0]
    assert page.index("worst recordings") < page.index(worst.id)
    assert "<script" not in page
    assert "<style" not in page


def test_hostile_names_are_text_in_every_display():
    steps = [AlignedWord(op, EVIL, EVIL, 0, 0, EVIL, EVIL) for op in Op]
    row = RecordingResult(EVIL, {"der": 0.5}, {}, (Finding("x", EVIL),), {"alignment": [vars_of(step) for step in steps]})
    turns = replace(row, detail={"mapping": {}, "reference": [[EVIL, 0.0, 1.0]], "hypothesis": [[EVIL, 0.0, 1.0]]})
    texts = replace(row, detail={"reference": [EVIL], "hypothesis": None})
    score = Score(0.5, Stats(), {EVIL: 0.1})
    results = Results("asr", EVIL, Signature({EVIL: EVIL}), {"der": score}, (row,), slices={EVIL: {EVIL: {"der": score}}})
    for shown in (results_html(results), *map(recording_html, (row, turns, texts)), alignment_html(Alignment(steps))):
        assert not Page(shown).open
        assert set(re.findall("<([a-z]+)", shown)) <= ELEMENTS
        assert shown.encode()
        assert "<b>\"'" not in shown


def vars_of(step: AlignedWord) -> dict[str, object]:
    return {name: getattr(step, name) for name in AlignedWord.__dataclass_fields__}


def test_what_a_console_shows_fits_it_and_obeys_no_control_character(examples):
    hostile = replace(examples["asr"], system="\x1b[2J" + "long " * 60)
    for shown in (repr(examples["asr"]), repr(examples["diarization"]), repr(hostile), repr(hostile.worst(1)[0])):
        assert max(map(len, shown.splitlines())) <= 80
        assert len(shown.splitlines()) < 24
        assert "\x1b" not in shown


def test_an_alignment_is_the_list_that_a_metric_gives_and_shows_what_became_of_each_word():
    from parakh.metrics import tcpwer

    said = [Segment("v1", "asha", 0.0, 2.0, "दवा लो"), Segment("v1", "ravi", 2.0, 4.0, "یہ دوا ہے")]
    heard = [Segment("v1", "p", 0.0, 2.0, "दवा लें"), Segment("v1", "q", 2.0, 4.0, "یہ ہے"), Segment("v1", "q", 9.0, 10.0, "जी")]
    found = tcpwer.align(said, heard)
    assert isinstance(found, list)
    assert [str(step.op) for step in found if step.op is not Op.MATCH] == ["substitution", "deletion", "insertion"]
    page = alignment_html(found)
    assert re.search(r"<mark [^>]+><s [^>]+>लो</s> लें</mark>", page)
    assert re.search(r"<del [^>]+>دوا</del>", page)
    assert re.search(r"<ins [^>]+>जी</ins>", page)
    assert 'lang="ur" dir="rtl"' in page
    assert [line.speaker for line in found.lines()] == ["asha", "ravi", None]
    assert "0:02.0 ravi as q: یہ [- دوا] ہے" in repr(found)


def test_the_alignment_that_results_keep_is_the_one_that_was_counted(examples):
    row = examples["asr"].worst(1)[0]
    counts = row.alignment().counts()
    assert counts[Op.SUBSTITUTION] == row.stats["tcpwer"]["substitutions"]
    assert counts[Op.DELETION] == row.stats["tcpwer"]["deletions"]
    assert counts[Op.INSERTION] == row.stats["tcpwer"]["insertions"]
    again = from_detail(Results.from_json(examples["asr"].to_json()).recording(row.id).detail["alignment"])
    assert again == row.alignment()


def test_recordings_are_found_by_name_and_in_the_order_of_any_metric(examples):
    asr = examples["asr"]
    values = [one.metrics["wer"] for one in asr.worst(metric="wer")]
    assert values == sorted(values, reverse=True)
    topics = [one.metrics["rouge1"] for one in examples["topics"].worst()]
    assert topics == sorted(topics)
    with pytest.raises(UnknownNameError, match="hi_anc_01"):
        asr.recording("hi_anc_1")
    with pytest.raises(InputError, match="detail=True"):
        replace(asr.recordings[0], detail={}).alignment()


def test_a_comparison_and_a_diagnosis_show_themselves():
    said = [Segment(f"v{k}", "asha", 0.0, 2.0, "दवा ली") for k in range(6)]
    worse = [replace(one, words="दवा") for one in said]
    results = [parakh.score("asr", said, heard, system=name) for name, heard in (("good", said), ("<b>", worse))]
    found = parakh.compare(results)
    page = found._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b><b>" not in page
    assert "tcpwer: good - <b> -50.00" in repr(found)
    paper = Results("asr", "paper", Signature({"published": "Somebody, Table <2>"}), {"tcpwer": Score(0.4, Stats())}, ())
    fewer = parakh.score("asr", said[:5], worse[:4] + said[4:5], system="fewer")
    many = parakh.compare([results[0], fewer, paper], metrics=["tcpwer"], force=True)
    assert "alone 40.00" in many._repr_html_()
    assert "paper (Somebody, Table &lt;2&gt;)" in many._repr_html_()
    assert "good (and 1 more)" in many._repr_html_()
    systems = many.to_frame("systems").set_index("system")
    assert systems.loc["paper", "own"] == 0.4
    assert systems["recordings"].to_dict() == {"good": 6, "fewer": 5, "paper": 0}
    diagnosis = parakh.diagnose(said, {"<i>": worse})
    assert "&lt;i&gt;: tcpwer 50.00, 6 errors" in diagnosis._repr_html_()
    assert "6 errors" in repr(diagnosis)
