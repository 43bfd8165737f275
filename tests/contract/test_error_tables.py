"""Error tables and their divisions: counted by hand from pairs made by hand, and additive whatever the pairs."""

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parakh.diagnostics import Charge, Event, EventKind, Pair, Unit
from parakh.diagnostics.breakdown import breakdown, breakdowns, omissions, terms_found
from parakh.diagnostics.likeness import likenesses, same_but_length
from parakh.diagnostics.passages import example_at, joined, sides
from parakh.diagnostics.tables import error_tables
from parakh.text.tokens import Kind
from parakh.types import Op


def unit(text, category="LEXICAL", **known):
    kind = Kind(category) if category in ("NUMERAL", "PUNCT") else Kind.LEXICAL
    return Unit(text, kind, category, **known)


def units(texts, category="LEXICAL", **known):
    return tuple(unit(text, category, **known) for text in texts.split())


def hit(text, category="LEXICAL", **known):
    return Pair(units(text, category, **known), units(text, category, **known))


def wrong(said, heard, category="LEXICAL", **known):
    reference, hypothesis = unit(said, category, **known), unit(heard, category, **known)
    return Pair((reference,), (hypothesis,), (Charge(Op.SUBSTITUTION, category, reference, hypothesis),))


def lost(text, category="LEXICAL", **known):
    one = unit(text, category, **known)
    return Pair((one,), (), (Charge(Op.DELETION, category, one, None),))


def added(text, category="LEXICAL", **known):
    one = unit(text, category, **known)
    return Pair((), (one,), (Charge(Op.INSERTION, category, None, one),))


def event(kind, rule, said, heard):
    return Pair(units(said), units(heard), (), (Event(kind, rule, said, heard),))


def corpus(*pairs, session="v1"):
    return [(session, pair) for pair in pairs]


def rows(table):
    return [(row.label, row.reference, row.hypothesis, row.count) for row in table.rows]


HAI, HAIN = "है", "हैं"


def test_edits_are_counted_ranked_and_divided_by_category():
    tables = error_tables(
        corpus(
            wrong(HAIN, HAI),
            hit("दवा"),
            wrong(HAIN, HAI),
            wrong("सिर", "पेट", "BODY"),
            lost("तो"),
            added("जी"),
            lost("।", "PUNCT"),
        )
    )
    assert rows(tables.edits.substitutions) == [("LEXICAL", HAIN, HAI, 2), ("BODY", "सिर", "पेट", 1)]
    assert rows(tables.edits.deletions) == [("LEXICAL", "तो", "", 1), ("PUNCT", "।", "", 1)]
    assert rows(tables.edits.insertions) == [("LEXICAL", "", "जी", 1)]
    assert list(tables.edits_by_category) == ["BODY", "LEXICAL", "PUNCT"]
    assert rows(tables.edits_by_category["BODY"].substitutions) == [("BODY", "सिर", "पेट", 1)]
    assert tables.edits_by_category["BODY"].deletions.rows == ()


def test_top_cuts_rows_and_never_counts():
    table = error_tables(corpus(lost("क"), lost("ख"), lost("ख"), lost("ग")), top=1).edits.deletions
    assert (table.count, table.distinct, rows(table)) == (4, 3, [("LEXICAL", "ख", "", 2)])


def test_ties_are_ranked_by_text():
    table = error_tables(corpus(lost("ग"), lost("क"), lost("ख"))).edits.deletions
    assert [row.reference for row in table.rows] == ["क", "ख", "ग"]


def test_examples_are_the_first_places_with_their_context():
    known = {"speaker": "asha", "time": (1.0, 1.5)}
    row = error_tables(
        [
            *corpus(hit("कहाँ"), session="v0"),
            *corpus(hit("सब"), wrong(HAIN, HAI, **known), hit("ठीक")),
            *corpus(lost("न"), session="v2"),
        ],
        examples=1,
    ).edits.substitutions.rows[0]
    (example,) = row.examples
    assert (example.session_id, example.speaker, example.time) == ("v1", "asha", (1.0, 1.5))
    assert (example.reference.before, example.reference.here, example.reference.after) == ("सब ", HAIN, " ठीक")
    assert str(example.hypothesis) == f"सब {HAI} ठीक"


