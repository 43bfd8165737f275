"""A text has an Aadhaar number.

What it does:
    Looks for 12 digits of any script, the first 2 to 9, in one piece or in even groups (4-4-4), also over tags, dashes and what
    is invisible, whose last digit is the Verhoeff check digit of the others. After a word for Aadhaar in the 60 signs before them
    the check digit is not asked for: numbers are misheard. One in ten other numbers of 12 digits passes the check by chance.
    parakh.text.personal has the rules.

Why it matters:
    Who speaks about their health was promised not to be known. A number like this one leads to a person at once, and a data set
    that was published cannot be called back.

How to mend:
    Replace the number by a tag or by made-up digits in every form of the transcript, in the summary and in the topics, and
    silence it in the audio.

Example:
    "आधार नंबर 2341 2341 2346", which shows as "•••• •••• ••46".
"""

from __future__ import annotations

from parakh.qc._personal import check_for
from parakh.text.personal import Kind

CHECK = check_for("QC120", "aadhaar", "A text has an Aadhaar number", Kind.AADHAAR)
