"""The transcript is written in a script in which the declared language is not written.

What it does:
    Counts the letters of the transcript by script (of the native form where there is one) and compares them with the scripts of
    the recording's language and of its speakers' languages.

Why it matters:
    A transcript in another language is scored with the wrong rules, numbers and fillers, and counts for the wrong language.

How to mend:
    Mend the language in the manifest, or put the right transcript in place.

Limits:
    `declared-script-share` (0.3): the least share of letters in a script of the language. It is low because English words may be
    many. Two languages in one script (Hindi, Marathi) cannot be told apart.

Example:
    It says: "0% of the letters are of a script of ta, most are Knda".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from parakh import languages
from parakh.qc import Check, Material, Settings
from parakh.text.scripts import script_of
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    source = material.native or material.transcript
    scripts = _declared(material)
    if source is None or not scripts:
        return
    counts = _scripts("".join([one.words for one in source.items]))
    letters = counts.total()
    own = sum(counts[script] for script in scripts)
    if letters and own < settings.limit("declared-script-share") * letters:
        main = min(counts, key=lambda script: (-counts[script], script))
        message = f"{own / letters:.0%} of the letters are of a script of {material.language}, most are {main}"
        yield CHECK.at(material, message, source)


def _scripts(text: str) -> Counter[str]:
    """How many letters of a text are of which script; by code units, which is much faster than sign by sign."""
    units = np.bincount(np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16))
    counts: Counter[str] = Counter()
    for code in np.flatnonzero(units).tolist():
        script = script_of(chr(code))
        if script is not None:
            counts[script] += int(units[code])
    return counts


def _declared(material: Material) -> set[str]:
    """Scripts of the languages that the manifest names; empty where none or one without a known script is named."""
    tags = {material.language, *(one.language for one in material.entry.speakers)} - {None}
    known = [languages.get(tag).scripts for tag in tags]
    return {script for scripts in known for script in scripts} if all(known) else set()


CHECK = Check(
    "QC206",
    "language-not-as-declared",
    "The script is not that of the language",
    Severity.ERROR,
    recording=_recording,
    limits={"declared-script-share": 0.3},
)
