"""Files by their content: what was uploaded, what scoring made. A file is whole or not there, and is never changed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from parakh.files import checksum


class Store:
    """A folder of files named by their SHA-256.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(folder)
    ...     key = store.put([b"some ", b"text"])
    ...     store.path(key).read_bytes(), store.put([b"some text"]) == key
    (b'some text', True)
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def path(self, key: str) -> Path:
        """Where the file of a key lies, whether it is there or not."""
        return self.folder / key[:2] / key

    def put(self, pieces: Iterable[bytes]) -> str:
        """Keep a content that comes in pieces, and return its key: 64 hexadecimal digits.

        Raises:
            OSError: There is no room, or the pieces end in an error; nothing is left of it.
        """
        incoming = self.folder / "incoming" / os.urandom(12).hex()
        incoming.parent.mkdir(parents=True, exist_ok=True)
        digest = sha256()
        try:
            with incoming.open("xb") as file:
                for piece in pieces:
                    digest.update(piece)
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            key = digest.hexdigest()
            self.path(key).parent.mkdir(exist_ok=True)
            incoming.replace(self.path(key))
            return key
        finally:
            incoming.unlink(missing_ok=True)

    def adopt(self, path: str | Path) -> str:
        """Keep a copy of a file, and return its key.

        Raises:
            OSError: It cannot be read, or there is no room; nothing is left of it.
        """
        with Path(path).open("rb") as file:
            return self.put(iter(lambda: file.read(1 << 20), b""))

    def is_whole(self, key: str) -> bool:
        """Whether the file of a key is there with the content it had."""
        return self.path(key).is_file() and checksum(self.path(key)) == key
