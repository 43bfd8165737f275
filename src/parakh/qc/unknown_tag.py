"""A tag is not in the data set's vocabulary.

What it does:
    Compares every tag in angle brackets with `[check.vocabulary] tags` of `parakh.toml`, without regard to case, and names
    the tag that it may be a slip of. `</noise>` and `<noise/>` are known where `<noise>` is.
    Square brackets often mark words of another language, so they are tags only where the vocabulary has tags in square
    brackets, or where all that the recording has in square brackets is like names of tags ("[noize]").

Why it matters:
    Tags are counted, compared with the sound and removed before scoring. One that nobody knows is missed by all of this, or is
    scored as a word.

How to mend:
    Write the tag as the vocabulary has it, or add it there.

Limits:
    The vocabulary, by default <noise>, <laugh>, <cough>, <cry>, <music>, <breath>, <unintelligible> and <overlap>.

Example:
    "<nosie>", for which "<noise>" is proposed.
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import counted
from parakh.qc._check import Check
from parakh.qc._markup import CLOSE, OPENING, Tag, keys, nearest, tags
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import Passage, at_time, holding, quoted, spoken
from parakh.text.masking import masked
from parakh.types import Finding, Severity


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a text for what may be a slip; one a file for any other tag, at its first place."""
    known = keys((*settings.vocabulary.tags, *settings.vocabulary.paired))
    everything = spoken(holding(material, OPENING.search, together=True))
    square = _square_are_tags(everything, tuple(sorted(known)))
    strange: dict[tuple[str, str], list[Passage]] = {}
    for passage in everything:
        if "<" not in passage.text and not (square and "[" in passage.text):
            continue
        text = masked(passage.text)
        found = [*tags(text), *(tags(text, "[") if square else ())]
        for key in dict.fromkeys(tag.key for tag in found if tag.key not in known and not tag.is_broken):
            close = nearest(key[1:-1], sorted(known))
            if close:
                message = f"{quoted([key])}, did you mean {close}?{at_time(passage.segment)}"
                yield CHECK.at(material, message, passage.source, passage.index)
            else:
                strange.setdefault((passage.source.path, key), []).append(passage)
    for (_, key), where in strange.items():
        message = f"{quoted([key])} is not in the vocabulary, in {counted(len(where), 'segment')}{at_time(where[0].segment)}"
        yield CHECK.at(material, message, where[0].source, where[0].index)


def _square_are_tags(everything: list[Passage], known: tuple[str, ...]) -> bool:
    if any(one.startswith("[") for one in known):
        return True
    found: list[Tag] = [tag for passage in everything for tag in tags(passage.text, "[")]
    return bool(found) and all(nearest(tag.name, known, CLOSE) for tag in found)


CHECK = Check("QC301", "unknown-tag", "A tag is not in the vocabulary", Severity.WARNING, recording)
