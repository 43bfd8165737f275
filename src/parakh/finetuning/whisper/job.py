"""Whisper as a job for the training loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh import tracks
from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade.whisper.tokens import Vocabulary
from parakh.cascade.windows import Window, pack, spoken
from parakh.evaluate import evaluate
from parakh.finetuning.examples import lay_out
from parakh.finetuning.material import Conversation
from parakh.finetuning.store import ArrayStore
from parakh.finetuning.whisper.features import encode, length, log_mel, masked
from parakh.finetuning.whisper.model import Loaded
from parakh.finetuning.whisper.text import greedy, times, words
from parakh.types import Segment

Array = NDArray[Any]


@dataclass(frozen=True)
class How:
    """What the job takes from the recipe's options; see there."""

    longest: float
    full_window: bool
    freeze_encoder: bool
    language: str
    label_smoothing: float
    spec_augment: bool
    seen_tokens_only: bool
    batch: int
    learning_rate: float


class WhisperJob:
    """Windows of the training split with their texts, and the dev split to transcribe.

    Args:
        model: The model, on the device it is trained on.
        train: Recordings to learn from.
        dev: Recordings to be scored on.
        how: The options.
        store: Where features are kept.
        note: Told what takes a while.
    """

    metric = "tcpwer"

    def __init__(
        self, model: Loaded, train: Sequence[Conversation], dev: Sequence[Conversation], how: How, store: ArrayStore, note: Any
    ) -> None:
        self.model, self.how, self.dev = model, how, dev
        self.module = model.whisper
        self._vocabulary = Vocabulary(model.folder / "tokenizer.json")
        self._end = model.token("<|endoftext|>")
        self._store, self._note = store, note
        self._train = {one.session_id: one for one in train}
        self.laid = {one.session_id: lay_out(one.turns, one.seconds, how.longest, self._count, self.most) for one in train}
        self.examples = [example for laid in self.laid.values() for example in laid.examples]
        self.count = len(self.examples)
        self._ids_of = [self._ids(one.text) for one in self.examples]
        longest = max(map(len, self._ids_of), default=0)
        self._limit = min(self.most, longest + longest // 4 + 8)
        """Tokens at which a text is cut that does not end: no speech of a window is that much longer than any learnt."""
        self._rows = [row for laid in self.laid.values() for row in range(len(laid.examples))]
        self._dev_windows: dict[str, list[Window]] = {}
        self._samples = length(int(how.longest * SAMPLE_RATE), how.full_window)
        self._extractor = self._feature_extractor()
        self._seen = self._tokens_seen() if how.seen_tokens_only else None

    @property
    def most(self) -> int:
        """Most tokens of a text: what the decoder has room for beside the prompt and the end."""
        return int(self.module.config.max_target_positions) - 5

    def without_language(self) -> list[str]:
        """Recordings of which no language is known."""
        told = [(one.session_id, one.language) for one in self.examples]
        told += [(one.session_id, one.language) for one in self.dev]
        return sorted({session for session, language in told if not (self.how.language or language)})

    def prepare(self) -> None:
        """Compute the features of every window that are not kept yet."""
        conversations = [*self._train.values(), *self.dev]
        for done, one in enumerate(conversations, 1):
            _ = self.features_of(one.session_id) if one.session_id in self._train else self._of_dev(one)
            self._note(f"features of {done} of {len(conversations)} recordings")

    def groups(self) -> list[dict[str, Any]]:
        """All trained parameters."""
        return [{"params": [one for one in self.module.parameters() if one.requires_grad], "lr": self.how.learning_rate}]

    def loss(self, examples: Sequence[int]) -> Any:
        """Mean cross-entropy of the tokens of some windows, their ends included."""
        from torch.nn.functional import cross_entropy

        inputs, targets = self._tokens(examples)
        heard = self._heard(np.stack([self.features_of(self.examples[one].session_id)[self._rows[one]] for one in examples]))
        hidden = self.module.model.decoder(input_ids=inputs, encoder_hidden_states=heard).last_hidden_state
        weight = self.module.proj_out.weight if self._seen is None else self.module.proj_out.weight[self._seen]
        logits = (hidden @ weight.T).float()
        smoothing = self.how.label_smoothing
        return cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-100, label_smoothing=smoothing)

    def score(self) -> float | None:
        """TcpWER on the dev split: its turns given, its words heard in windows as when a recording is transcribed."""
        hypothesis = [turn for one in self.dev for turn in self.transcribe(one)]
        reference = [turn for one in self.dev for turn in one.turns]
        return evaluate(tracks.get("asr"), reference, hypothesis, metrics=[self.metric]).metrics[self.metric].value

    def transcribe(self, one: Conversation) -> list[Segment]:
        """The turns of a dev recording with what the model hears in them."""
        import torch

        features = self._of_dev(one)
        found = []
        prompt = self._prompt(one.language)
        windows = self._dev_windows[one.session_id]
        with torch.no_grad():
            for first in range(0, len(windows), self.how.batch):
                heard = self._heard(features[first : first + self.how.batch])
                texts = greedy(self.module, heard, [prompt] * len(heard), self._end, self._limit)
                for place, text in enumerate(texts):
                    if text:
                        starts = times(self.module, heard[place : place + 1], prompt, text, self.model.heads)
                        window = windows[first + place]
                        timed = words(self._vocabulary, text, starts)
                        found += [replace(word, start=window.time(word.start), end=window.time(word.end)) for word in timed]
        return spoken(found, [replace(turn, words="") for turn in one.turns], one.language)

    def _count(self, text: str) -> int:
        return len(self._ids(text))

    def _ids(self, text: str) -> list[int]:
        """Whisper writes a blank before the first word too."""
        return [int(one) for one in self.model.tokenizer.encode(f" {text}", add_special_tokens=False).ids] if text else []

    def _prompt(self, language: str | None) -> list[int]:
        names = ("startoftranscript", self.how.language or language, "transcribe", "notimestamps")
        return [self.model.token(f"<|{name}|>") for name in names]

    def _tokens(self, examples: Sequence[int]) -> tuple[Any, Any]:
        """Inputs and targets of the decoder, shape (batch, longest); -100 where nothing is to be learnt."""
        import torch

        prompts = [self._prompt(self.examples[one].language) for one in examples]
        texts = [self._ids_of[one] for one in examples]
        rows = [([*prompt, *text], [*text, self._end]) for prompt, text in zip(prompts, texts, strict=True)]
        width = max(len(told) for told, _ in rows)
        inputs = np.full((len(rows), width), self._end, np.int64)
        targets = np.full((len(rows), width), -100, np.int64)
        for row, (told, wanted) in enumerate(rows):
            inputs[row, : len(told)] = told
            targets[row, len(told) - len(wanted) : len(told)] = wanted if self._seen is None else self._places_seen(wanted)
        return torch.from_numpy(inputs).to(self.module.device), torch.from_numpy(targets).to(self.module.device)

    def _tokens_seen(self) -> Array:
        return np.array(sorted({self._end, *chain.from_iterable(self._ids_of)}))

    def _places_seen(self, tokens: Sequence[int]) -> Array:
        found: Array = np.searchsorted(np.asarray(self._seen), tokens)
        return found

    def _feature_extractor(self) -> Any:
        import transformers

        return transformers.WhisperFeatureExtractor(feature_size=self.module.config.num_mel_bins)

    def _heard(self, features: Array) -> Any:
        """The encoder's output of kept features."""
        import torch

        tensor = torch.from_numpy(np.array(features, np.float32)).to(self.module.device)
        if self.how.freeze_encoder:
            return tensor
        if self.how.spec_augment and self.module.training:
            tensor = masked(tensor, self.module.config.num_mel_bins // 3, 100)
        return encode(self.module.model.encoder, tensor)

    def features_of(self, session_id: str) -> Array:
        """Features of the windows of a training recording, computed when they are first asked for."""
        windows = [example.window for example in self.laid[session_id].examples]
        return self._store.get(f"train-{session_id}", lambda: self._compute(self._train[session_id].audio(), windows))

    def _of_dev(self, one: Conversation) -> Array:
        name = f"dev-{one.session_id}"
        if one.session_id not in self._dev_windows:  # where pack cuts depends on the sound
            audio = one.audio()
            windows = self._dev_windows[one.session_id] = pack(audio, one.turns, self.how.longest)
            return self._store.get(name, lambda: self._compute(audio, windows))
        return self._store.get(name, lambda: self._compute(one.audio(), self._dev_windows[one.session_id]))

    def _compute(self, audio: Audio, windows: Sequence[Window]) -> Array:
        features = log_mel(self._extractor, audio.samples, windows, self._samples)
        return np.concatenate([*self._encoded(features)]) if self.how.freeze_encoder and len(features) else features

    def _encoded(self, features: Array) -> Iterator[Array]:
        import torch

        training = self.module.training
        self.module.eval()
        with torch.no_grad():
            for first in range(0, len(features), self.how.batch):
                piece = torch.from_numpy(features[first : first + self.how.batch].astype(np.float32)).to(self.module.device)
                yield encode(self.module.model.encoder, piece).to(torch.float16).cpu().numpy()
        self.module.train(training)
