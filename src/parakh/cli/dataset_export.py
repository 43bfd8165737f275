"""``parakh dataset export``: a data set in another layout, and what of it was lost."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from parakh.cli.tables import console
from parakh.dataset import exporting
from parakh.errors import counted


def export_dataset(folder: Path, out: Path, kind: str, split: str | None, audio: str | None, *, overwrite: bool) -> None:
    """Export, and print how much, and what the layout does not hold."""
    outcome = exporting.run(exporting.Request(folder, out, kind, split, audio, overwrite))
    screen = console()
    screen.print(Text(f"{out}: {counted(outcome.recordings, 'recording')} exported as {kind}"), soft_wrap=True)
    for loss in outcome.losses:
        screen.print(Text(f"lost: {loss}", style="yellow"), soft_wrap=True)
