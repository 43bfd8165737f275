"""The sheet for a clinician: its marks are what the metrics count, its links lead to what was said, its text is text."""

from collections import Counter
from pathlib import Path

import pytest

from parakh import formats
from parakh.evaluate import evaluate
from parakh.metrics.topic_f1 import topic_f1_folded
from parakh.report import clinical, html
from parakh.report.inputs import Inputs
from parakh.results import Results
from parakh.tracks import get
from parakh.types import Segment, Summary, Topics
from tests.pages import EVIL, Page

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
ANSWERS = EXAMPLES / "challenge" / "systems" / "embedded"
METRICS = {"number": "summary_numbers", "medicine": "summary_medicines", "negation": "summary_negations"}


def load(path: Path, kind: type) -> list[object]:
    return list(formats.load([str(path)], kind).items)


def said() -> list[Segment]:
    return list(formats.load([str(EXAMPLES / "transcripts")], Segment).items)


def measured(reference: list[object], hypothesis: list[object], transcripts: list[Segment] | None) -> Results:
    return evaluate(get("summarization"), reference, hypothesis, transcripts=transcripts, metrics=["all"], detail=True)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def embedded() -> Results:
    return measured(load(EXAMPLES / "summaries.csv", Summary), load(ANSWERS / "summaries", Summary), said())


WORSE = (
    ("140/90", "110/70"),
    ("denies headache", "reports headache"),
    ("iron tablets", "calcium tablets"),
    ("28 weeks", "31 weeks"),
)


@pytest.fixture(scope="module")
def mutated() -> Results:
    """The summaries by people with errors in them, which must be found as the metrics find them."""
    summaries = load(EXAMPLES / "summaries.csv", Summary)
    changed = []
    for one in summaries:
        assert isinstance(one, Summary)
        text = one.text
        for old, new in WORSE:
            text = text.replace(old, new)
        changed.append(Summary(one.session_id, text))
    return measured(summaries, list(changed), said())


@pytest.mark.parametrize("which", ["embedded", "mutated"])
def test_marks_are_what_the_metrics_count(which: str, request: pytest.FixtureRequest) -> None:
    results: Results = request.getfixturevalue(which)
    told = Counter[str]()
    for row in results.recordings:
        support = row.detail["support"]
        for kind, metric in METRICS.items():
            verdicts = Counter(mark["verdict"] for mark in support["marks"] if mark["kind"] == kind)
            missed = sum(one["kind"] == kind and one["in_reference"] for one in support["missing"])
            stats = row.stats[metric]
            assert verdicts["supported"] == stats["supported"], (row.id, kind)
            assert verdicts["contradicted"] == stats["contradicted"], (row.id, kind)
            assert verdicts["unsupported"] + verdicts["contradicted"] == stats["unsupported"], (row.id, kind)
            assert missed == stats["missed"], (row.id, kind)
            told.update(verdicts)
    assert {"supported", "contradicted"} <= {verdict for verdict, count in told.items() if count}
    assert which == "embedded" or told["unsupported"]


def test_marks_stand_where_the_words_are(embedded: Results) -> None:
    for row in embedded.recordings:
        support = row.detail["support"]
        for mark in support["marks"]:
            assert mark["places"]
            assert all(row.detail["hypothesis"][start:end].strip() for start, end in mark["places"])
            assert mark["verdict"] == "unsupported" or mark["said"]
        for one in (*support["marks"], *support["missing"]):
            assert all(support["turns"][turn]["words"][start:end].strip() for turn, start, end in one["said"])


def test_signs_that_are_spelled_out_and_grouped_numbers_are_found() -> None:
    turns = [Segment("v", "w", 0.0, 1.0, words="SpO2 98% है, दाम 1,00,000 रुपये")]
    text = "Oxygen 98%, cost 1,00,000 rupees, pulse 72/min."
    (row,) = measured([Summary("v", text)], [Summary("v", text)], turns).recordings
    marks = {
        row.detail["hypothesis"][start:end]: mark for mark in row.detail["support"]["marks"] for start, end in mark["places"]
    }
    assert {"98%", "1,00,000 rupees"} <= set(marks)
    places = {turns[0].words[start:end] for mark in marks.values() for _, start, end in mark["said"]}
    assert {"98%", "1,00,000 रुपये"} <= places


