"""Any bytes at all to every reader: items, or faults that say where; nothing else, and nothing lost. What is valid comes back."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parakh import formats
from parakh.errors import InputError
from parakh.types import Recording, Region, Segment, Summary, Topics
from tests.fuzz.reader_checks import ALONE, check_detection, check_lines_alone, check_reader
from tests.fuzz.test_fuzz_readers import write_seeds

NAMES = sorted(name for name, form in formats.all_formats().items() if not form.folder)
WRITTEN = [name for name in NAMES if formats.get(name).is_written]
EXAMPLES = Path(__file__).parents[2] / "examples"
BROUGHT = ("recordings.jsonl", "topics.csv", "summaries.csv", "rttm/*", "transcripts/*")
DOCUMENTS = ("textgrid", "eaf", "webvtt", "srt", "audacity")
"""Formats of one recording a file, named after it."""
CALM = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

MARKS = st.sampled_from(
    [
        b"\x00",
        b"\x1b[2J",
        b"\x85",
        b"\xc2\x85",
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"\\ud800",
        b"\r",
        b"\r\n",
        b"\n\n",
        b"\n\xef\xbb\xbf",
        b" ",
        b"\t",
        b"nan",
        b"-inf",
        b"1e999",
        b"-0.0",
        b"9" * 5000,
        b"1e-400",
        b"NaN",
        b"-1",
        b"0x1p3",
        b"[" * 3000,
        b'{"a":' * 2000,
        b"x" * 200000,
        b'"',
        b",",
        b"{ a / b }",
        b"{",
        b"<NA>",
        b";",
        b"#",
        b"rec_id",
        b"null",
        b"true",
    ]
)


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bytes]]:
    """Valid files of each format: one written, and those that the project brings along."""
    folder = tmp_path_factory.mktemp("seeds")
    write_seeds(folder)
    paths = {name: [path for pattern in (name, f"{name}.?") for path in sorted(folder.glob(pattern))] for name in NAMES}
    files = {name: [path.read_bytes()[1:] for path in own] for name, own in paths.items()}
    for path in sorted(path for pattern in BROUGHT for path in EXAMPLES.glob(pattern)):
        files[formats.detect(path).name].append(path.read_bytes())
    return files


@st.composite
def mutated(draw: st.DrawFn, content: bytes) -> bytes:
    """A valid file after some of the accidents that befall files."""
    for _ in range(draw(st.integers(1, 3))):
        place, other = sorted(draw(st.tuples(*[st.integers(0, min(len(content), 3000))] * 2)))
        accident = draw(st.sampled_from(["insert", "cut", "drop", "repeat", "swap", "utf-16", "crlf"]))
        if accident == "insert":
            content = content[:place] + draw(MARKS) + content[place:]
        elif accident == "cut":
            content = content[:place]
        elif accident == "drop":
            content = content[:place] + content[other:]
        elif accident == "repeat":
            content = content[:other] + content[place:]
        elif accident == "swap":
            lines = content.split(b"\n")
            lines[place % len(lines)], lines[other % len(lines)] = lines[other % len(lines)], lines[place % len(lines)]
            content = b"\n".join(lines)
        elif accident == "utf-16":
            content = content.decode(errors="replace").encode("utf-16")
        else:
            content = content.replace(b"\n", b"\r\n", place)
    return content


def check_all(name: str, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    outcome = check_reader(name, path)
    if name in ALONE and isinstance(outcome, InputError) and outcome.faults[0].line is not None and is_text(content):
        check_lines_alone(name, path, outcome)


def is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode()
    except UnicodeDecodeError:
        return False


@pytest.mark.parametrize("name", NAMES)
def test_mutated_files(name: str, valid: dict[str, list[bytes]], tmp_path: Path) -> None:
    @CALM
    @given(st.sampled_from(valid[name]).flatmap(mutated))
    def check(content: bytes) -> None:
        check_all(name, tmp_path / f"x{formats.get(name).suffixes[0]}", content)

    check()


@pytest.mark.parametrize("name", NAMES)
def test_random_bytes(name: str, tmp_path: Path) -> None:
    @settings(CALM, max_examples=30)
    @given(st.binary(max_size=200) | st.lists(MARKS, max_size=6).map(b"".join))
    def check(content: bytes) -> None:
        check_all(name, tmp_path / f"x{formats.get(name).suffixes[0]}", content)

    check()


def test_detection(valid: dict[str, list[bytes]], tmp_path: Path) -> None:
    suffixes = sorted({suffix for form in formats.all_formats().values() for suffix in form.suffixes} | {"", ".json", ".xyz"})
    anything = st.sampled_from([one for files in valid.values() for one in files]).flatmap(mutated)

    @settings(CALM, max_examples=150)
    @given(st.sampled_from(suffixes), anything | st.binary(max_size=100))
    def check(suffix: str, content: bytes) -> None:
        path = tmp_path / f"x{suffix}"
        path.write_bytes(content)
        check_detection(path)

    check()


TOKEN = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=8)
LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\t"), max_size=30)
TIMES = st.tuples(*[st.floats(0, 1e6) | st.decimals(0, 4000, places=3).map(float)] * 2).map(sorted)


def in_milliseconds(times: tuple[int, int]) -> list[float]:
    return [time / 1000 for time in sorted(times)]


@st.composite
def items_of(draw: st.DrawFn, name: str) -> list[Any]:
    """Items that a format may be able to hold."""
    item = formats.get(name).item
    alone = name.endswith("-txt") or name in ("plain-text", "whisper-json", *DOCUMENTS)
    names = draw(st.lists(TOKEN, min_size=1, max_size=1 if alone else 4, unique=True))
    if item is Topics:
        return [Topics(one, tuple(draw(st.lists(TOKEN, max_size=3)))) for one in names]
    if item is Summary:
        return [Summary(one, draw(LINE)) for one in names]
    if item is Recording:
        return [Recording(one, None, draw(st.none() | st.floats(0.1, 1e6)), draw(st.none() | TOKEN), {}) for one in names]
    if item is Region:
        return [Region(one, *draw(TIMES)) for one in names]
    if name in ("keyed-text", "plain-text"):
        return [Segment(one, words=draw(LINE)) for one in names]
    words = {"rttm": st.just(""), "ctm": TOKEN}.get(name, LINE)
    speaker = st.none() if name == "ctm" else TOKEN
    times = TIMES if name not in ("eaf", "webvtt", "srt") else st.tuples(*[st.integers(0, 10**7)] * 2).map(in_milliseconds)
    segments = [Segment(one, draw(speaker), *draw(times), draw(words), channel="1") for one in names]
    if name in DOCUMENTS:  # the id that every segment of a numbered format has, and no channel
        return [replace(one, channel=None, segment_id={"srt": "1", "eaf": "a1"}.get(name)) for one in segments]
    if name == "label-studio":
        return [replace(one, segment_id="r1") for one in segments]
    if name == "whisper-json":
        return [replace(one, channel=None) for one in segments]
    if name in ("lhotse", "nemo"):
        timed = [replace(one, start_time=round(one.start_time or 0, 3), end_time=round(one.end_time or 0, 3)) for one in segments]
        return [replace(one, segment_id="s") if name == "lhotse" else replace(one, channel=None) for one in timed]
    if name == "challenge-tsv":
        return [Segment(one.session_id, one.speaker, one.start_time, one.end_time, one.words, segment_id="s") for one in segments]
    return segments


@pytest.mark.parametrize("name", WRITTEN)
def test_what_was_written_comes_back(name: str, tmp_path: Path) -> None:
    """A writer refuses what its format cannot hold; what it writes is read back as it was."""
    written = 0

    @CALM
    @given(items_of(name))
    def check(items: list[Any]) -> None:
        nonlocal written
        form = formats.get(name)
        session = items[0].session_id if len(items) == 1 and formats.is_file_name(items[0].session_id) else "x"
        path = tmp_path / f"{session[:20]}{form.ending or form.suffixes[0]}"
        try:
            form.write(items, path)
        except InputError:
            return
        written += 1
        assert list(form.read(path).items) == items

    check()
    assert written > 10
