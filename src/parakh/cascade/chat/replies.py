"""What a chat model replies, before anything is read out of it: its reasoning taken off, refusals known as such."""

from __future__ import annotations

import re

from parakh.errors import UnavailableError
from parakh.text.masking import masked

_REASONING = re.compile(r"\s*<(think|thinking|reasoning)>(.*?)(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_SHOWN = 80
_LONGEST_REFUSAL = 400
"""Characters: a refusal is short, and a long text with such words in it is a summary that quotes somebody."""
_REFUSALS = re.compile(
    r"i(?:['’]m| am) (?:sorry|unable to|not able to|afraid)|i (?:can(?:['’]t|not)|won['’]t|must decline|will not)\b|"
    r"as an ai\b|as a (?:large )?language model|i (?:do not|don['’]t) feel comfortable|"
    r"(?:मैं|हम) .{0,60}(?:नहीं कर सकत|नहीं दे सकत|असमर्थ|नहीं बता सकत)|(?:क्षमा|माफ़?) (?:करें|कीजिए|चाहत)|एक एआई|"
    r"(?:ಕ್ಷಮಿಸಿ|ನನಗೆ ಸಾಧ್ಯವಿಲ್ಲ|ನಾನು .{0,60}ಸಾಧ್ಯವಿಲ್ಲ)",
    re.IGNORECASE,
)


class ReplyError(Exception):
    """A reply that cannot be read.

    Args:
        found: What it is.
        expected: What it should be.
        reply: The reply.
    """

    def __init__(self, found: str, expected: str, reply: str) -> None:
        super().__init__(f"found {found}, expected {expected}")
        self.found = found
        self.expected = expected
        self.reply = reply


def answer(reply: str) -> str:
    r"""A reply without the reasoning that a model writes before it, and without white space around it.

    Raises:
        UnavailableError: There is nothing after the reasoning.

    >>> answer("<think>The user wants\na list.</think>\n\nFever, Cough\n")
    'Fever, Cough'
    """
    reasoning = _REASONING.match(reply)
    text = (reply[reasoning.end() :] if reasoning else reply).strip()
    if not text:
        where = " but its reasoning" if reasoning else ""
        raise UnavailableError(f"The model's reply is empty{where}. Raise max_tokens, or use another model.")
    return text


def check_willing(reply: str) -> None:
    """See that a reply is no refusal, in English, Hindi or Kannada.

    Raises:
        ReplyError: It begins as one and is short.

    >>> check_willing("I'm sorry, but I can't help with medical questions.")
    Traceback (most recent call last):
        ...
    parakh.cascade.chat.replies.ReplyError: found a refusal, expected the answer
    """
    if len(reply) <= _LONGEST_REFUSAL and _REFUSALS.match(reply.lstrip("\"'*# ")):
        raise ReplyError("a refusal", "the answer", reply)


def quoted(reply: str) -> str:
    r"""The beginning of a reply as messages show it: on one line, without personal numbers.

    >>> quoted("Call 98765 43210\nnow")
    "'Call ••••• •••10 now'"
    """
    line = " ".join(masked(reply).split())
    return repr(line if len(line) <= _SHOWN else f"{line[:_SHOWN]}...")


def is_english(text: str) -> bool:
    """Whether half of the letters of a text or more are Latin ones; numbers alone are any language.

    >>> is_english("Takes Telma 40 (टेल्मा)"), is_english("बुखार है BP")
    (True, False)
    """
    letters = [sign for sign in text if sign.isalpha()]
    return 2 * sum(sign < "ɐ" for sign in letters) >= len(letters)
