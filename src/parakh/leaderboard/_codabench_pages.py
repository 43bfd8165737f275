"""The pages and the logo of a Codabench bundle."""

from __future__ import annotations

import hashlib
import struct
import zlib

from parakh import formats, metrics, tracks
from parakh.leaderboard.challenge import Challenge
from parakh.leaderboard.kit import Kit
from parakh.metrics import Better

TITLES = {"overview": "Overview", "evaluation": "Evaluation", "submission": "Submission"}
"""The pages of a bundle, in their order."""
_SIZE = 256
_BARS = 12
_PAPER = b"\xfa\xf7\xf0"
_SPEAKERS = (b"\x1f\x4e\x79", b"\xc2\x5b\x1e")


def texts(challenge: Challenge, track: str) -> dict[str, bytes]:
    """The pages by path."""
    terms = challenge.terms.text if challenge.terms else "Taking part means to accept what the pages of this challenge say.\n"
    made = {
        "overview": f"# {challenge.title}\n\n{challenge.description.strip()}\n\nContact: {challenge.contact}\n",
        "evaluation": _evaluation(challenge, track),
        "submission": _submission(challenge, track),
        "terms": terms,
    }
    return {f"pages/{name}.md": text.encode() for name, text in made.items()}


def _evaluation(challenge: Challenge, track: str) -> str:
    rules = challenge.track(track)
    own = rules.metric_set
    rows = [_row(name, own.rank_by, own.tie_break) for name in own.metrics]
    choices = {"normalisation": own.normalization, **own.options}
    return "\n".join(
        [
            f"# {rules.title}",
            "",
            f"Metric set {own.version}, scored by Parakh over all recordings together: sum of errors by sum of lengths.",
            "",
            "| metric | better | | source |",
            "|---|---|---|---|",
            *rows,
            "",
            *(f"- {name}: {value}" for name, value in choices.items()),
            "",
        ]
    )


def _row(name: str, rank_by: str, tie_break: tuple[str, ...]) -> str:
    metric = metrics.get(name)
    role = "ranks" if name == rank_by else "orders equals" if name in tie_break else ""
    better = "lower" if metric.better is Better.LOWER else "higher"
    return f"| {metric.title} ({metric.unit}) | {better} | {role} | {metric.source} |"


def _submission(challenge: Challenge, track: str) -> str:
    rules = challenge.track(track)
    names = rules.formats or formats.standing_alone(tracks.get(rules.metric_set.track).item)
    lines = [f"- `{name}`: {formats.get(name).title}" for name in names]
    return "\n".join(
        [
            f"# Submission: {rules.title}",
            "",
            "A zip with one file a recording, or with one file of all recordings, in one of these formats:",
            "",
            *lines,
            "",
            "Every recording of the phase needs an answer. Check a submission before it is handed in, with the kit of the phase:",
            "",
            "    parakh validate answers.zip --kit kit.json",
            "",
        ]
    )


def kit_text(kit: Kit) -> str:
    """What is in a starting kit."""
    count = len(kit.recordings)
    return (
        f"# {kit.track_rules.title}\n\n`kit.json` names the {count} recordings that need an answer. It holds no reference.\n\n"
        "    parakh validate answers.zip --kit kit.json\n"
    )


def logo(name: str) -> bytes:
    r"""A small picture of turns of two speakers, drawn from the name, as PNG.

    >>> logo("visits")[:4], logo("visits") == logo("visits"), logo("visits") == logo("other")
    (b'\x89PNG', True, False)
    """
    digest = hashlib.sha256(name.encode()).digest()
    lanes = [[_colour(digest, column * _BARS // _SIZE, lane) for column in range(_SIZE)] for lane in range(2)]
    rows = []
    for row in range(_SIZE):
        lane = next((place for place, top in enumerate((64, 144)) if top <= row < top + 48), None)
        rows.append(b"\0" + (_PAPER * _SIZE if lane is None else b"".join(lanes[lane])))
    header = struct.pack(">2L5B", _SIZE, _SIZE, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
    parts = [struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data)) for kind, data in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _colour(digest: bytes, bar: int, lane: int) -> bytes:
    """Of one speaker's lane: who speaks in a bar, the digest says; one of them always does."""
    speaks = (digest[bar] % 3 != 1) if lane == 0 else (digest[bar] % 3 != 0)
    return _SPEAKERS[lane] if speaks else _PAPER
