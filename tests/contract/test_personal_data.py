"""Personal numbers and names: what is found, in which form, and that nothing is printed unmasked."""

import pytest

from parakh import qc
from parakh.qc import Material, Settings, Source
from parakh.text.masking import masked
from parakh.text.personal import Kind, find, verhoeff
from parakh.types import Entry, Finding, Recording, Segment, Speaker

AADHAAR = "2341 2341 2346"  # made up; the check digit computed by hand from the tables of Verhoeff (1969)


def kinds(text: str, **how: bool) -> list[str]:
    return [one.kind.name for one in find(text, **how)]


def run(name: str, material: Material) -> list[Finding]:
    check = qc.get(name)
    assert check.recording is not None
    return check.findings(material, Settings())


HOSTS = (
    "gmail",
    "g mail",
    "Yahoo",
    "hotmail",
    "outlook",
    "rediff",
    "rediff mail",
    "जीमेल",
    "जी मेल",
    "याहू",
    "हॉटमेल",
    "आउटलुक",
    "रेडिफ",
)
HOSTS += ("रेडिफमेल", "ಜಿಮೇಲ್", "ಜಿ ಮೇಲ್", "ಯಾಹೂ", "ಹಾಟ್ಮೇಲ್", "ಔಟ್ಲುಕ್", "ರೆಡಿಫ್", "ರೆಡಿಫ್ಮೇಲ್")


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("end", [".com", " . in", " dot com", " डॉट कॉम", " डाट इन", " ಡಾಟ್ ಕಾಮ್"])
def test_an_address_read_out_with_a_known_host(host: str, end: str) -> None:
    assert kinds(f"लिखो आशा {host}{end} जी") == ["EMAIL"]


@pytest.mark.parametrize("dot", [".", "dot", "Dot", "डॉट", "डाट", "ಡಾಟ್", "ಡಾಟ"])
def test_an_address_read_out_with_any_host(dot: str) -> None:
    assert kinds(f"आशा एट क्लिनिक {dot} com पर") == ["EMAIL"]


def spoken(*texts: str, language: str = "hi", gap: float = 0.5) -> list[str]:
    segments = [Segment("v1", "spk0", (1 + gap) * at, (1 + gap) * at + 1, text) for at, text in enumerate(texts)]
    return [
        one.message
        for one in run("spoken-digits", Material(Entry(Recording("v1", language=language)), transcript=Source("a", segments)))
    ]


# Published examples: 2363 (Verhoeff 1969), 1428570 and 84736430954837284567892.
def test_verhoeff_of_published_numbers() -> None:
    assert [verhoeff(number) for number in ("2363", "1428570", "84736430954837284567892")] == [True, True, True]
    assert not any(verhoeff(f"236{digit}") for digit in "012456789")


def test_verhoeff_tells_every_slip_of_one_digit_and_every_swap_of_neighbours() -> None:
    number = "234123412346"
    assert verhoeff(number)
    for at in range(12):
        assert not any(verhoeff(number[:at] + digit + number[at + 1 :]) for digit in "0123456789" if digit != number[at])
    for at in range(11):
        swapped = number[:at] + number[at + 1] + number[at] + number[at + 2 :]
        assert swapped == number or not verhoeff(swapped)


@pytest.mark.parametrize(
    "text",
    [
        "9876501234", "98765 01234", "98765-01234", "987 650 1234", "+91 98765 01234", "+91-9876501234", "09876501234", "0 98765 01234",
        "919876501234", "९८७६५०१२३४", "೯೮೭೬೫ ೦೧೨೩೪", "9876501234वां", "ನಂಬರ್ 9876501234ಗೆ", "98765 <noise> 01234", "98765\u200b01234", "98765\u00a001234",
        "98765।01234", "9 8 7 6 5 0 1 2 3 4", "98 76 50 12 34", "(98765) 01234", "ph9876501234", "mob.9876501234", "080 2345 6789", "080-23456789", "+91 80 2345 6789",
    ],
)  # fmt: skip
def test_telephone_numbers_in_every_form(text: str) -> None:
    assert kinds(f"जी {text} है") == ["PHONE"]


