"""Manifests of lhotse: ``recordings.jsonl`` and ``supervisions.jsonl``.

A recording has its audio's sample rate and number of samples, the split and the metadata as ``custom``. Paths are absolute,
as lhotse reads relative ones from where it is started. Load them with ``RecordingSet.from_file`` and
``SupervisionSet.from_file``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from parakh import formats
from parakh.dataset.content import Content
from parakh.dataset.exporting._exporter import Exporter, Options, audio_of, final, header_of
from parakh.errors import Fault, InputError
from parakh.files import write_atomic


def write(contents: Sequence[Content], folder: Path, options: Options) -> None:
    """Write the two manifests.

    Raises:
        InputError: A segment without times, or a recording whose audio does not tell its length.
    """
    lines = []
    faults: list[Fault] = []
    for content in contents:
        try:
            lines.append(json.dumps(_recording(content, folder, options), ensure_ascii=False) + "\n")
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    segments = [
        replace(one, language=one.language or content.entry.recording.language, channel=None)
        for content in contents
        for one in content.spoken
    ]
    formats.get("lhotse").write(segments, folder / "supervisions.jsonl")
    write_atomic(folder / "recordings.jsonl", "".join(lines))


def _recording(content: Content, folder: Path, options: Options) -> dict[str, object]:
    rate, channels, samples, seconds = header_of(content, "lhotse")
    path = audio_of(content, options, folder / "audio" / content.session_id)
    split = {} if content.entry.split is None else {"split": content.entry.split}
    custom = {**split, **content.entry.recording.metadata}
    source = {"type": "file", "channels": list(range(channels)), "source": str(final(path, folder, options))} if path else None
    return {
        "id": content.session_id,
        "sources": [source] if source else [],
        "sampling_rate": rate,
        "num_samples": samples,
        "duration": seconds,
        "channel_ids": list(range(channels)),
        **({"custom": custom} if custom else {}),
    }


EXPORTER = Exporter(
    name="lhotse",
    title="Manifests of lhotse: recordings and supervisions",
    write=write,
    holds=frozenset(
        {"turns", "transcript", "audio", "split", "language", "duration", "metadata.*"}
        | {f"segment.{name}" for name in ("start_time", "speaker", "role", "language", "segment_id", "confidence", "forms")}
    ),
    audio=("refer", "link", "copy"),
    loses="What is known of speakers, topics, summaries, second forms, scored regions, channels.",
)
