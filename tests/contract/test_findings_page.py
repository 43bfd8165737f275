"""The page of ``parakh check``: complete, well-formed, private, and honest about what it leaves out."""

import re

import pytest

from parakh.dataset.checking import Audio, Checked
from parakh.qc._about import parsed
from parakh.report.findings import page
from parakh.report.findings_parts import MOST_FINDINGS, MOST_ROWS, marked, prose
from parakh.types import Finding, Severity
from tests.checks import LONG, READ, SAME, WORD
from tests.pages import EVIL, Page


def found(*findings: Finding, recordings: int = 3) -> Checked:
    return Checked(findings, (READ, WORD, LONG, SAME), tuple(f"v{number}" for number in range(recordings)), "visits")


MANY = found(
    Finding("QC190", f"found {EVIL}", Severity.ERROR, "v1", "rttm/v1.rttm", 4),
    Finding("QC193", "the word 'बुखार है' is bad", Severity.WARNING, "v1", "v1.txt", 2),
    Finding("QC193", "the word 'ಜ್ವರ' is bad", Severity.WARNING, EVIL, f"{EVIL}.txt"),
    Finding("QC590", "the same sound", Severity.ERROR, "v2"),
    Finding("audio-not-looked-at", "audio not looked at", Severity.NOTE),
)


def test_it_is_well_formed_and_offline() -> None:
    parsed_page = Page(page(MANY))
    assert parsed_page.open == []
    assert [name for name, count in parsed_page.ids.items() if count > 1] == []
    assert {link[1:] for link in parsed_page.links} <= parsed_page.ids.keys(), "links lead somewhere"
    assert parsed_page.outer == ["data:,"], "the icon, and nothing else"
    assert parsed_page.scripts == 1
    assert "<img" not in page(MANY)


def test_it_says_how_many_of_what_and_where() -> None:
    text = " ".join(Page(page(MANY, known=7)).text.split())
    assert "5 findings, in 3 of 3 recordings by 4 checks." in text
    assert "7 further findings the baseline knows." in text
    for told in ("rttm/v1.rttm:4", "QC1 Format, completeness, privacy", "The whole set", "A word is bad", "2 in 2 recordings"):
        assert told in text


def test_words_in_other_scripts_are_marked_with_their_language() -> None:
    source = page(MANY)
    assert '<span lang="hi" dir="auto">बुखार है</span>' in source
    assert '<span lang="kn" dir="auto">ಜ್ವರ</span>' in source
    assert marked("a “quoted” word – plain") == "a “quoted” word – plain"


def test_a_page_without_findings_says_what_it_is_clean_of() -> None:
    text = " ".join(Page(page(found())).text.split())
    assert "Nothing found in 3 recordings by 4 checks." in text
    assert "Checks that ran: QC190 cannot-read, QC193 bad-word, QC490 long-turn, QC590 same-sound." in text
    assert "Audio was decoded and heard." in text
    assert 'id="recordings"' not in page(found())
    unheard = Checked((), (), ("v1",), audio=Audio.NONE)
    assert "Audio was not looked at. Checks that ran: none." in " ".join(Page(page(unheard)).text.split())


def test_what_there_is_no_room_for_is_told() -> None:
    findings = [Finding("QC193", f"word {number}", session_id=f"v{number % 300:03d}") for number in range(MOST_FINDINGS + 600)]
    source = page(found(*findings, recordings=300))
    text = " ".join(Page(source).text.split())
    rows = len(re.findall(r"<tr data-severity", source))
    assert rows == MOST_FINDINGS
    assert f"{MOST_FINDINGS} of {MOST_FINDINGS + 600} findings are on this page; --json holds all." in text
    assert f"{300 - MOST_ROWS} more with fewer findings are not shown either." in text
    assert {link[1:] for link in Page(source).links} <= Page(source).ids.keys()


def test_a_recording_without_room_is_no_link() -> None:
    many = [Finding("QC193", f"word {number}", session_id="v1") for number in range(MOST_FINDINGS)]
    source = Page(page(found(*many, Finding("QC193", "another", session_id="v2"))))
    assert "#r0" in source.links
    assert {link[1:] for link in source.links} <= source.ids.keys()


@pytest.mark.parametrize("heading", ["## Why it matters", "Why it matters:", "Why it matters"])
def test_docstrings_are_taken_apart_at_their_headings(heading: str) -> None:
    told = parsed(f"A word is bad.\n\nWhat it does:\n    Looks.\n\n{heading}\n    It counts.\n\n    - Twice.\n")
    assert told.problem == "A word is bad."
    assert told.sections == {"What it does": "Looks.", "Why it matters": "It counts.\n\n- Twice."}


def test_prose_is_escaped() -> None:
    assert prose("<b> `<i>`") == ["<p>&lt;b&gt; <code>&lt;i&gt;</code></p>"]
