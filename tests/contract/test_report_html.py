"""The report page: complete, escaped, offline, and honest about what is absent."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from parakh.diagnostics.kinds import WordErrorKind
from parakh.errors import InputError, clock
from parakh.markup import Html, escape, language, percent, tag
from parakh.report import html, timeline, transcript
from parakh.report.inputs import Inputs
from parakh.report.resources import resource
from parakh.results import RecordingResult, Results, Score, Signature, Stats, Unscored
from parakh.types import Finding, Severity
from tests.pages import Page

EVIL = "</script><script>alert(1)</script><b>\"'&\ud800"


def results(track: str, metric: str, value: float | None, *rows: RecordingResult, system: str = "s", **more: object) -> Results:
    scores = {metric: Score(value, Stats(), {"part": None}, value)}
    return Results(track, system, Signature({"track": track, "collar": "0.0"}), scores, rows, **more)  # type: ignore[arg-type]


def render(given: Sequence[Results], *, title: str) -> str:
    return html.render(Inputs(tuple(given)), title=title)


def row(id: str, metric: str, value: float | None, **detail: object) -> RecordingResult:
    return RecordingResult(id, {metric: value}, {}, (), detail)


def diarization(text: str = "asha") -> Results:
    detail = {
        "regions": [[0.0, 9.0]],
        "reference": [[text, 0.0, 4.0], ["b", 4.0, 8.0]],
        "hypothesis": [["S1", 0.0, 5.0], ["S2", 9.0, 10.0]],
        "mapping": {"S1": text},
        "errors": [[4.0, 5.0, "confusion"], [5.0, 8.0, "miss"], [9.0, 10.0, "false_alarm"]],
    }
    return results("diarization", "der", 0.625, row("v1", "der", 0.625, **detail))


def asr(word: str = "बुखार") -> Results:
    def step(op: str, ref: str | None, hyp: str | None) -> dict[str, object]:
        return {
            "op": op,
            "reference": ref,
            "hypothesis": hyp,
            "reference_segment": None if ref is None else 0,
            "hypothesis_segment": None if hyp is None else 0,
        }

    detail = {
        "reference": [{"speaker": word, "role": "health_worker", "start": 0.0, "end": 2.0, "words": f"{word} है नहीं"}],
        "hypothesis": [{"speaker": "S1", "role": None, "start": 0.1, "end": 2.0, "words": f"{word} हैं जी"}],
        "mapping": {"S1": word},
        "alignment": [
            step("match", word, word),
            step("substitution", "है", "हैं"),
            step("deletion", "नहीं", None),
            step("insertion", None, "जी"),
        ],
    }
    return results("asr", "tcpwer", 1.0, row("v1", "tcpwer", 1.0, **detail))


def topics(**detail: object) -> Results:
    return results("topics", "rougeL", 0.5, row("v1", "rougeL", 0.5, **detail))


def summaries(**detail: object) -> Results:
    return results("summarization", "rougeL", 0.3, row("v1", "rougeL", 0.3, **detail))


def test_the_page_nests_and_every_link_has_its_place() -> None:
    page = Page(render([diarization(), asr(), topics(reference=["fever"], hypothesis=["Fever"]), summaries()], title="t"))
    assert not page.open
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert max(page.ids.values()) == 1


def test_the_page_refers_to_nothing_outside_itself() -> None:
    source = render([diarization(), asr()], title="t")
    assert Page(source).outer == ["data:,"]
    assert not re.findall(r"@import|url\((?!#)", source)
    assert "default-src 'none'" in source


def test_user_text_is_never_markup() -> None:
    evil = RecordingResult(
        EVIL, {"rougeL": None}, {}, (Finding(EVIL, EVIL),), {"reference": [EVIL], "hypothesis": [EVIL.upper(), "<img src=x>"]}
    )
    given = [
        diarization(EVIL),
        asr(EVIL),
        results("topics", "rougeL", 0.1, evil, unscored=(Unscored(EVIL + "2", EVIL),)),
        summaries(reference=EVIL, hypothesis=EVIL),
        results(EVIL, EVIL, 0.5, row(EVIL, EVIL, 0.5), system=EVIL),
    ]
    source = render(given, title=EVIL)
    page = Page(source)
    assert not page.open
    assert page.scripts == 1
    assert "<b>\"'" not in source
    assert "<img" not in source
    assert "</script><script>alert(1)" in page.text


def test_a_page_with_any_text_can_be_written(tmp_path: Path) -> None:
    html.write(Inputs((asr(EVIL),)), tmp_path / "report.html", title=EVIL)
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_same_results_same_bytes() -> None:
    assert render([diarization(), asr()], title="t") == render([asr(), diarization()], title="t")


def test_card_says_figure_direction_verdict_and_signature() -> None:
    text = Page(render([asr()], title="t")).text
    for said in (
        "What was said",
        "100.0%",
        "lower is better",
        "mostly wrong: 0 of 100 right",
        "track:asr|collar:0.0",
        "macro100.0%",
    ):
        assert said in text


def test_undefined_values_are_na_with_the_reason() -> None:
    missing = Finding("missing-recording", "v2 is missing from the hypothesis", session_id="v2")
    page = Page(render([results("asr", "tcpwer", None, row("v2", "tcpwer", None), findings=(missing,))], title="t"))
    assert "n/a: v2 is missing from the hypothesis." in page.text
    assert "no score: v2 is missing from the hypothesis" in page.text
    assert "No task has a score" in page.text
    assert "None" not in page.text


@pytest.mark.parametrize("track", ["diarization", "asr", "topics", "summarization", "another"])
@pytest.mark.parametrize("detail", [{}, {"reference": []}, {"hypothesis": None}, {"reference": [], "hypothesis": []}])
def test_any_detail_may_be_absent(track: str, detail: dict[str, object]) -> None:
    assert not Page(render([results(track, "m", 0.5, row("v1", "m", 0.5, **detail))], title="t")).open


def test_figures_alone_are_said_to_be_alone() -> None:
    assert "figures alone" in Page(render([summaries()], title="t")).text


def test_a_broken_detail_is_the_users_to_mend() -> None:
    broken = results("asr", "tcpwer", 0.5, row("v1", "tcpwer", 0.5, reference=[{"who": "a"}]))
    with pytest.raises(InputError, match=r"results: recordings\[v1\].detail: found KeyError"):
        render([broken], title="t")


def test_topics_match_without_regard_to_case_and_count_each_once() -> None:
    page = Page(render([topics(reference=["Fever", "Cough"], hypothesis=["fever", "FEVER", "pain"])], title="t"))
    chips = re.findall(r"([✓−+]) (\w+) (matched|missed|extra)", page.text)
    assert chips == [("✓", "Fever", "matched"), ("−", "Cough", "missed"), ("+", "pain", "extra")]


def test_topics_without_an_answer() -> None:
    text = Page(render([topics(reference=["Fever"], hypothesis=None)], title="t")).text
    assert "The system gave no answer." in text
    assert "− Fever missed" in text


def test_summaries_say_which_side_is_absent() -> None:
    text = Page(render([summaries(reference="रोगी को बुखार है।", hypothesis=None)], title="t")).text
    assert "रोगी को बुखार है।" in text
    assert "no summary" in text


def test_words_are_marked_with_their_partner() -> None:
    source = render([asr()], title="t")
    assert '<mark data-k="1">है</mark>' in source
    assert '<mark data-k="1">हैं</mark>' in source
    assert "<del>नहीं</del>" in source
    assert "<ins>जी</ins>" in source


def test_neighbouring_missing_words_are_one_mark() -> None:
    steps = [
        {"op": "deletion", "reference": word, "hypothesis": None, "reference_segment": 0, "hypothesis_segment": None}
        for word in "xy"
    ]
    turn = {"speaker": "a", "start": 0.0, "end": 1.0, "words": "x y"}
    assert "<del>x y</del>" in transcript.render({"reference": [turn], "alignment": steps}, {})


def test_findings_of_a_recording_and_of_the_whole() -> None:
    whole = Finding("extra-recording", "v9 is not in the reference", Severity.ERROR)
    one = RecordingResult("v1", {"tcpwer": 0.5}, {}, (Finding("odd", "2 turns overlap"),))
    text = Page(render([results("asr", "tcpwer", 0.5, one, findings=(whole,))], title="t")).text
    assert "error v9 is not in the reference extra-recording" in text
    assert "warning 2 turns overlap odd" in text


def test_two_systems_have_a_section_and_a_sentence_each() -> None:
    one, other = asr(), results("asr", "tcpwer", 0.25, row("v1", "tcpwer", 0.25), system="other")
    page = Page(render([one, other], title="t"))
    assert {"s0", "s1", "s0-r0", "s1-r0"} <= set(page.ids)
    assert "other: “What was said”" in page.text


def test_two_results_of_one_track_and_system_are_both_shown() -> None:
    assert {"s0", "s1"} <= set(Page(render([asr(), asr()], title="t")).ids)


def test_timeline_pairs_lanes_by_the_mapping_and_shades_what_is_not_scored() -> None:
    detail = diarization().recordings[0].detail
    drawn = timeline.render(detail, timeline.colours(["asha", "b"]))
    lanes = re.findall(r"<b dir=\"auto\">(.*?)</b><small[^>]*>(.*?)</small>", drawn)
    assert lanes == [("asha", "reference"), ("S1", "system"), ("b", "reference"), ("S2", "system, matches nobody")]
    assert '<rect class="bar s-0" data-who="asha" x="0.0000%" width="40.0000%"' in drawn
    assert '<rect class="bar sys s-0" data-who="S1" x="0.0000%" width="50.0000%"' in drawn
    assert '<rect class="closed" x="90.0000%" width="10.0000%"' in drawn
    assert timeline.totals(detail["errors"]) == {"missed": 3.0, "invented": 1.0, "wrong person": 1.0}


def test_rows_follow_shared_words_then_time() -> None:
    def turn(start: float | None, end: float | None) -> dict[str, object]:
        return {"speaker": "a", "start": start, "end": end, "words": "x"}

    shared = [
        {"op": "match", "reference": "x", "hypothesis": "x", "reference_segment": ref, "hypothesis_segment": 0}
        for ref in (0, 0, 1)
    ]
    reference = [turn(0.0, 2.0), turn(2.0, 3.0), turn(8.0, 9.0)]
    hypothesis = [turn(0.0, 3.0), turn(8.5, 9.0), turn(5.0, 6.0)]
    assert transcript.rows(reference, hypothesis, shared) == [
        transcript.Row(0, (0,)),
        transcript.Row(1, (), elsewhere=0),
        transcript.Row(None, (2,)),
        transcript.Row(2, (1,)),
    ]


def test_substituted_words_pair_no_turns() -> None:
    turns = [{"speaker": "a", "start": start, "end": start + 2.0, "words": "x"} for start in (0.0, 9.0)]
    step = {"op": "substitution", "reference": "x", "hypothesis": "y", "reference_segment": 0, "hypothesis_segment": 0}
    assert transcript.rows(turns, turns[1:], [step]) == [transcript.Row(0, ()), transcript.Row(1, (0,))]


def test_a_short_answer_inside_a_long_turn_stands_beside_the_short_answer() -> None:
    def turn(start: float, end: float) -> dict[str, object]:
        return {"speaker": "a", "start": start, "end": end, "words": ""}

    reference, hypothesis = [turn(0.0, 6.0), turn(2.0, 3.0)], [turn(2.0, 2.8)]
    assert transcript.rows(reference, hypothesis, []) == [transcript.Row(0, ()), transcript.Row(1, (0,))]
    assert "no words" in transcript.render({"reference": reference, "hypothesis": hypothesis}, {})


def test_a_turn_that_covers_several_stands_beside_the_first() -> None:
    turns = [{"speaker": "a", "start": start, "end": start + 1.0, "words": "x"} for start in (0.0, 1.0, 2.0)]
    whole = [{"speaker": "a", "start": 0.0, "end": 3.0, "words": "x"}]
    right = [{"op": "match", "reference_segment": ref, "hypothesis_segment": 0} for ref in (0, 1, 1, 1, 1, 2, 2)]
    assert transcript.rows(turns, whole, right) == [
        transcript.Row(0, (), elsewhere=0),
        transcript.Row(1, (0,)),
        transcript.Row(2, (), elsewhere=0),
    ]
    assert transcript.rows(turns, whole, right[:4])[0] == transcript.Row(0, (0,))


def test_a_turn_without_times_and_right_words_stands_beside_the_one_it_has_other_words_for() -> None:
    turns = [{"speaker": "a", "start": None, "end": None, "words": word} for word in ("एक", "दो")]
    steps = [
        {"op": "substitution", "reference": "-", "hypothesis": "-", "reference_segment": k, "hypothesis_segment": 1 - k}
        for k in range(2)
    ]
    assert transcript.rows(turns, turns, steps) == [transcript.Row(0, (1,)), transcript.Row(1, (0,))]


def test_turns_without_times_keep_their_order() -> None:
    untimed = {"speaker": None, "start": None, "end": None, "words": "x"}
    assert transcript.rows([untimed, untimed], [untimed], []) == [
        transcript.Row(0, ()),
        transcript.Row(1, ()),
        transcript.Row(None, (0,)),
    ]


def test_markup_escapes_text_and_keeps_markup() -> None:
    assert escape(Html("<b>")) == "<b>"
    assert tag("p", {"title": '"<'}, "<i>", Html("<b></b>")) == '<p title="&quot;&lt;">&lt;i&gt;<b></b></p>'


@pytest.mark.parametrize(("text", "tag_"), [("दवा metformin tablet 500", "hi"), ("ORS ಕೊಡಿ", "kn"), ("123 ॥", None), ("", None)])
def test_language_is_told_from_the_script(text: str, tag_: str | None) -> None:
    assert language(text) == tag_


def test_display_rounds_only_on_display() -> None:
    assert percent(1.2345) == "123.4%"
    assert clock(59.96) == "1:00.0"


def test_a_handful_of_long_recordings_stays_small() -> None:
    # Five recordings of 20 minutes with a turn every 3 s and 6 words a turn, a third of them wrong.
    words = ["नमस्ते", "दीदी", "कैसी", "तबीयत", "है", "आपकी"]
    turns = [
        {"speaker": f"p{i % 2}", "role": "health_worker", "start": i * 3.0, "end": i * 3 + 2.8, "words": " ".join(words)}
        for i in range(400)
    ]
    steps = [
        {
            "op": "substitution" if i % 3 == 0 else "match",
            "reference": w,
            "hypothesis": w,
            "reference_segment": n,
            "hypothesis_segment": n,
        }
        for n in range(400)
        for i, w in enumerate(words)
    ]
    spans = [[t["speaker"], t["start"], t["end"]] for t in turns]
    errors = [[t["start"], t["end"], "miss"] for t in turns]
    spoken = {"reference": turns, "hypothesis": turns, "mapping": {"p0": "p0", "p1": "p1"}, "alignment": steps}
    when = {"reference": spans, "hypothesis": spans, "errors": errors, "mapping": spoken["mapping"]}
    ids = [f"v{n}" for n in range(5)]
    given = [
        results("diarization", "der", 0.1, *(row(id, "der", 0.1, **when) for id in ids)),
        results("asr", "tcpwer", 0.3, *(row(id, "tcpwer", 0.3, **spoken) for id in ids)),
    ]
    assert len(render(given, title="t").encode()) < 3_000_000


def kinds_of(*kinds: str) -> list[dict[str, object]]:
    return [
        {
            "op": "deletion",
            "reference": f"w{k}",
            "hypothesis": None,
            "reference_segment": 0,
            "hypothesis_segment": None,
            "kind": kind,
        }
        for k, kind in enumerate(kinds)
    ]


def test_every_kind_of_error_has_a_name_and_a_look() -> None:
    style = resource("page/transcript.css")
    assert set(transcript.KINDS) == {str(kind) for kind in WordErrorKind}
    assert all(f".k-{kind} {{" in style and f'[data-only="{kind}"]' in style for kind in transcript.KINDS)


def test_kinds_are_counted_and_shown_the_gravest_first() -> None:
    found = re.findall(r'data-kind="(\w+)".*?<b>(\d+)</b>', transcript.legend(kinds_of("other", "number", "other")))
    assert found == [("number", "1"), ("other", "2")]


def test_neighbours_of_one_kind_are_one_mark() -> None:
    turn = {"speaker": "a", "start": 0.0, "end": 1.0, "words": "w0 w1 w2"}
    shown = transcript.render({"reference": [turn], "alignment": kinds_of("number", "number", "other")}, {})
    assert '<del class="k-number">w0 w1</del> <del class="k-other">w2</del>' in shown


def test_a_kind_that_is_none_stays_out_of_the_page() -> None:
    steps = kinds_of('"><script>')
    assert "script" not in transcript.legend(steps)
    turn = {"speaker": "a", "start": 0.0, "end": 1.0, "words": "w0"}
    assert "<del>w0</del>" in transcript.render({"reference": [turn], "alignment": steps}, {})


def test_results_without_kinds_show_what_became_of_the_words() -> None:
    assert 'class="kinds"' not in render([asr()], title="t")


def test_a_value_that_is_no_share_stands_with_its_unit() -> None:
    bits = {"mi": 1.5, "der": 0.25}
    one = RecordingResult("v1", bits, {}, detail={"reference": [["a", 0.0, 1.0]]})
    page = render(
        [Results("diarization", "s", Signature({}), {n: Score(v, Stats()) for n, v in bits.items()}, (one,))], title="t"
    )
    assert "150.0%" not in page
    assert page.count("1.50 bits") >= 4
