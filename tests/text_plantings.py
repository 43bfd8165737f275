"""One fault for each check of text, as ``tests/plantings.py``. The personal data is made up."""

from __future__ import annotations

from collections.abc import Callable

from tests.planted import WHOLE, Copy
from tests.plantings import ONE, Place, at, native, planting, transcript


def said(copy: Copy, session: str, index: int, change: Callable[[str], str]) -> list[Place]:
    """Change the words of a segment in both forms of the transcript."""
    copy.segments(session, lambda own: at(index, words=change(own[index].words))(own))
    return [(native(session), index + 1), (transcript(session), index + 1)]


def summarised(copy: Copy, old: str, new: str) -> Place:
    """Change the summary of the whole recording, which is the first."""
    lines = copy.lines("summaries.csv")
    assert old in lines[1]
    copy.write("summaries.csv", [lines[0], lines[1].replace(old, new, 1), *lines[2:]])
    return "summaries.csv", 2


@planting("QC110")
def mixed_scripts(copy: Copy) -> Place:
    """A Cyrillic letter in a Latin word."""
    return summarised(copy, "woman", "wom\u0430n")


@planting("QC111")
def not_nfc(copy: Copy) -> Place:
    return summarised(copy, "A woman", "A nai\u0308ve woman")


@planting("QC112")
def zero_width_character(copy: Copy) -> Place:
    return summarised(copy, "woman", "wo\u200bman")


@planting("QC113")
def odd_character(copy: Copy) -> Place:
    return summarised(copy, "28 weeks", "28\u00a0weeks")


@planting("QC114")
def foreign_script(copy: Copy) -> list[Place]:
    return said(copy, ONE, 0, lambda words: f"{words} மருந்து")


@planting("QC115")
def empty_transcript(copy: Copy) -> list[Place]:
    return said(copy, ONE, 0, lambda words: "")


@planting("QC116")
def punctuation_only(copy: Copy) -> list[Place]:
    return said(copy, ONE, 0, lambda words: "...")


@planting("QC120")
def aadhaar(copy: Copy) -> Place:
    return summarised(copy, "A woman", "2341 2341 2346, a woman")


@planting("QC121")
def phone_number(copy: Copy) -> Place:
    return summarised(copy, "A woman", "+91 98765 43210, a woman")


@planting("QC122")
def pan(copy: Copy) -> Place:
    return summarised(copy, "A woman", "ABCPE1234F, a woman")


@planting("QC123")
def voter_id(copy: Copy) -> Place:
    return summarised(copy, "A woman", "ABC1234567, a woman")


@planting("QC124")
def abha(copy: Copy) -> Place:
    return summarised(copy, "A woman", "12-3456-7890-1234, a woman")


@planting("QC125")
def email(copy: Copy) -> Place:
    return summarised(copy, "A woman", "someone@example.org, a woman")


@planting("QC126")
def spoken_digits(copy: Copy) -> list[Place]:
    return said(copy, WHOLE, 4, lambda words: "नौ आठ सात छह पाँच चार तीन दो एक शून्य")


@planting("QC127")
def spoken_name(copy: Copy) -> list[Place]:
    return said(copy, WHOLE, 4, lambda words: "जी, मेरा नाम सुनीता है")


@planting("QC128")
def personal_number_in_name(copy: Copy) -> Place:
    return "metadata.csv", copy.cell(ONE, "", "device", "phone 9876543210")


@planting("QC221")
def forms_disagree(copy: Copy) -> Place:
    """A segment of the native form has the words of the next one."""
    copy.segments(ONE, lambda own: at(8, words=own[9].words)(own), ("native",))
    return native(ONE), 9


@planting("QC222")
def form_not_as_declared(copy: Copy) -> Place:
    """A number in ASCII digits in the native form."""
    copy.segments(WHOLE, lambda own: at(1, words=own[1].words.replace("अट्ठाईस", "28"))(own), ("native",))
    return native(WHOLE), 2


@planting("QC301")
def unknown_tag(copy: Copy) -> list[Place]:
    return said(copy, ONE, 0, lambda words: f"<nosie> {words}")


@planting("QC302")
def unbalanced_tag(copy: Copy) -> list[Place]:
    return said(copy, ONE, 0, lambda words: f"{words} </noise>")


@planting("QC303")
def broken_tag(copy: Copy) -> Place:
    """In one form only: in the native form the name would be a word in Latin letters."""
    copy.segments(ONE, lambda own: at(0, words=f"<noise {own[0].words}")(own), ("transcript",))
    return transcript(ONE), 1
