"""Small situations distilled from public bug reports: each gives the value its CASE.md states, and why there."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from parakh.cli.score import Request, compute
from parakh.errors import InputError
from parakh.results import Results

CASES = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "cases"
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the folder of public cases is not beside this checkout")


def score(
    track: str,
    reference: str,
    hypothesis: str,
    *,
    uem: str | None = None,
    options: Mapping[str, float | bool] | None = None,
    normalize: str | None = None,
    metrics: list[str] | None = None,
    strip: list[str] | None = None,
    skip_missing: bool = False,
    formats: str | None = None,
) -> Results:
    return compute(
        Request(
            track=track,
            reference=[str(CASES / reference)],
            hypothesis=[str(CASES / hypothesis)],
            uem=[str(CASES / uem)] if uem else None,
            options=dict(options or {}),
            normalize=normalize,
            metrics=metrics,
            system=None,
            reference_format=formats,
            hypothesis_format=formats,
            strip_suffixes=strip or [],
            skip_missing=skip_missing,
            metadata=None,
            slice_by=[],
            detail=False,
        )
    )


def der(folder: str, uem: str | None = None, **options: float | bool) -> Results:
    uem = f"{folder}/{uem}" if uem else None
    return score("diarization", f"{folder}/ref.rttm", f"{folder}/hyp.rttm", uem=uem, options=options)


def wer(folder: str, suffix: str = "txt", normalize: str = "none") -> Results:
    return score("asr", f"{folder}/ref.{suffix}", f"{folder}/hyp.{suffix}", normalize=normalize)


def codes(results: Results) -> set[tuple[str, str | None]]:
    return {(finding.code, finding.session_id) for finding in results.findings}


@pytest.mark.parametrize(
    ("folder", "uem", "options", "expected", "scored"),
    [
        ("01-fa-before-first-ref", "whole.uem", {}, 9 / 18, 18.0),
        ("01-fa-before-first-ref", None, {}, 9 / 18, 18.0),
        ("02-no-hypothesis-segments", "visit08.uem", {}, 1.0, 10.0),
        ("04-collar-two-meanings", "v.uem", {"collar": 0.25}, 0.0, 16.0),
        ("04-collar-two-meanings", "v.uem", {"collar": 0.125}, 0.0182, 16.5),
        ("04-collar-two-meanings", "v.uem", {"collar": 0.0}, 0.0471, 17.0),
        ("05-overlap-default", "v.uem", {}, 2 / 12, 12.0),
        ("05-overlap-default", "v.uem", {"score_regions": "nonoverlap"}, 0.0, 8.0),
        ("07-self-overlap-system", "v.uem", {}, 0.0, 10.0),
        ("08-der-above-100", "v.uem", {}, 6.5, 4.0),
        ("10-duplicated-lines", "v.uem", {}, 4 / 14, 14.0),
        ("11-zero-length-segments", None, {}, 0.0, 10.0),
        ("20-missing-recordings", None, {}, 0.5, 20.0),
        ("21-macro-vs-micro", "all.uem", {}, 0.03, 100.0),
        ("47-crlf-bom-rttm-stm-uem", "v.uem", {}, 0.0, 10.0),
    ],
)
def test_der(folder: str, uem: str | None, options: Mapping[str, float | bool | str], expected: float, scored: float) -> None:
    total = der(folder, uem, **options).metrics["der"]
    assert total.value == pytest.approx(expected, abs=5e-5)
    assert total.stats["scored"] == pytest.approx(scored)


def test_01_signature_says_which_region_was_used() -> None:
    assert der("01-fa-before-first-ref").signature.choices["region"].startswith("extents")
    assert der("01-fa-before-first-ref", "whole.uem").signature.choices["region"] == "uem"


def test_03_a_reference_without_speech_is_undefined_alone_and_counts_in_the_corpus() -> None:
    results = der("03-reference-without-speech", "all.uem")
    assert {one.id: one.metrics["der"] for one in results.recordings} == {"silent01": None, "talk01": 0.0}
    assert results.metrics["der"].value == pytest.approx(0.5)


def test_10_duplicates_are_found() -> None:
    assert "duplicate-line" in {code for code, _ in codes(der("10-duplicated-lines", "v.uem"))}


def test_11_words_of_zero_duration_count() -> None:
    folder = "11-zero-length-segments"
    results = score("asr", f"{folder}/ref.stm", f"{folder}/hyp.stm", normalize="none", options={"collar": 5.0})
    for name in ("cpwer", "tcpwer"):
        assert (results.metrics[name].value, results.metrics[name].stats["length"]) == (0.0, 6)


def test_15_and_17_odd_blanks_and_other_record_types() -> None:
    tabs = score("diarization", "15-tabs-and-odd-blanks/tabs.rttm", "15-tabs-and-odd-blanks/tabs.rttm")
    assert (tabs.metrics["der"].value, tabs.metrics["der"].stats["scored"]) == (0.0, pytest.approx(6.0))
    full = score("diarization", "17-spkr-info-and-other-types/full.rttm", "17-spkr-info-and-other-types/full.rttm")
    assert full.metrics["der"].stats["scored"] == pytest.approx(5.0)


def test_18_ids_that_differ_by_a_suffix() -> None:
    folder = "18-id-suffix-mismatch"
    files = (f"{folder}/3001_SPEAKER.rttm", f"{folder}/3001.rttm")
    with pytest.raises(InputError) as error:
        score("diarization", *files, uem=f"{folder}/all.uem")
    assert all(name in str(error.value) for name in ("3001_SPEAKER", "only 3001,", "3001.Mix-Headset"))
    renamed = score("diarization", *files, uem=f"{folder}/all.uem", strip=["_SPEAKER", ".Mix-Headset"])
    assert renamed.metrics["der"].value == pytest.approx(0.1)


def test_20_missing_recordings_are_charged_and_extra_ones_reported() -> None:
    folder = "20-missing-recordings"
    expected = {("missing-recording", "v2"), ("extra-recording", "v3")}
    assert codes(der(folder)) >= expected
    words = score("asr", f"{folder}/ref.stm", f"{folder}/hyp.stm")
    assert words.metrics["cpwer"].value == 4 / 8
    assert codes(words) >= expected
    skipped = score("diarization", f"{folder}/ref.rttm", f"{folder}/hyp.rttm", skip_missing=True)
    assert skipped.metrics["der"].value == 0.0
    assert skipped.signature.choices["missing"] == "left out"


def test_21_the_headline_is_the_corpus_rate_and_the_mean_is_named_macro() -> None:
    words = wer("21-macro-vs-micro").metrics["wer"]
    assert (words.value, words.stats["length"]) == (3 / 12, 12)
    assert words.macro == pytest.approx((1 + 2 / 11) / 2)
    assert der("21-macro-vs-micro", "all.uem").metrics["der"].macro == pytest.approx(0.5101, abs=5e-5)


def test_22_insertions_of_an_empty_reference_count() -> None:
    results = wer("22-empty-reference-utterance")
    per = {one.id: one.metrics["wer"] for one in results.recordings}
    assert per["u2"] is None
    assert results.metrics["wer"].value == 0.5
    assert results.metrics["wer"].stats["insertions"] == 2
    assert results.metrics["cer"].stats["insertions"] == len("अच्छा जी")


def test_24_words_never_match_across_utterances() -> None:
    assert wer("24-cross-utterance-alignment").metrics["wer"].value == 0.5


def test_25_words_never_move_between_speakers_for_free() -> None:
    folder = "25-cpwer-across-speakers"
    results = score("asr", f"{folder}/ref.stm", f"{folder}/hyp.stm")
    assert {one.id: one.metrics["cpwer"] for one in results.recordings} == {"s1": 0.5, "s2": 0.0}
    assert results.metrics["cpwer"].value == 0.25


def test_27_several_segments_a_session_are_joined_in_time_order() -> None:
    results = wer("27-many-segments-per-speaker-siso", "seglst.json")
    assert results.metrics["wer"].value == pytest.approx(1 / 6)
    assert results.metrics["cpwer"].value == pytest.approx(1 / 6)


@pytest.mark.parametrize("normalize", ["none", "displace-2026", "indic"])
def test_28_vowel_signs_are_part_of_the_word(normalize: str) -> None:
    results = wer("28-vowel-signs-stripped", normalize=normalize)
    assert sorted(one.metrics["wer"] or 0 for one in results.recordings) == pytest.approx([1 / 3, 0.5, 0.5])
    assert results.metrics["wer"].stats["length"] == 7


def test_29_rouge_of_other_scripts() -> None:
    folder = "29-rouge-non-latin"
    results = score("summarization", f"{folder}/ref.txt", f"{folder}/hyp.txt")
    per = {one.id: one.metrics for one in results.recordings}
    assert [per["a"][name] for name in ("rouge1", "rouge2", "rougeL")] == [1.0, 1.0, 1.0]
    assert per["b"]["rouge1"] == per["b"]["rougeL"] == pytest.approx(2 * 3 / (4 + 5))
    assert per["c"]["rouge1"] == pytest.approx(0.75)


def test_30_and_31_one_letter_written_two_ways() -> None:
    assert wer("30-nukta-nfc-nfd").metrics["wer"].stats["errors"] == 6
    assert wer("30-nukta-nfc-nfd", normalize="indic").metrics["wer"].stats["errors"] == 0
    assert wer("31-chillu-zwj").metrics["wer"].stats["errors"] == 2
    assert wer("31-chillu-zwj", normalize="indic").metrics["wer"].stats["errors"] == 0


def test_32_and_34_records_and_words() -> None:
    total = wer("32-mixed-script-joined-words").metrics["wer"].stats
    assert (total["errors"], total["length"]) == (6, 17)
    lines = wer("34-unicode-line-separators")
    assert [one.id for one in lines.recordings] == ["u1", "u2", "u3"]
    assert lines.metrics["wer"].value == pytest.approx(1 / 7)


def test_37_alternations_of_nist_stm() -> None:
    folder = "37-stm-alternation-and-labels"
    total = score("asr", f"{folder}/nist.stm", f"{folder}/hyp.ctm", normalize="none").metrics["wer"]
    assert (total.value, total.stats["length"], total.stats["deletions"]) == (pytest.approx(1 / 6), 6, 1)
    literal = score("asr", f"{folder}/literal.stm", f"{folder}/literal.stm", normalize="none").metrics["wer"]
    assert literal.stats["length"] == 5


def test_38_ignored_time_segments() -> None:
    folder = "38-ignore-time-segment"
    total = score("asr", f"{folder}/ref.stm", f"{folder}/hyp.ctm", normalize="none").metrics["wer"]
    assert (total.stats["insertions"], total.stats["length"]) == (1, 5)


def test_47_windows_files() -> None:
    folder = "47-crlf-bom-rttm-stm-uem"
    results = score("asr", f"{folder}/ref.stm", f"{folder}/hyp.stm")
    assert (results.metrics["cpwer"].value, results.metrics["cpwer"].stats["length"]) == (0.0, 4)
    assert {code for code, _ in codes(results)} <= {"metric-not-applicable"}
