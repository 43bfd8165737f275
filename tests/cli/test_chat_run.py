"""A run with chat models in four stages, and the effect of the correction scored, by the commands of the page on chat models."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("openai", reason="the llm extra is not installed")
pytest.importorskip("av", reason="the cascade extra is not installed")

ROOT = Path(__file__).parent.parent.parent
SERVER = ROOT / "tests" / "contract" / "faulty_chat_server.py"
PRESET = """
[diarizer]
name = "external"
path = "examples/rttm"
[transcriber]
name = "external"
path = "examples/transcripts"
[correction]
name = "llm"
base_url = "{url}"
model = "mishear"
batch = 1000
[translator]
name = "llm"
base_url = "{url}"
model = "echo"
[topics]
name = "llm"
base_url = "{url}"
model = "ok"
demographics = true
shots = "examples"
n_shots = 3
[summary]
name = "llm"
base_url = "{url}"
model = "prose"
price_in = 1.0
price_out = 1.0
"""


@pytest.fixture
def url() -> Iterator[str]:
    process = subprocess.Popen([sys.executable, str(SERVER)], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
    process.terminate()
    process.wait(10)
    process.stdout.close()


def parakh(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "parakh.cli.main", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_effect_of_a_correction_is_scored(url: str, tmp_path: Path) -> None:
    preset = tmp_path / "chat.toml"
    preset.write_text(PRESET.format(url=url))
    out = tmp_path / "out"
    run = parakh("run", "examples", "--out", str(out), "--preset", str(preset))
    assert run.returncode == 1, run.stderr  # there is neither English nor a summary
    assert f"correction llm sends conversations to {url}" in " ".join(run.stderr.split())
    assert "hi_anc_01: no summary: The model's reply cannot be used: found 0 summaries" in run.stdout
    assert "98765" not in run.stdout
    card = json.loads((out / "runs" / "hi_anc_01.json").read_text(encoding="utf-8"))
    assert any("corrected-turns" in finding for finding in card["findings"])
    status = {stage["kind"]: (stage["status"], stage.get("reason", "")) for stage in card["stages"]}
    assert status["translator"] == ("unavailable", status["translator"][1])  # nothing came back in English
    assert "turns came back from the chat model as asked for" in status["translator"][1]
    assert (out / "topics" / "hi_anc_01_Topic_pred.txt").read_text(encoding="utf-8").strip() == "Fever, Cough"
    assert not (out / "summaries").exists()
    for name in ("seglst", "uncorrected"):
        scored = parakh(
            "score", "asr", "-r", "examples/transcripts", "-h", str(out / name), "--json", str(tmp_path / f"{name}.json")
        )
        assert scored.returncode == 0, scored.stderr
    compared = parakh("compare", str(tmp_path / "uncorrected.json"), str(tmp_path / "seglst.json"), "--samples", "200")
    assert compared.returncode == 0, compared.stderr
