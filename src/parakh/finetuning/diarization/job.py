"""A powerset network as a job for the training loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh import tracks
from parakh.audio.decode import SAMPLE_RATE
from parakh.audio.pcm import as_16_bit
from parakh.cascade.networks import powerset
from parakh.evaluate import evaluate
from parakh.finetuning.diarization.chunks import Chunk, activity, cropped, cut, starts, turns_of
from parakh.finetuning.material import Conversation
from parakh.finetuning.recipe import Step, Tell
from parakh.finetuning.store import ArrayStore
from parakh.types import Region, Segment


@dataclass(frozen=True)
class How:
    """What the job takes from the recipe's options; see there."""

    chunk: float
    shift: float
    batch: int
    learning_rate: float
    wavlm_learning_rate: float


class DiarizationJob:
    """Chunks of the training split with the speakers' activity, and the dev split to find speakers in.

    Args:
        network: ``parakh.cascade.torch_networks.eend.Eend``, on the device it is trained on.
        train: Recordings to learn from.
        dev: Recordings to be scored on.
        how: The options.
        store: Where sound is kept.
        tell: Told what takes a while.
    """

    metric = "der"

    def __init__(
        self, network: Any, train: Sequence[Conversation], dev: Sequence[Conversation], how: How, store: ArrayStore, tell: Tell
    ) -> None:
        self.module, self.how, self.dev = network, how, dev
        self._train = {one.session_id: one for one in train}
        self._store, self._tell = store, tell
        self._length = round(how.chunk * SAMPLE_RATE)
        self._frames = network.frames(self._length)
        self._speakers = network.config.max_speakers_per_chunk
        self._orders = powerset.reorderings(self._speakers, network.config.max_speakers_per_frame)
        if not how.wavlm_learning_rate:
            network.wavlm_model.requires_grad_(False)
        self.chunks = [one for each in train for one in self._chunks(each, how.shift)]
        self.count = len(self.chunks)
        self._known: dict[int, NDArray[np.int64]] = {}

    def prepare(self) -> None:
        """Decode the recordings that are not kept yet."""
        for done, one in enumerate((*self._train.values(), *self.dev), 1):
            self._sound(one)
            self._tell(Step(0, 0, note=f"sound of {done} of {len(self._train) + len(self.dev)} recordings"))

    def groups(self) -> list[dict[str, Any]]:
        """WavLM's parameters and all others, each with its learning rate."""
        named = [(name.startswith("wavlm_model."), one) for name, one in self.module.named_parameters() if one.requires_grad]
        groups = [
            {"params": [one for is_wavlm, one in named if is_wavlm], "lr": self.how.wavlm_learning_rate},
            {"params": [one for is_wavlm, one in named if not is_wavlm], "lr": self.how.learning_rate},
        ]
        return [group for group in groups if group["params"]]

    def loss(self, examples: Sequence[int]) -> Any:
        """Mean over chunks of the cross-entropy under the order of speakers that suits the output best.

            min over orders p of - mean over frames t of log P(class_p(t))

        Source: permutation-invariant training (Yu et al., 2017) on the classes of Plaquet and Bredin (2023).
        """
        import torch

        chunks = [self.chunks[one] for one in examples]
        output = self.module(self._waveforms(chunks)).float()
        classes = np.stack([self._classes(one) for one in examples])
        targets = torch.from_numpy(self._orders[:, classes]).to(output.device)
        orders = targets.shape[0]
        chosen = output.expand(orders, *output.shape).gather(-1, targets[..., None])[..., 0]
        return -chosen.mean(-1).max(0).values.mean()

    def score(self) -> float | None:
        """Diarization error (DER) within the chunks of the dev split, each with the speakers that it has by itself."""
        reference: list[Segment] = []
        hypothesis: list[Segment] = []
        regions: list[Region] = []
        for one in self.dev:
            for chunk in self._chunks(one, self.how.chunk):
                name = f"{one.session_id}@{chunk.start}"
                reference += cropped(one.turns, name, chunk.start, self._length)
                regions.append(Region(name, 0.0, self.how.chunk))
            hypothesis += self._heard(one)
        result = evaluate(tracks.get("diarization"), reference, hypothesis, regions=regions, metrics=[self.metric])
        return result.metrics[self.metric].value

    def _heard(self, one: Conversation) -> list[Segment]:
        chunks = self._chunks(one, self.how.chunk)
        found = []
        for first in range(0, len(chunks), self.how.batch):
            batch = chunks[first : first + self.how.batch]
            for chunk, classes in zip(batch, self.module(self._waveforms(batch)).argmax(-1).cpu().numpy(), strict=True):
                found += turns_of(self.module.powerset[classes], f"{one.session_id}@{chunk.start}")
        return found

    def _chunks(self, one: Conversation, shift: float) -> list[Chunk]:
        step = round(shift * SAMPLE_RATE)
        return [Chunk(one.session_id, start) for start in starts(round(one.seconds * SAMPLE_RATE), self._length, step)]

    def _waveforms(self, chunks: Sequence[Chunk]) -> Any:
        import torch

        cuts = [cut(self._sound_of(chunk.session_id), chunk.start, self._length) for chunk in chunks]
        return torch.from_numpy(np.stack(cuts)).to(next(self.module.parameters()).device)

    def _classes(self, example: int) -> NDArray[np.int64]:
        """The true class of each frame of a chunk, worked out when it is first asked for."""
        if example not in self._known:
            chunk = self.chunks[example]
            turns = self._train[chunk.session_id].turns
            active = activity(turns, chunk.start / SAMPLE_RATE, self._frames, self._speakers)
            self._known[example] = powerset.classes_of(active, self.module.powerset)
        return self._known[example]

    def _sound_of(self, session_id: str) -> NDArray[Any]:
        known = self._train.get(session_id) or next(one for one in self.dev if one.session_id == session_id)
        return self._sound(known)

    def _sound(self, one: Conversation) -> NDArray[Any]:
        return self._store.get(one.session_id, lambda: as_16_bit(one.audio().samples))
