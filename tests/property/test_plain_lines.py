"""Plain lines are read natively: the outcome must be that of the reader in Python, line by line, for any text."""

import itertools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parakh import formats
from parakh.errors import InputError
from parakh.formats import _text, seglst

SPACE = st.sampled_from([" "] * 8 + ["\t", "  ", " \t", "\xa0", "\x0b", ""])
PLAIN = st.sampled_from(["v1", "v2", "A", "श"])
ODD = st.sampled_from(["<NA>", "<x", "𑄌", "a\x07", "a\x85", "\ufeffv", "v_1", "a b", " A", "A ", "rec_id", ";x", "#", ""])
NAME = PLAIN | PLAIN | PLAIN | ODD
SECONDS = st.decimals(0, 4000, places=3).map(str)
ODD_SECONDS = st.sampled_from(
    [
        "0",
        "0.1",
        "0.2",
        "0.3",
        "1.5",
        "2.",
        ".5",
        ".",
        "007",
        "-1",
        "+1",
        "1e3",
        "nan",
        "inf",
        "x",
        "१",
        "1_0",
        "",
        "0.30000000000000004",
        "123456789.123456",
        "1234567890.12345",
        "999999999.9999999",
        "1000000000",
        "1000000000.1",
        "0.000",
    ]
)
TIME = SECONDS | SECONDS | ODD_SECONDS
WORDS = st.sampled_from(
    [
        "",
        "हाँ",
        "दीदी  जी",
        " x",
        "x ",
        "<O> a",
        "{ a / b }",
        "{",
        "(um) a",
        "a\rb",
        "a\tb",
        "a\x0cb",
        "A_B",
        "😀 b",
        "\ufeff",
        "IGNORE_TIME_SEGMENT_IN_SCORING",
        "ignore_time_segment_in_scoring ",
        "<ALT_BEGIN>",
        "@",
        "a\x1bb",
        "0.5",
        "<NA>",
        "2",
        "a b",
    ]
)
END = st.sampled_from(["\n"] * 9 + ["\r\n", "\n\n", "\n\ufeff", "\n \n", "\n;c\n", "\n #c\n", "\r"])
ROWS = {
    "stm": (NAME, NAME, NAME, TIME, TIME, WORDS),
    "rttm": (
        st.sampled_from(["SPEAKER"] * 9 + ["LEXEME", "x"]),
        NAME,
        NAME,
        TIME,
        TIME,
        st.sampled_from(["<NA>"] * 9 + ["1.5", "x"]),
        st.just("<NA>"),
        NAME,
        st.sampled_from(["<NA>", "0.5", "2", "x"]),
        st.just("<NA>"),
    ),
    "ctm": (NAME, NAME, TIME, TIME, WORDS, st.sampled_from(["", "", "0.5", "1.5", "<NA>", "-1", "x"])),
    "keyed-text": (NAME, WORDS),
    "challenge-tsv": (NAME, NAME, TIME, TIME, NAME, WORDS),
}


def slow_lines(
    text: str, segment: type, columns: Any, least: int, tabs: bool, comments: str, odd: str
) -> list[tuple[int, str, bool]]:
    """The twin: no line is plain, so that the reader in Python reads every one."""
    records = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not (comments and line.lstrip().startswith(tuple(comments))):
            records.append((number, line, any(line == earlier for _, earlier, _ in records)))
    return records


def outcome(name: str, path: Path) -> object:
    try:
        return formats.get(name).read(path)
    except InputError as error:
        return error.faults, error.more


def assert_same(name: str, path: Path, text: str) -> None:
    path.write_bytes(text.encode())
    fast = outcome(name, path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_text, "_native", SimpleNamespace(read_lines=slow_lines))
        slow = outcome(name, path)
    assert repr(fast) == repr(slow)


