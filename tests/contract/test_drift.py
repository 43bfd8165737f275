"""Drift, artefacts, loops, words over silence, and references that disagree with themselves."""

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parakh.diagnostics import Charge, Event, EventKind, Pair, Unit
from parakh.diagnostics.artefacts import artefacts
from parakh.diagnostics.drift import directions, mixed_words, script_uses
from parakh.diagnostics.hallucination import hallucinations, loops
from parakh.diagnostics.self_consistency import inconsistencies
from parakh.text.tokens import Kind
from parakh.types import Op, Segment


def unit(text, **known):
    return Unit(text, Kind.LEXICAL, "LEXICAL", **known)


def hit(text, heard=None, **known):
    return Pair((unit(text, **known),), (unit(text if heard is None else heard, **known),))


def wrong(said, heard, **known):
    one, other = unit(said, **known), unit(heard, **known)
    return Pair((one,), (other,), (Charge(Op.SUBSTITUTION, "LEXICAL", one, other),))


def added(text, **known):
    one = unit(text, **known)
    return Pair((), (one,), (Charge(Op.INSERTION, "LEXICAL", None, one),))


def lost(text, **known):
    one = unit(text, **known)
    return Pair((one,), (), (Charge(Op.DELETION, "LEXICAL", one, None),))


def corpus(*pairs, session="v1"):
    return [(session, pair) for pair in pairs]


def test_directions_by_language():
    # ಅಂದ್ರೆ is spoken, ಅಂದರೆ written (vectors v032 and v033): errors and forgiven differences both tell a direction.
    forgiven = Pair(
        (unit("ಅವರಿಗೆ", language="kn"),),
        (unit("ಅವ್ರಿಗೆ", language="kn"),),
        (),
        (Event(EventKind.ORTHOGRAPHIC, "colloquial", "ಅವರಿಗೆ", "ಅವ್ರಿಗೆ"),),
    )
    found = directions(
        corpus(
            wrong("ಅಂದ್ರೆ", "ಅಂದರೆ", language="kn"),
            forgiven,
            wrong("ಮಾಡಿ", "ಮಾಡು", language="kn"),
            wrong("दिल", "दिन", language="hi"),
        )
    )
    assert list(found) == ["kn"]
    assert (found["kn"].spoken_to_formal, found["kn"].formal_to_spoken, found["kn"].level) == (1, 1, 1)
    assert found["kn"].rows == (("ಅಂದ್ರೆ", "ಅಂದರೆ", 1), ("ಅವರಿಗೆ", "ಅವ್ರಿಗೆ", 1))


def test_script_uses_tell_what_a_language_is_not_written_in():
    uses = script_uses(corpus(wrong("डॉक्टर", "doctor", language="hi"), hit("बुखार", language="hi"), added("안녕", language="hi")))
    assert [(one.script, one.expected, one.reference, one.hypothesis) for one in uses] == [
        ("Deva", True, 2, 1),
        ("Hang", False, 0, 1),
        ("Latn", False, 0, 1),
    ]


def test_numerals_have_no_script_of_words():
    number = Unit("250", Kind.NUMERAL, "NUMERAL", language="hi")
    assert script_uses(corpus(Pair((number,), (number,)))) == ()


@pytest.mark.parametrize(
    ("word", "scripts", "alike"),
    [("doctorजी", ("Deva", "Latn"), False), ("p\u0430racetamol", ("Cyrl", "Latn"), True), ("ಅఅ", ("Knda", "Telu"), True)],
)
def test_words_of_two_scripts(word, scripts, alike):
    (found,) = mixed_words(corpus(wrong("दवा", word, language="hi")))
    assert (found.text, found.scripts, found.look_alike, found.side, found.count) == (word, scripts, alike, "hypothesis", 1)
    assert found.examples[0].reference.here == "दवा"


def test_a_term_of_words_in_two_scripts_is_no_mixed_word():
    assert mixed_words(corpus(hit("iron की गोली"))) == ()


