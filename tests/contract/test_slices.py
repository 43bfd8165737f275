"""Slices, aggregates, intervals and accepted forms: what evaluate adds to the plain scores."""

from dataclasses import replace

import pytest

from parakh import tracks
from parakh.aggregate import Interval
from parakh.errors import InputError
from parakh.evaluate import evaluate
from parakh.metrics import all_metrics
from parakh.resample import Bootstrap
from parakh.results import Results, total
from parakh.selection import accept_answers, accept_forms
from parakh.slices import Cut, cut, recording_values, segment_stats
from parakh.types import Recording, Segment, Summary, Topics

ASR = tracks.get("asr")
WORDS = ["मुझे", "तीन", "दिन", "से", "तेज़", "बुखार", "है", "और", "पेट", "में", "दर्द", "है"]


def visit(name: str, wrong: int) -> tuple[list[Segment], list[Segment]]:
    """A worker and a seeker; the seeker's first `wrong` words are misheard, and a third speaker is invented."""
    reference = [
        Segment(name, "asha", 0.0, 4.0, "नमस्ते दीदी क्या हुआ", role="health_worker", language="hi"),
        Segment(name, "didi", 4.0, 12.0, " ".join(WORDS), role="health_seeker", language="hi"),
    ]
    misheard = " ".join(["गलत"] * wrong + WORDS[wrong:])
    hypothesis = [
        replace(reference[0], speaker="s0"),
        replace(reference[1], speaker="s1", words=misheard),
        Segment(name, "s2", 30.0, 31.0, "फालतू बात"),
    ]
    return reference, hypothesis


def corpus(count: int) -> tuple[list[Segment], list[Segment], list[Recording]]:
    pairs = [visit(f"v{k:02}", k % 4) for k in range(count)]
    known = [
        Recording(
            f"v{k:02}",
            duration=60.0 * (k + 1),
            language="hi",
            metadata={"snr": str(5.0 * k), "village": f"w{k % 3}", "topics": '["fever", "pain"]' if k % 2 else '["fever"]'},
        )
        for k in range(count)
    ]
    return [s for r, _ in pairs for s in r], [s for _, h in pairs for s in h], known


def score(*args, **options) -> Results:
    reference, hypothesis, known = corpus(8)
    return evaluate(ASR, reference, hypothesis, metrics=["tcpwer"], recordings=known, **options)


def test_a_role_holds_the_errors_of_its_words_and_the_slices_add_up():
    results = score(slice_by=["role"])
    roles = results.slices["role"]
    assert list(roles) == ["health_seeker", "health_worker", "nobody"]
    assert not results.recordings[0].slices  # a role belongs to speakers
    assert roles["health_worker"]["tcpwer"].value == 0.0
    assert roles["health_seeker"]["tcpwer"].stats["substitutions"] == 2 * (0 + 1 + 2 + 3)
    assert roles["nobody"]["tcpwer"].value is None
    assert roles["nobody"]["tcpwer"].stats["insertions"] == 2 * 8
    for key in ("errors", "length", "insertions", "hits"):
        assert sum(one["tcpwer"].stats[key] for one in roles.values()) == results.metrics["tcpwer"].stats[key]


def test_numbers_are_cut_at_edges_and_lists_count_under_each_value():
    results = score(slice_by=["snr:10,20", "topics", "overlap", "speakers"])
    assert list(results.slices["snr"]) == ["< 10", "10 to 20", ">= 20"]
    lengths = [one["tcpwer"].stats["length"] for one in results.slices["snr"].values()]
    assert lengths == [2 * 16, 2 * 16, 4 * 16]
    assert results.slices["topics"]["fever"]["tcpwer"].value == results.metrics["tcpwer"].value
    assert results.slices["topics"]["pain"]["tcpwer"].stats["length"] == 4 * 16
    assert list(results.slices["overlap"]) == ["< 0.05"]
    assert [one.slices["topics"] for one in results.recordings[:2]] == [("fever",), ("fever", "pain")]
    by_recording = [one.metrics["tcpwer"] for one in results.recordings if "10 to 20" in one.slices["snr"]]
    assert len(by_recording) == 2
    assert list(results.slices["speakers"]) == ["2"]


