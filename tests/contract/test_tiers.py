"""Tiers of normalisation: what each makes equal, what it must keep apart, and the record of both."""

import csv
from pathlib import Path

import pytest

from parakh.errors import UnknownNameError
from parakh.text.tiers import DEFAULT, TIERS, Change, changes, differences, fold, skeleton, skeleton_direction
from parakh.text.tokens import tokenize

ALL = tuple(TIERS)
VECTORS = Path(__file__).parents[2] / ".." / "shared" / "data" / "indic-vectors.tsv"

# One spelling, another, and the one tier that makes them equal. Where a line names no source, its rule does (see folds.py).
SAME = [
    ("അവന\u0d4d\u200d", "അവൻ", "chillu"),  # Unicode 5.1, Malayalam chillu letters
    ("അവര\u0d4d\u200d", "അവർ", "chillu"),
    ("പാല\u0d4d\u200d", "പാൽ", "chillu"),
    ("അവള\u0d4d\u200d", "അവൾ", "chillu"),
    ("ആണ\u0d4d\u200d", "ആൺ", "chillu"),
    ("হঠাত\u09cd\u200d", "হঠাৎ", "khanda_ta"),  # Unicode 4.1, Bengali khanda ta
    ("दर\u094d\u200dया", "दऱ\u094dया", "eyelash_ra"),  # Unicode 16, chapter 12.1
    ("क्\u200dषमा", "क्षमा", "joiner"),
    ("ನನ್\u200cಗೆ", "ನನ್ಗೆ", "joiner"),
    ("\ufeffहाँ", "हाँ", "joiner"),
    ("दवा\u200b", "दवा", "joiner"),
    ("में\u2060", "में", "joiner"),
    ("re\u00adport", "report", "joiner"),
    ("\u200fہے\u200e", "ہے", "joiner"),
    ("എൻറെ", "എന്റെ", "nta"),  # Unicode 16, chapter 12.9
    ("എൻ\u0d4dറെ", "എന\u0d4dറെ", "nta"),
    ("കൌമാരം", "കൗമാരം", "au_sign"),
    ("अ\u0945प", "ॲप", "vowel_letter"),  # Unicode 16, table 12-1
    ("भार्इ", "भाई", "vowel_letter"),
    ("ಉಾಟ", "ಊಟ", "vowel_letter"),
    ("كيا", "کیا", "urdu_letters"),
    ("ہے؟", "ہے?", "urdu_letters"),
    ("خانۀ", "خانه\u0654", "urdu_letters"),
    ("র\u200d্যাব", "র্যাব", "joiner"),
    ("सिम्फ़नी", "सिंफ़नी", "nasal"),
    ("दु:ख", "दुःख", "visarga"),
    ("ದು:ಖ", "ದುಃಖ", "visarga"),
    ("দু:খ", "দুঃখ", "visarga"),
    ("हूँ", "हूं", "chandrabindu"),
    ("ઊઁચા", "ઊંચા", "chandrabindu"),
    ("सम्बन्ध", "संबंध", "nasal"),
    ("पङ्खा", "पंखा", "nasal"),
    ("पञ्च", "पंच", "nasal"),
    ("ठण्डा", "ठंडा", "nasal"),
    ("સમ્બન્ધ", "સંબંધ", "nasal"),
    ("ਸੰਬੰਧ", "ਸਮ੍ਬਨ੍ਧ", "nasal"),
    ("ਮੁੰਡਾ", "ਮੁਂਡਾ", "nasal"),
    ("ಸಂಬನ್ಧ", "ಸಂಬಂಧ", "nasal"),
    ("సమ్బన్ధం", "సంబంధం", "nasal"),
    ("चीज़", "चीज", "nukta"),
    ("राज़", "राज", "nukta"),
    ("ਜ਼ੁਕਾਮ", "ਜੁਕਾਮ", "nukta"),
    ("ಫ಼ೋನ್", "ಫೋನ್", "nukta"),
    ("।", ".", "danda"),
    ("॥", "|", "danda"),
    ("۔", "।", "danda"),
    ("“", '"', "quotes"),
    ("„", "»", "quotes"),
    ("don’t", "don't", "quotes"),
    ("–", "—", "dash"),
    ("भाई‑साहब", "भाई-साहब", "dash"),
    ("२५०", "250", "digits"),
    ("೧೫೦", "१५०", "digits"),
    ("௧௨", "12", "digits"),
    ("۵", "5", "digits"),
    ("Doctor", "doctor", "case"),
    ("गये", "गए", "ye_e"),
    ("गयी", "गई", "ye_e"),
    ("चाहिये", "चाहिए", "ye_e"),
    ("लतायें", "लताएं", "ye_e"),
    ("ಅಂದ್ರೆ", "ಅಂದರೆ", "colloquial"),
    ("ಮಾಡ್ಬೇಕು", "ಮಾಡಬೇಕು", "colloquial"),
    ("ಅವ್ರಿಗೆ", "ಅವರಿಗೆ", "colloquial"),
    ("చేస్కో", "చేసుకో", "colloquial"),
]

