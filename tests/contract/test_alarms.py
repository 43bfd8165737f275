"""Alarms: every change of meaning is told once, and no difference in writing is one."""

import csv
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parakh import languages
from parakh.diagnostics import Charge, Event, EventKind, Pair, Unit
from parakh.diagnostics.alarms import alarms
from parakh.diagnostics.alignment import align_session, align_texts
from parakh.diagnostics.categories import parse_terms
from parakh.diagnostics.setup import Setup
from parakh.diagnostics.text_pairs import read_config
from parakh.text.tokens import tokenize
from parakh.types import Op, Segment, Severity


def units(text, language):
    known = {"language": language, "speaker": "asha", "time": (1.0, 2.0)}
    return [Unit(one.text, one.kind, one.kind.value, start=one.start, end=one.end, **known) for one in tokenize(text)]


def pairs(steps, language="hi"):
    """Pairs of (reference, hypothesis) texts: equal is a hit, both sides a substitution, one side a deletion or insertion."""
    found = []
    for said, heard in steps:
        reference, hypothesis = units(said, language), units(heard, language)
        if said == heard:
            found += [Pair((one,), (one,)) for one in reference]
            continue
        charges = [
            Charge(
                Op.SUBSTITUTION if one and other else Op.DELETION if one else Op.INSERTION,
                (one or other).category,
                one,
                other,
            )
            for one, other in zip(
                reference + [None] * (len(hypothesis) - len(reference)),
                hypothesis + [None] * (len(reference) - len(hypothesis)),
                strict=True,
            )
        ]
        found += [Pair((c.reference,) if c.reference else (), (c.hypothesis,) if c.hypothesis else (), (c,)) for c in charges]
    return found


def told(*steps, language="hi", session="v1"):
    return [(one.kind, one.message) for one in alarms([(session, pair) for pair in pairs(steps, language)])]


def kinds(*steps, language="hi"):
    return [kind for kind, _ in told(*steps, language=language)]


# The shared vectors v056 to v059, v063, v064 and v067 (negations lost), as the right alignment has them.
@pytest.mark.parametrize(
    ("language", "steps"),
    [
        ("hi", [("वह", "वहीं"), ("नहीं", ""), ("है", "है")]),
        ("hi", [("यह", "यहीं"), ("नहीं", ""), ("है", "है")]),
        ("hi", [("कब", ""), ("नहीं", "कहीं"), ("आया", "आया")]),
        ("hi", [("मत", "माओ"), ("जाओ", "")]),
        ("hi", [("दवा", "दवा"), ("मत", ""), ("लो", "लो")]),
        ("ta", [("சாப்பிட", "சாப்பிடேண்டாம்"), ("வேண்டாம்", "")]),
        ("te", [("మందు", "మందద్దు"), ("వద్దు", "")]),
        ("en", [("do", "do"), ("not", "now"), ("take", "take")]),
        ("kn", [("ನೋವು", "ನೋವು"), ("ಇಲ್ಲ", "ಇದೆ")]),
    ],
)
def test_a_negation_lost(language, steps):
    assert kinds(*steps, language=language) == ["negation lost"]


def test_a_negation_gained_is_an_error_with_its_place():
    (alarm,) = alarms([("v1", pair) for pair in pairs([("दर्द", "दर्द"), ("", "नहीं"), ("है", "है")])])
    assert (alarm.kind, alarm.severity, alarm.session_id, alarm.speaker, alarm.time) == (
        "negation gained",
        Severity.ERROR,
        "v1",
        "asha",
        (1.0, 2.0),
    )
    assert (str(alarm.reference), str(alarm.hypothesis), alarm.hypothesis.here) == ("दर्द है", "दर्द नहीं है", "नहीं")


