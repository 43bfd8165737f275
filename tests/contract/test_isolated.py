"""A backend in a process of its own: an outside package in its own environment, real messages, real deaths."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
import venv
from pathlib import Path

import numpy as np
import pytest

from parakh.audio.decode import SAMPLE_RATE, Audio, load_audio
from parakh.cascade import environments, metering, noticing
from parakh.cascade.isolated import Isolated
from parakh.cascade.pipeline import process
from parakh.cascade.preset import load_preset
from parakh.errors import Fault, InputError, ParakhError, UnavailableError
from parakh.models import store
from parakh.types import Finding, Segment

PLUGIN = '''
import os, signal, sys
from dataclasses import dataclass, replace
from pathlib import Path
from parakh.cascade import metering, noticing
from parakh.errors import Fault, InputError, MissingPackageError

MODELS = ()

@dataclass(frozen=True)
class Backend:
    """Says the loudest sample of each turn."""
    trace: str = ""
    mood: str = "calm"

    def ready(self):
        if self.mood == "bare":
            raise MissingPackageError("echolib", "torch", "transcriber echo")

    def transcribe(self, audio, segments):
        if self.trace:
            with open(self.trace, "a") as file:
                file.write(f"{os.getpid()}\\n")
        lives = Path(self.trace).read_text().splitlines() if self.trace else []
        print("a library that prints to standard output")
        if self.mood == "mortal" and len(set(lives)) < 2 or self.mood == "doomed":
            print("CUDA out of memory: the model is too large", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        if self.mood == "wrong":
            raise InputError(Fault("v", "samples", "noise", "speech", line=3))
        if self.mood == "broken":
            raise ZeroDivisionError("division by zero\\nand more")
        metering.add(requests=1, tokens_in=700, price=0.25)
        noticing.note("echo", "heard an echo", time=61.0)
        return [replace(s, words=f"{float(audio.samples.max()):.3f}", word_times=((0.5, 1.0),), language=audio.language) for s in segments]
'''


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter in whose environment an outside package declares a transcriber; it has numpy and nothing of ours."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, symlinks=True)
    packages = next(home.glob("lib/python*/site-packages"))
    (packages / "numpy.pth").write_text(str(Path(np.__file__).parents[1]))
    (packages / "echoing.py").write_text(PLUGIN)
    (packages / "echoing-1.0.dist-info").mkdir()
    (packages / "echoing-1.0.dist-info" / "entry_points.txt").write_text("[parakh.transcriber]\necho = echoing\n")
    (packages / "echoing-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: echoing\nVersion: 1.0\n")
    return home / "bin" / "python"


def echo(python: Path, **options: str) -> Isolated:
    return Isolated("transcriber", "echo", options, str(python))


AUDIO = Audio("v", np.full(SAMPLE_RATE, 0.125, np.float32), "hi", (Finding("damaged-audio", "has a gap"),))
TURN = Segment("v", "a", 0.25, 0.75, role="health_worker")


def test_a_backend_answers_from_its_own_environment_in_one_process(python: Path, tmp_path: Path) -> None:
    backend = echo(python, trace=str(tmp_path / "trace"))
    backend.ready()
    with metering.measured() as usage, noticing.collected() as findings:
        heard = [backend.transcribe(AUDIO, [TURN, TURN]) for _ in range(3)]
    assert heard[0] == [Segment("v", "a", 0.25, 0.75, "0.125", "health_worker", "hi", word_times=((0.5, 1.0),))] * 2
    assert usage == metering.Usage(requests=3, tokens_in=2100, price=0.75)
    assert [str(one) for one in findings] == ["warning echo: at 1:01.0: heard an echo"] * 3
    assert len(set((tmp_path / "trace").read_text().split())) == 1


def test_half_an_hour_of_audio_arrives_whole(python: Path) -> None:
    samples = np.zeros(1800 * SAMPLE_RATE, np.float32)
    samples[-1] = 0.75
    assert echo(python).transcribe(Audio("v", samples), [TURN])[0].words == "0.750"


def test_a_process_that_dies_is_started_once_more(python: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    assert echo(python, trace=str(trace), mood="mortal").transcribe(AUDIO, [TURN])[0].words == "0.125"
    assert len(set(trace.read_text().split())) == 2


def test_a_process_that_is_killed_between_two_recordings_is_replaced(python: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    backend = echo(python, trace=str(trace))
    backend.transcribe(AUDIO, [TURN])
    os.kill(int(trace.read_text()), signal.SIGKILL)
    assert backend.transcribe(AUDIO, [TURN])[0].words == "0.125"
    assert len(set(trace.read_text().split())) == 2


def test_a_process_that_dies_again_tells_its_last_words(python: Path, tmp_path: Path) -> None:
    backend = echo(python, trace=str(tmp_path / "trace"), mood="doomed")
    for tries in (2, 4):  # the next recording gets a new chance
        with pytest.raises(
            UnavailableError, match=r"ended twice .*CUDA out of memory: the model is too large \| exit status -9$"
        ):
            backend.transcribe(AUDIO, [TURN])
        assert len(set((tmp_path / "trace").read_text().split())) == tries


def test_errors_travel_as_what_they_are(python: Path) -> None:
    with pytest.raises(InputError) as caught:
        echo(python, mood="wrong").transcribe(AUDIO, [TURN])
    assert caught.value.faults == (Fault("v", "samples", "noise", "speech", line=3),)
    assert str(caught.value) == "v:3: samples: found noise, expected speech."
    broken = echo(python, mood="broken")
    for _ in range(2):
        with pytest.raises(UnavailableError, match=r"failed in its own process \(ZeroDivisionError: division by zero\)$"):
            broken.transcribe(AUDIO, [TURN])


def test_a_package_that_the_environment_lacks_is_named_with_its_interpreter(python: Path) -> None:
    with pytest.raises(UnavailableError, match=rf"needs the package echolib, .* Run: {python} -m pip install echolib$"):
        echo(python, mood="bare").ready()


def test_wrong_options_are_told_by_the_process_and_do_not_stay(python: Path) -> None:
    backend = echo(python, tempo="fast")
    for _ in range(2):
        with pytest.raises(UnavailableError, match="unexpected keyword argument 'tempo'"):
            backend.transcribe(AUDIO, [TURN])
    with pytest.raises(ParakhError, match=r"there is no transcriber 'eco'"):
        Isolated("transcriber", "eco", {}, str(python)).ready()


def test_an_interpreter_that_cannot_serve_is_told_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="ended twice without an answer"):
        Isolated("transcriber", "external", {}, "/bin/false").ready()
    with pytest.raises(UnavailableError, match="ended twice without an answer"):  # what it writes is no frame
        Isolated("transcriber", "external", {}, "/bin/echo").ready()
    script = tmp_path / "python"
    script.write_text("no program")
    script.chmod(0o755)
    with pytest.raises(UnavailableError, match="cannot be started"):
        Isolated("transcriber", "external", {}, str(script)).ready()


def test_the_process_ends_with_its_caller(python: Path, tmp_path: Path) -> None:
    code = f"""
