"""What somebody may not do, in words for them; pages and the API answer with the status of each."""

from __future__ import annotations

from typing import ClassVar

from parakh.errors import ParakhError


class RefusalError(ParakhError):
    """Base of the four; ``status`` is what HTTP calls it."""

    status: ClassVar[int] = 400


class Refused(RefusalError):  # noqa: N818
    """They have no right to it, or its time is over."""

    status: ClassVar[int] = 403


class NotThere(RefusalError):  # noqa: N818
    """There is none, or none for them: both are told in the same words.

    >>> str(NotThere("team", "abc"))
    "there is no team 'abc'."
    """

    status: ClassVar[int] = 404

    def __init__(self, kind: str, name: object) -> None:
        super().__init__(f"there is no {kind} {str(name)[:80]!r}.")


class Conflict(RefusalError):  # noqa: N818
    """Something else stands in its way: a name that is taken, a team they are in already."""

    status: ClassVar[int] = 409


class TooMany(RefusalError):  # noqa: N818
    """They did it too often.

    Args:
        message: For them.
        seconds: After which it may be tried again.
    """

    status: ClassVar[int] = 429

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds
