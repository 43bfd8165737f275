"""Passwords: argon2id, a few at a time so that a crowd at the door does not take all memory."""

from __future__ import annotations

import secrets
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from parakh.errors import Fault
from parakh.leaderboard.entries import text_faults

LEAST = 10
"""Characters of a password."""
MOST = 200

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""What OWASP's password storage cheat sheet asks for at least; its type is argon2id."""
_AT_ONCE = BoundedSemaphore(4)
_NOBODYS = _HASHER.hash(secrets.token_hex(16))
"""Of no account: checked where there is none, so that both take the same time."""


def hashed(password: str) -> str:
    """The hash that is kept.

    >>> hashed("correct horse")[:10]
    '$argon2id$'
    """
    with _AT_ONCE:
        return _HASHER.hash(password)


def is_right(password: str, kept: str | None) -> bool:
    """Whether a password is the one of a hash; with None it does the same work, and never is.

    >>> is_right("correct horse", hashed("correct horse")), is_right("correct horse", None)
    (True, False)
    """
    with _AT_ONCE:
        try:
            right = _HASHER.verify(kept or _NOBODYS, password)
        except (VerificationError, InvalidHashError, UnicodeEncodeError):
            return False
    return right and kept is not None


def password_faults(form: str, password: str, email: str) -> list[Fault]:
    """What is wrong with a new password; it is never shown.

    >>> [str(fault) for fault in password_faults("account", "short", "me@example.org")]
    ['account: password: found 5 characters, expected 10 to 200. Take a few words.']
    """
    if not LEAST <= len(password) <= MOST:
        return [Fault(form, "password", f"{len(password)} characters", f"{LEAST} to {MOST}", "Take a few words.")]
    if password.casefold() in {email.casefold(), email.casefold().partition("@")[0]} or len(set(password)) < 4:
        return [Fault(form, "password", "one that is easily guessed", "another", "Take a few words.")]
    return text_faults(form, "password", password, MOST, lines=False)
