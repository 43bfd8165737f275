"""ROVER: what was said, voted word by word among systems.

1. The words of each system get times: their own (CTM, or where a recogniser told them), or the share of their segment by length.
   Untimed text is one stretch of words.
2. Where the systems name speakers, these are mapped to common ones as by ``dover-lap``, and each speaker's words are voted apart.
   The turns are those that DOVER-Lap makes of all systems' (``turns = "fused"``) or those of the first system (``"first"``);
   a word goes to the turn of its speaker that it overlaps most, else the nearest.
3. Where all systems are silent for more than a second, the words before and after are aligned apart; one system after the other
   is aligned with the network of those before. The order of systems matters: the best one first.
4. In each slot the word with the highest score wins, ``alpha`` x its share of the votes + (1 - ``alpha``) x its confidence, or
   nothing. An empty arc has the confidence ``null_confidence``. Of equal scores the word of the earlier system wins, and a word
   before nothing where only one system has one.

``voting``: ``frequency`` counts votes alone; ``average`` takes the mean confidence of a word's votes (NIST's ``meth1``),
``maximum`` the greatest (``maxconf``), ``share`` its part of the sum of confidences in the slot (``avgconf``). The words, times
and confidences are those of NIST's ``rover`` at the same settings, with ``boundaries = "strict"`` and ``compare = "none"``.

Words are the same if they are after the normalisation profile ``compare``; the winner is written as most of its votes write it.
With ``boundaries = "tolerant"`` words that one system writes together and another apart, with or without sandhi, are one vote. A
voted word's confidence is the mean of its votes' or, where these have none, its share of the votes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from parakh import languages
from parakh.errors import Fault, InputError, counted
from parakh.fusion import Answer, require
from parakh.fusion._boundaries import in_units
from parakh.fusion._network import Slot, Word, network, stretches
from parakh.fusion._sweep import sweep
from parakh.fusion.dover_lap import MAPPINGS, common_speakers
from parakh.fusion.dover_lap import Backend as DoverLap
from parakh.metrics._times import word_times
from parakh.text.normalize import PROFILES, get_profile
from parakh.types import Finding, Segment

TRACK = "asr"
VOTINGS = ("frequency", "average", "maximum", "share")
TURNS = ("fused", "first")
BOUNDARIES = ("tolerant", "strict")


@dataclass(frozen=True)
class Backend:
    """The options.

    Args:
        voting: "frequency", "average", "maximum" or "share".
        alpha: How much the votes count beside the confidences, from 0 to 1; not for "frequency".
        null_confidence: Of an empty arc, from 0 to 1; not for "frequency".
        compare: The normalisation profile under which words are the same.
        boundaries: "tolerant" or "strict".
        mapping: How speakers are mapped, "greedy" or "hungarian".
        turns: "fused" or "first".

    Source: Fiscus, A post-processing system to yield reduced word error rates: ROVER, ASRU 1997; SCTK 2.4.10, rover.

    >>> said = "bukhar do din se hai", "bukhar din se hain", "bukhaar do din se hai"
    >>> answers = [Answer(str(k), [Segment("v1", words=words)]) for k, words in enumerate(said)]
    >>> Backend().fuse(answers)[0][0].words
    'bukhar do din se hai'
    """

    voting: str = "frequency"
    alpha: float = 0.5
    null_confidence: float = 0.0
    compare: str = "indic"
    boundaries: str = "tolerant"
    mapping: str = "greedy"
    turns: str = "fused"

    def __post_init__(self) -> None:
        require("rover", self, {
            "voting": (self.voting in VOTINGS, ", ".join(VOTINGS)),
            "alpha": (0 <= self.alpha <= 1, "a number from 0 to 1"),
            "null_confidence": (0 <= self.null_confidence <= 1, "a number from 0 to 1"),
            "compare": (self.compare in PROFILES, ", ".join(PROFILES)),
            "boundaries": (self.boundaries in BOUNDARIES, " or ".join(BOUNDARIES)),
            "mapping": (self.mapping in MAPPINGS, " or ".join(MAPPINGS)),
            "turns": (self.turns in TURNS, " or ".join(TURNS)),
        })  # fmt: skip

    def fuse(self, answers: Sequence[Answer]) -> tuple[list[Segment], list[Finding]]:
        """The words that the systems vote for.

        Args:
            answers: One a system, of one recording, the best system first.

        Returns:
            With speakers their turns, sorted by start time, with ``word_times``; turns without words are left out. Without
            speakers a segment a word; without times one segment. Findings ``no-words``, ``speakers-left-out``,
            and those of ``dover-lap``.

        Raises:
            InputError: Confidences are voted with and a word has none.
        """
        session = next((segment.session_id for answer in answers for segment in answer.segments), "")
        findings = [
            Finding("no-words", f"{answer.system} has no words", session_id=session)
            for answer in answers
            if not any(segment.words.split() for segment in answer.segments)
        ]
        segments = [segment for answer in answers for segment in answer.segments if segment.words.split()]
        language = _most(segment.language for segment in segments)
        timed = all(segment.start_time is not None for segment in segments)
        named = [segment.speaker is not None for segment in segments]
        if timed and named and all(named):
            turns, seen = self._turns(answers, language)
            return turns, findings + seen
        if any(named):
            why = "not all words have one" if timed else "there are no times"
            findings.append(Finding("speakers-left-out", f"speakers are not told apart: {why}", session_id=session))
        words = self._voted([_words(answer.segments, self.compare) for answer in answers], answers, language)
        return _segments(session, words, language), findings

    def _turns(self, answers: Sequence[Answer], language: str | None) -> tuple[list[Segment], list[Finding]]:
        """The turns of the common speakers, each with the words voted for."""
        speaking = [answer for answer in answers if any(turn.duration > 0 for turn in answer.segments)]
        found = sweep([answer.segments for answer in speaking])
        common = common_speakers(found, [answer.segments for answer in speaking], self.mapping)
        turns, findings = DoverLap(mapping=self.mapping).fuse(speaking)
        named = [
            {name: common.names[int(label)] for name, label in zip(names, own, strict=True)}
            for names, own in zip(found.speakers, common.labels, strict=True)
        ]
        if self.turns == "first":
            turns = [replace(turn, speaker=named[0].get(turn.speaker or "", turn.speaker)) for turn in speaking[0].segments]
        spoken: list[Segment] = []
        for speaker in sorted(set(common.names.values())):
            own = [
                [turn for turn in answer.segments if names.get(turn.speaker or "") == speaker]
                for answer, names in zip(speaking, named, strict=True)
            ]
            words = self._voted([_words(one, self.compare) for one in own], speaking, language)
            blank = Segment("", role=_most(turn.role for one in own for turn in one))
            blank = replace(blank, language=_most(turn.language for one in own for turn in one))
            spoken += _in_turns(words, [turn for turn in turns if turn.speaker == speaker], blank)
        return sorted(spoken, key=lambda turn: (turn.start_time, turn.end_time, turn.speaker)), findings

    def _voted(self, systems: Sequence[Sequence[Word]], answers: Sequence[Answer], language: str | None) -> list[Word]:
        """The words of one stream that are voted for, in order."""
        if self.voting != "frequency":
            _check_confidences(systems, answers)
        weights = [1.0 if answer.weight is None else answer.weight for answer in answers]
        rules = languages.get(language).rules
        voted: list[Word] = []
        for stretch in stretches(systems):
            units = in_units(stretch, rules) if self.boundaries == "tolerant" else stretch
            voted += [word for slot in network(units) if (word := self._winner(slot, weights)) is not None]
        return voted

    def _winner(self, slot: Slot, weights: Sequence[float]) -> Word | None:
        """The word that wins a slot; None where nothing wins."""
        votes: dict[str | None, list[tuple[float, Word | None]]] = {}
        for system, word in slot:
            votes.setdefault(None if word is None else word.key, []).append((weights[system], word))
        whole = sum(weights)
        sure = {key: self._confidence(own) for key, own in votes.items()}
        total = sum(sure[key] * _weight(own) for key, own in votes.items())
        scores = {}
        for key, own in votes.items():
            share = _weight(own) / whole if whole else 0.0
            part = sure[key]
            if self.voting == "share":
                part = part * _weight(own) / total if total else 0.0
            scores[key] = share if self.voting == "frequency" else self.alpha * share + (1 - self.alpha) * part
        best = max(scores, key=lambda key: scores[key])  # the first of equal ones
        return None if best is None else _agreed(votes[best], _weight(votes[best]) / whole if whole else 0.0)

    def _confidence(self, votes: Sequence[tuple[float, Word | None]]) -> float:
        """The confidence of a word from its votes."""
        if self.voting == "frequency":
            return 0.0
        known = [(weight, self.null_confidence if word is None else word.confidence or 0.0) for weight, word in votes]
        if self.voting == "maximum":
            return max(confidence for _, confidence in known)
        whole = _weight(votes)
        return sum(weight * confidence for weight, confidence in known) / whole if whole else 0.0


def _weight(votes: Sequence[tuple[float, Word | None]]) -> float:
    return sum(weight for weight, _ in votes)


def _agreed(votes: Sequence[tuple[float, Word | None]], share: float) -> Word:
    """The word of several votes: written as most of them, with their mean times."""
    words = [word for _, word in votes if word is not None]
    written = dict.fromkeys((word.text for word in words), 0.0)
    for weight, word in votes:
        if word is not None:
            written[word.text] += weight
    most = max(written, key=lambda text: written[text])
    first = next(word for word in words if word.text == most)
    known = [word.confidence for word in words if word.confidence is not None]
    confidence = sum(known) / len(known) if len(known) == len(words) else share
    starts = [word.start for word in words if word.start is not None]
    ends = [word.end for word in words if word.end is not None]
    if not starts:
        return replace(first, confidence=confidence)
    return replace(first, start=sum(starts) / len(starts), end=sum(ends) / len(ends), confidence=confidence)


def _words(segments: Sequence[Segment], compare: str) -> list[Word]:
    """The words of a system's segments in order of time, with their own times or their shares."""
    same = get_profile(compare)
    words: list[Word] = []
    for segment in segments:
        texts = segment.words.split()
        times: Sequence[tuple[float | None, float | None]] = [(None, None)] * len(texts)
        if segment.start_time is not None and segment.end_time is not None:
            own = len(segment.word_times) == len(texts)
            times = segment.word_times if own else word_times(texts, segment.start_time, segment.end_time)
        words += [
            Word(text, same(text).replace(" ", "") or text, start, end, segment.confidence)
            for text, (start, end) in zip(texts, times, strict=True)
        ]
    return sorted(words, key=lambda word: (word.start or 0.0, word.end or 0.0))


