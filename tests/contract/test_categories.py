"""Lists of terms: what their lines mean, which terms a text holds, and how a faulty list is refused."""

import time
import unicodedata
from pathlib import Path

import pytest

from parakh.diagnostics import _bundled
from parakh.diagnostics.categories import BUNDLED, Category, bundled, find_all, find_terms, parse_terms, read_terms
from parakh.errors import InputError, UnknownNameError
from parakh.text.tokens import tokenize

SCRIBE = Path(__file__).parents[2] / ".." / "shared" / "data" / "scribe-eval"


def plain(word: str) -> str:
    """A fold like that of the default tier: composition, nukta and joiners."""
    return unicodedata.normalize("NFC", word).translate({0x93C: None, 0x200C: None, 0x200D: None})


def found(text: str, *categories: Category, fold=plain) -> list[str]:
    """The spans as the text has them, with their category."""
    tokens = tokenize(text)
    spans = find_terms(tokens, categories, fold)
    return [f"{one.category}:{text[tokens[one.start].start : tokens[one.stop - 1].end]}" for one in spans]


def terms(*lines: str, name: str = "A") -> Category:
    return parse_terms(name, lines)


@pytest.mark.parametrize(
    ("lines", "text", "expected"),
    [
        # the vectors v117, v120, v122, v124, v125 of shared/data/indic-vectors.tsv
        (["आयरन", "आयरन की गोली"], "आयरन की गोली लो", ["A:आयरन की गोली"]),
        (["आयरन | आयरन की गोली"], "आयरन की गोली लो", ["A:आयरन की गोली"]),
        (["സാക്ഷി*"], "സാക്ഷിയുടെ മൊഴി", ["A:സാക്ഷിയുടെ"]),
        (["हम्म"], "अच्छा हम्म ठीक", ["A:हम्म"]),
        (["ಅ"], "ಅ ಹೋಗು", ["A:ಅ"]),
        # marks within a term; white space does not matter, what stands between words does
        (["u/s", "w.p.", "a.m."], "FIR u/s 302, w.p. 12 at 10 A.M.", ["A:u/s", "A:w.p.", "A:A.M."]),
        (["500 mg"], "500mg और 500 mg", ["A:500mg", "A:500 mg"]),
        (["आयरन की गोली"], "आयरन, की गोली", []),
        # left to right, longest at each place
        (["a b", "b c d"], "a b c d", ["A:a b"]),
        (["a", "a b c"], "a b x a b c", ["A:a", "A:a b c"]),
        (["a b c", "a"], "a b", ["A:a"]),
        (["a"], "a a", ["A:a", "A:a"]),
        # stems: any word of a term; never shorter than the stem
        (["ब्लड* प्रेशर* चेक"], "ब्लडी प्रेशरों चेक", ["A:ब्लडी प्रेशरों चेक"]),
        (["दर्द*"], "दर दर्द दर्दनाक", ["A:दर्द", "A:दर्दनाक"]),
        (["ab*", "abc* d"], "abcx d", ["A:abcx d"]),
        # patterns: whole tokens, the longest match, over the spaces as they are
        ([r"REGEX: \d+\s*mg"], "500mg 5 mg 5 mgs", ["A:500mg", "A:5 mg"]),
        ([r"REGEX: mg|mg/ml"], "5 mg/ml", ["A:mg/ml"]),
        ([r"REGEX: PW[-\s]*\d+        # witness"], "PW1 pw-2 PW 3 APW4", ["A:PW1", "A:pw-2", "A:PW 3"]),
        ([r"REGEX: a.*"], "xa a bb", ["A:a bb"]),
        ([r"REGEX: mg\s"], "mg mg", ["A:mg"]),
        ([r"REGEX: x*"], "y x", ["A:x"]),
        ([r"REGEX: High\s+Court"], "the high  court", ["A:high  court"]),
        (["a b", r"REGEX: a.b.c"], "a b c", ["A:a b c"]),
        # comments and short lines
        (["# a", "b # c", "", "  d  "], "a b c d", ["A:b", "A:d"]),
    ],
)
def test_terms_in_a_text(lines: list[str], text: str, expected: list[str]) -> None:
    assert found(text, terms(*lines)) == expected


def test_the_order_of_the_list_does_not_matter() -> None:
    lines = ["आयरन", "आयरन की गोली", "आयरन की", "REGEX: आयरन.*लो"]
    for turn in range(len(lines)):
        assert found("आयरन की गोली लो", terms(*lines[turn:], *lines[:turn])) == ["A:आयरन की गोली लो"]


