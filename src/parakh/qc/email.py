"""A text has an e-mail address or an address for payments.

What it does:
    Looks for name@place, and for addresses that are read out: "name at gmail dot com", "नाम एट जीमेल डॉट कॉम",
    "ಹೆಸರು ಅಟ್ ಜಿಮೇಲ್ ಡಾಟ್ ಕಾಮ್".

Why it matters:
    Who speaks about their health was promised not to be known. An address leads to a person at once, and a data set that was
    published cannot be called back.

How to mend:
    Replace the address by a tag or by a made-up one in every form of the transcript, in the summary and in the topics, and
    silence it in the audio.

Example:
    "name@example.org", which shows as marks alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc._check import Check
from parakh.qc._material import Material
from parakh.qc._personal import written
from parakh.qc._settings import Settings
from parakh.text.personal import Kind
from parakh.types import Finding, Severity


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a number."""
    yield from written(CHECK, material, Kind.EMAIL)


CHECK = Check("QC125", "email", "A text has an e-mail or payment address", Severity.ERROR, recording)
