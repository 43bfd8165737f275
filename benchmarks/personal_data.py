"""How many personal numbers and names the checks QC120 to QC127 find, and how often they are wrong.

Sentences are made from templates with random content; what is in each is known because it was put there. Templates are of two
sorts: those by which the checks were built, and held-out ones that were written once the checks stood. No number is anybody's:
digits are random, check digits computed. Run from the root of the repository:

    python -m benchmarks.personal_data [--per-template 12] [--seed 7] [--set tuned|held_out] [--show KIND]
"""

from __future__ import annotations

import argparse
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from parakh import qc
from parakh.qc import Material, Settings, Source
from parakh.text.personal import verhoeff
from parakh.types import Entry, Recording, Segment

HERE = Path(__file__).parent
CHECKS = {
    "aadhaar": "QC120", "phone": "QC121", "pan": "QC122", "voter": "QC123", "abha": "QC124", "email": "QC125",
    "spoken": "QC126", "name": "QC127",
}  # fmt: skip
KIND = {
    "phone_b": "phone", "aadhaar_b": "aadhaar", "spoken_b": "spoken", "spoken_roman_b": "spoken", "spoken_email_b": "email",
    "surname": "name", "landline": "phone", "abha_address": "abha", "spoken_email": "email", "spoken_roman": "spoken", "name_roman": "name",
}  # fmt: skip
LANGUAGES = {"hi": "Hindi", "kn": "Kannada", "en": "English"}

