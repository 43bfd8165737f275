"""Windows of a conversation with the text that is said in them.

Turns that overlap are heard together, so they belong together: an *island*. Islands in order fill windows of at most ``longest``
seconds, of one language and of no more tokens than the decoder has room for, with pauses shortened as they are when a recording
is transcribed. The text of a window is that of its turns in the order in which they start; tags in angle brackets are taken out
of it. Left out, and counted: islands with a turn that nobody understood (``<unintelligible>``), and stretches of overlapping
speech longer than a window that cannot be cut without tearing a turn apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from parakh.audio.decode import SAMPLE_RATE
from parakh.cascade.windows import PADDING, Stretch, Window
from parakh.text.normalize import collapse_spaces, strip_tags
from parakh.types import Segment

CLIPPED = 1.0
"""Most seconds of a turn that a cut may leave on the other side."""

_NOT_UNDERSTOOD = re.compile(r"<\s*/?\s*(?:unintelligible|unin|inaudible)\b[^<>]*>", re.IGNORECASE)


@dataclass(frozen=True)
class Example:
    """One window to learn from.

    Args:
        session_id: Its recording.
        window: Where it is in the recording.
        text: What is said in it; "" where there is sound without words.
        language: BCP-47 primary tag; None when unknown.
    """

    session_id: str
    window: Window
    text: str
    language: str | None


@dataclass(frozen=True)
class Laid:
    """The windows of a recording, and what is left out of them: turns, and their seconds."""

    examples: tuple[Example, ...]
    turns_left_out: int = 0
    seconds_left_out: float = 0.0


@dataclass(frozen=True)
class _Island:
    """Turns that overlap, from ``start`` to ``end`` in seconds."""

    start: float
    end: float
    turns: tuple[Segment, ...]

    @property
    def edges(self) -> tuple[tuple[float, int], tuple[float, int]]:
        """Start and end, each with the direction that leads out."""
        return (self.start, -1), (self.end, 1)

    @property
    def text(self) -> str:
        return collapse_spaces(" ".join(strip_tags(turn.words) for turn in self.turns))

    @property
    def is_understood(self) -> bool:
        return not any(_NOT_UNDERSTOOD.search(turn.words) for turn in self.turns)

    @property
    def language(self) -> str | None:
        """That of the longest of its turns."""
        return max(self.turns, key=lambda turn: turn.duration).language


def lay_out(turns: Sequence[Segment], seconds: float, longest: float, tokens: Callable[[str], int], most: int) -> Laid:
    """The windows of one recording.

    Args:
        turns: Its turns with times, in any order.
        seconds: Its length.
        longest: Longest window in seconds.
        tokens: Number of tokens of a text.
        most: Most tokens of a window's text.

    >>> said = [Segment("v", "a", 0, 2, "नमस्ते"), Segment("v", "b", 1.5, 3.0, "<laugh> जी"), Segment("v", "a", 4.0, 5.0, "हाँ")]
    >>> [(one.text, one.window.length / SAMPLE_RATE) for one in lay_out(said, 60, 29, len, 100).examples]
    [('नमस्ते जी हाँ', 4.6)]
    """
    pieces, torn = _fitting(_islands(turns), longest)
    usable = [one for one in pieces if one.is_understood and tokens(one.text) <= most]
    groups = _fill(usable, longest, tokens, most)
    touching = {one.start for one in pieces} & {one.end for one in pieces}
    examples = tuple(_example(group, turns, seconds, touching) for group in groups)
    left = torn + [turn for one in pieces if one not in usable for turn in one.turns]
    return Laid(examples, len(left), sum(turn.duration for turn in left))


def _times(turn: Segment) -> tuple[float, float]:
    return turn.start_time or 0.0, turn.end_time or 0.0


def _islands(turns: Sequence[Segment]) -> Iterator[_Island]:
    held: list[Segment] = []
    end = 0.0
    for turn in sorted(turns, key=_times):
        if held and _times(turn)[0] >= end:
            yield _Island(_times(held[0])[0], end, tuple(held))
            held, end = [], 0.0
        held.append(turn)
        end = max(end, _times(turn)[1])
    if held:
        yield _Island(_times(held[0])[0], end, tuple(held))


def _fitting(islands: Iterator[_Island], longest: float) -> tuple[list[_Island], list[Segment]]:
    """Islands that fit into a window, longer ones cut, and the turns of those that cannot be cut."""
    room = longest - 2 * PADDING
    fitting: list[_Island] = []
    torn: list[Segment] = []
    for island in islands:
        rest: _Island | None = island
        while rest is not None and rest.end - rest.start > room:
            cut = _cut(rest, room)
            if cut is None:
                torn += rest.turns
                rest = None
                break
            before = tuple(turn for turn in rest.turns if sum(_times(turn)) / 2 < cut)
            after = tuple(turn for turn in rest.turns if turn not in before)
            fitting.append(_Island(rest.start, cut, before))
            rest = _Island(cut, rest.end, after)
        if rest is not None:
            fitting.append(rest)
    return fitting, torn


def _cut(island: _Island, room: float) -> float | None:
    """The last edge of a turn within ``room`` seconds of those at which least is torn off; None if that is too much."""
    edges = {edge for turn in island.turns for edge in _times(turn) if island.start < edge < min(island.end, island.start + room)}
    torn = {edge: max(min(edge - a, b - edge) for a, b in map(_times, island.turns)) for edge in edges}
    least = min(torn.values(), default=CLIPPED + 1)
    if least > CLIPPED:
        return None
    cut = max(edge for edge in edges if torn[edge] <= max(0.0, least))
    middles = [sum(_times(turn)) / 2 for turn in island.turns]
    return cut if min(middles) < cut <= max(middles) else None


def _fill(islands: Sequence[_Island], longest: float, tokens: Callable[[str], int], most: int) -> list[list[_Island]]:
    groups: list[list[_Island]] = []
    filled, said = 0.0, 0
    for one in islands:
        length, count = one.end - one.start + 2 * PADDING, tokens(one.text)
        if not groups or filled + length > longest or said + count > most or groups[-1][-1].language != one.language:
            groups.append([])
            filled, said = 0.0, 0
        groups[-1].append(one)
        filled, said = filled + length, said + count
    return groups


def _example(group: Sequence[_Island], turns: Sequence[Segment], seconds: float, touching: set[float]) -> Example:
    edges = sorted(edge for turn in turns for edge in _times(turn))
    padded = {
        edge: edge if edge in touching else _padded(edge, side, edges, seconds) for one in group for edge, side in one.edges
    }
    bounds = [(padded[one.start], padded[one.end]) for one in group]
    stretches: list[Stretch] = []
    for start, end in ((int(a * SAMPLE_RATE), int(b * SAMPLE_RATE)) for a, b in bounds):
        if stretches and start <= stretches[-1].end:
            stretches[-1] = replace(stretches[-1], end=max(end, stretches[-1].end))
        else:
            stretches.append(Stretch(start, end))
    text = collapse_spaces(" ".join(one.text for one in group))
    return Example(group[0].turns[0].session_id, Window(tuple(stretches)), text, group[0].language)


def _padded(edge: float, side: int, edges: Sequence[float], seconds: float) -> float:
    """An edge of an island moved outwards by the padding, but no further than half way to the next turn."""
    others = [one for one in edges if (one - edge) * side > 0]
    nearest = min((abs(one - edge) for one in others), default=2 * PADDING)
    return min(seconds, max(0.0, edge + side * min(PADDING, nearest / 2)))
