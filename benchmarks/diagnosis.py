"""Time the boundary-tolerant diagnosis beside scribe-eval, and what it makes of a corpus, on generated Hindi.

    python benchmarks/diagnosis.py [--repeat N] [--long]

The text: words of the bundled conversations and made-up ones by Zipf's law, one token in fifty a number, with 17 % errors of
the usual kinds: other words, spellings, words together and apart, numbers in another notation, particles lost. Figures are
CPU milliseconds of a call that has met none of its words before (or all of them), and the memory that it adds. rapidfuzz's edit
operations on the tokens are the floor: no kinds, no boundaries, no values. First the counts are compared: as many tokens as
scribe-eval, no more errors, or the run ends. ``--long`` also gives scribe-eval 5,000 tokens, which takes it half a minute and
1 GB.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from pathlib import Path

from rapidfuzz.distance import Levenshtein
from sessions import vocabulary
from timing import Work

from parakh.collection import uncollected
from parakh.diagnostics import Pair, alarms, breakdown, drift, hallucination, self_consistency, tables
from parakh.diagnostics.alignment import align_texts
from parakh.diagnostics.categories import bundled
from parakh.diagnostics.setup import Setup
from parakh.text.tokens import Kind, tokenize

EXAMPLES = Path(__file__).parents[1] / "examples" / "transcripts"
UTTERANCES, WORDS = 16_500, 120_000
SHORT = 1000
NUMBERS = {
    "दो सौ पचास": "250",
    "ढाई सौ": "250",
    "सौ": "100",
    "पाँच सौ": "500",
    "अट्ठाईस": "28",
    "बारह": "12",
    "डेढ़": "1.5",
    "दो हज़ार": "2,000",
    "एक लाख": "1,00,000",
    "साढ़े तीन": "3.5",
}
SPELLINGS = str.maketrans({"ँ": "ं", "\u093c": None})
PARTICLES = ("अच्छा", "मतलब", "तो", "ही", "हाँ", "जी", "भी", "अं")

Texts = tuple[str, str]


class Speech:
    """Utterances and what a recogniser makes of them: the same for the same seed, on every machine."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        spoken: Counter[str] = Counter()
        for path in sorted(EXAMPLES.glob("hi_*.txt")):
            for line in path.read_text(encoding="utf-8").splitlines()[1:]:
                spoken.update(token.text for token in tokenize(line.split("\t")[-1]) if token.kind is Kind.LEXICAL)
        frequent = [word for word, _ in spoken.most_common()]
        self.words = list(dict.fromkeys((*frequent, *vocabulary(8000, self.random))))
        self.weights = list(accumulate(1 / (rank + 3) for rank in range(len(self.words))))

    def utterance(self, size: int) -> Texts:
        said: list[str] = []
        heard: list[str] = []
        for word in self.random.choices(self.words, cum_weights=self.weights, k=size):
            chosen = self.random.choice(list(NUMBERS)) if self.random.random() < 0.02 else word
            said.append(chosen)
            heard += self._heard(chosen)
        together = "".join(word + ("" if self.random.random() < 0.01 else " ") for word in heard).strip()
        return " ".join(said) + "।", together + ("।" if self.random.random() < 0.9 else "")

    def _heard(self, word: str) -> list[str]:
        chance = self.random.random()
        if word in NUMBERS:
            return [NUMBERS[word] if chance < 0.5 else "205" if chance < 0.6 else word]
        if word in PARTICLES:
            return [] if chance < 0.4 else [word]
        if chance < 0.07:
            return [self.random.choice(self.words)]
        if chance < 0.085:
            return [word, self.random.choice(PARTICLES)]
        if chance < 0.1:
            return []
        if chance < 0.12 and len(word) > 4:
            return [word[:2], word[2:]]
        return [word.translate(SPELLINGS)] if chance < 0.3 else [word]

    def text(self, tokens: int) -> Texts:
        """Utterances in a row, of some tokens in all."""
        sides: tuple[list[str], list[str]] = ([], [])
        left = tokens
        while left > 0:
            said, heard = self.utterance(min(left - 1, 9) or 1)
            left -= len(tokenize(said))
            sides[0].append(said)
            sides[1].append(heard)
        return " ".join(sides[0]), " ".join(sides[1])


def row(name: str, tool: str, took: float, memory: float, base: float | None = None) -> None:
    ratio = f"{took / base:9.3g} x" if base else ""
    print(f"  {name:14} {tool:24} {took:11.1f} ms {memory:8.1f} MB {ratio}", flush=True)