def test_longest_over_categories_then_the_first_given() -> None:
    short, long, same = terms("आयरन", name="A"), terms("आयरन की गोली", name="B"), terms("आयरन", name="C")
    assert found("आयरन की गोली", short, long) == ["B:आयरन की गोली"]
    assert found("आयरन", same, short) == ["C:आयरन"]
    assert found("आयरन", short, same) == ["A:आयरन"]
    stem, exact = terms("आय*", name="D"), terms("आयरन", name="E")
    assert found("आयरन", stem, exact) == ["D:आयरन"]


def test_one_category_alone_takes_what_another_claims() -> None:
    tokens = tokenize("आयरन की गोली")
    alone = find_all(tokens, terms("गोली"), plain)
    assert [(one.start, one.stop) for one in alone] == [(2, 3)]
    assert find_terms(tokens, [terms("आयरन की गोली", name="B"), terms("गोली")], plain)[0].stop == 3


def test_words_are_compared_by_the_fold() -> None:
    crocin = terms("क्रोसिन", "दवाई ली", "ज़ुकाम*")
    assert found("दवाई\u200d ली", crocin) == ["A:दवाई\u200d ली"]
    assert found("जुकाम ज़ुकाम", crocin) == ["A:जुकाम", "A:ज़ुकाम"]
    assert found("जुकाम", crocin, fold=str) == []


def test_a_fold_that_leaves_nothing_joins_nothing() -> None:
    assert found("u,s x", terms("u/s"), fold=lambda word: word if word.isalnum() else "") == []
    assert found("ab", terms("c*"), fold=lambda word: "") == []


def test_aliases_are_reported_under_their_term() -> None:
    spans = find_terms(tokenize("crocin क्रोसिन डोलो"), [terms("paracetamol = crocin | क्रोसिन | डोलो")], plain)
    assert [one.term for one in spans] == ["paracetamol"] * 3
    assert [one.term for one in find_terms(tokenize("a b"), [terms("a | b")], plain)] == ["a", "b"]


def test_case_matters_only_where_the_list_says_so() -> None:
    text = "api API Api"
    assert len(found(text, terms("API"))) == 3
    assert found(text, terms("@case_sensitive: true", "API")) == ["A:API"]
    assert found("APIs apis", terms("@case_sensitive: true", "API*")) == ["A:APIs"]
    assert found("v1.0 V1.0", terms("@case_sensitive: true", r"REGEX: v\d\.\d")) == ["A:v1.0"]


def test_scribe_evals_own_lists_are_read_unchanged() -> None:
    if not SCRIBE.exists():
        pytest.skip("scribe-eval's lists are not on this machine")
    legal, medical, technical, sample = (
        read_terms(SCRIBE / path)[0]
        for path in (
            *(f"src/scribe/config/{name}_terms.txt" for name in ("legal", "medical", "technical")),
            "examples/sample_legal.txt",
        )
    )
    assert [one.name for one in (legal, medical, technical, sample)] == ["LEGAL", "MEDICAL", "TECH", "LEGAL"]
    # counted with grep -cE '^[^#@[:space:]]'
    assert [len(one.terms) for one in (legal, medical, technical, sample)] == [316, 13, 18, 11]
    assert found("PW-1, Ext. A1, IPC u/s 302, കോടതി High Court", sample) == [
        "LEGAL:PW-1",
        "LEGAL:Ext. A1",
        "LEGAL:IPC",
        "LEGAL:u/s",
    ]
    assert found("കോടതി High Court FORENSIC ലോക് അദാലത്ത്", legal)[:2] == ["LEGAL:കോടതി", "LEGAL:High Court"]
    assert found("50 mg/ml IU api API", medical, technical) == ["MEDICAL:50 mg/ml", "MEDICAL:IU", "TECH:API"]


