r"""Personal numbers and addresses as they are written: where in a text they stand, and which they are.

Digits of every script count, and up to five signs may stand between two groups of them: blanks, dashes, full stops, commas,
dandas, brackets, what is invisible, and tags (``98765 <noise> 43210``). What tells a personal number from a dose or a pressure is
how many digits it has, with which it begins, and in which groups it is written:

- Aadhaar: 12 digits, the first 2 to 9, the last the Verhoeff check digit of the others; without the check digit only after
  a word for it ("आधार").
- telephone: mobile numbers are 10 digits from 6, 7, 8 or 9, also after +91, 91 or 0; fixed lines 11 digits, the first 0, with a
  gap after the code of the town (2 to 4 digits more) and a local number from 2 to 6.
- PAN: five letters, the fourth of which says what the holder is, four digits, one letter.
- voter identity card (EPIC): three letters and seven digits, or the older form of state, district, part and number.
- ABHA: 14 digits, in one piece or as 2-4-4-4; the address ends in @abdm or @sbx.
- e-mail: also an address for payments (name@bank), and one that is read out (``at``, ``dot com``) in Hindi, Kannada and English.

Sources: Unique Identification Authority of India, "Aadhaar numbering scheme" (2010); J. Verhoeff, "Error detecting decimal codes"
(1969); National Numbering Plan (Department of Telecommunications, 2003); Income-tax Department, structure of PAN; Election
Commission of India, EPIC; National Health Authority, ABHA number and address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise

from parakh.text.folds import ascii_digits
from parakh.text.tokens import INVISIBLE


class Kind(StrEnum):
    """What a stretch of a text is."""

    AADHAAR = "Aadhaar number"
    PHONE = "telephone number"
    PAN = "PAN"
    VOTER_ID = "voter identity number"
    ABHA = "ABHA number or address"
    EMAIL = "e-mail or payment address"


@dataclass(frozen=True, slots=True)
class Personal:
    """A personal number or address in a text.

    Args:
        kind: What it is.
        start: Offset of its first code point.
        end: Offset after its last code point.
    """

    kind: Kind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Group:
    """Digits without anything between them.

    Args:
        digits: In ASCII.
        start: Offset of the first.
        end: Offset after the last.
        gap: What stands between the group before it and this one; None if they do not belong together.
    """

    digits: str
    start: int
    end: int
    gap: str | None = None


_TAG = r"<[^<>\d]{0,24}>|\[[^\[\]\d]{0,24}\]"
_ESCAPE = r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|[ntr])"
_GAP = re.compile(rf"(?:[\s.,/_|()·•।॥\-\u2010-\u2015\u2212{INVISIBLE}]|{_TAG}|{_ESCAPE}){{1,5}}")
_DIGITS = re.compile("[0-9]+")
_FILLING = re.compile(rf"[{INVISIBLE}]|{_TAG}|{_ESCAPE}")
_LIST_GAPS = (",", "।", "॥", "|")


def runs(text: str) -> list[list[Group]]:
    r"""Groups of digits that may be one number: with nothing between them but what separates parts of numbers.

    Args:
        text: Any text.

    Returns:
        The runs, in order, each with at least one group.

    >>> [[group.digits for group in run] for run in runs("+91 ९८७६५-43210, BP 140/90")]
    [['91', '98765', '43210'], ['140', '90']]
    """
    plain = ascii_digits(text)
    found: list[list[Group]] = []
    end = 0
    for match in _DIGITS.finditer(plain):
        gap = plain[end : match.start()]
        joined = bool(found) and len(gap) <= 60 and _GAP.fullmatch(gap) is not None
        group = Group(match[0], *match.span(), gap if joined else None)
        if joined:
            found[-1].append(group)
        else:
            found.append([group])
        end = match.end()
    return found


def find(text: str, *, name: bool = False, strict: bool = True) -> list[Personal]:
    r"""The personal numbers and addresses in a text.

    Args:
        text: A transcript, a summary, a name.
        name: The text is a name of a file, a recording or a person, in which letters may stand right before a number.
        strict: Ask for the check digit of an Aadhaar number, or for a word for it.

    Returns:
        What was found, from left to right; no two overlap.

    Source: see the module.

    >>> [(one.kind.name, one.start, one.end) for one in find("मेरा नंबर 98765 43210वां है, BP 140/90, asha@example.com")]
    [('PHONE', 10, 21), ('EMAIL', 40, 56)]
    """
    if not _ENOUGH.search(text) and not _OF_READ_OUT.search(text):
        return []
    found = [*_addresses(text), *_lettered(text, strict)]
    for run in runs(text):
        found += _numbers(text, run, name, strict)
    found.sort(key=lambda one: (one.start, -one.end))
    kept: list[Personal] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def may_hold(text: str) -> bool:
    """Whether a word may belong to what ``find`` finds: it has a digit, "@", or is of an address read out.

    >>> may_hold("BP 140"), may_hold("आशा एट जीमेल डॉट कॉम"), may_hold("मेरा नंबर है")
    (True, True, False)
    """
    return bool(_DIGIT_OR_AT.search(text) or _OF_READ_OUT.search(text))


# --- Numbers ----------------------------------------------------------------------------------------------------------------

_AADHAAR_WORD = re.compile(r"aa?dh?aa?r|uidai|आधार|ಆಧಾರ|ಆದಾರ|আধার|ஆதார்|ఆధార్|ആധാർ|આધાર|ਆਧਾਰ|ଆଧାର|آدھار", re.IGNORECASE)
_PHONE_WORD = r"ph|phone|mob|mobile|tel|no|num|number|call|contact|whatsapp|wa|cell"
_BEFORE_PHONE = re.compile(rf"(?<![a-z])(?:{_PHONE_WORD})$", re.IGNORECASE)
_CODE_WORD = re.compile(
    r"(?:batch|lot|serial|imei|barcode|invoice|order|receipt|tracking|बैच|लॉट|सीरियल|बारकोड|रसीद|ಬ್ಯಾಚ್|ಲಾಟ್|ಬಾರ್‌?ಕೋಡ್|ಸೀರಿಯಲ್)"
    r"\s*(?:code|id|no|number|num|नंबर|नम्बर|कोड|ನಂಬರ್|ಸಂಖ್ಯೆ|ಕೋಡ್)?[.:#\s-]*(?:is|है|ಇದು)?\s*$",
    re.IGNORECASE,
)
_MOST_GROUPS = 14
_MOBILE = re.compile("[6-9][0-9]{9}")
_COUNTRY = ("91", "0", "0091", "091")
_FIXED_SHAPES = frozenset(((3, 8), (3, 4, 4), (4, 7), (4, 3, 4), (5, 6), (5, 3, 3), (5, 2, 2, 2), (4, 3, 2, 2), (3, 2, 2, 2, 2)))
_FIXED = re.compile("0[1-8][0-9]+")
_AADHAAR_SHAPES = frozenset(((12,), (4, 4, 4), (3, 3, 3, 3), (6, 6), (4, 8), (8, 4), (2,) * 6))
_TIME_STAMP = re.compile("(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]")


def _numbers(text: str, run: Sequence[Group], name: bool, strict: bool) -> Iterator[Personal]:
    """The numbers in a run, from left to right, the longest first."""
    if sum(len(group.digits) for group in run) < 10:
        return
    at = 0
    while at < len(run):
        for stop in range(min(len(run), at + _MOST_GROUPS), at, -1):
            kind = _kind(text, run, at, stop, strict)
            if kind is not None and (name or not _is_code(text, run[at].start, kind)):
                yield Personal(kind, _with_plus(text, run[at].start), run[stop - 1].end)
                at = stop
                break
        else:
            at += 1


def _kind(text: str, run: Sequence[Group], at: int, stop: int, strict: bool) -> Kind | None:
    groups = run[at:stop]
    digits = "".join(group.digits for group in groups)
    if not 10 <= len(digits) <= 14:
        return None
    shape = _shape(groups)
    gaps = {_FILLING.sub("", group.gap or "").strip() or "" for group in groups[1:]}
    plus = text[max(0, groups[0].start - 1) : groups[0].start] == "+"
    if len(digits) == 12 and shape in _AADHAAR_SHAPES and len(gaps) <= 1 and not plus and not _goes_on(run, at, stop):
        said = not strict or bool(_AADHAAR_WORD.search(text[max(0, groups[0].start - 60) : groups[0].start]))
        if digits[0] in "23456789" and (verhoeff(digits) or said):
            return Kind.AADHAAR
    if len(digits) == 14 and (shape == (2, 4, 4, 4) or (shape == (14,) and not _TIME_STAMP.fullmatch(digits))):
        return None if _goes_on(run, at, stop) else Kind.ABHA
    return Kind.PHONE if _is_phone(text, groups, digits) else None


def _shape(groups: Sequence[Group]) -> tuple[int, ...]:
    """Lengths of the groups; single digits in a row are one group."""
    lengths: list[int] = []
    single = False
    for group in groups:
        if single and len(group.digits) == 1:
            lengths[-1] += 1
        else:
            lengths.append(len(group.digits))
        single = len(group.digits) == 1
    return tuple(lengths)


def _goes_on(run: Sequence[Group], at: int, stop: int) -> bool:
    """Whether a group like its neighbours stands before or behind: a card has four groups of four."""
    before = at > 0 and len(run[at - 1].digits) == len(run[at].digits) > 1
    return before or (stop < len(run) and len(run[stop].digits) == len(run[stop - 1].digits) > 1)


def _is_phone(text: str, groups: Sequence[Group], digits: str) -> bool:
    local = list(groups)
    if len(local) > 1 and local[0].digits in _COUNTRY and len(digits) > 10:
        local = local[1:]
    elif len(local) > 1 and local[0].digits == "0" and local[1].digits == "91":
        local = local[2:]
    joined = "".join(group.digits for group in local)
    for prefix in _COUNTRY:
        if len(local[0].digits) > len(prefix) and joined.startswith(prefix) and len(joined) == 10 + len(prefix):
            joined = joined.removeprefix(prefix)
    if _MOBILE.fullmatch(joined) and len(joined) == 10:
        return _phone_groups(local)
    abroad = text[max(0, groups[0].start - 1) : groups[0].start] == "+" and groups[0].digits == "91"
    fixed = digits if not abroad else f"0{digits[2:]}"
    shape = _shape(groups) if not abroad else (len(groups[1].digits) + 1, *_shape(groups[2:])) if len(groups) > 1 else ()
    parted = len(fixed) == 11 and shape in _FIXED_SHAPES and _FIXED.fullmatch(fixed) is not None
    return parted and fixed[shape[0]] in "23456" and all("/" not in (group.gap or "") for group in groups[1:])


def _phone_groups(groups: Sequence[Group]) -> bool:
    """Whether the groups are those of one number, and no list of measured values."""
    gaps = {_FILLING.sub("", group.gap or "").strip() for group in groups[1:]}
    shape = _shape(groups)
    if len(gaps) > 2 or (any("/" in gap for gap in gaps) and min(shape) < 5) or (len(gaps) == 2 and len(shape) > 3):
        return False
    if any(sign in gap for gap in gaps for sign in _LIST_GAPS) and (min(shape) < 3 or len(shape) > 3):
        return False
    values = [int(group.digits) for group in groups]
    steps = {later - earlier for earlier, later in pairwise(values)}
    if len(values) > 3 and ((len(steps) == 1 and 0 < steps.pop() <= 10) or all(value % 5 == 0 for value in values)):
        return False  # 60 65 70 75 80
    return len(shape) <= 5


def _with_plus(text: str, start: int) -> int:
    return start - 1 if text[start - 1 : start] == "+" else start


def _is_code(text: str, start: int, kind: Kind) -> bool:
    """Whether letters right before the digits, or a word for a code, make them something else: "LOT9876543210"."""
    before = text[max(0, start - 40) : start]
    if _CODE_WORD.search(before):
        return True
    letter = before[-1:].isascii() and before[-1:].isalpha()
    return letter and kind is Kind.PHONE and not _BEFORE_PHONE.search(before)


_D = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 2, 3, 4, 0, 6, 7, 8, 9, 5),
    (2, 3, 4, 0, 1, 7, 8, 9, 5, 6),
    (3, 4, 0, 1, 2, 8, 9, 5, 6, 7),
    (4, 0, 1, 2, 3, 9, 5, 6, 7, 8),
    (5, 9, 8, 7, 6, 0, 4, 3, 2, 1),
    (6, 5, 9, 8, 7, 1, 0, 4, 3, 2),
    (7, 6, 5, 9, 8, 2, 1, 0, 4, 3),
    (8, 7, 6, 5, 9, 3, 2, 1, 0, 4),
    (9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
)
_P = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


@cache
def _permutations() -> tuple[tuple[int, ...], ...]:
    rows = [tuple(range(10))]
    for _ in range(7):
        rows.append(tuple(_P[digit] for digit in rows[-1]))
    return tuple(rows)


def verhoeff(digits: str) -> bool:
    """Whether the last digit is the Verhoeff check digit of the others.

    Args:
        digits: ASCII digits.

    Source: J. Verhoeff, "Error detecting decimal codes" (1969): the check digit of 236 is 3.

    >>> verhoeff("2363"), verhoeff("2364")
    (True, False)
    """
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = _D[check][_permutations()[place % 8][int(digit)]]
    return check == 0


# --- Letters and digits -----------------------------------------------------------------------------------------------------

_JOIN = rf"[\s.\-{INVISIBLE}]?"
_LATIN = re.compile("[A-Za-z]")
_PAN_SHAPE = re.compile(
    rf"(?<![A-Za-z0-9])(?:[A-Z]{_JOIN}){{3}}[ABCFGHJLPT]{_JOIN}[A-Z](?:{_JOIN}[0-9]){{4}}{_JOIN}[A-Z](?![A-Za-z0-9])"
)
_PAN_SOLID = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{3}[ABCFGHJLPTabcfghjlpt][A-Za-z][0-9]{4}[A-Za-z](?![A-Za-z0-9])")
_PAN_WORD = re.compile(r"\bpan\b|पैन|ಪ್ಯಾನ್|ಪಾನ್", re.IGNORECASE)
_EPIC = re.compile(rf"(?<![A-Za-z0-9])(?:[A-Z]{_JOIN}){{3}}(?:{_JOIN}[0-9]){{7}}(?!{_JOIN}[0-9]|[A-Za-z])")
_EPIC_LOWER = re.compile(r"(?<![A-Za-z0-9])[a-z]{3}[ -]?[0-9]{7}(?![A-Za-z0-9])")
_EPIC_OLD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}/[0-9]{2}/[0-9]{2,3}/[0-9]{6,7}(?![0-9])")
_VOTER_WORD = re.compile(r"voter|epic|वोटर|मतदाता|पहचान पत्र|ವೋಟರ್|ಮತದಾರ|ಗುರುತಿನ ಚೀಟಿ", re.IGNORECASE)


def _lettered(text: str, strict: bool) -> Iterator[Personal]:
    if not _LATIN.search(text):
        return
    plain = ascii_digits(text)
    for match in _PAN_SHAPE.finditer(plain):
        yield Personal(Kind.PAN, *match.span())
    for match in _PAN_SOLID.finditer(plain):
        if not strict or _PAN_WORD.search(plain[max(0, match.start() - 60) : match.start()]):
            yield Personal(Kind.PAN, *match.span())
    for match in _EPIC_OLD.finditer(plain):
        yield Personal(Kind.VOTER_ID, *match.span())
    for match in _EPIC.finditer(plain):
        if not _CODE_WORD.search(plain[max(0, match.start() - 40) : match.start()]):
            yield Personal(Kind.VOTER_ID, *match.span())
    for match in _EPIC_LOWER.finditer(plain):
        if _VOTER_WORD.search(plain[max(0, match.start() - 60) : match.start()]):
            yield Personal(Kind.VOTER_ID, *match.span())


# --- Addresses --------------------------------------------------------------------------------------------------------------

_OF_NAME = r"[^\s@<>\[\]{}(),;:\"'“”।॥?!/\\|]"
_ADDRESS = re.compile(rf"{_OF_NAME}+@{_OF_NAME}*[^\W\d_]{_OF_NAME}*")
_SPACED = re.compile(rf"{_OF_NAME}+\s@\s?{_OF_NAME}+\.[A-Za-z]{{2,}}|{_OF_NAME}+@\s{_OF_NAME}+\.[A-Za-z]{{2,}}")
_ENOUGH = re.compile(r"(?:\d\D*){4}|@")
"""The fewest digits that a number has (a PAN), or an address."""
_DIGIT_OR_AT = re.compile(r"[\d@]")
_OF_READ_OUT = re.compile(
    r"mail|yahoo|outlook|rediff|dot|मेल|याहू|आउटलुक|रेडिफ|डॉट|डाट|ಮೇಲ್|ಯಾಹೂ|ಲುಕ್|ರೆಡಿಫ್|ಡಾಟ್|ಡಾಟ|(?<!\S)\.(?!\S)", re.IGNORECASE
)
"""The words of ``_READ_OUT`` of which it needs one: that of who keeps the address, or "dot"."""
_ABHA_ENDS = ("@abdm", "@sbx")
_AT = r"(?:@|at the rate(?: of)?|at|एट द रेट|ऐट द रेट|एट दी रेट|एट|ऐट|ಅಟ್ ದ ರೇಟ್|ಆಟ್ ದ ರೇಟ್|ಅಟ್|ಆಟ್|ಎಟ್)"
_DOT = r"(?:\.|dot|डॉट|डाट|ಡಾಟ್|ಡಾಟ)"
_END = r"(?:com|co|in|org|net|कॉम|काॅम|काम|इन|ओआरजी|नेट|ಕಾಮ್|ಇನ್|ನೆಟ್)"
_READ_OUT = re.compile(
    rf"(?<!\S)\S+\s+(?:{_AT}\s*)?(?:g\s?mail|yahoo|hotmail|outlook|rediff(?:\s?mail)?|जी\s?मेल|याहू|हॉटमेल|आउटलुक|रेडिफ(?:मेल)?"
    rf"|ಜಿ\s?ಮೇಲ್|ಯಾಹೂ|ಹಾಟ್‌?ಮೇಲ್|ಔಟ್‌?ಲುಕ್|ರೆಡಿಫ್(?:ಮೇಲ್)?)\s*{_DOT}\s*{_END}|(?<!\S)\S+\s+{_AT}\s+\S+\s+{_DOT}\s+{_END}(?!\w)",
    re.IGNORECASE,
)


def _addresses(text: str) -> Iterator[Personal]:
    for match in _ADDRESS.finditer(text) if "@" in text else ():
        address = match[0].rstrip(".")
        kind = Kind.ABHA if address.lower().endswith(_ABHA_ENDS) else Kind.EMAIL
        yield Personal(kind, match.start(), match.start() + len(address))
    for match in _SPACED.finditer(text) if "@" in text else ():
        yield Personal(Kind.EMAIL, *match.span())
    for match in _READ_OUT.finditer(text) if _OF_READ_OUT.search(text) else ():
        yield Personal(Kind.EMAIL, *match.span())
