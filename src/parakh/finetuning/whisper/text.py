"""What a Whisper in training makes of windows: greedy text, and the times of its words from the decoder's attention."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE
from parakh.cascade.whisper.features import FRAME
from parakh.cascade.windows import Word


def greedy(whisper: Any, heard: Any, prompts: Sequence[Sequence[int]], end: int, most: int) -> list[list[int]]:
    """The likeliest token after the likeliest token, for several windows at once.

    Args:
        whisper: ``WhisperForConditionalGeneration``.
        heard: The encoder's output, shape (batch, frames, width).
        prompts: The tokens that each text begins after, equally many each.
        end: The token that ends a text; it and all special ones above are never part of it.
        most: Most tokens of a text.

    Returns:
        The tokens of each text, without prompt and end.
    """
    import torch
    from transformers import DynamicCache, EncoderDecoderCache

    told = torch.tensor(prompts, device=heard.device)
    kept = {_cache_name(whisper): EncoderDecoderCache(DynamicCache(), DynamicCache()), "use_cache": True}
    texts: list[list[int]] = [[] for _ in prompts]
    going = [True] * len(prompts)
    barred = _barred(whisper, end)
    for step in range(most + 1):
        hidden = whisper.model.decoder(input_ids=told, encoder_hidden_states=heard, **kept).last_hidden_state
        logits = whisper.proj_out(hidden[:, -1]).float()
        logits[:, barred[0] if step else barred[1]] = -torch.inf
        chosen = logits.argmax(-1)
        for place, token in enumerate(chosen.tolist()):
            going[place] = going[place] and token != end and step < most
            if going[place]:
                texts[place].append(token)
        if not any(going):
            break
        told = chosen[:, None]
    return texts


def _cache_name(whisper: Any) -> str:
    """What transformers calls what is kept from one token to the next: it has another name since 5.24."""
    return "cache" if "cache" in inspect.signature(whisper.model.decoder.forward).parameters else "past_key_values"


def _barred(whisper: Any, end: int) -> tuple[list[int], list[int]]:
    """Tokens that may not come: anywhere, and first; a text may be empty, whatever the generation's settings say."""
    size = whisper.config.vocab_size
    settings = whisper.generation_config
    told = [token for token in settings.suppress_tokens or [] if token != end]
    always = sorted({*range(end + 1, size), *told})
    first = {token for token in settings.begin_suppress_tokens or [] if token != end}
    return always, sorted({*always, *first})


def times(whisper: Any, heard: Any, prompt: Sequence[int], text: Sequence[int], heads: Sequence[tuple[int, int]]) -> list[float]:
    """The second at which each token of a text begins, and at the end of the list that at which the last one ends.

    Args:
        whisper: ``WhisperForConditionalGeneration``.
        heard: The encoder's output of one window, shape (1, frames, width).
        prompt: The tokens that the text begins after.
        text: Its tokens.
        heads: The (layer, head) pairs to look at.

    Source: after Radford et al. (2022), github.com/openai/whisper ``timing.py``: attention of the chosen heads, normalised over
        tokens, then the monotonic path with the most of it.
    """
    import torch

    attention = _attention(whisper, heard, torch.tensor([[*prompt, *text]], device=heard.device), heads)
    spread = (attention - attention.mean(1, keepdims=True)) / (attention.std(1, keepdims=True) + 1e-6)
    # What the last token of the prompt looks at is where the first of the text is, and so on; the last row finds the end.
    return [frame * FRAME / SAMPLE_RATE for frame in path(spread.mean(0)[len(prompt) - 1 :])]


def _attention(whisper: Any, heard: Any, tokens: Any, heads: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """Attention of some heads to the sound, shape (heads, tokens, frames): computed again from queries and keys, as the fast
    implementations of attention do not tell it.
    """
    kept: dict[tuple[int, str], Any] = {}
    hooks = []
    for number in {layer for layer, _ in heads}:
        attention = whisper.model.decoder.layers[number].encoder_attn
        for name in ("q_proj", "k_proj"):
            module = getattr(attention, name)
            key = (number, name)
            hooks.append(module.register_forward_hook(lambda _, __, output, key=key: kept.__setitem__(key, output[0].float())))
    try:
        whisper.model.decoder(input_ids=tokens, encoder_hidden_states=heard)
    finally:
        for hook in hooks:
            hook.remove()
    width = whisper.config.d_model // whisper.config.decoder_attention_heads
    found = []
    for layer, head in heads:
        own = slice(head * width, (head + 1) * width)
        scores = kept[layer, "q_proj"][:, own] @ kept[layer, "k_proj"][:, own].T / width**0.5
        found.append(scores.softmax(-1).double().cpu().numpy())
    return np.stack(found)


def path(scores: NDArray[np.float64]) -> list[int]:
    """The column at which each row begins when every column is given to one row, in order, so that the sum of scores is largest.

    Args:
        scores: Shape (rows, columns).

    >>> path(np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]))
    [0, 2, 3]
    """
    sums = np.concatenate([np.zeros((len(scores), 1)), scores.cumsum(1)], axis=1)
    best = sums[0]
    begun = []
    for row in sums[1:]:
        before = best - row
        highest = np.maximum.accumulate(before)
        begun.append(np.maximum.accumulate(np.where(before == highest, np.arange(len(before)), 0)))
        best = highest + row
    columns = [scores.shape[1]]
    for place in reversed(begun):
        columns.append(int(place[columns[-1]]))
    return [0, *columns[:0:-1]]


def words(vocabulary: Any, text: Sequence[int], starts: Sequence[float]) -> list[Word]:
    """The words of a text with their times in seconds of the window."""
    return [Word(word, starts[first], starts[last]) for word, first, last in vocabulary.words(text)]