@st.composite
def tables(draw: st.DrawFn, name: str) -> str:
    rows = []
    for _ in range(draw(st.integers(0, 6))):  # most fields are plain, so that whole lines are
        fields = draw(st.tuples(*ROWS[name]))[: draw(st.sampled_from([99, 99, 99, len(ROWS[name]) - 1, len(ROWS[name]) - 2]))]
        row = fields[0] if fields else ""
        for field in fields[1:]:
            row += (draw(SPACE) if name != "challenge-tsv" else "\t") + field
        rows.append(row)
    if rows and draw(st.booleans()):
        rows.append(draw(st.sampled_from(rows)))
    return "".join(row + draw(END) for row in rows)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_as_in_python(name: str, tmp_path: Path) -> None:
    @settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(tables(name))
    def check(text: str) -> None:
        assert_same(name, tmp_path / "x", text)

    check()


@pytest.mark.parametrize("name", ["stm", "rttm", "ctm"])
def test_times_to_the_last_digit(name: str, tmp_path: Path) -> None:
    """Every number of 1 to 15 digits is read as Python reads it, and sums are exact."""
    line = {"stm": "v 1 A {} 1000000000 x", "rttm": "SPEAKER v 1 {} {} <NA> <NA> A", "ctm": "v 1 {} {} x"}[name]

    @settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.decimals(0, 10**9, allow_nan=False).map("{:f}".format), min_size=2, max_size=20))
    def check(times: list[str]) -> None:
        text = "\n".join(line.format(*pair) for pair in itertools.pairwise(times))
        assert_same(name, tmp_path / "x", text)

    check()


def test_most_lines_are_plain(tmp_path: Path) -> None:
    """Lines as systems write them never reach the reader in Python; else nothing would be won."""
    line = {
        "stm": "v1 1 asha {:.3f} {:.3f} नमस्ते दीदी",
        "rttm": "SPEAKER v1 1 {:.3f} {:.3f} <NA> <NA> asha <NA> <NA>",
        "ctm": "v1 1 {:.3f} {:.3f} नमस्ते 0.98",
        "challenge-tsv": "v1\tv1_1\t{:.3f}\t{:.3f}\tasha\tनमस्ते दीदी",
    }
    for name, form in line.items():
        path = tmp_path / "x"
        path.write_text("".join(form.format(k / 7, k / 7 + 1) + "\n" for k in range(200)), encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_text.Reader, "seconds", lambda *_: pytest.fail("read in Python"))
            assert len(formats.get(name).read(path).items) == 200


ENTRY = st.fixed_dictionaries(
    {"session_id": NAME, "start_time": st.sampled_from([0.0, 0.5, 1.5]), "end_time": st.sampled_from([1.0, 1.5, 2.0])},
    optional={"speaker": NAME, "words": WORDS, "channel": PLAIN, "role": PLAIN, "language": PLAIN, "segment_id": PLAIN},
)
ODD_VALUES = st.sampled_from(
    [
        None,
        True,
        0,
        1,
        -0.5,
        float("nan"),
        float("inf"),
        1e9,
        1e10,
        "1.5",
        "x",
        "",
        "a\ud800",
        "a\x07",
        "a\x85",
        [],
        ["a"],
        {},
        10**400,
    ]
)
KEYS = st.sampled_from(
    ["session_id", "speaker", "start_time", "end_time", "words", "role", "channel", "confidence", "forms", "other"]
)


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(ENTRY | st.tuples(ENTRY, KEYS, ODD_VALUES).map(lambda one: one[0] | {one[1]: one[2]}) | ODD_VALUES, max_size=5))
def test_entries_as_in_python(tmp_path_factory: pytest.TempPathFactory, entries: list[object]) -> None:
    path = tmp_path_factory.getbasetemp() / "entries.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    fast = outcome("seglst", path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seglst, "_native", SimpleNamespace(read_entries=lambda entries, segment: [None] * len(entries)))
        slow = outcome("seglst", path)
    assert repr(fast) == repr(slow)
