"""What is left when words of two scripts may be the same: never more than before, and no fewer than any alignment leaves."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.diagnostics.alignment import align_texts
from parakh.diagnostics.lenient import all_points, transliterated
from parakh.diagnostics.setup import Setup
from parakh.text.sounds import sound_alike

LATIN = st.lists(st.sampled_from(["doctor", "tablet", "sugar"]), max_size=7)
INDIAN = st.lists(st.sampled_from(["डॉक्टर", "टैबलेट", "दवा"]), max_size=7)
MIXED = st.lists(st.sampled_from(["doctor", "डॉक्टर", "tablet", "टैबलेट", "दवा", "लो", ","]), max_size=9)
SETUP = Setup("hi", boundaries=False, numbers=False)


def slow(said: list[str], heard: list[str]) -> int:
    """Edit distance with words that sound alike as equal; a mark only stands for a mark."""
    table = {(i, 0): i for i in range(len(said) + 1)} | {(0, j): j for j in range(len(heard) + 1)}
    for i, j in product(range(len(said)), range(len(heard))):
        one, other = said[i], heard[j]
        change = 0 if one == other or sound_alike(one, other) else 1 if (one == ",") == (other == ",") else 2
        table[i + 1, j + 1] = min(table[i, j] + change, table[i, j + 1] + 1, table[i + 1, j] + 1)
    return table[len(said), len(heard)]


@settings(deadline=None)
@given(LATIN, INDIAN)
def test_within_one_run_of_errors_the_least_is_left(said: list[str], heard: list[str]) -> None:
    corpus = [("v", pair) for pair in align_texts(" ".join(said), " ".join(heard), SETUP)]
    assert transliterated(corpus).errors == slow(said, heard)


@settings(deadline=None)
@given(MIXED, MIXED)
def test_there_are_never_more_errors_than_in_the_alignment(said: list[str], heard: list[str]) -> None:
    corpus = [("v", pair) for pair in align_texts(" ".join(said), " ".join(heard), SETUP)]
    result = transliterated(corpus)
    charged = sum(len(pair.errors) for _, pair in corpus)
    assert slow(said, heard) <= result.errors <= charged - bool(result.forgiven)
    assert result.length == len(said)
    for row in result.forgiven:
        assert row.count <= min(said.count(row.reference), heard.count(row.hypothesis))


@settings(deadline=None)
@given(MIXED, MIXED)
def test_points_of_kinds_share_out_all_errors(said: list[str], heard: list[str]) -> None:
    corpus = [("v", pair) for pair in align_texts(" ".join(said), " ".join(heard), SETUP)]
    points = all_points(corpus).values()
    charged = sum(one.substitutions + one.deletions + one.insertions for one in points)
    assert charged == sum(len(pair.errors) for _, pair in corpus)
    assert sum(one.length for one in points) == len(said)
