"""What a phase is scored against: its references, regions and recordings, read and checked; copied to stand for itself.

folder of challenge.toml -> copy_files -> a folder of the challenge's own -> load_references -> measure -> Results
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parakh import formats, metrics, tracks
from parakh.aggregate import Interval
from parakh.dataset import manifest
from parakh.dataset.values import METADATA, RECORDINGS
from parakh.errors import Fault, InputError, counted
from parakh.evaluate import evaluate
from parakh.files import checksum
from parakh.leaderboard._needs import lacking
from parakh.leaderboard.challenge import Challenge, MetricSet, PhaseRules
from parakh.metrics import Payload
from parakh.resample import Bootstrap
from parakh.results import Results
from parakh.selection import spoken
from parakh.slices import cut
from parakh.types import Recording, Region, Segment


@dataclass(frozen=True)
class References:
    """What the submissions to one track of one phase are scored against.

    Args:
        items: The reference items.
        regions: Scoring regions; None infers them.
        recordings: What is known of the recordings.
        transcripts: What was said, for metrics that check a summary against it; None where the phase has no transcripts.
        digest: Sixteen hexadecimal digits that differ where any of it does, wherever the files lie.
    """

    items: tuple[Any, ...]
    regions: tuple[Region, ...] | None
    recordings: tuple[Recording, ...]
    transcripts: tuple[Segment, ...] | None
    digest: str


def load_references(challenge: Challenge, folder: Path, phase: str, track: str) -> References:
    """Read the references of one track of one phase.

    Args:
        challenge: The rules.
        folder: Where their paths start from: that of ``challenge.toml``, or of its copy.
        phase: Key of the phase.
        track: Key of the track.

    Raises:
        InputError: All faults of all files; a recording without a reference, or a reference without its recording.
        KeyError: There is no such phase or track.
    """
    rules, metric_set = challenge.phase(phase), challenge.track(track).metric_set
    recordings = load_recordings(rules, folder)
    items = _load(folder, rules.references[track], tracks.get(metric_set.track).item)
    regions = None if rules.uem is None else _load(folder, rules.uem, Region)
    said = transcript_track(challenge, rules) if needs_transcripts(metric_set) else None
    transcripts = None if said is None else _load(folder, rules.references[said], Segment)
    _check_complete(rules, track, recordings, items, regions)
    return References(items, regions, recordings, transcripts, _digest(items, regions, recordings, transcripts))


def check_references(challenge: Challenge, folder: Path, phase: str, track: str) -> None:
    """Read the references of one track of one phase, and try the rules of the track on them.

    Raises:
        InputError: All faults of the files, or what of the rules (an option's range, a field to slice by) does not go with them.
    """
    references = load_references(challenge, folder, phase, track)
    metric_set = challenge.track(track).metric_set
    lacks = lacking(metric_set, spoken(references.items) if metric_set.track in ("asr", "diarization") else references.items)
    if lacks:
        path = challenge.phase(phase).references[track]
        raise InputError(Fault(path, one.field, one.found, one.expected, "Give a format that carries them.") for one in lacks)
    first = min(one.session_id for one in references.items)
    sample = dataclasses.replace(
        references, items=tuple(one for one in references.items if one.session_id == first), regions=None
    )
    try:
        measure(dataclasses.replace(metric_set, slice_by=(), level=None), sample, sample.items, "")
        for field in metric_set.slice_by:
            cut(field, references.recordings, references.items)
    except InputError as error:
        place = f"tracks.{track}"
        raise InputError(dataclasses.replace(one, path=f"{place}: {one.path}") for one in error.faults) from error


def load_recordings(phase: PhaseRules, folder: Path) -> tuple[Recording, ...]:
    """The recordings of a phase with all that is known of them: of a data set, or of a bare manifest.

    Raises:
        InputError: There is none, or it has faults.
    """
    path = _existing(folder, phase.recordings)
    dataset = manifest.named(path)
    recordings = formats.load(path, Recording).items if dataset is None else tuple(manifest.as_recordings(dataset))
    if not recordings:
        raise InputError(Fault(str(path), "", "no recording", "the recordings of the phase"))
    return recordings


def audio_of(phase: PhaseRules, folder: Path) -> Mapping[str, Path]:
    """The audio of the recordings of a phase, by session id: files of its folder named as the manifest says or after it.

    Raises:
        InputError: The manifest cannot be read.
    """
    place = None if phase.audio is None else folder / phase.audio
    if place is None or not place.is_dir():
        return {}
    files = {one.name: one for one in sorted(place.iterdir()) if one.is_file()}
    by_stem = {name.partition(".")[0]: path for name, path in files.items()} | {path.stem: path for path in files.values()}
    found = {
        one.session_id: files.get(Path(one.audio).name if one.audio else "") or by_stem.get(one.session_id)
        for one in load_recordings(phase, folder)
    }
    return {session_id: path for session_id, path in found.items() if path is not None}


def measure(
    metric_set: MetricSet, references: References, items: Sequence[Any], system: str, *, detail: bool = False, jobs: int = 1
) -> Results:
    """Score one submission as the rules say.

    Args:
        metric_set: The rules.
        references: What it is scored against.
        items: The submission.
        system: Its name, for tables.
        detail: Keep turns, alignments and texts in the Results, for a diagnosis.
        jobs: Processes that share the recordings.

    Raises:
        InputError: A metric's needs are not met, or an option is out of range.
    """
    level = metric_set.level
    found = evaluate(
        tracks.get(metric_set.track),
        references.items,
        items,
        system=system,
        regions=references.regions,
        transcripts=references.transcripts,
        metrics=metric_set.metrics,
        normalization=metric_set.normalization,
        options=metric_set.options,
        recordings=references.recordings,
        slice_by=metric_set.slice_by,
        interval=None if level is None else Interval(Bootstrap(level=level, samples=metric_set.samples)),
        detail=detail,
        jobs=jobs,
    )
    return _without_support(found) if detail else found


def _without_support(results: Results) -> Results:
    """Results without what bears out a summary: that holds the transcripts, which are another track's references."""
    kept = (
        dataclasses.replace(one, detail={key: value for key, value in one.detail.items() if key != "support"})
        for one in results.recordings
    )
    return dataclasses.replace(results, recordings=tuple(kept))


def copy_files(challenge: Challenge, folder: Path, into: Path, *, audio: bool = True) -> Challenge:
    """Copy every file that the rules name, so that the copy stands for itself.

    Args:
        challenge: The rules.
        folder: Where their paths start from.
        into: Where to; a new folder.
        audio: Whether to copy audio too.

    Returns:
        The same rules with paths that start from the new folder and stay in it.

    Raises:
        InputError: A file that is named is not there.
    """
    phases: list[PhaseRules] = []
    heard: dict[tuple[str | None, str], str | None] = {}
    for phase in challenge.phases:
        place = into / phase.key
        place.mkdir(parents=True)
        references = {
            track: _copied(_existing(folder, path), place / "references" / track, into)
            for track, path in phase.references.items()
        }
        key = (phase.audio, phase.recordings)
        if audio and key not in heard:  # phases of the same audio share one copy
            heard[key] = _copied_audio(phase, folder, place / "audio", into)
        phases.append(
            dataclasses.replace(
                phase,
                references=references,
                recordings=_copied_manifest(_existing(folder, phase.recordings), place, into),
                uem=None if phase.uem is None else _copied(_existing(folder, phase.uem), place / "uem", into),
                audio=heard.get(key),
            )
        )
    return dataclasses.replace(challenge, phases=tuple(phases))


def contents_digest(folder: Path) -> str:
    """Sixteen hexadecimal digits of the names and contents of all files in a folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     empty = contents_digest(Path(place))
    ...     _ = (Path(place) / "a").write_text("one")
    ...     empty == contents_digest(Path(place)), len(empty)
    (False, 16)
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{checksum(path)} {path.relative_to(folder).as_posix()}" for path in files]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def needs_transcripts(metric_set: MetricSet) -> bool:
    """Whether a metric of the set checks a summary against what was said."""
    return any(metrics.get(name).payload is Payload.SUMMARY for name in metric_set.metrics)


def transcript_track(challenge: Challenge, phase: PhaseRules) -> str | None:
    """Key of the first track of a phase whose references are what was said; None for none."""
    return next((key for key in phase.tracks if challenge.track(key).metric_set.track == "asr"), None)


def missing_files(phase: PhaseRules, folder: Path) -> list[Fault]:
    """The files of a phase that are not there, whatever else is wrong with it."""
    named = (phase.recordings, phase.uem, *phase.references.values())
    return [_missing(folder / path) for path in named if path and not (folder / path).exists()]


def _missing(place: Path) -> Fault:
    return Fault(str(place), "", "no such file or folder", "what the challenge names", "Mend the path.")


def _existing(folder: Path, path: str) -> Path:
    place = folder / path
    if not place.exists():
        raise InputError(_missing(place))
    return place


def _load(folder: Path, path: str, item: Any) -> tuple[Any, ...]:
    """The items of a file or folder, none of them in a format that leads to further files: a copy would miss those."""
    place = _existing(folder, path)
    follows = [form.name for form in formats.all_formats().values() if form.follows_paths and _has_format(place, form)]
    if follows:
        expected = "a format that stands for itself"
        raise InputError(
            Fault(str(place), "", f"{follows[0]}, which names further files", expected, "Convert it: parakh convert.")
        )
    return tuple(formats.load(place, item).items)


def _has_format(place: Path, form: formats.Format) -> bool:
    if form.folder:
        return place.is_dir() and form.sniff("", place)
    files = sorted(one for one in place.iterdir() if one.is_file()) if place.is_dir() else [place]
    return any(one.name.lower().endswith(form.suffixes) and form.sniff(formats.head(one), one) for one in files)


def _check_complete(
    phase: PhaseRules, track: str, recordings: Sequence[Recording], items: Iterable[Any], regions: Sequence[Region] | None
) -> None:
    known = {one.session_id for one in recordings}
    answered = {one.session_id for one in items}
    heard = None if regions is None else {one.session_id for one in regions}
    path, faults = phase.references[track], []
    for name in sorted(answered - known):
        expected = f"a recording of {phase.recordings}"
        faults.append(Fault(path, "session_id", repr(name), expected, "Add it to the manifest, or take its reference out."))
    for name in sorted(known - answered - (heard or set())):
        faults.append(
            Fault(path, "session_id", f"nothing of {name!r}", f"a reference of each of {counted(len(known), 'recording')}")
        )
    if heard is not None and phase.uem is not None:
        faults += [Fault(phase.uem, "session_id", f"nothing of {name!r}", "a region of each") for name in sorted(known - heard)]
        faults += [Fault(phase.uem, "session_id", repr(name), "a recording of the phase") for name in sorted(heard - known)]
    if faults:
        raise InputError(faults)


def _digest(*parts: Sequence[Any] | None) -> str:
    """Of all items, in whatever order the files hold them; where audio lies does not matter."""
    plain = [None if part is None else sorted(_line(one) for one in part) for part in parts]
    return hashlib.sha256(json.dumps(plain, ensure_ascii=False).encode()).hexdigest()[:16]


def _line(item: Any) -> str:
    values = dataclasses.asdict(item)
    values.pop("audio", None)
    return json.dumps(values, ensure_ascii=False, sort_keys=True)


def _copied(source: Path, target: Path, into: Path) -> str:
    """A file, or the files of a folder, copied into a folder; the path of the copy."""
    target.mkdir(parents=True)
    for one in sorted(source.iterdir()) if source.is_dir() else [source]:
        if one.is_file():
            shutil.copyfile(one, target / one.name)
    return (target if source.is_dir() else target / source.name).relative_to(into).as_posix()


def _copied_manifest(source: Path, place: Path, into: Path) -> str:
    if manifest.named(source) is None:
        return _copied(source, place / "manifest", into)
    target = place / "manifest"
    target.mkdir()
    for name in (RECORDINGS, METADATA):
        if (manifest.folder_of(source) / name).is_file():
            shutil.copyfile(manifest.folder_of(source) / name, target / name)
    return target.relative_to(into).as_posix()


def _copied_audio(phase: PhaseRules, folder: Path, place: Path, into: Path) -> str | None:
    files = audio_of(phase, folder)
    if not files:
        return None
    place.mkdir()
    for path in files.values():
        shutil.copyfile(path, place / path.name)
    return place.relative_to(into).as_posix()
