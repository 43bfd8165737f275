"""Fine-tuning by NeMo of a tiny Conformer, in the environment that runs the tests; AI4Bharat's branch takes the same driver."""

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("nemo.collections.asr", reason="nemo_toolkit[asr] is not installed", exc_type=ImportError)
pytest.importorskip("av")

from parakh.finetuning.config import load_run
from parakh.finetuning.session import perform
from tests.heavy import tiny_whisper

pytestmark = pytest.mark.filterwarnings("ignore")  # of NeMo and what it loads


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    """A Conformer with characters of the bundled transcripts, with random weights."""
    from nemo.collections.asr.models import EncDecCTCModel
    from omegaconf import OmegaConf

    lines = (tiny_whisper.EXAMPLES / "transcripts" / f"{tiny_whisper.SOURCE}.txt").read_text("utf-8").splitlines()
    labels = sorted({letter for line in lines[1:] for letter in line.split("\t")[-1]})
    modules = "nemo.collections.asr.modules"
    data = {"manifest_filepath": None, "sample_rate": 16000, "labels": labels, "batch_size": 2}
    encoder = {"feat_in": 80, "feat_out": -1, "n_layers": 1, "d_model": 32, "n_heads": 2, "conv_kernel_size": 9}
    config = {
        "sample_rate": 16000,
        "train_ds": {**data, "shuffle": True},
        "validation_ds": {**data, "shuffle": False},
        "preprocessor": {"_target_": f"{modules}.AudioToMelSpectrogramPreprocessor", "features": 80, "n_fft": 512, "dither": 0.0},
        "encoder": {
            "_target_": f"{modules}.ConformerEncoder",
            "subsampling": "striding",
            "subsampling_conv_channels": 8,
            **encoder,
        },
        "decoder": {"_target_": f"{modules}.ConvASRDecoder", "feat_in": 32, "num_classes": len(labels), "vocabulary": labels},
        "optim": {"name": "adamw", "lr": 1e-3},
    }
    EncDecCTCModel(cfg=OmegaConf.create(config)).save_to(str(tmp_path / "tiny.nemo"))
    return tmp_path / "tiny.nemo"


def test_nemo_trains_and_what_it_transcribes_is_scored(tmp_path: Path, weights: Path) -> None:
    data = tiny_whisper.data_set(tmp_path / "data", {"v1": "train", "v2": "dev"})
    values = {
        "recipe": "indic-conformer",
        "weights": str(weights),
        "python": sys.executable,
        "data": str(data),
        "train": "train",
        "dev": "dev",
        "out": str(tmp_path / "out"),
        "epochs": 2,
        "batch": 2,
        "device": "cpu",
    }
    (tmp_path / "c.toml").write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()), "utf-8")
    made = perform(load_run("asr", str(tmp_path / "c.toml")), lambda step: None, resume=False)
    assert made["dev_score"] > 0
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"model.nemo", "transcripts.jsonl", "run.json", "run.md"}
    assert (tmp_path / "out" / "checkpoints" / "last.ckpt").is_file()
    assert (tmp_path / "out" / "model.nemo").read_bytes() != weights.read_bytes()