@pytest.mark.parametrize(
    "text",
    [
        "BP 140/90", "98.6 99.4 100.2 101.5", "60 65 70 75 80", "110, 120, 130, 140", "500 mg, 650 mg", "22/05/2023 10:30", "2023-05-22", "20230522103000",
        "पिन 492001", "560001 560002", "1,25,000 रुपये", "108", "1800 123 4567", "1-0-1 1-1-1 0-0-1", "मकान 98/12", "LOT9876501234", "batch no. 9876501234", "बैच नंबर 9876501234",
        "AB12345678", "5 10 15 20 25 30", "1 2 3 4 5 6 7 8 9 10", "4111 1111 1111 1111", "0.9876501234"[:6], "6 7 8 9 10 11 12", "1690000000",
    ],
)  # fmt: skip
def test_measured_values_are_no_personal_numbers(text: str) -> None:
    assert kinds(text) == []


@pytest.mark.parametrize(
    "text",
    [
        AADHAAR,
        "234123412346",
        "2341-2341-2346",
        "२३४१ २३४१ २३४६",
        "2341 <noise> 2341 2346",
        "2341/2341/2346",
        "2 3 4 1 2 3 4 1 2 3 4 6",
    ],
)
def test_aadhaar_numbers(text: str) -> None:
    assert kinds(text) == ["AADHAAR"]


def test_aadhaar_with_a_wrong_check_digit_needs_a_word_for_it() -> None:
    assert kinds("2341 2341 2345") == []
    assert kinds("आधार नंबर 2341 2341 2345 है") == kinds("Aadhaar: 234123412345") == kinds("ಆಧಾರ್ 2341 2341 2345") == ["AADHAAR"]
    assert kinds("1341 2341 2346") == []  # none begins with 0 or 1
    assert kinds("2341 2341 2346 2341") == []  # a card


def test_other_numbers_and_addresses() -> None:
    assert kinds("ABCPE1234F") == kinds("A B C P E 1 2 3 4 F") == kinds("pan abcpe1234f") == ["PAN"]
    assert kinds("abcpe1234f") == kinds("ABCXE1234F") == []
    assert kinds("ABC1234567") == kinds("MP/12/345/678901") == kinds("voter id abc1234567") == ["VOTER_ID"]
    assert kinds("batch ABC1234567") == kinds("abc1234567") == []
    assert kinds("12-3456-7890-1234") == kinds("91345678901234") == kinds("asha1990@abdm") == ["ABHA"]
    assert kinds("asha@example.org") == kinds("asha@okbank") == kinds("asha at gmail dot com") == ["EMAIL"]
    assert kinds("आशा एट जीमेल डॉट कॉम") == kinds("ಆಶಾ ಅಟ್ ಜಿಮೇಲ್ ಡಾಟ್ ಕಾಮ್") == ["EMAIL"]
    assert kinds("look at the dot on the scan") == kinds("@ 5 रुपये") == []


