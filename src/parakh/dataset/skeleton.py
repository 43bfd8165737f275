"""A new data set: folders, a README that says what goes where, settings, and an empty manifest, from a template.

A template is a folder of ``templates/``: ``template.toml`` (its title, and the folders to make) and the files themselves. What a
template does not have, it takes from ``plain``. ``$name``, ``$licence`` (``$quoted_name`` ... in TOML) stand for what was asked
for; a leading underscore becomes a dot.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from parakh.errors import Fault, InputError, UnknownNameError, counted
from parakh.files import write_atomic

PLAIN = "plain"
_ABOUT = "template.toml"
_FILLED = (".md", ".toml")
_TEMPLATES = Path(str(files("parakh.dataset"))) / "templates"


@dataclass(frozen=True)
class Made:
    """What was made.

    Args:
        made: Paths in the folder, folders with a slash at the end.
        kept: Files that were there and stayed as they were.
    """

    made: tuple[str, ...]
    kept: tuple[str, ...]


def templates() -> dict[str, str]:
    """Title of each template by name, sorted.

    >>> list(templates())
    ['diarbench', 'displace-m', 'plain']
    """
    return {path.parent.name: _about(path.parent.name)["title"] for path in sorted(_TEMPLATES.glob(f"*/{_ABOUT}"))}


def _about(template: str) -> dict[str, Any]:
    return tomllib.loads((_TEMPLATES / template / _ABOUT).read_text(encoding="utf-8"))


def make(folder: str | Path, template: str, name: str = "", licence: str = "", *, force: bool = False) -> Made:
    """Make the skeleton of a data set; no file that is there is ever changed.

    Args:
        folder: Where to; it is made if need be.
        template: Name of the template.
        name: What the data set is called; "" takes the folder's name.
        licence: SPDX identifier; "" for none yet.
        force: Add what is missing to a folder that is not empty.

    Raises:
        UnknownNameError: There is no such template.
        InputError: The folder is none, or not empty without ``force``; or a text that cannot be printed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     make(folder, "plain", name="Talks").made[:3]
    ('audio/', 'rttm/', 'transcripts/')
    """
    if template not in templates():
        raise UnknownNameError("template", template, list(templates()))
    root = Path(folder)
    _check(root, name, licence, force)
    content = _content(template, name or root.resolve().name, licence)
    folders = _about(template)["folders"]
    kept = tuple(one for one in content if (root / one).exists())
    made = [f"{one}/" for one in folders if not (root / one).exists()]
    try:
        for one in folders:
            (root / one).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(Fault(str(folder), "", str(error.strerror), "a folder that can be written to")) from error
    for one, text in content.items():
        if one not in kept:
            write_atomic(root / one, text)
    return Made((*made, *(one for one in content if one not in kept)), kept)


def _check(root: Path, name: str, licence: str, force: bool) -> None:
    faults = [
        Fault(option, "", repr(value), "printable text")
        for option, value in (("--name", name), ("--licence", licence))
        if not value.isprintable()
    ]
    if root.exists() and not root.is_dir():
        faults.append(Fault(str(root), "", "a file", "a folder", "Choose another name."))
    elif root.is_dir() and not force and (there := sorted(one.name for one in root.iterdir())):
        found = f"{counted(len(there), 'entry', 'entries')} in it ({', '.join(there[:3])}{' ...' * (len(there) > 3)})"
        faults.append(Fault(str(root), "", found, "an empty folder", "Give --force to add what is missing and change nothing."))
    if faults:
        raise InputError(faults)


def _content(template: str, name: str, licence: str) -> dict[str, str]:
    """The files of a template by their path in the data set."""
    given = {"name": name, "licence": licence or "not stated yet (`licence` in parakh.toml)"}
    given |= {f"quoted_{key}": json.dumps(value, ensure_ascii=False) for key, value in (("name", name), ("licence", licence))}
    given["quoted_template"] = json.dumps(template)
    content: dict[str, str] = {}
    for source in dict.fromkeys((PLAIN, template)):
        for path in sorted(one for one in (_TEMPLATES / source).iterdir() if one.is_file() and one.name != _ABOUT):
            text = path.read_text(encoding="utf-8")
            target = f".{path.name[1:]}" if path.name.startswith("_") else path.name
            content[target] = Template(text).substitute(given) if path.suffix in _FILLED else text
    return content
