"""Every format found by listing the folder keeps the same promises: what it holds it gives back, what it cannot it refuses."""

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh import formats, registry
from parakh.errors import InputError
from parakh.formats import Format
from parakh.types import Recording, Region, Segment, Summary, Topics

ALL = sorted(formats.all_formats().values(), key=lambda form: form.name)
FILES = [form for form in ALL if not form.folder]
EVERY = pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
EVERY_FILE = pytest.mark.parametrize("form", FILES, ids=lambda form: form.name)
EVERY_WRITTEN = pytest.mark.parametrize("form", [form for form in FILES if form.is_written], ids=lambda form: form.name)
FAULT = re.compile(r"(?s).+?(:\d+)?: ([^:]+: )?found .+, expected .+\.")

# A field may come back changed only if the format's ``loses`` names it so.
LOSS = {
    "words": "words",
    "speaker": "speaker",
    "start_time": "times",
    "end_time": "times",
    "role": "role",
    "language": "language",
    "segment_id": "segment id",
    "channel": "channel",
    "confidence": "confidence",
    "forms": "forms",
    "audio": "audio",
}

# Conversations in the shapes formats hold: whole utterances, single words, one text a recording.
SAMPLES: dict[type, list[list[Any]]] = {
    Segment: [
        [
            Segment("visit.01", "asha", 0.0, 1.5, "नमस्ते दीदी,  बैठिए", role="health_worker", segment_id="visit.01_0001"),
            Segment("visit.01", "spk1", 1.2, 4.305, "ಸರಿ ಡಾಕ್ಟರ್ BP 120 / 80", role="health_seeker", segment_id="visit.01_0002"),
            Segment("visit02", "NA", 0.1, 0.3, "", role="health_worker", segment_id="visit02_0001"),
        ],
        [
            Segment("v1", "ASHA 1", 0.0, 1.5, 'नमस्ते "दीदी",  बैठिए', segment_id="u1"),
            Segment("v1", "माँ", 1.2, 4.305, "BP 120 / 80 & ಸರಿ <noise>", segment_id="u2"),
            Segment("v1", "ASHA 1", 1.5, 2.0, "अच्छा: ठीक", segment_id="u3"),
        ],
        [Segment("v1", None, 0.1, 0.3, "बुखार", channel="A"), Segment("v1", None, 0.3, 0.7, "है", channel="B")],
        [Segment("u1", words="जी हाँ"), Segment("u2", words="")],
        [Segment("v1", words="एक लंबी\nबातचीत")],
    ],
    Region: [[Region("visit.01", 0.0, 12.5), Region("visit.01", 20.0, 30.25), Region("v2", 0.5, 3.0)]],
    Topics: [[Topics("v1", ("fever", "leg pain")), Topics("v2", ())], [Topics("v1", ("बुखार", "सिर दर्द"))]],
    Summary: [[Summary("v1", 'Fever, three days.\nShe said "rest".'), Summary("v2", "")], [Summary("v1", "बुखार है।")]],
    Recording: [[Recording("v1", duration=12.5, language="hi", metadata={"district": "Udupi"}), Recording("v2")]],
}

NAME = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=6) | st.sampled_from(
    ["v1", "a.b", "माँ"]
)
WORD = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=5)
TEXT = WORD | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12) | st.lists(WORD).map(" ".join)
TIME = st.floats(0, 1e6) | st.integers(0, 10**7).map(lambda n: n / 1000)


@st.composite
def segments(draw: st.DrawFn) -> Segment:
    start, end = sorted((draw(TIME), draw(TIME)))
    timed = draw(st.booleans())
    return Segment(
        draw(NAME),
        draw(st.none() | NAME),
        start if timed else None,
        end if timed else None,
        draw(TEXT),
        draw(st.none() | WORD),
        draw(st.sampled_from([None, "hi", "kn"])),
        draw(st.none() | NAME),
        draw(st.none() | WORD),
        draw(st.none() | st.floats(0, 1)),
        tuple(draw(st.lists(TEXT, max_size=2))),
    )


@st.composite
def disjoint_regions(draw: st.DrawFn) -> list[Region]:
    ends = sorted(draw(st.lists(TIME, max_size=6)))
    return [Region(draw(NAME), start, end) for start, end in zip(ends[::2], ends[1::2], strict=False)]


RANDOM: dict[type, st.SearchStrategy[list[Any]]] = {
    Segment: st.lists(segments(), max_size=3),
    Region: disjoint_regions(),
    Topics: st.lists(st.builds(Topics, NAME, st.lists(TEXT, max_size=3).map(tuple)), max_size=3),
    Summary: st.lists(st.builds(Summary, NAME, TEXT), max_size=3),
    Recording: st.lists(st.builds(Recording, WORD, st.none(), st.none() | st.floats(0.1, 1e5)), max_size=3),
}


