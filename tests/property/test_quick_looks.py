"""What a check looks at closely is chosen by a quick look: it never passes over what the close look would find."""

import tomllib
from itertools import chain, pairwise
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from parakh.qc import Material, Source
from parakh.qc._digits import may_reach, runs
from parakh.qc._names import has_cue, names_in
from parakh.qc._texts import holding, passages
from parakh.qc.forms_disagree import _agree, unlike
from parakh.text.personal import find, may_hold
from parakh.types import Entry, Recording, Segment, Summary, Topics

ROOT = Path(__file__).parents[2]
LISTS = ROOT / "src" / "parakh" / "qc" / "lists"
NUMBERS = ROOT / "src" / "parakh" / "languages" / "numbers"


def listed(path: Path) -> list[str]:
    """Every text of the lists in a file, of lists in them too."""
    lists = tomllib.loads(path.read_text("utf-8")).values()
    return [text for own in lists for one in own for text in ([one] if isinstance(one, str) else one)]


def number_words(tag: str) -> list[str]:
    return list(chain(*tomllib.loads((NUMBERS / f"{tag}.toml").read_text("utf-8"))["values"].values()))


CUES = listed(LISTS / "names.toml")
SPOKEN = [*number_words("hi"), *number_words("kn"), *number_words("en"), *listed(LISTS / "digits.toml"), "सौ", "पौने", "ನೂರು"]
DIGITS = st.integers(0, 10**7).map(str) | st.sampled_from(("९८", "೪೫६", "1½", "98.6", "+91", "5mg", "अ5", "नौ-आठ-सात"))
OTHERS = st.sampled_from(
    ("दवा", "tablet", "टैबलेट", "BP", "बीपी", "है।", "Asha", "रेखा", "<noise>", "<एक दो>", "<", "-", ",", ".", "?", "हाँ")
)
WRITTEN = st.sampled_from(
    ("asha@example.com", "@", "gmail", "जीमेल", "जी मेल", "एट", "at", "dot com", "डॉट कॉम", "डॉट", ".", "ABCPK1234L", "abc1234567")
) | st.sampled_from(
    ("x एट y डॉट कॉम", "asha at clinic dot com", "ಆಶಾ ಅಟ್ ಮನೆ ಡಾಟ್ ಕಾಮ್", "asha at clinic . in", "आशा रेडिफ डॉट कॉम", "asha yahoo.com")
)
GAPS = st.sampled_from((" ",) * 6 + ("  ", "\u00a0", "-", ", ", "\u2028", ""))


def talk(*parts: st.SearchStrategy[str], most: int = 10) -> st.SearchStrategy[str]:
    return st.lists(st.tuples(st.one_of(parts), GAPS).map("".join), max_size=most).map("".join)


NUMBERED = talk(st.sampled_from(SPOKEN), DIGITS, OTHERS)


@example([("पौने सौ", 1.0)], "hi")
@example([("triple nine", 1.0)], "en")
@example([("ಇಪ್ಪತ್ತ ಐದು", 1.0)], "kn")
@given(st.lists(st.tuples(NUMBERED, st.floats(0, 9)), max_size=4), st.sampled_from(("hi", "kn", "en", None)))
def test_as_many_digits_as_are_read_out_may_be_reached(said: list[tuple[str, float]], tag: str | None) -> None:
    segments, now = [], 0.0
    for place, (words, pause) in enumerate(said):
        segments.append((place, Segment("v1", "a", now + pause, now + pause + 1, words)))
        now += pause + 1
    for run in runs(segments, tag, 5.0):
        assert may_reach(len(run.digits), segments, tag, 5.0)


@given(talk(st.sampled_from(CUES), OTHERS))
def test_no_name_is_found_without_a_cue(text: str) -> None:
    assert not names_in(text) or any(map(has_cue, text.split(" ")))


@given(talk(DIGITS, WRITTEN, OTHERS), st.booleans())
def test_no_personal_number_is_found_without_a_word_of_one(text: str, name: bool) -> None:
    assert not find(text, name=name, strict=False) or any(map(may_hold, text.split(" ")))


PAIRS = st.sampled_from(
    (
        ("tablet", "टैबलेट"),
        ("BP", "बीपी"),
        ("है", "है।"),
        ("140", "एक सौ चालीस"),
        ("2", "दो"),
        ("दवा", "दवा"),
        ("3", "तीन"),
        ("दवा", "गोली"),
    )
)


@given(st.lists(PAIRS, max_size=6))
def test_forms_that_agree_word_by_word_have_no_other_words(pairs: list[tuple[str, str]]) -> None:
    """An alignment may see other numbers where two stand side by side ("100 एक"), and only there."""
    plain, native = (" ".join(words) for words in zip(*pairs, strict=True)) if pairs else ("", "")
    agree = _agree(plain, native, "hi")
    assert agree == (("दवा", "गोली") not in pairs)
    beside = any(one[0].isdecimal() and other[0].isdecimal() for one, other in pairwise(pairs))
    assert not agree or beside or unlike(plain, native, "hi")[0] == []


@given(st.lists(NUMBERED, max_size=5), NUMBERED, st.lists(st.sampled_from(("दवा", "है।", "BP", "", "tablet")), max_size=3))
def test_a_text_is_held_by_its_words_and_a_sign_by_all_together(texts: list[str], summary: str, wanted: list[str]) -> None:
    items = [Segment("v1", "a", 1.0, 2.0, text, forms=("BP है।",)) for text in texts]
    topics = Source("o", [Topics("v1", ("Fever",))])
    material = Material(
        Entry(Recording("v1")), None, None, Source("t", items), topics=topics, summary=Source("s", [Summary("v1", summary)])
    )
    assert holding(material, wanted.__contains__) == [one for one in passages(material) if set(one.text.split(" ")) & set(wanted)]
    assert holding(material, lambda text: "B" in text, together=True) == [one for one in passages(material) if "B" in one.text]
