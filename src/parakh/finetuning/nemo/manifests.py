"""What NeMo trains on: sound files of single windows, and a manifest with a JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from parakh.audio.decode import SAMPLE_RATE
from parakh.audio.pcm import wav
from parakh.cascade.windows import Window, Word, pack, spoken
from parakh.errors import Fault, InputError
from parakh.files import read_text, write_atomic
from parakh.finetuning.examples import lay_out
from parakh.finetuning.material import Conversation
from parakh.types import Segment

_ANY = 10**9
"""As many tokens as there are: a transducer has no end of room."""


@dataclass(frozen=True)
class Clip:
    """A window with its file.

    Args:
        path: The sound file.
        window: Where it is in the recording.
        text: What is said in it; "" where it is not known.
        language: BCP-47 primary tag.
    """

    path: Path
    window: Window
    text: str
    language: str


def train_windows(one: Conversation, longest: float) -> list[tuple[Window, str, str]]:
    """Windows to learn from, with text and language; those without words are left out.

    Args:
        one: The recording.
        longest: Longest window in seconds.
    """
    laid = lay_out(one.turns, one.seconds, longest, len, _ANY)
    return [(each.window, each.text, each.language or one.language or "") for each in laid.examples if each.text]


def write_split(
    conversations: Sequence[Conversation], longest: float, folder: Path, name: str, *, learn: bool
) -> list[list[Clip]]:
    """Write the sound of every window and the manifest ``NAME.jsonl``.

    Args:
        conversations: The recordings.
        longest: Longest window in seconds.
        folder: Where to.
        name: Of the split.
        learn: Whether windows are to learn from, with their text, or to be transcribed, cut as a recording is.

    Returns:
        The clips of each recording.
    """
    written = []
    for one in conversations:
        audio = one.audio()
        windows = train_windows(one, longest) if learn else _dev_windows(one, longest)
        clips = []
        for number, (window, text, language) in enumerate(windows):
            path = folder / name / f"{one.session_id}_{number:04d}.wav"
            write_atomic(path, wav(window.cut(audio.samples)))
            clips.append(Clip(path.resolve(), window, text, language))
        written.append(clips)
    lines = [manifest_line(clip) for clips in written for clip in clips]
    if not lines:
        raise InputError(Fault(str(folder), name, "no windows with words", "turns with words and times"))
    write_atomic(folder / f"{name}.jsonl", "".join(lines))
    return written


def manifest_line(clip: Clip) -> str:
    r"""A line of a manifest.

    >>> from parakh.cascade.windows import Stretch
    >>> manifest_line(Clip(Path("a.wav"), Window((Stretch(0, 8000),)), "जी", "hi"))
    '{"audio_filepath": "a.wav", "duration": 0.5, "text": "जी", "lang": "hi"}\n'
    """
    row = {
        "audio_filepath": str(clip.path),
        "duration": clip.window.length / SAMPLE_RATE,
        "text": clip.text,
        "lang": clip.language,
    }
    return json.dumps(row, ensure_ascii=False) + "\n"


def heard(conversations: Sequence[Conversation], clips: Sequence[Sequence[Clip]], transcripts: Path) -> list[Segment]:
    """The turns of the dev split with what was transcribed; the words of a window share its time evenly.

    Raises:
        InputError: The transcripts cannot be read, or lack a window.
    """
    try:
        rows = [json.loads(line) for line in read_text(transcripts).splitlines()]
        texts = {str(row["audio_filepath"]): str(row["text"]) for row in rows}
        found = []
        for one, own in zip(conversations, clips, strict=True):
            words = [word for clip in own for word in _even(clip.window, texts[str(clip.path)])]
            found += spoken(words, [replace(turn, words="") for turn in one.turns], one.language)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(Fault(str(transcripts), "", f"no text ({error})", "a text of every window")) from error
    return found


def _even(window: Window, text: str) -> list[Word]:
    texts = text.split()
    step = window.length / SAMPLE_RATE / max(1, len(texts))
    return [Word(word, window.time(place * step), window.time((place + 1) * step)) for place, word in enumerate(texts)]


def _dev_windows(one: Conversation, longest: float) -> list[tuple[Window, str, str]]:
    """As a recording is cut to be transcribed; the text, by which NeMo itself tells checkpoints apart, is that of the turns."""
    windows = pack(one.audio(), one.turns, longest)
    words = [[turn for turn in one.turns if _middle_in(turn, window)] for window in windows]
    return [
        (window, " ".join(turn.words for turn in turns if turn.words), one.language or (turns[0].language if turns else "") or "")
        for window, turns in zip(windows, words, strict=True)
    ]


def _middle_in(turn: Segment, window: Window) -> bool:
    middle = ((turn.start_time or 0.0) + (turn.end_time or 0.0)) / 2 * SAMPLE_RATE
    return any(stretch.start <= middle < stretch.end for stretch in window.stretches)