# Two words that no tier may make equal.
APART = [
    ("हैं", "है"),  # nasalisation: number
    ("में", "मे"),
    ("पड़ा", "पडा"),  # flap and stop
    ("बूढ़ा", "बूढा"),
    ("उन्हें", "उंहें"),  # ह is no stop
    ("जन्म", "जंम"),
    ("पम्त", "पंत"),  # another class
    ("संयम", "सन्यम"),
    ("പന്ത്", "പംത്"),  # no spelling rule of Malayalam
    ("பந்து", "பம்து"),
    ("টাকা", "ঢাকা"),
    ("বড়", "বড"),
    ("ਸ਼ਾਮ", "ਸਾਮ"),  # sh and s
    ("।", "?"),
    ("॥", "!"),
    (",", "।"),
    ("दिन", "दीन"),  # vowel length
    ("ನಾನು", "ನೀನು"),  # I, you: the first vowel tells
    ("ಅದು", "ಇದು"),
    ("ಕತ್ತೆ", "ಕತೆ"),  # doubled consonant
    ("బండి", "బడి"),
    ("ಮಾಡಿ", "ಮಾಡು"),  # the last vowel tells
    ("ಇಲ್ಲ", "ಇಲ್ಲಿ"),  # not, here
    ("ये", "ए"),
    ("کھا", "کہا"),  # two-eyed heh makes an aspirate
    ("10", "௰"),  # Tamil ten is no decimal digit
    ("-5", "5"),
    ("दर्या", "दऱ्या"),  # Marathi sea, valleys
]


@pytest.mark.parametrize(("one", "other", "tier"), SAME)
def test_one_tier_makes_equal(one, other, tier):
    assert one != other
    assert differences(one, other, ALL) == differences(other, one, ALL) == (tier,)
    assert differences(one, other, tuple(name for name in ALL if name != tier)) is None
    assert changes(f"{one} {other}", (tier,))


@pytest.mark.parametrize(("one", "other"), APART)
def test_no_tier_makes_equal(one, other):
    assert differences(one, other, ALL) is None
    assert differences(other, one, ALL) is None


def test_every_tier_has_an_example():
    assert {tier for _, _, tier in SAME} == set(TIERS)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("थोड़ा", "थोड\u093cा"),  # composition exclusion
        ("ಕೇ", "ಕ\u0cc6\u0cd5"),
        ("কো", "ক\u09c7\u09be"),
        ("कऩ", "कन\u093c"),
    ],
)
def test_canonical_equivalence_takes_no_tier(one, other):
    assert differences(one, other, ALL) == differences(one, other, ()) == ()


def test_several_tiers_are_named_in_order():
    assert differences("“चाँद”", '"चान्द"', ALL) == ("chandrabindu", "nasal", "quotes")
    assert differences("ज़िन्दगी", "जिंदगी", ("nukta", "nasal")) == ("nasal", "nukta")


def test_the_narrower_tier_is_named():
    # colloquial alone would do as well
    assert differences("ಸಮ್ಬಂಧ", "ಸಂಬಂಧ", (*DEFAULT, "colloquial", "nasal")) == ("nasal",)


def test_a_colon_is_visarga_inside_a_word_only():
    for text in ("नाम: राम", "2:30", "१०:३०", "a:b", "है:"):
        assert fold(text, ("visarga",)) == text