def test_a_passage_reads_as_it_was_written():
    mark = Pair((unit("।", "PUNCT", glued=True),), (unit("।", "PUNCT", glued=True),))
    example = example_at(corpus(hit("ठीक"), lost("नहीं"), mark, hit("और")), 1)
    assert (str(example.reference), str(example.hypothesis)) == ("ठीक नहीं। और", "ठीक। और")
    assert (example.reference.before, example.reference.after, example.hypothesis.here) == ("ठीक ", "। और", "")


def test_an_inserted_word_is_shown_with_the_speaker_of_the_hypothesis():
    (row,) = error_tables(corpus(hit("ठीक", speaker="asha"), added("जी", speaker="spk1"))).edits.insertions.rows
    assert row.examples[0].speaker == "spk1"
    assert row.examples[0].reference.here == ""


def test_boundaries_are_merges_or_splits_with_their_rule():
    # v001 and v003 of the shared vectors: भाई साहब -> भाईसाहब; നാളെയാകട്ടെ -> നാളെ ആകട്ടെ (y glide).
    tables = error_tables(
        corpus(
            event(EventKind.BOUNDARY, "concatenation", "भाई साहब", "भाईसाहब"),
            event(EventKind.BOUNDARY, "y-glide", "നാളെയാകട്ടെ", "നാളെ ആകട്ടെ"),
        )
    )
    assert rows(tables.merges) == [("concatenation", "भाई साहब", "भाईसाहब", 1)]
    assert rows(tables.splits) == [("y-glide", "നാളെയാകട്ടെ", "നാളെ ആകട്ടെ", 1)]
    assert tables.edits.substitutions.count == 0


def test_differences_in_writing_are_listed_by_kind_and_rule():
    tables = error_tables(
        corpus(
            event(EventKind.ORTHOGRAPHIC, "chandrabindu", "हूँ", "हूं"),
            event(EventKind.ORTHOGRAPHIC, "nukta", "चीज़", "चीज"),
            event(EventKind.ORTHOGRAPHIC, "nukta", "राज़", "राज"),
            event(EventKind.FORMAT, "number", "250", "ढाई सौ"),
            event(EventKind.ENCODING, "nfc", "\u095c", "\u0921\u093c"),
        )
    )
    assert [row.label for row in tables.variants.rows] == ["nukta", "nukta", "chandrabindu"]
    assert tables.variants.count == 3
    assert rows(tables.formats) == [("number", "250", "ढाई सौ", 1)]
    assert rows(tables.encodings) == [("nfc", "\u095c", "\u0921\u093c", 1)]
    assert tables.events_by_rule["orthographic"] == {"nukta": 2, "chandrabindu": 1}


def test_confusions_need_both_directions():
    tables = error_tables(corpus(wrong(HAIN, HAI), wrong(HAI, HAIN), wrong(HAIN, HAI), wrong("का", "की")))
    assert [(one.one, one.other, one.there, one.back) for one in tables.confusions] == [(HAIN, HAI, 2, 1)]


def test_equal_directions_begin_with_the_first_by_text():
    (one,) = error_tables(corpus(wrong("ख", "क"), wrong("क", "ख"))).confusions
    assert (one.one, one.other) == ("क", "ख")


def test_same_consonants_tell_which_side_is_contracted():
    # ಅಂದ್ರೆ is the contracted form of ಅಂದರೆ (Kannada spoken and written forms, vectors v032 to v035).
    like = error_tables(
        corpus(wrong("ಅಂದ್ರೆ", "ಅಂದರೆ"), wrong("ಅವರಿಗೆ", "ಅವ್ರಿಗೆ"), wrong("ಅವ್ರಿಗೆ", "ಅವರಿಗೆ"), wrong("ಮಾಡಿ", "ಮಾಡು"))
    ).same_skeleton
    assert like.count == 4
    assert like.share == 1.0
    assert like.directions == {"contracted": 1, "expanded": 2, "level": 1}


@pytest.mark.parametrize(
    ("said", "heard", "same"),
    [
        ("पिता", "पीता", True),
        ("दिन", "दीन", True),
        ("कम", "काम", True),
        ("ನಿನ್ನ", "ನೀನ್ನ", True),
        ("ഒരു", "ഓരു", True),
        ("में", "मैं", False),
        ("है", "हैं", False),
        ("और", "ओर", False),
    ],
)
def test_vowel_length(said, heard, same):
    assert same_but_length(said, heard) is same


