"""cpWER and tcpWER of public test data, as published with it; cited at each."""

from dataclasses import replace
from pathlib import Path

import pytest

from parakh import formats
from parakh.errors import InputError
from parakh.metrics import cpwer, get, tcpwer
from parakh.results import Stats, total
from parakh.types import Region, Segment

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the folder of public test data is not beside this checkout")


def stm(path: Path) -> dict[str, list[Segment]]:
    sessions: dict[str, list[Segment]] = {}
    for segment in formats.load(path, Segment).items:
        sessions.setdefault(segment.session_id, []).append(segment)
    return sessions


def pooled(reference: Path, hypothesis: Path, metric, **options: float | str) -> Stats:
    said, heard = stm(reference), stm(hypothesis)
    return total([metric.stats(segments, heard.get(session, []), **options) for session, segments in said.items()])


def counts(stats: Stats) -> tuple[float, ...]:
    return tuple(stats[key] for key in ("errors", "length", "insertions", "deletions", "substitutions"))


def texts(words: dict[str, str]) -> list[Segment]:
    return [Segment("s", speaker, words=text) for speaker, text in words.items()]


# meeteval tests/test_python_api.py, example_files.
@needs_data
@pytest.mark.parametrize(("collar", "errors"), [(0.0, 88), (1.0, 25), (2.0, 25), (5.0, 25)])
def test_meeteval_examples_tcpwer(collar, errors):
    folder = DATA / "meeteval" / "example_files"
    found = pooled(folder / "ref.stm", folder / "hyp.stm", tcpwer, collar=collar)
    assert (found["errors"], found["length"]) == (errors, 92)


# meeteval tests/test_python_api.py, example_files: pseudo-timings of hypothesis and reference, collar 0.5.
@needs_data
@pytest.mark.parametrize(
    ("heard", "said", "errors"),
    [
        ("character_based_points", "character_based", 42),
        ("equidistant_points", "equidistant_intervals", 42),
        ("full_segment", "full_segment", 25),
        ("character_based", "character_based_points", 42),
        ("equidistant_intervals", "equidistant_points", 40),
    ],
)
def test_meeteval_examples_with_other_pseudo_timings(heard, said, errors):
    folder = DATA / "meeteval" / "example_files"
    timings = {"reference_timing": said, "hypothesis_timing": heard}
    found = pooled(folder / "ref.stm", folder / "hyp.stm", tcpwer, collar=0.5, **timings)
    assert (found["errors"], found["length"]) == (errors, 92)


@needs_data
def test_meeteval_examples_cpwer():
    folder = DATA / "meeteval" / "example_files"
    assert counts(pooled(folder / "ref.stm", folder / "hyp.stm", cpwer)) == (25, 92, 8, 15, 2)


def touching(segments: list[Segment], region: Region) -> list[Segment]:
    """What meeteval keeps of a recording under a UEM: every segment that meets or touches the region, whole."""
    return [one for one in segments if one.start_time <= region.end_time and region.start_time <= one.end_time]


@needs_data
@pytest.mark.parametrize(
    ("metric", "options", "errors"), [(cpwer, {}, 25), (tcpwer, {"collar": 5.0}, 25), (tcpwer, {"collar": 0.0}, 88)]
)
def test_meeteval_examples_inside_regions(metric, options, errors):
    folder = DATA / "meeteval" / "example_files"
    said, heard = stm(folder / "ref.stm"), stm(folder / "hyp.stm")
    regions = formats.load(folder / "uem.uem", Region).items
    sides = [(touching(said[one.session_id], one), touching(heard[one.session_id], one)) for one in regions]
    found = total([metric.stats(reference, hypothesis, **options) for reference, hypothesis in sides])
    assert (found["errors"], found["length"]) == (errors, 61)


