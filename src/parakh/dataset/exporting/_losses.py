"""What a data set holds, counted by parts, and what of it a layout leaves behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from parakh.dataset.content import Content
from parakh.dataset.manifest import speaker_values
from parakh.errors import counted

_SEGMENT = ("start_time", "speaker", "role", "language", "segment_id", "channel", "confidence", "forms")
_NOUNS = {
    "turns": ("turns of {}", "recording"),
    "own-turns": ("turns of {} that are not those of the transcript", "recording"),
    "transcript": ("transcript of {}", "recording"),
    "native": ("second form of the transcript of {}", "recording"),
    "uem": ("scored regions of {}", "recording"),
    "topics": ("topics of {}", "recording"),
    "summary": ("summary of {}", "recording"),
    "audio": ("audio of {}", "recording"),
    "split": ("split of {}", "recording"),
    "language": ("language of {}", "recording"),
    "duration": ("duration of {}", "recording"),
    "segment.start_time": ("times of {}", "segment"),
    "segment.forms": ("further forms of {}", "segment"),
    "segment.segment_id": ("id of {}", "segment"),
}


def parts(content: Content) -> Iterator[str]:
    """The names of all that is known of one recording, each as often as it is.

    Args:
        content: The recording.

    Yields:
        "turns" (without a transcript), "own-turns" (that are not those of the transcript), "transcript", "native", "uem",
        "topics", "summary", "audio", "split", "language", "duration", "metadata.FIELD", "speaker.FIELD", "segment.FIELD" of the
        transcript, "turn.FIELD".
    """
    one = content.entry.recording
    own = are_own(content)
    whole = {
        "turns": content.turns if content.transcript is None else None,
        "own-turns": content.turns if content.transcript is not None and own else None,
        "transcript": content.transcript,
        "native": content.native,
        "uem": content.regions,
        "topics": content.topics,
        "summary": content.summary,
        "audio": one.audio,
        "split": content.entry.split,
        "language": one.language,
        "duration": one.duration,
    }
    yield from (name for name, value in whole.items() if value is not None)
    yield from (f"metadata.{name}" for name in one.metadata)
    roles = {(segment.speaker, segment.role) for segment in content.transcript or ()}
    for speaker in content.entry.speakers:
        known = speaker_values(speaker)
        if (speaker.speaker, speaker.role) in roles:
            del known["role"]  # the transcript has it
        yield from (f"speaker.{name}" for name in known)
    for segment in content.transcript or ():
        yield from (f"segment.{name}" for name in _SEGMENT if getattr(segment, name) not in (None, ()))
    for turn in (content.turns or ()) if own else ():
        yield from (f"turn.{name}" for name in ("channel", "confidence") if getattr(turn, name) not in (None, "1"))


def are_own(content: Content) -> bool:
    """Whether the turns say more than the transcript does."""
    if content.turns is None:
        return False
    transcript = content.transcript or ()
    if len(transcript) != len(content.turns):
        return True
    return any(
        (turn.speaker, turn.start_time, turn.end_time) != (said.speaker, said.start_time, said.end_time)
        for turn, said in zip(content.turns, transcript, strict=True)
    )


def losses(contents: Sequence[Content], holds: Iterable[str]) -> list[str]:
    """What a layout that holds these parts leaves behind, in words, one line a part.

    >>> from parakh.types import Entry, Recording
    >>> losses([Content(Entry(Recording("v1", duration=3.5, metadata={"place": "home"})))], {"duration"})
    ['metadata place of 1 recording']
    """
    held = set(holds)
    counts = Counter(part for content in contents for part in parts(content))
    left = {part: count for part, count in counts.items() if part not in held and f"{part.partition('.')[0]}.*" not in held}
    if "transcript" in left:
        left = {part: count for part, count in left.items() if not part.startswith("segment.")}
    return [_in_words(part, count) for part, count in left.items()]


def _in_words(part: str, count: int) -> str:
    group, _, field = part.partition(".")
    if part in _NOUNS:
        pattern, noun = _NOUNS[part]
        return pattern.format(counted(count, noun))
    noun = {"metadata": "recording", "turn": "turn"}.get(group, group)
    return f"metadata {field} of {counted(count, noun)}" if group == "metadata" else f"{field} of {counted(count, noun)}"
