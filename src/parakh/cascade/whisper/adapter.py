"""A low-rank adapter (LoRA) of Whisper's decoder, merged into the weights of CTranslate2 with NumPy.

An adapter is a folder as peft writes it (``adapter_model.safetensors``, ``adapter_config.json``). An ``adapter.json`` beside
them tells what it was trained on: Whisper's ``token`` for the language, the ``longest`` window in seconds, the ``script_offset``
between the letters it writes and those of the language, the ``tokens`` that its texts are made of, and where the base model
knows the language too, ``least``: how sure it must be of a recording.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from parakh.models.ctranslate2_file import Array, read_specification, specification_bytes

_PLACES = {
    "self_attn.q_proj": ("self_attention/linear_0", 0, 3),
    "self_attn.k_proj": ("self_attention/linear_0", 1, 3),
    "self_attn.v_proj": ("self_attention/linear_0", 2, 3),
    "self_attn.out_proj": ("self_attention/linear_1", 0, 1),
    "encoder_attn.q_proj": ("attention/linear_0", 0, 1),
    "encoder_attn.k_proj": ("attention/linear_1", 0, 2),
    "encoder_attn.v_proj": ("attention/linear_1", 1, 2),
    "encoder_attn.out_proj": ("attention/linear_2", 0, 1),
    "fc1": ("ffn/linear_0", 0, 1),
    "fc2": ("ffn/linear_1", 0, 1),
}
"""Where CTranslate2 has a projection: variable, which of its equal parts of rows, how many parts."""

_NAME = re.compile(r"base_model\.model\.model\.decoder\.layers\.(\d+)\.(\w+(?:\.\w+)?)\.lora_A\.weight")


@dataclass(frozen=True)
class Adapter:
    """What an adapter was trained on.

    Args:
        folder: Where it lies.
        token: Whisper's language token it is decoded with; "" is the language's own.
        longest: Longest window in seconds.
        script_offset: Code points from a letter it writes to the letter that is meant.
        tokens: Numbers of the tokens its texts are made of; none where any may be written.
        least: Mean log probability of a token, <= 0, below which a recording is not of the kind that it knows, and is decoded
            without it; None keeps it for all.
    """

    folder: Path
    token: str = ""
    longest: float = 14.5
    script_offset: int = 0
    tokens: tuple[int, ...] = ()
    least: float | None = None

    def knows(self, confidence: float) -> bool:
        """Whether a recording that it decoded with some confidence is of the kind that it knows."""
        return self.least is None or confidence >= self.least

    def written(self, text: str) -> str:
        """What it wrote in the letters that are meant."""
        return "".join(chr(ord(sign) + self.script_offset) if "\u0901" <= sign <= "\u0963" else sign for sign in text)


def read_adapter(folder: Path) -> Adapter:
    """The adapter of a folder; its weights are read when they are merged.

    Raises:
        ValueError: ``adapter.json`` is not as described above.
    """
    path = folder / "adapter.json"
    told = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    try:
        return Adapter(folder, **{**told, "tokens": tuple(told.get("tokens", ()))})
    except TypeError as error:
        raise ValueError(f"adapter.json: {error}") from error


def adapted_decoder(base: Path, adapter: Path) -> bytes:
    """A ``model.bin`` with the decoder of ``base`` after an adapter; its encoder has one layer, the fewest that load.

        W' = W + alpha / rank * B A

    Args:
        base: Folder of a Whisper for CTranslate2.
        adapter: Folder of the adapter.

    Returns:
        The file's content: decoding takes the encoder's output from the base model.

    Raises:
        ValueError: The adapter is of another model, or not one that can be merged.
    """
    name, variables = read_specification(base / "model.bin")
    kept = {key: array for key, array in variables.items() if not re.match(r"encoder/layer_[1-9]", key)}
    for target, update in updates(adapter).items():
        if target.variable not in kept or kept[target.variable].shape[1] != update.shape[1]:
            raise ValueError(f"it has weights for {target.variable} that the base model has not")
        kept[target.variable] = _added(kept[target.variable], target, update)
    return specification_bytes(name, kept)


@dataclass(frozen=True)
class Target:
    """The rows of a variable that an update is added to: part ``part`` of ``parts`` equal ones."""

    variable: str
    part: int
    parts: int


def updates(folder: Path) -> Mapping[Target, Array]:
    """What an adapter adds to each projection, float32 of shape (out, in).

    Raises:
        ValueError: It is no LoRA adapter of a Whisper decoder alone.
    """
    config = json.loads((folder / "adapter_config.json").read_text("utf-8"))
    weights = read_safetensors(folder / "adapter_model.safetensors")
    scale = config["lora_alpha"] / (config["r"] ** 0.5 if config.get("use_rslora") else config["r"])
    found = {}
    for name in (one for one in weights if one.endswith(".lora_A.weight")):
        match = _NAME.fullmatch(name)
        if match is None or match[2] not in _PLACES:
            raise ValueError(f"it has weights for {name}, which is no projection of the decoder")
        variable, part, parts = _PLACES[match[2]]
        after = weights[name.replace("lora_A", "lora_B")].astype(np.float32)
        found[Target(f"decoder/layer_{match[1]}/{variable}/weight", part, parts)] = (
            scale * after @ weights[name].astype(np.float32)
        )
    return found


def read_safetensors(path: Path) -> dict[str, Array]:
    """The arrays of a safetensors file: eight bytes with the length of a JSON header, the header, the data.

    Raises:
        ValueError: It is cut off, or holds types that NumPy does not know.
    """
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    types = {"F32": "<f4", "F16": "<f2"}
    arrays = {}
    for name, told in header.items():
        if name == "__metadata__":
            continue
        if told["dtype"] not in types:
            raise ValueError(f"{name} is {told['dtype']}, expected F32 or F16")
        first, last = told["data_offsets"]
        arrays[name] = np.frombuffer(data[start + first : start + last], types[told["dtype"]]).reshape(told["shape"])
    return arrays


def _added(weight: Array, target: Target, update: Array) -> Array:
    rows = len(weight) // target.parts
    if len(update) != rows:
        raise ValueError(f"it has {len(update)} rows for {target.variable}, the base model {rows}")
    summed = weight.astype(np.float32)
    summed[target.part * rows : (target.part + 1) * rows] += update
    return summed.astype(weight.dtype)