def test_speakers_of_the_manifest_give_their_fields():
    reference, hypothesis = visit("v1", 2)
    known = [Recording("v1", metadata={"speakers": '{"asha": {"sex": "f", "age": 40}, "didi": {"sex": "f"}}'})]
    results = evaluate(ASR, reference, hypothesis, metrics=["wer"], recordings=known, slice_by=["age", "sex"])
    assert list(results.slices["age"]) == ["40", "nobody", "unknown"]
    assert results.slices["age"]["40"]["wer"].stats["length"] == 4


@pytest.mark.parametrize("asked", ["district", "snr:b", "snr:20,10", "snr:nan", "village:1,2"])
def test_a_slice_that_cannot_be_made_is_refused(asked):
    with pytest.raises(InputError):
        score(slice_by=[asked])


def test_the_detail_is_that_of_the_track_whatever_metrics_are_asked_for():
    said, heard = [Segment("v", "A", 0.0, 1.0, "जी")], [Segment("v", "p", 5.5, 6.5, "जी")]  # within 5 s, but not 3 s
    details = [evaluate(ASR, said, heard, metrics=names, detail=True).recordings[0].detail for names in (["wer"], ["tcpwer"])]
    assert details[0] == details[1]
    assert [step["op"] for step in details[0]["alignment"]] == ["deletion", "insertion"]


def test_a_slice_of_segments_needs_a_metric_that_aligns_them():
    reference, hypothesis, _ = corpus(2)
    for track, metrics in ((tracks.get("diarization"), None), (ASR, ["wder"])):
        with pytest.raises(InputError, match="a field of whole recordings"):
            evaluate(track, reference, hypothesis, metrics=metrics, slice_by=["speaker"])


def test_aggregates_weigh_recordings_as_their_names_say():
    results = score()
    values = [one.metrics["tcpwer"] for one in results.recordings]
    minutes = range(1, 9)
    tcpwer = results.metrics["tcpwer"]
    assert tcpwer.macro == pytest.approx(sum(values) / 8)
    assert tcpwer.by_duration == pytest.approx(sum(v * m for v, m in zip(values, minutes, strict=True)) / sum(minutes))
    assert tcpwer.value == total([one.stats["tcpwer"] for one in results.recordings])["errors"] / (8 * 16)


def test_intervals_stand_on_corpus_and_slices_and_in_the_signature():
    plan = Interval(Bootstrap(samples=500), group_by="village", stratify_by=None)
    results = score(interval=plan, slice_by=["village", "role"])
    low, high = results.metrics["tcpwer"].interval
    assert low <= results.metrics["tcpwer"].value <= high
    assert "bca bootstrap over groups of one village, 95 %, n=500, seed=1" in str(results.signature)
    assert results.slices["village"]["w0"]["tcpwer"].interval is None  # one village has one unit
    assert results.slices["role"]["health_seeker"]["tcpwer"].interval is not None
    assert Results.from_json(results.to_json()) == results


@pytest.mark.parametrize("asked", [{"group_by": "village"}, {"stratify_by": "village"}])
def test_a_recording_without_the_field_that_is_drawn_by_is_refused(asked):
    reference, hypothesis, known = corpus(4)
    known[1] = replace(known[1], metadata={})
    options = {"metrics": ["wer"], "interval": Interval(Bootstrap(samples=200), **asked)}
    for recordings in (known, [*known[:1], *known[2:]]):
        with pytest.raises(InputError, match="found nothing for v01"):
            evaluate(ASR, reference, hypothesis, recordings=recordings, **options)


def test_what_a_metric_tells_of_a_recording_names_it():
    told = evaluate(
        tracks.get("summarization"), [Summary("v1", "No fever.")], [Summary("v1", "Fever.")], metrics=["summary_negations"]
    )
    assert {one.session_id for one in told.recordings[0].findings} == {"v1"}


def test_any_number_of_processes_gives_the_same_bytes():
    options = {"slice_by": ["role", "village"], "detail": True, "interval": Interval(Bootstrap(samples=200))}
    assert len({score(jobs=jobs, **options).to_json() for jobs in (1, 2, 3)}) == 1


def test_a_fault_in_another_process_is_the_same_fault():
    reference, hypothesis, _ = corpus(4)
    messages = []
    for jobs in (1, 2):
        with pytest.raises(InputError) as caught:
            evaluate(ASR, reference, hypothesis, metrics=["tcpwer"], options={"collar": -1.0}, jobs=jobs)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_an_accepted_form_is_taken_where_it_is_cheaper():
    reference = [Segment("v1", "A", 0.0, 1.0, "डॉक्टर आए"), Segment("v1", "A", 1.0, 2.0, "ठीक है")]
    further = [replace(reference[0], words="doctor आए"), reference[1]]
    accepted = accept_forms(reference, further)
    assert [segment.forms for segment in accepted] == [("doctor आए",), ()]
    heard = [replace(reference[0], words="doctor आए"), reference[1]]
    assert evaluate(ASR, accepted, heard).metrics["tcpwer"].value == 0.0
    with pytest.raises(InputError):
        accept_forms(reference, [replace(reference[0], start_time=0.5)])


