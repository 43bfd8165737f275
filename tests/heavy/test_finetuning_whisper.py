"""Fine-tuning of Whisper on a tiny model of the true architecture: it learns, goes on after a kill, and is written as it is used."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("peft")
pytest.importorskip("av")

import torch
import transformers

from parakh.cli.finetune import Request, finetune
from parakh.errors import InputError, ModelError
from parakh.finetuning.config import load_run
from parakh.finetuning.recipe import Step
from parakh.finetuning.session import perform
from parakh.finetuning.store import ArrayStore
from parakh.finetuning.whisper import model
from parakh.finetuning.whisper.features import encode
from tests.heavy import tiny_whisper

pytestmark = pytest.mark.filterwarnings("ignore")  # of transformers and torch, about themselves

LORA = {"lora_rank": 4, "freeze_encoder": True, "epochs": 4, "batch": 1, "learning_rate": 0.01}


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with the tiny weights and a data set whose dev split is its training split by another name."""
    folder = tmp_path_factory.mktemp("whisper")
    tiny_whisper.make(folder / "weights")
    tiny_whisper.data_set(folder / "data", {"v1": "train", "v2": "dev"})
    return folder


def config(place: Path, out: str, options: Mapping[str, object]) -> Path:
    """A configuration's file."""
    values = {
        "recipe": "whisper",
        "weights": str(place / "weights"),
        "data": str(place / "data"),
        "train": "train",
        "dev": "dev",
        "out": str(place / out),
        "full_window": False,
        "longest": 8.0,
        "patience": 0,
        "device": "cpu",
        **options,
    }
    path = place / f"{out}.toml"
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()), "utf-8")
    return path


def run_of(place: Path, out: str, **options: object):
    return load_run("asr", str(config(place, out, options)))


@pytest.fixture(scope="module")
def learnt(place: Path) -> tuple[dict, list[Step]]:
    """What all weights learnt of the one conversation."""
    told: list[Step] = []
    options = {"epochs": 30, "batch": 2, "learning_rate": 0.004, "schedule": "one_cycle", "evaluate_every": 15}
    return perform(run_of(place, "learns", **options), told.append, resume=False), told


def test_it_learns(place: Path, learnt: tuple[dict, list[Step]]) -> None:
    made, told = learnt
    losses = [step.loss for step in told if step.loss is not None]
    scores = [score for _, score in made["scores"]]
    assert np.mean(losses[-3:]) < 0.6 * np.mean(losses[:3])
    assert min(scores) < scores[0]
    assert made["kept"] == [step for step, score in made["scores"] if score == min(scores)][:1]
    assert json.loads((place / "learns" / "run.json").read_text("utf-8")) == json.loads(json.dumps(made, default=str))
    page = (place / "learns" / "run.md").read_text("utf-8")
    assert f"| {made['kept'][0]} (kept) | {100 * min(scores):.2f} % |" in page


def test_an_adapter_is_merged_and_runs_in_ctranslate2_with_the_same_tokens(place: Path, learnt: object) -> None:
    ctranslate2 = pytest.importorskip("ctranslate2")
    run = run_of(place, "adapter", **LORA, weights=str(place / "learns" / "model"), ctranslate2="float32")
    made = perform(run, lambda step: None, resume=False)
    assert (place / "adapter" / "adapter" / "adapter_model.safetensors").stat().st_size < 200_000
    merged = transformers.WhisperForConditionalGeneration.from_pretrained(made["written"]["model"], local_files_only=True).eval()
    base = transformers.WhisperForConditionalGeneration.from_pretrained(place / "learns" / "model", local_files_only=True)
    layer, before = (one.model.decoder.layers[0].fc1.weight for one in (merged, base))
    assert not torch.equal(layer, before)
    assert torch.equal(merged.model.encoder.conv1.weight, base.model.encoder.conv1.weight)
    features = transformers.WhisperFeatureExtractor()(
        run.train.conversations[0].audio().samples, sampling_rate=16000, return_tensors="np"
    )
    loaded = model.load(made["written"]["model"], None, False, 1)
    prompt = [loaded.token(f"<|{name}|>") for name in ("startoftranscript", "hi", "transcribe", "notimestamps")]
    from parakh.finetuning.whisper.text import greedy

    with torch.no_grad():
        heard = encode(merged.model.encoder, torch.from_numpy(features["input_features"]))
        assert torch.allclose(
            heard, merged.model.encoder(torch.from_numpy(features["input_features"])).last_hidden_state, atol=1e-5
        )
        ours = greedy(merged, heard, [prompt], loaded.token("<|endoftext|>"), 40)[0]
    fast = ctranslate2.models.Whisper(made["written"]["ctranslate2"], device="cpu", compute_type="float32", intra_threads=1)
    view = ctranslate2.StorageView.from_array(features["input_features"])
    theirs = fast.generate(view, [prompt], beam_size=1, max_length=200, suppress_tokens=[])[0].sequences_ids[0]
    assert len(set(ours)) > 3
    assert ours == theirs[: len(ours)]


