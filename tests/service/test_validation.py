"""The check of a submission."""

import zipfile
from pathlib import Path

import pytest

from parakh.leaderboard.challenge_file import load_challenge
from parakh.leaderboard.kit import Kit
from parakh.leaderboard.validation import check

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def kits() -> dict[str, Kit]:
    challenge = load_challenge(EXAMPLES / "challenge" / "challenge.toml")
    return {one.key: Kit.of(challenge, EXAMPLES / "challenge", "eval", one.key) for one in challenge.tracks}


def packed(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def folder(name: str, under: str = "") -> dict[str, bytes]:
    return {f"{under}{path.name}": path.read_bytes() for path in sorted((EXAMPLES / name).iterdir())}


@pytest.mark.parametrize(
    ("track", "source", "count"), [("diarization", "rttm", 116), ("asr", "transcripts", 111), ("diarization", "transcripts", 111)]
)
def test_a_folder_of_answers_is_fine(track: str, source: str, count: int, kits: dict[str, Kit], tmp_path: Path) -> None:
    junk = {"__MACOSX/top/._x.rttm": b"\0\1", "top/.DS_Store": b"\0", "top/Thumbs.db": b"\0", "top/README.md": b"# Ours"}
    checked = check(packed(tmp_path / "a.zip", {**folder(source, "top/"), **junk}), kits[track])
    assert (len(checked.items), checked.faults) == (count, ())
    assert [one.message for one in checked.findings] == ["1 file passed over: top/README.md"]


@pytest.mark.parametrize(("track", "name"), [("topics", "topics.csv"), ("summarization", "summaries.csv")])
def test_one_file_is_fine(track: str, name: str, kits: dict[str, Kit], tmp_path: Path) -> None:
    (tmp_path / "blob").write_bytes((EXAMPLES / name).read_bytes())
    assert len(check(tmp_path / "blob", kits[track], file_name=name).items) == 4