def in_text(text):
    return [(one.kind, one.text, one.means) for one in artefacts([Segment("v1", words=text)])]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("जी <0xE0><0xA4><0x95>", [("byte token", "<0xE0><0xA4><0x95>", "क")]),
        ("जी <0xE0><0xA4>", [("byte token", "<0xE0><0xA4>", None)]),
        ("बु\ufffd\ufffdर", [("replacement character", "\ufffd\ufffd", None)]),
        (r"\xe0\xa4\xb9\xe0\xa5\x88", [("escaped bytes", r"\xe0\xa4\xb9\xe0\xa5\x88", "है")]),
        (r"ठीक \ud83d\ude00", [("surrogate", r"\ud83d\ude00", None)]),
        ("ठीक \ud83d", [("surrogate", r"\ud83d", None)]),
        (
            "<|hi|>▁दवा<unk>",
            [("tokeniser piece", "<|hi|>", None), ("tokeniser piece", "▁", None), ("tokeniser piece", "<unk>", None)],
        ),
        ("है".encode().decode("latin-1"), [("mojibake", "à¤¹à¥\x88", "है")]),
        ("है".encode().decode("cp1252"), [("mojibake", "à¤¹à¥ˆ", "है")]),
        ("itâ€™s", [("mojibake", "â€™", "’")]),
        ("à¤", [("mojibake", "à¤", None)]),
        ("café, naïve, 90° <noise> [laughs] 25 < 50", []),
        ("बुखार है।", []),
        ("", []),
    ],
)
def test_artefacts(text, found):
    assert in_text(text) == found


def test_artefacts_know_their_place():
    (one,) = artefacts([Segment("v1", "spk0", 1.0, 2.0, "\ufffd")])
    assert (one.session_id, one.speaker, one.time) == ("v1", "spk0", (1.0, 2.0))
    assert json.loads(json.dumps(asdict(one)))["kind"] == "replacement character"


@given(st.text(st.characters(min_codepoint=0x900, max_codepoint=0xDFF, categories=("L", "M", "N")), min_size=1))
def test_indic_text_read_as_latin_1_is_mended(text):
    assert in_text(text.encode().decode("latin-1")) == [("mojibake", text.encode().decode("latin-1"), text)]
    assert in_text(text) == []


def loop_of(pairs):
    return [(one.text, one.count, one.reference_count) for one in loops(corpus(*pairs))]


def test_a_looping_decoder():
    # v130 of the shared vectors: हाँ -> हाँ हाँ हाँ हाँ.
    assert loop_of([hit("हाँ"), *[added("हाँ")] * 3]) == [("हाँ", 4, 1)]


def test_what_the_reference_repeats_too_is_no_loop():
    assert loop_of([hit("हाँ")] * 5) == []
    assert loop_of([*[hit("हाँ")] * 4, *[added("हाँ")] * 2]) == []
    assert loop_of([*[hit("हाँ")] * 4, *[added("हाँ")] * 5]) == [("हाँ", 9, 4)]


def test_a_phrase_in_a_loop_is_listed_once_and_as_short_as_it_is():
    said = [hit("दवा"), hit("लो")]
    again = [added("दवा"), added("लो")] * 7
    assert loop_of([hit("आप"), *said, *again, hit("ठीक")]) == [("दवा लो", 8, 1)]


def test_three_times_is_emphasis():
    assert loop_of([hit("नहीं"), added("नहीं"), added("नहीं")]) == []


def test_signs_in_a_loop_inside_a_word():
    assert loop_of([wrong("हाँ", "हा" * 12)]) == [("हा", 12, 0)]
    assert loop_of([wrong("ह", "ह" * 7)]) == []


def test_loops_of_two_speakers_and_recordings_stay_apart():
    voices = [added("हाँ", speaker=f"s{k % 2}") for k in range(4)]
    assert loop_of(voices) == []
    assert loops(corpus(*[added("हाँ")] * 2) + corpus(*[added("हाँ")] * 2, session="v2")) == ()


def slow_loops(words):
    """(start, phrase, times) of the leftmost and then shortest phrases that stand at least 4 times in a row."""
    found, start = [], 0
    while start < len(words):
        for length in range(1, len(words) // 4 + 1):
            phrase, times = words[start : start + length], 1
            while words[start + times * length : start + (times + 1) * length] == phrase:
                times += 1
            if times >= 4:
                found.append((" ".join(phrase), times))
                start += times * length - 1
                break
        start += 1
    return found


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "a b", "a b c"]), st.integers(1, 6)), max_size=5))
def test_loops_equal_the_obvious_search(parts):
    words = " ".join(" ".join([phrase] * times) for phrase, times in parts).split()
    assert [(one.text, one.count) for one in loops(corpus(*map(added, words)))] == slow_loops(words)


def found_in(pairs, reference, **options):
    return [(one.kind, one.text, one.words) for one in hallucinations(corpus(*pairs), reference, **options)]


