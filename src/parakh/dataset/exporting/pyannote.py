"""A database of pyannote.database: ``database.yml``, and for each part of the data set a list, RTTM and UEM.

A protocol ``NAME.SpeakerDiarization.Whole`` has the parts as ``train``, ``development`` and ``test``: ``train``, those called
dev or validation, and all others. Each part of the data set is a protocol of its own too, with all of it as ``test``. The
scored regions are those of the data set, or else the whole recording; where even its length is not known, to the end of the
last turn. Only recordings with turns belong to it. Load it with ``registry.load_database("OUT/database.yml")``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from parakh import formats
from parakh.dataset.content import Content
from parakh.dataset.exporting._exporter import Exporter, Options, audio_of
from parakh.errors import Fault, InputError
from parakh.files import write_atomic
from parakh.types import Region

_SUBSETS = {"train": "train", "training": "train", "validation": "development", "valid": "development", "val": "development"}


def write(contents: Sequence[Content], folder: Path, options: Options) -> None:
    """Write the database.

    Raises:
        InputError: No recording has turns, or an id has a blank, which its lists cannot hold.
    """
    own = [content for content in contents if content.turns is not None]
    if not own:
        raise InputError(Fault(str(options.final), "", "a data set without turns", "turns: they are what this layout is of"))
    suffixes = {
        path.suffix: None for content in own if (path := audio_of(content, options, folder / "audio" / content.session_id))
    }
    protocols = {"Whole": _subsets(own)} | {_name(split): {"test": part} for split, part in _by_split(own).items()}
    lines = ["Databases:", f"  {_name(options.name)}: {json.dumps([f'audio/{{uri}}{suffix}' for suffix in suffixes])}"]
    lines += ["Protocols:", f"  {_name(options.name)}:", "    SpeakerDiarization:"]
    for protocol, subsets in protocols.items():
        lines.append(f"      {protocol}:")
        lines.append("        scope: file")
        for subset, part in subsets.items():
            lines += [f"        {subset}:", *_part(part, f"{protocol}.{subset}", folder)]
    write_atomic(folder / "database.yml", "\n".join(lines) + "\n")


def _part(contents: Sequence[Content], name: str, folder: Path) -> list[str]:
    """The files of one subset, and the lines that name them."""
    write_atomic(folder / "lists" / f"{name}.lst", "".join(f"{content.session_id}\n" for content in contents))
    formats.get("rttm").write([turn for content in contents for turn in content.turns or ()], folder / "rttm" / f"{name}.rttm")
    formats.get("uem").write([region for content in contents for region in _regions(content)], folder / "uem" / f"{name}.uem")
    paths = {"uri": f"lists/{name}.lst", "annotation": f"rttm/{name}.rttm", "annotated": f"uem/{name}.uem"}
    return [f"          {key}: {json.dumps(path)}" for key, path in paths.items()]


def _regions(content: Content) -> Sequence[Region]:
    last = max((turn.end_time or 0.0 for turn in content.turns or ()), default=0.0)
    end = content.entry.recording.duration or last
    return content.regions if content.regions is not None else [Region(content.session_id, 0.0, end)]


def _by_split(contents: Sequence[Content]) -> dict[str, list[Content]]:
    parts: dict[str, list[Content]] = {}
    for content in contents:
        if content.entry.split is not None:
            parts.setdefault(content.entry.split, []).append(content)
    return parts


def _subsets(contents: Sequence[Content]) -> dict[str, list[Content]]:
    parts: dict[str, list[Content]] = {}
    for content in contents:
        split = (content.entry.split or "").lower()
        subset = "development" if split.startswith("dev") else _SUBSETS.get(split, "test")
        parts.setdefault(subset, []).append(content)
    return parts


def _name(text: str) -> str:
    """A name without the signs that have a meaning in names of protocols."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_") or "Data"


EXPORTER = Exporter(
    name="pyannote",
    title="A pyannote.database database: lists, RTTM and UEM a part, for training and scoring",
    write=write,
    holds=frozenset({"turns", "own-turns", "audio", "split", "uem", "duration", "turn.channel", "turn.confidence"}),
    audio=("link", "copy", "none"),
    loses="Everything but who spoke when, what is scored, and the audio.",
)
