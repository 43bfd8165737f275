"""NeMo's Sortformer: a small random model saved as a .nemo file and loaded from a folder."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parakh.audio.decode import Audio
from parakh.cascade.diarizers import sortformer
from parakh.errors import ModelError

torch = pytest.importorskip("torch")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pytest.importorskip("nemo.collections.asr", reason="needs the extra sortformer")

pytestmark = pytest.mark.filterwarnings("ignore")

PARTS = "nemo.collections.asr"
DATA = {"manifest_filepath": None, "sample_rate": 16000, "num_spks": 4, "session_len_sec": 90, "batch_size": 1}
CONFIG: dict[str, Any] = {
    "sample_rate": 16000,
    "pil_weight": 0.5,
    "ats_weight": 0.5,
    "max_num_of_spks": 4,
    "model_defaults": {"fc_d_model": 32, "tf_d_model": 16},
    "preprocessor": {
        "_target_": f"{PARTS}.modules.AudioToMelSpectrogramPreprocessor",
        "normalize": "per_feature",
        "window_size": 0.025,
        "sample_rate": 16000,
        "window_stride": 0.01,
        "window": "hann",
        "features": 80,
        "n_fft": 512,
        "frame_splicing": 1,
        "dither": 0.00001,
    },
    "sortformer_modules": {
        "_target_": f"{PARTS}.modules.sortformer_modules.SortformerModules",
        "num_spks": 4,
        "dropout_rate": 0.5,
        "fc_d_model": 32,
        "tf_d_model": 16,
    },
    "encoder": {
        "_target_": f"{PARTS}.modules.ConformerEncoder",
        "feat_in": 80,
        "feat_out": -1,
        "n_layers": 2,
        "d_model": 32,
        "subsampling": "dw_striding",
        "subsampling_factor": 8,
        "subsampling_conv_channels": 16,
        "ff_expansion_factor": 2,
        "self_attention_model": "rel_pos",
        "n_heads": 2,
        "att_context_size": [-1, -1],
        "conv_kernel_size": 9,
        "pos_emb_max_len": 5000,
    },
    "transformer_encoder": {
        "_target_": f"{PARTS}.modules.transformer.transformer_encoders.TransformerEncoder",
        "num_layers": 2,
        "hidden_size": 16,
        "inner_size": 32,
        "num_attention_heads": 2,
        "attn_score_dropout": 0.5,
        "attn_layer_dropout": 0.5,
        "ffn_dropout": 0.5,
    },
    "loss": {"_target_": f"{PARTS}.losses.bce_loss.BCELoss", "weight": None, "reduction": "mean"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from nemo.collections.asr.models import SortformerEncLabelModel
    from omegaconf import OmegaConf

    here = tmp_path_factory.mktemp("sortformer")
    torch.manual_seed(1)
    model = SortformerEncLabelModel(OmegaConf.create(CONFIG)).eval()
    with torch.no_grad():
        for name, value in model.sortformer_modules.named_parameters():
            if name.endswith("weight"):
                value.mul_(6)
    model.save_to(str(here / "tiny.nemo"))
    return here


def noise(seconds: float) -> Audio:
    """Noise whose loudness changes."""
    rng = np.random.default_rng(2)
    loud = np.repeat(rng.uniform(0.02, 0.6, 40), int(seconds * 400) + 1)[: int(seconds * 16000)]
    return Audio("v", (loud * rng.normal(size=len(loud)) * 0.3).astype(np.float32))


def test_turns_are_those_of_the_models_own_call(folder: Path) -> None:
    """NeMo's own thresholding of the whole recording, and ours, within a frame."""
    audio = noise(12.0)
    backend = sortformer.Backend(str(folder), device="cpu")
    backend.ready()
    turns = backend.diarize(audio)
    own = backend._model.diarize(audio=audio.samples, sample_rate=16000, batch_size=1, verbose=False)[0]
    expected = sorted((float(line.split()[0]), float(line.split()[1])) for line in own)
    assert len(turns) > 1
    assert np.allclose(sorted((turn.start_time, turn.end_time) for turn in turns), expected, atol=0.081)


def test_long_audio_is_heard_in_chunks_of_bounded_length(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    audio = noise(47.3)
    backend = sortformer.Backend(str(folder), chunk=12.0, overlap=4.0, device="cpu")
    lengths: list[int] = []
    forward = backend._model.forward

    def noted(audio_signal: Any, audio_signal_length: Any) -> Any:
        lengths.append(audio_signal.shape[1])
        return forward(audio_signal=audio_signal, audio_signal_length=audio_signal_length)

    monkeypatch.setattr(backend._model, "forward", noted)
    frames = backend._posteriors(audio.samples)
    assert max(lengths) <= 12 * 16000
    assert len(lengths) == 6
    assert abs(len(frames) - 47.3 / 0.08) <= 2
    assert all((turn.end_time or 0.0) <= 47.3 for turn in backend.diarize(audio))


def test_fewer_speakers_take_what_the_others_say(folder: Path) -> None:
    audio = noise(12.0)
    every = sortformer.Backend(str(folder), device="cpu").diarize(audio)
    single = sortformer.Backend(str(folder), max_speakers=1, device="cpu").diarize(audio)
    assert {turn.speaker for turn in single} == {"spk0"}
    assert sum(turn.duration for turn in single) >= max(
        sum(turn.duration for turn in every if turn.speaker == speaker) for speaker in {turn.speaker for turn in every}
    )


@pytest.mark.parametrize("samples", [0, 100, 48000])
def test_silence_has_no_turns(folder: Path, samples: int) -> None:
    assert sortformer.Backend(str(folder), device="cpu").diarize(Audio("v", np.zeros(samples, np.float32))) == []


def test_very_short_audio_is_no_error(folder: Path) -> None:
    assert all((turn.end_time or 0.0) <= 0.2 for turn in sortformer.Backend(str(folder), device="cpu").diarize(noise(0.2)))


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.nemo").write_bytes(b"nothing")
    with pytest.raises(ModelError, match=r"broken.nemo: found no Sortformer that loads"):
        sortformer.Backend(str(tmp_path), device="cpu").ready()
