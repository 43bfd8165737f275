"""The JSON that a service returns for one recording: its values, its error messages, and which recording it is of.

The session id is the file's name without ``.json`` and without an ending of audio before that (``visit01.wav.json`` is of
visit01), as nearly every service knows the audio only under a name it made up. Numbers of entries stand in for lines.

Where several channels were transcribed, speakers of two channels are two (``1-A``, ``2-A``); where nobody is named a channel is
a speaker, with a finding: one person a channel is what services transcribe channels for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePosixPath

from parakh import languages
from parakh.audio import AUDIO_SUFFIXES
from parakh.formats._json import name_of, objects_of, parse, text_of, time_of
from parakh.formats._text import Reader, shown
from parakh.formats._turns import Turn
from parakh.types import Loaded, Segment, Severity

_TEXT = (".gz", ".json", ".jsonl", ".txt", ".md", ".whisper")
_ERRORS = ("error", "err_msg", "detail", "message", "Message", "msg", "FailureReason", "TranscriptionJob")
_TOLD = 200

Values = Mapping[str, object]


def recording_of(name: str) -> str:
    """The session id that the name of a response, or of the audio, stands for.

    >>> recording_of("visit.01.wav.json"), recording_of("visit.01.json"), recording_of(".json")
    ('visit.01', 'visit.01', '.json')
    """
    for endings in (*((one,) for one in _TEXT), AUDIO_SUFFIXES):
        suffix = PurePosixPath(name).suffix
        if suffix.lower() in endings:
            name = name[: -len(suffix)]
    return name


def tag_of(reader: Reader, line: int, language: object) -> str | None:
    """The primary tag of a field that names a language; what is none is noticed and left out."""
    tag = primary_tag(language) if isinstance(language, str) else None
    if tag is None and language is not None:
        reader.notice("unknown-language", line, f"the language {shown(language)} (or another) is not known and left out")
    return tag


@lru_cache(maxsize=256)
def primary_tag(text: str) -> str | None:
    """The BCP-47 primary tag of a language given as a tag, an ISO 639-3 code or its English name; None if it is none.

    >>> primary_tag("hi-IN"), primary_tag("kan"), primary_tag("Hindi"), primary_tag("fr"), primary_tag("unknown")
    ('hi', 'kn', 'hi', 'fr', None)
    """
    known = languages.get(text)
    if known != languages.NEUTRAL:
        return known.tag
    primary = text.strip().lower().replace("_", "-").partition("-")[0]
    if primary.isascii() and primary.isalpha() and len(primary) in (2, 3):
        return None if primary == "und" else primary
    return languages.named(primary)


def error_in(value: object, depth: int = 4) -> str | None:
    """The message in which a service says that something went wrong; None where there is none down to a depth.

    >>> error_in({"error": {"code": 429, "message": "Quota exceeded"}}), error_in({"error": None})
    ('Quota exceeded', None)
    """
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, list) and depth:
        return next((found for one in value if (found := error_in(one, depth - 1))), None)
    if not isinstance(value, dict) or not depth:
        return None
    return next((found for key in _ERRORS if (found := error_in(value.get(key), depth - 1))), None)


def error_in_head(head: str) -> str | None:
    """The error message that a whole short response is; None for any other text."""
    if not head.lstrip().startswith("{"):
        return None
    try:
        return error_in(json.loads(head))
    except (ValueError, RecursionError):
        return None


def job_in_head(head: str) -> str | None:
    """The state of a job, where a whole short response is the description of one and no transcript; None for any other text.

    >>> job_in_head('{"TranscriptionJob": {"TranscriptionJobStatus": "IN_PROGRESS"}}'), job_in_head('{"status": "x", "text": ""}')
    ('IN_PROGRESS', None)
    """
    if not head.lstrip().startswith("{"):
        return None
    try:
        values = json.loads(head)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict) or {"text", "results", "response", "transcript"} & values.keys():
        return None
    if values.keys() <= {"name", "metadata", "done"} and isinstance(values.get("metadata"), dict):
        return "not done"  # a long-running operation of Google
    job = values.get("TranscriptionJob")
    states = [values.get(key) for key in ("status", "job_state")]
    states += [job.get("TranscriptionJobStatus")] if isinstance(job, dict) else []
    return next((state for state in states if isinstance(state, str) and state), None)


class Transcript(Reader):
    """A reader of the transcript of one recording, named after the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.names(None, {"the file's name": path.name})
        self.session_id = recording_of(path.name)
        self._segments: list[Segment] = []

    def objects(self, values: Values, key: str, entry: int | None = None) -> list[dict[str, object]]:
        """A list of objects; [] if the key is absent or null."""
        return objects_of(self, entry, values, key)

    def name(self, entry: int, values: Values, key: str) -> str | None:
        """A name or number as text; None if the key is absent, null or empty."""
        return name_of(self, entry, values, key)

    def words(self, entry: int, values: Values, key: str) -> str:
        """A text, unchanged; "" if the key is absent or null."""
        return "" if values.get(key) is None else text_of(self, entry, values, key)

    def time(self, entry: int, values: Values, key: str, per_second: int = 1) -> float | None:
        """Seconds; None if the key is absent or null."""
        return time_of(self, entry, values, key, per_second)

    def fail_if_error(self, body: object) -> None:
        """Give up on a response that is an error message, quoting it."""
        error = error_in(body)
        if error is not None:
            self.fail(None, "", f"the error message {quoted(error)}", "a transcript", "Ask the service again.")

    def add(
        self, entry: int, turn: Turn, language: str | None = None, channel: str | None = None, confidence: float | None = None
    ) -> None:
        """Take a turn into the transcript, once its times are sure to be a stretch."""
        words, start, end, speaker = turn
        if (start is None) != (end is None):
            self.fault(entry, "end" if end is None else "start", "no time", "both a start and an end, or neither")
        elif start is not None and end is not None and end <= start:
            if end < start:
                self.fault(entry, "end", repr(end), f"seconds >= start ({start})", "Mend the times.")
            self.zero_duration(entry)
        self._segments.append(
            Segment(self.session_id, speaker, start, end, words, language=language, channel=channel, confidence=confidence)
        )

    def result(self) -> Loaded[Segment]:
        """The transcript; raises InputError if there were faults."""
        segments = self._segments
        if not segments and self.text.strip():
            self.notice("no-words", 1, "the response has no words", Severity.NOTE)
        if any(one.speaker for one in segments):
            for entry, one in enumerate(segments, 1):
                if one.speaker is None:
                    self.notice("no-speaker", entry, "the response does not say who speaks, though it does for others")
        if len({one.channel for one in segments}) > 1:
            segments = self._with_channels(segments)
        return self.loaded(segments)

    def _with_channels(self, segments: list[Segment]) -> list[Segment]:
        """Segments of several channels: whoever speaks is told apart by the channel too, or by it alone where nobody is named."""
        if any(one.speaker or one.channel is None for one in segments):
            return [replace(one, speaker=f"{one.channel}-{one.speaker}") if one.speaker else one for one in segments]
        self.notice("speaker-from-channel", 1, "nobody is named, but there are several channels; each is read as a speaker")
        return [replace(one, speaker=one.channel) for one in segments]


