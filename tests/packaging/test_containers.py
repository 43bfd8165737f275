"""The image and the compose file say what the command line and the settings take."""

import fnmatch
import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import typer
import yaml

from parakh.cli import main
from parakh.leaderboard.settings import Settings

ROOT = Path(__file__).parent.parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def instructions(name: str) -> list[str]:
    """What follows each instruction of that name, its lines joined."""
    joined = re.sub(r"\\\n\s*", "", DOCKERFILE)
    return re.findall(rf"^{name} (.*)$", joined, re.M)


def with_defaults(text: str) -> str:
    """What compose makes of ``${NAME:-default}`` where nothing is set."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)


def test_what_is_copied_is_there_and_let_in() -> None:
    sources = [name for line in instructions("COPY") if "--from" not in line for name in line.split()[:-1]]
    assert [name for name in sources if not (ROOT / name).exists()] == []
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert ignored[1] == "*"
    assert {line[1:] for line in ignored if line.startswith("!")} == set(sources)


def test_every_file_that_builds_the_package_is_copied() -> None:
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    wanted = {*re.findall(r"^  (native/\S+)$", cmake, re.M), *re.findall(r"DIRECTORY (\S+)/", cmake), "src/parakh"}
    wanted |= {PROJECT["project"]["readme"], *PROJECT["project"]["license-files"], "pyproject.toml", "CMakeLists.txt"}
    copied = [name for line in instructions("COPY") if "--from" not in line for name in line.split()[:-1]]
    assert [name for name in wanted if not any(fnmatch.fnmatch(name, one) or name.startswith(f"{one}/") for one in copied)] == []


def test_its_extras_are_those_of_the_package() -> None:
    found = re.search(r'"\$wheel\[([a-z,]+)\]"', DOCKERFILE)
    assert found
    assert set(found[1].split(",")) <= set(PROJECT["project"]["optional-dependencies"])


def test_it_runs_as_nobody_special() -> None:
    assert instructions("USER") == ["parakh"]
    assert [json.loads(line) for line in instructions("ENTRYPOINT")] == [["parakh"]]


def test_commands_of_the_services_parse() -> None:
    command: Any = typer.main.get_command(main.app)
    for name in ("web", "worker"):
        verb, *arguments = COMPOSE["services"][name]["command"]
        with command.make_context("parakh", [verb]) as context:
            command.get_command(context, verb).make_context(verb, arguments, parent=context)


def test_its_settings_are_read(tmp_path: Path) -> None:
    board = tmp_path / "board.toml"
    board.write_text(with_defaults(COMPOSE["configs"]["board"]["content"]), encoding="utf-8")
    settings = Settings.load(board)
    assert settings.database_url == "postgresql://parakh@database/board"
    assert (settings.address, settings.workers, str(settings.data)) == ("http://localhost:8000", 2, "/data")


def test_the_password_reaches_the_process_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("planted\n", encoding="utf-8")
    parakh = tmp_path / "parakh"
    parakh.write_text('#!/bin/sh\necho "$PGPASSWORD" "$@"\n', encoding="utf-8")
    parakh.chmod(0o755)
    web = COMPOSE["services"]["web"]
    place = f"/run/secrets/{web['secrets'][0]}"
    entry = [part.replace("$$", "$").replace(place, str(tmp_path / "password")) for part in web["entrypoint"]]
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run([*entry, *web["command"]], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"planted {' '.join(web['command'])}\n"
    database = COMPOSE["services"]["database"]
    assert database["environment"]["POSTGRES_PASSWORD_FILE"] == place
    assert "PASSWORD" not in {*web.get("environment", {}), *COMPOSE["services"]["worker"].get("environment", {})}


def test_what_services_mount_is_declared() -> None:
    for service in COMPOSE["services"].values():
        assert {one.partition(":")[0] for one in service.get("volumes", ())} <= set(COMPOSE["volumes"])
        assert set(service.get("secrets", ())) <= set(COMPOSE["secrets"])
        assert {one["source"] for one in service.get("configs", ())} <= set(COMPOSE["configs"])
