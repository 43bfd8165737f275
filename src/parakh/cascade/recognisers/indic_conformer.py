"""IndicConformer's published parts run as they are: a TorchScript front end, an encoder, and its two decoders, in ONNX.

The repository's own Python is not run. Its files, under ``assets/``, and what goes in and out of them:

- ``preprocessor.ts`` (samples, length): 80 log-mel features each normalised over the recording, so each window goes alone;
- ``encoder.onnx`` (features, lengths): (batch, width, frames) and lengths;
- ``ctc_decoder.onnx``: log probabilities over the tokens of all languages, of which ``language_masks.json`` picks one language's;
- ``rnnt_decoder.onnx``, ``joint_enc``, ``joint_pred``, ``joint_pre_net`` and ``joint_post_net_<language>.onnx``: the transducer;
- ``vocab.json``: the tokens of each language, with the blank after them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE
from parakh.cascade.biasing import Fusion
from parakh.cascade.biasing.ctc import SPACE, align, decode
from parakh.cascade.devices import import_torch
from parakh.cascade.hearing import Hypothesis, Samples
from parakh.cascade.windows import Word
from parakh.errors import ModelError, UnavailableError
from parakh.packages import imported

Floats = NDArray[np.float32]

DECODERS = {
    "ctc": ("ctc_decoder",),
    "rnnt": ("rnnt_decoder", "joint_enc", "joint_pred", "joint_pre_net"),
}
"""The parts that each decoder needs beside the encoder."""

_WHO = "transcriber indic-conformer"
_MOST_SYMBOLS = 10
"""Tokens that the transducer writes at one frame at the most."""
_CUDA = {"cudnn_conv_algo_search": "DEFAULT", "cudnn_conv1d_pad_to_nc1d": "1"}
"""Without them CUDA measures its algorithms anew for each length of a window."""


@dataclass(frozen=True, slots=True)
class Emission:
    """A token that was written: its index in the language's vocabulary, and the range [start, end) of frames."""

    token: int
    start: int
    end: int


Search = Callable[[Floats, Sequence[str]], list[Emission]]
"""From log probabilities, shape (frames, tokens), the blank last, and the tokens to what is written: the seam for biasing."""


def best_path(logs: Floats, vocabulary: Sequence[str]) -> list[Emission]:
    """The likeliest token at each frame, repetitions taken together and blanks left out.

    >>> scores = np.log(np.array([[0.8, 0.1, 0.1], [0.7, 0.1, 0.2], [0.1, 0.1, 0.8], [0.6, 0.2, 0.2]], np.float32))
    >>> best_path(scores, ["a", "b"])
    [Emission(token=0, start=0, end=2), Emission(token=0, start=3, end=4)]
    """
    tokens = logs.argmax(axis=1)
    edges = np.flatnonzero(np.diff(tokens, prepend=-1, append=-1)).tolist()
    blank = logs.shape[1] - 1
    return [Emission(int(tokens[start]), start, end) for start, end in pairwise(edges) if tokens[start] != blank]


@cache
def led_by(fusion: Fusion) -> Search:
    """A search that a language model and hot words lead."""

    def search(logs: Floats, vocabulary: Sequence[str]) -> list[Emission]:
        blank = logs.shape[1] - 1
        found = decode(logs, [*vocabulary[:blank], ""], blank, fusion)[0].tokens
        return [Emission(token, *span) for token, span in zip(found, align(logs, found, blank), strict=True)]

    return search