class Response(Transcript):
    """A reader of one response that is a JSON object.

    Args:
        path: The file.
        wanted: Keys of which at least one has a value in any response with a transcript.
        silent: Keys that a response in which nothing was heard has at most.
    """

    def __init__(self, path: Path, wanted: Sequence[str], silent: Sequence[str] = ()) -> None:
        super().__init__(path)
        body = parse(self, None, self.text)
        if not isinstance(body, dict):
            self.fail(None, "", shown(body), "a JSON object", "Give the whole response of the service.")
        self.body: dict[str, object] = body
        if not silent or self.body.keys() - {*silent}:
            self.need(self.body, wanted)

    def need(self, values: Values, wanted: Sequence[str]) -> None:
        """Give up on a response without a transcript, quoting its error message if it has one."""
        if any(values.get(key) is not None for key in wanted):
            return
        self.fail_if_error(self.body)
        keys = ", ".join(list(values)[:8]) or "none"
        self.fail(None, "", f"the keys {shown(keys)}", f"a transcript under {' or '.join(wanted)}")

    def table(self, values: Values, key: str) -> dict[str, object]:
        """An object; {} if the key is absent or null."""
        value = values.get(key)
        if value is not None and not isinstance(value, dict):
            self.fault(None, key, shown(value), "a JSON object")
        return value if isinstance(value, dict) else {}

    def language(self, values: Values, key: str) -> str | None:
        """A language as its primary tag; None where it is no language that can be told."""
        value = values.get(key)
        return primary_tag(value) if isinstance(value, str) else None

    def share(self, values: Values, key: str) -> float | None:
        """A confidence in [0, 1]; None for anything else."""
        value = values.get(key)
        is_share = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
        return float(value) if is_share else None  # type: ignore[arg-type]


def quoted(text: str) -> str:
    """A message of a service on one line, at most 200 characters of it, personal numbers masked."""
    return shown(" ".join(text.split()), _TOLD)