@pytest.mark.parametrize(
    ("name", "content", "categories"),
    [
        ("medical_terms.txt", "a", ["MEDICAL"]),
        ("legal.txt", "@name: law\na", ["LAW"]),
        ("legal.txt", "@name: law\n@category: Recht\na", ["Recht"]),
        ("legal.txt", "@category: Recht\n@name: law\na", ["Recht"]),
        ("both.txt", "@category: X\na\n@category: Y\nb\n@category: X\nc", ["X", "Y"]),
        ("bom.txt", "\ufeff@category: X\r\na\r\n", ["X"]),
    ],
)
def test_a_category_is_named_by_its_file(tmp_path: Path, name: str, content: str, categories: list[str]) -> None:
    (tmp_path / name).write_bytes(content.encode())
    assert [one.name for one in read_terms(tmp_path / name)] == categories


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("@prority: 1", "the key '@prority', expected @name, @category, @case_sensitive, @language"),
        ("@category:", "'@category:' without a value"),
        ("@case_sensitive: perhaps", "'perhaps', expected true or false"),
        ("@case_sensitive", "without a value"),
        ("a = ", "an empty term"),
        (" = a", "an empty term"),
        ("a | | b", "an empty term"),
        ("REGEX:", "REGEX: without a pattern"),
        ("REGEX: (a", "the pattern '(a' (missing )"),
        ("REGEX: [z-a]", "the pattern '[z-a]' ("),
        ("REGEX: a(?R)?b", "which calls itself"),
        (r"REGEX: (?<n>a|\((?&n)\))", "which calls itself"),
        ("da*rd", "with a star within a word"),
        ("*dard", "with a star within a word"),
        ("dard *", "with a star after no word"),
        (".*", "with a star after no word"),
        ("...", "'...', which holds no word"),
        ("। !", "which holds no word"),
    ],
)
def test_a_faulty_line_is_told_with_its_number(line: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        parse_terms("A", ["fine", line], "list.txt")
    (fault,) = error.value.faults
    assert str(fault).startswith("list.txt:2: found ")
    assert said in str(fault)
    assert fault.action


def test_every_faulty_line_is_told() -> None:
    with pytest.raises(InputError) as error:
        parse_terms("A", ["...", "fine", "@x: y"], "list.txt")
    assert [fault.line for fault in error.value.faults] == [1, 3]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"# nothing\n", "found no term"),
        (b"a\n\xff\n", ":2: found the byte 0xFF"),
        ("दवा".encode("utf-16"), "UTF-16"),
        (b"a\0b", "a NUL byte"),
    ],
)
def test_a_file_that_is_no_list_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "list.txt").write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_terms(tmp_path / "list.txt")
    with pytest.raises(InputError, match="no such file"):
        read_terms(tmp_path / "none.txt")


def test_a_pattern_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parakh.diagnostics.categories._PATIENCE", 0.2)
    slow = parse_terms("A", ["# catastrophic", r"REGEX: (a+|b|ab)*c$"], "list.txt")
    with pytest.raises(InputError, match=r"list\.txt:2: found the pattern .* which takes over 0\.2 seconds"):
        find_terms(tokenize("ab" * 2000 + "cd"), [slow], plain)


def test_finding_is_a_look_up_for_each_word() -> None:
    """120,000 words in segments of ten, with every bundled list, take no longer than a few look-ups a word."""
    words = ["मुझे", "तीन", "दिन", "से", "बुखार", "है", "दीदी", "और", "सिर", "दर्द"]
    segments = [tokenize(" ".join(words[turn:] + words[:turn])) for turn in range(10)] * 1200
    categories = [bundled("FILLER"), bundled("MEDICAL")]
    find_terms(segments[0], categories, plain)
    start = time.process_time()
    for segment in segments:
        find_terms(segment, categories, plain)
    assert time.process_time() - start < 1.0  # measured: 0.07 s


def test_no_such_bundled_category() -> None:
    with pytest.raises(UnknownNameError, match="MEDICAL"):
        bundled("MEDICALS")


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_categories_are_read_once(name: str) -> None:
    assert bundled(name) is bundled(name)
    assert bundled(name, ["kn", "hi"]) is bundled(name, iter(["hi", "kn"]))
    assert {term.language for term in bundled(name, ["hi"]).terms} <= {None, "hi", "en"}


def is_in(word: str, name: str, language: str | None = None) -> bool:
    category = bundled(name, None if language is None else [language])
    tokens = tokenize(word)
    return [(one.start, one.stop) for one in find_all(tokens, category, plain)] == [(0, len(tokens))]


HEALTH = {
    "hi": "बुखार दर्द खांसी चक्कर उल्टी दस्त सूजन दवा दवाई गोली इंजेक्शन आयरन पैरासिटामोल पेट सिर सीना टीका जाँच ऑपरेशन सोनोग्राफी "
    "गर्भवती डिलीवरी प्रसव जच्चा आशा आंगनवाड़ी पीएचसी डॉक्टर नर्स अस्पताल एएनएम एमजी मिलीग्राम खुराक बीपी शुगर टीबी माहवारी कैल्शियम mg BP",
    "kn": "ಜ್ವರ ಜ್ವರಕ್ಕೆ ಕೆಮ್ಮು ನೋವು ನೋವಿನ ಮಾತ್ರೆ ಮಾತ್ರೆಗಳು ಔಷಧಿ ಗರ್ಭಿಣಿ ಹೆರಿಗೆ ಆಸ್ಪತ್ರೆ ಆಸ್ಪತ್ರೆಗೆ ವಾಂತಿ ತಲೆನೋವು ಹೊಟ್ಟೆ ಲಸಿಕೆ ಡಾಕ್ಟರ್ ಪ್ಯಾರಸಿಟಮಾಲ್ "
    "ಬಿಪಿ ಶುಗರ್ ಟಿಬಿ ರಕ್ತ ಇಂಜೆಕ್ಷನ್",
    "en": "fever pain cough vomiting tablet paracetamol pregnant delivery doctor hospital anganwadi mg blood",
}
ORDINARY = {
    "hi": "है में घर पानी सिर्फ मिली ग्राम किलो साल महीना दिन बच्चा खाना आप अच्छा चीनी उदासीन दुकान दाल सूजी",
    "kn": "ಮನೆ ನೀರು ಅವಳಿಗೆ ನವೆಂಬರ್ ಗಾಯಕ ಕಾಲ ಅಂತರಾಷ್ಟ್ರೀಯ ಕೈಗಾರಿಕೆ ಚಳಿಗಾಲ ಗೊಬ್ಬರ ಮಗು ದಿನ",
    "en": "the water house boil fits dots weight drop",
}


