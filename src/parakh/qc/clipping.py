"""A recording is too loud: its peaks are cut off.

What it does:
    Counts samples in runs of three and more at full scale of the file's own bit depth, before any resampling, in every channel.

Why it matters:
    Clipping adds sound at every frequency: fricatives and vowels sound alike under it, voices too, and nothing brings the peaks
    back.

How to mend:
    Lower the gain and record again. Where that cannot be, mark the recording in its metadata so that scores can be told apart
    by it; do not only turn the volume down, which hides clipping from this check.

Limits:
    `clipped-share` (0.0005): the share of samples above which it is told. The real recordings this was tried on have none.

Example:
    It says: "0.46 % of the samples are cut off at full scale".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Material, Settings
from parakh.types import Finding, Severity


def _look(material: Material, settings: Settings) -> Iterator[Finding]:
    audio = material.audio
    if audio is None or audio.clipped is None:
        return
    if audio.clipped > settings.limit("clipped-share"):
        yield CHECK.at(material, f"{100 * audio.clipped:.2g} % of the samples are cut off at full scale")


CHECK = Check(
    "QC103",
    "clipping",
    "The peaks of the audio are cut off",
    Severity.WARNING,
    recording=_look,
    hears=True,
    limits={"clipped-share": 0.0005},
)
