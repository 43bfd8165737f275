"""One TOML file a language: its script and digits, the spellings it holds equal, its sandhi, and a few words with a part to play.

A file declares; what reads it is the same for all. A language is added by adding its file. The rules of Sanskrit, which many
languages of India use in words they took from it, stand in one file and are read in the script of each language that names them
under ``[borrowed]``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeGuard

from parakh.errors import Fault, InputError
from parakh.files import read_text
from parakh.text import tiers
from parakh.text.sandhi import SandhiRule, parse_junction, transposed
from parakh.text.scripts import PARALLEL

FOLDER = Path(__file__).parent
_LISTS = ("codes", "scripts", "folds", "opt_in", "fillers", "particles", "negations", "time_words", "sources")
_RULE_LISTS = ("first", "second", "not_first", "not_second")
_KEYS = {"name", "native_name", "digits", "body_sides", "sandhi", "borrowed", *_LISTS}


@dataclass(frozen=True)
class Language:
    """What is peculiar to the writing and the words of a language.

    Args:
        tag: BCP-47 primary tag; "und" for a language without a file.
        name: In English.
        native_name: In itself.
        codes: Its ISO 639-3 codes, where they differ from the tag.
        scripts: ISO 15924 names of its scripts, the most used first.
        digits: Its ten digits from 0 to 9; empty where only ASCII digits are used.
        folds: Names of the tiers that hold unless switched off, those of every language first.
        opt_in: Names of tiers that make sense but are off unless asked for.
        fillers: Hesitations.
        particles: Words of assent and attention, and discourse particles.
        negations: Words that deny or forbid; ``*`` at the end stands for any ending.
        body_sides: (words for left, words for right).
        time_words: What follows a time of the clock.
        rules: Its sandhi.
        sources: Grammars and dictionaries that the file rests on.
    """

    tag: str
    name: str
    native_name: str
    codes: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    digits: tuple[str, ...] = ()
    folds: tuple[str, ...] = tiers.DEFAULT
    opt_in: tuple[str, ...] = ()
    fillers: tuple[str, ...] = ()
    particles: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    body_sides: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    time_words: tuple[str, ...] = ()
    rules: tuple[SandhiRule, ...] = ()
    sources: tuple[str, ...] = ()


NEUTRAL = Language("und", "Undetermined", "")
"""What holds for a language that is not known."""


def names() -> list[str]:
    """Tags of the languages that have a file, sorted.

    >>> "hi" in names(), "und" in names()
    (True, False)
    """
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@lru_cache(maxsize=1024)
def get(tag: str | None) -> Language:
    """A language by its tag.

    Args:
        tag: BCP-47 ("hi", "hi-IN") or ISO 639-3 ("hin"), in either case; None if unknown.

    Returns:
        The language; a neutral one where there is no file for it.

    >>> get("hi-IN").name, get("TAM").name, get("xx").tag
    ('Hindi', 'Tamil', 'und')
    """
    primary = (tag or "").strip().lower().replace("_", "-").partition("-")[0]
    if primary in names():
        return _bundled(primary)
    coded = (_bundled(name) for name in names() if len(primary) == 3)
    return next((language for language in coded if primary in language.codes), NEUTRAL)


def named(name: str) -> str | None:
    """The tag of a language by its English name, in any case; None if no file has that name.

    >>> named("Hindi"), named("kannada"), named("data")
    ('hi', 'kn', None)
    """
    return _by_english_name().get(name.strip().casefold())


@cache
def _by_english_name() -> dict[str, str]:
    return {_bundled(tag).name.casefold(): tag for tag in names()}


@cache
def _bundled(tag: str) -> Language:
    return load(FOLDER / f"{tag}.toml")


def load(path: Path) -> Language:
    """Read one language's file; its tag is the file's name.

    Raises:
        InputError: It is no TOML, or a field of it is missing, unknown or wrong; one line a fault.
    """
    document = _document(path)
    faults = list(_faults(document, str(path)))
    if faults:
        raise InputError(faults)
    lists = {key: tuple(document.get(key, ())) for key in _LISTS}
    sides = document.get("body_sides", {})
    language = Language(
        tag=path.stem,
        name=document["name"],
        native_name=document["native_name"],
        digits=tuple(document.get("digits", "")),
        body_sides=(tuple(sides.get("left", ())), tuple(sides.get("right", ()))),
        **(lists | {"folds": (*tiers.DEFAULT, *lists["folds"])}),
    )
    own = _rules(document.get("sandhi", []), language, str(path))
    return replace(language, rules=(*own, *_borrowed(document.get("borrowed"), language, path)))


def _document(path: Path) -> dict[str, Any]:
    import tomllib  # loads slowly

    try:
        return tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(Fault(str(path), "", f"no TOML ({error})", "a language in TOML")) from error


def _faults(document: dict[str, Any], path: str) -> list[Fault]:
    faults = [Fault(path, key, "an unknown key", f"one of {', '.join(sorted(_KEYS))}") for key in document if key not in _KEYS]
    for key in ("name", "native_name"):
        if not isinstance(document.get(key), str):
            faults.append(Fault(path, key, repr(document.get(key)), "text"))
    faults += [Fault(path, key, repr(document[key]), "a list of texts") for key in _LISTS if not _is_texts(document.get(key, []))]
    if not isinstance(document.get("digits", ""), str) or len(document.get("digits", "")) not in (0, 10):
        faults.append(Fault(path, "digits", repr(document["digits"]), "the ten digits from 0 to 9 as one text"))
    sides = document.get("body_sides", {})
    if not isinstance(sides, dict) or set(sides) - {"left", "right"} or not all(map(_is_texts, sides.values())):
        faults.append(Fault(path, "body_sides", repr(sides), "lists of texts left and right"))
    named = [(key, name) for key in ("folds", "opt_in") if _is_texts(document.get(key, [])) for name in document.get(key, [])]
    known = ", ".join(sorted(tiers.TIERS))
    faults += [Fault(path, key, repr(name), f"one of {known}") for key, name in named if name not in tiers.TIERS]
    if ("sandhi" in document or "borrowed" in document) and not _has_sandhi(document.get("scripts")):
        faults.append(Fault(path, "scripts", repr(document.get("scripts")), f"first one with sandhi: {', '.join(PARALLEL)}"))
    return faults


def _has_sandhi(scripts: object) -> bool:
    return isinstance(scripts, list) and _is_texts(scripts) and scripts[:1] != [] and scripts[0] in PARALLEL


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _rules(tables: object, language: Language, path: str) -> tuple[SandhiRule, ...]:
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InputError(Fault(path, "sandhi", repr(tables), "tables [[sandhi]]"))
    return tuple(_rule(table, language, path) for table in tables)


def _rule(table: dict[str, Any], language: Language, path: str) -> SandhiRule:
    name = table.get("name")
    place = f"sandhi.{name}" if isinstance(name, str) else "sandhi"
    known = {"name", "joins", "source", "syllables", *_RULE_LISTS}
    faults = [Fault(path, f"{place}.{key}", "an unknown key", f"one of {', '.join(sorted(known))}") for key in set(table) - known]
    for key in ("name", "source"):
        if not isinstance(table.get(key), str):
            faults.append(Fault(path, f"{place}.{key}", repr(table.get(key)), "text"))
    for key in ("joins", *_RULE_LISTS):
        if not _is_texts(table.get(key, None if key == "joins" else [])):
            faults.append(Fault(path, f"{place}.{key}", repr(table.get(key)), "a list of texts"))
    if type(table.get("syllables", 2)) is not int:
        faults.append(Fault(path, f"{place}.syllables", repr(table["syllables"]), "a whole number"))
    if faults:
        raise InputError(faults)
    try:
        junctions = tuple(parse_junction(text, language.scripts[0]) for text in table["joins"])
    except ValueError as error:
        raise InputError(Fault(path, f"{place}.joins", str(error), "junctions 'LEFT + RIGHT -> JOINED'")) from error
    words = {key: tuple(table.get(key, ())) for key in _RULE_LISTS}
    return SandhiRule(
        str(name), junctions, table["source"], syllables=table.get("syllables", 2), negations=language.negations, **words
    )


def _borrowed(table: object, language: Language, path: Path) -> tuple[SandhiRule, ...]:
    """Rules of Sanskrit that hold in the words a language took from it, in its own script."""
    if table is None:
        return ()
    if not _is_borrowing(table):
        expected = "lists of texts rules, not_first, not_second, and tables letters, joined_letters"
        raise InputError(Fault(str(path), "borrowed", repr(table), expected))
    source = FOLDER / "sa.toml"
    tables = {rule["name"]: rule for rule in _document(source)["sandhi"]}
    unknown = [name for name in table.get("rules", []) if name not in tables]
    if unknown:
        raise InputError(Fault(str(path), "borrowed.rules", ", ".join(unknown), f"rules of {source.name}: {', '.join(tables)}"))
    words = {key: table.get(key, []) for key in ("not_first", "not_second")}
    own = [_in_script(tables[name], language.scripts[0], table) | words for name in table.get("rules", [])]
    return _rules(own, language, str(path))


def _is_borrowing(table: object) -> TypeGuard[dict[str, Any]]:
    lists, letters = {"rules", "not_first", "not_second"}, {"letters", "joined_letters"}
    return (
        isinstance(table, dict)
        and set(table) <= lists | letters
        and all(_is_texts(table[key]) for key in lists & set(table))
        and all(isinstance(table[key], dict) and _is_texts(list(table[key].values())) for key in letters & set(table))
    )


def _in_script(rule: dict[str, Any], script: str, table: dict[str, Any]) -> dict[str, Any]:
    """A rule of Sanskrit in another script; outside Sanskrit only the words it names may change the vowel of one syllable."""
    letters = table.get("letters", {})
    after = letters | table.get("joined_letters", {})
    joins = [junction.split("->") for junction in rule["joins"]]
    own = {"joins": ["->".join((transposed(a, script, letters), transposed(b, script, after))) for a, b in joins]}
    own |= {key: [transposed(word, script, letters) for word in rule[key]] for key in ("first", "second") if key in rule}
    kept = ("name", "source", "syllables") if "first" in rule else ("name", "source")
    return own | {key: rule[key] for key in kept if key in rule}