NATIVE_DIGITS = {"hi": "०१२३४५६७८९", "kn": "೦೧೨೩೪೫೬೭೮೯", "en": "0123456789"}
DIGIT_WORDS = {
    "hi": ["शून्य", "एक", "दो", "तीन", "चार", "पाँच", "छह", "सात", "आठ", "नौ"],
    "kn": ["ಸೊನ್ನೆ", "ಒಂದು", "ಎರಡು", "ಮೂರು", "ನಾಲ್ಕು", "ಐದು", "ಆರು", "ಏಳು", "ಎಂಟು", "ಒಂಬತ್ತು"],
    "en": ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"],
}
ENGLISH_IN = {
    "hi": ["ज़ीरो", "वन", "टू", "थ्री", "फोर", "फाइव", "सिक्स", "सेवन", "एट", "नाइन"],
    "kn": ["ಜೀರೋ", "ಒನ್", "ಟೂ", "ತ್ರೀ", "ಫೋರ್", "ಫೈವ್", "ಸಿಕ್ಸ್", "ಸೆವೆನ್", "ಏಟ್", "ನೈನ್"],
    "en": ["oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"],
}
ROMAN = {
    "hi": [
        "shunya zero",
        "ek",
        "do",
        "teen tin",
        "char chaar",
        "paanch panch",
        "chhe chah chhah",
        "saat sat",
        "aath ath",
        "nau no",
    ],
    "kn": [
        "sonne",
        "ondu",
        "eradu yeradu",
        "mooru muru",
        "nalku naalku",
        "aidu",
        "aaru aru",
        "elu yelu",
        "entu",
        "ombattu ombathu",
    ],
    "en": [],
}
TENS = {
    "hi": {98: "अट्ठानवे", 76: "छिहत्तर", 54: "चौवन", 32: "बत्तीस", 87: "सत्तासी", 65: "पैंसठ", 43: "तैंतालीस", 21: "इक्कीस", 90: "नब्बे", 77: "सतहत्तर", 36: "छत्तीस", 49: "उनचास"},
    "kn": {98: "ತೊಂಬತ್ತೆಂಟು", 76: "ಎಪ್ಪತ್ತಾರು", 54: "ಐವತ್ತನಾಲ್ಕು", 32: "ಮೂವತ್ತೆರಡು", 87: "ಎಂಬತ್ತೇಳು", 65: "ಅರವತ್ತೈದು", 43: "ನಲವತ್ತಮೂರು", 21: "ಇಪ್ಪತ್ತೊಂದು", 90: "ತೊಂಬತ್ತು", 77: "ಎಪ್ಪತ್ತೇಳು"},
    "en": {98: "ninety eight", 76: "seventy-six", 54: "fifty four", 32: "thirty two", 87: "eighty seven", 65: "sixty-five", 43: "forty three", 21: "twenty one", 90: "ninety", 77: "seventy seven"},
}  # fmt: skip
DOUBLE = {"hi": "डबल", "kn": "ಡಬಲ್", "en": "double"}
FILLER = {"hi": ["", "", " उम", " फिर", ","], "kn": ["", "", " ಮತ್ತೆ", ","], "en": ["", "", ", uh", ", then", ","]}
NAMES = {
    "hi": [
        "सुनीता",
        "रमेश",
        "रेखा",
        "गीता",
        "मुन्नी",
        "राजेश",
        "कमला",
        "शबनम",
        "इमरान",
        "फूलमती",
        "संतोष",
        "दुलारी",
        "प्रमिला",
        "इरफान",
        "देवकी",
        "जानकी",
        "करिश्मा",
        "उस्मान",
        "मीना",
        "लक्ष्मण",
    ],
    "kn": [
        "ಲಕ್ಷ್ಮಿ",
        "ಮಂಜುಳಾ",
        "ರಮೇಶ",
        "ಶಾಂತಮ್ಮ",
        "ಗೀತಾ",
        "ಬಸವರಾಜು",
        "ನಾಗರತ್ನ",
        "ಸುಮಾ",
        "ಇಮ್ರಾನ್",
        "ಕಾವೇರಿ",
        "ಸಿದ್ದಪ್ಪ",
        "ಪಾರ್ವತಿ",
        "ರೇಣುಕಾ",
        "ಮಹದೇವ",
        "ಆಯಿಷಾ",
        "ಹನುಮಂತ",
    ],
    "en": [
        "Sunita",
        "Ramesh",
        "Lakshmi",
        "Geeta",
        "Imran",
        "Shanta",
        "Rajesh",
        "Kaveri",
        "Fatima",
        "Mohan",
        "Parvati",
        "Arun",
        "Meena",
        "Basavaraj",
        "Joseph",
        "Anita",
    ],
}
ROMAN_NAMES = [
    "sunita",
    "ramesh",
    "lakshmi",
    "geeta",
    "imran",
    "shanta",
    "rajesh",
    "kaveri",
    "fatima",
    "mohan",
    "parvati",
    "arun",
    "meena",
    "basavaraj",
]
MEDICINES = {"hi": ["पैरासिटामोल", "मेटफॉर्मिन", "आयरन", "कैल्शियम"], "kn": ["ಪ್ಯಾರಾಸಿಟಮಾಲ್", "ಮೆಟ್ಫಾರ್ಮಿನ್", "ಐರನ್"], "en": ["Paracetamol", "Metformin", "Amlodipine"]}  # fmt: skip
PLACES = {"hi": ["रामपुर", "सोनपुरा", "चंद्रावली"], "kn": ["ಹೊಸಬಯಲು", "ಕೆರೆಹಳ್ಳಿ", "ಸೋಮನಹಳ್ಳಿ"], "en": ["Rampur", "Hosabayalu", "Keelur"]}


@dataclass(frozen=True)
class Sentence:
    """One sentence and the kinds of personal data in it.

    Args:
        language: Its language.
        template: Number of its template.
        parts: Its words, in one segment or two.
        kinds: The kinds in it, as ``CHECKS`` names them.
    """

    language: str
    template: int
    parts: tuple[str, ...]
    kinds: frozenset[str]


# --- What is put into the slots ---------------------------------------------------------------------------------------------


def digits(rng: random.Random, count: int, first: str = "0123456789") -> str:
    """Random digits, the first one of some."""
    return rng.choice(first) + "".join(rng.choice("0123456789") for _ in range(count - 1))


def mobile(rng: random.Random) -> str:
    """A random mobile number."""
    return digits(rng, 10, "6789")


def aadhaar_number(rng: random.Random) -> str:
    """Twelve random digits with their check digit."""
    head = digits(rng, 11, "23456789")
    return next(head + last for last in "0123456789" if verhoeff(head + last))


