"""What an organiser sets of the service: where it keeps things, its address, how much it takes, how people log in."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

from parakh.cascade.options import described, did_you_mean, matches, shown
from parakh.errors import Fault, InputError
from parakh.files import read_text

SECRET = "PARAKH_OIDC_SECRET"  # noqa: S105
"""Name of the environment variable with the client secret."""
_UNSAVED = ("data", "job", "oidc")
"""Fields of ``Settings`` that are no plain values."""


@dataclass(frozen=True)
class JobLimits:
    """What one scoring job may use.

    Args:
        seconds: By the clock.
        memory: Bytes.
        cpu: Seconds of processor time.
    """

    seconds: float = 900.0
    memory: int = 4 * 2**30
    cpu: float = 900.0


@dataclass(frozen=True)
class Oidc:
    """A provider of OpenID Connect.

    Args:
        issuer: Its address; ``/.well-known/openid-configuration`` below it is read.
        client: The client id.
        secret: The client secret; "" for a client without one.
        title: What the button says.
    """

    issuer: str
    client: str
    secret: str = ""
    title: str = "single sign-on"


@dataclass(frozen=True)
class Settings:
    """Settings of the service.

    Args:
        data: The folder that holds files and, by default, databases.
        database_url: "sqlite:///path" or "postgresql://user@host/name"; "" is a file in the data folder.
        queue_url: The same for the queue; "" is a file in the data folder, or the database where that is PostgreSQL.
        address: How browsers reach it, without a slash at the end.
        secure: Whether browsers reach it by https alone, as they do where the address says so.
        workers: Jobs that one worker process scores at the same time.
        upload_bytes: The largest upload.
        sign_up: Whether people may make accounts for themselves.
        private_webhooks: Whether webhooks may go to addresses of the own network.
        job: What one scoring job may use.
        oidc: A provider of OpenID Connect; None for none.

    >>> Settings(Path("data")).database_url, Settings(Path("data"), address="https://example.org").secure
    ('sqlite:///data/parakh.sqlite', True)
    """

    data: Path
    database_url: str = ""
    queue_url: str = ""
    address: str = "http://127.0.0.1:8000"
    secure: bool = False
    workers: int = 1
    upload_bytes: int = 256 * 2**20
    sign_up: bool = True
    private_webhooks: bool = False
    job: JobLimits = JobLimits()
    oidc: Oidc | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "database_url", self.database_url or f"sqlite:///{self.data / 'parakh.sqlite'}")
        object.__setattr__(self, "secure", self.secure or self.address.startswith("https://"))
        apart = self.database_url.startswith("sqlite")
        object.__setattr__(
            self, "queue_url", self.queue_url or (f"sqlite:///{self.data / 'queue.sqlite'}" if apart else self.database_url)
        )

    @property
    def store(self) -> Path:
        """The folder of the files by their content."""
        return self.data / "store"

    @staticmethod
    def load(path: str | Path | None = None, overrides: Mapping[str, Any] | None = None) -> Settings:
        """Read a configuration in TOML; the command line goes before it.

        Args:
            path: The file; None for defaults.
            overrides: Values by name that go before the file's; those that are None do not.

        Raises:
            InputError: The file is no TOML, or a key or value is none that there is; one line a fault.
        """
        document = {} if path is None else _document(path)
        faults = _faults(str(path), "", Settings, document)
        job, oidc = document.get("job", {}), document.get("oidc")
        faults += _faults(str(path), "job.", JobLimits, job) + ([] if oidc is None else _oidc_faults(str(path), oidc))
        values = {key: value for key, value in document.items() if key not in _UNSAVED}
        values |= {key: value for key, value in (overrides or {}).items() if value is not None}
        data = Path(values.pop("data", document.get("data", "parakh-data"))).absolute()  # jobs run in folders of their own
        given = values | _within("job", job) | _within("oidc", oidc)
        wrong = {one.field for one in faults}
        faults += _range_faults(str(path or "settings"), {key: value for key, value in given.items() if key not in wrong})
        if faults:
            raise InputError(faults)
        secret = os.environ.get(SECRET, "")
        return Settings(data, **values, job=JobLimits(**job), oidc=None if oidc is None else Oidc(**oidc, secret=secret))


def _document(path: str | Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(Fault(str(path), "", f"no TOML ({error})", "a configuration in TOML")) from error


def _faults(path: str, prefix: str, kind: type, values: Any) -> list[Fault]:
    """Keys that there are not and values of another type, in one table of the file."""
    if not isinstance(values, dict):
        return [Fault(path, prefix.rstrip("."), shown(values), "a table")]
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name in {one.name for one in fields(kind)}}
    hints |= {"data": str} if "data" in hints else {}
    known = [name for name in hints if name != "secret"]
    unknown = [
        Fault(path, prefix + key, "a key that there is not", f"one of {', '.join(known)}", did_you_mean(key, known))
        for key in values
        if key not in known
    ]
    wrong = [key for key in values if key in known and not matches(values[key], hints[key])]
    return unknown + [Fault(path, prefix + key, shown(values[key]), described(hints[key])) for key in wrong]


def _oidc_faults(path: str, values: Any) -> list[Fault]:
    missing = [name for name in ("issuer", "client") if isinstance(values, dict) and name not in values]
    return _faults(path, "oidc.", Oidc, values) + [Fault(path, f"oidc.{name}", "nothing", "text", "Add it.") for name in missing]


def _is_database(url: str) -> bool:
    return not url or url.startswith(("sqlite:///", "postgresql://", "postgres://"))


def is_safe_address(address: str) -> bool:
    """Whether nobody on the way can read what is sent there: it has https, or is on this machine."""
    return address.startswith(("https://", "http://127.0.0.1:", "http://localhost:"))


def _hidden(url: str) -> str:
    """An address of a database without its password."""
    return re.sub(r"://([^:@/]*):[^@]*@", r"://\1:***@", url)


def _within(table: str, values: Any) -> dict[str, Any]:
    return {f"{table}.{key}": value for key, value in values.items()} if isinstance(values, dict) else {}


_DATABASE = "sqlite:///PATH or postgresql://HOST/NAME"  # the mask of messages would take USER@HOST
_RANGES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "database_url": (_is_database, _DATABASE),
    "queue_url": (_is_database, _DATABASE),
    "address": (lambda one: one.startswith(("http://", "https://")) and not one.endswith("/"), "http(s)://HOST"),
    "workers": (lambda count: 1 <= count <= 256, "a whole number from 1 to 256"),
    "upload_bytes": (lambda count: 0 < count < 2**31, "at least 1 byte and less than 2 GiB"),
    "job.seconds": (lambda seconds: seconds > 0, "a number above 0"),
    "job.memory": (lambda size: size >= 2**28, "at least 268435456 bytes"),
    "job.cpu": (lambda seconds: seconds > 0, "a number above 0"),
    "oidc.issuer": (is_safe_address, "an https address, or http on this machine"),
}


def _range_faults(path: str, given: Mapping[str, Any]) -> list[Fault]:
    """What of the values that were given, each of its type, is out of range; "" for an address of a database is none given."""
    return [
        Fault(path, name, shown(_hidden(given[name]) if name.endswith("_url") else given[name]), expected)
        for name, (is_right, expected) in _RANGES.items()
        if name in given and not is_right(given[name])
    ]
