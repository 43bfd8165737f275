"""Diarization and Jaccard error rates that others published, from public files and small examples.

Each value names where it was published. The files are read by path from the folder of public test data.
"""

from pathlib import Path

import pytest

from parakh import formats, metrics
from parakh.metrics import der, jer
from parakh.results import total
from parakh.types import Region, Segment

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data"
AMI = DATA / "dover-lap" / "egs" / "ami"
SPYDER = DATA / "spyder" / "test" / "fixtures"
MEETEVAL = DATA / "meeteval" / "example_files"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the folder of public test data is not beside this checkout")


def read(path, form="rttm"):
    sessions = {}
    for item in formats.get(form).read(path).items:
        sessions.setdefault(item.session_id, []).append(item)
    return sessions


def turns(text):
    """ "A 0 2, B 1.5 3.5" as turns."""
    fields = [turn.split() for turn in text.split(",")]
    return [Segment("s", speaker, float(start), float(end)) for speaker, start, end in fields]


def in_binary(segments):
    """The turns as dscore and spy-der read them: end = start + duration in binary, not in decimal as in the file.

    Turns that touch in the file then overlap or part by 1e-13; whether they do decides about a collar, which shows in
    the second decimal of the rate.
    """
    return [Segment("s", t.speaker, t.start_time, t.start_time + round(t.end_time - t.start_time, 6)) for t in segments]


def joined(segments):
    """Touching turns of one speaker made one, as in spy-der."""
    result = []
    for turn in sorted(segments, key=lambda t: (t.speaker, t.start_time)):
        last = result[-1] if result else None
        if last and last.speaker == turn.speaker and turn.start_time <= last.end_time:
            result[-1] = Segment("s", turn.speaker, last.start_time, max(last.end_time, turn.end_time))
        else:
            result.append(turn)
    return result


def rates(stats):
    """Percent of scored speaker time: miss, false alarm, confusion."""
    return [100 * stats[key] / stats["scored"] for key in ("miss", "false_alarm", "confusion")]


# ------------------------------------------------------------------------------------------------ AMI, 4 real systems


@needs_data
@pytest.mark.parametrize(
    ("system", "parts", "rate", "jaccard"),
    [
        ("rttm_test_vb", (9.84, 2.06, 9.60), 21.499, 29.16),
        ("rttm_test_sc", (11.48, 2.27, 9.81), 23.556, 30.63),
        ("rttm_test_rpn", (9.49, 7.68, 8.25), 25.428, 32.07),
        ("rttm_dl_test", (9.96, 2.16, 7.75), 19.865, 27.77),
    ],
)
def test_ami_as_in_the_dover_lap_readme(system, parts, rate, jaccard):
    """Miss, false alarm, confusion: dover-lap README; third decimal: spy-der, dscore, pyannote.metrics; JER: dscore e02f949."""
    reference, hypothesis = read(AMI / "ref_rttm_test"), read(AMI / system)
    summed = total([der.stats(reference[one], hypothesis[one]) for one in reference])
    assert len(reference) == 16
    assert summed["scored"] == pytest.approx(33952.95, abs=0.005)
    assert rates(summed) == pytest.approx(parts, abs=0.0051)
    assert 100 * der.score(summed) == pytest.approx(rate, abs=0.0006)
    summed = total([jer.stats(reference[one], hypothesis[one]) for one in reference])
    assert 100 * jer.score(summed) == pytest.approx(jaccard, abs=0.0051)


