"""A label says that somebody speaks, and nothing of the kind is to be heard.

What it does:
    Looks for labels (turns, or the transcript where there are no turns) in which the speech detector hears next to nothing.
    Labels that hold tags alone, and turns where the transcript has tags alone, are passed over. A recording in which nobody
    is heard at all is `silent-audio`.

Why it matters:
    Every system is charged with a miss or deletions there. Labels shifted against the sound, or of another recording, show in
    this way first.

How to mend:
    Listen at the time told. Move the label to the words, or remove it; where many are wrong, look for a shift of the whole file.

Limits:
    `heard-share` (0.1): share of the label with speech below which it is told. `shortest-label` (0.5): shorter labels are
    not looked at, as a single "hm" far from the microphone is missed by the detector too.

Example:
    It says: "no speech is heard in the label from 0:00.8 to 0:03.7".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.audio.levels import frames
from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._sound import within
from parakh.qc._turns import timed, who_spoke_when
from parakh.qc._unlabelled import tagged
from parakh.types import Finding, Severity

_TAGGED = 0.5
"""Share of a label under tags alone from which it is not expected to hold speech."""


def _look(material: Material, settings: Settings) -> Iterator[Finding]:
    source, audio = who_spoke_when(material), material.audio
    if source is None or audio is None or not audio.speech or not audio.duration:
        return  # a recording in which nobody speaks at all is silent-audio
    least, share = settings.limit("shortest-label"), settings.limit("heard-share")
    count = round(audio.duration * 100)
    heard = frames(audio.speech, count)
    sounds = frames(tagged(material, settings), count)
    for start, end, index in timed(source):
        here = within(start, end, count)
        if end - start < least or end > audio.duration + least or not heard[here].size or sounds[here].mean() >= _TAGGED:
            continue
        if heard[here].mean() < share:
            yield CHECK.at(material, f"no speech is heard in the label from {clock(start)} to {clock(end)}", source, index)


CHECK = Check(
    "QC212",
    "label-without-speech",
    "Nobody is heard in a label",
    Severity.WARNING,
    recording=_look,
    hears=True,
    limits={"shortest-label": 0.5, "heard-share": 0.1},
)