@pytest.mark.parametrize(
    "steps",
    [
        [("मत", "नहीं"), ("जाओ", "जाओ")],
        [("नहीं", "न"), ("है", "है")],
        [("नहीं", ""), ("गया", "गया"), ("", "नहीं")],
        [("नहीं नहीं", "नहीं"), ("है", "है")],
        [("नहीं", "नहीं"), ("नहीं", ""), ("है", "है")],
        [("", "नहीं"), ("", "अब"), ("नहीं", ""), ("अब", "नहीं"), ("नहीं", "")],
    ],
)
def test_another_negation_or_another_place_is_no_alarm(steps):
    assert kinds(*steps) == []


@pytest.mark.parametrize(("said", "heard"), [("ಗೊತ್ತಿಲ್ಲ", "ಗೊತ್ತು ಇಲ್ಲ"), ("ಮಾಡಲ್ಲ", "ಮಾಡೋದಿಲ್ಲ"), ("ಹೋಗಬೇಡ", "ಹೋಗೋದು ಬೇಡ")])
def test_a_negation_written_onto_its_verb_is_kept(said, heard):
    assert kinds((said, heard), language="kn") == []
    assert kinds((said, "ಆಯ್ತು"), language="kn") == ["negation lost"]


@pytest.mark.parametrize("word", ["ಎಲ್ಲ", "ಎಲ್ಲರು", "ಇಲ್ಲಿ", "ಬೆಲ್ಲ"])
def test_words_that_only_look_negative_deny_nothing(word):
    assert kinds((word, "ಆಯ್ತು"), language="kn") == []


@pytest.mark.parametrize(
    ("steps", "severity"),
    [
        ([("नहीं", ""), ("दीदी , दर्द नहीं", "दीदी , दर्द नहीं")], Severity.WARNING),  # "no" of an answer that denies once more
        ([("है ।", "है ।"), ("नहीं", ""), (", दर्द नहीं", ", दर्द नहीं")], Severity.WARNING),
        ([("नहीं", ""), ("दीदी । दर्द नहीं", "दीदी । दर्द नहीं")], Severity.ERROR),  # another sentence
        ([("नहीं", ""), ("खाया , दर्द नहीं", "खाया , दर्द नहीं")], Severity.ERROR),  # it denies its own verb
        ([("दर्द", "दर्द"), ("नहीं", ""), (", बुखार नहीं", ", बुखार नहीं")], Severity.ERROR),
        ([("नहीं", ""), ("दीदी , दर्द", "दीदी , दर्द"), ("नहीं", "")], Severity.ERROR),  # the second is lost too
    ],
)
def test_a_no_that_only_begins_an_answer_which_denies_anyway_is_not_certain(steps, severity):
    assert alarms([("v1", pair) for pair in pairs(steps)])[0].severity is severity


def test_of_two_negations_the_one_that_is_not_there_is_lost():
    (alarm,) = alarms([("v1", pair) for pair in pairs([("नहीं", ""), ("है", "है"), ("तो", "तो"), ("नहीं", "नहीं"), ("है", "है")])])
    assert (alarm.kind, str(alarm.reference), alarm.reference.before) == ("negation lost", "नहीं है तो नहीं है", "")


def test_a_particle_that_may_deny_is_a_warning():
    (alarm,) = alarms([("v1", pair) for pair in pairs([("आइए", "आइए"), ("ना", "")])])
    assert alarm.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("steps", "message", "factor"),
    [
        ([("250", "25")], "250 became 25: ten times less", 0.1),
        ([("ढाई", "ढाई"), ("सौ", "")], None, None),
        ([("दो", "दो"), ("सौ", "सौ"), ("पचास", "")], "दो सौ पचास became दो सौ: 1.25 times less", 0.8),
        ([("500", "5000"), ("mg", "mg")], "500 mg became 5000 mg: ten times more", 10.0),
        ([("120/80", "120/90")], "120/80 became 120/90", None),
        ([("22.05.2023", "23.05.2023")], "22.05.2023 became 23.05.2023", None),
        ([("10:30", "11:30"), ("बजे", "बजे")], "10:30 बजे became 11:30 बजे", None),
        ([("तीन", "तेरह"), ("दिन", "दिन")], "तीन दिन became तेरह दिन: 4.33 times more", 13 / 3),
    ],
)
def test_a_number_changed(steps, message, factor):
    found = alarms([("v1", pair) for pair in pairs(steps)])
    assert [one.kind for one in found] == ["number changed"]
    if message is not None:
        assert (found[0].message, found[0].factor) == (message, pytest.approx(factor) if factor else None)


