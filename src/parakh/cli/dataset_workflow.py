"""``parakh dataset status|advance|reject|audit|agreement|anchoring``: the work of annotators, followed and compared."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parakh import formats, tracks
from parakh.cli.settings import bootstrap, check_json, put_json, time_given
from parakh.dataset import anchoring as anchors
from parakh.dataset import audit as audits
from parakh.dataset import manifest, workflow
from parakh.dataset.content import contents
from parakh.dataset.grouping import check_fields
from parakh.dataset.manifest import Dataset
from parakh.dataset.values import field_value
from parakh.dataset.workflow import Status, Step
from parakh.errors import Fault, InputError, UnknownNameError, counted
from parakh.formats._text import shown
from parakh.selection import by_session
from parakh.text.masking import masked
from parakh.types import Entry, Segment, Topics

SCHEMA = "parakh.workflow/1"


def status(folder: Path, sessions: Sequence[str], *, history: bool, json_out: str | None) -> None:
    """Print where every recording stands, or all the steps of some."""
    check_json(json_out, [])
    dataset = manifest.load(folder)
    steps = workflow.read_log(folder)
    entries = _entries(dataset, sessions)
    now = workflow.statuses(steps)
    rows = [_standing(entry, now.get(entry.session_id)) for entry in entries]
    wanted = {entry.session_id for entry in entries}
    told = [step for step in steps if step.session_id in wanted]
    document = {"schema": SCHEMA, "recordings": rows, "steps": [_step(step) for step in told]}
    if not put_json(json_out, lambda: _json(document)):
        return
    if history:
        _print(["time", "recording", "status", "by", "why"], [_history(step) for step in told])
        return
    counts = Counter(str(row["status"] or "not begun") for row in rows)
    order = [*map(str, Status), "not begun"]
    print(", ".join(f"{counts[name]} {name}" for name in order if counts[name]) or "no recordings")
    columns = ("session_id", "status", "since", "by", "changed")
    _print(["recording", "status", "since", "by", "changed since"], [[_cell(row[name]) for name in columns] for row in rows])


def _standing(entry: Entry, step: Step | None) -> dict[str, Any]:
    if step is None:
        return {"session_id": entry.session_id, "status": None, "since": None, "by": None, "changed": []}
    return {
        "session_id": entry.session_id,
        "status": str(step.status),
        "since": f"{step.time:%Y-%m-%d %H:%M}",
        "by": masked(step.by),
        "changed": workflow.changed_since(step, entry),
    }


def _cell(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else masked(str(value or "-"))


def _history(step: Step) -> list[str]:
    what = str(step.status) if step.status else "audited"
    return [f"{step.time:%Y-%m-%d %H:%M}", *map(masked, (step.session_id, what, step.by, step.reason or step.audited))]


def _step(step: Step) -> dict[str, Any]:
    known = {"status": step.status and str(step.status), "audited": step.audited, "reason": masked(step.reason)}
    return {
        "time": step.time.isoformat(),
        "session_id": step.session_id,
        "by": masked(step.by),
        **{name: value for name, value in known.items() if value},
    }


def advance(folder: Path, sessions: Sequence[str], to: str, by: str, *, reason: str, at: str | None, every: bool = False) -> int:
    """Take recordings a step on, and note who did it with the checksums of their files.

    A stage of quality control is passed only where its checks find nothing, or with a reason; 1 where they find something.
    """
    dataset = manifest.load(folder)
    if to not in set(Status):
        raise UnknownNameError("status", to, list(map(str, Status)))
    if every == bool(sessions):
        found_too = "ids beside --all" if sessions else "no recording"
        raise InputError(Fault("advance", "", found_too, "the ids of those to take a step on, or --all"))
    sessions = _ready(dataset, Status(to)) if every else sessions
    entries = _entries(dataset, sessions)
    if to.startswith("qc") and not reason and (found := _open(folder, to, set(sessions))):
        print("\n".join(found))
        print(f"{counted(len(found), 'finding')}; nothing was noted. Mend them, or say with --despite why they may stand")
        return 1
    sums = {entry.session_id: workflow.checksums(entry) for entry in entries}
    steps = workflow.append(folder, list(sums), Status(to), by, reason=reason, sha256=sums, at=time_given(at))
    print(f"{counted(len(steps), 'recording')} now {to}")
    return 0


def _ready(dataset: Dataset, to: Status) -> list[str]:
    """The recordings that may take a step to a status from where they stand."""
    now = workflow.statuses(workflow.read_log(dataset.folder))
    standing = {one.session_id: now[one.session_id].status if one.session_id in now else None for one in dataset.entries}
    ready = [session for session, status in standing.items() if to in workflow.STEPS[status]]
    if not ready:
        raise InputError(Fault("--all", "", f"no recording that may become {to}", "one, as `parakh dataset status` shows them"))
    return ready


def _open(folder: Path, stage: str, sessions: set[str]) -> list[str]:
    """What the checks of a stage find in some recordings, as lines; what the data set ignores is not told."""
    from parakh.cli.check import line
    from parakh.dataset.checking import check

    found = check(folder, sessions=sessions)
    return [line(one) for one in found.failing() if one.code.startswith(stage.upper())]


def audit(
    folder: Path,
    size: str,
    by: str,
    *,
    stratify: Sequence[str],
    seed: int,
    hypothesis: Sequence[str],
    json_out: str | None,
    log: bool,
) -> None:
    """Draw recordings for a spot audit and note the draw in the log."""
    check_json(json_out, hypothesis)
    dataset = manifest.load(folder)
    check_fields(dataset.entries, "--stratify", stratify)
    segments = _segments(dataset)
    rates = _word_error_rates(segments, hypothesis) if hypothesis else {}
    history = audits.histories(workflow.read_log(folder))
    risks = [
        audits.risk(
            entry.session_id,
            segments.get(entry.session_id, []),
            snr_db=_snr(entry),
            word_error_rate=rates.get(entry.session_id),
            history=history.get(entry.session_id),
        )
        for entry in dataset.entries
    ]
    strata = {
        one.session_id: " / ".join(masked(field_value(one, name) or "unknown") for name in stratify) for one in dataset.entries
    }
    drawn = audits.draw(risks, strata, size, seed)
    how = f"{size} of {len(risks)}, stratified by {','.join(stratify) or 'nothing'}, seed {seed}"
    if log and drawn:
        workflow.note_audit(folder, drawn, by, how)
    chosen = sorted((one for one in risks if one.session_id in set(drawn)), key=lambda one: (-(one.score or 0.0), one.session_id))
    rows = [{"session_id": one.session_id, "risk": one.score, **one.signs, "stratum": strata[one.session_id]} for one in chosen]
    document = {"schema": "parakh.audit/1", "draw": how, "recordings": rows}
    if put_json(json_out, lambda: _json(document)):
        print(f"{counted(len(drawn), 'recording')} drawn: {how}")
        names = ["session_id", "risk", *audits.SIGNS, "stratum"]
        _print(["recording", *names[1:]], [[_share(row[name]) for name in names] for row in rows])


def _share(value: object) -> str:
    if isinstance(value, float):
        return f"{100 * value:.0f}"
    return str(value) if value not in (None, "") else "-"


def _word_error_rates(segments: Mapping[str, Sequence[Segment]], hypothesis: Sequence[str]) -> dict[str, float]:
    """How far a recogniser is from the transcripts, by recording; of those that it has an answer for."""
    from parakh.evaluate import evaluate

    heard = by_session(formats.load(hypothesis, Segment).items)
    common = sorted(heard.keys() & segments.keys())
    if not common:
        raise InputError(Fault("--hypothesis", "", "no recording of the data set", "transcripts with the same session_id"))
    ours = [one for session in common for one in segments[session]]
    theirs = [one for session in common for one in heard[session]]
    found = evaluate(tracks.get("asr"), ours, theirs, metrics=["wer"], normalization="indic")
    return {one.id: value for one in found.recordings if (value := one.metrics["wer"]) is not None}


def _snr(entry: Entry) -> float | None:
    try:
        return float(entry.recording.metadata.get("snr_db", ""))
    except ValueError:
        return None


def agreement(
    annotations: Sequence[str], topics: Sequence[str], *, interval: float | None, samples: int, seed: int, json_out: str | None
) -> None:
    """Compare annotators of the same recordings."""
    from parakh.agreement import Annotation, agree

    paths = {"segments": _named(annotations), "topics": _named(topics)}
    check_json(json_out, [path for named in paths.values() for path in named.values()])
    codes = list(dict.fromkeys([*paths["segments"], *paths["topics"]]))
    made = {
        code: Annotation(
            formats.load(paths["segments"][code], Segment).items if code in paths["segments"] else (),
            formats.load(paths["topics"][code], Topics).items if code in paths["topics"] else (),
        )
        for code in codes
    }
    plan = bootstrap("percentile", interval, samples, seed) if interval is not None else None
    found = agree(made, plan)
    document = {"schema": "parakh.agreement/1", "agreements": [_agreement(one) for one in found]}
    if not put_json(json_out, lambda: _json(document)):
        return
    for place, one in enumerate(found):
        print(f"{chr(10) * (place > 0)}{' and '.join(one.annotators)}, {counted(len(one.recordings), 'recording')} in common")
        for who, sessions in one.only_one.items():
            print(
                f"only {who} has {counted(len(sessions), 'recording')}: {', '.join(sessions[:5])}{' ...' * (len(sessions) > 5)}"
            )
        rows = [[figure.name, _figure(figure.name, figure.value), _interval(figure), figure.of] for figure in one.figures]
        _print(["figure", "value", "interval" if plan else "", "of"], rows)
        if plan:
            print(one.plan)


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "n/a"
    return f"{value:.3f}" if name.startswith("alpha") else f"{100 * value:.2f} %"


def _interval(figure: Any) -> str:
    if figure.interval is None:
        return ""
    low, high = (_figure(figure.name, one).removesuffix(" %") for one in figure.interval)
    return f"[{low}, {high}]"


def _agreement(one: Any) -> dict[str, Any]:
    return {
        "annotators": list(one.annotators),
        "recordings": list(one.recordings),
        "only_one": {who: list(sessions) for who, sessions in one.only_one.items()},
        "intervals": one.plan,
        "figures": [
            {"name": figure.name, "value": figure.value, "interval": figure.interval, "of": figure.of} for figure in one.figures
        ],
    }


def anchoring(folder: Path, draft: Sequence[str], *, limit: float, json_out: str | None) -> int:
    """Say how much of the machine's drafts each annotator left; 1 if somebody left more than the limit."""
    check_json(json_out, draft)
    dataset = manifest.load(folder)
    if not 0 < limit <= 100:
        raise InputError(Fault("--limit", "", f"{limit:g}", "a percentage above 0 and up to 100"))
    owner = {step.session_id: step.by for step in workflow.read_log(folder) if step.status is Status.TRANSCRIBED}
    final = [one for segments in _segments(dataset).values() for one in segments]
    found = anchors.anchoring(formats.load(draft, Segment).items, final, owner)
    flagged = {one.annotator for one in found if (one.words or 0.0) > limit / 100}
    rows = [
        {"annotator": one.annotator, "recordings": one.recordings, "words_left": one.words, "turns_left": one.turns, **one.stats}
        for one in found
    ]
    document = {"schema": "parakh.anchoring/1", "limit": limit / 100, "annotators": rows}
    if put_json(json_out, lambda: _json(document)):
        table = [
            [
                one.annotator,
                str(one.recordings),
                f"{one.stats['words']:.0f}",
                _figure("", one.words),
                _figure("", one.turns),
                "listened?" if one.annotator in flagged else "",
            ]
            for one in found
        ]
        _print(["annotator", "recordings", "draft words", "words left", "turns left", ""], table)
    return int(bool(flagged))


