"""A text has a PAN, the permanent account number of a taxpayer.

What it does:
    Looks for five letters, the fourth one of ABCFGHJLPT, four digits and a letter: in capitals also with a blank, dash or full
    stop between them, in small letters in one piece and only after a word for it ("PAN", "पैन", "ಪ್ಯಾನ್").

Why it matters:
    Who speaks about their health was promised not to be known. A number like this one leads to a person at once, and a data set
    that was published cannot be called back.

How to mend:
    Replace the number by a tag or by made-up digits in every form of the transcript, in the summary and in the topics, and
    silence it in the audio.

Example:
    "ABCPE1234F", which shows as marks alone.
"""

from __future__ import annotations

from parakh.qc._personal import check_for
from parakh.text.personal import Kind

CHECK = check_for("QC122", "pan", "A text has a PAN, the number of a taxpayer", Kind.PAN)