def test_an_article_lost_is_no_alarm():
    assert kinds(("एक", ""), ("बात", "बात")) == []
    assert kinds(("दवा", "दवा"), ("दो", "दे")) == []
    assert kinds(("एक", ""), ("गोली", "गोली")) == ["number lost"]


@pytest.mark.parametrize(("said", "heard"), [("mg", "ml"), ("एमजी", "एमएल"), ("गोली", "चम्मच"), ("दिन", "हफ्ते")])
def test_a_unit_changed_beside_a_number(said, heard):
    assert kinds(("5", "5"), (said, heard)) == ["unit changed"]
    assert kinds(("यह", "यह"), (said, heard)) == []


def test_a_unit_by_another_name_is_no_alarm():
    assert kinds(("500", "500"), ("mg", "मिलीग्राम")) == []


@pytest.mark.parametrize(
    ("said", "heard", "kind"),
    [
        ("पैरासिटामोल", "मेटफॉर्मिन", "drug swapped"),
        ("crocin", "combiflam", "drug swapped"),
        ("पैरासिटामोल", "परसों", "drug lost"),
        ("परसों", "मेटफॉर्मिन", "drug gained"),
    ],
)
def test_a_medicine_swapped_lost_or_gained(said, heard, kind):
    assert kinds(("दवा", "दवा"), (said, heard)) == [kind]


def test_a_brand_or_a_misspelling_of_the_same_medicine_is_no_alarm():
    assert kinds(("crocin", "paracetamol")) == []
    assert kinds(("पैरासिटामोल", "पेरासिटामॉल")) == []


@pytest.mark.parametrize(
    ("language", "said", "heard"),
    [("hi", "सिर", "पेट"), ("kn", "ತಲೆಯಲ್ಲಿ", "ಹೊಟ್ಟೆಯಲ್ಲಿ"), ("en", "knee", "shoulder"), ("hi", "घुटने", "knee")],
)
def test_body_parts(language, said, heard):
    expected = [] if heard == "knee" else ["body part swapped"]
    assert kinds((said, heard), language=language) == expected


def test_no_word_is_of_two_body_parts():
    lines = (files("parakh.diagnostics") / "lists" / "body_parts.txt").read_text("utf-8").split("\n")
    parts = {}
    for term in parse_terms("body part", lines).terms:
        parts.setdefault((term.language, term.words, term.stems), set()).add(term.name)
    assert {words for words, names in parts.items() if len(names) > 1} == set()
    assert {language for language, _, _ in parts} <= set(languages.names())


@pytest.mark.parametrize(
    ("language", "said", "heard", "found"),
    [
        ("hi", "दाएं", "बाएं", ["side swapped"]),
        ("kn", "ಎಡ", "ಬಲ", ["side swapped"]),
        ("en", "left", "right", ["side swapped"]),
        ("hi", "दाएँ", "दाएं", []),
        ("en", "right", "write", []),
    ],
)
def test_sides(language, said, heard, found):
    assert kinds((said, heard), language=language) == found


def test_a_difference_in_writing_is_never_an_alarm():
    said, heard = units("250", "hi"), units("ढाई सौ", "hi")
    same = Pair(tuple(said), tuple(heard), (), (Event(EventKind.FORMAT, "number", "250", "ढाई सौ"),))
    misread = Pair(
        tuple(units("नहीं", "hi")), tuple(units("नहि", "hi")), (), (Event(EventKind.ORTHOGRAPHIC, "variants", "नहीं", "नहि"),)
    )
    assert alarms([("v1", same), ("v1", misread), *[("v1", pair) for pair in pairs([("अच्छा", "ठीक")])]]) == ()


