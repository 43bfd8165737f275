"""Label Studio JSON: exported audio tasks, the labels and texts of a region as separate results.

A list of tasks; each has ``data`` and ``annotations``, and an annotation has results. Results with one region id are one
segment: ``labels`` give the speaker, a ``textarea`` the words, either the times; a ``textarea`` without times is the whole
recording's text. The session id is ``session_id`` in ``data``, else the name of the audio file there without its ending
(and without the eight signs and hyphen that Label Studio puts before the name of an uploaded file).

One annotation a task: of several, the one marked as ground truth, else the task is refused, as joining them would count all
speech twice. Cancelled annotations and predictions are left out, with a finding, as are results of other controls. Of several
text controls ``transcription`` is read, else the first. The short export (JSON-MIN) has lost the region ids and is not read.

Written as tasks to import: controls called ``labels`` and ``transcription`` on an ``audio`` object, the audio given as
``<session id>.wav`` beside the session id, to be made a place from which Label Studio is able to load it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

from parakh.errors import counted
from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._json import name_of, parse, text_of, time_of, valid
from parakh.formats._shape import shape
from parakh.formats._text import Reader, Writer, shown
from parakh.types import Loaded, Segment, Severity

_TEXT = "transcription"
_AUDIO = re.compile(r".*\.(wav|flac|mp3|ogg|oga|opus|m4a|aac|webm|mp4|wma)", re.IGNORECASE)
_UPLOADED = re.compile(r"[0-9a-f]{8}-(.+)")
_Object = Mapping[str, object]


def read(path: Path) -> Loaded[Segment]:
    """Read the segments of exported audio tasks.

    Args:
        path: The file.

    Returns:
        One Segment a region, task by task, with the number of its task as its line; findings ``several-labels``,
        ``several-texts``, ``other-texts``, ``other-results``, ``predictions``, ``cancelled-annotation``,
        ``unannotated-task``, ``zero-duration``.

    Raises:
        InputError: All its faults; task numbers (from 1) stand in for lines.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Segment("v1", "asha", 0.5, 2.0, words="नमस्ते")], Path(folder) / "v1.json")
    ...     read(Path(folder) / "v1.json").items[0].words
    'नमस्ते'
    """
    reader = Reader(path)
    tasks = parse(reader, None, reader.text)
    if not isinstance(tasks, list):
        reader.fail(None, "", shown(tasks), "a JSON list of tasks", "Export the project as JSON.")
    if any(_is_short(task) for task in tasks):
        found = "the short export (JSON-MIN), which does not say which text belongs to which label"
        reader.fail(None, "", found, "the full export", "Export the project as JSON.")
    segments: list[Segment] = []
    lines: list[int] = []
    for entry, task in enumerate(tasks, 1):
        if not isinstance(task, dict):
            reader.fault(entry, "", shown(task), "a task as a JSON object", "Export the project as JSON.")
            continue
        own = _segments(reader, entry, _session(reader, entry, task), _results(reader, entry, task))
        segments += own
        lines += [entry] * len(own)
    return reader.loaded(segments, lines)


def _is_short(task: object) -> bool:
    return isinstance(task, dict) and {"annotation_id", "annotator"} <= task.keys() and "annotations" not in task


def _session(reader: Reader, entry: int, task: _Object) -> str:
    data = task.get("data")
    if not isinstance(data, dict):
        reader.fault(entry, "data", shown(data), "a JSON object with session_id or the place of the audio")
        return ""
    named = name_of(reader, entry, data, "session_id")
    if named:
        return named
    stems = {stem: key for key, value in data.items() if isinstance(value, str) and (stem := _stem(value))}
    if len(stems) != 1:
        found = ", ".join(stems) or shown(data)
        reader.fault(
            entry, "data", found, "the place of one audio file, or session_id", "Add session_id to the data of the task."
        )
        return ""
    stem, key = next(iter(stems.items()))
    reader.names(entry, {f"data.{key}": stem})
    return valid(reader, entry, f"data.{key}", stem)


def _stem(place: str) -> str:
    """The name of an audio file without its ending; "" for what is none."""
    inner = place.partition("?d=")[2] or place.partition("?")[0]
    name = unquote(inner).replace("\\", "/").rpartition("/")[2]
    if not _AUDIO.fullmatch(name):
        return ""
    uploaded = _UPLOADED.fullmatch(name) if "upload/" in place else None
    return (uploaded[1] if uploaded else name).rpartition(".")[0]


def _results(reader: Reader, entry: int, task: _Object) -> list[_Object]:
    """The results of the one annotation of a task that counts."""
    given = task.get("annotations")
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        reader.fault(entry, "annotations", shown(given), "a list of annotations", "Export the project as JSON.")
        return []
    live = [one for one in given if not one.get("was_cancelled")]
    truth = [one for one in live if one.get("ground_truth")]
    chosen = truth if len(truth) == 1 else live
    if len(live) < len(given):
        reader.notice("cancelled-annotation", entry, "a cancelled annotation is left out", Severity.NOTE)
    if task.get("predictions"):
        reader.notice("predictions", entry, "predictions are left out", Severity.NOTE)
    if not chosen:
        reader.notice("unannotated-task", entry, "a task without annotation")
        return []
    if len(chosen) > 1:
        expected = "one annotation, or one of them marked as ground truth"
        reader.fault(entry, "annotations", counted(len(chosen), "annotation"), expected, "Keep one, or mark it.")
    results = chosen[0].get("result")
    if not isinstance(results, list) or not all(isinstance(one, dict) for one in results):
        reader.fault(entry, "result", shown(results), "a list of results")
        return []
    return results


def _segments(reader: Reader, entry: int, session: str, results: Sequence[_Object]) -> list[Segment]:
    found: list[tuple[str | int, object, _Object]] = []
    for place, result in enumerate(results):
        value = result.get("value")
        if not isinstance(value, dict) or not {"labels", "text"} & value.keys():
            what = "the result of a control that is neither labels nor a text of a region is left out"
            reader.notice("other-results", entry, what, Severity.NOTE)
        elif {"labels", "text"} <= value.keys():
            reader.fault(entry, "value", "labels on a text", "labels on an audio", "Export an audio project.")
        else:
            found.append((name_of(reader, entry, result, "id") or place, result.get("from_name"), value))
    controls = [name for _, name, value in found if "text" in value]
    control = _TEXT if _TEXT in controls else next(iter(controls), None)
    regions: dict[str | int, list[_Object]] = {}
    for region, name, value in found:
        if "labels" in value or name == control:
            regions.setdefault(region, []).append(value)
        else:
            reader.notice("other-texts", entry, f"a text of another control than {shown(control)} is left out")
    return [_segment(reader, entry, session, region, values) for region, values in regions.items()]


def _segment(reader: Reader, entry: int, session: str, region: str | int, values: Sequence[_Object]) -> Segment:
    start, end = _times(reader, entry, values)
    labels = [label for value in values for label in _listed(value.get("labels"))]
    texts = [text_of(reader, entry, {"text": text}, "text") for value in values for text in _listed(value.get("text"))]
    if len(labels) > 1:
        reader.notice("several-labels", entry, "a region with several labels; the first is read as the speaker")
    if len(texts) > 1:
        reader.notice("several-texts", entry, "several texts of one region are joined by line ends")
    speaker = name_of(reader, entry, {"labels": labels[0]}, "labels") if labels else None
    channel = next((name_of(reader, entry, value, "channel") for value in values if value.get("channel") is not None), None)
    own = region if isinstance(region, str) else None
    return Segment(session, speaker, start, end, "\n".join(texts), segment_id=own, channel=channel)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _times(reader: Reader, entry: int, values: Sequence[_Object]) -> tuple[float | None, float | None]:
    """Start and end of a region: the same in all its results that have any."""
    spans = {(time_of(reader, entry, value, "start"), time_of(reader, entry, value, "end")) for value in values}
    spans = spans - {(None, None)} or spans
    start, end = next(iter(spans))
    if len(spans) > 1 or (start is None) != (end is None):
        times = " and ".join(sorted(f"{first} to {last}" for first, last in spans))
        reader.fault(entry, "value", f"times from {times}", "one start and one end for each region")
    elif start is None and any("labels" in value for value in values):
        reader.fault(entry, "value", "labels without times", "start and end", "Label regions of the audio.")
    elif start is not None and end is not None and end <= start:
        if end < start:
            reader.fault(entry, "end", repr(end), f"seconds >= start ({start})", "Swap or mend the times.")
        reader.zero_duration(entry)
    return start, end


def write(items: Sequence[Segment], path: Path) -> None:
    """Write a task with one annotation for each recording, to import.

    Args:
        items: Segments; those without times are the text of their whole recording and have no speaker.
        path: Where to.

    Raises:
        InputError: A segment has no session id, times that are not 0 <= start <= end, or a speaker and no times.
    """
    writer = Writer(path)
    sessions: dict[str, list[Segment]] = {}
    for entry, item in enumerate(items, 1):
        _check(writer, entry, item)
        sessions.setdefault(item.session_id, []).append(item)
    writer.check()
    tasks = [
        {
            "data": {"session_id": session, "audio": f"{session}.wav"},
            "annotations": [{"result": [one for region in _regions(own) for one in region]}],
        }
        for session, own in sessions.items()
    ]
    write_atomic(path, json.dumps(tasks, ensure_ascii=False, indent=2) + "\n")


def _check(writer: Writer, entry: int, item: Segment) -> None:
    writer.names(entry, {"session_id": item.session_id, "speaker": item.speaker, "segment_id": item.segment_id})
    if not item.session_id:
        writer.fault(entry, "session_id", "nothing", "the id of the recording")
    if item.speaker == "":
        writer.fault(entry, "speaker", "''", "a name, or None", "Name the speaker.")
    if item.start_time is not None or item.end_time is not None:
        writer.span(entry, item.start_time, item.end_time)
    elif item.speaker is not None:
        writer.fault(entry, "start_time", "no time", "start_time and end_time of a speaker's turn")


def _regions(items: Sequence[Segment]) -> list[list[_Object]]:
    """The results of each segment of a task, under its segment id where no other has it."""
    taken = Counter(item.segment_id for item in items)
    regions = []
    for number, item in enumerate(items, 1):
        name = item.segment_id if item.segment_id and taken[item.segment_id] == 1 else f"region{number}"
        while name != item.segment_id and name in taken:
            name = f"{name}_"
        regions.append(_region(name, item))
    return regions


def _region(name: str, item: Segment) -> list[_Object]:
    place: dict[str, object] = {}
    if item.start_time is not None and item.end_time is not None:
        place = {"start": float(item.start_time), "end": float(item.end_time)}
    if item.channel and item.channel.isascii() and item.channel.isdigit() and str(int(item.channel)) == item.channel:
        place["channel"] = int(item.channel)
    results: list[_Object] = []
    if item.speaker is not None:
        value = {**place, "labels": [item.speaker]}
        results.append({"id": name, "from_name": "labels", "to_name": "audio", "type": "labels", "value": value})
    if item.words or item.speaker is None:
        value = {**place, "text": [item.words]}
        results.append({"id": name, "from_name": _TEXT, "to_name": "audio", "type": "textarea", "value": value})
    return results


def _sniff(head: str, path: Path) -> bool:
    is_full = '"annotations"' in head and ('"data"' in head or '"result"' in head)
    return head.lstrip().startswith("[") and (is_full or shape(head).has("[].annotation_id", "[].annotator"))


FORMAT = Format(
    name="label-studio",
    title="Label Studio JSON: regions of audio with labels and texts",
    item=Segment,
    suffixes=(".label-studio.json",),
    sniff=_sniff,
    read=read,
    write=write,
    loses="Results other than labels and texts, the order (recordings come back one by one), role, language, a segment "
    "id that comes twice, a channel that is no number, confidence and further forms.",
)
