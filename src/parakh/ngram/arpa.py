r"""ARPA files, as kenlm and SRILM read and write them, also packed with gzip.

    # parakh: normalize=indic unit=word
    \data\
    ngram 1=5
    ...
    \1-grams:
    -0.6	<unk>	0
    ...
    \end\

The line above ``\data\`` says how a text becomes the model's tokens; a file without it is taken to hold words as the profile
``indic`` writes them. Values are log10.
"""

from __future__ import annotations

import gzip
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from parakh.errors import Fault, InputError
from parakh.files import read_text, write_atomic
from parakh.ngram.model import Floats, Ints, Level, Model
from parakh.ngram.preparation import RESERVED, START, Preparation

_UNLISTED = -100.0
"""log10 p of ``<unk>`` where a file lists none, as in kenlm."""
_CHOICES = re.compile(r"#\s*parakh:\s*normalize=(\S+)\s+unit=(\S+)\s*$")
_CAPITAL = {"<UNK>": "<unk>", "<S>": "<s>", "</S>": "</s>"}
"""How some tools write the marks."""
_SHOWN = 60

Row = tuple[tuple[str, ...], float, float]
"""Words, log10 p, log10 backoff."""


def write_arpa(model: Model, path: str | Path) -> None:
    """Write a model; packed with gzip where the name ends in ``.gz``.

    Raises:
        InputError: It cannot be written there.
    """
    text = "\n".join(_lines(model)) + "\n"
    write_atomic(path, gzip.compress(text.encode(), mtime=0) if str(path).endswith(".gz") else text)


def _lines(model: Model) -> Iterator[str]:
    yield f"# parakh: normalize={model.preparation.normalize} unit={model.preparation.unit}"
    yield "\\data\\"
    yield from (f"ngram {order}={len(level.keys)}" for order, level in enumerate(model.levels, 1))
    texts = [""]
    for order, level in enumerate(model.levels, 1):
        yield ""
        yield f"\\{order}-grams:"
        contexts, words = np.divmod(level.keys, len(model.vocabulary))
        before = texts if order == 1 else [f"{text} " for text in texts]
        texts = [before[context] + model.vocabulary[word] for context, word in zip(contexts, words, strict=True)]
        if order == model.order:
            yield from (f"{p:.8g}\t{text}" for p, text in zip(level.logprob.tolist(), texts, strict=True))
        else:
            rows = zip(level.logprob.tolist(), texts, level.backoff.tolist(), strict=True)
            yield from (f"{p:.8g}\t{text}\t{backoff:.8g}" for p, text, backoff in rows)
    yield ""
    yield "\\end\\"


def read_arpa(path: str | Path) -> Model:
    r"""Read a model.

    What an n-gram begins or ends with and the file does not list is added with what backing off gives, so that nothing changes.

    Args:
        path: The file, plain or packed with gzip.

    Raises:
        InputError: It cannot be read or is no ARPA file; one line a fault.

    >>> import tempfile
    >>> from parakh.ngram import count, estimate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_arpa(estimate(count(["दवा लो"], 2)).model, f"{folder}/a.arpa.gz")
    ...     read_arpa(f"{folder}/a.arpa.gz").vocabulary[3:]
    ('दवा', 'लो')
    """
    reader = _Reader(str(path), read_text(path))
    if reader.faults:
        raise InputError(reader.faults, reader.more)
    return _model(reader.sections, reader.preparation())


