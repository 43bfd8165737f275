"""Plain text: the whole transcript of one recording, keyed by the file's name.

The baselines of the DISPLACE-M challenge write ``<id>_fullaudio_transcription.txt``; any other ``<id>.txt`` is read so
when asked for by name. The text is unchanged but for the last line end.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.formats import Format
from parakh.formats._text import Writer
from parakh.formats._whole import read_whole, session_of, write_whole
from parakh.types import Loaded, Segment

_ENDING = "_fullaudio_transcription.txt"


def read(path: Path) -> Loaded[Segment]:
    """Read one recording's transcript.

    Args:
        path: The file; its name without ``_fullaudio_transcription.txt`` or ``.txt`` is the session id.

    Returns:
        One Segment with neither times nor speaker.

    Raises:
        InputError: The file cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1_fullaudio_transcription.txt"
    ...     write([Segment("v1", words="नमस्ते दीदी")], path)
    ...     read(path).items
    (Segment(session_id='v1', speaker=None, start_time=None, end_time=None, words='नमस्ते दीदी', role=None, language=None, \
segment_id=None, channel=None, confidence=None, forms=(), word_times=()),)
    """
    reader, text = read_whole(path)
    return reader.loaded([Segment(session_of(path, _ENDING), words=text)])


def write(items: Sequence[Segment], path: Path) -> None:
    """Write one recording's transcript.

    Args:
        items: Exactly one Segment.
        path: Where to; the name has to say the session id.

    Raises:
        InputError: There is not exactly one item, or the name does not say its session id.
    """
    write_whole(Writer(path), items, items[0].words if items else "", path, _ENDING)


def _sniff(head: str, path: Path) -> bool:
    return path.name.lower().endswith(_ENDING)


FORMAT = Format(
    name="plain-text",
    title="Plain text: the whole transcript of one recording",
    item=Segment,
    suffixes=(_ENDING, ".txt"),
    sniff=_sniff,
    read=read,
    write=write,
    loses="The speaker, times, role, language, segment ids, channel, confidence and further forms.",
    ending=_ENDING,
)