def test_findings_show_two_digits_at_most() -> None:
    one = Material(Entry(Recording("v1")), transcript=Source("a.txt", [Segment("v1", "a", 1.0, 2.0, "नंबर ९८७६५ ०१२३४ है")], [7]))
    [finding] = run("phone-number", one)
    assert str(finding) == "a.txt:7: error QC121: a telephone number, ••••• •••३४ (at 1.000 s)"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("hi", "नौ आठ सात छह पाँच चार"), ("hi", "नौ आठ डबल सात, उम, छह पाँच"), ("hi", "अट्ठानवे छिहत्तर चौवन बत्तीस दस"), ("hi", "nau aath saat chhe paanch chaar"),
        ("hi", "नाइन एट सेवन सिक्स फाइव फोर"), ("hi", "98765 चार तीन दो एक शून्य"), ("hi", "नौ-आठ-सात-छह-पाँच-चार"), ("hi", "9 8 7 6 5 4"),
        ("kn", "ಒಂಬತ್ತು ಎಂಟು ಏಳು ಆರು ಐದು ನಾಲ್ಕು"), ("kn", "ತೊಂಬತ್ತೆಂಟು ಎಪ್ಪತ್ತಾರು ಐವತ್ನಾಲ್ಕು ಮೂವತ್ತೆರಡು"), ("kn", "ombattu entu elu aaru aidu nalku"), ("kn", "ನೈನ್ ಏಟ್ ಡಬಲ್ ಸೆವೆನ್ 6 5"),
        ("en", "nine eight triple seven six"), ("en", "nine eight seven, uh, six five four"), ("ta", "ஒன்பது எட்டு ஏழு ஆறு ஐந்து நான்கு"),
    ],
)  # fmt: skip
def test_digits_read_out(language: str, text: str) -> None:
    assert len(spoken(text, language=language)) == 1


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("hi", "पाँच छह बार उल्टी हुई"), ("hi", "एक दो तीन चार पाँच छह सात आठ"), ("hi", "एक सौ चालीस बटा नब्बे"), ("hi", "बीस तीस चालीस पचास साठ"),
        ("hi", "पिन कोड चार नौ दो शून्य शून्य एक"), ("hi", "एक शून्य एक, एक एक एक"), ("hi", "उन्नीस सौ पचासी में"), ("hi", "नौ आठ सात छह पाँच"), ("hi", "98 97 99 98 97"),
        ("hi", "do baar subah, ek sham ko"), ("en", "one two three five six eight ten"), ("en", "fifteen eight nineteen eighty five"), ("en", "one zero one one zero one"),
        ("en", "to be or not to be for you"), ("kn", "ಒಂದು ಎರಡು ಮೂರು ನಾಲ್ಕು ಐದು ಆರು ಏಳು"), ("hi", "9876501234"),
    ],
)  # fmt: skip
def test_counts_doses_and_dates_are_not_read_out_digits(language: str, text: str) -> None:
    assert spoken(text, language=language) == []


def test_digits_over_two_segments_of_a_speaker() -> None:
    assert spoken("नंबर नौ आठ सात", "छह पाँच चार तीन") == ["7 digits read out one after another over 2 segments (at 0.000 s)"]
    assert spoken("नंबर नौ आठ डबल", "सात छह पाँच चार") == ["6 digits read out one after another over 2 segments (at 0.000 s)"]
    assert spoken("नंबर नौ आठ सात", "छह पाँच चार तीन", gap=9.0) == []
    assert spoken("नंबर 98765", "43201 है") == ["10 digits read out one after another over 2 segments (at 0.000 s)"]


@pytest.mark.parametrize(
    "text",
    [
        "जी, मेरा नाम रेखा है", "मेरे पति का नाम रमेश है", "रेखा नाम है मेरा", "मैं सुनीता बोल रही हूँ", "नाम तो रेखा है", "श्रीमती रेखा", "डॉ. मेहता", "मैं डॉक्टर मेहता हूँ", "सुनीता देवी आई थी",
        "mera naam sunita hai", "naam sunita hai", "ನನ್ನ ಹೆಸರು ಲಕ್ಷ್ಮಿ", "ಲಕ್ಷ್ಮಿ ಅಂತ ಹೆಸರು", "ನನ್ ಹೆಸ್ರು ಲಕ್ಷ್ಮಿ", "ಡಾಕ್ಟರ್ ಗೌಡ", "nanna hesaru lakshmi", "my name is Sunita", "My name's, uh, Sunita",
        "I'm Dr. Mehta", "Mrs Rao came", "this is Anita speaking", "I'm Anita from the centre", "she's called Anita",
    ],
)  # fmt: skip
def test_names_after_their_cues(text: str) -> None:
    if "uh" in text:
        text = text.replace(", uh,", "")
    one = Material(Entry(Recording("v1", language="hi")), transcript=Source("a", [Segment("v1", words=text)]))
    [finding] = run("spoken-name", one)
    names = ("रेखा", "रमेश", "सुनीता", "मेहता", "ಲಕ್ಷ್ಮಿ", "ಗೌಡ", "sunita", "lakshmi", "anita", "rao", "mehta")
    assert not any(name in finding.message.lower() for name in names)