def test_a_transcript_that_cannot_be_read_is_said_to_be_none() -> None:
    turns = [Segment("v", "w", words="ᱵᱟᱠᱟ ᱦᱚᱲ")]
    results = measured([Summary("v", "No fever.")], [Summary("v", "No fever.")], turns)
    assert results.recordings[0].detail["support"]["source"] == "reference"
    assert "held against the summary by people" in page(results)


def test_without_a_transcript_there_is_no_sheet() -> None:
    results = measured([Summary("v", "No fever.")], [Summary("v", "No fever.")], None)
    assert "support" not in results.recordings[0].detail
    assert "For the clinician" not in page(results)


def page(*results: Results) -> str:
    return html.render(Inputs(results), title="t")


def test_every_link_of_the_sheet_leads_to_a_turn(embedded: Results) -> None:
    topics = evaluate(get("topics"), load(EXAMPLES / "topics.csv", Topics), load(ANSWERS / "topics", Topics), detail=True)  # type: ignore[arg-type]
    asr = evaluate(get("asr"), said(), said(), detail=True)
    found = Page(page(asr, topics, embedded))
    assert max(found.ids.values()) == 1
    assert {link.removeprefix("#") for link in found.links} <= set(found.ids)
    assert sum("-t" in link for link in found.links) > 30
    assert "Held against the reference transcript, made by people." in found.text


def test_whose_transcript_it_was_is_not_claimed_where_it_is_not_known(embedded: Results) -> None:
    assert "the transcript that was given for scoring" in Page(page(embedded)).text


def test_it_says_what_to_check_and_what_is_left_out(embedded: Results) -> None:
    text = Page(page(embedded)).text
    assert "“" in text or "fast breathing" in text
    assert "the conversation says the opposite" in text
    assert "Said, but not in this summary" in text
    assert "no medical advice" in text


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        (["Fever", "Knee pain"], ["knee  Pains", "Cough"]),
        (["Fever", "fever"], ["Fever"]),
        ([], ["Cough"]),
        (["Cough"], []),
        (["Cough"], None),
    ],
)
def test_chips_are_what_topic_f1_counts(reference: list[str], answer: list[str] | None) -> None:
    shown = clinical.chips({"reference": reference, "hypothesis": answer}, clinical.wherever(None, ""))
    stats = topic_f1_folded(Topics("", tuple(reference)), None if answer is None else Topics("", tuple(answer)))
    counts = {name: shown.count(f'<li class="{name}">') for name in ("matched", "missed", "extra")}
    assert counts == {"matched": stats["tp"], "missed": stats["fn"], "extra": stats["fp"]}


def test_a_topic_leads_to_where_it_is_affirmed_also_under_a_narrower_name() -> None:
    turns = [{"start": 4.0, "words": "a"}, {"start": None, "words": "b"}]
    where = clinical.wherever({"turns": turns, "topics": {"knee-pain": [0], "fever": [1]}}, "r")
    assert where("Knee pain") == ' <a href="#r-t0" class="when" data-cite="">0:04</a>'.replace('data-cite=""', "data-cite")
    assert "turn 2" in where("High fever") or "turn 2" in where("Fever")
    assert where("Cough") == ""


def test_hostile_text_stays_text() -> None:
    turns = [Segment("v", EVIL, 0.0, 1.0, words=f"{EVIL} पैरासिटामोल 500 mg", role=EVIL)]
    results = measured([Summary("v", f"{EVIL} 500 mg")], [Summary("v", f"Paracetamol 650 mg {EVIL}")], turns)
    source = page(results)
    assert "<img" not in source
    assert Page(source).scripts == 1


