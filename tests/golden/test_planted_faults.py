"""Each check finds the fault that was planted for it, and no other check mistakes that fault for one of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from parakh import qc
from tests import planted
from tests.materials import findings, told
from tests.plantings import PLANTINGS

pytest.importorskip("av", reason="the cascade extra, which decodes the bundled conversations, is not installed")

SAME_FAULT: dict[str, set[str]] = {}
"""Checks that see the fault of another one from their own side."""


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("planted") / "clean"
    planted.build(root)
    return root


def test_every_check_has_a_planting() -> None:
    assert set(PLANTINGS) == set(qc.all_checks())


def test_nothing_is_found_in_the_clean_set(clean: Path) -> None:
    assert findings(clean) == []


@pytest.mark.parametrize("code", qc.all_checks())
def test_the_planted_fault_is_found_and_nothing_else(code: str, clean: Path, tmp_path: Path) -> None:
    copy = planted.copied(clean, tmp_path / "set")
    planting = PLANTINGS[code]
    place = planting.plant(copy)
    places = place if isinstance(place, list) else [place]
    if planting.sealed:
        copy.seal()
    found = told(findings(copy.root), copy.root)
    assert [one for one in found if one[0] not in SAME_FAULT.get(code, set())] == [(code, *one) for one in places]
    assert {one[0] for one in found} == {code, *SAME_FAULT.get(code, set())}
