"""The card of a whole run, ``DIR/run.json``: what all its recordings cost together, from their own cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parakh.cascade.preset import Preset
from parakh.cost import RUN_CARD, SCHEMA, Cost
from parakh.files import write_atomic

if TYPE_CHECKING:
    from parakh.cascade.runner import Execution


def write_run(
    folder: Path, preset: Preset, how: Execution, seconds: float, done: Sequence[str], energy: Mapping[str, Any]
) -> None:
    """Write the card of a run.

    Args:
        folder: Of the answers; every recording there that this preset answered is counted, of earlier runs too.
        preset: What they were made with.
        how: How the latest run was done.
        seconds: By the clock, of the latest run.
        done: The recordings of the latest run.
        energy: What this machine used meanwhile.

    Raises:
        InputError: It cannot be written.
    """
    cards = [card for card in _cards(folder) if card.get("preset_digest") == preset.digest]
    if not cards:
        return
    just_done = set(done)
    latest = sum(card["duration"] for card in cards if card["session_id"] in just_done)
    by_kind: dict[str, list[Mapping[str, Any]]] = {}
    for stage in (stage for card in cards for stage in card["stages"]):
        by_kind.setdefault(stage["kind"], []).append(stage)
    document = {
        "schema": SCHEMA,
        "preset": preset.name,
        "preset_digest": preset.digest,
        "recordings": len(cards),
        "session_ids": [card["session_id"] for card in cards],
        **_total(cards, [stage for stages in by_kind.values() for stage in stages]).to_dict(),
        "stages": {kind: _stage(cards, stages) for kind, stages in by_kind.items()},
        "devices": _distinct(card.get("device") for card in cards),
        "latest": {
            "executor": how.executor,
            "jobs": how.jobs,
            "recordings": len(done),
            "audio_seconds": round(latest, 3),
            "seconds": round(seconds, 3),
            "real_time_factor": round(seconds / latest, 4) if latest else None,
            "energy": dict(energy),
        },
    }
    write_atomic(folder / RUN_CARD, json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def _cards(folder: Path) -> Iterable[dict[str, Any]]:
    """The recordings' cards, by name; one that was made by an earlier version, or is damaged, is passed over."""
    for path in sorted((folder / "runs").glob("*.json")):
        try:
            card = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(card, dict) and {"session_id", "duration", "stages", "cpu_seconds"} <= card.keys():
            yield card


def _total(cards: Sequence[Mapping[str, Any]], stages: Sequence[Mapping[str, Any]]) -> Cost:
    prices = [stage["usage"]["price"] for stage in stages if stage.get("usage", {}).get("price") is not None]
    on_gpu = [stage["gpu_peak_mb"] for stage in stages if "gpu_peak_mb" in stage]
    return Cost(
        audio_seconds=round(sum(card["duration"] for card in cards), 3),
        seconds=round(sum(stage["seconds"] for stage in stages), 3),
        cpu_seconds=round(sum(stage["cpu_seconds"] for stage in stages), 3),
        peak_mb=max(stage["peak_mb"] for stage in stages),
        gpu_peak_mb=max(on_gpu) if on_gpu else None,
        price=sum(prices) if prices else None,
    )


def _stage(cards: Sequence[Mapping[str, Any]], stages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    total = _total(cards, stages).to_dict()
    usage = [stage["usage"] for stage in stages if "usage" in stage]
    counts = {name: sum(one.get(name) or 0 for one in usage) for name in ("requests", "tokens_in", "tokens_out")}
    return {
        "backend": stages[0]["backend"],
        **{name: value for name, value in total.items() if name != "audio_seconds"},
        **({name: count for name, count in counts.items() if count}),
    }


def _distinct(devices: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for one in devices:
        if one and one not in found:
            found.append(one)
    return found
