"""Values from JSON, checked one by one."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from parakh.formats._text import MOST_SECONDS, Reader, number, shown, wanted


def parse(reader: Reader, line: int | None, text: str) -> object:
    """The value of a JSON text; None after noting the fault.

    A whole file (``line`` None) that is not JSON ends the reading, at the line where it goes wrong.
    """
    at = line
    try:
        value: object = json.loads(text)
    except json.JSONDecodeError as error:
        at = line or error.lineno
        found = f"{error.msg} at column {error.colno}"
    except RecursionError:
        found = "values nested too deeply"
    except ValueError:
        found = f"a number of more than {sys.get_int_max_str_digits()} digits"
    else:
        return value
    if line is None:
        reader.fail(at, "", found, "JSON", "Mend the file.")
    reader.fault(at, "", found, "JSON")
    return None


def name_of(reader: Reader, entry: int, values: Mapping[str, object], key: str) -> str | None:
    """A name; whole numbers are taken as their digits, None and "" as None."""
    value = values.get(key)
    if value is None or value == "":
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        reader.fault(entry, key, shown(value), "text")
        return None
    reader.names(entry, {key: value})
    return valid(reader, entry, key, value)


def text_of(reader: Reader, entry: int, values: Mapping[str, object], key: str) -> str:
    """A text, unchanged; "" if the key is absent."""
    value = values.get(key, "")
    if not isinstance(value, str):
        reader.fault(entry, key, shown(value), "text")
        return ""
    return valid(reader, entry, key, value)


def seconds_of(reader: Reader, entry: int, values: Mapping[str, object], key: str) -> float | None:
    """A time in seconds from a number or numeric text; None if the key is absent, or after noting the fault."""
    value = values.get(key)
    if value is None:
        return None
    seconds = number(str(value)) if isinstance(value, int | float | str) and not isinstance(value, bool) else None
    if seconds is None or not 0 <= seconds <= MOST_SECONDS:
        reader.fault(entry, key, shown(value), wanted(seconds))
        return None
    return seconds


def valid(reader: Reader, entry: int, key: str, value: str) -> str:
    """A text as it is; notes a fault where it is no valid Unicode."""
    try:
        value.encode()
    except UnicodeEncodeError:
        reader.fault(entry, key, ascii(value[:60]), "text without halves of surrogate pairs")
    return value
