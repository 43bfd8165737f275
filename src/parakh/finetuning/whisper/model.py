"""A Whisper to fine-tune: loaded from a folder, with an adapter where one is asked for, and written as it is used."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parakh.cascade.recognisers.whisper import alignment_heads
from parakh.errors import ModelError
from parakh.finetuning.whisper.from_ctranslate2 import is_ctranslate2, rebuilt
from parakh.models import store, weights
from parakh.packages import imported

WANTED_BY = "recipe 'whisper'"

_COPIED = (
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.json",
    "merges.txt",
    "normalizer.json",
    "added_tokens.json",
    "special_tokens_map.json",
    "preprocessor_config.json",
    "processor_config.json",
)
"""What lies beside the weights and stays as it is."""


@dataclass(frozen=True)
class Adapter:
    """A low-rank adapter (LoRA) on the projections of attention and feed-forward layers.

    Args:
        rank: Of each pair of matrices.
        alpha: Scale: the update is multiplied by alpha / rank.
        dropout: On the adapter's input.
        encoder: Whether the encoder gets one too.
    """

    rank: int
    alpha: int
    dropout: float
    encoder: bool


@dataclass
class Loaded:
    """A model ready to be trained.

    Args:
        whisper: ``WhisperForConditionalGeneration``; an adapter's layers stand in it.
        adapted: The same as peft sees it; None without an adapter.
        tokenizer: ``tokenizers.Tokenizer``.
        folder: What it was loaded from.
    """

    whisper: Any
    adapted: Any
    tokenizer: Any
    folder: Path

    def token(self, text: str) -> int:
        """Number of a special token.

        Raises:
            ModelError: The tokenizer has none of that name.
        """
        number = self.tokenizer.token_to_id(text)
        if number is None:
            raise ModelError(
                f"weights {self.folder}: found no token {text} in tokenizer.json, expected the tokenizer of a Whisper."
            )
        return int(number)

    @property
    def heads(self) -> list[tuple[int, int]]:
        """The (layer, head) pairs whose attention follows the sound; the upper half of the layers where none are named."""
        return alignment_heads(self.whisper)


def find(name: str) -> Path:
    """The folder of a model of the store, of ``org/name``, or a folder itself.

    Raises:
        ModelError: It is nowhere.
    """
    if name in store.names():
        return store.get(name)
    return weights.find(name, ("config.json", "tokenizer.json"))


def packages() -> tuple[Any, Any, Any]:
    """torch, transformers and peft.

    Raises:
        MissingPackageError: One is not installed.
    """
    torch, transformers, peft = (imported(name, "finetune", WANTED_BY) for name in ("torch", "transformers", "peft"))
    transformers.utils.logging.disable_progress_bar()
    return torch, transformers, peft


def load(name: str, adapter: Adapter | None, freeze_encoder: bool, seed: int) -> Loaded:
    """Load a Whisper in float32 on the CPU and choose what is trained.

    Args:
        name: As ``find`` takes it; transformers' files, or CTranslate2's.
        adapter: Train this instead of the weights themselves; None trains those.
        freeze_encoder: Leave the encoder as it is.
        seed: Of the adapter's first values.

    Raises:
        ModelError: The weights are nowhere, or are not those of a Whisper.
    """
    torch, transformers, peft = packages()
    from tokenizers import Tokenizer

    folder = find(name)
    try:
        if is_ctranslate2(folder):
            whisper = rebuilt(folder)
        else:
            whisper = transformers.WhisperForConditionalGeneration.from_pretrained(
                folder, local_files_only=True, dtype=torch.float32, attn_implementation="sdpa"
            )
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except ModelError:
        raise
    except Exception as error:  # damaged files give errors of many kinds
        found = str(error).strip().partition("\n")[0] or type(error).__name__
        raise ModelError(
            f"weights {name}: found files in {folder} that cannot be loaded ({found}), expected a Whisper."
        ) from error
    whisper.config.use_cache = False
    whisper.model.encoder.requires_grad_(not freeze_encoder)
    whisper.model.encoder.embed_positions.requires_grad_(False)
    adapted = None
    if adapter is not None:
        torch.manual_seed(seed)
        adapted = peft.get_peft_model(whisper, _lora(peft, adapter))
    return Loaded(whisper, adapted, tokenizer, folder)


def _lora(peft: Any, adapter: Adapter) -> Any:
    where = r"(?:encoder|decoder)" if adapter.encoder else "decoder"
    return peft.LoraConfig(
        r=adapter.rank,
        lora_alpha=adapter.alpha,
        lora_dropout=adapter.dropout,
        target_modules=rf".*\.{where}\.layers\..*\.(?:q_proj|k_proj|v_proj|out_proj|fc1|fc2)",
    )


def save(model: Loaded, out: Path) -> dict[str, str]:
    """Write the trained model: ``adapter/`` where there is one, and ``model/``, with the adapter merged, for transformers.

    Args:
        model: The model; afterwards its adapter is merged.
        out: Where to.

    Returns:
        The folders by what they hold.
    """
    written = {}
    whisper = model.whisper
    if model.adapted is not None:
        model.adapted.save_pretrained(out / "adapter")
        written["adapter"] = str(out / "adapter")
        whisper = model.adapted.merge_and_unload()
    whisper.config.use_cache = True
    whisper.save_pretrained(out / "model")
    _complete(model.folder, out / "model", whisper.config)
    return {**written, "model": str(out / "model")}


def _complete(base: Path, folder: Path, config: Any) -> None:
    """What lies beside the weights: as the base has it, or made, as transformers wants more of it than CTranslate2."""
    import transformers

    if not (base / "preprocessor_config.json").exists() and not (base / "processor_config.json").exists():
        transformers.WhisperFeatureExtractor(feature_size=config.num_mel_bins).save_pretrained(folder)
    if not (base / "tokenizer_config.json").exists():
        transformers.WhisperTokenizerFast(tokenizer_file=str(base / "tokenizer.json")).save_pretrained(folder)
    for name in _COPIED:
        if (base / name).is_file():
            shutil.copyfile(base / name, folder / name)


def convert(folder: Path, out: Path, quantization: str) -> None:
    """Write a model of transformers as CTranslate2 runs it.

    Args:
        folder: The model.
        out: Where to; what is there is replaced.
        quantization: "int8", "int8_float16", "float16" or "float32".

    Raises:
        MissingPackageError: ctranslate2 is not installed.
    """
    converters = imported("ctranslate2.converters", "cascade", f"{WANTED_BY} with ctranslate2")
    copied = [name for name in ("tokenizer.json", "preprocessor_config.json") if (folder / name).is_file()]
    converters.TransformersConverter(str(folder), copy_files=copied).convert(str(out), quantization=quantization, force=True)


def dimensions(folder: Path) -> Mapping[str, int]:
    """Sizes of a Whisper as its files tell them, without loading it.

    Returns:
        ``d_model``, ``encoder_layers``, ``decoder_layers``, ``ffn``, ``vocabulary``, ``mel_bins``, ``frames``, ``positions``.

    Raises:
        ModelError: ``config.json`` does not tell them.
    """
    from parakh.finetuning.whisper.from_ctranslate2 import configuration

    try:
        told = configuration(folder) if is_ctranslate2(folder) else json.loads((folder / "config.json").read_text("utf-8"))
        return {
            "d_model": int(told["d_model"]),
            "encoder_layers": int(told["encoder_layers"]),
            "decoder_layers": int(told["decoder_layers"]),
            "ffn": int(told["decoder_ffn_dim"]),
            "vocabulary": int(told["vocab_size"]),
            "mel_bins": int(told["num_mel_bins"]),
            "frames": int(told.get("max_source_positions", 1500)),
            "positions": int(told.get("max_target_positions", 448)),
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"weights {folder}: found a config.json without {error}, expected that of a Whisper.") from error
