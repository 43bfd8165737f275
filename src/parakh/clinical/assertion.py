"""Whether a concept that was named is the health seeker's, and now; or denied, another's, past, asked, suspected, advised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from parakh.clinical.cues import endings, phrases
from parakh.clinical.folding import Word
from parakh.clinical.matching import Match, denial_at
from parakh.clinical.roles import HEALTH_SEEKER, HEALTH_WORKER, asks


class Status(StrEnum):
    """What was said of a concept."""

    PRESENT = "present"
    NEGATED = "negated"
    FAMILY = "family"
    PAST = "past"
    OTHER = "other person"
    ASKED = "asked"
    SUSPECTED = "suspected"
    ADVISED = "advised"


@dataclass(frozen=True, slots=True)
class Scene:
    """One segment as the rules see it.

    Args:
        words: Its words.
        matches: What was found in it.
        role: Who speaks; None if unknown.
        attendant: The speaker came along with the health seeker, so that "I" is a relative.
        punctuated: Questions carry question marks in this conversation, so that a sentence without one asks nothing.
    """

    words: Sequence[Word]
    matches: Sequence[Match]
    role: str | None
    attendant: bool = False
    punctuated: bool = True

    def sentence(self, match: Match) -> tuple[int, int]:
        """First word and word after the last of the sentence a match stands in."""
        number = self.words[match.start].sentence
        inside = [at for at, word in enumerate(self.words) if word.sentence == number]
        return inside[0], inside[-1] + 1


def status_of(match: Match, scene: Scene) -> Status:
    """What the speaker says of the concept, before anyone answers.

    A health worker's question is no finding, whatever else it holds; then whose it is, then whether it is over, then
    whether it is denied.
    """
    start, end = scene.sentence(match)
    if (
        scene.role != HEALTH_SEEKER
        and match.concept.is_problem
        and phrases("advice", "uncertain").within(scene.words, start, end)
    ):
        return Status.ADVISED
    if match.end < end and match.concept.is_problem and phrases("advice", "tested").at(scene.words, match.end, end):
        return Status.ADVISED
    if _is_treated(match, scene):
        return if_affirmed(match, scene)
    if _is_question(match, scene, start, end):
        return Status.ASKED
    affirmed = if_affirmed(match, scene)
    if affirmed is not Status.PRESENT:
        return affirmed
    if _denied(match, scene, start, end):
        return Status.NEGATED
    return _asserted(match, scene, start, end)


def _is_treated(match: Match, scene: Scene) -> bool:
    """Asking after "your sugar tablets" takes a lasting illness for granted."""
    if not match.concept.chronic or scene.role != HEALTH_WORKER:
        return False
    return any(m.concept.kind == "medicine" and set(match.places) < set(m.places) for m in scene.matches)


def if_affirmed(match: Match, scene: Scene) -> Status:
    """What the mention amounts to if it is so: FAMILY, OTHER, PAST or PRESENT."""
    owner = whose(match, scene)
    over = owner is Status.PRESENT and _is_over(match, scene, *scene.sentence(match))
    return Status.PAST if over else owner


def whose(match: Match, scene: Scene) -> Status:
    """FAMILY or OTHER when the nearest person named is not the health seeker or a child brought along; else PRESENT."""
    start, end = scene.sentence(match)
    words = scene.words
    if not match.concept.is_problem:
        return Status.PRESENT
    if scene.attendant and phrases("family", "self").within(words, start, match.start):
        return Status.FAMILY
    if phrases("family", "history").within(words, start, end):
        return Status.FAMILY
    nearest = _last_person(words, start, match.start)
    if nearest is None and _is_last(match, scene):
        nearest = _last_person(words, match.end, end)
    return nearest or Status.PRESENT


def about_child(match: Match, scene: Scene) -> bool:
    """Whether the nearest person named before the concept in its sentence is a child."""
    start, _ = scene.sentence(match)
    for at in range(match.start - 1, start - 1, -1):
        if phrases("family", "child").at(scene.words, at, match.start):
            return True
        if phrases("family", "self").at(scene.words, at, match.start):
            return False
    return False


def _is_last(match: Match, scene: Scene) -> bool:
    return not any(other.start >= match.end for other in scene.matches if other.concept.is_problem)


def _last_person(words: Sequence[Word], start: int, end: int) -> Status | None:
    found: Status | None = None
    for at in range(start, end):
        if phrases("family", "self").at(words, at, end) or phrases("family", "child").at(words, at, end):
            found = None if _is_possessive(words, at, end) else Status.PRESENT
        elif phrases("family", "other").at(words, at, end):
            found = Status.OTHER
        else:
            stop = phrases("family", "person").at(words, at, end)
            if stop is not None and _takes(words, at, stop):
                found = Status.FAMILY
    return found


def _is_possessive(words: Sequence[Word], at: int, end: int) -> bool:
    """In "my mother has" the possessive before a relative does not make the finding the speaker's own."""
    return at + 1 < end and phrases("family", "person").at(words, at + 1, end) is not None


def _takes(words: Sequence[Word], at: int, stop: int) -> bool:
    """A relative counts when something is said of them: a case marker or verb follows, or the word carries its own.

    Nobody is addressed as "husband", so that word counts by itself; "mother" may be whom the speaker talks to.
    """
    if phrases("family", "spouse").at(words, at, stop) is not None:
        return True
    if words[at].tight.endswith("ಗೆ") or words[at].tight.endswith("ಗೂ"):
        return True
    return stop < len(words) and phrases("family", "to").at(words, stop, len(words)) is not None


def _is_question(match: Match, scene: Scene, start: int, end: int) -> bool:
    words = scene.words
    if scene.role == HEALTH_SEEKER:
        if phrases("question", "tag").within(words, start, end) or phrases("question", "ending").at(words, end - 1, end):
            return True
        return words[start].asked and not phrases("question", "helpless").within(words, start, end)
    return asks(words, start, end) or _may_ask(match, scene, start, end)


