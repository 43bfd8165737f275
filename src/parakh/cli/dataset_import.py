"""``parakh dataset import``: a source into a data set, with progress, and what became of it."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.text import Text

from parakh.cli.progress import bar
from parakh.cli.tables import console
from parakh.dataset import importing, sound
from parakh.errors import Fault, InputError, counted, printable
from parakh.languages.tags import check_language
from parakh.text.masking import masked

_SHOWN = 3


def import_source(
    source: Path,
    folder: Path,
    kind: str | None,
    audio: str | None,
    split: str | None,
    language: str | None,
    suffixes: tuple[str, ...],
    *,
    skip_faulty: bool,
) -> int:
    """Import, and print what was imported, left out and changed.

    Returns:
        1 when something was left out, else 0.
    """
    if audio is not None and audio not in sound.MODES:
        raise InputError(Fault("--audio", "", repr(audio), f"one of {', '.join(sound.MODES)}"))
    if split is not None and (not split.strip() or split != split.strip()):
        raise InputError(Fault("--split", "", repr(split), "a name without blanks around it"))
    importer = importing.get(kind) if kind else importing.guess(source)
    options = importing.Options(
        check_language(language) if language else None,
        split,
        suffixes,
        audio or ("none" if importer.embedded else "link"),
    )
    request = importing.Request(source, folder, importer.name, options, skip_faulty)
    outcome = _with_progress(request)
    _print(outcome, folder)
    return int(bool(outcome.left_out))


def _with_progress(request: importing.Request) -> importing.Outcome:
    try:
        with bar("reading recordings") as progress:
            return importing.run(request, progress) if progress else importing.run(request)
    except KeyboardInterrupt:
        print(f"interrupted: run the same command again to go on; nothing is in {request.folder} yet", file=sys.stderr)
        sys.exit(130)


def _print(outcome: importing.Outcome, folder: Path) -> None:
    screen = console()
    resumed = f" ({outcome.resumed} of them read before the stop)" if outcome.resumed else ""
    screen.print(Text(f"{folder}: {counted(len(outcome.imported), 'recording')} imported as {outcome.kind}{resumed}"))
    for faults in outcome.left_out.values():
        for fault in faults:
            screen.print(Text(masked(fault), style="red"), soft_wrap=True)
    codes: dict[str, list[str]] = {}
    for note in outcome.notes:
        codes.setdefault(note.code, []).append(masked(printable(str(note))))
    for code, own in codes.items():
        for line in own[:_SHOWN]:
            screen.print(Text(line, style="yellow"), soft_wrap=True)
        if len(own) > _SHOWN:
            screen.print(Text(f"... and {len(own) - _SHOWN} more {code}: {outcome.report}", style="yellow"), soft_wrap=True)
    left = len([name for name in outcome.left_out if name])
    if left:
        screen.print(Text(f"{counted(left, 'recording')} left out: {outcome.report}", style="red"), soft_wrap=True)