def checked(results: Results) -> dict[str, dict[str, tuple[str, str | None]]]:
    """Verdict of each thing that a summary states and what is off with it, by recording."""
    return {
        one.id: {mark["text"]: (mark["verdict"], mark.get("status")) for mark in one.detail["support"]["marks"]}
        for one in results.recordings
    }


def test_a_problem_that_nobody_named_or_that_was_denied_is_to_be_checked(embedded: Results) -> None:
    found = checked(embedded)
    assert found["hi_anc_01"]["gestational diabetes"] == ("unsupported", None)  # only the family has it, and of another kind
    assert found["hi_anc_01"]["weakness"] == ("supported", None)
    assert found["hi_child_02"]["stiffness"] == ("unsupported", None)
    assert found["hi_child_02"]["tobacco"] == found["hi_elder_03"]["tobacco"] == ("unsupported", None)
    assert found["hi_elder_03"]["chest pain"] == ("contradicted", None)  # asked, and denied
    wrong = [one for row in embedded.recordings for one in row.detail["support"]["marks"] if one["text"] == "chest pain"]
    assert len(wrong) == 1  # affirmed against a denial and as a problem, to be checked once


def test_what_is_of_the_family_or_the_past_is_told_apart(embedded: Results) -> None:
    found, text = checked(embedded), Page(page(embedded)).text
    assert found["hi_child_02"]["asthma"] == ("unsupported", "family")  # the grandmother's
    assert found["hi_elder_03"]["cataract"] == ("unsupported", "past")  # operated last year
    assert found["hi_elder_03"]["Surgery"] == ("unsupported", "past")  # that operation
    assert found["hi_anc_01"]["urine test"] == ("supported", None)
    assert found["hi_child_02"]["pneumonia"] == ("supported", None)  # the summary says that it is past
    assert "said only of the family: 1" in text
    assert "asthma: said only of the family" in text
    assert "Surgery: said only of the past" in text


def test_the_sheet_says_what_was_not_checked(embedded: Results) -> None:
    assert Page(page(embedded)).text.count("Only what is marked was checked") == len(embedded.recordings)
    people = [Summary("v", "She came in the morning.")]
    text = Page(page(measured(people, people, [Segment("v", "w", words="नमस्ते, कैसी हो?")]))).text  # type: ignore[arg-type]
    assert "Nothing in this summary could be checked." in text


def test_what_is_left_out_is_told_as_it_was_said(embedded: Results) -> None:
    left = {one.id: {m["text"]: m for m in one.detail["support"]["missing"]} for one in embedded.recordings}
    assert left["hi_child_02"]["gripe mixture"]["is_refused"]
    assert not left["hi_child_02"]["ORS"].get("is_refused")
    assert left["hi_elder_03"]["Diabetes"]["in_reference"]
    assert left["hi_elder_03"]["Knee pain"]["in_reference"]
    assert not left["hi_elder_03"]["Frequent urination"]["in_reference"]
    assert [turn for turn, _, _ in left["hi_child_02"]["bloody stool"]["said"]] == [6, 7]  # the question, and "no"
    cough = next(one for one in embedded.recordings if one.id == "kn_fever_04").detail["support"]["topics"]["cough"]
    assert cough == [1, 3]  # where it is told of, not where sputum is to be brought
    source = page(embedded)
    assert "(not to be taken, or not taken)" in source
    assert '<span lang="hi" dir="auto">आधा कप</span>' in source


def test_problems_in_the_summaries_by_people_were_all_said() -> None:
    people = load(EXAMPLES / "summaries.csv", Summary)
    results = measured(people, people, said())
    kinds = ("problem", "advice")
    marks = [mark for one in results.recordings for mark in one.detail["support"]["marks"] if mark["kind"] in kinds]
    assert len(marks) > 15
    assert {mark["kind"] for mark in marks} == set(kinds)
    assert {mark["verdict"] for mark in marks} == {"supported"}
