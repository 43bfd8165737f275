"""The checks of text on public transcripts and on the small situations distilled from public bug reports."""

import re
from pathlib import Path

import pytest

from parakh import formats, qc
from parakh.qc import Material, Settings, Source
from parakh.types import Entry, Recording, Segment

ROOT = Path(__file__).parent.parent.parent
DATA = ROOT.parent / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the folder of public data is not beside this checkout")

LANGUAGES = {
    "hindi": "hi",
    "kannada": "kn",
    "tamil": "ta",
    "telugu": "te",
    "malayalam": "ml",
    "marathi": "mr",
    "gujarati": "gu",
    "bengali": "bn",
    "punjabi": "pa",
    "english": "en",
}
TEXT = ["QC110", "QC111", "QC112", "QC113", "QC114", "QC115", "QC116"]
PERSONAL = ["QC120", "QC121", "QC122", "QC123", "QC124", "QC125", "QC126", "QC127"]


def found(codes: list[str], words: list[str], language: str) -> dict[str, list[int]]:
    """Indices of the texts that each check finds something in."""
    segments = Source("a", [Segment("v1", f"spk{at % 2}", words=text) for at, text in enumerate(words)])
    material = Material(Entry(Recording("v1", language=language)), transcript=segments)
    findings = {code: qc.get(code).findings(material, Settings()) for code in codes}
    return {code: [one.line - 1 for one in rows] for code, rows in findings.items() if rows}


def cases(name: str, file: str) -> list[str]:
    return [line.partition(" ")[2] for line in (DATA / "cases" / name / file).read_text("utf-8").split("\n") if line]


@needs_data
def test_32_script_change_within_a_word() -> None:
    # CASE.md: हैंcolumns, dotडॉट, अबsubject in u1 to u3 are flagged, COVID-19, बी12, 5mg and ASHAओं are not.
    assert found(["QC110"], cases("32-mixed-script-joined-words", "ref.txt"), "hi") == {"QC110": [0, 1, 2]}


@needs_data
def test_31_chillus_and_kannada_joiners_are_left_alone() -> None:
    for name in ("ref.txt", "hyp.txt", "kn.txt"):
        assert found(["QC110", "QC112", "QC113"], cases("31-chillu-zwj", name), "ml") == {}


@needs_data
def test_30_one_of_the_two_encodings_is_not_canonical() -> None:
    # CASE.md: the six words of both files are canonically equivalent and all differ in their code points.
    words = [[word for line in cases("30-nukta-nfc-nfd", name) for word in line.split()] for name in ("ref.txt", "hyp.txt")]
    drifts = [set(found(["QC111"], side, "hi").get("QC111", [])) for side in words]
    assert len(words[0]) == len(words[1]) == 6
    assert drifts[0] ^ drifts[1] == set(range(6))


@needs_data
def test_34_line_separators_are_odd() -> None:
    texts = [one.words for one in formats.load(DATA / "cases" / "34-unicode-line-separators" / "ref.txt", Segment).items]
    assert "QC113" in found(["QC113"], texts, "en")


@needs_data
@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_published_dialogues_raise_no_false_alarm(name: str) -> None:
    # The one name in each of these simulated talks is that of the doctor, in the first line.
    path = DATA / "doctor-patient-indic" / "transcripts" / name / "convo_001.txt"
    words = [line for line in path.read_text("utf-8").split("\n") if line.strip()]
    assert "QC127" not in (rest := found([*TEXT, *PERSONAL], words, LANGUAGES[name])) or rest.pop("QC127") == [0]
    assert rest == {}


@needs_data
def test_names_and_addresses_of_played_consultations() -> None:
    # primock57, day 3: what the actors say, read by ear and hand: an e-mail address spelled out, and the doctor's name.
    texts = re.findall(
        r'text = "(.+)"', (DATA / "primock57" / "transcripts" / "day3_consultation01_patient.TextGrid").read_text("utf-8")
    )
    assert sorted(found(PERSONAL, texts, "en")) == ["QC125", "QC127"]
    texts = re.findall(
        r'text = "(.+)"', (DATA / "primock57" / "transcripts" / "day3_consultation01_doctor.TextGrid").read_text("utf-8")
    )
    assert sorted(found(PERSONAL, texts, "en")) == ["QC127"]


@needs_data
def test_a_record_number_that_is_spelled_out() -> None:
    # aci-bench D2N100: "mrn 3-8-4-9-2-0", a made-up medical record number.
    assert found(["QC126"], ["kayla , date of birth , 4/28/07 . mrn 3-8-4-9-2-0 . she's here"], "en") == {"QC126": [0]}


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "transcripts").glob("*.txt")), ids=lambda path: path.stem)
def test_the_examples_are_clean(path: Path) -> None:
    words = [one.words for one in formats.load(path, Segment).items]
    assert words
    assert found([*TEXT, *PERSONAL, "QC301", "QC302", "QC303"], words, path.stem[:2]) == {}