def test_words_over_an_empty_reference():
    # v110 of the shared vectors: nothing was said, two words were written.
    assert found_in([added("नमस्ते"), added("जी")], [Segment("v1")]) == [("empty reference", "नमस्ते जी", 2)]


def test_words_over_silence():
    speech = [Segment("v1", "A", 0.0, 2.0, "दवा ली"), Segment("v1", "A", 10.0, 12.0, "")]
    pairs = [
        hit("दवा", time=(0.0, 1.0)),
        added("जी", time=(2.2, 2.4)),
        added("देखिए", time=(5.0, 5.5)),
        added("सब्सक्राइब", time=(5.5, 6.0)),
        added("करें", time=(10.5, 11.0)),
    ]
    assert found_in(pairs, speech) == [("silence", "देखिए सब्सक्राइब", 2), ("empty reference", "करें", 1)]
    assert found_in(pairs, speech, collar=0.0)[0] == ("silence", "जी देखिए सब्सक्राइब", 3)


def test_a_long_run_of_insertions_beside_speech():
    words = [added(word) for word in ["क", "ख", "ग", "घ", "च", "छ"]]
    assert found_in([hit("दवा"), *words], [Segment("v1", words="दवा")]) == [("run", "क ख ग घ च छ", 6)]
    assert found_in([hit("दवा"), *words[:5]], [Segment("v1", words="दवा")]) == []
    assert found_in([hit("दवा"), *words[:3], hit("ली"), *words[3:]], [Segment("v1", words="दवा ली")]) == []


def test_references_that_disagree_with_themselves():
    words = ["हूँ", "हूं", "हूँ", "चीज़", "चीज", "गरम", "गर्म", "दिन", "दान", "डॉक्टर", "doctor", "गये", "गए", "क्या", "किया"]
    pairs = [lost(word, language="hi") for word in words]
    found = inconsistencies(corpus(*pairs), {"doctor": "डॉक्टर"})
    assert [(one.evidence, [(spelling.text, spelling.count) for spelling in one.spellings], one.minority) for one in found] == [
        ("fold", [("गए", 1), ("गये", 1)], 1),
        ("fold", [("चीज", 1), ("चीज़", 1)], 1),
        ("fold", [("हूँ", 2), ("हूं", 1)], 1),
        ("variant", [("doctor", 1), ("डॉक्टर", 1)], 1),
        ("skeleton", [("गरम", 1), ("गर्म", 1)], 1),
    ]
    assert found[2].spellings[1].examples[0].reference.here == "हूं"


def test_spoken_forms_in_the_references():
    found = inconsistencies(corpus(*(lost(word, language="kn") for word in ["ಅಂದ್ರೆ", "ಅಂದರೆ", "ಮಾಡಿ", "ಮಾಡು", "ನಾನು", "ನೀನು"])))
    assert [(one.evidence, [spelling.text for spelling in one.spellings]) for one in found] == [("skeleton", ["ಅಂದರೆ", "ಅಂದ್ರೆ"])]


def test_languages_and_the_hypothesis_do_not_mix():
    pairs = [wrong("हूँ", "हूं", language="hi"), lost("हूं", language="mr")]
    assert inconsistencies(corpus(*pairs)) == ()


def test_capitals_are_no_other_spelling():
    assert inconsistencies(corpus(lost("Doctor", language="en"), lost("doctor", language="en"))) == ()


def test_nothing_gives_nothing():
    assert directions([]) == {}
    assert script_uses([]) == mixed_words([]) == artefacts([]) == loops([]) == hallucinations([], []) == inconsistencies([]) == ()


def test_a_turn_under_a_wrong_speaker_is_not_words_nobody_said():
    from parakh.diagnostics.alignment import align_session
    from parakh.diagnostics.setup import Setup

    first, text = " ".join(f"क{k}ख" for k in range(20)), "एक दो तीन चार पाँच छह सात आठ"
    said = [Segment("v", "A", 0.0, 4.0, first), Segment("v", "A", 4.0, 8.0, text)]
    for heard in (text, "यहाँ कोई और बात है जो किसी ने कही नहीं थी"):
        turns = [Segment("v", "p", 0.0, 4.0, first), Segment("v", "q", 4.0, 8.0, heard)]
        corpus = [("v", pair) for pair in align_session(said, turns, Setup("hi"), collar=3.0)]
        assert [one.kind for one in hallucinations(corpus, said)] == ([] if heard == text else ["run"])
