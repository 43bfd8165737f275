"""What may stand in a manifest: one rule for the reader, the writer and the published schema."""

from __future__ import annotations

import re

from parakh.types import Entry, Speaker

RECORDINGS = "recordings.jsonl"
METADATA = "metadata.csv"
KINDS = ("rttm", "transcript", "native", "topics", "summary", "uem")
"""Kinds of annotation files, in the order in which they are listed."""
FILED = ("audio", "duration", "split", "files", "sha256")
"""Fields that only ``recordings.jsonl`` has."""
SPEAKER_FIELDS = ("person", "role", "age", "sex", "language", "dialect", "consent")
RESERVED = {"session_id", "speaker", "language", *FILED}
"""Names that no field of the metadata of a recording can have."""
TEXT = "text without control characters, and without blanks around it"
PATH = "a path inside the folder of the data set, relative to it"
SHA256 = "64 hexadecimal digits in lower case"
SEVERAL = ";"
"""What separates the tags of a recording."""

_NOT_TEXT = re.compile(r"^\s|\s$|[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_LEAVES = re.compile(r"^/|(^|/)\.\.(/|$)")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def is_text(value: object, *, empty: bool = False) -> bool:
    r"""Whether a value can be a text of the manifest.

    >>> is_text("PHC, ward 2"), is_text(" PHC"), is_text("a\nb"), is_text("")
    (True, False, False, False)
    """
    return isinstance(value, str) and (empty or value != "") and not _NOT_TEXT.search(value)


def is_inside(value: object) -> bool:
    """Whether a value is a path that stays inside the folder that it is relative to.

    >>> is_inside("rttm/v1.rttm"), is_inside("../v1.rttm"), is_inside("/etc/hosts")
    (True, False, False)
    """
    return is_text(value) and not _LEAVES.search(str(value))


def is_sha256(value: object) -> bool:
    """Whether a value is a checksum as the manifest writes it."""
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def speaker_values(speaker: Speaker) -> dict[str, str]:
    """The fields of a speaker that are known, by name.

    >>> speaker_values(Speaker("v1", "spk0", sex="f", metadata={"village": "A"}))
    {'sex': 'f', 'village': 'A'}
    """
    own = {name: getattr(speaker, name) for name in SPEAKER_FIELDS}
    return {**{name: value for name, value in own.items() if value is not None}, **speaker.metadata}


def field_value(entry: Entry, field: str) -> str | None:
    """What is known of a recording under a name: its own value, else the values of its speakers, joined by "+".

    Args:
        entry: The recording.
        field: "language", "split" or any field of the metadata.

    Returns:
        The value; None if nothing is known.

    >>> from parakh.types import Recording
    >>> pair = (Speaker("v1", "a", sex="f"), Speaker("v1", "b", sex="m"))
    >>> entry = Entry(Recording("v1", metadata={"place": "home"}), speakers=pair)
    >>> field_value(entry, "place"), field_value(entry, "sex"), field_value(entry, "district")
    ('home', 'f+m', None)
    """
    own = {"language": entry.recording.language, "split": entry.split}.get(field) or entry.recording.metadata.get(field)
    if own is not None:
        return own
    spoken = sorted({values[field] for one in entry.speakers if field in (values := speaker_values(one))})
    return "+".join(spoken) or None


def tags(entry: Entry) -> list[str]:
    """The topical tags of a recording.

    >>> from parakh.types import Recording
    >>> tags(Entry(Recording("v1", metadata={"tags": "fever; cough"})))
    ['fever', 'cough']
    """
    return [tag.strip() for tag in entry.recording.metadata.get("tags", "").split(SEVERAL) if tag.strip()]
