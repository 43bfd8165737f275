"""What the checks of text, tags and forms find, and what they leave alone."""

import pytest

from parakh import qc, registry
from parakh.qc import Material, Settings, Source, Vocabulary
from parakh.qc._texts import script
from parakh.types import Entry, Finding, Recording, Segment, Severity, Speaker, Summary, Topics

ZWNJ, ZWJ, ZWSP, BOM = "\u200c", "\u200d", "\u200b", "\ufeff"


def material(*texts: str, language: str | None = "hi", native: list[str] | None = None, **parts: object) -> Material:
    segments = [Segment("v1", "spk0", 2.0 * at, 2.0 * at + 1.5, text) for at, text in enumerate(texts)]
    other = [Segment("v1", "spk0", 2.0 * at, 2.0 * at + 1.5, text) for at, text in enumerate(native or [])]
    return Material(
        Entry(Recording("v1", language=language)),
        transcript=Source("v1.txt", segments, range(11, 11 + len(segments))),
        native=Source("v1.native.txt", other) if native is not None else None,
        **parts,
    )


def run(name: str, one: Material, settings: Settings | None = None) -> list[Finding]:
    check = qc.get(name)
    assert check.recording is not None
    return check.findings(one, settings or Settings())


def found(name: str, *texts: str, **given: object) -> list[str]:
    return [one.message for one in run(name, material(*texts, **given))]


# Every code of this part of the list, by the stage it belongs to.
CODES = {
    *("QC110", "QC111", "QC112", "QC113", "QC114", "QC115", "QC116", "QC120", "QC121", "QC122", "QC123", "QC124", "QC125"),
    *("QC126", "QC127", "QC128", "QC221", "QC222", "QC301", "QC302", "QC303"),
}


def test_every_check_declares_itself_and_says_how_to_mend() -> None:
    assert set(qc.all_checks()) >= CODES
    for code in CODES:
        check = qc.get(code)
        text = registry.load("check", check.name).__doc__
        assert qc.get(check.name) is check
        assert [part for part in ("What it does:", "Why it matters:", "How to mend:", "Example:") if part not in text] == []


def test_a_finding_names_file_line_and_time() -> None:
    one = run("mixed-scripts", material("ठीक है", "दवाe लो"))[0]
    assert (one.path, one.line, one.session_id, one.severity) == ("v1.txt", 12, "v1", Severity.WARNING)
    assert "(at 2.000 s)" in one.message


@pytest.mark.parametrize(
    "word",
    ["BPका", "ASHAओं", "PHCಗೆ", "doctorಗೆ", "reportको", "tabletें", "COVID-19", "बी12", "5mg", "500μg", "COPD", "నమస్తే", "naïve"],
)
def test_code_mixed_words_are_no_mixture(word: str) -> None:
    assert found("mixed-scripts", word) == []


@pytest.mark.parametrize("word", ["दवाe", "p\u0430in", "हैंcolumns", "dotडॉट", "अबsubject", "ಕा", "dवा", "α\u0430"])
def test_two_scripts_in_one_word(word: str) -> None:
    assert len(found("mixed-scripts", f"ठीक {word} है")) == 1


def test_latin_endings_are_told_on_request() -> None:
    assert run("mixed-scripts", material("BPका"), Settings(limits={"latin-endings": 1}))


# U+0958 to U+095F are composition exclusions (CompositionExclusions.txt); U+0929 is canonical in one code point.
@pytest.mark.parametrize(
    ("text", "drifts"),
    [
        ("क\u093c", False),
        ("\u0958", True),
        ("\u0929", False),
        ("न\u093c", True),
        ("ಕ\u0cca", False),
        ("ಕ\u0cc6\u0cc2", True),
        ("ড\u09bc", False),
        ("\u09dc", True),
        ("cafe\u0301", True),
    ],
)
def test_what_is_canonical(text: str, drifts: bool) -> None:
    assert bool(found("not-nfc", text)) == drifts


