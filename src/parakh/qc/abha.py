"""A text has an ABHA number or an ABHA address, the health account of a person.

What it does:
    Looks for 14 digits in one piece or as 2-4-4-4, unless they are a date with a time of day, and for addresses at abdm or sbx.

Why it matters:
    Who speaks about their health was promised not to be known. A number like this one leads to a person at once, and a data set
    that was published cannot be called back.

How to mend:
    Replace the number by a tag or by made-up digits in every form of the transcript, in the summary and in the topics, and
    silence it in the audio.

Example:
    "12-3456-7890-1234", and "name@abdm".
"""

from __future__ import annotations

from parakh.qc._personal import check_for
from parakh.text.personal import Kind

CHECK = check_for("QC124", "abha", "A text has an ABHA number or address", Kind.ABHA)
