"""Whisper through CTranslate2: windows encoded once, decoded for each task."""

from __future__ import annotations

import math
import os
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade.guards import is_silence
from parakh.cascade.recognisers.whisper import Candidate, Choice
from parakh.cascade.whisper.adapter import Adapter, adapted_decoder
from parakh.cascade.whisper.features import FRAME, log_mel, padded
from parakh.cascade.whisper.tokens import Vocabulary
from parakh.cascade.windows import Window, Word
from parakh.errors import MissingPackageError, ModelError
from parakh.models import store
from parakh.packages import imported

Encoded = NDArray[np.float32]

_BATCH = 4
"""Most windows decoded together."""

_EXPECTED = "expected a LoRA adapter of Whisper base's decoder as peft writes it."

_REPEATED = 16
"""Least run of tokens that an adapted decoder may not write twice."""


@dataclass(frozen=True)
class Decoding:
    """How text is decoded.

    Args:
        language: Whisper's language token.
        task: ``"transcribe"`` or ``"translate"``.
        beam: Beam width.
        candidates: Number of best texts of each window that ``choose`` sees, at most ``beam``.
        choose: Picks among them; None takes what the search holds to be best.
        adapter: The adapter of the decoder; None takes the decoder as it is.
    """

    language: str
    task: str = "transcribe"
    beam: int = 5
    candidates: int = 1
    choose: Choice | None = None
    adapter: Adapter | None = None


@dataclass(frozen=True)
class Heard:
    """What was decoded of a recording.

    Args:
        words: In time order, with times in the recording.
        confidence: Mean log probability of a token, <= 0; 0.0 without tokens.
    """

    words: list[Word]
    confidence: float