def test_other_scripts_are_candidates_for_a_list_of_variants():
    # v113 of the shared vectors: doctor -> डॉक्टर, tagged as a change of script.
    assert likenesses({("doctor", "डॉक्टर"): 2}, 5)["other_script"].count == 2


def test_a_number_in_words_is_one_row():
    said, heard = unit("3500", "NUMERAL"), units("साढ़े तीन सौ")
    pair = Pair((said,), heard, (Charge(Op.SUBSTITUTION, "NUMERAL", said, heard[0]),))
    assert rows(error_tables(corpus(pair)).edits.substitutions) == [("NUMERAL", "3500", "साढ़े तीन सौ", 1)]


def test_a_mark_lost_inside_a_merge_is_shown_by_itself():
    # v054 of the shared vectors: भाई, साहब -> भाईसाहब.
    said, comma, other = unit("भाई"), unit(",", "PUNCT", glued=True), unit("साहब")
    pair = Pair(
        (said, comma, other),
        (unit("भाईसाहब"),),
        (Charge(Op.DELETION, "PUNCT", comma, None),),
        (Event(EventKind.BOUNDARY, "concatenation", "भाई साहब", "भाईसाहब"),),
    )
    assert sides(pair, pair.errors[0]) == (",", "")
    assert joined(pair.reference) == "भाई, साहब"


def test_an_empty_corpus_has_empty_tables_and_no_rates():
    tables = error_tables([])
    assert tables.edits.substitutions.rows == tables.merges.rows == ()
    assert tables.same_skeleton.share is None
    assert breakdown([]).total.rate is None
    assert breakdowns([], lambda _, one: one.speaker) == {}
    assert terms_found([]) == {}
    assert (omissions([]).total.share, omissions([]).languages) == (None, {})


def test_only_insertions_have_counts_and_no_rate():
    # v110 of the shared vectors: nothing was said, two words were written.
    parts = breakdown(corpus(added("नमस्ते"), added("जी")))
    assert (parts.total.n, parts.total.insertions, parts.total.rate) == (0, 2, None)


def test_rates_are_over_all_reference_units():
    # v001: 7 reference tokens, the number is wrong; 1/7 = 14.29 %, all of it NUMERAL.
    pairs = corpus(hit("भाई"), hit("साहब"), hit("ने"), wrong("250", "205", "NUMERAL"), hit("रुपये"), hit("दिए"), hit("थे"))
    parts = breakdown(pairs)
    assert parts.categories["NUMERAL"].rate == parts.total.rate == 1 / 7
    assert parts.categories["LEXICAL"].rate == 0.0
    assert parts.categories["LEXICAL"].hits == 6


def test_views_are_counted_beside():
    seen = frozenset({"MEDICAL"})
    parts = breakdown(corpus(wrong("बुखार", "बुखारा", views=seen), hit("है")))
    assert list(parts.categories) == ["LEXICAL"]
    assert (parts.views["MEDICAL"].n, parts.views["MEDICAL"].substitutions, parts.views["MEDICAL"].rate) == (1, 1, 0.5)


def test_insertions_follow_the_reference_speaker_whom_their_voice_meets():
    pairs = corpus(
        added("अरे", speaker="h1"),
        Pair((unit("क", speaker="A"),), (unit("क", speaker="h1"),)),
        Pair((unit("ख", speaker="B"),), (unit("ख", speaker="h2"),)),
        added("जी", speaker="h1"),
        added("ओ", speaker="h3"),
    )
    parts = breakdowns(pairs, lambda _, one: one.speaker)
    assert {name: one.total.insertions for name, one in parts.items()} == {"A": 2, "B": 0, None: 1}


def test_a_voice_that_meets_nobody_belongs_to_the_only_group():
    pairs = corpus(Pair((unit("क", language="hi"),), (unit("क"),)), added("ओ", speaker="h3"))
    assert breakdowns(pairs, lambda _, one: one.language)["hi"].total.insertions == 1