def _may_ask(match: Match, scene: Scene, start: int, end: int) -> bool:
    """Where questions are not marked, "fever is there" of a health worker is taken for a question, unless it is told to "you"."""
    if scene.punctuated or scene.role != HEALTH_WORKER or not match.concept.is_problem:
        return False
    told = phrases("question", "addressed").within(scene.words, start, match.start)
    return not told and not any(phrases("advice", name).within(scene.words, start, end) for name in ("do", "maybe", "suspect"))


def _is_over(match: Match, scene: Scene, start: int, end: int) -> bool:
    words = scene.words
    follow = next((at for at in range(end, len(words)) if words[at].sentence > words[match.start].sentence + 1), len(words))
    next_match = min((m.start for m in scene.matches if m.start >= match.end and m.concept.is_problem), default=follow)
    for first, stop in phrases("past", "done").find(words, match.end, min(follow, next_match)):
        if stop >= len(words) or not denial_at(words, stop):
            return first >= match.end
    if phrases("past", "still").within(words, start, end):
        return False
    if match.concept.chronic:
        return False
    if phrases("past", "long_ago").within(words, start, end) and phrases("past", "happened").within(words, start, end):
        return True
    before = [first for first, _ in phrases("past", "when").find(words, start, end) if not _is_recent(words, first)]
    return bool(before) and _past_verb(words, start, end)


def _is_recent(words: Sequence[Word], at: int) -> bool:
    return at > 0 and phrases("past", "recent").at(words, at - 1, at) is not None


def _past_verb(words: Sequence[Word], start: int, end: int) -> bool:
    if phrases("past", "verb").within(words, start, end):
        return True
    return any(word.tight.endswith("ಿತ್ತು") for word in words[start:end])


def _denied(match: Match, scene: Scene, start: int, end: int) -> bool:
    words = scene.words
    if match.denies:
        return False
    last = words[match.end - 1].tight
    if match.concept.is_problem and last.endswith(endings("deny", "suffix")) and denial_at(words, match.end - 1):
        return True
    between = set(range(match.start, match.end)) - set(match.places)
    if any(denial_at(words, at) for at in between):
        return True
    taken = {place for other in scene.matches if other.denies for place in other.places} | set(match.places)
    return _denied_after(match, words, end, taken) or _denied_before(match, words, start, taken)


def _denied_after(match: Match, words: Sequence[Word], end: int, taken: set[int]) -> bool:
    for at in range(match.end, end):
        if at in taken:
            continue
        if phrases("deny", "after").at(words, at, end) or (
            words[at].tight.endswith(endings("deny", "suffix")) and denial_at(words, at)
        ):
            return True
        if words[at].after_comma and at not in taken and not phrases("clause", "join").at(words, at, end):
            return False
        if _closes(words, at, end):
            return False
    return False


def _denied_before(match: Match, words: Sequence[Word], start: int, taken: set[int]) -> bool:
    first = match.start
    if first > start and phrases("deny", "inverted").within(words, max(start, first - 3), first):
        return not any(_closes(words, at, at + 1) for at in range(match.end, min(match.end + 2, len(words))))
    for at in range(first - 1, max(start, first - 6) - 1, -1):
        stop = phrases("deny", "before").at(words, at, first)
        if stop is not None and at not in taken:
            indic = not words[at].tight.isascii()
            return stop == first if indic else not (words[at].tight in ("no", "not") and stop < first and words[stop].after_comma)
        if phrases("clause", "but").at(words, at, at + 1) or (words[at].after_comma and _clause_between(words, at, first)):
            return False
    return False


def _clause_between(words: Sequence[Word], at: int, first: int) -> bool:
    return phrases("clause", "subject").within(words, at, first)


def _closes(words: Sequence[Word], at: int, end: int) -> bool:
    return phrases("clause", "end").at(words, at, end) is not None or words[at].tight.endswith(endings("clause", "end_suffix"))


def _asserted(match: Match, scene: Scene, start: int, end: int) -> Status:
    words = scene.words
    if match.concept.kind == "advice":
        return Status.PRESENT if scene.role == HEALTH_SEEKER else Status.ADVISED
    if match.concept.kind in ("medicine", "procedure"):
        return _given(scene, start, end)
    suspected = match.concept.kind == "disease" and phrases("advice", "suspect").within(words, start, end)
    if suspected and scene.role != HEALTH_SEEKER:
        return Status.SUSPECTED
    if phrases("advice", "maybe").within(words, start, end) and scene.role != HEALTH_SEEKER:
        return Status.ADVISED
    if phrases("advice", "condition").within(words, start, match.start):
        return Status.ADVISED
    if scene.role == HEALTH_WORKER and match.concept.kind in ("nutrition", "immunisation", "family-planning"):
        return Status.ADVISED
    if scene.role == HEALTH_WORKER and phrases("advice", "do").within(words, start, _clause_end(match, words, end)):
        return Status.ADVISED
    return Status.PRESENT


def _clause_end(match: Match, words: Sequence[Word], end: int) -> int:
    """Where the clause of a match ends: at a comma or a finite verb."""
    return next((at for at in range(match.end, end) if words[at].after_comma or _closes(words, at, end)), end)


def _given(scene: Scene, start: int, end: int) -> Status:
    if scene.role == HEALTH_SEEKER:
        return Status.PRESENT if phrases("advice", "taken").within(scene.words, start, end) else Status.ASKED
    advised = phrases("advice", "do").within(scene.words, start, end)
    return Status.ADVISED if advised or scene.role == HEALTH_WORKER else Status.PRESENT
