"""Make a data set of synthetic speech to train an adapter of Whisper on: sentences, voices, rooms, one window a recording.

    python examples/finetune/speech/make_speech.py hi|kn --cache DIR --out FOLDER [--minutes M]

The voices are those of ``examples/scripts`` (Kokoro, mixed with its speakers of other languages) and, for a part, espeak-ng and
Debian's Festival voice; the programs ``espeak-ng`` and, for Hindi, ``festival`` with ``festvox-hi-nsk`` and ``festival-hi``.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import tarfile
import wave
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SCRIPTS = Path(__file__).parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

import voices  # noqa: E402
from distort import distorted, noise, room_of  # noqa: E402
from scenario import Speaker  # noqa: E402
from sentences import Grammar, missing  # noqa: E402

from parakh.cascade.whisper.lexicon import read_frequencies  # noqa: E402
from parakh.models import store  # noqa: E402

RATE = voices.SAMPLE_RATE
LONGEST = 14.4
"""Seconds of a recording: a window whose Devanagari fits the decoder's 448 tokens."""

SILENT = 0.03
"""Share of recordings that hold noise and no words, so that none are invented."""

INDIAN = ("hf_alpha", "hf_beta", "hm_omega", "hm_psi")
VARIANTS = (
    "",
    "+m1",
    "+m2",
    "+m3",
    "+m4",
    "+m5",
    "+m7",
    "+f1",
    "+f2",
    "+f3",
    "+f4",
    "+f5",
    "+Annie",
    "+Alicia",
    "+Lee",
    "+steph",
)
GROUPS = {
    "hi": {"talk": 24, "life": 12, "story": 22, "news": 13, "words": 4, "short": 5, "frequent": 20},
    "kn": {"talk": 40, "life": 20, "story": 24, "news": 12, "words": 4, "short": 6},
}
"""How often each group of sentences is said; ``frequent`` reads lists of frequent words that no sentence has."""

OFFSET = {"hi": 0, "kn": 0x380}
"""Kannada is written with the letters of Devanagari at the same places of their blocks, which the model knows far better."""


@dataclass
class Studio:
    """Everything that utterances are made from."""

    language: str
    grammar: Grammar
    kokoro: voices.Voices
    others: list[str]
    frequent: list[str]
    scratch: Path
    source: random.Random

    def text(self) -> str:
        """One to five sentences."""
        groups = GROUPS[self.language]
        group = self.source.choices(list(groups), list(groups.values()))[0]
        if group == "frequent":
            words = [self.source.choice(self.frequent) for _ in range(self.source.randint(6, 12))]
            return " ".join(word + ("," if self.source.random() < 0.2 else "") for word in words[:-1]) + f" {words[-1]}।"
        count = self.source.randint(2, 5) if group == "short" else self.source.choice((1, 2, 2, 2, 3))
        return " ".join(self.grammar.sentence(group, self.source) for _ in range(count))

    def said(self, text: str) -> voices.Samples:
        """The text in a voice drawn at random."""
        draw = self.source.random()
        if draw < 0.6:
            return self._kokoro(text)
        path = self.scratch / "spoken.wav"
        path.unlink(missing_ok=True)
        (self._festival if self.language == "hi" and draw > 0.85 else self._espeak)(text, path)
        with wave.open(str(path)) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), np.int16).astype(np.float64)
            trimmed = voices._trim(voices._resample(samples, RATE / file.getframerate()))
        return np.asarray(trimmed * (0.5 / np.abs(trimmed).max()))

    def _kokoro(self, text: str) -> voices.Samples:
        draw = self.source
        own = draw.sample(INDIAN, draw.choice((1, 1, 2)))
        foreign = draw.uniform(0.25, 0.7) if draw.random() < 0.5 else 0.0
        mixed = {name: (1 - foreign) / len(own) for name in own}
        mixed |= {draw.choice(self.others): foreign} if foreign else {}
        speaker = Speaker("s", "", "", "", "", "", mixed, draw.uniform(0.9, 1.12), draw.uniform(0.92, 1.35), 0.5)
        phonemes = voices.phonemize(text, self.language, self.kokoro.respell[self.language])
        return voices._synthesise(self.kokoro, speaker, "".join(p for p in phonemes if p in self.kokoro.vocabulary), text)

    def _espeak(self, text: str, path: Path) -> None:
        voice = self.language + self.source.choice(VARIANTS)
        speed, pitch = str(self.source.randint(130, 190)), str(self.source.randint(25, 75))
        subprocess.run(["espeak-ng", "-v", voice, "-s", speed, "-p", pitch, "-w", str(path), text], check=True)

    def _festival(self, text: str, path: Path) -> None:
        lines = (
            "(Parameter.set 'Int_Method 'DuffInt)",
            "(voice_hindi_NSK_diphone)",
            "(Parameter.set 'Int_Method 'DuffInt)",
            f"(set! duffint_params '((start {self.source.randint(105, 190)}) (end {self.source.randint(85, 110)})))",
            "(Parameter.set 'Int_Target_Method Int_Targets_Default)",
            f"(Parameter.set 'Duration_Stretch {self.source.uniform(0.9, 1.4):.2f})",
            f'(set! u (Utterance Text "{text}"))',
            "(utt.synth u)",
            f'(utt.save.wave u "{path}" \'riff)',
        )
        script = self.scratch / "said.scm"
        script.write_text("\n".join(lines), encoding="utf-8")
        subprocess.run(["festival", "-b", str(script)], check=True, capture_output=True)