def test_recordings_are_told_apart():
    corpus = [("v1", pair) for pair in pairs([("नहीं", ""), ("है", "है")])] + [("v2", pair) for pair in pairs([("", "नहीं")])]
    assert [(one.session_id, one.kind) for one in alarms(corpus)] == [("v1", "negation lost"), ("v2", "negation gained")]


def test_only_marks_wrong_is_no_alarm():
    assert kinds(("नहीं", "नहीं"), ("।", "")) == []
    assert alarms([]) == ()


VECTORS = Path(__file__).parents[2] / ".." / "shared" / "data" / "indic-vectors.tsv"
MEANING = {
    "v001": ["number changed"],
    **{name: ["negation lost"] for name in ("v056", "v057", "v058", "v059", "v063", "v064", "v067")},
    **{name: ["number changed"] for name in ("v076", "v077", "v080", "v083", "v087")},
    "v101": ["number lost"],
}
"""The vectors whose hypothesis says another thing; no other vector says anything that hurts."""


@pytest.mark.skipif(not VECTORS.exists(), reason="the shared vectors are not here")
def test_the_vectors_alarm_where_the_meaning_changed():
    with VECTORS.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    found = {}
    for row in rows:
        setup = read_config(row["config"], Setup(row["lang"]))
        found[row["id"]] = [one.kind for one in alarms([("v", pair) for pair in align_texts(row["ref"], row["hyp"], setup)])]
    assert {name: kinds for name, kinds in found.items() if kinds} == {name: MEANING[name] for name in MEANING if name in found}


WORDS = ["नहीं", "मत", "250", "दो", "सौ", "mg", "ml", "सिर", "पेट", "दाएं", "crocin", "है", "।", "बजे"]
STEP = st.tuples(st.sampled_from(["", *WORDS]), st.sampled_from(["", *WORDS])).filter(any)


@given(st.lists(STEP, max_size=25))
def test_alarms_swap_with_the_sides(steps):
    """What is lost one way is gained the other."""
    steps = [("दवा", "दवा"), *steps]
    there = sorted(kinds(*steps))
    back = sorted(kinds(*((heard, said) for said, heard in steps)))
    count = {name: sum(kind.startswith(name) for kind in there) for name in ("negation", "drug", "side")}
    assert count == {name: sum(kind.startswith(name) for kind in back) for name in count}
    mirrored = {"lost": "gained", "gained": "lost"}
    negations = [kind for kind in there if kind.startswith("negation")]
    assert sorted(f"negation {mirrored[kind.split()[1]]}" for kind in negations) == [kind for kind in back if "negation" in kind]


@given(st.lists(st.sampled_from(WORDS), max_size=25))
def test_equal_texts_alarm_nobody(words):
    assert kinds(*((word, word) for word in words)) == []


def between(said, heard, language="en", **known):
    """The alarms between two texts of one recording."""
    row = align_texts(said, heard, Setup(language, **known))
    return alarms([("v1", pair) for pair in row])


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("1 g", "1000 mg"),
        ("0.5 g", "500 mg"),
        ("1000 mg", "1 g"),
        ("two weeks", "14 days"),
        ("1/2 tablet", "half tablet"),
        ("two times a day", "twice a day"),
        ("5%", "5 percent"),
        ("37 °C", "37 °"),
    ],
)
def test_the_same_amount_in_another_unit_is_no_alarm(said, heard):
    assert between(said, heard) == ()


@pytest.mark.parametrize(
    ("said", "heard", "kind", "factor"),
    [
        ("500 mg", "5 g", "number changed", 10.0),
        ("10 mg", "10 g", "unit changed", 1000.0),
        ("5 mg", "5 ml", "unit changed", None),
        ("2 tsp", "2 tbsp", "unit changed", None),
        ("2 teaspoons", "2 tablespoons", "unit changed", None),
        ("500 mg", "5 ml", "number changed", None),
        ("6 hours", "6 o'clock", "unit changed", None),
        ("₹250", "$250", "currency changed", None),
        ("₹250", "₹25", "number changed", 0.1),
        ("9876543210", "9876543201", "digits changed", None),
        ("100", "101", "number changed", 1.01),
        ("-5", "5", "number changed", -1.0),
        ("120/80", "120/90", "number changed", None),
        ("twice a day", "thrice a day", "number changed", 1.5),
        ("every 6 hours", "every 8 hours", "number changed", 8 / 6),
    ],
)
def test_how_many_times_counts_the_unit(said, heard, kind, factor):
    (alarm,) = between(said, heard)
    assert (alarm.kind, alarm.severity) == (kind, Severity.ERROR)
    assert alarm.factor == (pytest.approx(factor) if factor is not None else None)


