"""A LoRA adapter merged by NumPy into CTranslate2's weights is the one that peft merges and CTranslate2's converter writes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
peft = pytest.importorskip("peft")
ctranslate2 = pytest.importorskip("ctranslate2")

from parakh.cascade.whisper.adapter import adapted_decoder, read_safetensors, updates
from parakh.models.ctranslate2_file import read_specification, specification_bytes

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")

DECODER = r".*decoder.*\.(q_proj|k_proj|v_proj|out_proj|fc1|fc2)"


def tiny() -> object:
    torch.manual_seed(1)
    config = transformers.WhisperConfig(
        vocab_size=90, d_model=16, num_mel_bins=80, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, max_source_positions=50, max_target_positions=20,
        bos_token_id=1, eos_token_id=1, pad_token_id=1, decoder_start_token_id=2, begin_suppress_tokens=[], suppress_tokens=[],
    )  # fmt: skip
    return transformers.WhisperForConditionalGeneration(config).eval()


def variables(model: object) -> dict[str, np.ndarray]:
    """The decoder as CTranslate2's own converter lays it out."""
    from ctranslate2.converters.transformers import WhisperLoader

    spec = ctranslate2.specs.WhisperSpec(2, 2, 2, 2)
    loader = WhisperLoader()
    loader.set_encoder(spec.encoder, model.model.encoder)
    loader.set_decoder(spec.decoder, model.model.decoder)
    loader.set_linear(spec.decoder.projection, model.proj_out)
    spec.register_vocabulary([str(i) for i in range(90)])
    spec.validate()
    spec.optimize(quantization="float32")
    named = spec.variables(ordered=True)
    return {name: np.asarray(value.numpy()) for name, value in named if not isinstance(value, str)}  # texts are aliases


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "base").mkdir()
    (tmp_path / "base/model.bin").write_bytes(specification_bytes("WhisperSpec", variables(tiny())))
    return tmp_path / "base"


@pytest.mark.parametrize("rslora", [False, True])
def test_the_merge_is_that_of_peft(base: Path, tmp_path: Path, rslora: bool) -> None:
    config = peft.LoraConfig(r=3, lora_alpha=5, target_modules=DECODER, init_lora_weights=False, use_rslora=rslora)
    adapted = peft.get_peft_model(tiny(), config)
    adapted.save_pretrained(tmp_path / "adapter")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/model.bin").write_bytes(adapted_decoder(base, tmp_path / "adapter"))
    merged = variables(adapted.merge_and_unload())
    before, after = (read_specification(folder / "model.bin").variables for folder in (base, tmp_path / "out"))
    decoder = [name for name in merged if name.startswith("decoder/")]
    assert len(decoder) >= 25
    for name in decoder:
        np.testing.assert_allclose(after[name], merged[name], atol=1e-6, err_msg=name)
    assert not np.allclose(before["decoder/layer_1/ffn/linear_1/weight"], after["decoder/layer_1/ffn/linear_1/weight"])
    assert {name for name in before if name not in after} == {name for name in before if name.startswith("encoder/layer_1")}


def test_an_adapter_of_the_encoder_is_refused(base: Path, tmp_path: Path) -> None:
    adapted = peft.get_peft_model(tiny(), peft.LoraConfig(r=2, target_modules=["q_proj"]))
    adapted.save_pretrained(tmp_path / "adapter")
    with pytest.raises(ValueError, match="no projection of the decoder"):
        adapted_decoder(base, tmp_path / "adapter")


def test_an_adapter_of_another_size_is_refused(base: Path, tmp_path: Path) -> None:
    adapted = peft.get_peft_model(tiny(), peft.LoraConfig(r=2, target_modules=DECODER))
    adapted.save_pretrained(tmp_path / "adapter")
    small = {
        name: array[:, :8] if array.ndim == 2 else array
        for name, array in read_specification(base / "model.bin").variables.items()
    }
    (base / "model.bin").write_bytes(specification_bytes("WhisperSpec", small))
    with pytest.raises(ValueError, match="that the base model has not"):
        adapted_decoder(base, tmp_path / "adapter")


def test_every_projection_of_the_decoder_is_reached(tmp_path: Path) -> None:
    peft.get_peft_model(tiny(), peft.LoraConfig(r=2, target_modules=DECODER, init_lora_weights=False)).save_pretrained(tmp_path)
    assert len(updates(tmp_path)) == 2 * 10
    assert json.loads((tmp_path / "adapter_config.json").read_text())["r"] == 2
    assert {array.dtype for array in read_safetensors(tmp_path / "adapter_model.safetensors").values()} == {np.dtype("<f4")}