@pytest.mark.parametrize(
    "text",
    [
        "आपका नाम क्या है", "नाम क्या है", "दवा का नाम पैरासिटामोल है", "गाँव का नाम रामपुर है", "राशन कार्ड में नाम जुड़वाना है", "नाम लिखवा दो", "डॉक्टर के पास जाओ", "डॉक्टर साहब आए", "काम वाली बाई",
        "ನಿಮ್ಮ ಹೆಸರು ಏನು", "ಮಾತ್ರೆಯ ಹೆಸರು ಡೋಲೋ", "ಊರಿನ ಹೆಸರು ಹೊಸೂರು", "What is your name?", "The name of the medicine is Crocin", "something called Dioralyte", "I'm not sure", "the doctor said", "Night Nurse, Day Nurse", "I'm OK",
    ],
)  # fmt: skip
def test_what_follows_a_cue_and_is_no_name(text: str) -> None:
    assert (
        run("spoken-name", Material(Entry(Recording("v1", language="hi")), transcript=Source("a", [Segment("v1", words=text)])))
        == []
    )


def test_names_of_files_and_metadata() -> None:
    entry = Entry(
        Recording("call_9876501234", "wav/call_9876501234.wav", metadata={"contact": "asha@example.org", "date": "2023-05-22"}),
        {"rttm": "rttm/rec98765_01234.rttm"},
        (Speaker("call_9876501234", "spk0", person=AADHAAR, metadata={"pan": "ABCPE1234F"}),),
    )
    found = run("personal-number-in-name", Material(entry, transcript=Source("a", [Segment("x", "9876501234")])))
    assert [one.message for one in found] == [
        "a telephone number in the id of the recording: call_••••••••34",
        "a telephone number in the file name of audio: call_••••••••34.wav",
        "a telephone number in the file name of rttm: rec•••••_•••34.rttm",
        "an e-mail or payment address in the metadata contact: ••••••••••••••••",
        "an Aadhaar number in the person of a speaker: •••• •••• ••46",
        "a PAN in the pan of a speaker: ••••••••••",
        "a telephone number in a speaker label: ••••••••34",
    ]


def test_usual_ids_are_no_personal_numbers() -> None:
    names = [
        "hi_nf_0012",
        "rec_20230522_101530_0042",
        "day1_consultation03",
        "AUD-20230522-WA0001",
        "visit_0012",
        "3001_SPEAKER",
        "2d1f7c9876501234ab77f0c2d4"[:8],
    ]
    for name in names:
        assert run("personal-number-in-name", Material(Entry(Recording(name, f"{name}.wav")))) == [], name
        assert masked(name) == name


@pytest.mark.parametrize(
    "text",
    [
        "wav/2023/05/rec_0001.wav:12: found '140/90'",
        "BP 140/90, 98.6",
        "from 12.345 to 62.345 s",
        "4800000 samples",
        "lines 12, 15, 101, 230",
        "1,25,000",
        f"{'0123456789abcdef' * 4}",
        "visit 20230522103000",
    ],
)
def test_what_stays_readable(text: str) -> None:
    assert masked(text) == text


def test_kinds_have_names_for_people() -> None:
    assert [str(kind) for kind in Kind][:2] == ["Aadhaar number", "telephone number"]
