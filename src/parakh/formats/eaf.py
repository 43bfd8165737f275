"""ELAN annotations (.eaf): tiers of annotations with times in milliseconds, as XML.

A tier's PARTICIPANT is the speaker, else its TIER_ID; where several tiers have one participant, ``channel`` says which tier.
The ANNOTATION_ID is the segment id, the file's name the session id.

Times: an annotation has two time slots. Slots without a value share the time between their neighbours with a value evenly,
along the chain of annotations of their tier, as ELAN shows them. An annotation that refers to a parent (symbolic association
or subdivision) has no slots: the annotations of one tier with one parent share the parent's time evenly, in the order of
PREVIOUS_ANNOTATION, so that a single one gets all of it. TIME_ORIGIN of a media file is how much of it ELAN leaves out at its
start; it is added, so that times count from the start of the audio.

Text on dependent tiers (translations, glosses, words) is read like any other and told by a finding: take out what is no
speech before scoring.

Read here with the standard library's expat; a file with a document type is refused, so that there are no entities to expand and
nothing outside is fetched. pympi (MIT), which reads the same (tests/crosscheck), gives no lines, ignores TIME_ORIGIN, leaves
such slots without time, and uses an XML parser that expands entities.
Source: ELAN Annotation Format, EAF 3.0, Max Planck Institute for Psycholinguistics.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._eaf_document import Annotation, Document, Tier, parse
from parakh.formats._text import Reader, Writer, milliseconds, shown
from parakh.formats._tiers import check_overlap
from parakh.formats._whole import check_sessions, session_of
from parakh.types import Loaded, Segment

_ENDING = ".eaf"
_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SCHEMA = (
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd"'
)
_Span = tuple[float, float]


def read(path: Path) -> Loaded[Segment]:
    """Read the annotations of an ELAN file.

    Args:
        path: The file; its name without ``.eaf`` is the session id.

    Returns:
        One Segment an annotation, tier by tier as in the file, with ``lines`` those of the annotations; findings
        ``dependent-tier``, ``interpolated-time``, ``time-origin``, ``zero-duration``.

    Raises:
        InputError: All its faults, or the first that leaves no XML to read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Segment("v1", "ASHA worker", 0.5, 2.0, words="नमस्ते दीदी")], Path(folder) / "v1.eaf")
    ...     read(Path(folder) / "v1.eaf").items[0].speaker
    'ASHA worker'
    """
    reader = Reader(path)
    reader.names(None, {"the file's name": path.name})
    document = parse(reader)
    spans = _spans(reader, document)
    session = session_of(path, _ENDING)
    participants = [tier.participant or tier.id for tier in document.tiers]
    origin, origin_line = document.origin
    if origin:
        what = f"ELAN leaves out the first {origin / 1000} s of the audio; the times are moved so that they count from its start"
        reader.notice("time-origin", origin_line, what)
    segments: list[Segment] = []
    lines: list[int] = []
    for tier, speaker in zip(document.tiers, participants, strict=True):
        channel = tier.id if participants.count(speaker) > 1 else None
        for one in tier.annotations:
            if tier.parent:
                reader.notice(
                    "dependent-tier", one.line, "the tier depends on another one; its text is read as speech of its own"
                )
            start, end = spans.get(one.id, (0.0, 0.0))
            if start + origin < 0:
                reader.fault(one.line, "TIME_SLOT_REF1", f"{start:g}", f"milliseconds >= {-origin}, where the audio starts")
            times = (start + origin) / 1000, (end + origin) / 1000
            segments.append(Segment(session, speaker, *times, one.text, segment_id=one.id, channel=channel))
            lines.append(one.line)
    return reader.loaded(segments, lines)


def _spans(reader: Reader, document: Document) -> dict[str, _Span]:
    """Start and end of every annotation in milliseconds, by its id; notes a fault for each that has none."""
    spans: dict[str, _Span] = {}
    children: dict[str, list[list[Annotation]]] = {}
    for tier in document.tiers:
        _align(reader, document, tier, spans)
        groups: dict[str, list[Annotation]] = {}
        for one in tier.annotations:
            if one.slots is None:
                groups.setdefault(one.parent, []).append(one)
        for parent, group in groups.items():
            children.setdefault(parent, []).append(_in_order(reader, group))
    reached = [parent for parent in children if parent in spans]
    for parent in reached:  # grows while it is walked: parents before their children
        start, end = spans[parent]
        for group in children.pop(parent, []):
            share = (end - start) / len(group)
            for place, one in enumerate(group):
                last = end if place == len(group) - 1 else start + share * (place + 1)
                spans[one.id] = start + share * place, last
                reached += [one.id] if one.id in children else []
    _check(reader, document, spans)
    return spans


def _align(reader: Reader, document: Document, tier: Tier, spans: dict[str, _Span]) -> None:
    """Times of the annotations of a tier that have slots; those of a chain without values share what is between."""
    from_slot: dict[str, Annotation] = {one.slots[0]: one for one in tier.annotations if one.slots}
    for one in tier.annotations:
        for slot in one.slots or ():
            if slot and slot not in document.slots:
                reader.fault(one.line, "TIME_SLOT_REF", shown(slot), "a TIME_SLOT of the file")
        start = document.slots.get(one.slots[0]) if one.slots else None
        if start is None or one.slots is None:
            continue
        chain = [one]
        while (last := chain[-1].slots) and document.slots.get(last[1]) is None and len(chain) <= len(from_slot):
            following = from_slot.get(last[1])
            if following is None:
                break
            chain.append(following)
        end = document.slots.get(last[1]) if last else None
        if end is None:
            continue
        for place, link in enumerate(chain):
            spans[link.id] = (
                start + (end - start) * place / len(chain),
                start + (end - start) * (place + 1) / len(chain),
            )
            if len(chain) > 1:
                what = "a time slot has no value; the annotations between two that have share the time evenly"
                reader.notice("interpolated-time", link.line, what)


def _in_order(reader: Reader, group: list[Annotation]) -> list[Annotation]:
    """The annotations of one parent, each after the one that it names as previous, else as in the file."""
    following: dict[str, list[Annotation]] = {}
    for one in group:
        following.setdefault(one.previous, []).append(one)
    known = {one.id for one in group}
    ordered = [one for one in group if one.previous not in known]
    for place, one in enumerate(ordered):  # grows while it is walked
        ordered[place + 1 : place + 1] = following.pop(one.id, [])
    if len(ordered) < len(group):
        one = next(one for one in group if one not in ordered)
        reader.fault(one.line, "PREVIOUS_ANNOTATION", shown(one.previous), "an order without a circle")
        return group
    return ordered


def _check(reader: Reader, document: Document, spans: dict[str, _Span]) -> None:
    for tier in document.tiers:
        for one in tier.annotations:
            span = spans.get(one.id)
            if span is None and one.slots is not None:
                expected = "time slots with a value, or between such along the tier"
                reader.fault(one.line, "TIME_SLOT_REF", shown(" ".join(one.slots)), expected, "Align it in ELAN.")
            elif span is None:
                reader.fault(one.line, "ANNOTATION_REF", shown(one.parent), "an annotation that has times")
            elif span[1] < span[0]:
                expected = f"milliseconds >= the start ({span[0]:g})"
                reader.fault(one.line, "TIME_SLOT_REF2", f"{span[1]:g}", expected, "Swap or mend the times.")
            elif span[1] == span[0]:
                reader.zero_duration(one.line)


def write(items: Sequence[Segment], path: Path) -> None:
    """Write one recording, a tier for each speaker (and channel) in order of first appearance.

    Args:
        items: Segments of one recording with speaker and times, which are rounded to milliseconds.
        path: Where to; the name has to say the session id.

    Raises:
        InputError: A segment has no speaker, or overlaps another one of its tier, or XML cannot hold its text.
    """
    writer = Writer(path)
    check_sessions(writer, items, path, _ENDING)
    tiers: dict[tuple[str, str | None], list[tuple[int, Segment]]] = {}
    for entry, item in enumerate(items, 1):
        _check_item(writer, entry, item)
        tiers.setdefault((item.speaker or "", item.channel), []).append((entry, item))
    for tier in tiers.values():
        tier.sort(key=lambda one: one[1].start_time or 0.0)
        check_overlap(writer, tier, milliseconds)
    writer.check()
    write_atomic(path, _text(_tier_names(list(tiers)), [[item for _, item in tier] for tier in tiers.values()]))


def _check_item(writer: Writer, entry: int, item: Segment) -> None:
    writer.span(entry, item.start_time, item.end_time)
    if milliseconds(item.start_time) == milliseconds(item.end_time):
        writer.fault(
            entry, "end_time", repr(item.end_time), "an end a millisecond after the start", "ELAN holds no shorter turn."
        )
    if not item.speaker or item.speaker != item.speaker.strip():
        writer.fault(entry, "speaker", shown(item.speaker), "a name without blanks around it", "Name the speaker.")
    for name, value in (("speaker", item.speaker), ("channel", item.channel), ("segment_id", item.segment_id)):
        writer.names(entry, {name: value})
        if value and _NOT_XML.search(value):
            writer.fault(entry, name, shown(value), "signs that XML can hold", "Rename it.")
    if _NOT_XML.search(item.words):
        writer.fault(entry, "words", shown(item.words), "signs that XML can hold", "Take out control characters.")


def _tier_names(keys: list[tuple[str, str | None]]) -> list[tuple[str, str]]:
    """TIER_ID and PARTICIPANT of tiers by speaker and channel: the speaker's name alone where that is enough."""
    speakers = [speaker for speaker, _ in keys]
    taken = {speaker for speaker in speakers if speakers.count(speaker) == 1}
    names: list[tuple[str, str]] = []
    for speaker, channel in keys:
        name = speaker if speakers.count(speaker) == 1 else channel or speaker
        while speakers.count(speaker) > 1 and name in taken:
            name = f"{speaker} {name}"
        taken.add(name)
        names.append((name, speaker))
    return names


