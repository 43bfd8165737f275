"""What to say when the format of a file is not sure: which ones are possible, and how to say the right one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from parakh.errors import Fault, counted
from parakh.formats._format import Format
from parakh.formats._response import error_in_head, job_in_head, quoted
from parakh.formats._shape import shape
from parakh.formats._text import SAY_WHICH, shown
from parakh.formats._whole import session_of
from parakh.formats.keyed_text import repeated_id
from parakh.types import Finding, Segment, Severity, Summary, Topics

_CUT_BELOW = 65_000
"""A head of fewer bytes is the whole file."""
_SCORED = (Segment, Topics, Summary)


def say_which(item: type | None) -> str:
    """How to say the format of files of these items; "" where there is no way to.

    >>> say_which(Topics)
    'Say which with --reference-format or --hypothesis-format.'
    """
    return SAY_WHICH if item is None or item in _SCORED else ""


def undecided(path: Path, head: str, item: type | None, fitting: Sequence[Format], tried: Sequence[Format]) -> Fault:
    """The fault of a file whose format cannot be told.

    Args:
        path: The file.
        head: Its first 64 KiB.
        item: What was to be read; None for anything.
        fitting: The formats that its content or its suffix leaves open.
        tried: All that were considered.
    """
    error = error_in_head(head)
    if error is not None:
        return Fault(str(path), "", f"the error message {quoted(error)}", "a transcript", "Ask the service again.")
    state = job_in_head(head)
    if state is not None:
        return Fault(str(path), "", f"a job of a service ({quoted(state)})", "its transcript", "Fetch that once it is there.")
    if not shape(head).whole and len(head.encode()) < _CUT_BELOW:
        return Fault(str(path), "", "JSON that is cut off", "whole JSON", "Save or fetch it again.")
    repeated = repeated_id(head) if path.suffix.lower() in ("", ".txt", ".text") else None
    if repeated is not None and any(form.name == "keyed-text" for form in fitting or tried):
        key, first, second = repeated
        others = [form.name for form in fitting if form.name != "keyed-text"]
        expected = f"an id of its own (line {first} has the same), as in keyed text{_or(others)}"
        return Fault(
            str(path), "id", shown(key), expected, f"Mend the id if it is keyed text. {say_which(item)}".rstrip(), second
        )
    line = next((line for line in head.split("\n") if line.strip()), "")
    found = f"a first line {shown(line)}" if line else "an empty file"
    expected = f"one of the formats {', '.join(form.name for form in fitting or tried)}"
    told = any(form.sniff(head, path) for form in fitting)
    hint = "" if told or not line else "No format here reads it as it is: convert it, unless it is one of these. "
    return Fault(str(path), "", found, expected, f"{hint}{say_which(item)}".rstrip())


def _or(names: Sequence[str]) -> str:
    return f", or the format {' or '.join(names)}" if names else ""


def keyed_guesses(guessed: Mapping[Path, Sequence[Segment]], findings: list[Finding]) -> list[Fault]:
    """Plain transcripts look like keyed text, the first word as the id: a fault where that is likely, else a finding.

    Args:
        guessed: What was read from each file that nobody called keyed text but that looks like it.
        findings: Where a finding goes.

    Returns:
        One fault where several files are given and one of them is a single line without the file's name as its id.
    """
    lone = [file for file, items in guessed.items() if len(items) == 1 and items[0].session_id != session_of(file, ".txt")]
    if not lone:
        return _told([file for file, items in guessed.items() if len(guessed) > 1 or _begin_with_words(items)], guessed, findings)
    if len(guessed) == 1:
        return _told(lone, guessed, findings)
    word = shown(guessed[lone[0]][0].session_id)
    found = f"one line, which starts with {word}, as one of {len(guessed)} files"
    expected = f"keyed text (then {word} is the id of a recording) or plain-text (then the file's name is)"
    action = "Say --reference-format or --hypothesis-format keyed-text or plain-text."
    return [Fault(str(lone[0]), "", found, expected, action)]


def _begin_with_words(items: Sequence[Segment]) -> bool:
    """Whether an id may as well be the first word of a sentence: ids of recordings have a digit, a hyphen or an underscore."""
    return any(not any(sign.isdigit() or sign in "_-" for sign in one.session_id) for one in items)


def _told(files: Sequence[Path], guessed: Mapping[Path, Sequence[Segment]], findings: list[Finding]) -> list[Fault]:
    strange = [file for file in files if session_of(file, ".txt") not in {one.session_id for one in guessed[file]}]
    if strange:
        lines = counted(sum(len(guessed[file]) for file in strange), "line")
        example = shown(guessed[strange[0]][0].session_id)
        what = f"{lines} read as keyed text, the first word as the id ({example}); if there are no ids, say the format plain-text"
        findings.append(Finding("guessed-keyed-text", what, Severity.WARNING, path=str(strange[0])))
    return []
