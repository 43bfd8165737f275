"""TextGrid, ELAN and subtitle files read as praatio, pympi and webvtt-py read them, and written so that they do."""

from pathlib import Path

import pytest

from parakh import formats
from parakh.types import Segment

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data"
here = pytest.mark.skipif(not DATA.is_dir(), reason="the public test data is not beside this checkout")
Turn = tuple[str | None, float | None, float | None, str]

TURNS = [
    Segment("v1", "ASHA 1", 0.0, 1.25, 'नमस्ते "दीदी"\nबैठिए'),
    Segment("v1", "ASHA 1", 2.0, 3.001, "BP <140> & 90"),
    Segment("v1", "माँ", 1.0, 2.5, "हाँ"),
]
SAID: list[Turn] = [(one.speaker, one.start_time, one.end_time, one.words) for one in TURNS]


def ours(path: Path) -> list[Turn]:
    return [(one.speaker, one.start_time, one.end_time, one.words) for one in formats.load(path, Segment).items]


def written(folder: Path, name: str) -> Path:
    (path,) = formats.write_each(TURNS, folder, name)
    return path


def by_praatio(path: Path) -> list[Turn]:
    textgrid = pytest.importorskip("praatio.textgrid")
    grid = textgrid.openTextgrid(str(path), includeEmptyIntervals=False, reportingMode="silence", duplicateNamesMode="rename")
    tiers = [tier for tier in grid.tiers if isinstance(tier, textgrid.IntervalTier)]
    return [(tier.name or None, one.start, one.end, one.label) for tier in tiers for one in tier.entries]


@here
def test_textgrids_as_praatio_reads_them() -> None:
    folders = ["primock57/transcripts", "praatio/tests/files", "praatio/examples/files"]
    paths = [path for folder in folders for path in sorted((DATA / folder).glob("*.TextGrid"))]
    assert len(paths) > 130
    for path in paths:
        if path.stem == "all_tiers_have_the_same_name":  # praatio renames the tiers
            assert [one[1:] for one in ours(path)] == [one[1:] for one in by_praatio(path)]
        else:
            assert ours(path) == by_praatio(path), path.name


def test_praatio_reads_what_is_written(tmp_path: Path) -> None:
    assert by_praatio(written(tmp_path, "textgrid")) == SAID


@here
def test_elan_as_pympi_reads_it() -> None:
    elan = pytest.importorskip("pympi.Elan")
    path = DATA / "pympi" / "test" / "sample_2.8.eaf"
    theirs = elan.Eaf(str(path))
    told = ours(path)
    for tier in theirs.get_tier_names():
        own = [one for one in told if one[0] == tier]
        rows = theirs.get_annotation_data_for_tier(tier)
        assert sorted(one[3] for one in own) == sorted(row[2] for row in rows)
        if tier in ("text", "gestures", "gest_included"):
            assert sorted(one[1:] for one in own) == sorted((row[0] / 1000, row[1] / 1000, row[2]) for row in rows)
        if tier in ("words-symsub", "words-pos"):  # pympi gives each the time of its whole sentence, which they share here
            sentences = {(row[0] / 1000, row[1] / 1000) for row in rows}
            for start, end in sentences:
                inside = [one for one in own if one[1] is not None and start - 1e-9 <= one[1] < end - 1e-9]
                assert sum((one[2] or 0.0) - (one[1] or 0.0) for one in inside) == pytest.approx(end - start)


def test_pympi_reads_what_is_written(tmp_path: Path) -> None:
    elan = pytest.importorskip("pympi.Elan")
    theirs = elan.Eaf(str(written(tmp_path, "eaf")))
    rows = [(tier, *row) for tier in theirs.get_tier_names() for row in sorted(theirs.get_annotation_data_for_tier(tier))]
    assert [(tier, row[0] / 1000, row[1] / 1000, row[2]) for tier, *row in rows] == SAID
    assert theirs.get_parameters_for_tier("माँ")["PARTICIPANT"] == "माँ"


def by_webvtt(path: Path) -> list[tuple[float, float, str]]:
    webvtt = pytest.importorskip("webvtt")
    captions = webvtt.from_srt(str(path)) if path.suffix == ".srt" else webvtt.read(str(path))
    return [(one.start_in_seconds, one.end_in_seconds, one.text) for one in captions]


@here
@pytest.mark.parametrize(
    "name",
    [
        "captions_with_bom.vtt",
        "comments.vtt",
        "cue_tags.vtt",
        "metadata_headers.vtt",
        "metadata_headers_multiline.vtt",
        "no_captions.vtt",
        "one_caption.vtt",
        "sample.vtt",
        "styles.vtt",
        "using_identifiers.vtt",
        "one_caption.srt",
        "sample.srt",
    ],
)
def test_subtitles_as_webvtt_py_reads_them(name: str) -> None:
    """It gives whole seconds."""
    path = DATA / "webvtt-py" / "tests" / "subtitles" / name
    assert [(int(one[1] or 0), int(one[2] or 0), one[3]) for one in ours(path)] == by_webvtt(path)


def test_webvtt_py_reads_what_is_written(tmp_path: Path) -> None:
    webvtt = pytest.importorskip("webvtt")
    captions = list(webvtt.read(str(written(tmp_path, "webvtt"))))
    assert [(one.voice, one.start, one.end) for one in captions] == [
        ("ASHA 1", "00:00:00.000", "00:00:01.250"),
        ("ASHA 1", "00:00:02.000", "00:00:03.001"),
        ("माँ", "00:00:01.000", "00:00:02.500"),
    ]
    assert [one.text for one in captions][::2] == [TURNS[0].words, TURNS[2].words]
    texts = [one[2] for one in by_webvtt(written(tmp_path, "srt"))]
    assert texts[::2] == [f"{one.speaker}: {one.words}" for one in TURNS[::2]]  # of the other it drops <140>