def test_the_joiner_goes_after_what_needs_it():
    assert fold("അവന\u0d4d\u200d", DEFAULT) == "അവൻ"
    assert fold("अवन\u094d\u200d", DEFAULT) == "अवन\u094d"


def test_changes_are_counted_by_word():
    text = "हूँ हूँ २५० थोड\u093cा थो\u095cा"
    assert changes(text, ("digits", "chandrabindu")) == [
        Change("nfc", "थो\u095cा", "थोड\u093cा", 1),
        Change("chandrabindu", "हूँ", "हूं", 2),
        Change("digits", "२५०", "250", 1),
    ]
    assert changes(text, ("nukta",)) == changes("थो\u095cा", ())


def test_kinds_are_the_three():
    assert {tier.kind for tier in TIERS.values()} == {"encoding", "orthographic", "format"}
    assert [name for name, tier in TIERS.items() if tier.kind == "format"] == ["digits"]
    assert all(name == tier.name for name, tier in TIERS.items())
    assert set(DEFAULT) < set(TIERS)


@pytest.mark.parametrize("call", [lambda names: fold("क", names), lambda names: differences("क", "ख", names)])
def test_an_unknown_tier_lists_close_ones(call):
    with pytest.raises(UnknownNameError, match="did you mean 'nukta'"):
        call(("nuktas",))


@pytest.mark.parametrize(
    ("reference", "hypothesis", "direction"),
    [
        ("ಅಂದರೆ", "ಅಂದ್ರೆ", "contracted"),
        ("ಅಂದ್ರೆ", "ಅಂದರೆ", "expanded"),
        ("చేసుకో", "చేస్కో", "contracted"),
        ("ನನಗೆ", "ನನ್\u200cಗೆ", "contracted"),
        ("ಮಾಡಿ", "ಮಾಡು", None),
        ("ಮಾಡಿ", "ಮಾಡಿ", None),
        ("ಕತ್ತೆ", "ಕತೆ", None),
        ("करना", "कर्ना", "contracted"),
        ("doctor", "doctr", None),
    ],
)
def test_direction_of_a_contraction(reference, hypothesis, direction):
    assert skeleton_direction(reference, hypothesis) == direction


def test_skeleton_of_every_script():
    for word, bones in [("किताबें", "कतबं"), ("আমাদের", "আমদর"), ("ਪਾਣੀ", "ਪਣ"), ("પાણી", "પણ"), ("ପାଣି", "ପଣ")]:
        assert skeleton(word) == bones
    for word, bones in [("தண்ணீர்", "தணணர"), ("నీళ్ళు", "నళళ"), ("ನೀರು", "ನರ"), ("വെള്ളം", "വളളം"), ("doctor", "doctor")]:
        assert skeleton(word) == bones


def test_vectors_of_single_tokens():
    if not VECTORS.exists():
        pytest.skip("the shared vectors are not here")
    with VECTORS.open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    own = {"hi": ("chandrabindu", "nasal", "nukta"), "kn": ("nasal",), "te": ("nasal",), "ur": ("urdu_letters",)}
    checked = 0
    for row in rows:
        said, heard = ([token.text for token in tokenize(row[side])] for side in ("ref", "hyp"))
        plain = row["config"] in ("", "tier: colloquial") and row["boundary_events"] == "0" and len(said) == len(heard)
        numbers = row["format_events"] != "0" and not row["why"].endswith("digits") and row["id"] != "v068"
        if not plain or numbers or row["lex_SDI"].split("/")[1:] != ["0", "0"]:
            continue
        tiers = (*DEFAULT, *own.get(row["lang"], ()), *(["colloquial"] if row["config"] else []))
        found = [differences(one, other, tiers) for one, other in zip(said, heard, strict=True)]
        events = [[TIERS[names[0]].kind == "format" for names in found if names].count(kind) for kind in (False, True)]
        assert events == [int(row["orth_events"]), int(row["format_events"])], row["id"]
        if row["punct_SDI"] in ("0/0/0", "1/0/0"):
            assert found.count(None) == int(row["total_errors"]), row["id"]
        checked += 1
    assert checked >= 25