def grouped(rng: random.Random, number: str, shapes: list[tuple[int, ...]], gaps: list[str]) -> str:
    """A number in groups."""
    shape, gap = rng.choice(shapes), rng.choice(gaps)
    ends = [sum(shape[: place + 1]) for place in range(len(shape))]
    return gap.join(number[end - length : end] for end, length in zip(ends, shape, strict=True))


def in_script(rng: random.Random, text: str, tag: str) -> str:
    """Some texts in the digits of the language."""
    return text.translate(str.maketrans("0123456789", NATIVE_DIGITS[tag])) if rng.random() < 0.3 else text


def phone(rng: random.Random, tag: str) -> str:
    """A mobile number as people write it."""
    text = grouped(
        rng, mobile(rng), [(10,), (10,), (5, 5), (3, 3, 4), (4, 3, 3), (2, 2, 2, 2, 2), (4, 6)], [" ", "-", " - ", "\u00a0"]
    )
    text = rng.choice(["", "", "", "+91 ", "+91-", "0", "91 "]) + text
    return in_script(rng, text, tag)


def landline(rng: random.Random, tag: str) -> str:
    """A number of a fixed line with its code."""
    code, length = rng.choice([("080", 8), ("011", 8), ("0821", 7), ("0755", 7), ("08192", 6)])
    return in_script(rng, code + rng.choice([" ", "-"]) + digits(rng, length, "23456"), tag)


def aadhaar(rng: random.Random, tag: str) -> str:
    """An Aadhaar number as people write it."""
    return in_script(
        rng, grouped(rng, aadhaar_number(rng), [(12,), (4, 4, 4), (4, 4, 4)], [" ", "-", " <noise> ", "\u200b "]), tag
    )


def pan(rng: random.Random, tag: str) -> str:
    """A PAN of a person."""
    letters = "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(6))
    text = f"{letters[:3]}P{letters[4]}{digits(rng, 4)}{letters[5]}"
    return rng.choice([text, text, f"{text[:5]} {text[5:9]} {text[9]}"])


def voter(rng: random.Random, tag: str) -> str:
    """The number of a voter identity card."""
    letters = "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(3))
    return letters + rng.choice(["", "", " "]) + digits(rng, 7)


def abha(rng: random.Random, tag: str) -> str:
    """An ABHA number."""
    return grouped(rng, digits(rng, 14, "123456789"), [(14,), (2, 4, 4, 4), (2, 4, 4, 4)], ["-", " "])


def email(rng: random.Random, tag: str) -> str:
    """An e-mail address of a name and a number."""
    return f"{rng.choice(ROMAN_NAMES)}{rng.choice(['', '.k', '_r', '12'])}@{rng.choice(['example.com', 'example.org', 'mail.example.in'])}"


def spoken_email(rng: random.Random, tag: str) -> str:
    """An e-mail address that is read out."""
    name = rng.choice(NAMES[tag])
    return {"hi": f"{name} एट जीमेल डॉट कॉम", "kn": f"{name} ಅಟ್ ಜಿಮೇಲ್ ಡಾಟ್ ಕಾಮ್", "en": f"{name} at gmail dot com"}[tag]


def spoken(rng: random.Random, tag: str) -> str:
    """A mobile number that is read out: digit by digit, with "double", with written digits, in pairs."""
    number = mobile(rng)
    style = rng.choice(["own", "own", "english", "mixed", "written", "pairs"])
    if style == "pairs":
        pairs = rng.sample(sorted(TENS[tag]), 5)
        return " ".join(TENS[tag][pair] for pair in pairs)
    if style == "written":
        return f"{number[:5]} " + " ".join(DIGIT_WORDS[tag][int(digit)] for digit in number[5:])
    words = ENGLISH_IN[tag] if style == "english" else DIGIT_WORDS[tag]
    out: list[str] = []
    at = 0
    while at < len(number):
        other = rng.choice([words, ENGLISH_IN[tag], list("0123456789")]) if style == "mixed" else words
        if number[at : at + 2] == number[at] * 2 and rng.random() < 0.7:
            out.append(f"{DOUBLE[tag]} {other[int(number[at])]}")
            at += 2
        else:
            out.append(other[int(number[at])] + (rng.choice(FILLER[tag]) if at in (3, 5) else ""))
            at += 1
    return " ".join(out)


