"""A clinical note put together from what was said: nothing in it that no turn carries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from parakh.clinical import Measurement, Mention, Status, measurements, mentions
from parakh.clinical.cues import phrases
from parakh.clinical.folding import words_of
from parakh.clinical.lexicon import in_sentence
from parakh.clinical.measurements import reading_name, set_phrases
from parakh.clinical.problems import Problem, problems
from parakh.clinical.roles import HEALTH_WORKER, asks_after_child
from parakh.errors import UnavailableError
from parakh.types import Segment, Summary

MODELS: tuple[str, ...] = ()

CHIEF_COMPLAINT, HISTORY, FINDINGS, ASSESSMENT, PLAN = "chief complaint", "history", "findings", "assessment", "plan"
_COMPLAINTS = 8
_MATTERS = ("family-planning", "immunisation", "nutrition")
_CHILD_YEARS = 12
_LOOK_BACK = 3
_REGIMEN = ("dose", "frequency", "course")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a summary.

    Args:
        section: "chief complaint", "history", "findings", "assessment" or "plan".
        text: The sentence.
        turns: Indices of the segments it rests on, in order.
    """

    section: str
    text: str
    turns: tuple[int, ...]


@dataclass(frozen=True)
class Backend:
    """Writes the summary from the concepts, numbers and advice found in the transcript."""

    def summarize(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Summary:
        """Compact English prose in the third person.

        Args:
            transcript: The turns with words, in the language spoken.
            translation: The same turns in English; may be empty. Stands in where the transcript yields nothing.

        Raises:
            UnavailableError: Neither holds any words.
        """
        segments = [*transcript, *translation]
        if not any(segment.words.strip() for segment in segments):
            raise UnavailableError(
                "summary 'structured' reads what was said and there is no transcript. "
                "Configure a transcriber for this language, or give transcripts of your own."
            )
        text = " ".join(sentence.text for sentence in sentences(transcript, translation))
        return Summary(segments[0].session_id, text or "No health problem could be identified in the conversation.")


def sentences(transcript: Sequence[Segment], translation: Sequence[Segment]) -> list[Sentence]:
    """The sentences of the summary, each with the turns it rests on.

    Args:
        transcript: The turns with words, in the language spoken.
        translation: The same turns in English; may be empty.

    Returns:
        Sentences in the order chief complaint, history, findings, assessment, plan; empty when nothing was found.

    >>> turns = [
    ...     Segment("v", "s", words="तीन दिन से बुखार है, खांसी नहीं है।", role="health_seeker"),
    ...     Segment("v", "w", words="पैरासिटामोल दिन में दो बार लीजिए।", role="health_worker"),
    ... ]
    >>> [sentence.text for sentence in sentences(turns, [])][::2]
    ['The health seeker reports fever for 3 days.', 'Paracetamol was advised, 2 times a day.']
    """
    source = translation if translation and not mentions(transcript) else transcript
    found = _Conversation(source, problems(transcript, translation))
    parts = (found.complaint(), found.history(), found.findings(), found.assessment(), found.plan())
    return [sentence for part in parts for sentence in part]


class _Conversation:
    """What was found in one conversation, asked section by section."""

    def __init__(self, segments: Sequence[Segment], ongoing: Sequence[Problem]) -> None:
        self.segments = segments
        self.ongoing = ongoing
        self.mentions = mentions(segments)
        self.measures = measurements(segments)
        self.details = _details(self.mentions, self.measures, segments)
        self.dosing = set_phrases(segments, "dosing")
        self.age = self._first("age")
        self.child = self._is_child()

    def complaint(self) -> Iterator[Sentence]:
        """Who came, and with what, for how long."""
        told = [problem for problem in self.ongoing if problem.told][:_COMPLAINTS]
        age, child = self.age, self.child
        gestation = self._first("gestation")
        pregnant = next((p for p in told if p.id == "pregnancy"), None)
        listed = [problem for problem in told if problem is not pregnant and _kind(problem) not in _MATTERS]
        who = "The health seeker's child" if child else "The health seeker"
        aside = [f"aged {_number(age)} years"] if age else []
        turns = _turns(listed) | ({age.segment_index} if age else set())
        if (gestation or pregnant) and not child:
            aside.append(f"{_amount(gestation)} pregnant" if gestation else "pregnant")
            turns |= ({gestation.segment_index} if gestation else set()) | (_turns([pregnant]) if pregnant else set())
        described = [self._described(problem) for problem in listed]
        turns |= {turn for problem in listed for _, turn in self._details_of(problem)}
        if listed:
            verb = "has" if child else "reports"
            between = f", {' and '.join(aside)}," if aside else ""
            yield Sentence(CHIEF_COMPLAINT, f"{who}{between} {verb} {_join(described)}.", tuple(sorted(turns)))
        elif aside:
            yield Sentence(CHIEF_COMPLAINT, f"{who} is {' and '.join(aside)}.", tuple(sorted(turns)))
        matters = [problem for problem in told if _kind(problem) in _MATTERS]
        if matters:
            text = f"The health seeker asks about {_join([in_sentence(problem.term) for problem in matters])}."
            yield Sentence(CHIEF_COMPLAINT, text, tuple(sorted(_turns(matters))))

    def history(self) -> Iterator[Sentence]:
        """What was denied, what is over, what runs in the family, what is being taken."""
        ongoing = {part for problem in self.ongoing for part in problem.id.split("+")}
        rows = (
            (Status.NEGATED, "There is no {}." if self.child else "The health seeker denies {}.", "or"),
            (Status.PAST, "Past history includes {}.", "and"),
            (Status.FAMILY, "Family history includes {}.", "and"),
        )
        for status, frame, last in rows:
            group = [m for m in self._problem_mentions(status) if m.concept.id not in ongoing or status is Status.FAMILY]
            yield from _listed(HISTORY, frame, group, last)
        taken = [mention for mention in self._told("medicine") if mention.concept.id != "medicine"]
        yield from _listed(HISTORY, "The health seeker has taken {}.", taken)
        yield from _listed(HISTORY, "The health seeker has had {}.", self._told("procedure"))

    def findings(self) -> Iterator[Sentence]:
        """What was measured; the last value of each kind."""
        last = {measure.kind: measure for measure in self.measures if reading_name(measure.kind)}
        ordered = sorted(last.values(), key=lambda measure: measure.segment_index)
        if ordered:
            text = _join([f"{reading_name(m.kind)} is {_value(m)}" for m in ordered])
            yield Sentence(FINDINGS, f"{text[0].upper()}{text[1:]}.", tuple(sorted({m.segment_index for m in ordered})))

    def assessment(self) -> Iterator[Sentence]:
        """What the health worker stated that the health seeker had not told."""
        stated = [problem for problem in self.ongoing if not problem.told]
        suspected = [problem for problem in stated if problem.mentions[0].status is Status.SUSPECTED]
        noted = [in_sentence(problem.term) for problem in stated if problem not in suspected]
        supposed = [in_sentence(problem.mentions[0].concept.term) for problem in suspected]
        parts = [f"{verb} {_join(terms)}" for verb, terms in (("notes", noted), ("suspects", supposed)) if terms]
        if parts:
            yield Sentence(ASSESSMENT, f"The health worker {' and '.join(parts)}.", tuple(sorted(_turns(stated))))

    def plan(self) -> Iterator[Sentence]:
        """Medicines, tests, advice and when to come back."""
        advised = [mention for mention in self.mentions if mention.status is Status.ADVISED and not mention.concept.is_problem]
        for mention in self._prescribed(advised):
            regimen = self._regimen(mention)
            verb = "were" if mention.concept.term.endswith("s") else "was"
            yield Sentence(PLAN, ", ".join([f"{_upper(mention.concept.term)} {verb} advised", *regimen]) + ".", mention.turns)
        tests = [mention for mention in advised if mention.concept.kind == "procedure"]
        yield from _listed(PLAN, "{} advised.", tests, verb=("was", "were"))
        after = next((m for m in self.measures if m.kind == "follow-up"), None)
        told = [m for m in advised if m.concept.kind == "advice" and not (after and m.concept.id == "follow-up")]
        yield from _listed(PLAN, "The health seeker was advised to {}.", told)
        if after:
            yield Sentence(PLAN, f"Follow-up after {_amount(after)} was advised.", (after.segment_index,))

    def _is_child(self) -> bool:
        found = [mention for problem in self.ongoing if problem.told for mention in problem.mentions]
        named = 2 * sum(mention.of_child for mention in found) > len(found)
        return named or asks_after_child(self.segments) or (self.age is not None and self.age.value <= _CHILD_YEARS)

    def _first(self, kind: str) -> Measurement | None:
        return next((measure for measure in self.measures if measure.kind == kind), None)

    def _told(self, kind: str) -> list[Mention]:
        """What the health seeker said they had or took, or affirmed when asked."""
        found = [mention for mention in self.mentions if mention.concept.kind == kind and mention.status is Status.PRESENT]
        return [mention for mention in found if mention.role != HEALTH_WORKER or mention.answer_index is not None]

    def _problem_mentions(self, status: Status) -> list[Mention]:
        return [m for m in self.mentions if m.status is status and m.concept.is_problem]

    def _details_of(self, problem: Problem) -> list[tuple[str, int]]:
        return [detail for part in problem.id.split("+") for detail in self.details.get(part, [])]

    def _described(self, problem: Problem) -> str:
        return " ".join([in_sentence(problem.term), *(text for text, _ in self._details_of(problem))])

    def _prescribed(self, advised: Sequence[Mention]) -> list[Mention]:
        """The medicines advised; "two tablets daily" is the one last named when no other is named in that turn."""
        medicines = [mention for mention in advised if mention.concept.kind == "medicine"]
        named = {mention.segment_index for mention in medicines if mention.concept.id != "medicine"}
        found: list[Mention] = []
        for mention in medicines:
            if mention.concept.id != "medicine":
                found.append(mention)
                continue
            last = self._last_named(mention)
            near = last is not None and mention.segment_index - last.segment_index <= _LOOK_BACK
            if last is not None and near and mention.segment_index not in named:
                found.append(replace(mention, concept=last.concept, answer_index=last.segment_index))
        return _unique(found)

    def _last_named(self, medicine: Mention) -> Mention | None:
        before = [m for m in self.mentions if m.concept.kind == "medicine" and m.segment_index < medicine.segment_index]
        return next((m for m in reversed(before) if m.concept.id != "medicine"), None)

    def _regimen(self, medicine: Mention) -> list[str]:
        """Dose, times a day, course and set phrases in the medicine's own turn, from it to the next medicine."""
        index = medicine.segment_index
        others = [m.start for m in self.mentions if m.segment_index == index and m.concept.kind == "medicine"]
        named = [
            m.start
            for m in self.mentions
            if m.segment_index == index and m.concept.kind == "medicine" and m.concept.id != "medicine"
        ]
        first = 0 if medicine.start == min(named or others) else medicine.start
        end = min((start for start in named if start > medicine.start), default=10**6)
        told = [(m.start, _regimen_text(m)) for m in self.measures if m.segment_index == index and m.kind in _REGIMEN]
        told += [(start, text) for at, start, text in self.dosing if at == index]
        return list(dict.fromkeys(text for start, text in sorted(told) if first <= start < end))


def _details(
    found: Sequence[Mention], measures: Sequence[Measurement], segments: Sequence[Segment]
) -> dict[str, list[tuple[str, int]]]:
    """How long, how often and how much, by the concept it was said of."""
    present = [m for m in found if m.concept.is_problem and m.status is Status.PRESENT and m.concept.id != "pregnancy"]
    told = [(m.segment_index, m.start, _detail_text(m)) for m in measures if m.kind in ("frequency", "duration", "weight-change")]
    workers = {m.segment_index for m in found if m.role == HEALTH_WORKER}
    details: dict[str, list[tuple[str, int]]] = {}
    for index, start, text in [*told, *set_phrases(segments, "relative")]:
        lasting = text.startswith(("for", "since"))
        owner = _owner(present, segments, index, start, lasting)
        if (
            owner is None
            or index in workers
            or (text.startswith("of") and owner.concept.id not in ("weight-loss", "weight-gain"))
        ):
            continue
        known = details.setdefault(owner.concept.id, [])
        if not any(text.split()[0] == other.split()[0] for other, _ in known):
            known.append((text, index))
    return details


def _detail_text(measure: Measurement) -> str:
    words = {"frequency": "", "duration": "for ", "weight-change": "of "}
    return words[measure.kind] + _amount(measure)


def _owner(present: Sequence[Mention], segments: Sequence[Segment], index: int, start: int, lasting: bool) -> Mention | None:
    """The problem a detail belongs to: the nearest in its sentence, else what was asked about, else the nearest in its turn."""
    words = words_of(segments[index].words)
    here = [m for m in present if m.segment_index == index]
    same = [m for m in here if words[m.start].sentence == words[start].sentence]
    before = [m for m in present if m.segment_index < index and index - m.segment_index <= _LOOK_BACK]
    if same:
        return min(same, key=lambda m: min(abs(m.start - start), abs(m.end - start)))
    if lasting and not any(m.start < start for m in here) and (before or _asked_since(segments, index)):
        return before[-1] if before else None
    return min(here, key=lambda m: abs(m.start - start)) if here else None


def _asked_since(segments: Sequence[Segment], index: int) -> bool:
    words = words_of(segments[index - 1].words) if index else ()
    return phrases("question", "since").within(words, 0, len(words))


def _listed(
    section: str, frame: str, group: Sequence[Mention], last: str = "and", verb: tuple[str, str] | None = None
) -> Iterator[Sentence]:
    unique = _unique(group)
    if not unique:
        return
    terms = [in_sentence(m.concept.term) for m in unique]
    text = _join(terms, last)
    if verb:
        text = f"{_upper(text)} {verb[len(terms) > 1]}"
    turns = tuple(sorted({turn for m in group for turn in m.turns}))
    yield Sentence(section, frame.format(text), turns)


def _unique(group: Iterable[Mention]) -> list[Mention]:
    """The first mention of every concept."""
    first: dict[str, Mention] = {}
    for mention in group:
        first.setdefault(mention.concept.id, mention)
    return list(first.values())


def _kind(problem: Problem) -> str:
    return problem.mentions[0].concept.kind


def _turns(group: Iterable[Problem]) -> set[int]:
    return {turn for problem in group for turn in problem.turns}


def _join(parts: Sequence[str], last: str = "and") -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]


def _number(measure: Measurement) -> str:
    upper = "" if measure.second is None else f" to {measure.second:g}"
    return f"{measure.value:g}{upper}"


def _amount(measure: Measurement) -> str:
    one = measure.value == 1 and measure.second is None
    unit = measure.unit if one or measure.unit in ("mg", "kg") else f"{measure.unit}s"
    return f"{_number(measure)} {unit}" + (" a day" if measure.kind == "frequency" else "")


def _value(measure: Measurement) -> str:
    if measure.kind == "blood-pressure":
        return f"{measure.value:g}/{measure.second:g} mmHg"
    return f"{_number(measure)}{'' if measure.unit in ('%', '°F', '°C') else ' '}{measure.unit}"


def _regimen_text(measure: Measurement) -> str:
    return f"for {_amount(measure)}" if measure.kind == "course" else _amount(measure)
