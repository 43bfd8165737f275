r"""Whether words of two scripts are the same word by their sounds: doctor, डॉक्टर, ಡಾಕ್ಟರ್.

A key of a word has its first vowel, its consonants and whether it ends in a vowel; a word has several keys where its spelling
leaves open how it sounds ("c" is k or s), and two words sound alike if they share one. Keys take for the same:

- every vowel but the first and a last one, written or not; a last e and i, a last o and u; a first i or u, long and short; in
  Latin letters each first vowel that English or romanised spelling may mean ("a": a, ā or e);
- with and without aspiration; dental, retroflex and English t, d; all n; all l; all sibilants; z and j; w and v;
- single and double letters; y that is not first, or none; v after a, or none; a nasal sign at the end, or none; in Kannada and
  Telugu a last short u, or none;
- in Tamil voiced and unvoiced stops, in Bengali and Odia bh and v.

So पेन meets ``pen`` and ``pain``, शिप ``ship`` and ``sip``. It is a view for words that were already aligned, and says nothing of
words of one script. Of 821 names of medicines in Hindi and Kannada 802 meet their English name (most others have none), and in
430,000 pairs none meets another medicine's; of 739 everyday loanwords 727, and 8 in 100,000 pairs of different ones meet (diet,
डेट; motion, मशीन). Words of one syllable are met by chance more often (who, हो; sure, ಸರಿ).

Up to four Latin letters, and up to six capitals, are also read by their names (BP, बीपी). Urdu, Ol Chiki and Meetei Mayek have no
keys.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from parakh.text.folds import canonical
from parakh.text.scripts import PARALLEL
from parakh.text.transliteration import INHERENT, VOWELS, letters, script_in

_MOST_KEYS = 512
_AFTER_VOWEL = "."
_SPLIT_OFF = re.compile("[\u0300-\u036f'’]")
"""Accents and apostrophes, which divide no word."""

Item = tuple[tuple[str, ...], str]
"""One sound: (readings of a consonant, ""), or (classes of a vowel, its classes as the last letter with commas between)."""

_LAST = {"a": "A", "A": "A", "E": "I", "I": "I", "O": "U", "U": "U", "Y": "I", "W": "U"}
"""Class of a first vowel -> its class as the last; a is the short one of cup, Y the diphthong of time, W that of out."""
_SPOKEN = "E bI sI dI I Ef jI Ec Y jE kE El Em En O pI kU Ar Es tI U vI dblU Eks vY jEd"
_NAMES = dict(zip("abcdefghijklmnopqrstuvwxyz", _SPOKEN.split(), strict=True))
"""Names of the Latin letters: consonants small, vowels by class."""

_RULES = """
^one$ van,On | ^yes$ yas,yEs | ^kn n | ^gn n | ^wr r | ^ps(?=[eiy]) s | ^pn n | ^wh(?=o) h,v | ^wh v | ^h(?=our|one|eir) h,
^x j,s | ^y(?=[ei]) y, | ^y(?=[aou]) y | tch c | cch c | sch sk,s,sc | sh s | ch c,k,s | ck k | ph f | (?<=[aeou])gh ,g,f | gh g
th t,d | dh d | bh b | kh k | jh j | rh r | zh l,j | dg(?=e) j | (?<=.)[tc]i(?=[oae]) s,t | (?<=.)ssi(?=o) s
(?<=.)si(?=on) s,j | xi(?=o) ks | sc(?=[eiy]) s | cc(?=[eiy]) ks | c(?=[eiy]) s | c k | qu(?=e$) k | qu kv,k | q k | x ks,gj
gu(?=[eia]) g,gv | g(?=[eiy]) j,g | mb$ m,mb | mn$ m | bt$ t,bt | (?<=a)l(?=[kfm]) l, | (?<=ou)l(?=d) ,l
st(?=len|le|en) s,st | t(?=u) t,c | d(?=u) d,j | (?<=[kpsxf]e)d$ d,t | (?<=[aeiouy])s(?=[aeiouymd]|$) s,j | s$ s,j
(?<=[aeiou])h(?![aeiouy]) h, | z j,s | w v
"""
_VOWEL_RULES = """
^u(?=[^aeiou][aeiou]) yU,U U | eigh E,Y I | igh Y I | eau O,U U | ee I I | ea(?=r) I,E,A A,I | ea I,E I,A | ei E,I,Y I | eye Y I
ey E,I,Y I | ie I,Y,E I | ai E,A,Y I | ay E,A,Y I | au(?=[ngt]) O,A,W U | au O,W U | aw(?![aeiou]) O,A U | oa O U | oo U,O,a U
ou W,O,U,a U | ow W,O,U U | oi O,A I | oy O,A I | ue U,I,E U | uy Y I | ui U,I I | eu U,I U
ew U,I U | ia I,Y A | io I,Y U | eo I,E,O U
ua U,A A | uo U,O U | oe O,I,U U | aa A A | ae E,I,A I | ao A,O U | uu U U | ii I I | (?<=[^aeiouy])e$ E,I I,
e(?=r(?:[^aeiouy]|$)) E,I,a I | e E,I I | (?<=w)a O,a,A A | a(?=l) a,A,E,O A | a a,A,E A
i(?=r) I,Y,a I | i(?=[^aeiouy][aeiouylrh]|[aeou]|nd|ld|gn|$) I,Y I | i I I | o(?=[^aeiouy]e$) O,a,U U | o O,a,A,U U
u U,a U | y(?=[aeiou]) - | y I,Y I
"""
"""Spellings in order: what they may stand for; of vowels by class, and by class as the last letter."""


def sounds(word: str) -> frozenset[str]:
    """The keys of a word: two words sound alike if they share one.

    Args:
        word: One word, in Latin letters or an Indian script; case and marks within it do not matter.

    Returns:
        Its keys, at most 512; none for a word of two scripts, or of a script without keys.

    >>> sounds("बीपी") & sounds("BP"), sorted(sounds("ಡಾಕ್ಟರ್")), sounds("sugar") & sounds("नमक")
    (frozenset({'bIp-I'}), ['dAktr'], frozenset())
    """
    return _sounds(canonical(word))


def sound_alike(one: str, other: str) -> bool:
    """Whether words of two different scripts share a key.

    >>> sound_alike("tablet", "टैबलेट"), sound_alike("ಟ್ಯಾಬ್ಲೆಟ್", "टैबलेट"), sound_alike("tablet", "tablets")
    (True, True, False)
    """
    return script_in(one) != script_in(other) and not sounds(one).isdisjoint(sounds(other))


@lru_cache(maxsize=1 << 15)
def _sounds(word: str) -> frozenset[str]:
    script = script_in(word)
    readings = _latin(word) if script == "Latn" else _indic(letters(word), script) if script in PARALLEL else ()
    return frozenset().union(*map(_keys, readings))


def _keys(items: list[Item]) -> set[str]:
    """Every way to choose one reading of each sound, without the vowels that do not count."""
    found = {""}
    first = True
    for readings, last in items:
        if not last:
            found = {_joined(text, reading) for text in found for reading in readings}
        elif first:
            found = {text + vowel for text in found for vowel in readings}
        else:
            found = {text + _AFTER_VOWEL for text in found}
        first = first and not last
        if len(found) > _MOST_KEYS:
            found = set(sorted(found)[:_MOST_KEYS])
    ends = items[-1][1].split(",") if items else [""]
    endings = [f"-{end}" if end else "" for end in ends]
    keys = sorted({text.replace(_AFTER_VOWEL, "") + ending for text in found for ending in endings} - {""})
    return set(keys[:_MOST_KEYS])


def _joined(text: str, reading: str) -> str:
    """A double consonant is one."""
    return text + (reading[1:] if reading and text.endswith(reading[0]) else reading)


def _latin(word: str) -> Iterator[list[Item]]:
    """The readings of a Latin word: as it is spelled, and by the names of its letters if it is short."""
    parts = re.findall("[a-z]+", _SPLIT_OFF.sub("", unicodedata.normalize("NFD", word).lower()))
    yield [item for part in parts for item in (_spelled(part) if len(part) > 1 or len(parts) == 1 else _named(part))]
    written = "".join(parts)
    spelled = len(written) <= 4 and not re.fullmatch("[a-z][aeiouy]", word)
    if spelled or (word.isupper() and len(written) <= 6):
        yield [item for letter in written for item in _named(letter)]


def _named(letter: str) -> list[Item]:
    return [((sign,), _LAST.get(sign, "")) for sign in _NAMES[letter]]


def _spelled(word: str) -> list[Item]:
    items: list[Item] = []
    at = 0
    while at < len(word):
        length, found = next((len(match[0]), items) for rule, items in _rules() if (match := rule.match(word, at)))
        items += found
        at += length
    return items


@cache
def _rules() -> list[tuple[re.Pattern[str], list[Item]]]:
    """The rules in order; last, every other letter stands for itself."""
    rules: list[tuple[re.Pattern[str], list[Item]]] = []
    for line in re.split(r" \| |\n", f"{_RULES.strip()}\n{_VOWEL_RULES.strip()}"):
        pattern, readings, *last = line.split(" ")
        rules.append((re.compile(pattern), [(tuple(readings.split(",")), "".join(last))] if readings != "-" else []))
    return rules + [(re.compile(letter), [((letter,), "")]) for letter in "bdfghjklmnprstv"]


_CLASSES = {
    "k": "k kh q k͟h",
    "g": "g gh ġ",
    "n": "ṅ ñ ṇ n ṉ",
    "c": "c ch",
    "j": "j jh z",
    "t": "ṭ ṭh t th",
    "d": "ḍ ḍh d dh",
    "r,d": "ṛ ṛh",
    "p": "p",
    "f": "ph f",
    "b": "b bh",
    "m": "m",
    "r": "r ṟ",
    "l": "l ḷ ḻ",
    "v": "v",
    "s": "ś ṣ s",
    "h": "h",
    "h,": "ḥ",
    "": "ḵ ẏ",
}
_CONSONANTS = {letter: tuple(readings.split(",")) for readings, row in _CLASSES.items() for letter in row.split()}
_OF_SCRIPT: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Taml": {"k": ("k", "g", "h"), "c": ("c", "s", "j"), "ṭ": ("t", "d"), "t": ("t", "d"), "p": ("p", "b", "f")},
    "Beng": {"bh": ("b", "v"), "y": ("j", "y")},
    "Orya": {"bh": ("b", "v"), "y": ("j", "y")},
}
_FIRST = {"a": "a", INHERENT: "a", "ā": "A", "i": "I", "ī": "I", "u": "U", "ū": "U", "ê": "E", "e": "E", "ē": "E", "ai": "E"}
_FIRST |= {"ô": "OA", "o": "O", "ō": "O", "au": "OW"}
_DIPHTHONGS = {"i": "Y", "ī": "Y", "u": "W", "ū": "W"}
_GLIDES = {"y": "Y", "v": "W"}
"""What a vowel a is with what follows it: always, or as well."""
_LOW = frozenset({"a", "ā", INHERENT})
_LABIAL = frozenset({"p", "b", "bh", "m"})
_FINAL_M = frozenset({"Telu", "Knda", "Mlym"})
_SOUTHERN = _FINAL_M | {"Taml"}


def _indic(found: tuple[str, ...], script: str | None) -> Iterator[list[Item]]:
    """The readings of ISO 15919 letters, with a nasal sign at the end and without; ``script`` is that of the word."""
    yield list(_spoken(found, script))
    if found and found[-1] in ("ṁ", "m̐", "ḥ") and script not in _FINAL_M:
        yield list(_spoken(found[:-1], script))


def _spoken(found: tuple[str, ...], script: str | None) -> Iterator[Item]:
    at = 0
    while at < len(found):
        letter, before, after = found[at], found[at - 1] if at else "", found[at + 1] if at + 1 < len(found) else ""
        pair = _PAIRS.get((script or "", letter, after)) or _PAIRS.get(("", letter, after))
        if pair:
            yield pair, ""
            at += 1
        elif letter in VOWELS:
            yield from _vowel(found, at, script)
        elif letter in ("ṁ", "m̐"):
            yield _nasal(letter, after, script), ""
        elif letter == "y":
            yield from _glide(before, after, script)
        elif letter == "v" and before in _LOW and after in VOWELS:
            yield ("v", ""), ""  # hour, अवर; power, पावर
        else:
            yield _OF_SCRIPT.get(script or "", {}).get(letter) or _CONSONANTS.get(letter, ("",)), ""
        at += 1


_PAIRS = {
    ("Mlym", "ṟ", "ṟ"): ("t",),
    ("Mlym", "n", "ṟ"): ("nt", "nr"),
    ("Taml", "ṟ", "ṟ"): ("t", "tr"),
    ("Taml", "ḵ", "p"): ("f",),
    ("Beng", "ō", "ẏ"): ("v",),
    ("", "j", "ñ"): ("g", "jn"),
}
"""Two letters that are spoken as others."""


def _vowel(found: tuple[str, ...], at: int, script: str | None) -> Iterator[Item]:
    vowel = found[at]
    if vowel not in _FIRST:  # vocalic r and l
        yield ("l" if vowel.startswith("l") else "r",), ""
        yield ("I", "U"), "I,U"
        return
    classes = _classes(found, at, script)
    silent = (vowel == INHERENT and script not in _SOUTHERN) or (vowel == "u" and script in ("Telu", "Knda"))
    yield classes, _LAST[classes[0]] + ("," if silent else "")


def _classes(found: tuple[str, ...], at: int, script: str | None) -> tuple[str, ...]:
    vowel, after = found[at], found[at + 1] if at + 1 < len(found) else ""
    if vowel == "ai" and script in _SOUTHERN:
        return ("E", "Y")
    if vowel not in _LOW:
        return tuple(_FIRST[vowel])
    if after in _DIPHTHONGS:
        return (_DIPHTHONGS[after],)
    classes = _FIRST[vowel] + _GLIDES.get(after, "")
    if script in ("Beng", "Orya"):
        classes += "a" if vowel == "ā" else "O"
    if at >= 2 and found[at - 1] == "y" and found[at - 2] not in VOWELS:
        classes += "E"  # the vowel of tablet, ಟ್ಯಾಬ್ಲೆಟ್
    return tuple(classes)


def _nasal(sign: str, after: str, script: str | None) -> tuple[str, ...]:
    if after in ("ph", "f"):
        return ("m", "n")
    if after in _LABIAL:
        return ("m",)
    if after:
        return ("n", "") if sign == "m̐" else ("n",)
    return ("m",) if script in _FINAL_M else ("n", "m")


def _glide(before: str, after: str, script: str | None) -> Iterator[Item]:
    """y: a consonant at the start, a vowel at the end, else nothing but in Bengali and Odia, where it is j after a vowel."""
    own = _OF_SCRIPT.get(script or "", {}).get("y")
    if not before:
        yield own or ("y",), ""
    elif own and before in VOWELS:
        yield ("j", ""), ""
    elif after in ("", INHERENT) and before in VOWELS and not own:
        yield ("I",), "I"
