"""A tag is not in the data set's vocabulary.

What it does:
    Compares every tag in angle brackets with ``[check.vocabulary] tags`` of ``parakh.toml``, without regard to case, and names
    the tag that it may be a slip of. ``</noise>`` and ``<noise/>`` are known where ``<noise>`` is.
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

from parakh.qc._check import Check
from parakh.qc._markup import CLOSE, Tag, keys, nearest, tags
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import Passage, at_time, quoted, spoken
from parakh.types import Finding, Severity


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a text and tag."""
    vocabulary = settings.vocabulary.tags
    known = keys((*vocabulary, *settings.vocabulary.paired))
    everything = list(spoken(material))
    square = _square_are_tags(everything, tuple(sorted(known)))
    for passage in everything:
        found = [*tags(passage.text), *(tags(passage.text, "[") if square else ())]
        unknown = {tag.key: tag for tag in found if tag.key not in known and not tag.is_broken}
        for tag in unknown.values():
            close = nearest(tag.name, sorted(known))
            hint = f", did you mean {close}?" if close else " is not in the vocabulary"
            message = f"{quoted([tag.text])}{hint}{at_time(passage.segment)}"
            yield CHECK.at(material, message, passage.source, passage.index)


def _square_are_tags(everything: list[Passage], known: tuple[str, ...]) -> bool:
    if any(one.startswith("[") for one in known):
        return True
    found: list[Tag] = [tag for passage in everything for tag in tags(passage.text, "[")]
    return bool(found) and all(nearest(tag.name, known, CLOSE) for tag in found)


CHECK = Check("QC301", "unknown-tag", "tags that the vocabulary does not have", Severity.WARNING, recording)
