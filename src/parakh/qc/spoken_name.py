"""Somebody says the name of a person.

What it does:
    Looks for a word where a name would stand: after "मेरा नाम", "ನನ್ನ ಹೆಸರು", "my name is" and their colloquial and Roman forms,
    before "नाम है" and "ಅಂತ ಹೆಸರು", after a title ("श्रीमती", "Dr."), before a second part of a name ("देवी"), after "I am"
    where it has a capital, and after "डॉक्टर" where it is a common surname. Words that follow such a phrase and are no name
    ("नाम क्या है"), and names of medicines, illnesses and places ("दवा का नाम") pass; `lists/names.toml` has them all.
    The name itself is not shown.

Why it matters:
    A name and a village are enough to know who speaks.

How to mend:
    Replace the name by a tag or by another name in every form of the transcript and in the summary, and silence it in the audio.

Limits:
    None. A name without such a word beside it, as when somebody is called, is not found: a person has to listen for those.

Example:
    "नमस्ते, मेरा नाम ... है", "I'm Dr. ..."
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc._check import Check
from parakh.qc._material import Material
from parakh.qc._names import has_cue, names_in
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time, holding
from parakh.types import Finding, Severity


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a text."""
    for passage in holding(material, has_cue):
        cues = list(dict.fromkeys(one.cue for one in names_in(passage.text)))
        if cues:
            message = f"what may be a name, beside {', '.join(map(repr, cues))}{at_time(passage.segment)}"
            yield CHECK.at(material, message, passage.source, passage.index)


CHECK = Check("QC127", "spoken-name", "The name of a person is said", Severity.WARNING, recording)
