"""Sentences as IndicTrans2 reads them: what indic-nlp-library 0.92 makes of them (normaliser, tokeniser, transliterator)."""

import pytest

from parakh.cascade.indictrans2.text import english, prepared, restored, sentences

ROWS = [
    ("hin_Deva", "मुझे पढ़ना है, डॉक्टर साहब!", "मुझे पढ़ना है , डॉक्टर साहब !"),
    ("hin_Deva", "3.5 दिन से बुखार है।", "3 . 5 दिन से बुखार है ।"),
    ("hin_Deva", "बुखार 3.5 दिन, 7:30 बजे", "बुखार 3.5 दिन , 7:30 बजे"),
    ("hin_Deva", "क़लम फ़ोन ज़रूरत ड़", "क़लम फ़ोन ज़रूरत ड़"),
    ("hin_Deva", "ऑपरेशन (कल) हुआ?", "ऑपरेशन ( कल ) हुआ ?"),
    ("hin_Deva", "दुःख है", "दुःख है"),
    ("hin_Deva", "“हाँ” कहा", '" हाँ " कहा'),
    ("kan_Knda", "ನಮಸ್ಕಾರ ಅಕ್ಕ, ಜ್ವರ ೩ ದಿನದಿಂದ ಇದೆ.", "नमस्कार अक्क , ज्वर 3 दिनदिंद इदॆ ."),
    ("kan_Knda", "ಕೊಡಿ ಹೋಗಿ ಕೈ ಡಾಕ್ಟರ್", "कॊडि होगि कै डाक्टर्"),
    ("kan_Knda", "ಫೋನ್", "फोन्"),
    ("tam_Taml", "காய்ச்சல் இருக்கிறது.", "काय्च्चल् इरुक्किऱतु ."),
    ("tam_Taml", "கொடு போ", "कॊटु पो"),
    ("tel_Telu", "జ్వరం ఉంది", "ज्वरं उंदि"),
    ("tel_Telu", "కొద్దిగా", "कॊद्दिगा"),
    ("mal_Mlym", "പനി ഉണ്ട്", "पनि उण्ट्"),
    ("mal_Mlym", "കൊണ്ട്", "कॊण्ट्"),
    ("mal_Mlym", "അവൻ", "अवൻ"),
    ("ben_Beng", "জ্বর আছে।", "ज्बर आछे ।"),
    ("ben_Beng", "পড়া", "पड़ा"),
    ("ben_Beng", "কোথায়", "कोथाय़"),
    ("guj_Gujr", "તાવ છે.", "ताव छे ."),
    ("pan_Guru", "ਬੁਖਾਰ ਹੈ।", "बुखार है ।"),
    ("pan_Guru", "ਪੜ੍ਹੋ", "पड़्हो"),
    ("ory_Orya", "ଜ୍ୱର ଅଛି।", "ज्ୱर अछि ।"),
    ("ory_Orya", "ପଡ଼ୋ", "पड़ो"),
    ("mar_Deva", "ताप आहे, अॅप", "ताप आहे , अॅप"),
]


@pytest.mark.parametrize(("tag", "text", "wanted"), ROWS)
def test_as_the_published_preprocessing(tag: str, text: str, wanted: str) -> None:
    assert prepared(text, tag) == (wanted, {})


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("बीपी 120/80 है", ["120/80"]),
        ("12-03-2024 को asha@example.org पर", ["12-03-2024", "asha@example.org"]),
        ("98.6 बुखार", []),
        ("www.nhm.gov.in #asha", ["www.nhm.gov.in", "#asha"]),
    ],
)
def test_what_is_put_back(text: str, kept: list[str]) -> None:
    read, found = prepared(text, "hin_Deva")
    assert list(found.values()) == kept
    assert restored(read, found)[1] == []
    assert not any(value in read for value in kept)


def test_ten_placeholders_are_told_apart() -> None:
    values = {f"ID{i}": f"1-{i}" for i in range(1, 12)}
    text, lost = restored(" ".join(f"< ID{i} >" for i in range(1, 11)), values)
    assert text.split() == [f"1-{i}" for i in range(1, 11)]
    assert lost == ["1-11"]


def test_sentences_end_where_they_end() -> None:
    assert sentences(" बुखार है। कब से ? 3.5 दिन. ಹೌದು! ") == ["बुखार है।", "कब से ?", "3.5 दिन.", "ಹೌದು!"]
    assert sentences("  ") == []


@pytest.mark.parametrize(
    ("pieces", "wanted"),
    [
        ("▁He ▁said ▁he ▁'d ▁come ▁.", "He said he'd come."),
        ("▁100 ▁% ▁( ▁or ▁so ▁) ▁!", "100% (or so)!"),
        ("▁it ▁is ▁n't", "it isn't"),
    ],
)
def test_english_as_people_write_it(pieces: str, wanted: str) -> None:
    assert english(pieces.split()) == wanted