class Encodings:
    """What was encoded, in a nameless temporary file: 3 MB a window, most of a gigabyte for two hours."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115
        weakref.finalize(self, self._file.close)  # with it the file is gone
        self._places: dict[int, tuple[int, tuple[int, ...]]] = {}

    def get(self, number: int) -> Encoded | None:
        """One encoding; None where it is not kept."""
        if number not in self._places:
            return None
        place, shape = self._places[number]
        self._file.seek(place)
        return np.fromfile(self._file, np.float32, math.prod(shape)).reshape(shape)

    def keep(self, number: int, encoded: Encoded) -> None:
        """Keep one; where the disk is full it is made again when it is needed."""
        place = self._file.seek(0, os.SEEK_END)
        with suppress(OSError):
            encoded.tofile(self._file)
            self._file.flush()
            self._places[number] = (place, encoded.shape)


class Engine:
    """One loaded model. The encoded windows of the latest recording are kept for the next task."""

    def __init__(self, folder: Path, threads: int) -> None:
        ctranslate2 = imported("ctranslate2", "cascade", "Whisper")
        self._view = ctranslate2.StorageView.from_array
        self._folder = folder
        self._load = partial(
            ctranslate2.models.Whisper, device="cpu", compute_type="int8", inter_threads=1, intra_threads=threads
        )
        self._decoders: dict[Path, Any] = {}
        self._suppressed: dict[tuple[int, ...], list[int]] = {}
        try:
            self._model = self._load(str(folder))
            self._vocabulary = Vocabulary(folder / "tokenizer.json")
        except MissingPackageError:
            raise
        except Exception as error:  # damaged files give errors of many kinds, down to bare ones
            raise store.unusable(folder.name, error) from error
        self._kept: tuple[Audio, Sequence[Window], Encodings] | None = None

    def languages(self, audio: Audio, windows: Sequence[Window], count: int) -> dict[str, float]:
        """Mean probability of each of Whisper's languages over the first ``count`` windows; empty without windows."""
        sums: dict[str, float] = {}
        first = range(min(count, len(windows)))
        for one in self._encoded(audio, windows, first):
            for token, probability in self._model.detect_language(self._view(one[None]))[0]:
                sums[token[2:-2]] = sums.get(token[2:-2], 0.0) + probability / len(first)
        return sums

    def heard(self, audio: Audio, windows: Sequence[Window], how: Decoding) -> Heard:
        """All words of a recording; none where the model hears no speech."""
        words: list[Word] = []
        tokens, total = 0, 0.0
        for first in range(0, len(windows), _BATCH):
            batch = range(first, min(first + _BATCH, len(windows)))
            view = self._view(np.stack(self._encoded(audio, windows, batch)))
            results = self._generate(view, len(batch), how)
            texts = [self._text(result, how) for result in results]
            tokens += sum(map(len, texts))
            total += sum(result.scores[0] * len(text) for result, text in zip(results, texts, strict=True))
            for i, timed in zip(batch, self._timed(view, texts, how), strict=True):
                words += [replace(w, start=windows[i].time(w.start), end=windows[i].time(w.end)) for w in timed]
        return Heard(words, total / tokens if tokens else 0.0)

    def _encoded(self, audio: Audio, windows: Sequence[Window], which: range) -> list[Encoded]:
        """Encoder output of some windows, shape (frames, 512), all of one length so that they can be decoded together."""
        if self._kept is None or self._kept[0] is not audio or self._kept[1] != windows:
            self._kept = (audio, windows, Encodings())
        kept = self._kept[2]
        length = padded(max((window.length for window in windows), default=0))
        found = []
        for i in which:
            encoded = kept.get(i)
            if encoded is None:
                encoded = self._encode(windows[i].cut(audio.samples), length)
                kept.keep(i, encoded)
            found.append(encoded)
        audio.release()
        return found

    def _encode(self, samples: NDArray[np.float32], length: int) -> Encoded:
        features = np.ascontiguousarray(log_mel(np.pad(samples, (0, length - len(samples)))))
        encoded: Encoded = np.array(self._model.encode(self._view(features[None])))[0]
        return encoded

    def _generate(self, view: Any, count: int, how: Decoding) -> list[Any]:
        results: list[Any] = self._decoder(how).generate(
            view,
            [[*_start(how), "<|notimestamps|>"]] * count,
            beam_size=how.beam,
            num_hypotheses=min(how.candidates, how.beam),
            return_scores=True,
            return_no_speech_prob=True,
            **self._limits(how),
        )
        return results

    def _limits(self, how: Decoding) -> dict[str, Any]:
        """What keeps the decoder from going round in circles and from writing what its adapter never learnt."""
        if how.adapter is None:
            return {"no_repeat_ngram_size": 4, "repetition_penalty": 1.1}
        # Its tokens are letters and less: four of them come back in any text.
        return {"no_repeat_ngram_size": _REPEATED, "suppress_tokens": self._never(how.adapter.tokens)}

    def _never(self, tokens: tuple[int, ...]) -> list[int]:
        """The tokens that are never written beside Whisper's own, which -1 stands for; the same list for every batch."""
        if tokens not in self._suppressed:
            others = set(range(len(self._vocabulary.written()))) - {*tokens} if tokens else set()
            self._suppressed[tokens] = [-1, *sorted(others)]
        return self._suppressed[tokens]

    def _decoder(self, how: Decoding) -> Any:
        """The model that decodes: the one loaded, or one with an adapted decoder, built when it is first asked for."""
        if how.adapter is None:
            return self._model
        if how.adapter.folder not in self._decoders:
            self._decoders[how.adapter.folder] = self._adapted(how.adapter)
        return self._decoders[how.adapter.folder]

    def _adapted(self, adapter: Adapter) -> Any:
        others = ("config.json", "vocabulary.txt")
        try:
            files = {name: (self._folder / name).read_bytes() for name in others}
            return self._load(adapter.folder.name, files={**files, "model.bin": adapted_decoder(self._folder, adapter.folder)})
        except Exception as error:  # as above
            raise ModelError(f"adapter {adapter.folder}: found files that cannot be loaded ({error}), {_EXPECTED}") from error

    def _text(self, result: Any, how: Decoding) -> list[int]:
        """The token ids of a result; none where it is no speech or improbable."""
        if is_silence(result.no_speech_prob, result.scores[0]):
            return []
        texts = [self._vocabulary.text_only(ids) for ids in result.sequences_ids]
        if how.choose is None:
            return texts[0]
        written = (" ".join(word for word, *_ in self._vocabulary.words(ids)) for ids in texts)
        found = zip(written, result.scores, texts, strict=True)
        return texts[how.choose([Candidate(text, score, len(ids) + 1) for text, score, ids in found])]

    def _timed(self, view: Any, texts: Sequence[Sequence[int]], how: Decoding) -> Iterator[list[Word]]:
        """Words with times in seconds of their window, from the decoder's attention (dynamic time warping)."""
        frames = view.shape[1]
        start = [self._vocabulary.id(token) for token in _start(how)]
        # The alignment counts frames as the features do, two to one of the encoder's.
        alignments = self._decoder(how).align(view, start, [list(text) for text in texts], [2 * frames] * len(texts))
        for text, aligned in zip(texts, alignments, strict=True):
            starts = _token_starts(aligned.alignments, len(text), frames)
            yield [Word(word, starts[a], starts[b]) for word, a, b in self._vocabulary.words(text)]


@cache
def load_engine(folder: Path, threads: int) -> Engine:
    """The model of a folder, loaded once a process."""
    return Engine(folder, threads)


def _start(how: Decoding) -> list[str]:
    return ["<|startoftranscript|>", f"<|{how.language}|>", f"<|{how.task}|>"]


def _token_starts(alignments: Sequence[tuple[int, int]], count: int, frames: int) -> list[float]:
    """Start in seconds of each of ``count`` tokens and the end of the last, from (token, frame) pairs in time order."""
    starts: dict[int, int] = {}
    for token, frame in alignments:
        starts.setdefault(token, frame)
    return [starts.get(token, frames) * FRAME / SAMPLE_RATE for token in range(count + 1)]
