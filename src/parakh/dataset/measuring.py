"""One recording of a data set, measured: sums that add, and the single values that distributions are made of.

Definitions
    speech            time in which at least one person speaks, of the RTTM, else of the transcript's times
    overlap           time in which two or more speak
    speaker time      each person's speech, added up; of it, overlapped: what is spoken while somebody else speaks
    segment           one line of the RTTM
    turn              segments of one speaker in order of their starts, as long as nobody else begins to speak
    pause, gap        silence between segments: the same speaker goes on, or another one begins
    word              what stands between blanks, without tags in angle brackets and marks at its ends; [words] in brackets count
    English word      a word in Latin letters, or one that stands on the list of English words of the language (Hindi, Kannada);
                      not counted where the recording's language is itself written in Latin letters
    code-mixing index of a segment, 1 - (words of its more frequent language / words without numbers)
                      (Gambäck and Das 2016, LREC, C of an utterance, as a ratio)
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from parakh import languages
from parakh.dataset.values import tags
from parakh.metrics import der
from parakh.qc import Material
from parakh.qc._texts import without_tags
from parakh.results import Stats
from parakh.text.scripts import script_of
from parakh.types import Segment, Speaker

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Who:
    """What is known of somebody who speaks."""

    age: str = UNKNOWN
    sex: str = UNKNOWN
    role: str = UNKNOWN


@dataclass(frozen=True)
class Measured:
    """One recording.

    Args:
        material: It, with its manifest entry.
        sums: Statistics that add: "recordings", "seconds", "speech", "words" ... A part that the recording lacks counts nothing.
        people: Who speaks in it, by person, else by recording and label.
        persons: Those of them whose person is known.
        segment_s: Length of each segment in seconds.
        turn_s: Length of each turn.
        pause_s: Length of each pause.
        gap_s: Length of each gap.
        by_role: "words" and "seconds" of the segments of each role.
        vocabulary: Its words, case folded.
        topics: Its health problems, as written; None where it has none annotated.
        tags: Its topical tags.
    """

    material: Material
    sums: Stats
    people: Mapping[str, Who] = field(default_factory=dict)
    persons: frozenset[str] = frozenset()
    segment_s: tuple[float, ...] = ()
    turn_s: tuple[float, ...] = ()
    pause_s: tuple[float, ...] = ()
    gap_s: tuple[float, ...] = ()
    by_role: Mapping[str, Stats] = field(default_factory=dict)
    vocabulary: frozenset[str] = frozenset()
    topics: tuple[str, ...] | None = None
    tags: tuple[str, ...] = ()

    @property
    def overlap(self) -> float | None:
        """Overlap as a share of the speech; None without speech."""
        return self.sums["overlap"] / self.sums["speech"] if self.sums.get("speech") else None


def measure(material: Material, sound_tags: Sequence[str] = ()) -> Measured:
    """Measure a recording.

    Args:
        material: What its files say.
        sound_tags: Sound tags in square brackets, which are no words either ("[noise]").

    >>> from parakh.qc import Source
    >>> from parakh.types import Entry, Recording
    >>> said = Source("v1.txt", [Segment("v1", "a", 0.0, 2.0, "जी <cough> BP 140")])
    >>> measure(Material(Entry(Recording("v1", language="hi")), transcript=said)).sums["english"]
    1
    """
    turns = _timed(material.turns.items if material.turns else material.transcript.items if material.transcript else ())
    spoken = material.transcript.items if material.transcript else ()
    labels = {one.speaker for one in (*turns, *spoken) if one.speaker} | {one.speaker for one in material.entry.speakers}
    declared = {one.speaker: one for one in material.entry.speakers}
    roles = {one.speaker: one.role for one in spoken if one.role and one.speaker}
    roles |= {label: one.role for label, one in declared.items() if one.role}
    people = {_key(material, label, declared.get(label)): _who(declared.get(label), roles.get(label)) for label in sorted(labels)}
    times = _times(turns, material.duration)
    words, by_role, vocabulary = _words(material, spoken, roles, sound_tags)
    turn_s, pause_s, gap_s = _rhythm(turns)
    topics = tuple(dict.fromkeys(topic for one in material.topics.items for topic in one.topics)) if material.topics else None
    base = {"recordings": 1, "seconds": material.duration or 0.0, "without_duration": int(material.duration is None)}
    sums = Stats({**base, "speakers": len(labels), **times, **words, **_heard(material)})
    return Measured(
        material,
        sums,
        people,
        frozenset(one.person for one in material.entry.speakers if one.person),
        tuple(one.duration for one in turns),
        turn_s,
        pause_s,
        gap_s,
        by_role,
        vocabulary,
        topics,
        tuple(tags(material.entry)),
    )


def _key(material: Material, label: str, known: Speaker | None) -> str:
    return f"p {known.person}" if known and known.person else f"s {material.session_id} {label}"


def _who(known: Speaker | None, role: str | None) -> Who:
    return Who((known and known.age) or UNKNOWN, (known and known.sex) or UNKNOWN, role or UNKNOWN)


def _timed(segments: Sequence[Segment]) -> list[Segment]:
    timed = (one for one in segments if one.start_time is not None and one.speaker is not None)
    return sorted(timed, key=lambda one: (one.start_time or 0.0, one.end_time or 0.0))


def _times(turns: Sequence[Segment], duration: float | None) -> dict[str, float]:
    if not turns:
        return {}
    heard = der.stats(turns, [])
    overlap, speech, each = heard["overlap"], heard["speech"], heard["scored"]
    times = {"with_turns": 1, "segments": len(turns), "speech": speech, "overlap": overlap, "speaker_time": each}
    times["overlapped_speaker_time"] = each - (speech - overlap)
    if duration is not None:
        times |= {"timed_seconds": duration, "timed_speech": speech, "timed_overlap": overlap}
    return times


def _rhythm(turns: Sequence[Segment]) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Lengths of the turns, the pauses and the gaps."""
    lengths: list[float] = []
    silences: dict[bool, list[float]] = {True: [], False: []}
    start = end = until = 0.0
    holder: str | None = None
    last: str | None = None
    for one in turns:
        begins, ends = one.start_time or 0.0, one.end_time or 0.0
        if last is not None and begins > until:
            silences[one.speaker == last].append(begins - until)
        if one.speaker != holder:
            if holder is not None:
                lengths.append(end - start)
            holder, start, end = one.speaker, begins, ends
        end = max(end, ends)
        if last is None or ends >= until:
            until, last = ends, one.speaker
    if holder is not None:
        lengths.append(end - start)
    return tuple(lengths), tuple(silences[True]), tuple(silences[False])