class IndicConformer:
    """The loaded parts of one folder.

    Args:
        folder: The repository's files.
        decoder: ``ctc`` or ``rnnt``.
        device: As the option ``device``.
        threads: CPU threads.
        search: From the log probabilities of CTC to tokens.

    Raises:
        MissingPackageError: onnxruntime or torch is not installed.
        UnavailableError: The device is not there.
        ModelError: A part is missing or cannot be loaded.
    """

    def __init__(self, folder: Path, decoder: str, device: str, threads: int, search: Search = best_path) -> None:
        self._assets = folder / "assets"
        self._decoder, self._threads, self._search = decoder, threads, search
        self._torch = import_torch(_WHO)
        try:
            self._features = self._torch.jit.load(str(self._assets / "preprocessor.ts"), map_location="cpu")
            self._vocabulary: Mapping[str, list[str]] = json.loads((self._assets / "vocab.json").read_text("utf-8"))
            masks = json.loads((self._assets / "language_masks.json").read_text("utf-8"))
            self._masks = {language: np.flatnonzero(mask) for language, mask in masks.items()}
            self._begin = max(len(mask) for mask in masks.values()) - 1
        except Exception as error:  # TorchScript and JSON give errors of many kinds
            raise _unusable(folder, error) from error
        self._encoder = self._part("encoder", device)
        # Steps of the transducer are so small that copying them to a GPU costs more than it saves.
        self._parts = {name: self._part(name, "cpu") for name in DECODERS[decoder]}

    @property
    def languages(self) -> list[str]:
        """The languages it knows."""
        return sorted(self._masks)

    def recognise(self, windows: Sequence[Samples], language: str, *, strict: bool = False) -> list[Hypothesis]:
        """What each window says; there are no stricter settings."""
        encoded, lengths = self._encoded(windows)
        if self._decoder == "ctc":
            logs = self.log_probabilities(encoded, lengths, language)
            emitted = [self._search(one, self._vocabulary[language]) for one in logs]
        else:
            emitted = self._transduced(encoded, lengths, language)
        seconds = [len(samples) / SAMPLE_RATE for samples in windows]
        return [
            Hypothesis(words(tokens, self._vocabulary[language], length / frames))
            for tokens, length, frames in zip(emitted, seconds, lengths, strict=True)
        ]

    def log_probabilities(self, encoded: Floats, lengths: Sequence[int], language: str) -> list[Floats]:
        """Log probabilities of a language's tokens, shape (frames, tokens) each, the blank last."""
        scores = _ran(self._parts["ctc_decoder"], encoded)[0][:, :, self._masks[language]]
        shifted = scores - scores.max(axis=-1, keepdims=True)
        logs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
        return [one[:length] for one, length in zip(logs, lengths, strict=True)]

    def _encoded(self, windows: Sequence[Samples]) -> tuple[Floats, list[int]]:
        """The encoder's output, shape (windows, width, frames), and the frames of each."""
        torch = self._torch
        features = []
        for samples in windows:
            with torch.inference_mode():
                found, length = self._features(torch.from_numpy(samples)[None], torch.tensor([len(samples)]))
            features.append(found[0, :, : int(length)].numpy())
        lengths = np.array([one.shape[1] for one in features], np.int64)
        padded = [np.pad(one, ((0, 0), (0, lengths.max() - one.shape[1]))) for one in features]
        encoded, frames = _ran(self._encoder, np.stack(padded), lengths)
        return encoded, [max(1, int(one)) for one in frames]

    def _transduced(self, encoded: Floats, lengths: Sequence[int], language: str) -> list[list[Emission]]:
        """Greedy search of the transducer, all windows abreast."""
        heard = _ran(self._parts["joint_enc"], encoded.transpose(0, 2, 1))[0]
        post = self._post_net(language)
        blank = len(self._masks[language]) - 1
        written: list[list[Emission]] = [[] for _ in lengths]
        told = self._foretold([self._begin] * len(lengths), None)
        for frame in range(heard.shape[1]):
            going = [i for i, length in enumerate(lengths) if frame < length]
            for _ in range(_MOST_SYMBOLS):
                joint = heard[going, frame : frame + 1] + told[0][going]
                tokens = _ran(post, _ran(self._parts["joint_pre_net"], joint)[0])[0][:, 0].argmax(-1)
                said = [(i, int(token)) for i, token in zip(going, tokens, strict=True) if token != blank]
                if not said:
                    break
                going = [i for i, _ in said]
                for i, token in said:
                    written[i].append(Emission(token, frame, frame + 1))
                new = self._foretold([token for _, token in said], tuple(state[:, going] for state in told[1:]))
                told[0][going] = new[0]
                for state, changed in zip(told[1:], new[1:], strict=True):
                    state[:, going] = changed
        return written

    def _foretold(self, tokens: Sequence[int], states: tuple[Floats, ...] | None) -> list[Floats]:
        """What the prediction network makes of the last tokens: its part of the joint, and its two states."""
        network = self._parts["rnnt_decoder"]
        count = len(tokens)
        if states is None:
            shapes = [one.shape for one in network.get_inputs()[2:]]
            states = tuple(np.zeros((shape[0], count, shape[2]), np.float32) for shape in shapes)
        found, _, *after = _ran(network, np.array(tokens, np.int32)[:, None], np.ones(count, np.int32), *states)
        part = _ran(self._parts["joint_pred"], found.transpose(0, 2, 1))[0]
        return [np.array(one) for one in (part, *after)]

    def _post_net(self, language: str) -> Any:
        name = f"joint_post_net_{language}"
        if name not in self._parts:
            self._parts[name] = self._part(name, "cpu")
        return self._parts[name]

    def _part(self, name: str, device: str) -> Any:
        runtime = library()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        path, providers = self._assets / f"{name}.onnx", _providers(runtime, device)
        try:
            return runtime.InferenceSession(str(path), options, providers)
        except Exception as error:  # onnxruntime has an error a cause
            raise _unusable(path, error) from error


