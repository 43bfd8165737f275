"""Transcripts that a chat model writes (Gemini, GPT-4o): a JSON list, or one line a turn.

Such a line is ``[00:12 - 00:15] Speaker 1: text``; ``Speaker 1 [00:12]: text`` and ``Speaker 1: [00:12] text`` are read like it,
and the bold of Markdown (``**``) around the beginning of a line counts for nothing.
The file is the answer itself or the response around it (``choices[0].message.content``, ``output[].content[].text``,
``candidates[0].content.parts[].text``). Of an answer with a ``` fence only what the fence holds counts. A JSON answer is a
list of turns, or an object with one such list. Each turn has a text (``text``, ``transcript``, ``content``, ``words`` or
``utterance``), times (``start``, ``start_time``, ``startTime``, ``start_timestamp`` or ``timestamp``; ``end`` and so on) and a
speaker (``speaker``, ``speaker_id``, ``speaker_label`` or ``role``). Times are ``MM:SS``, ``HH:MM:SS``, either with a fraction,
or seconds. A turn without an end lasts until the next begins. Nothing else is understood: every other line or entry is a
fault, and so is an answer that was cut off. The session id is the file's name (``_response``); lines of an answer inside a
response count from its first. Source: the references of OpenAI chat completions and responses and of Gemini
generateContent; the answers that Google's examples of prompts for audio show.
"""

from __future__ import annotations

import re
from itertools import islice, zip_longest
from pathlib import Path
from typing import NamedTuple

from parakh.formats import Format, read_only
from parakh.formats._clock import from_clock
from parakh.formats._json import parse
from parakh.formats._response import Transcript, Values
from parakh.formats._shape import Shape, shape
from parakh.formats._text import MOST_SECONDS, shown
from parakh.formats._turns import Turn
from parakh.types import Loaded, Segment, Severity

_STARTS = ("start", "start_time", "startTime", "start_timestamp", "timestamp")
_ENDS = ("end", "end_time", "endTime", "end_timestamp")
_TEXTS = ("text", "transcript", "content", "words", "utterance")
_SPEAKERS = ("speaker", "speaker_id", "speaker_label", "role")
_CLOCK = r"\d{1,3}:\d{2}(?::\d{2,3})?(?:[.,]\d{1,9})?"
_TIME = rf"{_CLOCK}|\d{{1,9}}(?:\.\d{{1,9}})?\s?s?"
_TO = r"\s{0,3}(?:-->|-|–|—|to)\s{0,3}"
_BRACKETED = re.compile(rf"[\[(]\s{{0,3}}({_TIME})(?:{_TO}({_TIME}))?\s{{0,3}}[\])](.*)", re.ASCII)
_BARE = re.compile(rf"({_CLOCK})(?:{_TO}({_CLOCK}))?(?=\s|:\s|$)(.*)", re.ASCII)
_SPOKEN = re.compile(r"[-–:]?\s{0,3}(?:\*\*)?([^:*\[\]\s][^:*\[\]]{0,39}?)\s{0,3}(?:\*\*)?:(?:\*\*)?\s*(.*)")
_SPEAKER_FIRST = re.compile(
    rf"([^\W\d_][^:*\[\]()]{{0,39}}?)\s{{0,3}}(:)?\s{{0,3}}[\[(]\s{{0,3}}({_CLOCK}(?:{_TO}{_CLOCK})?)\s{{0,3}}[\])]\s{{0,3}}(?(2)|:)"
)
_FENCE = re.compile(r"^```[^\n`]*\n(.*?)(^```|\Z)", re.DOTALL | re.MULTILINE)
_JSON = re.compile(r"\s*(\{|\[\s*(\{|\]|\Z))")
_STAMP = re.compile(rf"[\[(]?\s*{_CLOCK}", re.ASCII)
_LOOKED_AT = 5
"""Lines of a head among which one of a turn, or a fence, makes an answer: a model may say something before it."""
_CUT = ("length", "MAX_TOKENS", "max_output_tokens")


class _Row(NamedTuple):
    """One turn of an answer, with its line or entry."""

    entry: int
    text: str
    start: float
    end: float | None
    speaker: str | None