def _words(
    material: Material, spoken: Sequence[Segment], roles: Mapping[str, str], sound_tags: Sequence[str]
) -> tuple[dict[str, float], dict[str, Stats], frozenset[str]]:
    """Counts of words, words and seconds by role, and the vocabulary."""
    if not spoken:
        return {}, {}, frozenset()
    language = material.language
    switches = language is not None and "Latn" not in languages.get(language).scripts[:1]
    counts = dict.fromkeys(("words", "numbers", "latin", "english", "mixable", "mixed", "mixed_segments"), 0.0)
    counts["with_words"] = 1
    by_role: dict[str, list[tuple[int, float]]] = {}
    vocabulary: set[str] = set()
    for one in spoken:
        said = _said(one.words, sound_tags, language if switches else None)
        lexical = [word for word in said if not word.is_number]
        foreign = sum([word.is_english for word in lexical]) if switches else 0
        counts["words"] += len(said)
        counts["numbers"] += len(said) - len(lexical)
        if switches:
            counts["mixable"] += len(lexical)
            counts["latin"] += sum([word.is_latin for word in lexical])
            counts["english"] += foreign
            if lexical:
                counts["mixed"] += min(foreign, len(lexical) - foreign) / len(lexical)
                counts["mixed_segments"] += 1
        vocabulary.update([word.text for word in lexical])
        if said and one.duration:
            role = one.role or roles.get(one.speaker or "") or UNKNOWN
            by_role.setdefault(role, []).append((len(said), one.duration))
    rates = {role: Stats(words=sum(n for n, _ in own), seconds=sum(s for _, s in own)) for role, own in by_role.items()}
    whole = {key: value if key == "mixed" else int(value) for key, value in counts.items()}
    return whole, rates, frozenset(vocabulary)


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    is_number: bool
    is_latin: bool
    is_english: bool


def _said(text: str, sound_tags: Sequence[str], language: str | None) -> list[_Word]:
    for tag in sound_tags:
        text = text.replace(tag, " ")
    words = [_word(chunk, language) for chunk in without_tags(text).split()]
    return [word for word in words if word is not None]


@lru_cache(maxsize=1 << 16)
def _word(chunk: str, language: str | None) -> _Word | None:
    """What stands between two blanks, without the marks about it; None for marks alone."""
    kept = [k for k, sign in enumerate(chunk) if unicodedata.category(sign)[0] in "LMN"]
    if not kept:
        return None
    text = unicodedata.normalize("NFC", chunk[kept[0] : kept[-1] + 1]).casefold()
    letters = [sign for sign in text if sign.isalpha()]
    is_latin = 2 * sum(script_of(sign) == "Latn" for sign in letters) > len(letters)
    return _Word(text, not letters, is_latin, is_latin or (language is not None and _is_english(text, language)))


def _is_english(word: str, language: str) -> bool:
    """Whether a word stands on the list of English words of a language; a stem stands for all that begin so."""
    words, stems = _english(language)
    return word in words or word.startswith(stems)


@cache
def _english(language: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Single English words as they are written in the script of a language, and stems of such."""
    from parakh.diagnostics.categories import bundled

    terms = bundled("ENGLISH", [language]).terms
    own = [one for one in terms if len(one.words) == 1 and one.language == language]
    words = (one.words[0].casefold() for one in own if not one.stems)
    return frozenset(words), tuple(one.words[0].casefold() for one in own if one.stems)


def _heard(material: Material) -> dict[str, float]:
    """What was heard in the audio, where it was listened to."""
    audio, found = material.audio, dict[str, float]()
    if audio and audio.speech is not None and audio.duration:
        found |= {"heard_speech": sum(end - start for start, end in audio.speech), "heard_seconds": audio.duration}
    if audio and audio.snr_db is not None:
        found |= {"snr_db": audio.snr_db, "with_snr": 1}
    return found