def test_drift_names_the_code_points() -> None:
    assert found("not-nfc", "प\u095dना प\u095dो") == [
        "2 letters not in NFC: U+095D for U+0922 U+093C, U+095D U+094B for U+0922 U+093C U+094B (at 0.000 s)"
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"അവന്{ZWJ}",  # chillu in the spelling before Unicode 5.1
        f"ന്{ZWJ}റെ ൻ{ZWNJ}റെ",
        f"ನನ್{ZWNJ}ಗೆ ರ{ZWJ}್ಯಾಂಕ್ ಸಾಫ್ಟ್{ZWNJ}ವೇರ್{ZWNJ} ಇದೆ",
        f"दर्{ZWJ}या सुऱ्{ZWJ}या",  # eyelash ra
        f"র{ZWJ}্যাম হঠাত্{ZWJ}",  # ya-phala after ra, khanda ta
        f"क्{ZWJ}ष क्{ZWNJ}ष",
        f"بے{ZWNJ}چینی",
        "plain ASCII",
    ],
)
def test_joiners_that_have_an_effect_pass(text: str) -> None:
    assert found("zero-width-character", text) == []


@pytest.mark.parametrize(
    "text",
    [
        f"दवा{ZWJ}",
        f"बु{ZWSP}खार",
        f"{BOM}जी",
        f"दवा{BOM}ई",
        f"प्रमा{ZWNJ}ण",
        "स\u00adर",
        "\u200eजी\u200f",
        f"{ZWJ}जी",
        f"BP{ZWNJ} है",
        f"ಅಕ್ಕ{ZWNJ} ಬನ್ನಿ",
    ],
)
def test_invisible_characters_without_effect(text: str) -> None:
    assert len(found("zero-width-character", text)) == 1


def test_what_is_odd() -> None:
    assert found("odd-character", "“ठीक” है – 98.6°F, 5 µg… ½ ₹ १०") == []
    assert found("odd-character", "एक\tदो") == []
    assert found("odd-character", "500\u00a0mg\u00a0लो") == ["an odd blank (U+00A0) x 2 (at 0.000 s)"]
    assert found("odd-character", "क\ufffd") == ["a replacement character (U+FFFD) (at 0.000 s)"]
    assert found("odd-character", "जी \u093f") == ["a mark without a letter (U+093F) (at 0.000 s)"]
    assert found("odd-character", "\x07\u2028\ue000") == [
        "a control character (U+0007), a line separator (U+2028), a private code point (U+E000) (at 0.000 s)"
    ]
    assert found("odd-character", "हूँ अं कः ക്ഷ ಕ್ಷಿ ക\u0d4dഷ") == []


def test_words_of_another_script() -> None:
    assert found("foreign-script", "मुझे ಜ್ವರ fever है") == ["words in a script of another language: 'ಜ್ವರ' (at 0.000 s)"]
    assert found("foreign-script", "ಜ್ವರ", language="kn") == []
    assert found("foreign-script", "ಜ್ವರ", language=None) == []
    assert found("foreign-script", "α बीटा") == []
    both = Entry(Recording("v1", language="hi"), speakers=(Speaker("v1", "spk0", language="kn"),))
    assert run("foreign-script", Material(both, transcript=Source("a", [Segment("v1", words="ಜ್ವರ है")]))) == []


def test_topics_and_summary_are_looked_at_too() -> None:
    one = material(
        topics=Source("t.csv", [Topics("v1", ("दवाe",))]), summary=Source("s.csv", [Summary("v1", "call 98765 43210")])
    )
    assert [finding.path for finding in run("mixed-scripts", one)] == ["t.csv"]
    assert [finding.path for finding in run("phone-number", one)] == ["s.csv"]


def test_both_forms_and_alternatives_are_looked_at() -> None:
    one = material("जी", native=["मेरा नंबर ९८७६५४३२१०"])
    assert [finding.path for finding in run("phone-number", one)] == ["v1.native.txt"]
    other = Material(Entry(Recording("v1")), transcript=Source("a", [Segment("v1", words="जी", forms=("9876543210",))]))
    assert len(run("phone-number", other)) == 1


def test_segments_without_words() -> None:
    assert found("empty-transcript", "", " \u200b", "<noise>", "जी") == [
        "a segment without text (at 0.000 s)",
        "a segment without text (at 2.000 s)",
    ]
    assert found("punctuation-only", "...", "।", "<noise>", "1", "", "जी") == [
        f"a segment with marks and no word (at {time}.000 s)" for time in (0, 2)
    ]


def test_unknown_tags_and_slips() -> None:
    assert found("unknown-tag", "<noise> जी </overlap> <COUGH/>") == []
    assert found("unknown-tag", "<nosie> जी") == ["'<nosie>', did you mean <noise>? (at 0.000 s)"]
    assert found("unknown-tag", "<शोर> जी", "<शोर>") == ["'<शोर>' is not in the vocabulary, in 2 segments (at 0.000 s)"]