@pytest.mark.parametrize("language", HEALTH)
def test_words_of_health_talk(language: str) -> None:
    assert [word for word in HEALTH[language].split() if not is_in(word, "MEDICAL", language)] == []
    assert [word for word in ORDINARY[language].split() if is_in(word, "MEDICAL", language)] == []


def test_health_terms_of_several_words_are_one() -> None:
    assert found("आयरन की गोली और ब्लड प्रेशर", bundled("MEDICAL")) == ["MEDICAL:आयरन की गोली", "MEDICAL:ब्लड प्रेशर"]
    assert is_in("लूज मोशन", "MEDICAL")


def test_what_is_left_out_stands_in_the_clinical_lists() -> None:
    left_out = {line for line in _bundled._list_lines("medical_not") if line and not line.startswith("#")}
    parts = (_bundled._concept_forms(), _bundled._medicine_names(), _bundled._unit_names(), _bundled._measure_names())
    assert left_out - {form.strip() for part in parts for _, form in part} == set()
    assert {term.name for term in bundled("MEDICAL").terms}.isdisjoint(left_out)


@pytest.mark.parametrize(
    ("language", "denying", "other"),
    [
        ("hi", "नहीं मत न ना बिना", "नई मैं जी"),
        ("kn", "ಇಲ್ಲ ಇಲ್ಲವಾ ಇಲ್ಲದೆ ಅಲ್ಲ ಬೇಡ ಬೇಡಿ ಬರಲ್ಲ ಗೊತ್ತಿಲ್ಲ ಆಗ್ತಿಲ್ಲ ಮಾಡಬೇಡಿ", "ಇಲ್ಲಿ ಅಲ್ಲಿ ಎಲ್ಲ ಬಲ್ಲ ಬೆಲ್ಲ ಜಿಲ್ಲಾ"),
        ("ml", "ഇല്ല അല്ല വേണ്ട അരുത് ശരിയല്ല കാര്യമില്ല", "നല്ല വേണ്ടി എല്ലാ ജില്ല"),
        ("ta", "இல்லை வேண்டாம் வரவில்லை சாப்பிடாதீங்க", "தலை நல்ல"),
        ("te", "లేదు కాదు వద్దు", "లేదా నేను"),
        ("bn", "না নেই নয়", "আপনি নাম"),
        ("mr", "नाही नको नका नव्हते", "नस नसबंदी"),
        ("gu", "નથી નહીં", "નામ"),
        ("pa", "ਨਹੀਂ", "ਨਾਮ"),
        ("ur", "نہیں مت", "نام"),
        ("en", "no not don't isn’t never", "note now"),
    ],
)
def test_words_that_deny(language: str, denying: str, other: str) -> None:
    assert [word for word in denying.split() if not is_in(word, "NEGATION", language)] == []
    assert [word for word in other.split() if is_in(word, "NEGATION", language)] == []


def test_hesitations_are_no_words() -> None:
    assert all(is_in(word, "FILLER") for word in ("अं", "हम्म", "ಅ", "ಹ್ಮ್", "um", "uh"))
    assert not any(is_in(word, "FILLER") for word in ("हम", "हूं", "मतलब", "तो", "आ", "ಆ", "ಅಮ್ಮ", "so"))


def test_number_words() -> None:
    assert all(is_in(word, "NUMBER") for word in ("पचास", "सौ", "लाख", "डेढ़", "साढ़े", "fifty", "ನೂರು", "രണ്ട്", "ஐந்து", "పది"))
    assert not any(is_in(word, "NUMBER") for word in ("सेब", "बजे", "50"))


def test_english_within_an_indian_text() -> None:
    english = bundled("ENGLISH")
    assert found("मेरा BP check करो, डॉक्टर", english) == ["ENGLISH:BP", "ENGLISH:check", "ENGLISH:डॉक्टर"]
    assert found("ನನ್ನ sugar ಟೆಸ್ಟ್ ಮಾಡಿ", english) == ["ENGLISH:sugar", "ENGLISH:ಟೆಸ್ಟ್"]
    assert found("check my BP, doctor", english) == []
    assert found("mujhe bukhar hai", english) == []