def compare(tokens: int, repeat: int, *, theirs: bool) -> None:
    """One pair of texts through every tool."""
    texts, setup, name = Speech(tokens).text(tokens), Setup("hi"), f"{tokens:,} tokens"
    base, memory = best(partial(align_texts, *texts, setup), repeat)
    row(name, "parakh", base, memory)
    align_texts(*texts, setup)  # what is forked from here on has met the words
    row("", "parakh, words met before", *best(partial(align_texts, *texts, setup), repeat), base)
    words = [[token.text for token in tokenize(text)] for text in texts]
    row("", "rapidfuzz, no diagnosis", *best(partial(Levenshtein.editops, *words), repeat), base)
    if theirs:
        from scribe.measure import text_error_rates

        row("", "scribe-eval", *best(partial(text_error_rates, *texts), repeat if tokens == SHORT else 1), base)
        if tokens == SHORT:
            check(align_texts(*texts, setup), text_error_rates(*texts))


def best(work: Work, repeat: int) -> tuple[float, float]:
    """Least CPU milliseconds of some calls, and the megabytes that one adds, each in a process forked from this one."""
    took = [forked(work) for _ in range(repeat)]
    return min(one for one, _ in took), max(memory for _, memory in took)


def forked(work: Work) -> tuple[float, float]:
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        work()
        took, after = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        os.write(writer, f"{1000 * took} {(after - before) / 1024}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    took, memory = os.read(reader, 64).split()
    return float(took), float(memory)


def check(pairs: list[Pair], rates: dict[str, dict[str, int]]) -> None:
    """As many tokens by both, and no more errors here."""
    theirs = sum(one["substitutions"] + one["deletions"] + one["insertions"] for one in rates.values())
    ours = sum(len(pair.errors) for pair in pairs)
    if sum(len(pair.reference) for pair in pairs) != sum(one["total_ref"] for one in rates.values()) or ours > theirs:
        sys.exit(f"counts differ: {ours} errors here, {theirs} in scribe-eval")
    print(f"  {'':14} {ours} errors, scribe-eval {theirs}")


DIAGNOSES: dict[str, Callable[[tables.Corpus], object]] = {
    "error tables": tables.error_tables,
    "breakdown": breakdown.breakdown,
    "terms found": breakdown.terms_found,
    "omissions": breakdown.omissions,
    "alarms": alarms.alarms,
    "drift": lambda corpus: (drift.directions(corpus), drift.script_uses(corpus), drift.mixed_words(corpus)),
    "loops": hallucination.loops,
    "inconsistencies": self_consistency.inconsistencies,
}


def diagnose(found: tables.Corpus) -> None:
    for work in DIAGNOSES.values():
        work(found)


def corpus() -> None:
    """A corpus of short utterances: its alignment, and each diagnosis of it."""
    speech = Speech(1)
    left, texts = WORDS, []
    for count in range(UTTERANCES, 0, -1):
        size = max(1, min(round(left / count * speech.random.uniform(0.2, 1.8)), left))
        texts.append(speech.utterance(size))
        left -= size
    setup = Setup("hi", categories=(bundled("FILLER"), bundled("MEDICAL")), views=(bundled("NUMBER"),))
    found: list[tuple[str, Pair]] = []

    def align() -> None:
        with uncollected():  # as the command does
            found.extend((str(k), pair) for k, one in enumerate(texts) for pair in align_texts(*one, setup))

    total, memory = forked(align)
    row("", "alignments, with lists", total, memory)
    align()
    errors = sum(len(pair.errors) for _, pair in found)
    tokens = sum(len(pair.reference) for _, pair in found)
    plain = sum(Levenshtein.distance(*(text.split() for text in one)) for one in texts) / sum(
        len(one[0].split()) for one in texts
    )
    print(f"  {'':14} {tokens:,} tokens, {errors:,} errors; word error rate {100 * plain:.1f} %")
    for name, work in DIAGNOSES.items():
        took, memory = forked(partial(work, found))
        total += took
        row("", name, took, memory)
    print(f"  {'':14} {'in all':24} {total:11.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="rounds to take the least of (default: 3)")
    parser.add_argument("--long", action="store_true", help="5,000 tokens through scribe-eval too")
    arguments = parser.parse_args()
    print("diagnosis of one pair of texts")
    diagnose([("", pair) for pair in align_texts("दो सौ पचास ज़रूर", "250 जरूर नहीं", Setup("hi"))])  # loads all that is loaded once
    for tokens in (SHORT, 5000, 20000):
        compare(tokens, arguments.repeat, theirs=tokens == SHORT or (arguments.long and tokens == 5000))
    print(f"diagnosis of a corpus of {UTTERANCES:,} utterances, {WORDS:,} words")
    corpus()


if __name__ == "__main__":
    main()
