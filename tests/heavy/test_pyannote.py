"""pyannote.audio's pipeline: small random networks of the classes that community-1 is made of, loaded from a folder."""

from __future__ import annotations

import os
import socket
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from parakh.audio.decode import Audio
from parakh.cascade.diarizers import pyannote
from parakh.errors import InputError, ModelError

torch = pytest.importorskip("torch")
os.environ["PYANNOTE_METRICS_ENABLED"] = "0"
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pytest.importorskip("pyannote.audio", reason="needs the extra pyannote")

pytestmark = pytest.mark.filterwarnings("ignore")

CONFIG = """
dependencies:
  pyannote.audio: 4.0.0
pipeline:
  name: pyannote.audio.pipelines.SpeakerDiarization
  params:
    clustering: VBxClustering
    segmentation: $model/segmentation
    segmentation_batch_size: 4
    embedding: $model/embedding
    embedding_batch_size: 4
    embedding_exclude_overlap: true
    plda: $model/plda
params:
  clustering:
    threshold: 0.6
    Fa: 0.07
    Fb: 0.8
  segmentation:
    min_duration_off: 0.0
"""


def _save(model: object, folder: Path) -> None:
    folder.mkdir(parents=True)
    saved = {"state_dict": model.state_dict(), "hyper_parameters": dict(model.hparams), "pytorch-lightning_version": "2.6.0"}  # type: ignore[attr-defined]
    model.on_save_checkpoint(saved)  # type: ignore[attr-defined]
    torch.save(saved, folder / "pytorch_model.bin")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from pyannote.audio.core.task import Problem, Resolution, Specifications
    from pyannote.audio.models.embedding import WeSpeakerResNet34
    from pyannote.audio.models.segmentation import PyanNet

    here = tmp_path_factory.mktemp("pipeline")
    (here / "config.yaml").write_text(CONFIG, encoding="utf-8")
    torch.manual_seed(3)
    heard = PyanNet(lstm={"hidden_size": 8, "num_layers": 1, "monolithic": True}, linear={"hidden_size": 8, "num_layers": 1})
    names = ["speaker#1", "speaker#2", "speaker#3"]
    kind = Problem.MONO_LABEL_CLASSIFICATION
    heard.specifications = Specifications(
        problem=kind, resolution=Resolution.FRAME, duration=4.0, classes=names, powerset_max_classes=2, permutation_invariant=True
    )
    heard.setup()
    with torch.no_grad():
        heard.classifier.weight.mul_(60)
        heard.classifier.bias[0] += 1
    _save(heard, here / "segmentation")
    voice = WeSpeakerResNet34()
    voice.specifications = Specifications(problem=Problem.REPRESENTATION, resolution=Resolution.CHUNK, duration=4.0)
    _save(voice, here / "embedding")
    rng = np.random.default_rng(5)
    (here / "plda").mkdir()
    lda = np.linalg.qr(rng.normal(size=(256, 128)))[0]
    np.savez(here / "plda" / "xvec_transform.npz", mean1=np.zeros(256), mean2=np.zeros(128), lda=lda)
    np.savez(here / "plda" / "plda.npz", mu=np.zeros(128), tr=np.eye(128), psi=np.linspace(9, 0.1, 128))
    return here


def noise(seconds: float) -> Audio:
    """Noise whose loudness and colour change."""
    rng = np.random.default_rng(2)
    loud = np.repeat(rng.uniform(0.02, 0.6, 40), int(seconds * 400) + 1)[: int(seconds * 16000)]
    return Audio("v", (loud * rng.normal(size=len(loud)) * 0.3).astype(np.float32))


def test_the_turns_are_those_of_its_own_call(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    audio = noise(9.0)
    backend = pyannote.Backend(str(folder), device="cpu")
    backend.ready()
    turns = backend.diarize(audio)
    from pyannote.audio import Pipeline

    own = Pipeline.from_pretrained(folder)({"waveform": torch.from_numpy(audio.samples)[None], "sample_rate": 16000})
    expected = sorted(
        (round(max(0.0, turn.start), 3), round(min(turn.end, 9.0), 3))
        for turn, _, _ in own.speaker_diarization.itertracks(yield_label=True)
    )
    assert len(turns) > 1
    assert sorted((turn.start_time, turn.end_time) for turn in turns) == expected
    assert next(turn.speaker for turn in turns) == "spk0"
    assert os.environ["PYANNOTE_METRICS_ENABLED"] == "0"


def test_exclusive_turns_do_not_overlap(folder: Path) -> None:
    turns = pyannote.Backend(str(folder), exclusive=True, num_speakers=2, device="cpu").diarize(noise(9.0))
    assert turns
    assert all((one.end_time or 0.0) <= (two.start_time or 0.0) + 1e-6 for one, two in pairwise(turns))


def test_number_of_speakers_is_kept_to(folder: Path) -> None:
    turns = pyannote.Backend(str(folder), max_speakers=1, device="cpu").diarize(noise(9.0))
    assert {turn.speaker for turn in turns} == {"spk0"}


@pytest.mark.parametrize("samples", [0, 100, 48000])
def test_silence_has_no_turns(folder: Path, samples: int) -> None:
    assert pyannote.Backend(str(folder), device="cpu").diarize(Audio("v", np.zeros(samples, np.float32))) == []


def test_very_short_audio_is_no_error(folder: Path) -> None:
    turns = pyannote.Backend(str(folder), device="cpu").diarize(noise(0.3))
    assert all((turn.end_time or 0.0) <= 0.3 for turn in turns)


def test_a_pipeline_that_names_models_of_a_hub_is_refused(tmp_path: Path) -> None:
    text = CONFIG.replace("$model/embedding", "pyannote/wespeaker-voxceleb-resnet34-LM")
    (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=r"config.yaml: found embedding: pyannote/wespeaker.*, expected folders within it"):
        pyannote.Backend(str(tmp_path), device="cpu").ready()
    (tmp_path / "config.yaml").write_text("nothing", encoding="utf-8")
    with pytest.raises(ModelError, match=r"found no pipeline"):
        pyannote.Backend(str(tmp_path), device="cpu").ready()


def test_wrong_options_are_named() -> None:
    with pytest.raises(InputError, match=r"max_speakers: found 1, expected a whole number from min_speakers to 100"):
        pyannote.Backend(min_speakers=2, max_speakers=1)