@pytest.fixture(autouse=True, scope="module")
def no_sync() -> Iterator[None]:
    """Waiting for the disk is not what is tested here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


def place(folder: str | Path, form: Format, items: Sequence[Any]) -> Path:
    """Where a file of these items belongs: named after the recording where that is what the format goes by."""
    session = items[0].session_id if items and form.ending else "some"
    return Path(folder) / f"{session}{form.ending or form.suffixes[0]}"


def assert_form(error: InputError, path: Path) -> None:
    assert error.faults
    for fault in error.faults:
        assert fault.path == str(path)
        assert FAULT.match(str(fault)), str(fault)


def in_time(item: Any) -> tuple[Any, ...]:
    times = [round(1000 * time) for time in (item.start_time, item.end_time) if time is not None]
    return item.session_id, times, str(item.speaker), item.words


def assert_same(form: Format, written: Sequence[Any], read: Sequence[Any]) -> None:
    assert len(written) == len(read)
    if "order" in form.loses:
        written, read = sorted(written, key=in_time), sorted(read, key=in_time)
    for before, after in zip(written, read, strict=True):
        for field in fields(before):
            if LOSS.get(field.name, field.name) not in form.loses:
                assert getattr(before, field.name) == getattr(after, field.name), field.name


@EVERY
def test_declaration_is_complete(form: Format) -> None:
    assert form.name in registry.names("format")
    assert form.title
    assert form.item in SAMPLES
    assert form.suffixes
    assert all(suffix == suffix.lower() and "." in suffix for suffix in form.suffixes)
    assert not form.loses or form.loses.endswith(".")
    first, *rest = (registry.load("format", form.name).__doc__ or "").split("\n")
    assert 0 < len(first) <= 100
    assert first.endswith(".")
    assert "`" not in first
    assert not rest or not rest[0]


@EVERY_WRITTEN
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_gives_back_what_it_does_not_refuse(form: Format, data: st.DataObject) -> None:
    items = data.draw(RANDOM[form.item])
    with tempfile.TemporaryDirectory() as folder:
        path = place(folder, form, items)
        try:
            form.write(items, path)
        except InputError as error:
            assert_form(error, path)
            return
        read = form.read(path).items
        assert_same(form, items, read)
        written = path.read_bytes()
        form.write(read, path)
        assert path.read_bytes() == written


def held(form: Format, folder: Path) -> tuple[list[Any], Path]:
    """The first sample the format can hold, written."""
    for items in SAMPLES[form.item]:
        path = place(folder, form, items)
        try:
            form.write(items, path)
        except InputError:
            continue
        return items, path
    raise AssertionError(f"{form.name} holds none of the sample conversations")


@EVERY_WRITTEN
def test_holds_a_conversation_and_is_recognised(form: Format, tmp_path: Path) -> None:
    items, path = held(form, tmp_path)
    loaded = form.read(path)
    assert_same(form, items, loaded.items)
    assert not path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert b"\r" not in path.read_bytes()
    assert formats.detect(path, form.item) == form
    assert formats.load(path, form.item).items == loaded.items


@EVERY_WRITTEN
def test_byte_order_mark_and_windows_line_ends_change_nothing(form: Format, tmp_path: Path) -> None:
    _, path = held(form, tmp_path)
    clean = form.read(path).items
    path.write_bytes(
        b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n" * (not form.ending or form.name == "challenge-tsv")
    )
    assert form.read(path).items == clean


@EVERY_FILE
def test_empty_file_is_told(form: Format, tmp_path: Path) -> None:
    path = place(tmp_path, form, SAMPLES[form.item][-1])
    path.write_bytes(b"")
    try:
        loaded = form.read(path)
    except InputError as error:
        assert_form(error, path)
    else:
        assert len(loaded.items) <= 1
        assert [finding.code for finding in loaded.findings] == ["empty-file"]


@EVERY_FILE
@pytest.mark.parametrize(
    "content",
    [None, "नमस्ते".encode("utf-16"), "a b".encode("utf-16-le"), b"visit caf\xe9", b"\x89PNG\x00\x01\xff"],
    ids=["missing", "utf-16", "utf-16-no-mark", "latin-1", "binary"],
)
def test_what_is_no_text_file_is_one_fault(form: Format, content: bytes | None, tmp_path: Path) -> None:
    path = place(tmp_path, form, SAMPLES[form.item][0])
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        form.read(path)
    assert_form(caught.value, path)
    assert len(caught.value.faults) == 1


@EVERY_FILE
def test_folder_is_no_file(form: Format, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found a folder"):
        form.read(tmp_path)
    with pytest.raises(InputError):
        form.write(SAMPLES[form.item][0], tmp_path)


LINES = st.lists(
    st.lists(
        st.sampled_from(
            [
                "SPEAKER",
                "v1",
                "1",
                "0",
                "0.5",
                "-1",
                "nan",
                "inf",
                "1e999",
                "1_0",
                "<NA>",
                "{",
                "}",
                "/",
                "@",
                "(",
                ")",
                "(w)",
                "<O>",
                ";;",
                "#",
                "\ufeff",
                ",",
                '"',
                "'",
                "[",
                "]",
                ":",
                "null",
                "rec_id",
                "topics",
                '{"session_id":',
                '"v"',
                '"words"',
                '"summary"',
                "\\ud800",
                "माँ",
                "\u2028",
                "\x85",
                "\x0c",
                "IGNORE_TIME_SEGMENT_IN_SCORING",
                "<ALT_BEGIN>",
            ]
        ),
        max_size=11,
    ),
    max_size=6,
)


@EVERY_FILE
@settings(max_examples=50, deadline=None)
@given(lines=LINES, separator=st.sampled_from([" ", "\t", ",", "  "]), end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_junk_never_breaks_a_reader(form: Format, lines: list[list[str]], separator: str, end: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = place(folder, form, SAMPLES[form.item][-1])
        text = end.join(separator.join(words) for words in lines)
        path.write_bytes(text.encode())
        try:
            form.read(path)
        except InputError as error:
            assert_form(error, path)
        form.sniff(text, path)


@EVERY_WRITTEN
def test_refused_items_leave_the_old_file(form: Format, tmp_path: Path) -> None:
    _, path = held(form, tmp_path)
    before = path.read_bytes()
    broken = {
        Segment: Segment("", None, 3.0, 1.0, "a\r\nb"),
        Region: Region("v 1", 3.0, 1.0),
        Topics: Topics("", ("a,b",)),
        Summary: Summary("", "a\r\nb"),
    }
    if form.item not in broken:
        pytest.skip("nothing of this type is refused")
    with pytest.raises(InputError):
        form.write([broken[form.item]], path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
