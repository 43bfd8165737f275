"""A text has the number of a voter identity card (EPIC).

What it does:
    Looks for three letters and seven digits, and for the older form of state, district, part and number (MP/12/345/678901). Small
    letters count only after a word for the card. Codes after a word for a batch, an order or a series are none.

Why it matters:
    Who speaks about their health was promised not to be known. A number like this one leads to a person at once, and a data set
    that was published cannot be called back.

How to mend:
    Replace the number by a tag or by made-up digits in every form of the transcript, in the summary and in the topics, and
    silence it in the audio.

Example:
    "ABC1234567", which shows as marks alone.
"""

from __future__ import annotations

from parakh.qc._personal import check_for
from parakh.text.personal import Kind

CHECK = check_for("QC123", "voter-id", "A text has the number of a voter identity card", Kind.VOTER_ID)
