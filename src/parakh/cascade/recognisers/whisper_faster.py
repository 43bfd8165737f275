"""Whisper of any size through faster-whisper (CTranslate2): models converted for it, on the CPU or on NVIDIA GPUs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from parakh.audio.decode import SAMPLE_RATE
from parakh.cascade.biasing import Fusion
from parakh.cascade.hearing import Hypothesis, Samples
from parakh.cascade.recognisers.whisper import SILENCE_S, STRICT, Candidate, Decoding, chosen_by, start_tokens, timed_words
from parakh.cascade.whisper.tokens import Vocabulary
from parakh.errors import ModelError, UnavailableError
from parakh.packages import imported

FILES = ("model.bin", "config.json", "tokenizer.json")
"""What a converted model consists of at the least."""
COMPUTE_TYPES = ("auto", "float32", "float16", "bfloat16", "int8", "int8_float16", "int8_float32", "int8_bfloat16")


class FasterWhisper:
    """One loaded model.

    Args:
        folder: Its files.
        device: As the option ``device``.
        compute_type: One of ``COMPUTE_TYPES``; "auto" is int8 on the CPU and float16 on a GPU.
        threads: CPU threads.

    Raises:
        MissingPackageError: faster-whisper is not installed.
        UnavailableError: The device is not one it runs on.
        ModelError: The files cannot be loaded.
    """

    def __init__(self, folder: Path, device: str, compute_type: str, threads: int) -> None:
        kind, index = _device(device)
        wanted = {"cpu": "int8", "cuda": "float16"}[kind] if compute_type == "auto" else compute_type
        package = library()
        try:
            self._model = package.WhisperModel(str(folder), kind, index, wanted, cpu_threads=threads, local_files_only=True)
            self._vocabulary = Vocabulary(folder / "tokenizer.json")
        except Exception as error:  # damaged files give errors of many kinds, down to bare ones
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            action = f"Look whether the folder is a whole model converted for CTranslate2, and whether {kind} can do {wanted}."
            raise ModelError(f"weights {folder}: found files that cannot be loaded ({reason}). {action}") from error

    @property
    def longest(self) -> float:
        """Seconds of the longest window it hears."""
        return float(self._model.feature_extractor.chunk_length) - SILENCE_S

    def languages(self, windows: Sequence[Samples]) -> dict[str, float]:
        """Mean probability of each of the model's languages over some windows."""
        if not self._model.model.is_multilingual:
            return {"en": 1.0}
        sums: dict[str, float] = {}
        for found in self._model.model.detect_language(self._encoded(windows)):
            for token, probability in found:
                sums[token[2:-2]] = sums.get(token[2:-2], 0.0) + probability / len(windows)
        return sums

    def knows(self, language: str) -> bool:
        """Whether the model has a token for the language."""
        return self._vocabulary.id(f"<|{language}|>") > 0 if self._model.model.is_multilingual else language == "en"

    def recognise(
        self, windows: Sequence[Samples], language: str, decoding: Decoding, *, strict: bool = False
    ) -> list[Hypothesis]:
        """What each window says."""
        encoded = self._encoded(windows)
        start = [self._vocabulary.id(token) for token in self._start(decoding, language)]
        results = self._model.model.generate(
            encoded,
            [[*self._before(decoding), *start]] * len(windows),
            beam_size=decoding.beam,
            num_hypotheses=min(decoding.candidates, decoding.beam),
            return_scores=True,
            return_no_speech_prob=True,
            **(STRICT if strict else {}),
        )
        chosen = [self._chosen(result, decoding) for result in results]
        lengths = [len(samples) / SAMPLE_RATE for samples in windows]
        # The last of the start tokens only says that no times are to be written.
        aligned = self._model.model.align(encoded, start[:-1], [tokens for tokens, _ in chosen], [_frames(s) for s in windows])
        return [
            Hypothesis(timed_words(self._vocabulary, tokens, one.alignments, length), result.no_speech_prob, score)
            for (tokens, score), one, result, length in zip(chosen, aligned, results, lengths, strict=True)
        ]

    def led(self, decoding: Decoding, fusion: Fusion) -> Decoding:
        """The decoding, led: hot words as a prompt, and the best texts of the search judged with the bias."""
        prompt = ", ".join(filter(None, [decoding.prompt, *(word.text for word in fusion.hot_words)]))
        return replace(decoding, prompt=prompt, candidates=decoding.beam, choose=chosen_by(fusion))

    def _start(self, decoding: Decoding, language: str) -> list[str]:
        tokens = start_tokens(decoding, language)
        return tokens if self._model.model.is_multilingual else [tokens[0], tokens[-1]]

    def _before(self, decoding: Decoding) -> list[int]:
        """The prompt's tokens."""
        if not decoding.prompt:
            return []
        text = self._model.hf_tokenizer.encode(f" {decoding.prompt.strip()}", add_special_tokens=False).ids
        return [self._vocabulary.id("<|startofprev|>"), *text[-(self._model.max_length // 2 - 1) :]]

    def _chosen(self, result: Any, decoding: Decoding) -> tuple[list[int], float]:
        texts = [self._vocabulary.text_only(ids) for ids in result.sequences_ids]
        written = [" ".join(word for word, *_ in self._vocabulary.words(ids)) for ids in texts]
        # CTranslate2 divides by the tokens of the text; Whisper's limits are those of the mean with the one that ends it.
        scores = [score * len(ids) / (len(ids) + 1) for score, ids in zip(result.scores, texts, strict=True)]
        best = decoding.choose(
            [Candidate(text, score, len(ids) + 1) for text, score, ids in zip(written, scores, texts, strict=True)]
        )
        return texts[best], scores[best]

    def _encoded(self, windows: Sequence[Samples]) -> Any:
        """The encoder's output, of windows padded to the length that the model was trained on."""
        extract = self._model.feature_extractor
        padded = (np.pad(samples, (0, extract.n_samples - len(samples))) for samples in windows)
        # CTranslate2 looks at this memory and does not own it: it must outlive the call.
        features = np.stack([extract(one)[:, : extract.nb_max_frames] for one in padded])
        return self._model.encode(features)


@cache
def loaded(folder: Path, device: str, compute_type: str, threads: int) -> FasterWhisper:
    """A model, loaded once a process."""
    return FasterWhisper(folder, device, compute_type, threads)


def library() -> Any:
    """The package faster_whisper.

    Raises:
        MissingPackageError: It is not installed.
    """
    return imported("faster_whisper", "whisper", "transcriber whisper", "faster-whisper")


def _device(name: str) -> tuple[str, int]:
    """CTranslate2's name of a device, and its number."""
    import ctranslate2

    kind, _, index = name.partition(":")
    gpus = ctranslate2.get_cuda_device_count()
    if kind == "auto":
        kind = "cuda" if gpus else "cpu"
    if kind == "cuda" and int(index or 0) < gpus:
        return kind, int(index or 0)
    if kind == "cpu":
        return kind, 0
    action = "Set device to 'auto', or engine to 'transformers'."
    raise UnavailableError(f"transcriber whisper: faster-whisper found no device {name!r} here, expected one. {action}")


def _frames(samples: Samples) -> int:
    """Frames of a window's features that are not padding; a whole number of the encoder's."""
    return max(2, len(samples) * 100 // SAMPLE_RATE // 2 * 2)
