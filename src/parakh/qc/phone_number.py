"""A text has a telephone number.

What it does:
    Looks for mobile numbers (10 digits from 6, 7, 8 or 9; +91, 91 or 0 may stand before them) and for numbers of fixed lines (0,
    the code of the town, a gap, a local number from 2 to 6) in digits of any script, in one piece or in groups, also with an
    ending written onto them, over tags and over what is invisible.
    Numbers after a word for a batch, an order or a series are none, nor is a list of round or evenly rising numbers, nor are
    short numbers (108) and those of helplines (1800).

Why it matters:
    Who speaks about their health was promised not to be known. A number like this one leads to a person at once, and a data set
    that was published cannot be called back.

How to mend:
    Replace the number by a tag or by made-up digits in every form of the transcript, in the summary and in the topics, and
    silence it in the audio.

Example:
    "मेरा नंबर ९८७६५ ४३२१० है", which shows as "••••• •••१०".
"""

from __future__ import annotations

from parakh.qc._personal import check_for
from parakh.text.personal import Kind

CHECK = check_for("QC121", "phone-number", "A text has a telephone number", Kind.PHONE)