def spoken_roman(rng: random.Random, tag: str) -> str:
    """The same in Latin letters."""
    return " ".join(rng.choice(ROMAN[tag][int(digit)].split()) for digit in mobile(rng))


def scheme(rng: random.Random, tag: str) -> str:
    """How many tablets in the morning, at noon and at night."""
    return rng.choice(["1-0-1", "1-1-1", "0-0-1", "1 0 1", "1-0-0"])


def count(rng: random.Random, tag: str) -> str:
    """Counting."""
    return ", ".join(DIGIT_WORDS[tag][1 : rng.randint(7, 10)])


def date(rng: random.Random, tag: str) -> str:
    """A date in digits."""
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(2019, 2026)
    return in_script(rng, rng.choice([f"{day}/{month}/{year}", f"{day:02}-{month:02}-{year}", f"{day}.{month}.{year}"]), tag)


# --- Other ways, for the held-out templates -----------------------------------------------------------------------------------


def phone_b(rng: random.Random, tag: str) -> str:
    """A mobile number in rarer ways: other groups, full stops, commas, brackets, a tag or an ending within it."""
    number = mobile(rng)
    text = rng.choice(
        [
            grouped(rng, number, [(3, 4, 3), (2, 4, 4), (5, 5), (6, 4)], [".", ", ", " <cough> ", "  "]),
            f"({number[:5]}) {number[5:]}",
            f"+91({number[:5]}){number[5:]}",
            f"+91{number}",
            " ".join(number),
            number + {"hi": "वाला", "kn": "ಗೆ", "en": "."}[tag],
            f"0{number[:5]}/{number[5:]}",
        ]
    )
    return in_script(rng, text, tag)


def aadhaar_b(rng: random.Random, tag: str) -> str:
    """An Aadhaar number in rarer ways."""
    number = aadhaar_number(rng)
    return in_script(
        rng, rng.choice([" ".join(number), grouped(rng, number, [(4, 4, 4), (6, 6), (3, 3, 3, 3)], [".", "/", "  ", " "])]), tag
    )


def spoken_b(rng: random.Random, tag: str) -> str:
    """A number that is read out in rarer ways: "triple", hundreds, only a part of it, a correction, small words within."""
    number = mobile(rng)
    own, english = DIGIT_WORDS[tag], ENGLISH_IN[tag]
    hundred = {"hi": "सौ", "kn": "ನೂರ", "en": "hundred"}[tag]
    small = {"hi": [" है ना", " जी", " उसके बाद"], "kn": [" ಅಲ್ವಾ", " ರೀ", " ಅದಾದ್ಮೇಲೆ"], "en": [" right", " and", " and after that"]}[
        tag
    ]
    triple = {"hi": "ट्रिपल", "kn": "ಟ್ರಿಪಲ್", "en": "triple"}[tag]
    words = [rng.choice([own, english])[int(digit)] for digit in number]
    styles = [
        f"{triple} {english[int(number[0])]} " + " ".join(words[3:]),
        " ".join(words[:6]),
        " ".join(words[:4]) + rng.choice(small) + " " + " ".join(words[4:7]) + rng.choice(small) + " " + " ".join(words[7:]),
        f"{own[int(number[0])]} {hundred} {rng.choice(sorted(TENS[tag].values()))} " + " ".join(words[3:]),
        ", ".join(words),
        "-".join(words),
        " ".join(words[:5]) + {"hi": " नहीं नहीं ", "kn": " ಅಲ್ಲ ", "en": " no sorry "}[tag] + " ".join(words[4:]),
    ]
    return rng.choice(styles)


def spoken_roman_b(rng: random.Random, tag: str) -> str:
    """Digits in Latin letters, in the language and in English."""
    english = DIGIT_WORDS["en"]
    return " ".join(rng.choice([rng.choice(ROMAN[tag][int(digit)].split()), english[int(digit)]]) for digit in mobile(rng))


