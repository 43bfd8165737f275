"""Time building and asking a language model.

    python benchmarks/ngram.py [--words N] [--repeat N]

A made-up text with the word frequencies of talk (Zipf's law) and pairs that recur; figures are the least CPU seconds of N rounds
and the greatest memory of the process.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path

import numpy as np
from timing import cpu_milliseconds

from parakh.ngram import Preparation, count, estimate, perplexity, read_arpa, write_arpa

VOCABULARY = 60_000
PLAIN = Preparation("none")


def text(words: int, seed: int) -> list[str]:
    random = np.random.default_rng(seed)
    chance = 1.0 / np.arange(1, VOCABULARY + 1)
    drawn = random.choice(VOCABULARY, words, p=chance / chance.sum())
    usual = (np.arange(VOCABULARY) * 7919 + 13) % VOCABULARY
    drawn[1:] = np.where(random.random(words - 1) < 0.4, usual[drawn[:-1]], drawn[1:])
    names = [f"w{number}" for number in drawn.tolist()]
    return [" ".join(names[at : at + 10]) for at in range(0, words, 10)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    given, held = text(arguments.words, 1), text(arguments.words // 10, 2)
    counts = count(given, 3, PLAIN)
    model = estimate(counts).model
    sizes = ", ".join(str(len(level.keys)) for level in model.levels)
    print(f"{arguments.words} words, order 3; n-grams by order: {sizes}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.arpa"
        tasks = {
            "count": lambda: count(given, 3, PLAIN),
            "estimate": lambda: estimate(counts),
            "write the file": lambda: write_arpa(model, path),
            "read the file": lambda: read_arpa(path),
            f"perplexity of {len(held) * 10} words": lambda: perplexity(model, held),
            f"{len(held[:1000]) * 10} words one by one": lambda: [model.sentence(one.split()) for one in held[:1000]],
        }
        for name, task in tasks.items():
            print(f"  {name:<32}{cpu_milliseconds(task, arguments.repeat) / 1000:8.2f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"  greatest memory                 {peak:8.0f} MB")


if __name__ == "__main__":
    main()
