"""The configuration of a fine-tuning: a TOML file with a recipe, its options, weights, data and where to write."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parakh import registry
from parakh.cascade.options import did_you_mean, shown, type_faults, value_of
from parakh.dataset import manifest
from parakh.errors import Fault, InputError
from parakh.files import read_text
from parakh.finetuning.material import data_sha256, take
from parakh.finetuning.recipe import Run

KEYS = {
    "recipe": 'text, as "whisper"',
    "weights": "a folder, org/name or a model of the store",
    "data": "the folder of a data set",
    "train": "the name of a split, or a list of names",
    "dev": "the name of a split, or a list of names",
    "out": "the folder to write to",
}
"""The keys that every configuration has, and what each is."""


def load_run(track: str, path: str, settings: Sequence[str] = ()) -> Run:
    """Read a configuration and the data that it names.

    Args:
        track: "asr" or "diarization".
        path: The TOML file.
        settings: Changes to single keys, each ``option=value`` with the value as TOML writes it.

    Raises:
        UnknownNameError: There is no such recipe.
        InputError: The file, a key, the data set or a split is wrong; one line a fault, all of the file's at once.
    """
    document, places = _document(path, settings)
    _check_keys(document, places, path)
    module = registry.load("recipe", document["recipe"])
    options = {key: value for key, value in document.items() if key not in KEYS}
    faults = _track_faults(track, module.TRACK, document["recipe"], path) + _option_faults(module.Recipe, options, places, path)
    if faults:
        raise InputError(faults)
    try:
        recipe = module.Recipe(**options)
    except InputError as error:
        raise InputError(dataclasses.replace(one, path=places.get(one.field, path)) for one in error.faults) from error
    return _with_data(track, path, document, recipe)


def _document(path: str, settings: Sequence[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The keys and values, and where each was given."""
    if not Path(path).is_file():
        raise InputError(Fault(path, "", "no such file", "a configuration in TOML"))
    try:
        document = tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(Fault(path, "", f"no TOML ({error})", "a configuration in TOML")) from error
    places = dict.fromkeys(document, path)
    for setting in settings:
        key, value = _setting(setting)
        document[key] = value
        places[key] = "--set"
    return document, places


def _setting(text: str) -> tuple[str, object]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise InputError(Fault("--set", "", shown(text), "OPTION=VALUE, as epochs=5"))
    return key.strip(), value_of(value)


def _check_keys(document: Mapping[str, Any], places: Mapping[str, str], path: str) -> None:
    faults = [Fault(path, key, "nothing", expected, "Add it.") for key, expected in KEYS.items() if key not in document]
    for key, expected in KEYS.items():
        value = document.get(key, "x")
        several = key in ("train", "dev") and isinstance(value, list) and value and all(isinstance(one, str) for one in value)
        if not (isinstance(value, str) and value.strip()) and not several:
            faults.append(Fault(places[key], key, shown(value), expected))
    if faults:
        raise InputError(faults)


def _track_faults(asked: str, track: str, recipe: str, path: str) -> list[Fault]:
    if asked == track:
        return []
    return [Fault(path, "recipe", f"{recipe!r}, which is for {track}", f"a recipe for {asked}", f"Run: parakh finetune {track}")]


def _option_faults(recipe: Any, options: Mapping[str, Any], places: Mapping[str, str], path: str) -> list[Fault]:
    fields = {field.name: field for field in dataclasses.fields(recipe)}
    known = [*KEYS, *fields]
    faults = []
    for key in options:
        if key not in fields:
            faults.append(Fault(places[key], key, "an unknown key", f"one of {', '.join(known)}", did_you_mean(key, known)))
    for name, field in fields.items():
        missing = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if missing and name not in options:
            faults.append(Fault(path, name, "nothing", "a value", "This recipe needs it."))
    typed = type_faults(recipe, places, "", options)
    return faults + [dataclasses.replace(one, field=one.field.removeprefix(".")) for one in typed]


def _with_data(track: str, path: str, document: Mapping[str, Any], recipe: Any) -> Run:
    dataset = manifest.load(document["data"])
    names = {key: _names(document[key]) for key in ("train", "dev")}
    if shared := sorted({*names["train"]} & {*names["dev"]}):
        expected = "another split than those to train on"
        raise InputError(Fault(path, "dev", repr(shared[0]), expected, "A score on what was learnt says nothing."))
    train, dev = (take(dataset, names[key], track, path, key) for key in ("train", "dev"))
    return Run(
        path=path,
        name=document["recipe"],
        recipe=recipe,
        weights=document["weights"],
        data=Path(document["data"]),
        out=Path(document["out"]),
        train=train,
        dev=dev,
        settings={**{key: document[key] for key in KEYS}, **dataclasses.asdict(recipe)},
        data_sha256=data_sha256(dataset, (train, dev)),
        data_licence=dataset.config.licence,
    )


def _names(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(dict.fromkeys(value))