import numpy as np
from parakh.audio.decode import Audio
from parakh.cascade.isolated import Isolated
from parakh.types import Segment
backend = Isolated("transcriber", "echo", {{"trace": {str(tmp_path / "trace")!r}}}, {str(python)!r})
backend.transcribe(Audio("v", np.zeros(9, np.float32)), [Segment("v", "a", 0.0, 1.0)])
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    pid = int((tmp_path / "trace").read_text())
    for _ in range(50):
        if not Path(f"/proc/{pid}").exists():
            break
        time.sleep(0.1)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_copy_starts_its_own_process(python: Path, tmp_path: Path) -> None:
    backend = echo(python, trace=str(tmp_path / "trace"))
    backend.transcribe(AUDIO, [TURN])
    copy = pickle.loads(pickle.dumps(backend))
    assert copy == backend
    copy.transcribe(AUDIO, [TURN])
    assert len(set((tmp_path / "trace").read_text().split())) == 2


def test_a_stage_of_a_preset_runs_where_it_says(tmp_path: Path) -> None:
    (tmp_path / "turns.rttm").write_text("SPEAKER v 1 0.00 1.00 <NA> <NA> a <NA> <NA>\n")
    (tmp_path / "words.json").write_text(
        json.dumps([{"session_id": "v", "speaker": "a", "start_time": 0, "end_time": 1, "words": "जी हाँ"}])
    )
    preset = tmp_path / "own.toml"
    preset.write_text(
        f'[diarizer]\nname = "external"\npath = "{tmp_path}/turns.rttm"\n'
        f'[transcriber]\nname = "external"\npath = "{tmp_path}/words.json"\npython = "{sys.executable}"\n'
    )
    visit = process(AUDIO, load_preset(str(preset)))
    assert [turn.words for turn in visit.transcript] == ["जी हाँ"]
    here = load_preset(str(preset), ["transcriber.python=faster-whisper"])
    assert here.digest != load_preset(str(preset)).digest
    with pytest.raises(InputError, match=r"--set: transcriber\.python: found 'qwen3asr', expected .* Did you mean 'qwen3-asr'\?"):
        load_preset(str(preset), ["transcriber.python=qwen3asr"])
    preset.write_text(preset.read_text().replace("words.json", "nothing.json"))
    with pytest.raises(InputError, match=r"nothing\.json: found no such file"):
        load_preset(str(preset))