def read(path: Path) -> Loaded[Segment]:
    r"""Read the transcript that a chat model wrote.

    Args:
        path: The file; its name says the session id.

    Returns:
        One Segment a turn; findings ``end-from-next``, ``outside-fence``, ``no-words``, ``no-speaker``, ``zero-duration``.

    Raises:
        InputError: Every line or entry that is not understood, an answer that was cut off or refused, an error message.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.txt"
    ...     _ = path.write_text("[00:12 - 00:15] Speaker 1: नमस्ते\n[01:05 - 01:07.5] **Speaker 2:** जी\n")
    ...     [(one.speaker, one.start_time, one.end_time, one.words) for one in read(path).items]
    [('Speaker 1', 12.0, 15.0, 'नमस्ते'), ('Speaker 2', 65.0, 67.5, 'जी')]
    """
    answer = Transcript(path)
    text = _unfenced(answer, _content(answer))
    rows = _entries(answer, text) if _JSON.match(text) else _lines(answer, text)
    for row, after in zip_longest(rows, rows[1:]):
        end = row.end
        if end is None:
            what = "a turn has no end; it lasts until the next begins"
            answer.notice("end-from-next", row.entry, what)
            end = max(row.start, after.start) if after else row.start
        answer.add(row.entry, Turn(row.text, row.start, end, row.speaker))
    return answer.result()


def _content(answer: Transcript) -> str:
    """The text of the answer, out of the response around it if there is one."""
    found = shape(answer.text)
    if not _is_response(found) and "error" not in found.keys:
        return answer.text
    body = parse(answer, None, answer.text)
    answer.fail_if_error(body)
    parts: list[str] = []
    for key, inner in (("choices", "message"), ("candidates", "content"), ("output", "")):
        rows = body.get(key) if isinstance(body, dict) else None
        for row in rows if isinstance(rows, list) else []:
            if isinstance(row, dict):
                _check_finished(answer, row.get("finish_reason") or row.get("finishReason") or "stop")
                parts += _texts(row.get(inner) if inner else row)
                break
    if isinstance(body, dict) and isinstance(details := body.get("incomplete_details"), dict):
        _check_finished(answer, details.get("reason"))
    if not parts:
        answer.fail(None, "", "a response without text", "the answer of a chat model", "Ask again.")
    return "".join(parts)


def _texts(message: object, depth: int = 4) -> list[str]:
    """The texts of a message: its content, or those of its parts."""
    if isinstance(message, str):
        return [message]
    if isinstance(message, list) and depth:
        return [text for one in message for text in _texts(one, depth - 1)]
    if not isinstance(message, dict) or not depth:
        return []
    return next((texts for key in ("content", "parts", "text") if (texts := _texts(message.get(key), depth - 1))), [])


def _check_finished(answer: Transcript, reason: object) -> None:
    if reason in _CUT:
        answer.fail(
            None, "", f"an answer that was cut off ({reason})", "a whole answer", "Ask for a longer one, or part by part."
        )
    if isinstance(reason, str) and reason.lower() not in ("stop", "completed"):
        answer.fail(None, "", f"an answer that stopped for {shown(reason)}", "a whole answer", "Ask again.")


def _unfenced(answer: Transcript, text: str) -> str:
    """What the fence of an answer holds, its lines where they were; the answer itself without a fence."""
    fences = list(_FENCE.finditer(text))
    if not fences:
        return text
    first = fences[0]
    line = text.count("\n", 0, first.start()) + 1
    if not first[2]:
        answer.fail(line, "", "a fence ``` that is not closed", "a whole answer", "It was cut off: ask for a longer one.")
    if len(fences) > 1:
        answer.fail(
            text.count("\n", 0, fences[1].start()) + 1, "", "a second fence ```", "one", "Keep the one with the transcript."
        )
    if (text[: first.start()] + text[first.end() :]).strip():
        answer.notice("outside-fence", line, "text outside the fence of the answer is passed over", Severity.NOTE)
    return "\n" * line + first[1]


def _entries(answer: Transcript, text: str) -> list[_Row]:
    """The turns of a JSON answer."""
    value = parse(answer, None, text)
    if isinstance(value, dict):
        answer.fail_if_error({"error": value.get("error")})
        lists = [one for one in value.values() if isinstance(one, list)]
        value = lists[0] if len(lists) == 1 else value
    if not isinstance(value, list):
        answer.fail(None, "", shown(value), "a JSON list of turns, or an object with one list")
    found = [_entry(answer, entry, values) for entry, values in enumerate(value, 1)]
    return [row for row in found if row is not None]


