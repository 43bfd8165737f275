"""What people type: names, texts, tags and addresses, checked at the door and then kept as they are."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import quote, urlsplit

from parakh.errors import TURNS_AROUND, Fault, InputError

_JOINERS = "\u200c\u200d"
_UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Fillers and the like, which are letters or marks by their category and look like nothing."""
_ALIKE = {"LATIN", "CYRILLIC", "GREEK"}
"""Alphabets with letters that look the same."""
_EMAIL = re.compile(r"[^\s@<>\"(),:;\[\]\\]+@[^\s@<>\"(),:;\[\]\\]+\.[^\s@<>\"(),:;\[\]\\]+")
_MOST_TAGS = 20
_SHOWN = 60


def check(*faults: Iterable[Fault]) -> None:
    """Raise all faults at once.

    Raises:
        InputError: There is one.
    """
    found = [one for some in faults for one in some]
    if found:
        raise InputError(found)


def name_faults(form: str, field: str, text: str, most: int = 80) -> list[Fault]:
    """What is wrong with a name: one line, not empty, no space around it, no signs that hide or turn text around.

    >>> [str(fault) for fault in name_faults("team", "name", " ")]
    ["team: name: found ' ', expected a name without spaces around it."]
    """
    if not text or text != text.strip():
        return [Fault(form, field, _shown(text), "a name without spaces around it" if text else "a name")]
    return text_faults(form, field, text, most, lines=False) or _hidden(form, field, text)


def mixed_faults(form: str, field: str, name: str) -> list[Fault]:
    r"""What is wrong with a name that others could take for another's: a word of alphabets whose letters look the same.

    >>> len(mixed_faults("team", "name", "T\u0435am")), mixed_faults("team", "name", "Team")
    (1, [])
    """
    for word in re.split(r"[\W_]+", unicodedata.normalize("NFKC", name)):
        scripts = {unicodedata.name(sign, "").partition(" ")[0] for sign in word} & _ALIKE
        if len(scripts) > 1:
            found = f"{_shown(word)}, which mixes {' and '.join(one.title() for one in sorted(scripts))} letters"
            return [Fault(form, field, found, "one alphabet in a word")]
    return []


def text_faults(form: str, field: str, text: str, most: int, lines: bool = True) -> list[Fault]:
    r"""What is wrong with a text: too long, or signs that no text has.

    Args:
        form: What is filled in, for messages.
        field: Which part of it.
        text: The text.
        most: Characters that it may have.
        lines: Whether it may have several lines.

    >>> [str(fault) for fault in text_faults("submission", "system", "one\ntwo", 80, lines=False)]
    ['submission: system: found the character U+000A, expected text without control characters.']
    """
    if len(text) > most:
        return [Fault(form, field, f"{len(text)} characters", f"at most {most}")]
    allowed = "\t\n\r" if lines else ""
    bad = [sign for sign in text if sign not in allowed and _is_bad(sign)]
    return [Fault(form, field, f"the character U+{ord(bad[0]):04X}", "text without control characters")] if bad else []


def email_faults(form: str, email: str) -> list[Fault]:
    """What is wrong with an e-mail address.

    >>> [str(fault) for fault in email_faults("account", "me")]
    ["account: email: found 'me', expected an e-mail address."]
    >>> [str(fault) for fault in email_faults("account", "x@y")]
    ['account: email: found nothing with a dot after the @, expected an e-mail address.']
    """
    name, _, domain = email.partition("@")
    if name and domain and "." not in domain:
        return [Fault(form, "email", "nothing with a dot after the @", "an e-mail address")]  # an address itself is not printed
    if len(email) > 254 or not _EMAIL.fullmatch(email):
        return [Fault(form, "email", _shown(email), "an e-mail address")]
    return text_faults(form, "email", email, 254, lines=False)


def address_faults(form: str, field: str, address: str) -> list[Fault]:
    """What is wrong with an address on the web; "" is none and right.

    >>> [str(fault) for fault in address_faults("submission", "paper", "javascript:alert(1)")]
    ["submission: paper: found 'javascript:alert(1)', expected an address that begins with http:// or https://."]
    """
    if not address:
        return []
    expected = "an address that begins with http:// or https://"
    try:
        parts = urlsplit(address)
        right = parts.scheme in {"http", "https"} and bool(parts.hostname) and address.startswith(("http://", "https://"))
    except ValueError:
        right = False
    if not right:
        return [Fault(form, field, _shown(address), expected)]
    bad = next((sign for sign in address if sign.isspace() or sign in "<>\"'`\\"), None)
    if bad is not None:
        return [Fault(form, field, f"the character {bad!r}", "an address without it", f"Write {quote(bad)} for it.")]
    return text_faults(form, field, address, 500, lines=False)


def tag_faults(form: str, tags: Iterable[str]) -> list[Fault]:
    """What is wrong with tags: too many, one twice, or one that is no short name."""
    every = list(tags)
    faults = [fault for tag in every for fault in name_faults(form, "tags", tag, 40)]
    if len(every) > _MOST_TAGS:
        faults.append(Fault(form, "tags", f"{len(every)} tags", f"at most {_MOST_TAGS}"))
    twice = sorted({tag for tag in every if every.count(tag) > 1}) if len(every) <= _MOST_TAGS else []
    return faults + [Fault(form, "tags", f"{_shown(tag)} twice", "each tag once") for tag in twice]


def same_name(text: str) -> str:
    r"""What two names share that people take for the same.

    >>> same_name("Team A") == same_name("ｔｅａｍ  a"), same_name("क्ष") == same_name("क्\u200dष")
    (True, True)
    """
    seen = "".join(sign for sign in text if sign not in _JOINERS and not "\ufe00" <= sign <= "\ufe0f")  # variation selectors
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


def _hidden(form: str, field: str, text: str) -> list[Fault]:
    """Signs that nobody sees, but joiners where a letter of a joining script takes one."""
    for before, sign in itertools.pairwise(f" {text}"):
        joins = sign in _JOINERS and unicodedata.category(before) in {"Lo", "Mn", "Mc"}
        if sign in _UNSEEN or (unicodedata.category(sign) == "Cf" and not joins):
            return [Fault(form, field, f"the character U+{ord(sign):04X}", "a name without characters that nobody sees")]
    return []


def _is_bad(sign: str) -> bool:
    return unicodedata.category(sign) in {"Cc", "Cs"} or sign in TURNS_AROUND or sign in "\u2028\u2029"


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
