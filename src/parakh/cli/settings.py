"""``--set NAME=VALUE`` for metrics: a value of the type that the option's default has."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from parakh import metrics as metric_registry
from parakh.errors import Fault, InputError
from parakh.tracks import Track

_SWITCH = {"yes": True, "true": True, "no": False, "false": False}


def metric_settings(track: Track, metrics: Sequence[str] | None, settings: Sequence[str]) -> dict[str, object]:
    """The options that ``--set`` gives.

    Args:
        track: The track, for its metrics where none are named.
        metrics: The metrics asked for.
        settings: ``NAME=VALUE`` texts.

    Raises:
        InputError: No ``=``, a name that no metric has, or a value of another type.

    >>> from parakh import tracks
    >>> metric_settings(tracks.get("asr"), ["tcpwer"], ["collar=3"])
    {'collar': 3.0}
    """
    chosen = [metric_registry.get(name) for name in metrics or track.metrics] if settings else []
    defaults = {
        name: parameter.default
        for metric in chosen
        for name, parameter in inspect.signature(metric.stats).parameters.items()
        if name in metric.options
    }
    return dict(_setting(text, defaults) for text in settings)


def _setting(text: str, defaults: dict[str, object]) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals or name not in defaults:
        expected = f"NAME=VALUE with an option of the metrics: {', '.join(sorted(defaults)) or 'they have none'}"
        raise InputError(Fault("--set", "", repr(text), expected))
    return name, _converted(name, value, defaults[name])


def _converted(name: str, value: str, default: object) -> object:
    if isinstance(default, bool):
        if value.lower() in _SWITCH:
            return _SWITCH[value.lower()]
        raise InputError(Fault("--set", name, repr(value), "yes or no"))
    if isinstance(default, int | float):
        try:
            return type(default)(value)
        except ValueError:
            raise InputError(Fault("--set", name, repr(value), "a number")) from None
    return value