def test_several_references_of_a_text_are_accepted_and_several_answers_are_not():
    summaries = tracks.get("summarization")
    references = [Summary("v1", "fever for three days"), Summary("v1", "three days of fever")]
    answer = Summary("v1", "three days of fever")
    assert evaluate(summaries, references, [answer], metrics=["rouge1"]).metrics["rouge1"].value == 1.0
    with pytest.raises(InputError):
        evaluate(tracks.get("topics"), [Topics("v1", ("Fever",))], [Topics("v1"), Topics("v1")])
    assert accept_answers(references[:1], references[1:]) == references
    with pytest.raises(InputError, match="v2"):
        accept_answers(references, [Summary("v2", "fever")])


def test_an_insertion_belongs_to_the_reference_word_before_it_of_its_speaker():
    from parakh.metrics import tcpwer

    reference = [Segment("v", "A", 0.0, 1.0, "क", role="x"), Segment("v", "A", 1.0, 2.0, "ग", role="y")]
    hypothesis = [Segment("v", "p", 0.0, 2.0, "ख क घ ग")]
    steps = tcpwer.align(reference, hypothesis)
    found = segment_stats(Cut("role", by_segment=True), None, reference, steps)
    assert {value: stats["insertions"] for value, stats in found.items()} == {"x": 2, "y": 0}


def test_unknown_fields_are_told():
    recording = Recording("v1", metadata={"snr": "3"})
    assert recording_values(cut("snr", [recording], []), Recording("v2"), []) == ["unknown"]


def test_all_takes_every_metric_that_fits_and_no_costly_one():
    reference, hypothesis, _ = corpus(2)
    names = set(evaluate(ASR, reference, hypothesis, metrics=["all"]).metrics)
    assert {"tcpwer", "wder", "greedy_tcorcwer", "cpcer", "wip"} <= names
    assert not {"orcwer", "tcorcwer", "der", "rougeL"} & names


def test_asking_for_a_default_changes_nothing_and_asking_for_another_is_in_the_signature():
    reference, hypothesis, _ = corpus(2)
    plain = evaluate(ASR, reference, hypothesis)
    asked = evaluate(ASR, reference, hypothesis, options={"reference_timing": "character_based"})
    other = evaluate(ASR, reference, hypothesis, options={"reference_timing": "full_segment"})
    assert asked.to_json() == plain.to_json()
    assert other.signature.choices["reference_timing"] == "full_segment (tcpwer)"


@pytest.mark.parametrize("metric", [one for one in all_metrics().values() if one.align], ids=lambda one: one.name)
def test_every_metric_with_an_alignment_can_be_sliced_and_the_slices_add_up(metric):
    reference, hypothesis, _ = corpus(3)
    forms = [replace(one, forms=(f"{one.words} जी", "ठीक")) for one in reference]
    results = evaluate(ASR, forms, hypothesis, metrics=[metric.name], slice_by=["role"])
    whole, parts = results.metrics[metric.name], [one[metric.name] for one in results.slices["role"].values()]
    assert {tuple(part.parts) for part in parts} == {tuple(whole.parts)}
    summed = total([part.stats for part in parts])
    assert dict(summed) == {key: whole.stats[key] for key in summed}


@pytest.mark.parametrize("track", ["diarization", "asr"])
def test_the_share_of_overlap_is_kept_with_each_recording(track: str) -> None:
    said = [Segment("v1", "a", 0.0, 6.0, "जी"), Segment("v1", "b", 4.0, 8.0, "हाँ")]
    found = evaluate(tracks.get(track), said, said, options={"score_regions": "nonoverlap"} if track == "diarization" else None)
    assert found.recordings[0].overlap == 0.25


def test_without_times_the_share_of_overlap_is_not_known() -> None:
    said = [Segment("v1", "a", words="जी"), Segment("v1", "b", words="हाँ")]
    assert evaluate(tracks.get("asr"), said, said).recordings[0].overlap is None