class _Reader:
    """The rows of a file, and what is wrong with it."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.faults, self.more = path, list[Fault](), 0
        self.announced: dict[int, int] = {}
        self.sections: list[list[Row]] = []
        self.choices: tuple[str, str] | None = None
        self._read(text.split("\n"))

    def preparation(self) -> Preparation:
        if self.choices:
            return Preparation(*self.choices)
        aksharas = any(row[0][0].startswith(START) for row in self.sections[0])
        return Preparation(unit="akshara" if aksharas else "word")

    def fault(self, line: int, field: str, found: str, expected: str, action: str = "") -> None:
        if len(self.faults) < InputError.SHOWN:
            self.faults.append(Fault(self.path, field, found[:_SHOWN], expected, action, line))
        else:
            self.more += 1

    def _read(self, lines: Sequence[str]) -> None:
        place = "head"
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text:
                continue
            if place == "head":
                if match := _CHOICES.match(text):
                    self.choices = match[1], match[2]
                place = "counts" if text == "\\data\\" else place
            elif text.startswith("\\") and re.fullmatch(r"\\(end|\d+-grams:)\\?", text):
                if text == "\\end\\":
                    self._compare(number)
                    return
                place = "rows"
                self._begin(number, text)
            elif place == "counts":
                self._announce(number, text)
            else:
                self._row(number, text)
        if place == "head":
            action = "Give a language model in ARPA format, as `parakh lm build` and kenlm's lmplz write it."
            self.fault(1, "", repr(lines[0][:_SHOWN]), "\\data\\", action)
        else:
            self.fault(len(lines), "", "the end of the file", "\\end\\", "The file is cut off: make or copy it again.")

    def _announce(self, number: int, text: str) -> None:
        match = re.fullmatch(r"ngram (\d+)\s*=\s*(\d+)", text)
        if match and int(match[1]) == len(self.announced) + 1:
            self.announced[int(match[1])] = int(match[2])
        else:
            self.fault(number, "", repr(text), f"'ngram {len(self.announced) + 1}=' with a number")

    def _begin(self, number: int, text: str) -> None:
        expected = f"\\{len(self.sections) + 1}-grams:"
        if text != expected:
            self.fault(number, "", text, expected)
        self.sections.append([])

    def _row(self, number: int, text: str) -> None:
        order = len(self.sections)
        parts = text.split()
        try:
            values = float(parts[0]), float(parts[order + 1]) if len(parts) == order + 2 else 0.0
        except (ValueError, IndexError):
            values = math.nan, 0.0
        if len(parts) not in (order + 1, order + 2) or not all(map(math.isfinite, values)) or values[0] > 1e-6:
            words = "a word" if order == 1 else f"{order} words"
            self.fault(number, "", repr(text), f"log10 of a probability, {words}, and for a context log10 of its backoff weight")
        else:
            self.sections[-1].append((tuple(parts[1 : order + 1]), *values))

    def _compare(self, number: int) -> None:
        found = {order: len(rows) for order, rows in enumerate(self.sections, 1)}
        if found != self.announced and not self.faults:
            told = [f"{order}: {self.announced.get(order, 0)} announced, {found.get(order, 0)} listed" for order in found]
            self.fault(number, "", "; ".join(told), "as many n-grams of each order as announced", "Make or copy the file again.")
        elif not found:
            self.fault(number, "", "no n-grams", "at least those of order 1")


def _model(sections: Sequence[Sequence[Row]], preparation: Preparation) -> Model:
    numbers = {word: number for number, word in enumerate(RESERVED)}
    rows, values = [], []
    for order, section in enumerate(sections, 1):
        words = (_CAPITAL.get(word, word) for row, _, _ in section for word in row)
        ids = np.fromiter((numbers.setdefault(word, len(numbers)) for word in words), np.int64, order * len(section))
        rows.append(ids.reshape(-1, order))
        values.append(np.array([row[1:] for row in section], np.float64).reshape(-1, 2))
    missing = np.setdiff1d(np.arange(len(numbers)), rows[0][:, 0])
    rows[0] = np.concatenate([rows[0], missing[:, None]])
    values[0] = np.concatenate([values[0], np.tile([_UNLISTED, 0.0], (len(missing), 1))])
    vocabulary = tuple(numbers)
    model = _built(vocabulary, rows, values, preparation)
    if model is None:
        _complete(rows, values)
        model = _built(vocabulary, rows, values, preparation)
    assert model is not None
    return model


def _built(vocabulary: tuple[str, ...], rows: Sequence[Ints], values: Sequence[Floats], preparation: Preparation) -> Model | None:
    """The model of n-grams that all begin and end with listed ones; None where one does not."""
    first = np.argsort(rows[0][:, 0])
    levels = [Level(np.arange(len(first)), *(values[0][first, column].copy() for column in (0, 1)))]
    for ids, numbers in zip(rows[1:], values[1:], strict=True):
        below = Model(vocabulary, tuple(levels), preparation)
        context, suffix = (
            below.nodes(*_flat(part))[-1][part.shape[1] - 1 :: part.shape[1]] for part in (ids[:, :-1], ids[:, 1:])
        )
        if min(context.min(initial=0), suffix.min(initial=0)) < 0:
            return None
        backed = levels[-1].backoff[context] + levels[-1].logprob[suffix]
        logprob = np.where(np.isnan(numbers[:, 0]), backed, numbers[:, 0])
        keys = context * len(vocabulary) + ids[:, -1]
        order = np.argsort(keys)
        levels.append(Level(keys[order], logprob[order], numbers[order, 1].copy()))
    return Model(vocabulary, tuple(levels), preparation)


def _flat(rows: Ints) -> tuple[Ints, Ints]:
    return rows.ravel(), np.tile(np.arange(rows.shape[1]), len(rows))


def _complete(rows: list[Ints], values: list[Floats]) -> None:
    """Add what listed n-grams begin and end with and is not listed, without a value."""
    for order in range(len(rows) - 1, 0, -1):
        parts = np.unique(np.concatenate([rows[order][:, :-1], rows[order][:, 1:]]), axis=0)
        listed = set(map(tuple, rows[order - 1].tolist()))
        added = [part for part in parts.tolist() if tuple(part) not in listed]
        rows[order - 1] = np.concatenate([rows[order - 1], np.array(added, np.int64).reshape(-1, order)])
        values[order - 1] = np.concatenate([values[order - 1], np.tile([math.nan, 0.0], (len(added), 1))])