def test_square_brackets_are_tags_only_where_they_look_like_it() -> None:
    assert found("unknown-tag", "[fever] है", "[cough] भी") == []  # English words, as Indic DiarBench marks them
    assert len(found("unknown-tag", "[nois] जी")) == 1
    square = Settings(vocabulary=Vocabulary(tags=("[laughter]",)))
    assert [one.message for one in run("unknown-tag", material("[Laughter] [fever]"), square)] == [
        "'[fever]' is not in the vocabulary, in 1 segment (at 0.000 s)"
    ]


def test_balance_of_tags() -> None:
    paired = Settings(vocabulary=Vocabulary(paired=("<overlap>",)))
    assert [one.message for one in run("unbalanced-tag", material("<overlap> जी"), paired)] == [
        "'<overlap>' is not closed (at 0.000 s)"
    ]
    assert run("unbalanced-tag", material("<overlap> जी </overlap> <noise>"), paired) == []
    assert found("unbalanced-tag", "जी </x>") == ["'</x>' closes what is not open (at 0.000 s)"]
    assert len(found("unbalanced-tag", "<a> <b> </a> </b>")) == 1  # they cross: told once
    assert found("unbalanced-tag", "<noise> जी <noise/>") == []


def test_broken_tags() -> None:
    assert found("broken-tag", "<noise जी") == ["broken tags: '<noise' (at 0.000 s)"]
    assert found("broken-tag", "noise> जी < cough > <>") == ["broken tags: '< cough >', '<>', 'noise>' (at 0.000 s)"]
    assert found("broken-tag", "<noise> जी <background noise> </overlap><b/>") == []


def test_forms_that_agree() -> None:
    said = ["BP 140/90 है", "paracetamol 500 mg दिन में 3 बार", "2 हफ्ते से fever है", "नमस्ते दीदी।", "सुगर 210 है"]
    native = [
        "बीपी एक सौ चालीस बटा नब्बे है",
        "पैरासिटामोल पाँच सौ मिलीग्राम दिन में तीन बार",
        "दो हफ़्ते से फीवर है",
        "नमस्ते दीदी",
        "सुगर दो सौ दस है",
    ]
    assert [one.message for one in run("forms-disagree", material(*said, native=native))] == []


def test_forms_that_say_different_things() -> None:
    one = material("BP 140 है", "कल आना", native=["बीपी एक सौ बीस है", "आज बारिश हो रही"])
    messages = [finding.message for finding in run("forms-disagree", one)]
    assert messages[0] == "the forms say different numbers: '140 / एक सौ बीस' (at 0.000 s)"
    assert len(messages) == 2
    assert messages[1].startswith("4 of 4 words are not the same in both forms")


def test_segments_that_one_form_lacks_and_times_that_differ() -> None:
    first = [Segment("v1", "a", 0.0, 1.0, "जी"), Segment("v1", "a", 2.0, 3.0, "हाँ"), Segment("v1", "b", 4.0, 5.0, "ठीक")]
    second = [Segment("v1", "a", 0.0, 1.4, "जी"), Segment("v1", "b", 4.0, 5.0, "ठीक")]
    one = Material(Entry(Recording("v1", language="hi")), transcript=Source("f", first), native=Source("n", second))
    assert [(x.path, x.line, x.message) for x in run("forms-disagree", one)] == [
        ("f", 2, "the native form lacks this segment (at 2.000 s)"),
        ("n", 1, "the times of the forms differ by 0.400 s (at 0.000 s)"),
    ]


def test_forms_as_declared() -> None:
    one = material("BP १४० है", "ठीक 5", native=["बीपी 140 है", "<noise> ठीक पाँच"])
    assert [(x.path, x.message) for x in run("form-not-as-declared", one)] == [
        ("v1.txt", "native digits in the normalised form: '१४०' (at 0.000 s)"),
        ("v1.native.txt", "Latin letters or ASCII digits in the native form: '140' (at 0.000 s)"),
    ]
    assert run("form-not-as-declared", material("BP १४० है")) == []
    assert run("form-not-as-declared", material("BP 140", language="en", native=["BP 140"])) == []


def test_scripts_outside_india_have_a_name() -> None:
    assert script("漢") == "CJK"
    assert script("\u0301") is None