def test_what_a_stage_notices_is_in_the_findings_of_the_visit(python: Path) -> None:
    from parakh.cascade.preset import Preset, Stage

    class OneTurn:
        def diarize(self, audio: Audio) -> list[Segment]:
            return [TURN]

    stages = (Stage("diarizer", "one", OneTurn(), (), None), Stage("transcriber", "echo", echo(python), (), None))
    visit = process(AUDIO, Preset("test", "test", stages, "digest"))
    assert [str(one) for one in visit.findings] == [
        "warning damaged-audio: has a gap",
        "v: warning echo: at 1:01.0: heard an echo",
    ]


def test_an_environment_that_is_not_built_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAKH_ENVIRONMENTS", str(tmp_path))
    with pytest.raises(UnavailableError, match=r"found none in .*, expected it built\. Run: parakh environment build qwen3-asr$"):
        Isolated("transcriber", "external", {}, "qwen3-asr").ready()
    (tmp_path / "qwen3-asr").mkdir()
    (tmp_path / "qwen3-asr" / "parakh-built").write_text("0" * 64)
    with pytest.raises(UnavailableError, match="found one built from other requirements"):
        environments.interpreter("qwen3-asr")


@pytest.mark.parametrize("name", environments.names())
def test_requirements_are_pinned_and_torch_comes_first(name: str) -> None:
    title, *pins = environments.declared(name).requirements.read_text().splitlines()
    assert title.startswith("# ")
    assert title.endswith(".")
    assert [pin for pin in pins if "==" not in pin] == []
    assert "torch" not in [pin.partition("==")[0] for pin in pins[1:]]


@pytest.mark.skipif(
    not environments.is_built(environments.declared("faster-whisper")) or store.path("whisper-base") is None,
    reason="run: parakh environment build faster-whisper && parakh models get whisper-base",
)
def test_whisper_hears_english_in_an_environment_without_torch() -> None:
    sample = Path(__file__).parents[2] / "../shared/data/pyannote-audio/src/pyannote/audio/sample/sample.wav"
    if not sample.is_file():
        pytest.skip("the pyannote sample is not beside the project")
    options = {"weights": str(store.get("whisper-base")), "beam": 1, "threads": 1}
    whisper = Isolated("transcriber", "whisper", options, "faster-whisper")
    whisper.ready()
    (heard,) = whisper.transcribe(load_audio(sample), [Segment("v", "a", 6.0, 12.0)])
    assert "didn't know you were there" in heard.words
    assert len(heard.word_times) == len(heard.words.split())
