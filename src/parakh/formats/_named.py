"""``Name: text``: how a speaker stands before the text where a format has no place for speakers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parakh.formats._text import Reader, Writer, shown

_NAMED = re.compile(r"(?:\[([^\[\]:\n]{1,40})\]|([^\[\]<>\":\n]{1,40})):(?:[ \n](.*)|)", re.DOTALL)


def named(text: str) -> tuple[str, str] | None:
    """The name before a text, and the text; None where it does not look so.

    A name has at most 40 signs, one of them a letter, and a colon with a blank or nothing after it; it may stand in
    square brackets.

    >>> named("ASHA 1: नमस्ते"), named("[SPEAKER_00]: हाँ"), named("10:30 बजे"), named("आशा:")
    (('ASHA 1', 'नमस्ते'), ('SPEAKER_00', 'हाँ'), None, ('आशा', ''))
    """
    match = _NAMED.fullmatch(text)
    name = (match[1] or match[2]) if match else ""
    if match is None or name != name.strip() or not any(sign.isalpha() for sign in name):
        return None
    return name, match[3] or ""


def speakers(texts: Sequence[str]) -> list[tuple[str | None, str]]:
    """Speaker and words of each text: names are told apart only where every text that is not empty begins with one.

    >>> speakers(["asha: हाँ", "", "BP: 140"])
    [('asha', 'हाँ'), (None, ''), ('BP', '140')]
    >>> speakers(["हाँ", "BP: 140"])
    [(None, 'हाँ'), (None, 'BP: 140')]
    """
    found = [named(text) for text in texts]
    if all(one is not None or not text for one, text in zip(found, texts, strict=True)):
        return [one or (None, "") for one in found]
    return [(None, text) for text in texts]


def read_names(reader: Reader, lines: Sequence[int], texts: Sequence[str]) -> list[tuple[str | None, str]]:
    """The speakers and words of texts at these lines, with a finding for what was taken as a name or might be one."""
    result = speakers(texts)
    for line, text, (speaker, _) in zip(lines, texts, result, strict=True):
        if speaker is not None:
            reader.notice("speaker-prefix", line, "'name: ' before the text is read as the speaker, as every text begins so")
            reader.names(line, {"speaker": speaker})
        elif text and named(text):
            what = "'name: ' before the text stays part of it, as not every text begins so"
            reader.notice("possible-speaker", line, what)
    return result


def write_names(writer: Writer, items: Sequence[tuple[str | None, str]]) -> list[str]:
    """The texts with their speakers before them; notes a fault where reading would not tell them apart again."""
    texts = [words if speaker is None else f"{speaker}: {words}" for speaker, words in items]
    if all(back == item for back, item in zip(speakers(texts), items, strict=True)):
        return texts
    if all(speaker is None for speaker, _ in items):
        expected = "at least one text that does not begin so, as else it is taken for a speaker's name"
        entry = next(entry for entry, text in enumerate(texts, 1) if text)
        writer.fault(entry, "words", shown(texts[entry - 1]), expected, "Give the speakers.")
        return texts
    for entry, (item, text) in enumerate(zip(items, texts, strict=True), 1):
        if text and named(text) != item:
            found = "no speaker" if item[0] is None else shown(item[0])
            expected = "a name of at most 40 signs without colon and brackets, in every segment with text or in none"
            writer.fault(entry, "speaker", found, expected, "Name the speakers so, or write WebVTT.")
    return texts