@pytest.mark.parametrize(("said", "heard"), [("9876543210", "9876543201"), ("100", "101"), ("5 mg", "5 ml")])
def test_a_message_tells_no_factor_that_says_nothing(said, heard):
    assert between(said, heard)[0].message == f"{said} became {heard}"


@pytest.mark.parametrize(
    ("said", "heard"),
    [("1/2 गोली", "1-2 गोली"), ("1/2 tablet", "1 2 tablet"), ("98.6", "98 6"), ("2-3 दिन", "23 दिन"), ("1-2 गोली", "1/2 गोली")],
)
def test_a_mark_between_numerals_that_changes_the_value_is_one_alarm_with_both_wholes(said, heard):
    (alarm,) = between(said, heard, "hi")
    assert (alarm.kind, alarm.message) == ("number changed", f"{said} became {heard}")


@pytest.mark.parametrize(
    ("said", "heard"), [("120/80", "120-80"), ("2-3 दिन", "2 3 दिन"), ("दो, तीन दिन", "दो तीन दिन"), ("दो-तीन दिन", "दो तीन दिन")]
)
def test_a_mark_between_numerals_that_changes_no_value_is_no_alarm(said, heard):
    assert between(said, heard, "hi") == ()


def test_numbers_lost_next_to_one_another_are_one_alarm():
    assert [one.message for one in between("दवा 2-3 दिन लो", "दवा लो", "hi")] == ["2-3 दिन was lost"]
    assert len(between("दवा 25 दिन लो और फिर आना जब ठीक लगे तब 40 गोली", "दवा लो और फिर आना जब ठीक लगे तब", "hi")) == 2


@pytest.mark.parametrize(
    ("said", "heard", "kind"),
    [
        ("50%", "50", "unit lost"),
        ("101 डिग्री", "101", "unit lost"),
        ("500", "500 mg", "unit gained"),
        ("500 रुपये", "500", "unit lost"),
        ("दो दो गोली", "दो गोली", "each lost"),
        ("एक-एक गोली", "एक गोली", "each lost"),
        ("दो गोली", "दो दो गोली", "each gained"),
        ("सुबह शाम दवा", "सुबह दवा", "timing lost"),
        ("सुबह-शाम दवा", "सुबह दवा", "timing lost"),
        ("सुबह दवा", "सुबह शाम दवा", "timing gained"),
    ],
)
def test_a_unit_an_each_or_a_time_of_day_lost_is_a_warning(said, heard, kind):
    assert [(one.kind, one.severity) for one in between(said, heard, "hi")] == [(kind, Severity.WARNING)]


def test_words_that_are_no_dose_lose_no_each_and_a_part_of_the_day_by_itself_is_not_told():
    assert between("दो दो बातें", "दो बातें", "hi") == ()
    assert between("two two tablets", "two tablets") == ()
    assert between("शाम को आना", "को आना", "hi") == ()


@pytest.mark.parametrize(
    ("language", "said", "heard"),
    [
        ("hi", "खाने से पहले", "खाने के बाद"),
        ("kn", "ಊಟಕ್ಕೆ ಮುಂಚೆ", "ಊಟ ಆದ್ಮೇಲೆ"),
        ("kn", "ಬೆಳಿಗ್ಗೆ ತಗೊಳ್ಳಿ", "ರಾತ್ರಿ ತಗೊಳ್ಳಿ"),
        ("en", "before food", "after food"),
        ("en", "once a week", "once a day"),
        ("en", "6 am", "6 pm"),
        ("en", "on monday", "on tuesday"),
        ("hi", "सोमवार को", "मंगलवार को"),
        ("hi", "सुबह 8 बजे", "शाम 8 बजे"),
        ("hi", "हफ्ते में दो बार", "दिन में दो बार"),
    ],
)
def test_a_timing_changed(language, said, heard):
    assert [(one.kind, one.severity) for one in between(said, heard, language)] == [("timing changed", Severity.ERROR)]


