"""A manifest of NeMo, ``manifest.jsonl``: a line an utterance, with the audio of its recording.

Beside the fields that NeMo knows each line has ``session_id``, the split and the metadata of its recording. A recording
without any segment is a line that only names audio. Audio paths are absolute, or beside the manifest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from parakh import formats
from parakh.dataset.content import Content
from parakh.dataset.exporting._exporter import Exporter, Options, audio_of
from parakh.dataset.importing.nemo import OWN, UNUSED
from parakh.errors import Fault, InputError
from parakh.files import read_text, write_atomic

MANIFEST = "manifest.jsonl"


def write(contents: Sequence[Content], folder: Path, options: Options) -> None:
    """Write the manifest.

    Raises:
        InputError: A segment without times, or metadata called as a field of NeMo.
    """
    faults = [
        Fault(content.session_id, name, "metadata of that name", "another name: NeMo has such a field", "Rename it.")
        for content in contents
        for name in content.entry.recording.metadata
        if name in (*OWN, *UNUSED, "split")
    ]
    if faults:
        raise InputError(faults)
    path = folder / MANIFEST
    lines: list[str] = []
    for content in contents:
        about = _about(content, folder, options)
        formats.get("nemo").write(_segments(content), path)
        rows = [json.loads(line) for line in read_text(path).splitlines()]
        lines += [json.dumps(row | about, ensure_ascii=False) + "\n" for row in rows or [_bare(content)]]
    write_atomic(path, "".join(lines))


def _segments(content: Content) -> list[object]:
    language = content.entry.recording.language
    return [replace(one, language=one.language or language) for one in content.spoken]


def _bare(content: Content) -> dict[str, object]:
    one = content.entry.recording
    known = {"offset": 0.0, "duration": one.duration, "label": "infer", "text": "-"}
    return {key: value for key, value in known.items() if value is not None}


def _about(content: Content, folder: Path, options: Options) -> Mapping[str, str]:
    path = audio_of(content, options, folder / "audio" / content.session_id)
    name = f"{content.session_id}.wav" if path is None else str(path.relative_to(folder) if folder in path.parents else path)
    split = {} if content.entry.split is None else {"split": content.entry.split}
    return {"audio_filepath": name, "session_id": content.session_id, **split, **content.entry.recording.metadata}


EXPORTER = Exporter(
    name="nemo",
    title="A manifest of NeMo: a line an utterance, with the audio of its recording",
    write=write,
    holds=frozenset(
        {
            "turns",
            "transcript",
            "audio",
            "split",
            "language",
            "metadata.*",
            "segment.start_time",
            "segment.speaker",
            "segment.language",
        }
    ),
    audio=("refer", "link", "copy", "none"),
    loses="Roles, segment ids, what is known of speakers, topics, summaries, second forms, scored regions.",
)
