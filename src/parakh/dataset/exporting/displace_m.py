"""The layout in which the DISPLACE-M challenge gives out its development data: a folder a language.

``Hindi/data/wav``, ``data/rttm/ID_SPEAKER.rttm``, ``Audio``, ``GT/ID.txt`` and the two tables of topics and summaries, as the
importer of the same name reads them. Audio keeps its format.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh import formats, languages
from parakh.dataset.content import Content
from parakh.dataset.exporting._exporter import Exporter, Options, audio_of
from parakh.dataset.importing.displace_m import SPEAKER, SUMMARIES, TOPICS
from parakh.files import read_text, write_atomic
from parakh.types import Summary

HOLDS = {"turns", "own-turns", "transcript", "topics", "summary", "audio", "language", "duration"}
TABLE = {"segment.start_time", "segment.speaker", "segment.role", "segment.segment_id"}


def write(contents: Sequence[Content], folder: Path, options: Options) -> None:
    """Write the folders of all languages.

    Raises:
        InputError: A transcript that the challenge's table cannot hold.
    """
    by_language: dict[str, list[Content]] = {}
    for content in contents:
        tag = content.entry.recording.language
        by_language.setdefault(languages.get(tag).name if tag else languages.NEUTRAL.name, []).append(content)
    for language, own in by_language.items():
        for content in own:
            _recording(content, folder / language, options)
        tables(own, folder / language / "GT")


def _recording(content: Content, folder: Path, options: Options) -> None:
    name = content.session_id
    if content.turns is not None:
        formats.get("rttm").write(content.turns, folder / "data" / "rttm" / f"{name}{SPEAKER}.rttm")
    if content.transcript is not None:
        formats.get("challenge-tsv").write(content.transcript, folder / "GT" / f"{name}.txt")
        audio_of(content, options, folder / "Audio" / name)
    if content.turns is not None or content.transcript is None:
        audio_of(content, options, folder / "data" / "wav" / name)


def tables(contents: Sequence[Content], folder: Path) -> None:
    """Write the topics and the summaries of recordings as the challenge does, where there are any."""
    topics = [content.topics for content in contents if content.topics is not None]
    if topics:
        _table(topics, folder / TOPICS, "topics")
    summaries = [content.summary for content in contents if content.summary is not None]
    if summaries:
        _table(summaries, folder / SUMMARIES, "summary")


def _table(items: Sequence[object], path: Path, value: str) -> None:
    """The challenge's own header is all that its tables differ in."""
    form = "summary-csv" if isinstance(items[0], Summary) else "topics-csv"
    formats.get(form).write(items, path)
    write_atomic(path, read_text(path).replace(f"rec_id,{value}\n", f"rec_id,gt_{value}\n", 1))


EXPORTER = Exporter(
    name="displace-m",
    title="DISPLACE-M development data: a folder a language with data/wav, data/rttm, Audio and GT",
    write=write,
    holds=frozenset(HOLDS | TABLE | {"turn.channel", "turn.confidence"}),
    audio=("link", "copy", "none"),
    loses="Second forms, scored regions, splits, metadata, and what is known of speakers but their roles.",
)
