"""Tags of languages in the form of BCP-47, whether or not there is a file for the language."""

from __future__ import annotations

import re

from parakh.errors import Fault, InputError

LANGUAGE = "a language tag such as hi, kn or en-IN"
"""What a language is expected to be, for messages."""

_TAG = re.compile(r"([A-Za-z]{2,3})([-_][A-Za-z0-9]{1,8})*")


def primary_language(tag: str) -> str:
    """The primary subtag of a BCP-47 tag, in lower case; what is no tag stays as it is, in lower case.

    >>> primary_language("hi-IN"), primary_language("HI"), primary_language("en_in")
    ('hi', 'hi', 'en')
    """
    found = _TAG.fullmatch(tag.strip())
    return (found[1] if found else tag.strip()).lower()


def is_language(tag: str) -> bool:
    """Whether a tag has the form of a BCP-47 tag with a primary subtag of two or three letters.

    >>> is_language("kn"), is_language("klingon")
    (True, False)
    """
    return _TAG.fullmatch(tag.strip()) is not None


def check_language(tag: str) -> str:
    """The primary subtag of a language given on the command line, in lower case.

    Raises:
        InputError: It has not the form of a language tag.

    >>> check_language("hi-IN")
    'hi'
    """
    if not is_language(tag):
        raise InputError(Fault("--language", "", repr(tag), LANGUAGE, "Use the language's two- or three-letter code."))
    return primary_language(tag)