@needs_data
@pytest.mark.parametrize(
    ("system", "with_collar", "without_overlap", "with_both"),
    [
        ("rttm_test_sc", 15.37, 9.03, 5.00),
        ("rttm_test_vb", 14.12, 8.47, 4.52),
        ("rttm_test_rpn", 18.40, 16.37, 11.50),
        ("rttm_dl_test", 12.43, 7.50, 3.65),
    ],
)
def test_ami_collar_and_overlap_as_dscore(system, with_collar, without_overlap, with_both):
    """dscore e02f949: --collar 0.25, --ignore_overlaps, both: its printed digits on its own sums of onset and duration."""
    reference, hypothesis = read(AMI / "ref_rttm_test"), read(AMI / system)

    def rates(as_read):
        pairs = [(as_read(reference[one]), as_read(hypothesis[one])) for one in reference]
        settings = [(0.25, "all"), (0.0, "nonoverlap"), (0.25, "nonoverlap")]
        return [100 * der.score(total([der.stats(r, h, collar=c, score_regions=s) for r, h in pairs])) for c, s in settings]

    published = [with_collar, without_overlap, with_both]
    assert rates(in_binary) == pytest.approx(published, abs=0.0051)
    assert rates(list) == pytest.approx(published, abs=0.01)


@needs_data
def test_ami_per_meeting_as_in_the_spyder_readme():
    """spyder README: single-speaker regions, collar 0.25, system sc."""
    published = {
        "EN2002a": 7.94, "EN2002b": 8.80, "EN2002c": 2.47, "EN2002d": 10.26, "ES2004a": 6.74, "ES2004b": 2.21,
        "ES2004c": 1.72, "ES2004d": 11.37, "IS1009a": 8.54, "IS1009b": 2.08, "IS1009c": 3.75, "IS1009d": 5.64,
        "TS3003a": 11.28, "TS3003b": 1.11, "TS3003c": 3.50, "TS3003d": 5.35,
    }  # fmt: skip
    reference, hypothesis = read(AMI / "ref_rttm_test"), read(AMI / "rttm_test_sc")
    stats = {
        meeting: der.stats(
            joined(in_binary(reference[one])), joined(in_binary(hypothesis[one])), collar=0.25, score_regions="single"
        )
        for meeting in published
        for one in [f"{meeting}.Mix-Headset"]
    }
    found = {meeting: 100 * der.score(one) for meeting, one in stats.items()}
    assert found == pytest.approx(published, abs=0.0051)
    overall = total(list(stats.values()))
    assert 100 * der.score(overall) == pytest.approx(5.01, abs=0.0051)
    assert rates(overall) == pytest.approx([0.00, 1.72, 3.29], abs=0.0051)
    assert overall["scored"] == pytest.approx(18877.94, abs=0.005)


# --------------------------------------------------------------------------------------- dscore's and spyder's fixtures


@needs_data
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("der", 0.2639309),
        ("jer", 0.3324631),
        ("bcubed_precision", 0.71880),
        ("bcubed_recall", 0.72958),
        ("bcubed_f1", 0.72415),
        ("tau_ref_sys", 0.60075),
        ("tau_sys_ref", 0.58534),
        ("ce_ref_sys", 0.80471),
        ("ce_sys_ref", 0.72543),
        ("mi", 0.96810),
        ("nmi", 0.55872),
    ],
)
def test_dscore_unit_data(name, value):
    """dscore scorelib/tests/test_score.py and test_metrics.py."""
    folder = DATA / "dscore" / "scorelib" / "tests"
    [reference], [hypothesis] = read(folder / "ref.rttm").values(), read(folder / "sys.rttm").values()
    metric = metrics.get(name)
    stats = metric.stats(reference, hypothesis, regions=[Region("FILE1", 0.0, 43.0)])
    assert metric.score(stats) == pytest.approx(value, abs=5e-6)


@needs_data
@pytest.mark.parametrize(
    ("collar", "kind", "rate"),
    [(0.0, "all", 0.2639), (0.0, "single", 0.1907), (0.0, "overlap", 0.3727), (0.2, "all", 0.2426), (0.2, "single", 0.1935)],
)
def test_spyder_fixtures(collar, kind, rate):
    """spyder test/test_der.py."""
    [reference], [hypothesis] = read(SPYDER / "ref.rttm").values(), read(SPYDER / "hyp.rttm").values()
    stats = der.stats(reference, hypothesis, collar=collar, score_regions=kind)
    assert der.score(stats) == pytest.approx(rate, abs=5e-5)


