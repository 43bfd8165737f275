"""Fine-tuning of DiariZen's network on a tiny one of the true architecture: it learns, goes on after a kill, is written as it is read."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("av")

import torch

from parakh.cascade.networks import powerset
from parakh.cascade.torch_networks import eend
from parakh.cli.finetune import Request, finetune
from parakh.errors import InputError
from parakh.finetuning.config import load_run
from parakh.finetuning.session import perform
from parakh.finetuning.store import ArrayStore
from tests.heavy import tiny_whisper

WAVLM = {
    "extractor_mode": "group_norm",
    "extractor_conv_layer_config": [[16, 10, 5], *[[16, 3, 2]] * 4, *[[16, 2, 2]] * 2],
    "encoder_embed_dim": 32,
    "encoder_num_layers": 1,
    "encoder_total_num_heads": [2],
    "encoder_ff_interm_features": [64],
    "encoder_layer_norm_first": False,
    "normalize_waveform": False,
}
CONFIG = f"""
[model]
path = "{eend._PATH}"
[model.args]
wavlm_src = "tiny.pt"
wavlm_layer_num = 2
attention_in = 32
ffn_hidden = 64
num_head = 2
num_layer = 1
max_speakers_per_chunk = 3
"""


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with tiny weights in DiariZen's layout, and a data set whose dev split is its training split by another name."""
    folder = tmp_path_factory.mktemp("diarizen")
    weights = folder / "weights"
    weights.mkdir()
    (weights / "config.toml").write_text(CONFIG, "utf-8")
    torch.save({"config": WAVLM}, weights / "tiny.pt")
    torch.manual_seed(1)
    torch.save(eend.Eend(eend.read_config(weights)).state_dict(), weights / "pytorch_model.bin")
    tiny_whisper.data_set(folder / "data", {"v1": "train", "v2": "dev"})
    return folder


def config(place: Path, out: str, **options: object) -> str:
    values = {
        "recipe": "diarizen",
        "weights": str(place / "weights"),
        "data": str(place / "data"),
        "train": "train",
        "dev": "dev",
        "out": str(place / out),
        "device": "cpu",
        "chunk": 4.0,
        "shift": 2.0,
        "batch": 4,
        "patience": 0,
        "wavlm_learning_rate": 2e-3,
        "learning_rate": 5e-3,
        **options,
    }
    path = place / f"{out}.toml"
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()), "utf-8")
    return str(path)


def test_it_learns_and_what_is_written_is_the_mean_of_the_best(place: Path) -> None:
    run = load_run("diarization", config(place, "learns", epochs=40, evaluate_every=20, average=2))
    made = perform(run, lambda step: None, resume=False)
    losses = [loss for _, loss in made["loss"]]
    scores = dict(made["scores"])
    assert np.mean(losses[-5:]) < 0.5 * np.mean(losses[:5])
    assert min(scores.values()) < 0.6 * scores[20]
    assert made["kept"] == sorted(scores, key=lambda step: (scores[step], step))[:2]
    network = eend.load(place / "learns" / "model")
    states = [torch.load(place / "learns" / "checkpoints" / f"best-{step:07d}.pt", weights_only=True) for step in made["kept"]]
    name = "classifier.weight"
    assert torch.allclose(network.state_dict()[name], (states[0][name] + states[1][name]) / 2)
    assert sorted(path.name for path in (place / "learns" / "checkpoints").iterdir()) == sorted(
        ["last.pt", *(f"best-{step:07d}.pt" for step in made["kept"])]
    )


def test_the_loss_is_that_of_the_best_order_of_speakers(place: Path) -> None:
    run = load_run("diarization", config(place, "loss"))
    job = run.recipe.job(run, ArrayStore(None), lambda step: None)
    job.module.eval()
    with torch.no_grad():
        found = float(job.loss(range(3)))
        output = job.module(job._waveforms(job.chunks[:3])).numpy()
    table = powerset.mapping(3, 2)
    every = []
    for example, rows in enumerate(output):
        active = table[job._classes(example)]
        costs = []
        for order in permutations(range(3)):
            classes = [int(np.flatnonzero((table == frame).all(1))[0]) for frame in active[:, list(order)]]
            costs.append(-float(np.mean([row[place] for row, place in zip(rows, classes, strict=True)])))
        every.append(min(costs))
    assert found == pytest.approx(float(np.mean(every)), abs=1e-5)


def test_wavlm_has_its_own_learning_rate_or_none(place: Path) -> None:
    run = load_run("diarization", config(place, "rates"))
    job = run.recipe.job(run, ArrayStore(None), lambda step: None)
    assert [group["lr"] for group in job.groups()] == [2e-3, 5e-3]
    assert sum(len(group["params"]) for group in job.groups()) == sum(one.requires_grad for one in job.module.parameters())
    frozen = load_run("diarization", config(place, "rates", wavlm_learning_rate=0.0))
    job = frozen.recipe.job(frozen, ArrayStore(None), lambda step: None)
    assert [group["lr"] for group in job.groups()] == [5e-3]


def test_a_killed_run_goes_on_to_the_same_weights_byte_for_byte(place: Path) -> None:
    paths = [config(place, out, epochs=10, save_every=1, evaluate_every=5) for out in ("whole", "killed")]
    command = [sys.executable, "-m", "parakh.cli.main", "finetune", "diarization"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    killed = subprocess.Popen([*command, paths[1]], env=environment, stderr=subprocess.DEVNULL)
    last = place / "killed" / "checkpoints" / "last.pt"
    until = time.monotonic() + 300
    while not last.exists() and killed.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL, "it was done before it was killed"
    torch.set_num_threads(1)
    for path, resume in ((paths[0], False), (paths[1], True)):
        perform(load_run("diarization", path), lambda step: None, resume=resume)
    states = [torch.load(place / out / "model" / "pytorch_model.bin", weights_only=True) for out in ("whole", "killed")]
    assert all(torch.equal(one, states[1][name]) for name, one in states[0].items())
    assert (place / "whole" / "checkpoints" / "last.pt").stat().st_size == last.stat().st_size


def test_an_interrupt_ends_with_a_checkpoint_and_says_how_to_go_on(place: Path) -> None:
    path = config(place, "stopped", epochs=200, evaluate_every=1000)
    command = [sys.executable, "-m", "parakh.cli.main", "finetune", "diarization", path]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"}, text=True) as run:
        assert run.stderr is not None
        for line in run.stderr:
            if line.startswith("step 1/"):
                run.send_signal(signal.SIGINT)
                break
        rest = run.stderr.read()
    assert run.returncode == 130
    assert "run the same command with --resume to go on" in rest
    assert (place / "stopped" / "checkpoints" / "last.pt").is_file()


def test_a_dry_run_writes_nothing_and_damage_is_told(place: Path, capsys) -> None:
    path = config(place, "dry")
    before = sorted(place.rglob("*"))
    assert finetune(Request("diarization", path, [], False, True, "-")) == 0
    cost = json.loads(capsys.readouterr().out)["cost"]
    network = eend.load(place / "weights")
    assert cost["parameters"] == sum(one.numel() for one in network.parameters())
    assert cost["examples"] == 9
    assert cost["step_seconds"] > 0
    assert sorted(place.rglob("*")) == before
    out = place / "dry" / "checkpoints"
    out.mkdir(parents=True)
    (out / "last.pt").write_bytes(b"half")
    run = load_run("diarization", path)
    (place / "dry" / "started.json").write_text(json.dumps({"settings": dict(run.settings), "data_sha256": run.data_sha256}))
    with pytest.raises(InputError, match="found no checkpoint that can be read"):
        perform(run, lambda step: None, resume=True)