@pytest.mark.parametrize(
    ("language", "said", "heard"),
    [("hi", "खाने से पहले", "भोजन से पहले"), ("en", "daily", "every day"), ("en", "good morning", "good evening")],
)
def test_the_same_timing_in_other_words_or_a_greeting_is_no_alarm(language, said, heard):
    assert between(said, heard, language) == ()


def test_a_side_is_lost_in_english_only_before_a_body_part():
    assert [(one.kind, one.severity) for one in between("left knee", "knee")] == [("side lost", Severity.ERROR)]
    assert [one.kind for one in between("the right upper arm", "the upper arm")] == ["side lost"]
    assert [one.kind for one in between("the left lower lobe", "the lower lobe")] == ["side lost"]
    assert between("you are right my knee", "you are my knee") == ()


def test_the_same_date_with_a_short_year_is_no_alarm():
    assert between("4/28/07", "4/28/2007") == ()
    assert [one.message for one in between("4/28/07", "4/28/2008")] == ["4/28/07 became 4/28/2008"]


@pytest.mark.parametrize(
    ("said", "heard", "severity"),
    [
        ("ठीक है न दीदी", "ठीक है दीदी", Severity.WARNING),
        ("मत खाओ न", "मत खाओ", Severity.WARNING),
        ("आओ न, बैठो", "आओ, बैठो", Severity.WARNING),
        ("न खाओ", "खाओ", Severity.ERROR),
        ("कुछ न खाओ", "कुछ खाओ", Severity.ERROR),
    ],
)
def test_a_tag_is_at_most_a_warning(said, heard, severity):
    assert [(one.kind, one.severity) for one in between(said, heard, "hi")] == [("negation lost", severity)]


def test_negations_are_named_without_marks():
    assert [one.message for one in between("no, not that", "yes, that")] == ["no not was lost"]


def turns(*rows):
    return [Segment("v1", speaker, start, start and start + 2.0, words, language="hi") for speaker, start, words in rows]


SAID = (
    ("A", 0.0, "दवा लो मेटफॉर्मिन 500 mg"),
    ("B", 3.0, "नहीं दीदी बुखार है"),
    ("A", 6.0, "ठीक है अब घर जाओ"),
    ("B", 60.0, "अच्छा जी"),
)


def attributed(heard, collar=None, said=SAID):
    pairs = align_session(turns(*said), turns(*heard), Setup("hi"), collar=collar)
    return [(one.kind, one.message) for one in alarms([("v1", pair) for pair in pairs])]


@pytest.mark.parametrize("timed", [False, True])
def test_a_turn_under_the_wrong_speaker_loses_nothing(timed):
    moved = [("B", *SAID[0][1:]), ("A", *SAID[1][1:]), *SAID[2:]]
    said = [(who, at if timed else None, words) for who, at, words in SAID]
    moved = [(who, at if timed else None, words) for who, at, words in moved]
    assert attributed(moved, 5.0 if timed else None, said) == []


def test_what_another_speaker_says_at_another_time_was_lost_and_gained():
    late = [("A", 0.0, "दवा लो"), *SAID[1:3], ("B", 60.0, "मेटफॉर्मिन अच्छा जी")]
    assert sorted(kind for kind, _ in attributed(late, 5.0)) == ["drug gained", "drug lost", "number lost"]


