"""Values from JSON, checked one by one."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping

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
        found = "JSON that is cut off" if _is_cut(error) else f"{error.msg} at column {error.colno}"
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


def objects(reader: Reader, action: str = "") -> Iterator[tuple[int, dict[str, object]]]:
    """The objects of JSON lines with their lines; any other line is a fault.

    Args:
        reader: The file.
        action: What to do about a line that is JSON and no object.
    """
    for line, text in reader.records():
        value = parse(reader, line, text)
        if isinstance(value, dict):
            yield line, value
        elif value is not None or text.strip() == "null":
            reader.fault(line, "", shown(value), "a JSON object", action)


def _is_cut(error: json.JSONDecodeError) -> bool:
    """Whether the text ends before its JSON does."""
    return bool(error.doc.strip()) and (error.msg.startswith("Unterminated string") or not error.doc[error.pos :].strip())


def objects_of(reader: Reader, entry: int | None, values: Mapping[str, object], key: str) -> list[dict[str, object]]:
    """A list of objects; [] if the key is absent or null."""
    value = values.get(key)
    if value is None:
        return []
    if isinstance(value, list) and all(isinstance(one, dict) for one in value):
        return value
    reader.fault(entry, key, shown(value), "a list of JSON objects")
    return []


def time_of(
    reader: Reader, entry: int, values: Mapping[str, object], key: str, per_second: int = 1, field: str = ""
) -> float | None:
    """A time in seconds, given as a number or numeric text of some unit; None if the key is absent or null.

    Args:
        reader: Gets the fault.
        entry: Number of the entry.
        values: The object.
        key: Its key.
        per_second: How many of the unit make a second.
        field: What messages call it; "" for the key.
    """
    value = values.get(key)
    if value is None:
        return None
    if isinstance(value, float):
        units = value if math.isfinite(value) else None
    else:
        units = number(str(value)) if isinstance(value, int | str) and not isinstance(value, bool) else None
    if units is None or not 0 <= units <= MOST_SECONDS * per_second:
        reader.fault(entry, field or key, shown(value), wanted(None if units is None else units / per_second))
        return None
    return units / per_second


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


def valid(reader: Reader, entry: int, key: str, value: str) -> str:
    """A text as it is; notes a fault where it is no valid Unicode."""
    try:
        value.encode()
    except UnicodeEncodeError:
        reader.fault(entry, key, ascii(value[:60]), "text without halves of surrogate pairs")
    return value