def _entry(answer: Transcript, entry: int, values: object) -> _Row | None:
    if not isinstance(values, dict):
        answer.fault(entry, "", shown(values), "a JSON object")
        return None
    key = next((key for key in _TEXTS if key in values), None)
    if key is None:
        answer.fault(entry, "text", "no text", f"one of the keys {', '.join(_TEXTS)}")
    start_key = next((key for key in _STARTS if values.get(key) is not None), "start")
    end_key = next((key for key in _ENDS if values.get(key) is not None), None)
    start_text, end_text = values.get(start_key), values.get(end_key) if end_key else None
    if isinstance(start_text, str) and end_text is None and (both := _BRACKETED.fullmatch(f"[{start_text.strip(' []()')}]")):
        start_text, end_text = both[1], both[2]
    start = _time(answer, entry, start_key, start_text)
    end = None if end_text is None else _time(answer, entry, end_key or start_key, end_text)
    speaker = _named(answer, entry, values)
    if key is None or start is None:
        return None
    return _Row(entry, answer.words(entry, values, key), start, end, speaker)


def _named(answer: Transcript, entry: int, values: Values) -> str | None:
    return next((found for key in _SPEAKERS if (found := answer.name(entry, values, key)) is not None), None)


def _time(answer: Transcript, entry: int, field: str, value: object) -> float | None:
    seconds = from_clock(str(value).strip()) if isinstance(value, int | float | str) and not isinstance(value, bool) else None
    if seconds is None or not 0 <= seconds <= MOST_SECONDS:
        answer.fault(entry, field, "no time" if value is None else shown(value), "a time as MM:SS, HH:MM:SS or seconds")
        return None
    return seconds


def _lines(answer: Transcript, text: str) -> list[_Row]:
    """The turns of an answer of one line a turn."""
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        match = _match(line)
        if match is None:
            if line.strip():
                expected = "a turn, as in [00:12 - 00:15] Speaker 1: text"
                answer.fault(number, "", shown(line.strip()), expected, "Mend the line, or take it out if nobody says it.")
            continue
        start = _time(answer, number, "start", match[1])
        end = None if match[2] is None else _time(answer, number, "end", match[2])
        spoken = _SPOKEN.fullmatch(match[3].strip())
        speaker, words = (spoken[1], spoken[2]) if spoken else (None, match[3].strip(" -–:"))
        answer.names(number, {"speaker": speaker})
        if start is not None:
            rows.append(_Row(number, words, start, end, speaker))
    return rows


def _match(line: str) -> re.Match[str] | None:
    plain = _plain(line)
    return _BRACKETED.fullmatch(plain) or _BARE.fullmatch(plain)


def _plain(line: str) -> str:
    """A line with the time before the speaker, without the bold of Markdown at its beginning."""
    line = line.strip()
    if line.startswith("**"):
        line = line[2:].replace("**", "", 1)
    speaker_first = _SPEAKER_FIRST.match(line)
    return f"[{speaker_first[3]}] {speaker_first[1]}: {line[speaker_first.end() :]}" if speaker_first else line


def _is_response(found: Shape) -> bool:
    return bool({"choices[].message", "candidates[].content", "output[].content", "candidates[].finishReason"} & found.keys)


def _sniff(head: str, path: Path) -> bool:
    found = shape(head)
    if _is_response(found) or _is_list_of_turns(found):
        return True
    if path.suffix.lower() not in ("", ".txt", ".text", ".json"):
        return False
    first = [line.strip() for line in islice((line for line in head.split("\n") if line.strip()), _LOOKED_AT)]
    return any(
        line in ("```", "```json") or (_STAMP.match(_plain(line)) and (match := _match(line)) and match[3].strip())
        for line in first
    )


def _is_list_of_turns(found: Shape) -> bool:
    """Whether the JSON is a list of turns that says of which recording neither here nor there, or times are on the clock."""
    if found.has("[].session_id") or found.has("[].recording_id"):
        return False
    for start in (f"[].{key}" for key in _STARTS):
        for key in (key for key in found.keys if key.endswith(start)):
            place = key.removesuffix(start)
            has_text = any(f"{place}[].{text}" in found.texts for text in _TEXTS)
            if has_text and (not place or ("[" not in place and "." not in place and key in found.texts)):
                return True
    return False


FORMAT = Format(
    name="llm-answer",
    title="The transcript that a chat model writes",
    item=Segment,
    suffixes=(".txt", ".json"),
    sniff=_sniff,
    read=read,
    write=read_only,
)