def spoken_email_b(rng: random.Random, tag: str) -> str:
    """An address that is read out, at other places than before."""
    name = rng.choice(NAMES[tag])
    forms = {
        "hi": [f"{name} ऐट द रेट याहू डॉट इन", f"{name} एट रेडिफमेल डॉट कॉम", f"{name} 12 at gmail.com"],
        "kn": [f"{name} ಅಟ್ ದ ರೇಟ್ ಯಾಹೂ ಡಾಟ್ ಇನ್", f"{name} ಅಟ್ ರೆಡಿಫ್‌ಮೇಲ್ ಡಾಟ್ ಕಾಮ್", f"{name} 12 at gmail.com"],
        "en": [
            f"{name.lower()} at the rate yahoo dot in",
            f"{name.lower()} underscore k at outlook dot com",
            f"{name.lower()} at clinic dot org",
        ],
    }
    return rng.choice(forms[tag])


def code_b(rng: random.Random, tag: str) -> str:
    """What is printed on a medicine."""
    return rng.choice(
        [
            f"B.No. {digits(rng, 6)} EXP 05/27",
            f"{digits(rng, 3)}-{digits(rng, 4)}-{digits(rng, 2)}",
            f"MFG 2024-11 {digits(rng, 8)}",
            f"NDC {digits(rng, 9)}",
        ]
    )


SURNAMES = {"hi": ["शर्मा", "यादव", "सोरेन", "बघेल"], "kn": ["ಗೌಡ", "ಶೆಟ್ಟಿ", "ಹೊಸಮನಿ"], "en": ["Sharma", "Gowda", "Soren"]}

Slot = Callable[[random.Random, str], str]
SLOTS: dict[str, Slot] = {
    "phone": phone, "landline": landline, "aadhaar": aadhaar, "pan": pan, "voter": voter, "abha": abha, "email": email,
    "abha_address": lambda rng, tag: f"{rng.choice(ROMAN_NAMES)}{digits(rng, 4)}@abdm",
    "spoken_email": spoken_email, "spoken": spoken, "spoken_roman": spoken_roman,
    "name": lambda rng, tag: rng.choice(NAMES[tag]), "name_roman": lambda rng, tag: rng.choice(ROMAN_NAMES),
    "bp": lambda rng, tag: in_script(rng, f"{rng.randint(90, 180)}/{rng.randint(60, 110)}", tag),
    "temp": lambda rng, tag: rng.choice([f"{rng.randint(97, 104)}.{rng.randint(0, 9)}", str(rng.randint(98, 104))]),
    "dose": lambda rng, tag: f"{rng.choice([250, 500, 650, 1000])} mg",
    "scheme": scheme, "date": date, "count": count,
    "age": lambda rng, tag: in_script(rng, str(rng.randint(18, 90)), tag),
    "weight": lambda rng, tag: str(rng.randint(40, 90)),
    "pin": lambda rng, tag: in_script(rng, digits(rng, 6, "12345678"), tag),
    "pin_spoken": lambda rng, tag: " ".join(DIGIT_WORDS[tag][int(digit)] for digit in digits(rng, 6, "12345678")),
    "house": lambda rng, tag: f"{rng.randint(1, 400)}/{rng.randint(1, 30)}",
    "money": lambda rng, tag: rng.choice(["6,000", "1,25,000", "5000", "12,000"]),
    "year": lambda rng, tag: in_script(rng, str(rng.randint(2005, 2026)), tag),
    "code": lambda rng, tag: rng.choice([f"LOT{digits(rng, 8)}", f"AB{digits(rng, 6)}", f"PCM{digits(rng, 7)}", digits(rng, 10, "6789")]),
    "sugar": lambda rng, tag: str(rng.randint(80, 320)), "hb": lambda rng, tag: f"{rng.randint(7, 13)}.{rng.randint(0, 9)}",
    "pulse": lambda rng, tag: str(rng.randint(60, 110)), "spo2": lambda rng, tag: str(rng.randint(90, 99)),
    "medicine": lambda rng, tag: rng.choice(MEDICINES[tag]), "place": lambda rng, tag: rng.choice(PLACES[tag]),
    "phone_b": phone_b, "aadhaar_b": aadhaar_b, "spoken_b": spoken_b, "spoken_roman_b": spoken_roman_b,
    "spoken_email_b": spoken_email_b, "code_b": code_b, "surname": lambda rng, tag: rng.choice(SURNAMES[tag]),
    "otp": lambda rng, tag: digits(rng, rng.choice([4, 6])),
}  # fmt: skip
LABELS = frozenset(CHECKS) | frozenset(KIND)


