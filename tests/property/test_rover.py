"""What holds for ROVER whatever the systems say."""

import random

import pytest

from parakh.errors import InputError
from parakh.fusion import Answer
from parakh.fusion.rover import Backend
from parakh.types import Segment

WORDS = ["बुखार", "है", "दो", "दिन", "से", "दवा", "ली", "नहीं", "पानी", "उबालकर", "पीना", "जी", "हाँ", "ठीक", "आना", "कल"]


def conversation(rng, turns=12):
    said, now = [], 0.0
    for k in range(turns):
        words = rng.choices(WORDS, k=rng.randint(1, 9))
        length = 0.4 * len(words)
        said.append(Segment("v", f"s{k % 2}", round(now, 2), round(now + length, 2), " ".join(words), language="hi"))
        now += length + rng.choice([-0.2, 0.1, 0.6, 1.5])
    return said


def noisy(rng, turns, wrong=0.15):
    heard = []
    for turn in turns:
        words = [rng.choice(WORDS) if rng.random() < wrong else word for word in turn.words.split() if rng.random() > wrong / 3]
        heard.append(Segment("v", turn.speaker, turn.start_time, turn.end_time, " ".join(words), language="hi"))
    return heard


def answers(*systems, weights=None):
    return [Answer(str(k), one, weights and weights[k]) for k, one in enumerate(systems)]


def text(turns, speaker):
    return " ".join(turn.words for turn in sorted(turns, key=lambda turn: turn.start_time) if turn.speaker == speaker).split()


def errors(said, heard):
    from rapidfuzz.distance import Levenshtein

    return sum(Levenshtein.distance(text(said, who), text(heard, who)) for who in ("s0", "s1"))


@pytest.mark.parametrize("copies", [1, 2, 4])
@pytest.mark.parametrize("boundaries", ["tolerant", "strict"])
def test_copies_of_a_system_give_its_words(copies, boundaries):
    for seed in range(15):
        one = conversation(random.Random(seed))
        fused, _ = Backend(boundaries=boundaries).fuse(answers(*[one] * copies))
        assert [text(fused, who) for who in ("s0", "s1")] == [text(one, who) for who in ("s0", "s1")]


def test_renamed_speakers_do_not_matter():
    for seed in range(10):
        rng = random.Random(seed)
        whole = conversation(rng)
        systems = [noisy(rng, whole) for _ in range(3)]
        renamed = [
            Segment("v", {"s0": "y", "s1": "x"}[t.speaker], t.start_time, t.end_time, t.words, language="hi") for t in systems[1]
        ]
        plain, _ = Backend().fuse(answers(*systems))
        other, _ = Backend().fuse(answers(systems[0], renamed, systems[2]))
        assert plain == other


def test_voting_mends_errors_that_are_independent():
    for seed in range(8):
        rng = random.Random(seed)
        whole = conversation(rng, turns=30)
        systems = [noisy(rng, whole) for _ in range(5)]
        fused, _ = Backend().fuse(answers(*systems))
        assert errors(whole, fused) < min(errors(whole, one) for one in systems) / 2


def test_a_system_with_all_the_weight_is_followed():
    for seed in range(10):
        rng = random.Random(seed)
        systems = [noisy(rng, conversation(random.Random(seed)), 0.4) for _ in range(3)]
        fused, _ = Backend(turns="first", boundaries="strict").fuse(answers(*systems, weights=[1.0, 0.0, 0.0]))
        assert [text(fused, who) for who in ("s0", "s1")] == [text(systems[0], who) for who in ("s0", "s1")]


@pytest.mark.parametrize(
    ("language", "said", "best"),
    [
        ("hi", ["भाई साहब आइए", "भाईसाहब आइए", "भाईसाहब आये"], "भाईसाहब आइए"),
        ("ml", ["ഇന്ന് അല്ലെങ്കിൽ", "ഇന്നല്ലെങ്കിൽ", "ഇന്നല്ലെങ്കിൽ"], "ഇന്നല്ലെങ്കിൽ"),
        ("ml", ["ഇന്നല്ലെങ്കിൽ", "ഇന്ന് അല്ലെങ്കിൽ", "വേറെ"], "ഇന്നല്ലെങ്കിൽ"),
    ],
)
def test_boundaries_split_no_vote(language, said, best):
    given = answers(*([Segment("v", words=words, language=language)] for words in said))
    assert Backend().fuse(given)[0][0].words == best


def test_a_boundary_would_otherwise_split_the_vote():
    given = answers(*([Segment("v", words=words, language="ml")] for words in ("ഇന്നല്ലെങ്കിൽ", "ഇന്ന് അല്ലെങ്കിൽ", "വേറെ", "വേറെ അല്ല")))
    assert Backend(boundaries="tolerant").fuse(given)[0][0].words != Backend(boundaries="strict").fuse(given)[0][0].words


def test_confidences_are_needed_where_they_vote():
    with pytest.raises(InputError, match="confidence: found 1 word without"):
        Backend(voting="maximum").fuse(answers([Segment("v", words="हाँ")], [Segment("v", words="हाँ", confidence=0.5)]))
    sure = answers([Segment("v", words="हाँ", confidence=0.9)], [Segment("v", words="ना", confidence=0.2)])
    assert Backend(voting="average").fuse(sure[::-1])[0][0].words == "हाँ"


def test_what_is_odd_is_told():
    _, findings = Backend().fuse(answers([Segment("v", "a", words="हाँ")], [Segment("v", "b", words="")]))
    assert [finding.code for finding in findings] == ["no-words", "speakers-left-out"]
