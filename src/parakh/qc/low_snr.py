"""Speech stands little above the noise of the recording.

What it does:
    Compares the estimated signal-to-noise ratio with a limit: mean power where somebody speaks, less the noise, over the median
    power where nobody does.

Why it matters:
    Recognisers lose words in noise, and annotators begin to guess. Such recordings are worth having, but they have to be known:
    as a slice of the scores, and for a second look at their transcripts.

How to mend:
    Move the microphone nearer, or away from the fan, and record again; or keep the recording, note the environment in its
    metadata, and have its transcript checked twice.

Limits:
    `lowest-snr` (10) dB. There is no estimate with less than 0.5 s of pauses, or without speech detection.

Example:
    It says: "speech is 7 dB above the noise; expected 10 dB or more".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Material, Settings
from parakh.types import Finding, Severity


def _look(material: Material, settings: Settings) -> Iterator[Finding]:
    snr = material.audio.snr_db if material.audio else None
    least = settings.limit("lowest-snr")
    if snr is not None and snr < least:
        yield CHECK.at(material, f"speech is {snr:.0f} dB above the noise; expected {least:g} dB or more")


CHECK = Check(
    "QC105", "low-snr", "Speech is close to the noise", Severity.WARNING, recording=_look, hears=True, limits={"lowest-snr": 10.0}
)
