"""Recordings in workers of their own: the same answers as without, whatever happens to a worker."""

import json
import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from parakh.audio.decode import load_audio
from parakh.cascade import machine, metering
from parakh.cascade.pipeline import Visit
from parakh.cascade.preset import Preset, Stage, load_preset
from parakh.cascade.runner import Execution, budget, find_recordings, run_all
from parakh.cascade.schedule import Failed
from parakh.cascade.worker import Setup, fitted
from parakh.errors import InputError, MissingPackageError, ModelError, ParakhError
from parakh.types import Segment, Topics
from tests.contract.test_runner import Says, TwoTurns, write_wav


@dataclass(frozen=True)
class Unlucky:
    """Finds topics, and meets what its recording is called after.

    Args:
        marks: Folder in which it leaves a mark at every call.
    """

    marks: str
    threads: int = 8

    def find(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Topics:
        name = transcript[0].session_id
        mark = Path(self.marks) / f"{name}.{os.getpid()}.{time.monotonic_ns()}"
        before = len(list(mark.parent.glob(f"{name}.*")))
        mark.touch()
        if name.startswith("dies") or (name.startswith("once") and not before):
            os.kill(os.getpid(), signal.SIGKILL)
        if name.startswith("meets"):
            until = time.monotonic() + 60
            while len({one.name.split(".")[1] for one in mark.parent.glob("meets*")}) < 2 and time.monotonic() < until:
                time.sleep(0.02)
        if name.startswith("raises"):
            raise ValueError("no such\nshape")
        if name.startswith("grows"):
            held = np.ones(60_000_000)  # 480 MB
            time.sleep(2)
            assert held.sum()
        if name.startswith("model"):
            raise ModelError("the weights are damaged. Run: parakh models get x")
        metering.add(requests=2, tokens_in=700, tokens_out=9, price=0.25)
        return Topics("", ("Fever",))


@dataclass(frozen=True)
class NotReady:
    """A backend that cannot work here."""

    def ready(self) -> None:
        raise MissingPackageError("nothing", "torch", "summary 'not-ready'")


@dataclass(frozen=True)
class NotReadyEither:
    """Another one."""

    def ready(self) -> None:
        raise ModelError("no weights. Run: parakh models get y")


def preset(marks: Path, *more: Stage) -> Preset:
    marks.mkdir(exist_ok=True)
    stages = (
        Stage("diarizer", "two-turns", TwoTurns(), (), None),
        Stage("transcriber", "says", Says(), (), None),
        Stage("topics", "unlucky", Unlucky(str(marks)), (), None),
        *more,
    )
    return Preset("test", "test", stages, "digest")


def run(folder: Path, names: Sequence[str], out: str, how: Execution | None, *more: Stage) -> list[Visit | Failed]:
    wavs = folder / f"wavs-{out}"
    wavs.mkdir()
    for name in names:
        write_wav(wavs / f"{name}.wav")
    return list(run_all(find_recordings([str(wavs)], "hi"), preset(folder / "marks", *more), folder / out, how))


def done(answers: Sequence[Visit | Failed]) -> list[str]:
    return sorted(one.session_id for one in answers if isinstance(one, Visit))


def errors(answers: Sequence[Visit | Failed]) -> list[str]:
    return sorted(str(one.error) for one in answers if isinstance(one, Failed))


def answer_files(out: Path) -> dict[str, bytes]:
    """What was written, but for the cards, which tell times."""
    return {
        str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file() and "runs" not in path.parts
    }


def test_any_number_of_workers_writes_the_same(tmp_path: Path) -> None:
    names = ["a", "b", "c", "d", "e"]
    here = run(tmp_path, names, "here", None)
    two = run(tmp_path, names, "two", Execution(jobs=2))
    assert done(here) == done(two) == names
    assert answer_files(tmp_path / "here") == answer_files(tmp_path / "two")
    assert len(answer_files(tmp_path / "two")) > 4 * len(names)
    assert not [path for path in (tmp_path / "two").iterdir() if path.name.startswith(".")], "nothing temporary is left"


def test_two_workers_work_at_the_same_time(tmp_path: Path) -> None:
    names = ["meets1", "meets2"]
    assert done(run(tmp_path, names, "two", Execution(jobs=2))) == names
    processes = {mark.name.split(".")[1] for mark in (tmp_path / "marks").iterdir()}
    assert len(processes) == 2
    assert str(os.getpid()) not in processes


def test_a_recording_whose_worker_is_killed_goes_to_another(tmp_path: Path) -> None:
    answers = run(tmp_path, ["a", "once", "z"], "out", Execution(jobs=1))
    assert (done(answers), errors(answers)) == (["a", "once", "z"], [])
    assert len(list((tmp_path / "marks").glob("once.*"))) == 2


def test_a_recording_that_kills_every_worker_fails_alone(tmp_path: Path) -> None:
    answers = run(tmp_path, ["a", "dies", "z"], "out", Execution(jobs=1))
    assert done(answers) == ["a", "z"]
    (error,) = errors(answers)
    assert "wavs-out/dies.wav: worker: found that a worker ended 2 times at it (ended by SIGKILL" in error
    assert not list((tmp_path / "out").rglob("dies*"))
    none = run(tmp_path, ["dies"], "none", Execution(jobs=1, retries=0))
    assert "1 times" in errors(none)[0]


@pytest.mark.parametrize("jobs", [0, 1])
def test_a_backend_at_fault_costs_its_recording(jobs: int, tmp_path: Path) -> None:
    answers = run(tmp_path, ["a", "raises"], "out", Execution(jobs=jobs))
    assert done(answers) == ["a"]
    (error,) = errors(answers)
    assert "raises.wav: topics: found ValueError: no such shape (test_executors.py:" in error
    assert "\n" not in error


@pytest.mark.parametrize("jobs", [0, 2])
def test_damaged_weights_stop_everything(jobs: int, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="parakh models get x"):
        run(tmp_path, ["model", "model2"], "out", Execution(jobs=jobs))


@pytest.mark.parametrize("jobs", [0, 1])
def test_whatever_keeps_a_cascade_from_working_is_told_before_it_starts(jobs: int, tmp_path: Path) -> None:
    bad = (Stage("translator", "n", NotReady(), (), None), Stage("summary", "m", NotReadyEither(), (), None))
    with pytest.raises(ParakhError) as caught:
        run(tmp_path, ["a"], "out", Execution(jobs=jobs), *bad)
    assert len(str(caught.value).splitlines()) == 2
    assert not list((tmp_path / "marks").iterdir())


@pytest.mark.skipif(machine.memory() is None, reason="the system does not tell what a process holds")
def test_over_the_limit_a_recording_is_tried_alone_then_refused(tmp_path: Path) -> None:
    limit = 400_000_000
    answers = run(tmp_path, ["a", "grows", "z"], "out", Execution(jobs=1, max_memory=limit))
    assert done(answers) == ["a", "z"]
    assert "over --max-memory" in errors(answers)[0]


def test_what_is_known_not_to_fit_is_not_begun(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Large:
        """Needs a gigabyte a minute."""

        def memory(self, seconds: float) -> tuple[int, int]:
            return 1_000_000, round(seconds / 60 * 1e9)

    write_wav(tmp_path / "long.wav", 120.0)
    write_wav(tmp_path / "short.wav", 1.0)
    large = Stage("summary", "large", Large(), (), None)
    recordings = find_recordings([str(tmp_path)], "hi")
    found = budget(preset(tmp_path / "marks", large), 800_000_000)
    assert [found.need(one) > 800_000_000 for one in recordings] == [True, False]


def test_the_card_of_a_run_tells_what_it_took(tmp_path: Path) -> None:
    visit, _ = run(tmp_path, ["a", "b"], "out", Execution(jobs=1))
    assert isinstance(visit, Visit)
    card = json.loads((tmp_path / "out/runs/a.json").read_text())
    topics = card["stages"][2]
    assert topics["usage"] == {"requests": 2, "tokens_in": 700, "tokens_out": 9, "price": 0.25}
    assert card["peak_mb"] > 20
    assert card["device"]["cores"] == machine.cores()
    assert card["energy"]["joules"] is None or card["energy"]["joules"] >= 0
    assert card["energy"]["joules"] is not None or card["energy"]["reason"]


def test_threads_are_shared_out_unless_somebody_set_them() -> None:
    usual, chosen = load_preset("embedded"), load_preset("embedded", ["diarizer.threads=7"])
    assert [stage.backend.threads for stage in fitted(Setup(usual, None, threads=1)).stages[:3]] == [1, 1, 1]
    assert fitted(Setup(usual, None, threads=16)).stages[0].backend.threads == 2, "never more than a backend takes by itself"
    assert fitted(Setup(chosen, None, threads=1)).stages[0].backend.threads == 7


@pytest.mark.parametrize(
    ("options", "flag"),
    [
        ({"executor": "slurm"}, "--executor"),
        ({"jobs": -1}, "--jobs"),
        ({"executor": "ray", "jobs": 0}, "--jobs"),
        ({"retries": -1}, "--retries"),
        ({"ray_address": "auto"}, "--ray-address"),
        ({"send_files": True}, "--send-files"),
        ({"jobs": 0, "max_memory": 10**9}, "--max-memory"),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict[str, object], flag: str) -> None:
    with pytest.raises(InputError, match=flag):
        Execution(**options)  # type: ignore[arg-type]


def test_energy_is_read_where_the_system_tells_it(tmp_path: Path) -> None:
    zone = tmp_path / "intel-rapl:0"
    zone.mkdir()
    (zone / "name").write_text("package-0\n")
    (zone / "energy_uj").write_text("5000000\n")
    (tmp_path / "intel-rapl:0:0").mkdir()
    before = machine.energy(tmp_path)
    (zone / "energy_uj").write_text("7500000\n")
    assert machine.energy(tmp_path).since(before) == {"joules": 2.5, "sources": ["package-0"]}
    assert before.since(machine.energy(tmp_path)) == {"joules": None, "reason": "a counter began again from 0"}
    none = machine.energy(tmp_path / "none")
    assert none.since(none)["joules"] is None
    assert "no energy counters" in none.since(none)["reason"]


@pytest.mark.skipif(not Path("/proc/self/statm").is_file(), reason="Linux tells what a process holds")
def test_samples_that_were_looked_at_are_given_back(tmp_path: Path) -> None:
    def held() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    audio = load_audio(write_wav(tmp_path / "a.wav", 300.0))
    total = float(audio.samples.sum())
    before = held()
    audio.release()
    assert before - held() > 0.9 * audio.samples.nbytes / 1e6
    assert float(audio.samples.sum()) == total