def test_a_language_that_is_not_known_is_asked_for(place: Path) -> None:
    folder = tiny_whisper.data_set(place / "nameless", {"v1": "train", "v2": "dev"})
    text = (folder / "recordings.jsonl").read_text("utf-8")
    (folder / "recordings.jsonl").write_text(text.replace('"language": "hi", ', ""), "utf-8")
    run = run_of(place, "asks", data=str(folder), **LORA)
    with pytest.raises(InputError, match="language: found none known of v1, v2, expected that of every recording"):
        run.recipe.job(run, ArrayStore(None), lambda step: None)
    run = run_of(place, "asks", data=str(folder), **LORA, language="bho")
    with pytest.raises(ModelError, match=r"found no token <\|bho\|>"):
        run.recipe.job(run, ArrayStore(None), lambda step: None).loss([0])


def test_a_model_of_ctranslate2_comes_back_as_it_was(place: Path, tmp_path: Path) -> None:
    pytest.importorskip("ctranslate2")
    model.convert(place / "weights", tmp_path / "fast", "float32")
    back = model.load(str(tmp_path / "fast"), None, False, 1).whisper
    true = transformers.WhisperForConditionalGeneration.from_pretrained(place / "weights", local_files_only=True)
    assert all(torch.equal(one, back.state_dict()[name]) for name, one in true.state_dict().items())


def test_kept_encoder_outputs_are_those_of_the_encoder(place: Path) -> None:
    run = run_of(place, "kept", **LORA)
    job = run.recipe.job(run, ArrayStore(None), lambda step: None)
    free = run_of(place, "free", **{**LORA, "freeze_encoder": False, "lora_rank": 0})
    other = free.recipe.job(free, ArrayStore(None), lambda step: None)
    with torch.no_grad():
        heard = encode(job.module.model.encoder, torch.from_numpy(other.features_of("v1").astype(np.float32)))
    assert np.allclose(job.features_of("v1"), heard.numpy(), atol=2e-3)
    assert job.examples == other.examples


def test_a_killed_run_goes_on_to_the_same_weights_byte_for_byte(place: Path) -> None:
    options = {**LORA, "lora_dropout": 0.2, "epochs": 12, "save_every": 1}
    paths = [config(place, out, options) for out in ("whole", "killed")]
    command = [sys.executable, "-m", "parakh.cli.main", "finetune", "asr"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    killed = subprocess.Popen([*command, str(paths[1])], env=environment, stderr=subprocess.DEVNULL)
    last = place / "killed" / "checkpoints" / "last.pt"
    until = time.monotonic() + 300
    while not last.exists() and killed.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(random.uniform(0, 0.5))
    killed.send_signal(signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL, "it was done before it was killed"
    again = subprocess.run([*command, str(paths[1]), "--resume"], env=environment, capture_output=True, check=False)
    assert again.returncode == 0, again.stderr.decode()
    perform(load_run("asr", str(paths[0])), lambda step: None, resume=False)
    for name in ("adapter/adapter_model.safetensors", "model/model.safetensors"):
        assert (place / "whole" / name).read_bytes() == (place / "killed" / name).read_bytes()
    cards = [json.loads((place / out / "run.json").read_text("utf-8")) for out in ("whole", "killed")]
    assert cards[0]["loss"] == cards[1]["loss"]
    with pytest.raises(InputError, match="Add --resume"):
        perform(load_run("asr", str(paths[1])), lambda step: None, resume=False)
    with pytest.raises(InputError, match=r"learning_rate: found 0\.5, expected 0\.01, as the run to go on with had"):
        perform(load_run("asr", str(paths[1]), ["learning_rate=0.5"]), lambda step: None, resume=True)


def test_a_dry_run_writes_nothing(place: Path, capsys) -> None:
    path = config(place, "dry", LORA)
    before = sorted(place.rglob("*"))
    assert finetune(Request("asr", str(path), [], False, True, None)) == 0
    told = capsys.readouterr().out
    assert sorted(place.rglob("*")) == before
    assert "two were timed" in told
    assert "train (train): 1 recordings, 0.006 h, 7 turns; speech hi" in told
    exact = sum(
        one.numel() for one in model.load(str(place / "weights"), model.Adapter(4, 64, 0.0, False), True, 1).adapted.parameters()
    )
    assert finetune(Request("asr", str(path), [], False, True, "-")) == 0
    cost = json.loads(capsys.readouterr().out)["cost"]
    assert abs(cost["parameters"] + cost["trained"] - exact) < 0.05 * exact
