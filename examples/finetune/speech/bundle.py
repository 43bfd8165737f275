"""Turn the adapter that ``parakh finetune asr`` wrote into one that comes with Parakh.

    python examples/finetune/speech/bundle.py RUN LANGUAGE

RUN is the folder of the run, with ``adapter/`` in it. Weights become float16; the tokens that the training texts are made
of, the token and the window go into ``adapter.json``; the declaration of the model is written into the catalog.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
import tomllib
from pathlib import Path

import numpy as np
import tokenizers
from make_speech import LONGEST, OFFSET
from safetensors.numpy import load_file, save_file

from parakh.models import store

MODELS = Path(__file__).parents[3] / "src/parakh/models"
NAMES = {"hi": "Hindi", "kn": "Kannada"}
KEPT = ("peft_type", "r", "lora_alpha", "target_modules", "use_rslora", "bias")


def main() -> None:
    run, language = Path(sys.argv[1]), sys.argv[2]
    config = tomllib.loads((Path(__file__).parent.parent / f"whisper-base-{language}.toml").read_text(encoding="utf-8"))
    name = f"whisper-base-{language}"
    home = MODELS / "bundled" / name
    home.mkdir(parents=True, exist_ok=True)
    weights = load_file(run / "adapter/adapter_model.safetensors")
    save_file({key: array.astype(np.float16) for key, array in weights.items()}, home / "adapter_model.safetensors")
    told = json.loads((run / "adapter/adapter_config.json").read_text(encoding="utf-8"))
    _write(home / "adapter_config.json", {key: told[key] for key in KEPT if key in told})
    tokens = _tokens(Path(config["data"]))
    about = {"token": config["language"], "longest": LONGEST, "script_offset": OFFSET[language], "tokens": tokens}
    _write(home / "adapter.json", about)
    (MODELS / f"catalog/{name}.toml").write_text(_declaration(home, NAMES[language]), encoding="utf-8")


def _tokens(data: Path) -> list[int]:
    tokenizer = tokenizers.Tokenizer.from_file(str(store.get("whisper-base") / "tokenizer.json"))
    texts = []
    for path in sorted((data / "transcripts").glob("*.txt")):
        with path.open(encoding="utf-8", newline="") as sheet:
            texts += [row["text"] for row in csv.DictReader(sheet, delimiter="\t")]
    found = {token for text in texts for token in tokenizer.encode(f" {text}", add_special_tokens=False).ids}
    return sorted({*found, tokenizer.token_to_id("<|endoftext|>")})


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value) + "\n", encoding="utf-8")


def _declaration(home: Path, language: str) -> str:
    lines = [
        f'title = "Whisper base\'s decoder for {language}: a low-rank adapter trained on synthetic speech"',
        'licence = "Apache-2.0"',
        'source = "Trained for Parakh; its card CARD.md lies beside the weights"',
        "bundled = true",
    ]
    for path in sorted(home.glob("adapter*")):
        data = path.read_bytes()
        lines += [
            "",
            "[[files]]",
            f'path = "{path.name}"',
            f'sha256 = "{hashlib.sha256(data).hexdigest()}"',
            f"size = {len(data)}",
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