def recording(studio: Studio, generator: np.random.Generator) -> tuple[np.ndarray, list[tuple[float, float, str]]]:
    """One window: samples and its turns as ``(start, end, text)``."""
    draw = studio.source
    if draw.random() < SILENT:
        return noise(draw, generator, draw.randrange(RATE, 8 * RATE)) * 10 ** (-draw.uniform(10, 50) / 20) * 0.3, []
    wanted, parts, turns = draw.choice((3, 6, 10, 14, 14)), [np.zeros(int(draw.uniform(0.05, 0.4) * RATE))], []
    room = room_of(draw)
    while (filled := sum(map(len, parts)) / RATE) < wanted:
        text = studio.text()
        said = room(studio.said(text), generator)
        if filled + len(said) / RATE > LONGEST:
            if turns:
                break
            continue
        turns.append((filled, filled + len(said) / RATE, text))
        parts += [said, np.zeros(int(draw.uniform(0.1, 0.45) * RATE))]
    return distorted(np.concatenate(parts), draw, generator), turns


def write(
    folder: Path, language: str, seconds: float, make: Callable[[], tuple[np.ndarray, list[tuple[float, float, str]]]]
) -> None:
    """Recordings until there are as many seconds; every twentieth is for development."""
    (folder / "audio").mkdir(parents=True)
    (folder / "transcripts").mkdir()
    total, number = 0.0, 0
    with (folder / "recordings.jsonl").open("w", encoding="utf-8") as manifest:
        while total < seconds:
            samples, turns = make()
            name = f"{language}_{number:05}"
            with wave.open(str(folder / f"audio/{name}.wav"), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(2)
                file.setframerate(RATE)
                file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
            with (folder / f"transcripts/{name}.txt").open("w", encoding="utf-8", newline="") as sheet:
                rows = csv.writer(sheet, delimiter="\t", lineterminator="\n")
                rows.writerow(("rec_id", "seg_id", "speaker_id", "role", "start", "end", "text"))
                for i, (start, end, text) in enumerate(turns, 1):
                    rows.writerow(
                        (name, f"{name}_{i:03}", "spk0", "", f"{start:.3f}", f"{end:.3f}", shifted(text, OFFSET[language]))
                    )
            entry = {"session_id": name, "audio": f"audio/{name}.wav", "duration": len(samples) / RATE, "language": language}
            entry |= {"split": "dev" if number % 20 == 19 else "train", "files": {"transcript": f"transcripts/{name}.txt"}}
            manifest.write(json.dumps(entry, ensure_ascii=False) + "\n")
            total, number = total + len(samples) / RATE, number + 1


def shifted(text: str, offset: int) -> str:
    """The text in the letters that the model is to write."""
    return "".join(chr(ord(sign) - offset) if "\u0c80" <= sign <= "\u0cff" and offset else sign for sign in text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", choices=sorted(OFFSET))
    parser.add_argument("--cache", type=Path, required=True, help="where the voices are kept")
    parser.add_argument("--out", type=Path, required=True, help="folder of the data set; must not exist")
    parser.add_argument("--minutes", type=float, default=75)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(parents=True)
    kokoro = voices.load_voices(options.cache, SCRIPTS / "voices.toml")
    grammar = Grammar(Path(__file__).parent / f"{options.language}.toml")
    words = read_frequencies(store.get("wordfreq-hi") / "small_hi.msgpack.gz")
    frequent = missing(grammar.vocabulary(), sorted(words, key=lambda word: words[word])[:16_000])
    with tarfile.open(kokoro.archive) as archive:
        names = [Path(name).stem for name in archive.getnames() if "/voices/" in name]
    others = sorted(name for name in names if not name.startswith("h"))
    studio = Studio(options.language, grammar, kokoro, others, frequent, options.cache, random.Random(options.seed))
    generator = np.random.default_rng(options.seed)
    write(options.out, options.language, 60 * options.minutes, lambda: recording(studio, generator))


if __name__ == "__main__":
    main()
