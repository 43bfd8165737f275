r"""Characters in a transcript that are no writing: what a decoder prints when its bytes make no letter.

Byte tokens (``<0xE0>``), U+FFFD, UTF-8 that was read as Latin-1, bytes or surrogates written as escapes, pieces of a
tokeniser. They are looked for in the segments as written, because tokens cut them up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parakh.types import Segment

_BYTE = re.compile(r"x([0-9A-Fa-f]{2})")
_KINDS = {
    "byte token": re.compile(r"(?:<0x[0-9A-Fa-f]{2}>)+"),
    "escaped bytes": re.compile(r"(?:\\x[0-9A-Fa-f]{2})+"),
    "surrogate": re.compile(r"(?:\\u[dD][89A-Fa-f][0-9A-Fa-f]{2}|[\ud800-\udfff])+"),
    "replacement character": re.compile("\ufffd+"),
    "tokeniser piece": re.compile(r"<\|[^|<>]*\|>|<unk>|\[UNK\]|\u2581", re.IGNORECASE),
}
_CP1252 = {bytes([byte]).decode("cp1252", "ignore"): byte for byte in range(0x80, 0xA0)}
_HIGH = re.compile("[\x80-\xff" + "".join(_CP1252) + "]{2,}")
_INDIC_LEAD = re.compile("à[¤-·]")
"""UTF-8 of U+0900-0DFF begins E0 A4 to E0 B7."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """A run of characters that are no writing.

    Args:
        kind: "byte token", "escaped bytes", "surrogate", "replacement character", "tokeniser piece" or "mojibake".
        text: As it stands; lone surrogates as escapes.
        session_id: The recording.
        speaker: Who the hypothesis says said it.
        time: (start, end) of its segment in seconds; None without times.
        means: The text that its bytes were meant to be; None where they make none.
    """

    kind: str
    text: str
    session_id: str
    speaker: str | None
    time: tuple[float, float] | None
    means: str | None = None


def artefacts(hypothesis: Sequence[Segment]) -> tuple[Artefact, ...]:
    r"""The characters of a hypothesis that are no writing.

    Args:
        hypothesis: Its segments, of any recordings.

    Returns:
        Runs of them in order; empty where all is text.

    >>> [(one.kind, one.text, one.means) for one in artefacts([Segment("v", words="जी <0xE0><0xA4><0x95> à¤¹à¤¾à¤\x81")])]
    [('byte token', '<0xE0><0xA4><0x95>', 'क'), ('mojibake', 'à¤¹à¤¾à¤\x81', 'हाँ')]
    """
    found: list[Artefact] = []
    for segment in hypothesis:
        time = None if segment.start_time is None or segment.end_time is None else (segment.start_time, segment.end_time)
        for _, kind, text, means in sorted(_in_text(segment.words)):
            shown = text.encode("utf-8", "backslashreplace").decode()
            found.append(Artefact(kind, shown, segment.session_id, segment.speaker, time, means or None))
    return tuple(found)


def _in_text(text: str) -> Iterator[tuple[int, str, str, str]]:
    """(offset, kind, text, what it means or "") of each run."""
    for kind, pattern in _KINDS.items():
        for match in pattern.finditer(text):
            data = bytes.fromhex("".join(_BYTE.findall(match[0]))) if kind in ("byte token", "escaped bytes") else b""
            yield match.start(), kind, match[0], _decoded(data)
    for match in _HIGH.finditer(text):
        means = _decoded(bytes(_CP1252.get(sign, ord(sign) & 0xFF) for sign in match[0]))
        if means or _INDIC_LEAD.search(match[0]):
            yield match.start(), "mojibake", match[0], means


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
