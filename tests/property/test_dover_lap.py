"""What holds for DOVER-Lap whatever the systems say."""

import random

import pytest

from parakh.errors import InputError
from parakh.fusion import Answer, method, sessions
from parakh.fusion.dover_lap import MOST_COMBINATIONS, Backend
from parakh.metrics import der
from parakh.types import Segment


def conversation(rng, speakers=3, turns=20):
    """Turns of everybody, one after the other, with pauses and overlap of two."""
    said, now = [], 0.0
    for k in range(turns):
        length = rng.randint(50, 500) / 100
        said.append(
            Segment("v", f"s{k % speakers if k < speakers else rng.randrange(speakers)}", round(now, 2), round(now + length, 2))
        )
        now = max(now + length * 0.6, now + length + rng.randint(-150, 120) / 100)
    return said


def moved(rng, turns, most=20):
    """The same speakers, heard a little earlier or later."""
    heard = []
    for turn in turns:
        start = max(0.0, turn.start_time + rng.randint(-most, most) / 100)
        heard.append(
            Segment(
                "v", turn.speaker, round(start, 2), round(max(start + 0.2, turn.end_time + rng.randint(-most, most) / 100), 2)
            )
        )
    return heard


def answers(*systems):
    return [Answer(str(k), one) for k, one in enumerate(systems)]


def spoken(turns):
    """Who speaks when, turns of a speaker that touch or overlap made one."""
    found = {}
    for turn in sorted(turns, key=lambda turn: (turn.speaker, turn.start_time)):
        spans = found.setdefault(turn.speaker, [])
        if spans and turn.start_time <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], turn.end_time)
        else:
            spans.append([turn.start_time, turn.end_time])
    return found


def without_names(turns):
    return sorted(spoken(turns).values())


@pytest.mark.parametrize(
    "options", [{}, {"smoothing": 0.0}, {"mapping": "hungarian"}, {"weighting": "equal"}, {"weighting": "norm"}]
)
@pytest.mark.parametrize("copies", [1, 2, 3, 5])
def test_copies_of_a_system_give_that_system(copies, options):
    for seed in range(20):
        one = conversation(random.Random(seed), speakers=1 + seed % 4)
        fused, _ = Backend(**options).fuse(answers(*[one] * copies))
        assert spoken(fused) == spoken(one)


@pytest.mark.parametrize("mapping", ["greedy", "hungarian"])
def test_names_and_the_order_of_turns_do_not_matter(mapping):
    for seed in range(30):
        rng = random.Random(seed)
        whole = conversation(rng)
        systems = [moved(rng, whole) for _ in range(3)]
        renamed = []
        for system in systems:
            names = dict(zip(["s0", "s1", "s2"], rng.sample("pqr", 3), strict=True))
            renamed.append(rng.sample([Segment("v", names[t.speaker], t.start_time, t.end_time) for t in system], len(system)))
        plain, other = (Backend(mapping=mapping).fuse(answers(*given))[0] for given in (systems, renamed))
        assert without_names(plain) == without_names(other)


@pytest.mark.parametrize("mapping", ["greedy", "hungarian"])
def test_the_order_of_systems_does_not_matter_where_their_votes_are_equal(mapping):
    for seed in range(30):
        rng = random.Random(seed)
        whole = conversation(rng)
        systems = [moved(rng, whole) for _ in range(4)]
        options = Backend(mapping=mapping, weighting="equal", smoothing=0.0)
        plain, other = (options.fuse(answers(*given))[0] for given in (systems, systems[::-1]))
        assert without_names(plain) == without_names(other)


def test_nobody_speaks_where_no_system_hears_anybody():
    for seed in range(30):
        rng = random.Random(seed)
        systems = [moved(rng, conversation(rng, speakers=1 + rng.randrange(4)), 100) for _ in range(3)]
        fused, _ = Backend().fuse(answers(*systems))
        everybody = [Segment("v", "all", t.start_time, t.end_time) for system in systems for t in system]
        anybody = [Segment("v", "all", t.start_time, t.end_time) for t in fused]
        assert der.stats(everybody, anybody)["false_alarm"] == 0


def test_one_system_with_all_the_weight_wins():
    for seed in range(20):
        rng = random.Random(seed)
        whole = conversation(rng)
        first, *others = (moved(rng, whole, 60) for _ in range(3))
        given = [Answer("a", first, 1.0), *(Answer("b", other, 0.0) for other in others)]
        fused, _ = Backend(smoothing=0.0).fuse(given)
        assert without_names(fused) == without_names(first)


def test_fusing_helps_where_errors_are_independent():
    """Of five systems whose boundaries err alone, the vote is nearer to the truth than the best of them."""
    for seed in range(10):
        rng = random.Random(seed)
        whole = conversation(rng, turns=60)
        systems = [moved(rng, whole, 60) for _ in range(5)]
        fused, _ = Backend(weighting="equal").fuse(answers(*systems))
        assert der.score(der.stats(whole, fused)) < min(der.score(der.stats(whole, one)) for one in systems)


def test_what_is_odd_is_told():
    whole = [Segment("v", "a", 0.0, 4.0), Segment("v", "b", 4.0, 9.0)]
    flat, far = [Segment("v", "x", 0.0, 9.0)], [Segment("v", "z", 20.0, 21.0)]
    _, findings = Backend().fuse(answers(whole, whole, flat, far, [Segment("v", "n", 3.0, 3.0)]))
    assert [finding.code for finding in findings] == ["no-speech", "one-speaker", "one-speaker", "nothing-in-common"]
    fused, findings = Backend().fuse(answers(whole, [Segment("v", "n", 3.0, 3.0)]))
    assert spoken(fused) == spoken(whole)
    assert [finding.code for finding in findings] == ["no-speech", "one-system"]
    assert Backend().fuse(answers([Segment("v", "n", 3.0, 3.0)]))[0] == []


def test_too_many_combinations_ask_for_the_other_mapping():
    one = [Segment("v", f"s{k}", k, k + 1.0) for k in range(20)]
    assert MOST_COMBINATIONS < 20**5
    with pytest.raises(InputError, match="Choose the mapping hungarian"):
        Backend().fuse(answers(*[one] * 5))
    assert spoken(Backend(mapping="hungarian").fuse(answers(*[one] * 5))[0]) == spoken(one)


def test_options_out_of_range_are_told_together():
    with pytest.raises(InputError) as error:
        method("diarization", "dover-lap", {"mapping": "random", "smoothing": -1.0})
    assert [fault.field for fault in error.value.faults] == ["mapping", "smoothing"]


def test_a_recording_that_a_system_lacks_is_a_fault_unless_allowed():
    both, one = [Segment("v1", "a", 0, 1), Segment("v2", "a", 0, 1)], [Segment("v2", "x", 0, 1)]
    with pytest.raises(InputError, match=r"b: found 1 recording missing that others have \(v1\), expected every recording"):
        list(sessions([Answer("a", both), Answer("b", one)]))
    found = list(sessions([Answer("a", both), Answer("b", one)], allow_missing=True))
    assert [(name, [answer.system for answer in own]) for name, own in found] == [("v1", ["a"]), ("v2", ["a", "b"])]
    with pytest.raises(InputError, match="--session: found 'v9'"):
        list(sessions([Answer("a", both)], wanted=["v9"]))