def test_one_speaker_s_gain_makes_good_for_one_loss():
    said = [("A", None, "मेटफॉर्मिन लो अब घर जाओ मेटफॉर्मिन"), ("B", None, "अच्छा जी ठीक है")]
    heard = [("A", None, "लो अब घर जाओ"), ("B", None, "मेटफॉर्मिन अच्छा जी ठीक है")]
    assert [kind for kind, _ in attributed(heard, said=said)] == ["drug lost"]


def test_a_recording_that_the_system_lacks_raises_no_alarm():
    assert alarms([("v1", pair) for pair in align_texts("दवा मत लो 500 mg", "", Setup("hi"))]) == ()
    assert len(between("दवा मत लो", "ठीक", "hi")) == 1


def test_errors_come_before_warnings_then_recordings_then_time():
    rows = [("v1", pair) for pair in pairs([("आइए", "आइए"), ("ना", ""), ("दवा", "दवा"), ("250", "25")])]
    rows += [("v2", pair) for pair in pairs([("मत", ""), ("जाओ", "जाओ")])]
    assert [(one.severity, one.session_id) for one in alarms(rows)] == [
        (Severity.ERROR, "v1"),
        (Severity.ERROR, "v2"),
        (Severity.WARNING, "v1"),
    ]


def test_accepted_spellings_are_no_alarm():
    assert between("take crocin and 2 tsp", "take dolo and 2 spoons", variants={"dolo": "crocin", "spoons": "tsp"}) == ()


def test_what_is_said_again_in_one_breath_is_neither_lost_nor_gained():
    assert between("पैरासिटामोल लो", "पैरासिटामोल, पैरासिटामोल लो", "hi") == ()
    assert between("रात रात में", "रात में", "hi") == ()


def test_a_moved_word_meets_the_nearest_and_unsure_words_make_good_for_it():
    said = turns(("A", 6.0, "मेटफॉर्मिन लो एक अब"), ("B", 4.0, "अच्छा जी ठीक है"))
    heard = turns(("A", 6.0, "लो अब"), ("B", 2.0, "मेटफॉर्मिन"), ("B", 4.0, "अच्छा जी ठीक है"), ("B", 6.0, "मेटफॉर्मिन 1"))
    found = alarms([("v1", pair) for pair in align_session(said, heard, Setup("hi"), collar=5.0)])
    assert [(one.kind, one.time) for one in found] == [("drug gained", (2.0, 4.0))]


def test_a_date_told_in_numbers_is_no_alarm():
    assert between("born 3, 6, 1949 here", "born 3/6/1949 here") == ()
    assert [one.kind for one in between("born 3, 6, 1949 here", "born 3/6/1948 here")] == ["number changed"]


def test_number_words_with_a_mark_between_them_are_one_number():
    assert between("take three hundred, twenty now", "take 320 now") == ()
    assert [one.message for one in between("take three hundred, twenty now", "take 32 now")] == [
        "three hundred, twenty became 32: ten times less"
    ]
    assert [one.kind for one in between("take 2 1 now", "take 3 now")] == ["number changed"]


def test_the_unit_of_a_range_stands_with_either_end():
    assert between("around 30 to $40 here", "around $30 to $40 here") == ()
    assert between("2 to 3 days", "2 days to 3 days") == ()


def test_a_kannada_word_for_so_many_each_is_no_other_number():
    assert [one.kind for one in between("ಎರಡೆರಡು ಮಾತ್ರೆ", "ಎರಡು ಮಾತ್ರೆ", "kn")] == ["each lost"]
    assert [one.kind for one in between("ಒಂದೊಂದು ಮಾತ್ರೆ", "ಎರಡು ಮಾತ್ರೆ", "kn")] == ["number changed"]


@pytest.mark.parametrize(
    ("said", "heard", "kind"),
    [
        ("left knee and right knee", "right knee and left knee", "side swapped"),
        ("सुबह 1 शाम 2", "सुबह 2 शाम 1", "number changed"),
    ],
)
def test_two_that_took_each_other_s_place_are_two_alarms(said, heard, kind):
    assert [one.kind for one in between(said, heard, "hi")] == [kind, kind]
    assert between("crocin or metformin", "metformin or crocin") == ()
