"""Generated conversations with words, for timing: the same for the same arguments, on every machine."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from parakh.types import Segment

SECONDS_A_WORD = 0.378
WORD_ERRORS = 0.20
TURN_CONFUSION = 0.04
LETTERS = "कखगघचछजझटठडढतथदधनपफबभमयरलवशसह"
SIGNS = ["", "", "ा", "ि", "ी", "ु", "े", "ो", "ं", "्र"]


@dataclass(frozen=True)
class Session:
    """A generated conversation: the reference, and a system's answer with errors of known kinds."""

    name: str
    reference: list[Segment]
    hypothesis: list[Segment]


def vocabulary(size: int, rng: random.Random) -> list[str]:
    """Different Devanagari words of 1 to 5 letters, the short ones first, as in speech."""
    words: dict[str, None] = {}
    while len(words) < size:
        letters = 1 + min(4, len(words) // 40)
        words["".join(rng.choice(LETTERS) + rng.choice(SIGNS) for _ in range(letters))] = None
    return list(words)


def conversation(name: str, words: int, speakers: int, seed: int = 1) -> Session:
    """Turns of 1 to 15 words; one in three starts before the last one ends, which makes 11 % of the speech overlap.

    Words are drawn with Zipf's weights. A system's answer has 20 % word errors (half substitutions, a quarter deletions,
    a quarter insertions), gives 4 % of the turns to another speaker and moves boundaries by up to 0.2 s.
    """
    rng = random.Random(seed)
    known = vocabulary(2000, rng)
    weights = [1 / (rank + 1) for rank in range(len(known))]
    reference: list[Segment] = []
    now, spoken, last = 0.0, 0, ""
    while spoken < words:
        size = rng.randint(1, 15)
        speaker = rng.choice([one for one in map(str, range(speakers)) if one != last])
        start = max(0.0, now - rng.uniform(0.2, 1.9)) if rng.random() < 0.35 else now + rng.uniform(0.0, 0.6)
        end = start + size * SECONDS_A_WORD
        text = " ".join(rng.choices(known, weights, k=size))
        reference.append(Segment("session", f"spk{speaker}", round(start, 3), round(end, 3), text))
        now, spoken, last = max(now, end), spoken + size, speaker
    return Session(name, reference, [_answer(turn, known, speakers, rng) for turn in reference])


def _answer(turn: Segment, known: list[str], speakers: int, rng: random.Random) -> Segment:
    speaker = f"sys{(turn.speaker or '')[3:]}"
    if rng.random() < TURN_CONFUSION:
        speaker = rng.choice([other for other in (f"sys{k}" for k in range(speakers)) if other != speaker])
    start = max(0.0, (turn.start_time or 0.0) + rng.uniform(-0.2, 0.2))
    end = max(start + 0.05, (turn.end_time or 0.0) + rng.uniform(-0.2, 0.2))
    words = misheard(turn.words.split(), known, rng)
    return replace(turn, speaker=speaker, start_time=round(start, 3), end_time=round(end, 3), words=" ".join(words))


def misheard(words: list[str], known: list[str], rng: random.Random) -> list[str]:
    """The words as a system with 20 % word errors hears them."""
    heard: list[str] = []
    for word in words:
        chance = rng.random() / WORD_ERRORS
        if chance < 0.25:
            continue
        heard.append(rng.choice(known) if chance < 0.75 else word)
        if 0.75 <= chance < 1:
            heard.append(rng.choice(known))
    return heard


def summaries(count: int, words: int, letters: str = "abcdefghijklmnopqrstuvwxyz", seed: int = 1) -> list[tuple[str, str]]:
    """Pairs of Latin texts of so many words, a line of ten words, that share most of them."""
    rng = random.Random(seed)
    known = sorted({"".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in range(1000)})
    pairs = []
    for _ in range(count):
        said = rng.choices(known, k=words)
        heard = misheard(said, known, rng)
        pairs.append(tuple("\n".join(" ".join(one[k : k + 10]) for k in range(0, len(one), 10)) for one in (said, heard)))
    return [(first, second) for first, second in pairs]