# --- Sentences and scores ---------------------------------------------------------------------------------------------------


def sentences(name: str, per_template: int, seed: int) -> Iterator[Sentence]:
    """The sentences of a set of templates.

    Args:
        name: "tuned" or "held_out".
        per_template: Sentences made of each template.
        seed: Of the random numbers.
    """
    templates: dict[str, list[str]] = tomllib.loads((HERE / f"personal_data_{name}.toml").read_text("utf-8"))
    for tag, texts in templates.items():
        for number, template in enumerate(texts):
            rng = random.Random(f"{seed}/{name}/{tag}/{number}")
            for _ in range(per_template):
                yield _filled(rng, tag, number, template)


def _filled(rng: random.Random, tag: str, number: int, template: str) -> Sentence:
    slots = [piece.split("}")[0] for piece in template.split("{")[1:]]
    text, split = template, ()
    for slot in slots:
        value = SLOTS[slot](rng, tag)
        if slot in ("spoken", "spoken_b") and rng.random() < 0.25:  # the speaker is interrupted
            words = value.split()
            half = len(words) // 2
            value = f"{' '.join(words[:half])} \n {' '.join(words[half:])}"
        text = text.replace(f"{{{slot}}}", value, 1)
    split = tuple(part.strip() for part in text.split("\n"))
    return Sentence(tag, number, split, frozenset(KIND.get(slot, slot) for slot in slots if slot in LABELS))


def found(sentence: Sentence) -> frozenset[str]:
    """The kinds that the checks find in a sentence."""
    segments = [Segment("v1", "spk0", 3.0 * at, 3.0 * at + 2.9, text) for at, text in enumerate(sentence.parts)]
    material = Material(Entry(Recording("v1", language=sentence.language)), transcript=Source("v1.txt", segments))
    kinds = set()
    for kind, code in CHECKS.items():
        check = qc.get(code)
        if check.recording and check.findings(material, Settings()):
            kinds.add(kind)
    return frozenset(kinds)


def table(name: str, per_template: int, seed: int, show: str = "") -> list[str]:
    """Recall and precision by kind and language, as rows of a Markdown table."""
    hits: Counter[tuple[str, str, str]] = Counter()
    totals: Counter[str] = Counter()
    for sentence in sentences(name, per_template, seed):
        totals[sentence.language] += 1
        heard = found(sentence)
        for kind in CHECKS:
            said = kind in sentence.kinds
            outcome = "found" if said and kind in heard else "missed" if said else "false" if kind in heard else ""
            hits[sentence.language, kind, outcome] += 1
            if show in (kind, "all") and outcome in ("missed", "false"):
                print(f"{outcome} {kind} [{sentence.language}:{sentence.template}] {' || '.join(sentence.parts)}")
    rows = ["| kind | " + " | ".join(f"{LANGUAGES[tag]} recall | precision" for tag in totals) + " |"]
    rows.append("|---" * (1 + 2 * len(totals)) + "|")
    for kind in CHECKS:
        cells = []
        for tag in totals:
            right, missed, wrong = (hits[tag, kind, outcome] for outcome in ("found", "missed", "false"))
            cells += [_rate(right, right + missed), _rate(right, right + wrong)]
        rows.append(f"| {kind} | " + " | ".join(cells) + " |")
    rows.append(f"\nSentences: {', '.join(f'{count} {LANGUAGES[tag]}' for tag, count in totals.items())}.")
    return rows


def _rate(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} % ({part}/{whole})" if whole else "n/a"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-template", type=int, default=12)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--set", choices=("tuned", "held_out"), action="append")
    parser.add_argument("--show", default="", help="print the mistakes of one kind, or of all")
    chosen = parser.parse_args()
    for name in chosen.set or ("tuned", "held_out"):
        print(f"\n## {name}\n")
        print("\n".join(table(name, chosen.per_template, chosen.seed, chosen.show)))


if __name__ == "__main__":
    main()
