"""Whisper of any size through transformers: the published checkpoints, and those that are fine-tuned from them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from parakh.audio.decode import SAMPLE_RATE
from parakh.cascade.biasing import Fusion
from parakh.cascade.biasing.tokens import BiasProcessor, TokenBias, byte_level
from parakh.cascade.devices import import_torch, torch_device
from parakh.cascade.hearing import Hypothesis, Samples
from parakh.cascade.recognisers.attention import aligned
from parakh.cascade.recognisers.whisper import (
    FRAME_S,
    SILENCE_S,
    STRICT,
    Candidate,
    Decoding,
    alignment_heads,
    start_tokens,
    timed_words,
)
from parakh.cascade.whisper.tokens import Vocabulary
from parakh.errors import ModelError
from parakh.packages import imported

FILES = ("config.json", "preprocessor_config.json", "*model*")
"""What a checkpoint consists of at the least."""
COMPUTE_TYPES = ("auto", "float32", "float16", "bfloat16")

_WHO = "transcriber whisper"


class TorchWhisper:
    """One loaded model.

    Args:
        folder: Its files.
        device: As the option ``device``.
        compute_type: One of ``COMPUTE_TYPES``; "auto" is float32 on the CPU and float16 elsewhere.
        threads: CPU threads.

    Raises:
        MissingPackageError: torch or transformers is not installed.
        UnavailableError: The device is not there.
        ModelError: The files cannot be loaded.
    """

    def __init__(self, folder: Path, device: str, compute_type: str, threads: int) -> None:
        self._biases: dict[Fusion, TokenBias] = {}
        self._torch = import_torch(_WHO)
        self._torch.set_num_threads(threads)
        self._device = torch_device(device, _WHO)
        transformers = library()
        wanted = ("float32" if self._device.type == "cpu" else "float16") if compute_type == "auto" else compute_type
        self._type = getattr(self._torch, wanted)
        try:
            self._extract = transformers.WhisperFeatureExtractor.from_pretrained(folder, local_files_only=True)
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self._model = transformers.WhisperForConditionalGeneration.from_pretrained(
                folder, dtype=self._type, local_files_only=True
            ).to(self._device)
        except Exception as error:  # damaged files give errors of many kinds
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            action = "Look whether the folder is a whole checkpoint of Whisper for transformers."
            raise ModelError(f"weights {folder}: found files that cannot be loaded ({reason}). {action}") from error
        self._encode_text = tokenizer.encode
        self._vocabulary = _vocabulary(tokenizer)
        self._heads = alignment_heads(self._model)

    @property
    def longest(self) -> float:
        """Seconds of the longest window it hears."""
        return float(self._extract.chunk_length) - SILENCE_S

    def languages(self, windows: Sequence[Samples]) -> dict[str, float]:
        """Mean probability of each of the model's languages over some windows."""
        tokens = getattr(self._model.generation_config, "lang_to_id", None)
        if not tokens:
            return {"en": 1.0}
        start = [[self._vocabulary.id("<|startoftranscript|>")]] * len(windows)
        logits = self._forced(self._encoded(windows), start).logits[:, 0, list(tokens.values())]
        shares = logits.float().softmax(dim=-1).mean(dim=0).tolist()
        return {token[2:-2]: share for token, share in zip(tokens, shares, strict=True)}

    def knows(self, language: str) -> bool:
        """Whether the model has a token for the language."""
        tokens = getattr(self._model.generation_config, "lang_to_id", None)
        return f"<|{language}|>" in tokens if tokens else language == "en"

    def recognise(
        self, windows: Sequence[Samples], language: str, decoding: Decoding, *, strict: bool = False
    ) -> list[Hypothesis]:
        """What each window says."""
        encoded = self._encoded(windows)
        start = [self._vocabulary.id(token) for token in self._start(decoding, language)]
        texts = self._searched(encoded, start, decoding, strict)
        return self._judged(encoded, start, texts, windows)

    def led(self, decoding: Decoding, fusion: Fusion) -> Decoding:
        """The decoding, led: every token of the search is scored with the bias."""
        if fusion not in self._biases:
            special = self._vocabulary.id("<|endoftext|>")
            self._biases = {fusion: TokenBias(fusion, byte_level(self._vocabulary.written(), special), special)}
        processor = BiasProcessor(self._biases[fusion], self._vocabulary.id("<|notimestamps|>"))
        return replace(decoding, processors=(*decoding.processors, processor))

    def _start(self, decoding: Decoding, language: str) -> list[str]:
        tokens = start_tokens(decoding, language)
        return tokens if getattr(self._model.generation_config, "lang_to_id", None) else [tokens[0], tokens[-1]]

    def _encoded(self, windows: Sequence[Samples]) -> Any:
        features = self._extract(list(windows), sampling_rate=SAMPLE_RATE, return_tensors="pt").input_features
        with self._torch.inference_mode():
            return self._model.get_encoder()(features.to(self._device, self._type))

    def _searched(self, encoded: Any, start: Sequence[int], decoding: Decoding, strict: bool) -> list[list[int]]:
        """The text tokens of each window.

        Whisper's own ``generate`` takes neither the encoder's output with a prompt nor gives several texts, so the general one is
        called, with what the checkpoint suppresses.
        """
        transformers = library()
        before = self._before(decoding)
        known = self._model.generation_config
        count = min(decoding.candidates, decoding.beam)
        settings = transformers.GenerationConfig(
            max_length=self._model.config.max_target_positions,
            num_beams=decoding.beam,
            num_return_sequences=count,
            eos_token_id=known.eos_token_id,
            pad_token_id=known.eos_token_id,
            decoder_start_token_id=start[0],
            suppress_tokens=known.suppress_tokens or None,
            begin_suppress_tokens=known.begin_suppress_tokens or None,
            return_dict_in_generate=True,
            output_scores=count > 1,
            **(STRICT if strict else {}),
        )
        prompt = self._torch.tensor([[*before, *start]] * len(encoded.last_hidden_state), device=self._device)
        with self._torch.inference_mode():
            found = transformers.GenerationMixin.generate(
                self._model,
                encoder_outputs=encoded,
                decoder_input_ids=prompt,
                attention_mask=self._torch.ones(encoded.last_hidden_state.shape[:2], device=self._device),
                decoder_attention_mask=self._torch.ones_like(prompt),
                generation_config=settings,
                logits_processor=transformers.LogitsProcessorList(decoding.processors),
            )
        texts = [self._vocabulary.text_only(ids[prompt.shape[1] :]) for ids in found.sequences.tolist()]
        if count == 1:
            return texts
        scores = found.sequences_scores.tolist()
        return [self._chosen(texts[i : i + count], scores[i : i + count], decoding) for i in range(0, len(texts), count)]

    def _chosen(self, texts: Sequence[list[int]], scores: Sequence[float], decoding: Decoding) -> list[int]:
        written = [" ".join(word for word, *_ in self._vocabulary.words(ids)) for ids in texts]
        return texts[
            decoding.choose(
                [Candidate(text, score, len(ids) + 1) for text, score, ids in zip(written, scores, texts, strict=True)]
            )
        ]

    def _before(self, decoding: Decoding) -> list[int]:
        """The prompt's tokens."""
        if not decoding.prompt:
            return []
        text = self._encode_text(f" {decoding.prompt.strip()}", add_special_tokens=False)
        return [self._vocabulary.id("<|startofprev|>"), *text[-(self._model.config.max_target_positions // 2 - 1) :]]

    def _judged(
        self, encoded: Any, start: Sequence[int], texts: Sequence[Sequence[int]], windows: Sequence[Samples]
    ) -> list[Hypothesis]:
        """Times, probability of silence and mean log probability of each text, from reading it once more."""
        end = self._model.generation_config.eos_token_id
        longest = max(len(text) for text in texts)
        read = [[*start, *text, *[end] * (longest - len(text) + 1)] for text in texts]
        out = self._forced(encoded, read, attentions=True)
        logs = out.logits.float().log_softmax(dim=-1)
        silence = logs[:, 0, self._vocabulary.id("<|notimestamps|>") - 1].exp().tolist()
        heads = np.stack([out.cross_attentions[layer][:, head].float().cpu().numpy() for layer, head in self._heads], axis=1)
        judged = []
        for i, text in enumerate(texts):
            # The row of a token is the one that foretells it; after the last one comes the end.
            rows = slice(len(start) - 1, len(start) + len(text))
            seconds = len(windows[i]) / SAMPLE_RATE
            frames = max(1, min(heads.shape[-1], round(seconds / FRAME_S)))
            known = heads[i, :, : len(start) + len(text) + 1, :frames]
            words = timed_words(self._vocabulary, text, aligned(known, rows), seconds) if text else ()
            target = self._torch.tensor([*text, end], device=self._device)
            score = logs[i, rows].gather(1, target[:, None]).mean().item()
            judged.append(Hypothesis(words, silence[i], score))
        return judged

    def _forced(self, encoded: Any, tokens: Sequence[Sequence[int]], attentions: bool = False) -> Any:
        """The decoder over given tokens; only its plain attention tells its weights."""
        ids = self._torch.tensor(tokens, device=self._device)
        usual = self._model.config._attn_implementation
        if attentions:
            self._model.set_attn_implementation("eager")
        try:
            with self._torch.inference_mode():
                return self._model(encoder_outputs=encoded, decoder_input_ids=ids, output_attentions=attentions, use_cache=False)
        finally:
            self._model.set_attn_implementation(usual)


@cache
def loaded(folder: Path, device: str, compute_type: str, threads: int) -> TorchWhisper:
    """A model, loaded once a process."""
    return TorchWhisper(folder, device, compute_type, threads)


def library() -> Any:
    """The package transformers.

    Raises:
        MissingPackageError: It is not installed.
    """
    return imported("transformers", "torch", _WHO)


def _vocabulary(tokenizer: Any) -> Vocabulary:
    """The tokens, also of older checkpoints without a ``tokenizer.json``."""
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save_pretrained(folder)
        return Vocabulary(Path(folder) / "tokenizer.json")
