"""Documents of one recording: whatever is written comes back, at the lines where it stands, and a second writing is the same."""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh import formats
from parakh.errors import InputError
from parakh.types import Segment

NAMES = ["textgrid", "eaf", "webvtt", "srt", "audacity", "label-studio"]
ROUNDED = {"eaf", "webvtt", "srt"}
BY_TIER = {"textgrid", "eaf"}
ODD = [
    "",
    " ",
    '"',
    '""',
    "<v a>",
    "</v>",
    "<i>",
    "&amp;",
    "&",
    "-->",
    "NOTE",
    "\t",
    "\n",
    ":",
    "a: b",
    "\\",
    "1",
    "\ufeff",
    "\x85",
    "\u2028",
]
WORDS = st.lists(st.sampled_from([*ODD, "हाँ", "ಸರಿ", "word", " two "]), max_size=4).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=10
)
SPEAKER = (
    st.none() | st.sampled_from(["asha", "माँ 2", 'A "1"', "a & b", "<x>"]) | st.text(st.characters(codec="utf-8"), max_size=4)
)
TIME = st.integers(0, 10**5).map(lambda n: n / 1000) | st.floats(0, 100)


@st.composite
def conversations(draw: st.DrawFn) -> list[Segment]:
    """Turns of one recording; some in order, as people speak, and some at any time."""
    times = sorted(draw(st.lists(TIME, min_size=2, max_size=12, unique=True)))
    turns = [Segment("v1", draw(SPEAKER), *span, draw(WORDS)) for span in zip(times[::2], times[1::2], strict=False)]
    if draw(st.sampled_from([False, False, False, True])):
        turns += [Segment("v1", draw(SPEAKER), *sorted((draw(TIME), draw(TIME))), draw(WORDS)) for _ in range(2)]
    if draw(st.sampled_from([False, True, True])):  # speakers that any format can tell
        turns = [
            replace(turn, speaker=draw(st.sampled_from(["asha", "mother"])), words=turn.words.strip() or "x") for turn in turns
        ]
    return draw(st.permutations(turns))


@pytest.fixture(autouse=True, scope="module")
def no_sync() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


def in_tiers(turns: list[Segment]) -> list[Segment]:
    """As a file of tiers gives them back: by speaker in order of appearance, each in order of time."""
    speakers = list(dict.fromkeys(turn.speaker for turn in turns))
    return sorted(turns, key=lambda turn: (speakers.index(turn.speaker), turn.start_time or 0.0))


@pytest.mark.parametrize("name", NAMES)
def test_what_was_written_comes_back(name: str) -> None:
    form = formats.get(name)
    written = 0

    @settings(max_examples=200, deadline=None, derandomize=True)
    @given(conversations())
    def check(turns: list[Segment]) -> None:
        nonlocal written
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"v1{form.ending or form.suffixes[0]}"
            try:
                form.write(turns, path)
            except InputError:
                assert not path.exists()
                return
            written += len(turns) > 1
            loaded = form.read(path)
            before = in_tiers(turns) if name in BY_TIER else turns
            assert [(one.session_id, one.speaker, one.words) for one in loaded.items] == [
                (one.session_id, one.speaker, one.words) for one in before
            ]
            for one, other in zip(before, loaded.items, strict=True):
                times = [(one.start_time, other.start_time), (one.end_time, other.end_time)]
                assert all(a is not None and b is not None for a, b in times)
                assert all(
                    abs(a - b) <= 0.00050001 if name in ROUNDED else a == b for a, b in times if a is not None and b is not None
                )
            content = path.read_bytes()
            check_lines(name, content.decode(), loaded.items, loaded.lines)
            form.write(loaded.items, path)
            assert path.read_bytes() == content

    check()
    assert written > 20


def check_lines(name: str, text: str, items: tuple[Segment, ...], lines: object) -> None:
    """Each segment's line is where it begins in the file."""
    assert isinstance(lines, list)
    assert len(lines) == len(items)
    begins = {"textgrid": "intervals [", "eaf": "<ALIGNABLE_ANNOTATION", "webvtt": " --> ", "srt": " --> ", "audacity": "\t"}
    written = text.split("\n")
    for line in lines if name != "label-studio" else ():
        assert begins[name] in written[line - 1]


@pytest.mark.parametrize("first", NAMES)
@pytest.mark.parametrize("second", NAMES)
def test_from_one_document_to_another(first: str, second: str, tmp_path: Path) -> None:
    """Times in milliseconds and plain names go through any two formats unchanged."""
    turns = [
        Segment("v1", "asha", 0.0, 1.25, "नमस्ते <noise> दीदी"),
        Segment("v1", "asha", 2.0, 3.001, 'BP "140" & 90'),
        Segment("v1", "माँ 2", 1.0, 2.5, "हाँ: जी"),
    ]
    for name in (first, second):
        (path,) = formats.write_each(turns, tmp_path / name, name)
        turns = [replace(one, segment_id=None) for one in formats.load(path, Segment).items]
    assert [(one.speaker, one.start_time, one.end_time, one.words) for one in turns] == [
        ("asha", 0.0, 1.25, "नमस्ते <noise> दीदी"),
        ("asha", 2.0, 3.001, 'BP "140" & 90'),
        ("माँ 2", 1.0, 2.5, "हाँ: जी"),
    ]
