"""Backups: written while the service works, and read back into an empty place."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from pathlib import Path

import pytest

from parakh.errors import InputError, ParakhError
from parakh.leaderboard import accounts
from parakh.leaderboard.backup import backup, restore
from parakh.leaderboard.database import Database
from parakh.leaderboard.settings import Settings
from tests.service import backups
from tests.service.worlds import PASSWORD, World


@pytest.mark.parametrize("name", ["backup.tar", "backup.tar.gz"])
def test_everything_comes_back(world: World, tmp_path: Path, name: str) -> None:
    world.submit()
    made = backup(world.settings, tmp_path / name)
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    settings = Settings(tmp_path / "new")
    read = restore(settings, tmp_path / name)
    assert read == made
    assert made.rows["submissions"] == 1
    assert backups.rows(settings) == backups.rows(world.settings)
    backups.check_whole(settings)
    there = {path.relative_to(settings.data) for path in settings.data.rglob("*") if path.is_file()}
    original = {path.relative_to(world.settings.data) for path in world.settings.data.rglob("*") if path.is_file()}
    assert {path for path in original if path.parts[0] in {"store", "challenges"}} <= there
    assert not list(settings.data.glob(".*"))
    database = Database(settings.database_url)
    assert accounts.log_in(database, "asha@example.org", PASSWORD)
    database.close()


def test_a_backup_while_submissions_come_in_holds_one_state(world: World, tmp_path: Path) -> None:
    report, before, after = backups.backed_up_while_submissions_come_in(world, tmp_path / "backup.tar")
    settings = Settings(tmp_path / "new")
    restore(settings, tmp_path / "backup.tar")
    held = backups.submissions(settings)
    assert before <= held <= after
    assert len(held) == report.rows["submissions"] >= 5
    backups.check_whole(settings)


def test_only_an_empty_place_is_filled(world: World, tmp_path: Path) -> None:
    backup(world.settings, tmp_path / "backup.tar")
    before = backups.rows(world.settings)
    for settings in (world.settings, Settings(tmp_path / "other", world.settings.database_url)):
        with pytest.raises(InputError, match=r"restore: found .*, expected an empty place"):
            restore(settings, tmp_path / "backup.tar")
    assert backups.rows(world.settings) == before
    assert not (tmp_path / "other").exists()


def changed(path: Path, out: Path, name: str, content: bytes | None) -> Path:
    """A backup with one member changed, or added, or (None) left out."""
    with tarfile.open(path) as old, tarfile.open(out, "w") as new:
        for member in old:
            data = old.extractfile(member)
            assert data is not None
            if member.name != name:
                new.addfile(member, data)
        if content is not None:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            new.addfile(member, io.BytesIO(content))
    return out


def with_link(path: Path, out: Path, kind: bytes, target: str) -> Path:
    """A backup with a link in it."""
    shutil.copy(path, out)
    with tarfile.open(out, "a") as archive:
        member = tarfile.TarInfo("challenges/link")
        member.type, member.linkname = kind, target
        archive.addfile(member)
    return out


def damaged(world: World, folder: Path) -> dict[str, Path]:
    """Backups that are none, by what is wrong with them."""
    key = world.submit().file
    whole = folder / "backup.tar"
    backup(world.settings, whole)
    with tarfile.open(whole) as archive:
        file = archive.extractfile("parakh-backup.json")
        assert file is not None
        about = json.load(file)
    (folder / "cut.tar").write_bytes(whole.read_bytes()[:70_000])
    (folder / "none.tar").write_bytes(b"text")
    newer = json.dumps(about | {"revision": "9999"}).encode()
    store = f"store/{key[:2]}/{key}"
    return {
        "cut": folder / "cut.tar",
        "none": folder / "none.tar",
        "missing": folder / "missing.tar",
        "other content": changed(whole, folder / "other.tar", store, b"other"),
        "a file lost": changed(whole, folder / "lost.tar", store, None),
        "newer": changed(whole, folder / "newer.tar", "parakh-backup.json", newer),
        "outside": changed(whole, folder / "outside.tar", "store/../../outside", b"x"),
        "absolute": changed(whole, folder / "absolute.tar", "/tmp/outside", b"x"),
        "hard link": with_link(whole, folder / "hard.tar", tarfile.LNKTYPE, "../../password"),
        "symbolic link": with_link(whole, folder / "symbolic.tar", tarfile.SYMTYPE, "store"),
        "device": with_link(whole, folder / "device.tar", tarfile.CHRTYPE, ""),
        "rows lost": changed(whole, folder / "rows.tar", "rows/submissions.jsonl", b""),
        "rows broken": changed(whole, folder / "broken.tar", "rows/users.jsonl", b"{"),
        "tables lost": changed(whole, folder / "tables.tar", "rows/users.jsonl", None),
        "nothing told": changed(whole, folder / "untold.tar", "parakh-backup.json", None),
        "nonsense told": changed(whole, folder / "nonsense.tar", "parakh-backup.json", b"[]"),
    }


def test_a_damaged_backup_leaves_nothing(world: World, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "place" / "new")
    for wrong, path in damaged(world, tmp_path).items():
        with pytest.raises(InputError) as error:
            restore(settings, path)
        assert str(path) in str(error.value), wrong
        assert not settings.data.parent.exists(), wrong
    assert not (tmp_path / "outside").exists()
    restore(settings, tmp_path / "backup.tar")


def test_a_file_that_is_lost_is_told(world: World, tmp_path: Path) -> None:
    world.store.path(world.submit().file).unlink()
    with pytest.raises(ParakhError, match=r"a row names this file, and it is not there \(1 such files\)"):
        backup(world.settings, tmp_path / "backup.tar")
    assert list(tmp_path.glob("*.tar*")) == []


def test_without_a_service_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(ParakhError, match="there is no database at sqlite:///"):
        backup(Settings(tmp_path / "nothing"), tmp_path / "backup.tar")
    assert list(tmp_path.iterdir()) == []