def _segments(session: str, words: Sequence[Word], language: str | None) -> list[Segment]:
    """Words without speakers: a segment each, or one without times."""
    if any(word.start is None for word in words):
        known = [word.confidence for word in words if word.confidence is not None]
        return [
            Segment(session, words=" ".join(word.text for word in words), language=language, confidence=sum(known) / len(known))
        ]
    return [_single(Segment(session, language=language), piece) for word in words for piece in _pieces(word)]


def _single(blank: Segment, word: Word) -> Segment:
    return replace(blank, start_time=word.start, end_time=word.end, words=word.text, confidence=word.confidence)


def _pieces(word: Word) -> Iterator[Word]:
    """A unit of several words as words, each with its share of the time."""
    texts = word.text.split()
    for text, (start, end) in zip(texts, word_times(texts, word.start or 0.0, word.end or 0.0), strict=True):
        yield replace(word, text=text, start=start, end=end)


def _in_turns(words: Sequence[Word], turns: Sequence[Segment], blank: Segment) -> list[Segment]:
    """The turns of a speaker that have words; each word is in the turn that it overlaps most, else the nearest."""
    own: dict[int, list[Word]] = {}
    for word in words if turns else ():
        start, end = word.start or 0.0, word.end or 0.0
        place = max(range(len(turns)), key=lambda k: min(end, turns[k].end_time or 0.0) - max(start, turns[k].start_time or 0.0))
        own.setdefault(place, []).extend(_pieces(word))
    return [
        replace(
            turns[place],
            words=" ".join(word.text for word in held),
            word_times=tuple((word.start or 0.0, word.end or 0.0) for word in held),
            role=blank.role,
            language=blank.language,
            confidence=sum(word.confidence or 0.0 for word in held) / len(held),
            forms=(),
        )
        for place, held in own.items()
    ]


def _check_confidences(systems: Sequence[Sequence[Word]], answers: Sequence[Answer]) -> None:
    faults = [
        Fault(answer.system, "confidence", f"{counted(len(lacking), 'word')} without", "one for every word", "Vote by frequency.")
        for answer, words in zip(answers, systems, strict=True)
        if (lacking := [word for word in words if word.confidence is None])
    ]
    if faults:
        raise InputError(faults)


def _most(values: Iterator[str | None]) -> str | None:
    """The value that is there most often, the first of equal ones; None where there is none."""
    known = Counter(value for value in values if value is not None)
    return known.most_common(1)[0][0] if known else None