# meeteval 0.4.3 on the same files.
@needs_data
def test_meeteval_examples_by_recording():
    folder = DATA / "meeteval" / "example_files"
    said, heard = stm(folder / "ref.stm"), stm(folder / "hyp.stm")
    found = {session: tcpwer.stats(segments, heard[session]) for session, segments in said.items()}
    assert [found[name]["errors"] for name in ("recordingA", "recordingB")] == [2, 23]
    assert [found[name]["length"] for name in ("recordingA", "recordingB")] == [62, 30]
    assert tcpwer.speaker_mapping(said["recordingA"], heard["recordingA"]) == {"Alice": "Alice", "Bob": "Bob"}
    assert tcpwer.speaker_mapping(said["recordingB"], heard["recordingB"]) == {"Bob": "Alice"}


# meeteval README.
def test_meeteval_readme():
    first = cpwer.stats(
        texts({"r0": "First example", "r1": "First example second speaker"}),
        texts({"h0": "First example with errors", "h1": "First example second speaker"}),
    )
    second = cpwer.stats(texts({"r0": "Second example"}), texts({"h0": "Second example", "h1": "Overestimated speaker"}))
    assert (first["errors"], first["length"]) == (2, 6)
    assert (second["errors"], second["length"], second["falarm_speaker"]) == (2, 2, 1)
    assert get("cpwer").score(first + second) == 0.5


# The toy of NVIDIA NeMo pull request 15573.
def test_a_word_does_not_move_to_another_speaker_for_free():
    found = cpwer.stats(texts({"A": "the cat", "B": "sat on"}), texts({"x": "the cat sat", "y": "on"}))
    assert get("cpwer").score(found) == 0.5


@needs_data
@pytest.mark.parametrize(
    ("folder", "errors", "length"),
    [("11-zero-length-segments", 0, 6), ("20-missing-recordings", 4, 8), ("25-cpwer-across-speakers", 2, 8)],
)
def test_cases(folder, errors, length):
    paths = [DATA / "cases" / folder / f"{side}.stm" for side in ("ref", "hyp")]
    for metric in (cpwer, tcpwer):
        found = pooled(*paths, metric)
        assert (found["errors"], found["length"]) == (errors, length)


@needs_data
def test_case_37_takes_the_alternatives_that_fit():
    folder = DATA / "cases" / "37-stm-alternation-and-labels"
    reference = formats.load(folder / "nist.stm", Segment).items
    hypothesis = [replace(word, speaker="x") for word in formats.load(folder / "hyp.ctm", Segment).items]
    assert counts(cpwer.stats(reference, hypothesis)) == (1, 6, 0, 1, 0)
    assert counts(tcpwer.stats(reference, hypothesis)) == (1, 6, 0, 1, 0)
    words = [(step.reference, step.hypothesis) for step in tcpwer.align(reference, hypothesis)]
    assert words == [("i've", "i've"), ("taken", "taken"), ("5", "5"), ("tablets", "tablets"), ("okay", None), ("fine", "fine")]


# meeteval 0.4.3, docstring of get_self_overlap; the total is the end of the last segment.
@pytest.mark.parametrize(
    ("times", "overlap", "end"),
    [
        ([(0, 1), (1, 2), (2, 3)], 0, 3),
        ([(0, 1), (0, 1)], 1, 1),
        ([(0, 1), (0, 1), (0, 1)], 2, 1),
        ([(0, 10), (1, 2), (3, 4)], 2, 10),
        ([(0, 4), (1, 3), (2, 5)], 4, 5),
        ([(0, 1), (0.5, 1.5), (1, 2)], 1.0, 2.0),
    ],
)
def test_self_overlap(times, overlap, end):
    segments = [Segment("s", "A", start, stop, "a") for start, stop in times]
    for metric in (cpwer, tcpwer):
        found = metric.stats(segments, [Segment("s", "x", 0.0, 3.0, "a")])
        assert (found["reference_self_overlap"], found["reference_total_time"]) == (overlap, end)
        assert (found["hypothesis_self_overlap"], found["hypothesis_total_time"]) == (0, 3)


