"""The data card of a release: what is in it, how it was annotated and checked, and what is known to be wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import parakh
from parakh.dataset import manifest
from parakh.dataset.checking import Checked
from parakh.dataset.describing import describe
from parakh.dataset.manifest import Dataset
from parakh.dataset.sheets import markdown, sheets
from parakh.dataset.workflow import Status, Step
from parakh.errors import counted
from parakh.qc import STAGES
from parakh.types import Finding


def data_card(dataset: Dataset, checked: Checked, known: Sequence[Finding], steps: Sequence[Step], at: datetime) -> str:
    """The card in Markdown.

    Args:
        dataset: The data set, its entries with checksums.
        checked: What the checks found.
        known: Findings that stay: the baseline's.
        steps: The log of annotation.
        at: When it is released.

    Raises:
        InputError: A file of the data set cannot be read.
    """
    about = dataset.config
    by = ["split"] if any(entry.split for entry in dataset.entries) else []
    found = describe(dataset.folder, by)
    parts = [
        f"# {about.name} {about.version}",
        about.description.strip(),
        "\n".join(_facts(dataset, at)),
        "## What is in it",
        markdown(sheets(found)).strip(),
        "## How it was annotated",
        *_annotation(steps),
        "## How it was checked",
        *_checking(checked, known),
        "## Files",
        *_files(dataset),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def outside(dataset: Dataset) -> str:
    """What does not go along with the folder: audio that lies elsewhere, or is a link to elsewhere; "" for nothing."""
    root = dataset.folder.resolve()
    paths = [Path(one.recording.audio) for one in dataset.entries if one.recording.audio]
    count = sum(root not in path.resolve().parents for path in paths)
    return f"the audio of {counted(count, 'recording')} lies outside this folder, and has to be given along" if count else ""


def _facts(dataset: Dataset, at: datetime) -> Iterator[str]:
    entries, about = dataset.entries, dataset.config
    languages = Counter(entry.recording.language or "unknown" for entry in entries)
    consent = Counter(entry.recording.metadata.get("consent", "not stated") for entry in entries)
    yield f"- licence: {about.licence}"
    yield f"- released: {at:%Y-%m-%d}"
    yield f"- recordings: {len(entries)} ({', '.join(f'{count} {name}' for name, count in languages.most_common())})"
    yield f"- consent of the recordings: {', '.join(f'{count} {name}' for name, count in consent.most_common())}"
    if about.template:
        yield f"- template: {about.template}"


def _annotation(steps: Sequence[Step]) -> Iterator[str]:
    changes = [step for step in steps if step.status is not None]
    if not changes:
        yield "The data set keeps no log of annotation."
        return
    who = {step.by for step in changes if step.status in (Status.SEGMENTED, Status.TRANSCRIBED)}
    checkers = {step.by for step in changes if step.status and str(step.status).startswith("qc")}
    back = [step for step in changes if step.status is Status.REVISE]
    audits = sum(step.status is None for step in steps)
    first, last = min(step.time for step in changes), max(step.time for step in changes)
    yield (
        f"{counted(len(who), 'annotator')} and {counted(len(checkers), 'checker')}, from {first:%Y-%m-%d} to {last:%Y-%m-%d}; "
        f"{counted(len(changes), 'step')} in the log. {counted(len(back), 'recording')} sent back to be revised"
        f" ({len({step.session_id for step in back})} different); {counted(audits, 'recording')} drawn for spot audits."
    )


def _checking(checked: Checked, known: Sequence[Finding]) -> Iterator[str]:
    stages = Counter(check.stage for check in checked.checks)
    ran = "\n".join(f"- QC{stage}, {STAGES[stage]}: {counted(count, 'check')}" for stage, count in sorted(stages.items()))
    yield f"Parakh {parakh.__version__}, audio looked at: {checked.audio}.\n\n{ran}"
    if not known:
        yield "Nothing stays open."
        return
    titles = {check.code: check.title for check in checked.checks}
    codes = Counter(finding.code for finding in known)
    yield "Known, and left as it is:\n\n" + "\n".join(
        f"- {code} {titles.get(code, '')}: {count}" for code, count in sorted(codes.items())
    )


def _files(dataset: Dataset) -> Iterator[str]:
    kinds = Counter(kind for entry in dataset.entries for kind in entry.sha256)
    order = ("audio", *manifest.KINDS)
    counts = ", ".join(f"{kind} of {counted(kinds[kind], 'recording')}" for kind in order if kinds[kind])
    known = f"`{manifest.METADATA}` says what is known of it"
    yield f"`{manifest.RECORDINGS}` names the files of every recording ({counts}); {known}."
    if told := outside(dataset):
        yield f"{told[0].upper()}{told[1:]}."
    yield "To see that every file is what it was:\n\n    sha256sum -c SHA256SUMS\n    parakh check ."
