"""Each check finds the fault that was planted for it, and no other check mistakes that fault for one of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from parakh import qc
from parakh.audio import inspect
from parakh.dataset.checking import check
from parakh.types import Finding
from tests import planted, sound_plantings, text_plantings
from tests.plantings import PLANTINGS

pytest.importorskip("av", reason="the cascade extra, which decodes the bundled conversations, is not installed")

SAME_FAULT = {"QC206": {"QC114"}}
"""Checks that see the fault of another one from their own side: in a wrong language every word is of a foreign script."""
KINDS = (text_plantings, sound_plantings)
"""The modules whose plantings are entered beside those of ``tests/plantings.py``."""


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("planted") / "clean"
    planted.build(root)
    return root


@pytest.fixture(scope="module", autouse=True)
def _each_audio_file_is_heard_once() -> Iterator[None]:
    """Copies share the files that are not changed, so what was heard in one holds for all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inspect, "inspect", _remembering(inspect.inspect))
        yield


def _remembering(inspect: Callable[..., object]) -> Callable[..., object]:
    known: dict[tuple[int, int, int, bool], object] = {}

    def remembered(path: Path, *, decode: bool) -> object:
        about = path.stat()
        key = (about.st_ino, about.st_mtime_ns, about.st_size, decode)
        if key not in known:
            known[key] = inspect(path, decode=decode)
        return known[key]

    return remembered


def findings(root: Path, audio: str) -> list[tuple[str, str, int | None]]:
    """Code, file relative to the data set's folder, and line of each finding."""
    return [placed(one, root) for one in check(root, audio=audio).findings]


def placed(one: Finding, root: Path) -> tuple[str, str, int | None]:
    return one.code, Path(one.path or root).relative_to(root).as_posix(), one.line


def without_values(text: str) -> str:
    """A message without what differs from one finding to the next."""
    return re.sub(r"[\da-f•]{3,}…|\d+(\.\d+)?|0:\d\d", "#", " ".join(text.split()))


def test_every_check_has_a_planting() -> None:
    assert set(qc.all_checks()) <= set(PLANTINGS)


def test_nothing_is_found_in_the_clean_set(clean: Path) -> None:
    assert findings(clean, "full") == []


@pytest.mark.parametrize("code", qc.all_checks())
def test_the_planted_fault_is_found_and_nothing_else(code: str, clean: Path, tmp_path: Path) -> None:
    copy = planted.copied(clean, tmp_path / "set")
    planting = PLANTINGS[code]
    place = planting.plant(copy)
    if planting.sealed:
        copy.seal()
    places = place if isinstance(place, list) else [place]
    told = check(copy.root, audio=planting.audio).findings
    found = [placed(one, copy.root) for one in told]
    also = SAME_FAULT.get(code, set()) & set(qc.all_checks())
    assert sorted((one for one in found if one[0] not in also), key=str) == sorted(((code, *one) for one in places), key=str)
    assert {one[0] for one in found} == {code, *also}
    example = qc.about(qc.all_checks()[code]).sections["Example"]
    if example.startswith("It says: "):
        assert without_values(example) in {without_values(f'It says: "{one.message}".') for one in told}
