"""Which files of a submission are its answers, and in which format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from parakh import formats, tracks
from parakh.errors import Fault, InputError, counted
from parakh.formats import Format
from parakh.leaderboard.archive import Unpacked
from parakh.leaderboard.kit import Kit
from parakh.types import Finding, Recording, Region, Segment, Severity, Summary, Topics

_KINDS: Mapping[type, str] = {
    Segment: "turns or transcripts",
    Topics: "topics",
    Summary: "summaries",
    Region: "scoring regions",
    Recording: "a manifest of recordings",
}
_TRACKS: Mapping[type, str] = {Topics: "topics", Summary: "summarization", Segment: "diarization or asr"}
_LISTED = 5
_ANY_TEXT = "keyed-text"
"""The format that every text looks like."""


def one_folder(unpacked: Sequence[Unpacked]) -> list[Unpacked]:
    """The files, which have to lie in one folder of the archive.

    Raises:
        InputError: They lie in several.
    """
    folders = sorted({str(PurePosixPath(one.name).parent) for one in unpacked})
    if len(folders) > 1:
        shown = ", ".join("the top" if folder == "." else f"{folder}/" for folder in folders[:_LISTED])
        found = f"files in {counted(len(folders), 'folder')} ({shown}{', ...' if len(folders) > _LISTED else ''})"
        raise InputError(Fault("submission", "", found, "the files of one folder", "Pack the folder of the answers alone."))
    return list(unpacked)


def answers_among(files: Sequence[Unpacked], kit: Kit) -> tuple[dict[Unpacked, Format], list[Finding]]:
    """The files that are answers, with their one format, and what there is to say of the others.

    Raises:
        InputError: A file cannot be told, they are of several formats, of one that may not be, or for another track.
    """
    item = tracks.get(kit.track_rules.metric_set.track).item
    _refuse_folder_formats(files)
    chosen: dict[Unpacked, Format] = {}
    others: dict[Unpacked, Format | None] = {}
    faults: list[Fault] = []
    for one in files:
        try:
            form = _format(one, item, kit)
        except InputError as error:
            if _has_suffix(one, item):
                faults += error.faults
            others[one] = None
            continue
        if form.item is item:
            chosen[one] = form
        else:
            others[one] = form
    if not chosen and not faults:
        raise InputError(_wrong_track(one, form, item) for one, form in others.items())
    faults += [fault for one, form in chosen.items() if (fault := _not_allowed(one, form, kit))]
    faults += _several(chosen)
    if faults:
        raise InputError(faults)
    return chosen, _passed_over(list(others))


def _format(one: Unpacked, item: type, kit: Kit) -> Format:
    """The format of a file, maybe one of other items; text of one recording is told by the file's name.

    Raises:
        InputError: It cannot be told.
    """
    try:
        text = formats.head(one.path)
    except InputError:
        return formats.detect(one.path, item)  # it may be UTF-16
    fitting = [form for form in formats.all_formats().values() if form.name != _ANY_TEXT and form.sniff(text, one.path)]
    own = [form for form in fitting if form.item is item]
    allowed = [form for form in own if form.name in kit.track_rules.formats]
    if len(allowed) == 1 or (fitting and not own):
        return (allowed or fitting)[0]
    form = formats.detect(one.path, item)
    if form.name != _ANY_TEXT:
        return form
    known = {recording.session_id for recording in kit.recordings}
    return formats.get("plain-text") if one.path.stem in known and not set(text.split(maxsplit=1)[:1]) & known else form


def _refuse_folder_formats(files: Sequence[Unpacked]) -> None:
    """Refuse files that are one item together, as a data folder of Kaldi: they say where further files are.

    Raises:
        InputError: They are.
    """
    folders = {one.path.parent for one in files}
    forms = [form for form in formats.all_formats().values() if form.folder]
    whole = [form for form in forms for folder in folders if form.sniff("", folder)]
    if whole:
        raise InputError(_leads_on("submission", whole[0]))


def _has_suffix(one: Unpacked, item: type) -> bool:
    """Whether a file is called as answers to the track are, so that it may not be passed over."""
    return one.name.lower().endswith(tuple(_suffixes(item))) or "." not in PurePosixPath(one.name).name


def _suffixes(item: type) -> set[str]:
    """What the files of formats of items end in."""
    forms = [form for form in formats.all_formats().values() if form.item is item and not form.folder]
    return {suffix for form in forms for suffix in form.suffixes}


def _wrong_track(one: Unpacked, form: Format | None, item: type) -> Fault:
    expected = _KINDS[item]
    if form is None:
        found = "a file of no format with such answers"
        return Fault(one.name, "", found, f"{expected}, in files ending in {', '.join(sorted(_suffixes(item)))}")
    track = _TRACKS.get(form.item)
    action = f"Is it for {track}?" if track else "Give the answers."
    return Fault(one.name, "", f"{_KINDS[form.item]} ({form.name})", expected, action)


def _not_allowed(one: Unpacked, form: Format, kit: Kit) -> Fault | None:
    allowed = kit.track_rules.formats
    if allowed and form.name not in allowed:
        return Fault(one.name, "", f"the format {form.name}", f"{' or '.join(allowed)}", "Convert it: parakh convert.")
    return _leads_on(one.name, form) if form.follows_paths else None


def _leads_on(path: str, form: Format) -> Fault:
    found, expected = f"the format {form.name}, which names further files", "one that stands for itself"
    return Fault(path, "", found, expected, "Convert it: parakh convert.")


def _several(chosen: Mapping[Unpacked, Format]) -> list[Fault]:
    names: dict[str, list[str]] = {}
    for one, form in chosen.items():
        names.setdefault(form.name, []).append(one.name)
    if len(names) < 2:
        return []
    found = "; ".join(f"{name} ({_listed(own)})" for name, own in names.items())
    return [Fault("submission", "", f"files of several formats: {found}", "one format", "Pack the files of one.")]


def _passed_over(files: Sequence[Unpacked]) -> list[Finding]:
    if not files:
        return []
    what = f"{counted(len(files), 'file')} passed over: {_listed([one.name for one in files])}"
    return [Finding("other-files", what, Severity.NOTE)]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_LISTED]) + (f" and {len(names) - _LISTED} more" if len(names) > _LISTED else "")