@cache
def loaded(folder: Path, decoder: str, device: str, threads: int, search: Search = best_path) -> IndicConformer:
    """The parts of a folder, loaded once a process."""
    return IndicConformer(folder, decoder, device, threads, search)


def words(emitted: Sequence[Emission], vocabulary: Sequence[str], frame_s: float) -> tuple[Word, ...]:
    """The words of emitted tokens.

    Args:
        emitted: Tokens in order of time.
        vocabulary: The text of each token; one that begins a word starts with ``▁``.
        frame_s: Seconds of a frame.

    >>> words([Emission(0, 0, 2), Emission(1, 2, 3), Emission(0, 5, 6)], ["▁द", "वा"], 0.1)
    (Word(text='दवा', start=0.0, end=0.30000000000000004), Word(text='द', start=0.5, end=0.6000000000000001))
    """
    grouped: list[list[Emission]] = []
    for one in emitted:
        if not grouped or vocabulary[one.token].startswith(SPACE):
            grouped.append([])
        grouped[-1].append(one)
    texts = ["".join(vocabulary[one.token] for one in group).replace(SPACE, "") for group in grouped]
    spans = [(group[0].start * frame_s, group[-1].end * frame_s) for group in grouped]
    return tuple(Word(text, *span) for text, span in zip(texts, spans, strict=True) if text)


def library() -> Any:
    """The package onnxruntime.

    Raises:
        MissingPackageError: It is not installed.
    """
    return imported("onnxruntime", "cascade", _WHO)


def _ran(session: Any, *values: NDArray[Any]) -> list[NDArray[Any]]:
    """The outputs of a part, whose inputs are given in order: exports of the same part name them differently."""
    names = [one.name for one in session.get_inputs()]
    found: list[NDArray[Any]] = session.run(None, dict(zip(names, map(np.ascontiguousarray, values), strict=True)))
    return found


def _providers(runtime: Any, device: str) -> list[Any]:
    kind, _, index = device.partition(":")
    there = "CUDAExecutionProvider" in runtime.get_available_providers()
    if kind in ("mps", "cuda") and not (there and kind == "cuda"):
        action = "Set device to 'auto', or install onnxruntime-gpu in place of onnxruntime."
        raise UnavailableError(f"{_WHO}: onnxruntime found no device {device!r} here, expected one. {action}")
    gpu = [("CUDAExecutionProvider", {**_CUDA, "device_id": index or "0"})] if there and kind != "cpu" else []
    return [*gpu, "CPUExecutionProvider"]


def _unusable(path: Path, error: Exception) -> ModelError:
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    action = "Look whether the folder holds the whole repository, as files and not as links to them."
    return ModelError(f"weights {path}: found what cannot be loaded ({reason}), expected a part of IndicConformer. {action}")
