"""An annotation file is there, but says nothing about the recording.

What it does:
    Names RTTM, transcript, native transcript and UEM without any entry for the recording, a transcript of which no segment has
    words, and a summary without text. Topics may be empty: that means "None".

Why it matters:
    An empty reference is scored as silence: every answer of a system counts as an error.

How to mend:
    Annotate the recording, or take the file out of the manifest.

Example:
    It says: "the UEM has no entry for the recording".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from parakh.qc import Check, Material, Settings, Source
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    sources: dict[str, Source[Any] | None] = {
        "RTTM": material.turns,
        "transcript": material.transcript,
        "native transcript": material.native,
        "UEM": material.regions,
    }
    for name, source in sources.items():
        if source is not None and not source.items:
            yield CHECK.at(material, f"the {name} has no entry for the recording", source)
    for name, transcript in (("transcript", material.transcript), ("native transcript", material.native)):
        if transcript is not None and transcript.items and not any(one.words.strip() for one in transcript.items):
            yield CHECK.at(material, f"no segment of the {name} has words", transcript)
    if material.summary is not None:
        for index, one in enumerate(material.summary.items):
            if not one.text.strip():
                yield CHECK.at(material, "the summary has no text", material.summary, index)


CHECK = Check("QC137", "empty-annotation", "An annotation says nothing", Severity.ERROR, recording=_recording)
