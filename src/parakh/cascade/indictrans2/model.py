"""IndicTrans2's published files, loaded: its tensors, its vocabularies, its SentencePiece model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from parakh.cascade.devices import import_torch, torch_device
from parakh.cascade.indictrans2.network import EOS, Network
from parakh.cascade.indictrans2.text import ENGLISH, english, prepared, restored
from parakh.errors import ModelError
from parakh.packages import imported

FILES = ("config.json", "dict.SRC.json", "dict.TGT.json", "model.SRC", "*model.*n*")
"""What a checkpoint consists of at the least."""
WHO = "translator indictrans2"
COMPUTE_TYPES = ("auto", "float32", "float16", "bfloat16")


class IndicTrans2:
    """One loaded model from Indian languages to English.

    Args:
        folder: Its files.
        device: As the option ``device``.
        compute_type: One of ``COMPUTE_TYPES``; "auto" is float32 on the CPU and float16 elsewhere.
        threads: CPU threads.

    Raises:
        MissingPackageError: torch, safetensors or sentencepiece is not installed.
        UnavailableError: The device is not there.
        ModelError: The files cannot be loaded.
    """

    def __init__(self, folder: Path, device: str, compute_type: str, threads: int) -> None:
        torch = import_torch(WHO)
        torch.set_num_threads(threads)
        place = torch_device(device, WHO)
        wanted = ("float32" if place.type == "cpu" else "float16") if compute_type == "auto" else compute_type
        pieces = sentencepiece()
        try:
            config = json.loads((folder / "config.json").read_text("utf-8"))
            tensors = {name: tensor.to(place, getattr(torch, wanted)) for name, tensor in _tensors(torch, folder).items()}
            self._network = Network(torch, tensors, config)
            self._ids: dict[str, int] = json.loads((folder / "dict.SRC.json").read_text("utf-8"))
            written = json.loads((folder / "dict.TGT.json").read_text("utf-8"))
            self._pieces = pieces.SentencePieceProcessor(model_file=str(folder / "model.SRC"))
            self._unknown = self._ids["<unk>"]
            self._longest = int(config.get("max_source_positions", 256)), int(config.get("max_target_positions", 256))
        except Exception as error:  # damaged files give errors of many kinds
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            action = "Look whether the folder is a whole checkpoint of IndicTrans2 from Indian languages to English."
            raise ModelError(f"weights {folder}: found files that cannot be loaded ({reason}). {action}") from error
        self._written = {number: piece for piece, number in written.items()}

    def tokens(self, text: str, tag: str) -> list[int]:
        """A prepared sentence as token ids, led by its language and English, ended by ``EOS``."""
        return [self._ids.get(piece, self._unknown) for piece in (tag, ENGLISH, *self._pieces.encode(text, out_type=str))] + [EOS]

    def parts(self, sentence: str, tag: str) -> list[str]:
        """A sentence in parts that the model can read at once, cut between words as evenly as can be."""
        words = sentence.split()
        length = len(self.tokens(prepared(sentence, tag)[0], tag))
        if length <= self._longest[0] or len(words) < 2:
            return [sentence]
        middle = len(words) // 2
        return [part for half in (words[:middle], words[middle:]) for part in self.parts(" ".join(half), tag)]

    def translated(self, sentences: Sequence[str], tag: str, beam: int) -> list[tuple[str, list[str]]]:
        """The English of some sentences, and the numbers and addresses of each that did not come back.

        Args:
            sentences: Parts that the model can read at once.
            tag: The model's name of their language.
            beam: Beam width.
        """
        ready = [prepared(sentence, tag) for sentence in sentences]
        ids = [self.tokens(text, tag)[-self._longest[0] :] for text, _ in ready]
        found = self._network.translated(ids, beam, self._longest[1])
        return [self._finished(numbers, kept) for numbers, (_, kept) in zip(found, ready, strict=True)]

    def _finished(self, numbers: Sequence[int], kept: dict[str, str]) -> tuple[str, list[str]]:
        pieces = [self._written.get(number, "") for number in numbers]
        return restored(english([piece for piece in pieces if piece not in ("<s>", "<pad>", "</s>", "<unk>")]), kept)


@cache
def loaded(folder: Path, device: str, compute_type: str, threads: int) -> IndicTrans2:
    """A model, loaded once a process."""
    return IndicTrans2(folder, device, compute_type, threads)


def sentencepiece() -> Any:
    """The package sentencepiece.

    Raises:
        MissingPackageError: It is not installed.
    """
    return imported("sentencepiece", "torch", WHO)


def _tensors(torch: Any, folder: Path) -> dict[str, Any]:
    found: dict[str, Any]
    if (folder / "model.safetensors").is_file():
        from safetensors.torch import load_file

        found = load_file(folder / "model.safetensors")
    else:
        found = torch.load(folder / "pytorch_model.bin", map_location="cpu", weights_only=True)
    return found