def _segments(dataset: Dataset) -> dict[str, list[Segment]]:
    """The transcript of each recording, or its turns where it has none."""
    found = contents(dataset, kinds=("transcript", "rttm"))
    return {one.session_id: segments for one in found if (segments := list(one.transcript or one.turns or ()))}


def _entries(dataset: Dataset, sessions: Sequence[str]) -> list[Entry]:
    """The entries asked for; all without a choice."""
    by_id = {entry.session_id: entry for entry in dataset.entries}
    unknown = [session for session in sessions if session not in by_id]
    if unknown:
        raise InputError(
            Fault(session, "", "no such recording", f"one of {dataset.folder}'s {len(by_id)}, as in {manifest.RECORDINGS}")
            for session in unknown
        )
    return [by_id[session] for session in dict.fromkeys(sessions)] if sessions else list(dataset.entries)


def _named(pairs: Sequence[str]) -> dict[str, str]:
    """NAME=PATH texts; a path alone is called by its file or folder."""
    named: dict[str, str] = {}
    for pair in pairs:
        name, equals, path = pair.partition("=")
        code, place = (name, path) if equals and name and path else (Path(pair).stem, pair)
        if code in named:
            raise InputError(Fault(pair, "", f"a second {shown(code)}", "a code for each annotator, as ann01=PATH"))
        named[code] = place
    return named


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _print(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from parakh.cli.tables import bare_table, console

    table = bare_table()
    for name in header:
        table.add_column(name, no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console().print(table)
