"""The configuration of the service."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from parakh.errors import InputError
from parakh.leaderboard.settings import SECRET, JobLimits, Oidc, Settings
from parakh.text.masking import private

WHOLE = """
data = "place"
database_url = "postgresql://parakh@db/parakh"
address = "https://board.example.org"
workers = 4
upload_bytes = 1000000
sign_up = false
private_webhooks = true
[job]
seconds = 60
memory = 1000000000
[oidc]
issuer = "https://login.example.org"
client = "board"
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "parakh-server.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_everything_is_in_the_data_folder_wherever_a_job_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    made = Settings.load(None, {"data": "x"})
    place = tmp_path / "x"
    assert (made.data, made.database_url) == (place, f"sqlite:///{place}/parakh.sqlite")
    assert made.queue_url == f"sqlite:///{place}/queue.sqlite"
    assert (made.secure, made.oidc, made.store) == (False, None, place / "store")


def test_a_whole_file_and_what_goes_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET, "hush")
    made = Settings.load(written(tmp_path, WHOLE), {"workers": 2, "data": None})
    assert made == Settings(
        Path("place").absolute(),
        database_url="postgresql://parakh@db/parakh",
        address="https://board.example.org",
        workers=2,
        upload_bytes=1_000_000,
        sign_up=False,
        private_webhooks=True,
        job=JobLimits(60, 1_000_000_000),
        oidc=Oidc("https://login.example.org", "board", "hush"),
    )
    assert made.secure
    assert made.queue_url == made.database_url


def test_all_faults_at_once(tmp_path: Path) -> None:
    text = 'adress = "x"\nworkers = "two"\n[job]\ncpus = 3\n[oidc]\nsecret = "hush"\n'
    with pytest.raises(InputError) as error:
        Settings.load(written(tmp_path, text))
    path = tmp_path / "parakh-server.toml"
    lines = str(error.value).splitlines()
    assert lines[0].startswith(f"{path}: adress: found a key that there is not, expected one of data, database_url")
    assert lines[0].endswith("Did you mean 'address'?")
    assert f"{path}: workers: found 'two', expected a whole number." in lines
    assert f"{path}: job.cpus: found a key that there is not, expected one of seconds, memory, cpu. Did you mean 'cpu'?" in lines
    assert any(line.startswith(f"{path}: oidc.secret: found a key that there is not") for line in lines)
    assert f"{path}: oidc.issuer: found nothing, expected text. Add it." in lines
    assert "hush" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("workers = 0", "workers: found 0, expected a whole number from 1 to 256."),
        ('database_url = "mysql://x"', "database_url: found 'mysql://x', expected sqlite:///PATH"),
        ('address = "board.example.org"', "address: found 'board.example.org', expected"),
        ("upload_bytes = 3000000000", "upload_bytes: found 3000000000, expected"),
        ("[job]\nmemory = 1000", "job.memory: found 1000, expected at least 268435456 bytes."),
        ("[oidc]\nissuer = 'http://login.example.org'\nclient = 'a'", "oidc.issuer: found 'http://login.example.org', expected"),
        ("job = 3", "job: found 3, expected a table."),
        ("= 3", "found no TOML"),
    ],
)
def test_what_is_out_of_range_is_told(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        Settings.load(written(tmp_path, text))
    assert message in str(error.value)


def test_what_is_out_of_range_is_told_once_and_with_the_rest(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        Settings.load(written(tmp_path, 'workers = "two"\nupload_bytes = -1\n'), {"database_url": "mysql://x"})
    path = tmp_path / "parakh-server.toml"
    assert str(private(error.value)).splitlines() == [
        f"{path}: workers: found 'two', expected a whole number.",
        f"{path}: database_url: found 'mysql://x', expected sqlite:///PATH or postgresql://HOST/NAME.",
        f"{path}: upload_bytes: found -1, expected at least 1 byte and less than 2 GiB.",
    ]


def test_a_password_in_an_address_is_not_told(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        Settings.load(None, {"database_url": "mysql://me:hush@host/x"})
    assert "hush" not in str(error.value)


def test_the_settings_in_the_docs_are_settings(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "leaderboard.md").read_text(encoding="utf-8")
    block = re.findall(r"```toml\n(.*?)```", text, re.S)[0]
    made = Settings.load(written(tmp_path, block))
    told = set(re.findall(r"^([a-z_]+) =", block.partition("[job]")[0], re.M))
    known = {one.name for one in dataclasses.fields(Settings)} - {"job", "oidc"}
    assert told == known
    assert made.oidc == Oidc("https://login.example.org/realms/lab", "parakh", "", "the lab's account")
    assert made.job == JobLimits()