@needs_data
def test_spyder_fixtures_with_two_regions():
    """spyder test/test_der.py: ref.uem has a comment line, two regions with a gap, and another file's."""
    [reference], [hypothesis] = read(SPYDER / "ref.rttm").values(), read(SPYDER / "hyp.rttm").values()
    stats = der.stats(reference, hypothesis, regions=read(SPYDER / "ref.uem", "uem")["FILE1"])
    assert der.score(stats) == pytest.approx(0.0967, abs=5e-5)
    assert stats["scored"] == pytest.approx(13.79, abs=0.005)
    assert rates(stats) == pytest.approx([2.26, 4.10, 3.31], abs=0.0051)


SPYDER_REF, SPYDER_HYP = turns("A 0 2, B 1.5 3.5, A 4 5.1"), turns("1 0 .8, 2 .6 2.3, 3 2.1 3.9, 1 3.8 5.2")


def test_spyder_readme():
    """spyder README: all, one region, collar."""
    stats = der.stats(SPYDER_REF, SPYDER_HYP)
    assert rates(stats) == pytest.approx([9.80, 21.57, 25.49], abs=0.0051)
    assert stats["scored"] == pytest.approx(5.10)
    inside = der.stats(SPYDER_REF, SPYDER_HYP, regions=[Region("s", 0.5, 5.0)])
    assert (inside["scored"], der.score(inside)) == pytest.approx((4.50, 0.60))
    collared = der.stats(SPYDER_REF, SPYDER_HYP, collar=0.2)
    assert (collared["scored"], der.score(collared)) == pytest.approx((3.10, 0.3548), abs=5e-5)
    second = der.stats(turns("A 0 4.3, C 6 8.1, B 2 8.5"), turns("1 0 4.5, 2 2.5 8.7"))
    assert der.score(second) == pytest.approx(0.2326, abs=5e-5)
    both = total([stats, second])
    assert (both["scored"], der.score(both)) == pytest.approx((18.00, 0.3278), abs=5e-5)
    assert rates(both) == pytest.approx([17.22, 8.33, 7.22], abs=0.0051)


# -------------------------------------------------------------------------------------------------------- small examples

PYANNOTE_REF, PYANNOTE_HYP = turns("A 0 10, B 12 20, A 24 27, C 30 40"), turns("a 2 13, d 13 14, b 14 20, c 22 38, d 38 40")


def test_pyannote_diarization():
    """pyannote.metrics tests/test_diarization.py."""
    stats = der.stats(PYANNOTE_REF, PYANNOTE_HYP)
    assert der.score(stats) == pytest.approx(0.5161290322580645)
    assert {key: stats[key] for key in ("miss", "false_alarm", "confusion", "scored")} == {
        "miss": 2, "false_alarm": 7, "confusion": 7, "scored": 31,
    }  # fmt: skip
    assert der.mapping(PYANNOTE_REF, PYANNOTE_HYP) == {"a": "A", "b": "B", "c": "C"}


def test_pyannote_overlap_and_collar():
    """pyannote.metrics tests/test_diarization.py; its collar of 1 is the full width."""
    overlapped = turns("A 0 13, B 12 20, A 24 27, C 30 40")
    assert der.stats(overlapped, PYANNOTE_HYP)["scored"] == 34
    assert der.stats(overlapped, PYANNOTE_HYP, score_regions="nonoverlap")["scored"] == 32
    assert der.stats(turns("A 0 10"), [])["scored"] == 10
    assert der.stats(turns("A 0 10"), [], collar=0.5)["scored"] == 9