def _text(names: list[tuple[str, str]], tiers: list[list[Segment]]) -> str:
    items = [item for tier in tiers for item in tier]
    ends = sorted((time, place, side) for place, item in enumerate(items) for side, time in _sides(item))
    slots = {(place, side): f"ts{number}" for number, (_, place, side) in enumerate(ends, 1)}
    ids = _annotation_ids(items)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        # The date is required; a fixed one makes the same segments the same file.
        f'<ANNOTATION_DOCUMENT AUTHOR="" DATE="1970-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0" {_SCHEMA}>',
        '    <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>',
        "    <TIME_ORDER>",
        *(f'        <TIME_SLOT TIME_SLOT_ID="ts{number}" TIME_VALUE="{time}"/>' for number, (time, _, _) in enumerate(ends, 1)),
        "    </TIME_ORDER>",
    ]
    place = 0
    for (name, speaker), tier in zip(names, tiers, strict=True):
        attributes = f'LINGUISTIC_TYPE_REF="default-lt" PARTICIPANT="{_xml(speaker)}" TIER_ID="{_xml(name)}"'
        lines.append(f"    <TIER {attributes}>")
        for item in tier:
            refs = f'TIME_SLOT_REF1="{slots[place, 0]}" TIME_SLOT_REF2="{slots[place, 1]}"'
            lines += [
                "        <ANNOTATION>",
                f'            <ALIGNABLE_ANNOTATION ANNOTATION_ID="{ids[place]}" {refs}>',
                f"                <ANNOTATION_VALUE>{_xml(item.words)}</ANNOTATION_VALUE>",
                "            </ALIGNABLE_ANNOTATION>",
                "        </ANNOTATION>",
            ]
            place += 1
        lines.append("    </TIER>")
    kind = '<LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>'
    return "\n".join([*lines, f"    {kind}", "</ANNOTATION_DOCUMENT>", ""])


