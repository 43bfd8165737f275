"""The data of Codabench tasks: for each part of the data set a reference bundle and a public one.

``secret/PART/reference_data.zip``: flat, as the challenge's scorer wants it: ``ID_SPEAKER.rttm``, ``ID.txt`` (the transcript),
``gt_data_topic_identification.csv``, ``gt_data_summarization.csv``. Nothing in it may reach a participant. ``public/PART/
input_data.zip``: ``recordings.csv`` with id, duration and language, and with ``--audio copy`` the audio; nothing that was
annotated. ``tasks.yaml`` is the part of a version-2 ``competition.yaml`` that names them: a task for each part, not public; the
phases, dates and the scoring program are the organiser's. ``CHECKSUMS.sha256`` lists every bundle. The same data give the same
bytes. Publish the folder ``public`` alone.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from parakh.dataset import sound
from parakh.dataset.content import Content
from parakh.dataset.exporting._bundles import entry, yaml
from parakh.dataset.exporting._exporter import Exporter, Options
from parakh.dataset.exporting.displace_m import HOLDS, TABLE, tables
from parakh.dataset.importing.displace_m import SPEAKER
from parakh.errors import Fault, InputError
from parakh.files import checksum, write_atomic
from parakh.formats import _csv, get, is_file_name
from parakh.formats._text import shown

_WHOLE = "all"


def write(contents: Sequence[Content], folder: Path, options: Options) -> None:
    """Write the bundles of every part.

    Raises:
        InputError: A transcript that the challenge's table cannot hold, or a split that cannot name a folder.
    """
    parts: dict[str, list[Content]] = {}
    for content in contents:
        parts.setdefault(content.entry.split or _WHOLE, []).append(content)
    if wrong := [name for name in parts if not is_file_name(name)]:
        raise InputError(Fault(str(options.final), "split", shown(name), "a name that a folder can have") for name in wrong)
    for part, own in parts.items():
        _reference(own, folder / "secret" / part, folder / "work")
        _public(own, folder / "public" / part, options)
    write_atomic(folder / "tasks.yaml", _tasks(parts, options.name))
    bundles = sorted(folder.rglob("*.zip"))
    lines = [f"{checksum(path)}  {path.relative_to(folder).as_posix()}\n" for path in bundles]
    write_atomic(folder / "CHECKSUMS.sha256", "".join(lines))


def _reference(contents: Sequence[Content], place: Path, work: Path) -> None:
    for content in contents:
        if content.turns is not None:
            get("rttm").write(content.turns, work / f"{content.session_id}{SPEAKER}.rttm")
        if content.transcript is not None:
            get("challenge-tsv").write(content.transcript, work / f"{content.session_id}.txt")
    tables(contents, work)
    made = sorted(work.glob("*")) if work.exists() else []
    _zip(place / "reference_data.zip", ((path.name, path) for path in made))
    for path in made:
        path.unlink()
    if work.exists():
        work.rmdir()


def _public(contents: Sequence[Content], place: Path, options: Options) -> None:
    rows = []
    audio = []
    for content in contents:
        one = content.entry.recording
        rows.append((one.session_id, one.duration or "", one.language or ""))
        if one.audio is not None and options.audio == "copy":
            audio.append((f"{one.session_id}{Path(one.audio).suffix}", Path(one.audio)))
    write_atomic(place / "recordings.csv", _csv.text(("rec_id", "duration", "language"), rows))
    _zip(place / "input_data.zip", [("recordings.csv", place / "recordings.csv"), *audio])
    (place / "recordings.csv").unlink()


def _zip(path: Path, files: Iterable[tuple[str, Path]]) -> None:
    """A flat archive whose bytes depend on the files' names and content alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, source in files:
            about = entry(name, is_packed=not sound.is_audio(source))
            try:
                with archive.open(about, "w", force_zip64=True) as out, source.open("rb") as data:
                    while chunk := data.read(1 << 20):
                        out.write(chunk)
            except OSError as error:
                raise InputError(Fault(str(source), "", str(error.strerror), "a readable file", "Restore it.")) from error


def _tasks(parts: Iterable[str], name: str) -> str:
    tasks = [
        {
            "index": index,
            "name": f"{name} {part}",
            "description": f"Recordings of {part}",
            "is_public": False,
            "input_data": f"public/{part}/input_data.zip",
            "reference_data": f"secret/{part}/reference_data.zip",
        }
        for index, part in enumerate(parts)
    ]
    return yaml({"tasks": tasks}) + "\n"


EXPORTER = Exporter(
    name="codabench",
    title="Codabench tasks: secret reference bundles and public input bundles, a pair for each part",
    write=write,
    holds=frozenset(HOLDS | TABLE | {"split", "turn.channel", "turn.confidence"}),
    audio=("none", "copy"),
    loses="Second forms, scored regions, metadata, and what is known of speakers but their roles.",
)