DETECTION_REF = turns("A 0 5, B 6 10, A 12 14, C 15 20")
DETECTION_HYP = turns("A 1 7, D 7 9, B 7 10, C 11 17, D 18 20")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("detection_error", 0.3125),
        ("detection_accuracy", 0.75),
        ("detection_precision", 14 / 17),
        ("detection_recall", 0.875),
        ("detection_f1", 28 / 33),
        ("detection_cost", 0.28125),
    ],
)
def test_pyannote_detection(name, value):
    """pyannote.metrics tests/test_detection.py."""
    metric = metrics.get(name)
    assert metric.score(metric.stats(DETECTION_REF, DETECTION_HYP)) == pytest.approx(value)


def test_pyannote_detection_seconds_and_region():
    """pyannote.metrics tests/test_detection.py: false alarm 3, miss 2, of 16; with region 1 to 14 the cost is 1/6."""
    stats = der.stats(DETECTION_REF, DETECTION_HYP)
    assert (stats["false_speech"], stats["missed_speech"], stats["speech"], stats["silence"]) == (3, 2, 16, 4)
    cut = der.stats(DETECTION_REF, DETECTION_HYP, regions=[Region("s", 1.0, 14.0)])
    assert metrics.get("detection_cost").score(cut) == pytest.approx(1 / 6)


@pytest.mark.parametrize(("name", "value"), [("purity", 0.6666), ("coverage", 0.7096)])
def test_pyannote_purity_and_coverage(name, value):
    """pyannote.metrics tests/test_diarization.py."""
    metric = metrics.get(name)
    assert metric.score(metric.stats(PYANNOTE_REF, PYANNOTE_HYP)) == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "rate"),
    [
        ("A 0 1, B 1 1.5, A 1.6 2.1", "1 0 .8, 2 .8 1.4, 3 1.5 1.8, 1 1.8 2", 0.35),
        ("A 0 1, B 0 1, C 0 1", "1 0 1, 2 0 1", 1 / 3),
        ("A 0 1", "1 0 1, 2 0 1", 1.0),
        ("A 0 10, A 20 21", "1 0 10, 2 20 21", 1 / 11),
    ],
)
def test_simple_der(reference, hypothesis, rate):
    """SimpleDER tests."""
    assert der.score(der.stats(turns(reference), turns(hypothesis))) == pytest.approx(rate)


def stm_turns(name):
    sessions = {}
    for line in (MEETEVAL / name).read_text(encoding="utf-8").splitlines():
        session, _, speaker, start, end = line.split()[:5]
        sessions.setdefault(session, []).append(Segment(session, speaker, float(start), float(end)))
    return sessions


@needs_data
@pytest.mark.parametrize(("uem", "rate", "scored"), [(None, 0.3, 6.0), ("uem.uem", 0.36, 5.0)])
def test_meeteval_example(uem, rate, scored):
    """meeteval tests/test_python_api.py, md_eval_22; without UEM it scores the extent of the reference."""
    reference, hypothesis = stm_turns("ref.stm"), stm_turns("hyp.stm")
    extents = {one: [Region(one, min(t.start_time for t in ts), max(t.end_time for t in ts))] for one, ts in reference.items()}
    regions = read(MEETEVAL / uem, "uem") if uem else extents
    stats = total([der.stats(reference[one], hypothesis[one], regions=regions[one]) for one in reference])
    assert (der.score(stats), stats["scored"]) == pytest.approx((rate, scored))
    assert (stats["miss"], stats["false_alarm"]) == pytest.approx((0.8, 0.6))


# ------------------------------------------------------------------------------------------ Jaccard error, one side empty


def test_jaccard_error_without_system_speech():
    """dscore scorelib/tests/test_metrics.py: 100."""
    assert jer.score(jer.stats(turns("A 0 1, B 2 3"), [])) == 1.0


def test_jaccard_error_without_reference_speech_is_undefined():
    """dscore prints 100 (system speech) or 0 (none); a rate without denominator is None in this project."""
    assert jer.score(jer.stats([], turns("x 0 1"))) is None
    assert jer.score(jer.stats([], [])) is None
