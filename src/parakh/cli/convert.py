"""``parakh convert``: files of one format into another, with what was lost on the way."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from parakh.cli.settings import check_output
from parakh.conversion import Conversion, convert, told
from parakh.errors import Fault, InputError, counted
from parakh.text.masking import masked


def run(
    paths: Sequence[str],
    *,
    source: str | None,
    target: str | None,
    strip_suffixes: Sequence[str],
    speaker: str | None,
    strict: bool,
) -> None:
    """Convert all paths but the last into the last, and say on standard error what was written and what was lost.

    Raises:
        InputError: Fewer than two paths, the output is one of the inputs, or what ``conversion.convert`` refuses.
    """
    *inputs, out = paths
    if not inputs:
        raise InputError(Fault("convert", "", f"only {out!r}", "what to convert and where to, as in: convert a.rttm a.stm"))
    if out != "-":
        check_output("OUT", out, inputs)
    done = convert(inputs, out, source=source, target=target, strip_suffixes=strip_suffixes, speaker=speaker, strict=strict)
    print(_summary(done), file=sys.stderr)


def _summary(done: Conversion) -> str:
    item = done.to.item
    lines = [masked(str(finding)) for finding in done.findings]
    where = str(done.files[0]) if len(done.files) == 1 else f"{len(done.files)} files in {done.files[0].parent}"
    lines.append(f"{where}: {counted(done.items, 'item')} of {counted(done.sessions, 'recording')} as {done.to.name}")
    lines += [f"{change.kind}: {told(change, item)}" for change in done.changes]
    return "\n".join(lines)
