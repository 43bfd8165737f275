"""Every exception of the package, in one tree.

ParakhError                 anything the user can mend; the command line prints it and exits 2
├── InputError              one or more faults in files or arguments, one line a fault
├── UnknownNameError        a plug-in, profile or preset that does not exist; lists close matches
├── MissingPackageError     an optional package is absent; gives the exact pip command
├── UnavailableError        a backend cannot do this here (no weights, no endpoint); names what to configure
└── ModelError              weights could not be fetched or verified
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import category


class ParakhError(Exception):
    """Base of every error a user can mend."""

    def __reduce__(self) -> tuple[object, ...]:
        """As the exception it is: the constructors take other arguments than ``args``."""
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[ParakhError], args: tuple[object, ...]) -> ParakhError:
    error = kind.__new__(kind)
    error.args = args
    return error


TURNS_AROUND = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Signs that turn the direction of writing around, with which a name may look like another."""


def printable(text: str) -> str:
    r"""A message with its control characters escaped, as they stand in file names: a terminal would obey them.

    So are the signs that turn the direction of writing around, with which a name may look like another.

    >>> printable("a\x1b[2J.rttm")
    'a\\x1b[2J.rttm'
    """
    return "".join(ascii(sign)[1:-1] if category(sign) == "Cc" or sign in TURNS_AROUND else sign for sign in text)


def listed(names: Sequence[str], between: str = ", ") -> str:
    """Names as a list for people; one that holds a comma is put in quotes, so that it is seen to be one.

    >>> listed(["ours", "S, fine-tuned"])
    'ours, “S, fine-tuned”'
    """
    return between.join(f"“{name}”" if "," in name else name for name in names)


def counted(count: int, one: str, several: str = "") -> str:
    """A number with its noun, for messages; the plural adds an s unless given.

    >>> counted(1, "field"), counted(2, "field"), counted(0, "entry", "entries")
    ('1 field', '2 fields', '0 entries')
    """
    return f"{count} {one if count == 1 else several or one + 's'}"


def as_bytes(count: float) -> str:
    """A size with a fitting unit.

    >>> as_bytes(900), as_bytes(1.5e6), as_bytes(3.09e9)
    ('900 B', '1.5 MB', '3.1 GB')
    """
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count:.0f} B"


def clock(seconds: float) -> str:
    """A time in a recording as minutes and seconds, for messages and pages.

    >>> clock(75.26), clock(3605)
    ('1:15.3', '1:00:05.0')
    """
    tenths = round(seconds * 10)
    hours, minutes = tenths // 36000, tenths // 600 % 60
    rest = f"{tenths % 600 / 10:04.1f}"
    return f"{hours}:{minutes:02d}:{rest}" if hours else f"{minutes}:{rest}"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with an input, in the form every message of this project takes.

    Args:
        path: The file (or argument) it was found in.
        field: The field's name in its format's own terms, or "" for the whole line or file.
        found: What stands there.
        expected: What should stand there.
        action: What to do, as an imperative sentence; may be empty.
        line: 1-based line (or entry) number; None when the fault is of the whole file.

    >>> str(Fault("a.rttm", "duration", "'-0.2'", "seconds > 0", "Mend the turn.", line=3))
    "a.rttm:3: duration: found '-0.2', expected seconds > 0. Mend the turn."
    """

    path: str
    field: str
    found: str
    expected: str
    action: str = ""
    line: int | None = None

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line is not None else self.path
        field = f"{self.field}: " if self.field else ""
        action = f" {self.action}" if self.action else ""
        return printable(f"{place}: {field}found {self.found}, expected {self.expected}.{action}")


class InputError(ParakhError):
    r"""One or more faults in what the user gave; ``str()`` is one line a fault, the first 50 of them.

    Args:
        faults: What is wrong, in the order it was found.
        more: Number of further faults that were counted but not kept.

    >>> str(InputError(Fault("a.rttm", "", "a folder", "a file"), more=3))
    'a.rttm: found a folder, expected a file.\n... and 3 more faults.'
    """

    SHOWN = 50

    def __init__(self, faults: Fault | Iterable[Fault], more: int = 0) -> None:
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        self.more = more
        lines = [str(fault) for fault in self.faults[: self.SHOWN]]
        left = len(self.faults) + more - len(lines)
        if left:
            lines.append(f"... and {counted(left, 'more fault')}.")
        super().__init__("\n".join(lines))


class UnknownNameError(ParakhError):
    """A name that no plug-in, profile or preset carries; of many that there are, only those are listed that are close.

    >>> str(UnknownNameError("metric", "tcpwr", ["der", "tcpwer"]))
    "there is no metric 'tcpwr'; did you mean 'tcpwer'? Known: der, tcpwer"
    """

    LISTED = 100

    def __init__(self, kind: str, name: str, known: Sequence[str]) -> None:
        import difflib  # only a mistake needs it

        close = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        listed = f" Known: {', '.join(sorted(known))}" if len(known) <= self.LISTED else " `parakh list` names what there is."
        super().__init__(f"there is no {kind} {name!r}{hint}{listed}")


class MissingPackageError(ParakhError):
    """An optional package is not installed.

    >>> str(MissingPackageError("ctranslate2", "cascade", "transcriber 'whisper-base'"))
    "transcriber 'whisper-base' needs the package ctranslate2. Run: pip install 'parakh[cascade]'"
    """

    def __init__(self, package: str, extra: str, wanted_by: str) -> None:
        self.package = package
        super().__init__(f"{wanted_by} needs the package {package}. Run: pip install 'parakh[{extra}]'")


class UnavailableError(ParakhError):
    """A backend cannot do what was asked here; the message names what to configure."""


class ModelError(ParakhError):
    """Model weights could not be found, fetched or verified."""
