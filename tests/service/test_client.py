"""The client and ``parakh submit`` against a real server on this machine."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from parakh.cli.submit import Request, run
from parakh.errors import InputError, UnavailableError
from parakh.leaderboard.client import Client, ServerError
from parakh.leaderboard.validation import check
from tests.service import sites
from tests.service.sites import NAME, Site


@pytest.fixture(scope="module")
def address(site: Site) -> Iterator[str]:
    with sites.served(site.app) as address:
        yield address


def parakh(*words: str, token: str = "") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PARAKH_TOKEN": token}
    return subprocess.run(
        [sys.executable, "-m", "parakh.cli.main", *words], check=False, capture_output=True, text=True, env=env, timeout=120
    )


def submit(address: str, path: Path, *more: str, token: str, track: str = "diarization") -> subprocess.CompletedProcess[str]:
    place = ("--server", address, "--challenge", NAME, "--phase", "scores", "--track", track)
    return parakh("submit", str(path), *place, *more, token=token)


def test_a_file_is_checked_sent_waited_for_and_scored(site: Site, address: str, tmp_path: Path) -> None:
    client = Client(address + "/", site.token("one@example.org"))
    assert [one["name"] for one in client.challenges()] == [NAME]
    with zipfile.ZipFile(tmp_path / "उत्तर.zip", "w") as archive:
        archive.writestr("answers/all.rttm", sites.answer(0.25))
    kit = client.kit(NAME, "scores", "diarization")
    assert check(tmp_path / "उत्तर.zip", kit).faults == ()
    made = client.submit(
        tmp_path / "उत्तर.zip",
        NAME,
        "scores",
        "diarization",
        system="प्रणाली",
        description="a\nb",
        tags=["x", "y"],
        paper="https://example.org",
    )
    assert (made["state"], made["system"], made["tags"], made["file_name"]) == ("queued", "प्रणाली", ["x", "y"], "उत्तर.zip")
    assert client.wait(made["id"], seconds=0.1, every=0.05)["state"] == "queued"
    threading.Timer(0.2, site.score).start()
    scored = client.wait(made["id"], seconds=60, every=0.1)
    assert scored["state"] == "scored"
    assert 0 < scored["scores"]["der"]["value"] < 1
    assert scored["recordings"] is None  # this phase shows scores alone


def test_what_a_server_refuses_is_told_in_its_words(site: Site, address: str, tmp_path: Path) -> None:
    client = Client(address, site.token("one@example.org"))
    (tmp_path / "a.rttm").write_bytes(sites.answer())
    for place in ((NAME, "none", "diarization"), (NAME, "scores", "none"), ("none", "scores", "diarization")):
        with pytest.raises(ServerError, match="There is no such page") as caught:
            client.submit(tmp_path / "a.rttm", *place)
        assert caught.value.status == 404
    with pytest.raises(ServerError, match="found no token") as caught:
        Client(address).submit(tmp_path / "a.rttm", NAME, "scores", "diarization")
    assert caught.value.status == 401
    with pytest.raises(ServerError, match="does not allow to submit") as caught:
        Client(address, site.token("one@example.org", "read")).submit(tmp_path / "a.rttm", NAME, "scores", "diarization")
    assert caught.value.status == 403
    with pytest.raises(ServerError, match="expected an address that begins with http") as caught:
        client.submit(tmp_path / "a.rttm", NAME, "scores", "diarization", paper="ftp://x")
    assert caught.value.status == 422
    with pytest.raises(InputError, match="a file that can be read"):
        client.submit(tmp_path / "none", NAME, "scores", "diarization")


def test_a_refusal_in_the_midst_of_a_large_file_is_read(site: Site, address: str, tmp_path: Path) -> None:
    with (tmp_path / "large.rttm").open("wb") as file:
        file.truncate(60 * 2**20)
    with pytest.raises(ServerError, match="first make or join a team"):
        Client(address, site.token("alone@example.org")).submit(tmp_path / "large.rttm", NAME, "scores", "diarization")


def test_servers_that_are_none(tmp_path: Path) -> None:
    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if "moved" in self.path:
                self.send_response(302)
                self.send_header("Location", "http://127.0.0.1:9/")
            else:
                self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>")

        def log_message(self, format: str, *args: object) -> None:
            """Keep silent."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        here = f"http://127.0.0.1:{server.server_port}"
        with pytest.raises(UnavailableError, match="is it a Parakh leaderboard"):
            Client(here).challenges()
        with pytest.raises(ServerError, match="sends elsewhere"):
            Client(f"{here}/moved").challenges()
        server.shutdown()
    with pytest.raises(UnavailableError, match="cannot be reached"):
        Client(here).challenges()
    with pytest.raises(InputError, match="expected https"):
        Client("http://board.example.org", "parakh_x")
    with pytest.raises(InputError, match="expected an address"):
        Client("board.example.org")
    with pytest.raises(InputError, match="characters that no token has"):
        Client(here, "parakh_\r\nX: y")


def test_the_command_checks_here_and_hands_in(site: Site, address: str, tmp_path: Path) -> None:
    token = site.token("two@example.org")
    (tmp_path / "bad.rttm").write_bytes(sites.answer().replace(b"visit3", b"visit9"))
    done = submit(address, tmp_path / "bad.rttm", token=token)
    assert done.returncode == 1, done.stderr
    assert "visit3" in done.stdout
    assert "not sent: " in done.stdout.splitlines()[-1]
    assert Client(address, token)._get("/submissions") == []
    (tmp_path / "good.rttm").write_bytes(sites.answer(0.75))
    done = submit(address, tmp_path / "good.rttm", "--system", "Ours", "--tag", "a", "--tag", "b", "--json", token=token)
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert (made["system"], made["tags"], made["address"]) == ("Ours", ["a", "b"], f"{address}/s/{made['id']}")


def test_the_command_waits_for_scores_and_for_faults(site: Site, address: str, tmp_path: Path) -> None:
    token = site.token("two@example.org")
    (tmp_path / "good.rttm").write_bytes(sites.answer(0.8))
    (tmp_path / "bad.rttm").write_bytes(b"SPEAKER visit1 1 x 1 a\n")
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.2):
            site.score()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        done = submit(address, tmp_path / "good.rttm", "--wait", token=token)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("scored: ")
        assert "\nder " in done.stdout
        done = submit(address, tmp_path / "bad.rttm", "--wait", "--no-check", token=token)
    finally:
        stop.set()
        worker.join()
    assert done.returncode == 1
    assert "bad.rttm:1: " in done.stdout


def test_a_token_to_submit_is_enough_to_check_send_and_wait(site: Site, address: str, tmp_path: Path) -> None:
    (tmp_path / "good.rttm").write_bytes(sites.answer(0.85))
    timer = threading.Timer(4.0, site.score)
    timer.start()
    done = submit(address, tmp_path / "good.rttm", "--wait", token=site.token("two@example.org", "submit"))
    timer.join()
    assert (done.returncode, done.stdout.partition(":")[0]) == (0, "scored"), done.stderr


def test_whoever_cannot_learn_the_outcome_is_told_that_it_was_taken(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "good.rttm").write_bytes(sites.answer(0.95))
    monkeypatch.setenv("PARAKH_TOKEN", site.token("two@example.org"))

    def revoked(client: Client, submission_id: str, *_: object) -> dict[str, object]:
        client.token = "parakh_" + "a" * 40  # as if it had been revoked meanwhile
        return client.status(submission_id)

    monkeypatch.setattr(Client, "wait", revoked)
    with sites.served(site.app) as address:
        request = Request(tmp_path / "good.rttm", address, NAME, "scores", "diarization", wait=True, as_json=True)
        assert run(request) == 3
    printed = capsys.readouterr()
    made = json.loads(printed.out)
    assert made["state"] == "queued"
    assert "this token is none" in printed.err
    assert printed.err.endswith(f"do not send it again. Look at {made['address']}\n")


def test_the_token_comes_from_the_environment_or_a_file_that_is_ones_own(site: Site, address: str, tmp_path: Path) -> None:
    (tmp_path / "a.rttm").write_bytes(sites.answer(0.9))
    file = tmp_path / "token"
    file.write_text(site.token("two@example.org") + "\n")
    file.chmod(0o644)
    done = submit(address, tmp_path / "a.rttm", "--token-file", str(file), token="")
    assert (done.returncode, "found a file that others may read, expected mode 0600" in done.stderr) == (2, True)
    file.chmod(0o600)
    assert submit(address, tmp_path / "a.rttm", "--token-file", str(file), token="").returncode == 0
    done = submit(address, tmp_path / "a.rttm", "--token-file", str(tmp_path / "none"), token="")
    assert (done.returncode, "Make one on your account's page" in done.stderr) == (2, True)
    done = submit(address, tmp_path / "a.rttm", token="parakh_" + "a" * 40)
    assert (done.returncode, "this token is none" in done.stderr) == (2, True)