def test_recall_and_precision_of_terms():
    pairs = corpus(
        hit("बुखार", "MEDICAL"),
        wrong("खाँसी", "हाँ सी", "MEDICAL"),
        event(EventKind.ORTHOGRAPHIC, "nukta", "चीज़", "चीज"),
        Pair((unit("का"),), (unit("कान", "MEDICAL"),), (Charge(Op.SUBSTITUTION, "LEXICAL", unit("का"), unit("कान", "MEDICAL")),)),
        added("दर्द", "MEDICAL"),
    )
    terms = terms_found(pairs)["MEDICAL"]
    assert (terms.said, terms.found, terms.recall, terms.missed) == (2, 1, 0.5, (("खाँसी", 1),))
    assert (terms.written, terms.right, terms.precision) == (4, 1, 0.25)
    assert terms.invented == (("कान", 1), ("दर्द", 1), ("हाँ सी", 1))
    assert terms_found(pairs)["LEXICAL"].found == 1


def test_a_comma_lost_inside_a_term_loses_no_term():
    term, comma = unit("आयरन", "MEDICAL"), unit(",", "PUNCT")
    pair = Pair((term, comma), (term,), (Charge(Op.DELETION, "PUNCT", comma, None),))
    assert terms_found(corpus(pair))["MEDICAL"].recall == 1.0
    assert terms_found(corpus(pair))["PUNCT"].recall == 0.0


WORD = st.sampled_from(["क", "ख", "है", "हैं", "ಮಾಡಿ"])
CATEGORY = st.sampled_from(["LEXICAL", "MEDICAL", "PUNCT"])
SPEAKER = {"speaker": "A", "language": "hi"}
PAIRS = st.lists(
    st.tuples(
        st.sampled_from(["v1", "v2"]),
        st.one_of(
            st.builds(hit, WORD, CATEGORY),
            st.builds(wrong, WORD, WORD, CATEGORY),
            st.builds(lost, WORD, CATEGORY),
            st.builds(added, WORD, CATEGORY),
        ),
        st.sampled_from("ABC"),
    ),
    max_size=30,
).map(lambda drawn: sorted(((session, voiced(pair, speaker)) for session, pair, speaker in drawn), key=lambda one: one[0]))


def voiced(pair, speaker):
    """The pair with everything said by one speaker."""

    def by(one):
        return None if one is None else one._replace(speaker=speaker)

    charges = tuple(one._replace(reference=by(one.reference), hypothesis=by(one.hypothesis)) for one in pair.errors)
    return pair._replace(reference=tuple(map(by, pair.reference)), hypothesis=tuple(map(by, pair.hypothesis)), errors=charges)


@given(PAIRS)
def test_divisions_add_up(pairs):
    whole = breakdown(pairs)
    for parts in (
        [whole],
        breakdowns(pairs, lambda _, one: one.speaker).values(),
        breakdowns(pairs, lambda session, _: session).values(),
    ):
        for name in ("n", "substitutions", "deletions", "insertions"):
            assert sum(getattr(part.total, name) for part in parts) == getattr(whole.total, name)
            assert sum(getattr(one, name) for part in parts for one in part.categories.values()) == getattr(whole.total, name)
    errors = sum(one.errors for one in whole.categories.values())
    assert whole.total.rate == (errors / whole.total.n if whole.total.n else None)


@given(PAIRS)
def test_tables_count_every_charge(pairs):
    edits = error_tables(pairs).edits
    counted = sum(table.count for table in (edits.substitutions, edits.deletions, edits.insertions))
    assert counted == sum(len(pair.errors) for _, pair in pairs)


@given(PAIRS)
def test_n_never_depends_on_the_hypothesis(pairs):
    silent = [(session, pair._replace(hypothesis=(), errors=())) for session, pair in pairs]
    assert {name: one.n for name, one in breakdown(silent).categories.items()} == {
        name: one.n for name, one in breakdown(pairs).categories.items() if one.n
    }


@given(PAIRS)
def test_everything_becomes_json(pairs):
    tables = json.loads(json.dumps(asdict(error_tables(pairs))))
    assert tables["edits"]["deletions"]["count"] == sum(not pair.hypothesis for _, pair in pairs)


def test_a_passage_of_several_pairs():
    pairs = corpus(hit("एक"), wrong("दो", "दस"), lost("तीन"), hit("चार"))
    example = example_at(pairs, 1, 3)
    assert (example.reference.here, example.hypothesis.here) == ("दो तीन", "दस")
