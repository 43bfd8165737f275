"""The page of a diagnosis: complete, escaped, offline, and true to what was found."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from parakh.diagnosis import Choices, Diagnosis, diagnose
from parakh.diagnostics import Pair
from parakh.diagnostics.alignment import align_session
from parakh.diagnostics.categories import bundled
from parakh.diagnostics.ledger import Item
from parakh.diagnostics.setup import Setup
from parakh.errors import InputError
from parakh.report import audio, diagnosis_ledger, diagnosis_recordings, diagnosis_tables
from parakh.report.diagnosis import page
from parakh.resample import Bootstrap
from parakh.types import Segment, Severity
from tests.pages import Page

EVIL = "</script><script>alert(1)</script><b>\"'&\u2028<!--"
CHOICES = Choices(Setup("hi", views=(bundled("MEDICAL"), bundled("NEGATION"))), items=(bundled("MEDICAL"),))


SAID = [
    Segment("v1", "A", 0.0, 2.0, "दवा मत लेना", role="health_worker"),
    Segment("v1", "B", 2.0, 4.0, "भाई साहब ने 250 रुपये दिए", role="health_seeker"),
    Segment("v2", "A", 0.0, 3.0, "सिर में दर्द है", role="health_seeker"),
]
HEARD = [
    Segment("v1", "p", 0.0, 2.0, "दवा लेना"),
    Segment("v1", "q", 2.0, 4.0, "भाईसाहब ने 25 रुपये दिए"),
    Segment("v2", "p", 0.0, 3.0, "सिर में दर्द है"),
]


def found(**more: list[Segment]) -> Diagnosis:
    return diagnose(SAID, {"ours": HEARD, **more}, CHOICES)


def evil() -> Diagnosis:
    said = [Segment(EVIL, EVIL, 0.0, 2.0, f"दवा {EVIL} 250 mg", role=EVIL), Segment(EVIL, "B", 2.0, 3.0, EVIL, role="other")]
    heard = [Segment(EVIL, EVIL, 0.0, 2.0, f"{EVIL} दवा 25 {EVIL}"), Segment(EVIL, "q", 2.0, 3.0, f"x{EVIL} <unk>")]
    return diagnose(said, {EVIL: heard, "two": said}, CHOICES)


def test_it_says_how_wrong_and_what_would_buy_most() -> None:
    text = Page(page(found(), [])).text
    # 13 words said; मत lost, two words written as one (2 errors), and the numeral: 4 errors.
    assert "Of 100 words 30.8 are wrong (tcpWER); the kind of error that would buy most is word boundaries (15.4 points)" in text
    assert "2 changes of meaning may hurt a patient or a record; 2 certain." in text


def test_the_sentence_for_rates_above_all_and_for_none() -> None:
    system = found().systems[0]
    over = replace(system, ledger=replace(system.ledger, rate=1.5))
    assert diagnosis_ledger.sentence(over).startswith("For 100 words 150.0 errors (tcpWER); ")
    none = replace(system, ledger=replace(system.ledger, rate=None))
    assert diagnosis_ledger.sentence(none) == "The references hold no words, so there is no rate."
    right = diagnose(SAID, {"ours": SAID}, CHOICES).systems[0]
    assert diagnosis_ledger.sentence(right) == "Of 100 words 0.0 are wrong (tcpWER)."
    assert diagnosis_ledger.ledger(right) == '<p class="blank">No errors by tcpWER.</p>'


def test_steps_of_the_ledger_sum_to_its_headline() -> None:
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", diagnosis_ledger.ledger(found().systems[0]))[1:]
    cells = [[re.sub("<[^>]+>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)] for row in rows]
    *items, total = cells
    assert sum(int(row[3]) for row in items) == int(total[0]) == 4
    assert sum(float(row[4]) for row in items) == pytest.approx(float(total[1]), abs=0.2)


def test_the_waterfall_steps_down_to_nothing() -> None:
    bars = re.findall(
        r'<rect x="([\d.]+)%" width="([\d.]+)%" height="12" class="turn"', diagnosis_ledger.ledger(found().systems[0])
    )
    edges = [(float(x), float(x) + float(width)) for x, width in bars]
    assert edges[0][1] == pytest.approx(100)
    assert edges[-1][0] == pytest.approx(0)
    assert all(one[0] == pytest.approx(other[1]) for one, other in pairwise(edges))


def test_a_repair_that_costs_is_drawn_as_such() -> None:
    system = found().systems[0]
    items = (Item("timing", -1, -1, -0.1, -0.1), Item("deletions", 5, 5, 0.5, 0.5))
    shown = diagnosis_ledger.ledger(replace(system, ledger=replace(system.ledger, items=items)))
    assert 'class="alone cost"' in shown
    assert 'class="turn cost"' in shown
    assert "-10.0" in shown


def test_systems_are_compared_and_each_has_its_details() -> None:
    source = page(found(theirs=SAID), [])
    text = Page(source).text
    assert "ours: Of 100 words 30.8" in text
    assert "theirs: Of 100 words 0.0" in text
    assert "Points that each repair alone would buy" in text
    assert re.search(r"negation lost\s*1\s*0", text), "the alarms of both, side by side"
    assert source.count('data-system="1"') == source.count('data-system="0"') > 4
    assert 'class="whose"' not in page(found(), [])


def test_intervals_are_shown_where_there_are_any() -> None:
    with_them = diagnose(SAID, {"ours": HEARD}, replace(CHOICES, plan=Bootstrap("percentile", 0.95, 200, 1)))
    assert re.search(r"\d+\.\d% \(\d+\.\d% – \d+\.\d%\)", Page(page(with_them, [])).text)
    assert not re.search(r"% \(\d+\.\d% – ", Page(page(found(), [])).text)


def test_an_alarm_shows_its_words_and_its_place() -> None:
    source = page(found(), [])
    assert '<span lang="hi" dir="auto">दवा <del>मत</del> लेना' in source
    assert '<a class="go" href="#recordings" data-t="0.7 1.1" data-here="मत"><bdi>v1</bdi> · <bdi>A</bdi> · 0:00.7</a>' in source
    assert "250 रुपये became 25 रुपये: ten times less" in Page(source).text


def test_certain_alarms_come_first() -> None:
    system = found().systems[0]
    first, second = system.alarms
    shown = diagnosis_tables.alarms(replace(system, alarms=(replace(first, severity=Severity.WARNING), second)))
    assert shown.index("certain") < shown.index("possible")


def test_rows_that_are_left_out_are_told() -> None:
    said = [Segment("v", words=" ".join(f"दवा{number} ५" for number in range(9)))]
    short = diagnose(said, {"ours": [Segment("v", words="दवा")]}, replace(CHOICES, top=2))
    text = Page(page(short, [])).text
    assert "more rows are not on this page; --json holds all." in text
    assert "more rows are not" not in Page(page(found(), [])).text


def test_rows_of_a_rare_category_are_not_crowded_out() -> None:
    said = [Segment("v", words="दवा दवा दवा ली ली ली 250")]
    short = diagnose(said, {"ours": [Segment("v", words="")]}, replace(CHOICES, top=1))
    assert [row.label for row in short.systems[0].tables.edits.deletions.rows] == ["LEXICAL"]
    assert "<td>NUMERAL</td>" in diagnosis_tables.errors(short.systems[0])


def test_tables_hold_edits_and_what_is_no_error() -> None:
    text = Page(page(found(), [])).text
    assert "Substituted: 1" in text
    assert "Left out: 1" in text
    assert "Written together: 1" in text
    assert "Added" not in re.findall(r"(?:Substituted|Left out|Added): \d", text)


def test_it_is_well_formed_and_asks_for_nothing() -> None:
    for one in (
        found(),
        found(theirs=SAID),
        evil(),
        diagnose([Segment("v", words="")], {"a": [Segment("v", words="")]}, CHOICES),
    ):
        parsed = Page(page(one, []))
        assert parsed.open == []
        assert max(parsed.ids.values()) == 1
        assert {link[1:] for link in parsed.links} <= set(parsed.ids)
        assert parsed.outer == ["data:,"]
        assert parsed.scripts == 1


def test_user_text_is_text_wherever_it_stands() -> None:
    source = page(evil(), [])
    parsed = Page(source)
    assert "<script>alert" not in source
    assert "<b>\"'" not in source
    data = parsed.blocks["index"] + parsed.blocks["alignments"]
    assert {"<", ">", "&", "\u2028"}.isdisjoint(data)
    assert EVIL in parsed.text
    assert parsed.data("index")["systems"] == [EVIL, "two"]
    assert list(parsed.data("alignments")) == [EVIL]


def test_the_policy_forbids_all_but_the_page_itself() -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page(found(), []))
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules.pop("script-src").startswith("'sha256-")
    assert rules == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "media-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_half_a_surrogate_pair_breaks_no_page() -> None:
    torn = [Segment("v1", words="दवा \ud800 ली")]
    page(diagnose(torn, {"ours": [Segment("v1", words="दवा \udc00")]}, CHOICES), []).encode()


def test_the_data_hold_every_unit_of_both_sides() -> None:
    parsed = Page(page(found(), []))
    said, written = {}, {}
    for name, systems in parsed.data("alignments").items():
        items = [item for turn in systems[0] for item in turn[5]]
        said[name] = " ".join(item if isinstance(item, str) else item[1] for item in items)
        written[name] = " ".join(item if isinstance(item, str) else item[2] for item in items)
    assert said["v1"].split() == " ".join(one.words for one in SAID[:2]).split()
    assert written["v1"].split() == " ".join(one.words for one in HEARD[:2]).split()
    assert parsed.data("index")["recordings"] == [["v1", [[2, 9]]], ["v2", [[0, 4]]]]


def aligned(said: list[Segment], heard: list[Segment], collar: float | None = 5.0) -> list[Pair]:
    return align_session(said, heard, Setup("hi"), collar=collar)


def test_turns_come_in_time_order_whoever_speaks() -> None:
    said = [Segment("v", "A", 0.0, 1.0, "एक"), Segment("v", "B", 1.0, 2.0, "दवा"), Segment("v", "A", 2.0, 3.0, "ली")]
    turns = diagnosis_recordings.turns(aligned(said, said))
    assert [(turn[0], turn[2], turn[5]) for turn in turns] == [("A", 0.0, ["एक"]), ("B", 1.0, ["दवा"]), ("A", 2.0, ["ली"])]


def test_added_words_stand_in_the_turn_that_their_segment_meets() -> None:
    said = [Segment("v", "A", 0.0, 2.0, "दवा ली"), Segment("v", "A", 3.0, 4.0, "कल")]
    heard = [Segment("v", "p", 0.0, 2.0, "जी दवा ली"), Segment("v", "p", 3.0, 4.0, "कल आना")]
    turns = diagnosis_recordings.turns(aligned(said, heard))
    assert [turn[5] for turn in turns] == [[["i", "", "जी", "LEXICAL", ""], "दवा ली"], ["कल", ["i", "", "आना", "LEXICAL", ""]]]


def test_words_of_a_speaker_nobody_is_have_a_turn_of_their_own() -> None:
    said = [Segment("v", "A", 0.0, 2.0, "दवा ली")]
    heard = [*said, Segment("v", "noise", 5.0, 6.0, "हाँ हाँ")]
    last = diagnosis_recordings.turns(aligned(said, heard))[-1]
    assert last[:4] == [None, "noise", 5.0, pytest.approx(6.0, abs=0.6)]
    assert [item[0] for item in last[5]] == ["i", "i"]


def test_what_is_no_error_says_its_rule() -> None:
    (turn,) = diagnosis_recordings.turns(aligned([Segment("v", words="भाई साहब")], [Segment("v", words="भाईसाहब")], None))
    ((what, said, written, category, rule),) = turn[5]
    assert (what, said, written, category) == ("e", "भाई साहब", "भाईसाहब", "")
    assert rule.startswith("boundary: ")


def test_recordings_with_most_errors_come_first() -> None:
    system = found().systems[0]
    few, none = system.recordings
    swapped = replace(system, recordings=(replace(few, id="v2"), replace(none, id="v1")))
    assert diagnosis_recordings.ranked(replace(found(), systems=(swapped,))) == ["v2", "v1"]


def test_recordings_beyond_the_size_are_told() -> None:
    one = found()
    blocks, shown = diagnosis_recordings.data(one, diagnosis_recordings.ranked(one), budget=1)
    assert shown == 1
    assert list(Page(blocks).data("alignments")) == ["v1"], "the one with most errors stays"
    assert len(Page(blocks).data("index")["recordings"]) == 2


def test_the_page_tells_how_many_recordings_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    data = diagnosis_recordings.data
    monkeypatch.setattr(diagnosis_recordings, "data", lambda one, order: data(one, order, budget=1))
    assert "The 1 recordings with most errors of 2 can be opened here" in Page(page(found(), [])).text


def test_sound_is_part_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "v1.FLAC").write_bytes(b"fLaC\x00\xff")
    (tmp_path / "v9.wav").write_bytes(b"RIFF")
    (tmp_path / "v2.txt").write_text("no sound")
    parsed = Page(page(found(), [str(tmp_path)]))
    assert parsed.blocks["v1"] == "ZkxhQwD/"
    assert {"v2", "v9"}.isdisjoint(parsed.blocks)
    assert parsed.outer == ["data:,"]


def test_sound_beyond_the_limit_is_told(tmp_path: Path) -> None:
    for name in ("v1", "v2"):
        (tmp_path / f"{name}.wav").write_bytes(b"RIFF")
    sound = audio.embedded([str(tmp_path / "v1.wav"), str(tmp_path)], ["v2", "v1"], limit=5)
    assert (sound.ids, sound.left_out) == (("v2",), 1)


def test_sound_that_is_not_there_is_a_fault_of_the_input() -> None:
    with pytest.raises(InputError, match="--audio"):
        page(found(), ["/nowhere/v1.wav"])


def test_words_under_the_wrong_speaker_name_the_other() -> None:
    said = [Segment("v", "A", 0.0, 2.0, "दवा ली थी"), Segment("v", "B", 3.0, 5.0, "हाँ कल ली"), Segment("v", "B", 6.0, 7.0, "जी")]
    heard = [Segment("v", "p", 0.0, 2.0, "दवा ली थी"), Segment("v", "p", 3.0, 5.0, "हाँ कल ली"), Segment("v", "q", 6.0, 7.0, "जी")]
    turns = diagnosis_recordings.turns(aligned(said, heard))
    assert [(turn[0], turn[1], turn[6]) for turn in turns] == [
        ("A", "p", None),
        (None, "p", "B"),
        ("B", None, "p"),
        ("B", "q", None),
    ]


def test_the_same_words_at_another_time_are_not_under_the_wrong_speaker() -> None:
    said = [
        Segment("v", "A", 0.0, 2.0, "दवा ली थी"),
        Segment("v", "B", 30.0, 32.0, "हाँ कल ली"),
        Segment("v", "B", 36.0, 37.0, "जी"),
    ]
    heard = [
        Segment("v", "p", 0.0, 2.0, "दवा ली थी"),
        Segment("v", "p", 3.0, 5.0, "हाँ कल ली"),
        Segment("v", "q", 36.0, 37.0, "जी"),
    ]
    assert {turn[6] for turn in diagnosis_recordings.turns(aligned(said, heard))} == {None}
