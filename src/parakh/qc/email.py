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

from parakh.qc._personal import check_for
from parakh.text.personal import Kind

CHECK = check_for("QC125", "email", "A text has an e-mail or payment address", Kind.EMAIL)