# By hand: two of the three segments accept several forms; of the first the second form fits, of the other the first.
def test_the_forms_taken_are_named_and_counted():
    reference = [
        Segment("s", "A", 0.0, 2.0, "पाँच गोली", forms=("5 गोली", "पाँच गोलियाँ")),
        Segment("s", "B", 2.0, 3.0, "जी"),
        Segment("s", "A", 3.0, 4.0, "ठीक है", forms=("",)),
    ]
    hypothesis = [Segment("s", "x", 0.0, 4.0, "5 गोली ठीक है"), Segment("s", "y", 2.0, 3.0, "जी")]
    for metric in (cpwer, tcpwer):
        found = metric.stats(reference, hypothesis)
        assert (found["errors"], found["alternatives"], found["other_forms"]) == (0, 2, 1)
        assert metric.forms_taken(reference, hypothesis) == {0: "5 गोली", 2: "ठीक है"}
        # Nobody heard it: the shortest form costs least.
        assert metric.stats(reference, [])["length"] == 3
        assert metric.forms_taken(reference, [])[2] == ""
        assert "alternatives" not in metric.stats(hypothesis, hypothesis)
        assert metric.forms_taken(hypothesis, hypothesis) == {}


def test_more_than_twenty_speakers():
    reference = [Segment("s", f"r{k}", k, k + 1, f"word{k} दवा") for k in range(40)]
    hypothesis = [Segment("s", f"h{k}", k, k + 1, f"word{k}") for k in range(60)]
    found = tcpwer.stats(reference, hypothesis)
    assert counts(found) == (60, 80, 20, 40, 0)
    assert (found["missed_speaker"], found["falarm_speaker"], found["scored_speaker"]) == (0, 20, 40)
    assert tcpwer.speaker_mapping(reference, hypothesis) == {f"h{k}": f"r{k}" for k in range(40)}


@pytest.mark.parametrize(
    ("segment", "message"),
    [
        (Segment("v1", None, 0.0, 1.0, "a"), "hypothesis of v1:2: speaker: found none, expected a speaker."),
        (Segment("v1", "p", words="a"), "hypothesis of v1:2: start_time: found none, expected seconds."),
        (Segment("v1", "p", 2.0, 1.0, "a"), "hypothesis of v1:2: end_time: found 1.0 after start_time 2.0"),
        (Segment("v1", "p", 0.0, float("nan"), "a"), "hypothesis of v1:2: end_time: found nan after start_time 0.0"),
    ],
)
def test_what_is_wrong_with_a_segment_is_named(segment, message):
    good = Segment("v1", "p", 0.0, 1.0, "a")
    with pytest.raises(InputError) as error:
        tcpwer.stats([good], [good, segment])
    assert str(error.value).startswith(message)


def test_a_segment_of_several_words_is_no_word():
    several = [Segment("v1", "p", 0.0, 1.0, "a"), Segment("v1", "p", 1.0, 2.0, " "), Segment("v1", "p", 2.0, 3.0, "b c")]
    assert tcpwer.stats(several[:2], several[:2], reference_timing="none")["length"] == 1
    with pytest.raises(InputError) as error:
        tcpwer.stats(several[:1], several, hypothesis_timing="none")
    assert str(error.value) == (
        "hypothesis of v1:3: words: found 2 words, expected one word a segment, as hypothesis_timing is 'none'. "
        "Choose another hypothesis_timing."
    )


@pytest.mark.parametrize("option", ["reference_timing", "hypothesis_timing"])
def test_a_rule_of_pseudo_times_has_a_known_name(option):
    with pytest.raises(InputError, match=rf"^{option}: found 'characters', expected one of character_based, .*, none\."):
        tcpwer.stats([], [], **{option: "characters"})


@pytest.mark.parametrize("collar", [-1.0, float("nan"), float("inf")])
def test_a_collar_is_a_finite_length(collar):
    with pytest.raises(InputError, match=r"collar: found .*, expected finite seconds >= 0"):
        tcpwer.stats([], [], collar=collar)
