"""Spellings that are the same word, from a file or from the slots of references.

A line of a file is ``word = spelling | spelling ...``, or the same in columns with a tab between them; ``#`` begins a comment at
the start of a line or after white space. A spelling stands for one word, and no word is itself a spelling of another. Each is
one word: words written together or apart are no matter of a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from parakh.diagnostics.lattice import Slot
from parakh.formats._text import Reader, shown
from parakh.text.tokens import tokenize

_COMMENT = re.compile(r"(?:^|\s)#.*")


def read_variants(path: Path) -> dict[str, str]:
    r"""Read a file of spellings.

    Args:
        path: The file.

    Returns:
        Spelling -> the word it stands for, as ``Setup.variants`` takes it.

    Raises:
        InputError: A line is neither form, an entry is not one word, or a spelling stands for two; one line a fault.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "v.txt").write_text("टैबलेट = टेबलेट | टॅब्लेट  # tablet\n", encoding="utf-8")
    ...     read_variants(Path(folder) / "v.txt")
    {'टेबलेट': 'टैबलेट', 'टॅब्लेट': 'टैबलेट'}
    """
    reader = Reader(path)
    found: dict[str, str] = {}
    words: dict[str, int] = {}
    places: dict[str, int] = {}
    for line, text in reader.records(("#",)):
        word, *spellings = _entries(_COMMENT.sub("", text))
        if not spellings:
            reader.fault(line, "", shown(text.strip()), "word = spelling | spelling, or columns with a tab between them")
        for entry in (word, *spellings):
            if not _is_word(entry):
                reader.fault(line, "", shown(entry), "one word", "Give words one by one; where words border is no matter here.")
        words.setdefault(word, line)
        for spelling in spellings:
            if spelling == word:
                continue
            if found.setdefault(spelling, word) != word:
                before = f"a spelling of one word (line {places[spelling]} has it for {shown(found[spelling])})"
                reader.fault(line, "", shown(spelling), before)
            places.setdefault(spelling, line)
    for word, line in words.items():
        if word in found:
            expected = f"a word that is no spelling of another (line {places[word]} has it for {shown(found[word])})"
            reader.fault(line, "", shown(word), expected, "Put all spellings in one line.")
    reader.check()
    return found


def _entries(text: str) -> list[str]:
    word, equals, spellings = text.partition("=")
    entries = [word, *spellings.split("|")] if equals else text.rstrip().split("\t")
    return [entry.strip() for entry in entries]


def variants_of(slots: Iterable[Slot]) -> dict[str, str]:
    """The spellings that references with slots accept, as variants that hold everywhere.

    Args:
        slots: Of any number of references, as ``parse_lattice`` has them. Where slots list other words beside other spellings,
            these become variants too.

    Returns:
        Spelling -> the first wording of its slot, of those that are one word; the earliest slot wins.

    >>> variants_of([Slot(("टैबलेट", "टेबलेट", "गोली दवा", ""), 0, 0), Slot(("टेबलेट", "टॅब्लेट"), 0, 0)])
    {'टेबलेट': 'टैबलेट', 'टॅब्लेट': 'टैबलेट'}
    """
    found: dict[str, str] = {}

    def root(word: str) -> str:
        while word in found:
            word = found[word]
        return word

    for slot in slots:
        word, *others = slot.alternatives or ("",)
        for spelling in others if _is_word(word) else ():
            if _is_word(spelling) and spelling not in found and spelling != root(word):
                found[spelling] = root(word)
    return {spelling: root(word) for spelling, word in found.items()}


def _is_word(text: str) -> bool:
    return len(tokenize(text)) == 1