def _sides(item: Segment) -> list[tuple[int, int]]:
    return [(0, milliseconds(item.start_time)), (1, milliseconds(item.end_time))]


def _annotation_ids(items: list[Segment]) -> list[str]:
    """The segment ids where they can be ids of XML and none comes twice, else made up ones."""
    own = Counter(item.segment_id for item in items if item.segment_id and _ID.fullmatch(item.segment_id))
    kept = {name for name, count in own.items() if count == 1}
    ids: list[str] = []
    for number, item in enumerate(items, 1):
        name = item.segment_id if item.segment_id in kept else f"a{number}"
        while name != item.segment_id and name in kept:
            name = f"a{name}"
        ids.append(name or "")
    return ids


def _xml(text: str) -> str:
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\r", "&#13;")):
        text = text.replace(sign, entity)
    return text


def _sniff(head: str, path: Path) -> bool:
    return head.lstrip().startswith("<") and "<ANNOTATION_DOCUMENT" in head


FORMAT = Format(
    name="eaf",
    title="ELAN annotations: tiers of texts with times, as XML",
    item=Segment,
    suffixes=(_ENDING,),
    sniff=_sniff,
    read=read,
    write=write,
    loses="How tiers depend on each other, their order (segments come back tier by tier), fractions of a millisecond "
    "(times are rounded), role, language, segment ids that XML cannot hold, a channel that tells no tiers apart, "
    "confidence and further forms.",
    ending=_ENDING,
)
