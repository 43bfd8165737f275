"""Qwen3-ASR's own package in its own environment, on a tiny model with random weights in the published layout."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade import environments
from parakh.cascade.isolated import Isolated
from parakh.cascade.transcribers.qwen3_asr import Backend
from parakh.errors import ModelError, UnavailableError
from parakh.types import Segment

MAKE = r"""
import sys
import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import Qwen2TokenizerFast, WhisperFeatureExtractor
from qwen_asr.core.transformers_backend import Qwen3ASRConfig, Qwen3ASRForConditionalGeneration, Qwen3ASRProcessor

letters = sorted(pre_tokenizers.ByteLevel.alphabet())
made = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate(letters)}, merges=[]))
made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
made.decoder = decoders.ByteLevel()
special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|audio_start|>", "<|audio_end|>", "<|audio_pad|>"]
made.add_special_tokens([AddedToken(token, special=True) for token in special])
made.add_tokens(["<asr_text>"])
extra = {"audio_token": "<|audio_pad|>", "audio_bos_token": "<|audio_start|>", "audio_eos_token": "<|audio_end|>"}
tokenizer = Qwen2TokenizerFast(tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>", extra_special_tokens=extra)
template = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.content is string %}{{ m.content }}{% else %}"
    "<|audio_start|><|audio_pad|><|audio_end|>{% endif %}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"
)
Qwen3ASRProcessor(WhisperFeatureExtractor(feature_size=128), tokenizer, template).save_pretrained(sys.argv[1])
audio = dict(num_mel_bins=128, encoder_layers=1, encoder_attention_heads=2, encoder_ffn_dim=64, d_model=32, n_window=50,
             output_dim=32, n_window_infer=100, downsample_hidden_size=16)
text = dict(vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2,
            num_key_value_heads=1, head_dim=16, tie_word_embeddings=False,
            rope_scaling={"rope_type": "default", "mrope_section": [4, 2, 2], "mrope_interleaved": True})
ids = {name: tokenizer.convert_tokens_to_ids(token) for name, token in (
    ("audio_token_id", "<|audio_pad|>"), ("audio_start_token_id", "<|audio_start|>"), ("audio_end_token_id", "<|audio_end|>"))}
torch.manual_seed(1)
config = Qwen3ASRConfig(thinker_config=dict(audio_config=audio, text_config=text, **ids))
Qwen3ASRForConditionalGeneration(config).save_pretrained(sys.argv[1])
"""

needs_environment = pytest.mark.skipif(
    not environments.is_built(environments.declared("qwen3-asr")),
    reason="the environment is not built; run: parakh environment build qwen3-asr",
)


def test_without_its_environment_the_way_there_is_told() -> None:
    try:
        import qwen_asr  # noqa: F401
    except ImportError:
        with pytest.raises(UnavailableError, match='Run: parakh environment build qwen3-asr, and set python = "qwen3-asr"'):
            Backend().ready()


def test_languages_that_it_does_not_know_name_who_does() -> None:
    audio = Audio("v", np.zeros(SAMPLE_RATE, np.float32), "kn")
    with pytest.raises(UnavailableError, match=r"v is in 'kn', which it does not know\. Take the transcriber indic-conformer"):
        Backend().transcribe(audio, [Segment("v", "a", 0.0, 1.0)])


@needs_environment
def test_a_tiny_model_writes_words_of_each_turn(tmp_path: Path) -> None:
    python = environments.interpreter("qwen3-asr")
    made = subprocess.run([python, "-W", "ignore", "-c", MAKE, str(tmp_path)], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr[-2000:]
    samples = np.random.default_rng(5).normal(0, 0.1, 6 * SAMPLE_RATE).astype(np.float32)
    audio = Audio("v", samples, "hi")
    turns = [Segment("v", "a", 0.5, 2.0), Segment("v", "b", 1.0, 1.5), Segment("v", "b", 3.0, 5.5)]
    options = {"weights": str(tmp_path), "device": "cpu", "guards": False}
    alone, together = (Isolated("transcriber", "qwen3-asr", {**options, "batch": n}, "qwen3-asr") for n in (1, 2))
    together.ready()
    heard = together.transcribe(audio, turns)
    assert [(turn.start_time, turn.speaker, turn.language) for turn in heard] == [
        (0.5, "a", "hi"),
        (1.0, "b", "hi"),
        (3.0, "b", "hi"),
    ]
    assert heard[1].words == ""
    assert heard[0].words or heard[2].words
    assert alone.transcribe(audio, turns)[0] == heard[0]
    with pytest.raises(ModelError, match=r"hf download Qwen/Qwen3-ASR-1\.7B"):
        Isolated("transcriber", "qwen3-asr", {}, "qwen3-asr").ready()
