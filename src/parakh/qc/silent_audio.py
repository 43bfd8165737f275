"""A recording, or a long stretch of it, is silent.

What it does:
    Looks for a whole file below any sound of a microphone, for a whole file in which nobody speaks, for dead stretches (digital
    silence or nearly), and for long stretches without speech.

Why it matters:
    A microphone that was muted, a wrong channel or a failed conversion leave a file of the right name and length. It passes every
    check of form, and every system is charged for words that cannot be heard.

How to mend:
    Look for the other channel or the recorder's original. Leave the recording out where there is none; where only a part is
    silent, set a UEM region round the rest.

Limits:
    `silence-db` (-80): a 10 ms frame below it is dead; the quiet of the real recordings tried is at -77 to -31.
    `longest-silence` (10): seconds of dead frames. `longest-pause` (60): seconds without speech, where it was looked for.

Example:
    It says: "nothing can be heard: the loudest 10 ms are at -120 dB".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parakh.audio.facts import FRAME_S, AudioFacts
from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._sound import runs
from parakh.types import Finding, Severity


def _look(material: Material, settings: Settings) -> Iterator[Finding]:
    audio = material.audio
    if audio is None or audio.level_db is None or not audio.duration:
        return
    dead_db = settings.limit("silence-db")
    loudest = float(audio.level_db.max())
    if loudest < dead_db:
        yield CHECK.at(material, f"nothing can be heard: the loudest 10 ms are at {loudest:.0f} dB")
    elif audio.speech == ():
        yield CHECK.at(material, f"nobody speaks in {clock(audio.duration)}")
    else:
        for what, spans in (("dead silence", _dead(audio, dead_db, settings)), ("nobody speaks", _pauses(audio, settings))):
            for start, end in spans:
                yield CHECK.at(material, f"{what} from {clock(start)} to {clock(end)}")


def _dead(audio: AudioFacts, below: float, settings: Settings) -> list[tuple[float, float]]:
    if audio.level_db is None:
        return []
    least = settings.limit("longest-silence") / FRAME_S
    return [(a * FRAME_S, b * FRAME_S) for a, b in runs(audio.level_db < below) if b - a > least]


def _pauses(audio: AudioFacts, settings: Settings) -> Sequence[tuple[float, float]]:
    if audio.speech is None or audio.duration is None:
        return []
    dead = _dead(audio, settings.limit("silence-db"), settings)
    edges = [0.0, *(time for span in audio.speech for time in span), audio.duration]
    pauses = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a > settings.limit("longest-pause")]
    return [(a, b) for a, b in pauses if not any(start < b and a < end for start, end in dead)]


CHECK = Check(
    "QC104",
    "silent-audio",
    "The audio is silent, wholly or for long",
    Severity.ERROR,
    recording=_look,
    hears=True,
    limits={"silence-db": -80.0, "longest-silence": 10.0, "longest-pause": 60.0},
)
