"""What the detail of a recording looks like, so that whatever shows it may rely on that.

Details hold a record a word: records of the same keys and types as one before are told by those alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from parakh.types import Op

Wrong = tuple[str, Any, str]
"""(where in the value, what stands there, what should)."""
Kinds = frozenset[type]
Shape = Kinds | Callable[[Any], Wrong | None]
"""The types that a plain value may have, or what finds the fault of a nested one."""

_TEXT, _WHOLE, _NUMBER, _TRUTH = frozenset({str}), frozenset({int}), frozenset({int, float}), frozenset({bool})
_NONE = frozenset({type(None)})
_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}


def wrong_detail(track: str, detail: Mapping[str, Any]) -> Wrong | None:
    """What of a recording's detail is not as scoring stores it.

    Args:
        track: The track whose detail it is.
        detail: What a results file holds under ``detail``.

    Returns:
        Where, what stands there, and what should; None where all is well, for details that are empty, and for tracks
        that are not known here.

    >>> wrong_detail("topics", {"reference": ["fever"], "hypothesis": [3]})
    ('.hypothesis[0]', 3, 'text')
    """
    shape = SHAPES.get(track)
    return _fault(detail, shape) if shape is not None and detail else None


def _fault(value: Any, shape: Shape) -> Wrong | None:
    if not isinstance(shape, frozenset):
        return shape(value)
    return None if type(value) in shape else ("", value, _named(shape))


def _named(kinds: Kinds) -> str:
    return " or ".join(name for kind, name in _NAMES.items() if kind in kinds and (kind is not int or float not in kinds))


def _many(shape: Shape) -> Shape:
    """A list of any length."""

    def fault(value: Any) -> Wrong | None:
        if type(value) is not list:
            return "", value, "a list"
        for place, one in enumerate(value):
            if found := _fault(one, shape):
                return f"[{place}]{found[0]}", *found[1:]
        return None

    return fault


def _row(*shapes: Shape) -> Shape:
    """A list that holds just these."""

    def fault(value: Any) -> Wrong | None:
        if type(value) is not list or len(value) != len(shapes):
            return "", value, f"a list of {len(shapes)}"
        for place, (one, shape) in enumerate(zip(value, shapes, strict=True)):
            if found := _fault(one, shape):
                return f"[{place}]{found[0]}", *found[1:]
        return None

    return fault


def _table(shape: Shape) -> Shape:
    """An object with any keys."""

    def fault(value: Any) -> Wrong | None:
        if type(value) is not dict:
            return "", value, "an object"
        found = ((key, wrong) for key, one in value.items() if (wrong := _fault(one, shape)))
        return next(((f".{key}{wrong[0]}", *wrong[1:]) for key, wrong in found), None)

    return fault


def _record(needed: Mapping[str, Shape], also: Mapping[str, Shape]) -> Shape:
    """An object with keys that have to be there, keys that may be, and others that nobody reads."""
    shapes = {**needed, **also}
    nested = {key: shape for key, shape in shapes.items() if not isinstance(shape, frozenset)}
    right: set[tuple[object, ...]] = set()

    def fault(value: Any) -> Wrong | None:
        if type(value) is not dict:
            return "", value, "an object"
        look = (*value, *map(type, value.values()))
        for key, shape in (nested if look in right else shapes).items():
            if key not in value:
                if key in needed:
                    return f".{key}", "nothing", "a value"
            elif found := _fault(value[key], shape):
                return f".{key}{found[0]}", *found[1:]
        right.add(look)
        return None

    return fault


def _or_null(shape: Shape) -> Shape:
    return lambda value: None if value is None else _fault(value, shape)


def _operation(value: Any) -> Wrong | None:
    return None if type(value) is str and value in _OPERATIONS else ("", value, f"one of {', '.join(_OPERATIONS)}")


_OPERATIONS = {str(op): op for op in Op}
_MAYBE_TEXT, _MAYBE_WHOLE, _MAYBE_NUMBER = _TEXT | _NONE, _WHOLE | _NONE, _NUMBER | _NONE
_SPAN, _MAYBE_SPAN = _row(_NUMBER, _NUMBER), _or_null(_row(_NUMBER, _NUMBER))
_LANGUAGE: Mapping[str, Shape] = {"language": _MAYBE_TEXT}
_MAPPING = _table(_MAYBE_TEXT)
_TURN = _row(_MAYBE_TEXT, _NUMBER, _NUMBER)
_UTTERANCE = _record(
    {"speaker": _MAYBE_TEXT},
    {"role": _MAYBE_TEXT, "start": _MAYBE_NUMBER, "end": _MAYBE_NUMBER, "words": _MAYBE_TEXT, "language": _MAYBE_TEXT},
)
_STEP = _record(
    {"op": _operation, "reference": _MAYBE_TEXT, "hypothesis": _MAYBE_TEXT},
    {
        "kind": _MAYBE_TEXT,
        **{f"{side}_segment": _MAYBE_WHOLE for side in ("reference", "hypothesis")},
        **{f"{side}_speaker": _MAYBE_TEXT for side in ("reference", "hypothesis")},
        **{f"{side}_time": _MAYBE_SPAN for side in ("reference", "hypothesis")},
    },
)
_SAID = _many(_row(_WHOLE, _WHOLE, _WHOLE))
_SUPPORT = _record(
    {
        "turns": _many(_UTTERANCE),
        "marks": _many(
            _record(
                {"kind": _TEXT, "verdict": _TEXT, "text": _TEXT, "places": _many(_row(_WHOLE, _WHOLE)), "said": _SAID},
                {"status": _MAYBE_TEXT},
            )
        ),
        "missing": _many(_record({"kind": _TEXT, "text": _TEXT, "said": _SAID}, {"in_reference": _TRUTH, "is_refused": _TRUTH})),
    },
    {"source": _MAYBE_TEXT, "topics": _table(_many(_WHOLE))},
)
SHAPES: Mapping[str, Shape] = {
    "diarization": _record(
        {},
        {
            "reference": _many(_TURN),
            "hypothesis": _many(_TURN),
            **_LANGUAGE,
            "regions": _many(_SPAN),
            "mapping": _MAPPING,
            "shared": _many(_row(_TEXT, _TEXT, _NUMBER)),
            "errors": _many(_row(_NUMBER, _NUMBER, _TEXT)),
        },
    ),
    "asr": _record(
        {},
        {
            **_LANGUAGE,
            "reference": _many(_UTTERANCE),
            "hypothesis": _many(_UTTERANCE),
            "mapping": _MAPPING,
            "alignment": _many(_STEP),
            "forms": _table(_TEXT),
        },
    ),
    "topics": _record({}, {**_LANGUAGE, "reference": _many(_TEXT), "hypothesis": _or_null(_many(_TEXT))}),
    "summarization": _record(
        {}, {**_LANGUAGE, "reference": _MAYBE_TEXT, "hypothesis": _MAYBE_TEXT, "support": _or_null(_SUPPORT)}
    ),
}
"""Of each track's detail."""
