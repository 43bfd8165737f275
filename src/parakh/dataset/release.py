"""A release: nothing open, every file with its checksum, and a card that says what is in it.

A data set is released when every check of it finds nothing at or above the severity that its ``parakh.toml`` names (findings of a
baseline are known and stay on the card), and when every recording in the log of annotation has passed its last stage and was not
touched since. Then the manifest gets the checksums of all its files, ``SHA256SUMS`` lists them as ``sha256sum -c`` reads
them, ``DATACARD.md`` is written, and the log notes the release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from parakh.dataset import baseline, card, manifest, workflow
from parakh.dataset.checking import Checked, Progress, check
from parakh.dataset.config import CONFIG
from parakh.dataset.manifest import Dataset
from parakh.dataset.workflow import Status, Step
from parakh.errors import Fault, InputError
from parakh.files import checksum, write_atomic
from parakh.types import Entry, Finding

CARD = "DATACARD.md"
SUMS = "SHA256SUMS"


@dataclass(frozen=True)
class Release:
    """A release that is ready, or what stands in its way.

    Args:
        dataset: The data set, its entries with the checksums of their files.
        checked: What the checks found.
        open: Findings that stand in the way.
        known: Findings that the baseline knows.
        steps: The log of annotation.
        unfinished: Why a recording of the log cannot be released, by id.
    """

    dataset: Dataset
    checked: Checked
    open: tuple[Finding, ...]
    known: tuple[Finding, ...]
    steps: Sequence[Step]
    unfinished: Mapping[str, str]

    @property
    def is_ready(self) -> bool:
        """Whether nothing stands in the way."""
        return not self.open and not self.unfinished


def prepare(folder: str | Path, *, known: str | None = None, jobs: int = 1, progress: Progress | None = None) -> Release:
    """Check everything that a release promises; nothing is written.

    Args:
        folder: The data set's folder.
        known: A baseline of known findings; None for none.
        jobs: Processes that share the recordings.
        progress: Told how far the checks are.

    Returns:
        The release, with what stands in its way.

    Raises:
        InputError: The data set cannot be read, is empty, or its ``parakh.toml`` names no name, version or licence.
    """
    dataset = manifest.load(folder)
    about = {"name": dataset.config.name, "version": dataset.config.version, "licence": dataset.config.licence}
    examples = {"name": "a name", "version": "a version as 1.0", "licence": "an SPDX licence as CC-BY-4.0"}
    place = str(dataset.folder / CONFIG)
    action = "" if (dataset.folder / CONFIG).is_file() else f"`parakh dataset init {folder} --force` makes that file."
    faults = [
        Fault(place, f"dataset.{name}", "nothing", examples[name], action) for name, text in about.items() if not text.strip()
    ]
    if not dataset.entries:
        faults.append(Fault(str(dataset.folder / manifest.RECORDINGS), "", "no recording", "recordings to release"))
    if faults:
        raise InputError(faults)
    checked = check(folder, jobs=jobs, progress=progress)
    new = baseline.sift(checked.findings, known).new if known else checked.findings
    steps = workflow.read_log(folder)
    return Release(
        replace(dataset, entries=tuple(replace(entry, sha256=_sums(entry)) for entry in dataset.entries)),
        checked,
        replace(checked, findings=new).failing(),
        tuple(finding for finding in checked.findings if finding not in set(new)),
        steps,
        _unfinished(dataset, steps),
    )


def publish(release: Release, by: str, at: datetime) -> list[Path]:
    """Write what makes a release: checksums, card, list of sums, log.

    Args:
        release: A release that is ready.
        by: Code of who releases it.
        at: When.

    Returns:
        The files written, the log aside.

    Raises:
        InputError: Something stands in its way, or a file cannot be written.
    """
    folder = release.dataset.folder
    if not release.is_ready:
        raise InputError(Fault(str(folder), "", "a data set that is not ready", "one without open findings", "Mend them first."))
    latest = workflow.statuses(release.steps)
    waiting = [one.session_id for one in release.dataset.entries if one.session_id in latest]
    waiting = [session for session in waiting if latest[session].status is Status.QC5]
    manifest.save(release.dataset)
    write_atomic(folder / CARD, card.data_card(release.dataset, release.checked, release.known, release.steps, at))
    write_atomic(folder / SUMS, _listed(release.dataset))
    if waiting:
        sums = {one.session_id: workflow.checksums(one) for one in release.dataset.entries}
        version = f"version {release.dataset.config.version}"
        workflow.append(folder, waiting, Status.RELEASED, by, reason=version, sha256=sums, at=at)
    return [folder / name for name in (manifest.RECORDINGS, manifest.METADATA, CARD, SUMS)]


def _unfinished(dataset: Dataset, steps: Sequence[Step]) -> dict[str, str]:
    """Recordings that have not gone all the way, where there is a log."""
    if not steps:
        return {}
    latest = workflow.statuses(steps)
    found = {}
    for entry in dataset.entries:
        step = latest.get(entry.session_id)
        if step is None or step.status not in (Status.QC5, Status.RELEASED):
            found[entry.session_id] = f"is {step.status if step else 'not in the log'}, not {Status.QC5}"
        elif changed := workflow.changed_since(step, entry):
            found[entry.session_id] = f"{', '.join(changed)} changed since it was {step.status}"
    return found


def _sums(entry: Entry) -> dict[str, str]:
    """Checksums of every file of a recording that is there, the audio first."""
    audio = {"audio": entry.recording.audio} if entry.recording.audio else {}
    return {kind: checksum(path) for kind, path in {**audio, **entry.files}.items() if Path(path).is_file()}


def _listed(dataset: Dataset) -> str:
    """``SHA256SUMS``: every file of the manifest, the manifest itself, settings and card."""
    own = [dataset.folder / name for name in (manifest.RECORDINGS, manifest.METADATA, CONFIG, CARD, "README.md", "guidelines.md")]
    sums = {path.relative_to(dataset.folder).as_posix(): checksum(path) for path in own if path.is_file()}
    for entry in dataset.entries:
        paths = {"audio": entry.recording.audio, **entry.files}
        for kind, digest in entry.sha256.items():
            sums[manifest.stated(dataset.folder, str(paths[kind]))] = digest
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(sums.items()))
