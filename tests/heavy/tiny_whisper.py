"""A Whisper of the true architecture, small and with random weights, and a data set made of the bundled conversations."""

import json
import wave
from collections.abc import Mapping
from pathlib import Path

from parakh.audio.decode import SAMPLE_RATE, load_audio

EXAMPLES = Path(__file__).parents[2] / "examples"
SOURCE = "hi_anc_01"
LANGUAGES = ("hi", "kn", "en")


def data_set(folder: Path, recordings: Mapping[str, str], seconds: float = 20.0) -> Path:
    """The beginning of a bundled conversation, as recordings of a data set that are all alike.

    Args:
        folder: Where to.
        recordings: The split of each, by id.
        seconds: How much of it.
    """
    audio = load_audio(EXAMPLES / "audio" / f"{SOURCE}.flac")
    rows = [line.split("\t") for line in (EXAMPLES / "transcripts" / f"{SOURCE}.txt").read_text("utf-8").splitlines()]
    for name in ("audio", "transcripts", "rttm"):
        (folder / name).mkdir(parents=True)
    entries = []
    for session, split in recordings.items():
        with wave.open(str(folder / "audio" / f"{session}.wav"), "wb") as file:
            file.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
            file.writeframes((audio.samples[: int(seconds * SAMPLE_RATE)] * 32767).astype("<i2").tobytes())
        kept = [[session, *row[1:]] for row in rows[1:] if float(row[5]) < seconds]
        lines = ["\t".join(row) for row in (rows[0], *kept)]
        (folder / "transcripts" / f"{session}.txt").write_text("\n".join(lines) + "\n", "utf-8")
        turns = [
            f"SPEAKER {session} 1 {row[4]} {float(row[5]) - float(row[4]):.3f} <NA> <NA> {row[2]} <NA> <NA>\n" for row in kept
        ]
        (folder / "rttm" / f"{session}.rttm").write_text("".join(turns), "utf-8")
        files = {"transcript": f"transcripts/{session}.txt", "rttm": f"rttm/{session}.rttm"}
        entry = {"session_id": session, "audio": f"audio/{session}.wav", "duration": seconds, "language": "hi", "split": split}
        entries.append(json.dumps({**entry, "files": files}))
    (folder / "recordings.jsonl").write_text("\n".join(entries) + "\n", "utf-8")
    return folder


def make(folder: Path, width: int = 64, vocabulary: int = 400) -> Path:
    """Weights, tokenizer and settings as a Whisper of transformers has them."""
    import torch
    import transformers

    tokenizer = _tokenizer(vocabulary)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    number = tokenizer.token_to_id
    end = number("<|endoftext|>")
    torch.manual_seed(1)
    model = transformers.WhisperForConditionalGeneration(
        transformers.WhisperConfig(
            vocab_size=tokenizer.get_vocab_size(),
            d_model=width,
            encoder_layers=1,
            decoder_layers=2,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=2 * width,
            decoder_ffn_dim=2 * width,
            num_mel_bins=80,
            bos_token_id=end,
            eos_token_id=end,
            pad_token_id=end,
            decoder_start_token_id=number("<|startoftranscript|>"),
            suppress_tokens=None,
            begin_suppress_tokens=None,
        )
    )
    model.generation_config = transformers.GenerationConfig(
        bos_token_id=end,
        eos_token_id=end,
        pad_token_id=end,
        decoder_start_token_id=number("<|startoftranscript|>"),
        is_multilingual=True,
        lang_to_id={f"<|{tag}|>": number(f"<|{tag}|>") for tag in LANGUAGES},
        task_to_id={"transcribe": number("<|transcribe|>"), "translate": number("<|translate|>")},
        no_timestamps_token_id=number("<|notimestamps|>"),
        suppress_tokens=[],
        begin_suppress_tokens=[],
        max_length=448,
    )
    model.save_pretrained(folder)
    transformers.WhisperFeatureExtractor(feature_size=80).save_pretrained(folder)
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "WhisperTokenizerFast"}), "utf-8")
    return folder


def _tokenizer(vocabulary: int):  # type: ignore[no-untyped-def]
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    texts = [
        line.split("\t")[-1]
        for path in sorted(EXAMPLES.glob("transcripts/*.txt"))
        for line in path.read_text("utf-8").splitlines()
    ]
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    special = [
        "endoftext",
        "startoftranscript",
        *LANGUAGES,
        "translate",
        "transcribe",
        "startoflm",
        "startofprev",
        "nospeech",
        "notimestamps",
    ]
    tokenizer.add_special_tokens([AddedToken(f"<|{name}|>", special=True) for name in special])
    return tokenizer
