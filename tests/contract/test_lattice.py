"""References with slots: what is read, what is refused, what a choice costs; spellings from a file."""

import json
from dataclasses import asdict
from pathlib import Path
from time import process_time

import pytest

from parakh.diagnostics.lattice import LatticeCounts, Slot, Taken, first_wording, lattice_errors, parse_lattice
from parakh.diagnostics.setup import Setup
from parakh.diagnostics.variants import read_variants, variants_of
from parakh.errors import InputError

HINDI = Setup("hi")


def wordings(text: str) -> list[tuple[str, ...]]:
    return [slot.alternatives for slot in parse_lattice(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \n ", []),
        ("बीपी 120/80 है / हाँ @ *", [("बीपी 120/80 है / हाँ @ *",)]),
        ("{a / b}", [("a", "b")]),
        ("{ a / b c / @ }", [("a", "b c", "")]),
        ("{ a / }", [("a", "")]),
        ("{ / a}", [("", "a")]),
        ("{a / / b}", [("a", "", "b")]),
        ("{ 120/80 / 120 by 80 }", [("120/80", "120 by 80")]),
        ("{*}", [()]),
        ("{ * }x{*}", [(), ("x",), ()]),
        ("x {a / b}{c / d} y z", [("x",), ("a", "b"), ("c", "d"), ("y z",)]),
    ],
)
def test_slots_are_read(text: str, expected: list[tuple[str, ...]]) -> None:
    assert wordings(text) == expected


def test_offsets_lead_back_to_the_text() -> None:
    text = "  मुझे { दवाई / दवा } दो "
    assert [text[slot.start : slot.end] for slot in parse_lattice(text)] == ["मुझे", "{ दवाई / दवा }", "दो"]


@pytest.mark.parametrize(
    ("text", "found", "offset"),
    [
        ("दवा { a / b", "'{' that nothing closes", 4),
        ("a } b", "'}' that nothing opens", 2),
        ("{ a / { b / c } }", "'{' within a slot", 6),
        ("x {}", "'{}'", 2),
        ("{ a }", "'{ a }'", 0),
        ("{a/b}", "'{a/b}'", 0),
        ("{ @ / }", "'{ @ / }'", 0),
        ("{ a / * }", "'{ a / * }'", 0),
    ],
)
def test_what_is_no_slot_is_refused_with_its_place(text: str, found: str, offset: int) -> None:
    with pytest.raises(InputError) as caught:
        parse_lattice(text, "ref.stm", 7)
    (fault,) = caught.value.faults
    assert (fault.path, fault.line, fault.field) == ("ref.stm", 7, "words")
    assert fault.found == f"{found} at offset {offset}"


def counted(reference: str, hypothesis: str, setup: Setup = HINDI, *, marks: bool = False) -> tuple[int, int, int, int, int]:
    counts = lattice_errors(reference, hypothesis, setup, marks=marks)
    return counts.errors, counts.substitutions, counts.deletions, counts.insertions, counts.length


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("मुझे दवा दो", "मुझे दवा दो", (0, 0, 0, 0, 3)),
        ("मुझे { दवाई / दवा } दो", "मुझे दवा दो", (0, 0, 0, 0, 3)),
        ("मुझे { दवाई / दवा } दो", "मुझे दावा दो", (1, 1, 0, 0, 3)),
        ("{ भाई साहब / भाईसाहब } आए", "भाईसाहब आए", (0, 0, 0, 0, 3)),
        ("{ भाईसाहब / भाई साहब } आए", "भाई साहब आए", (0, 0, 0, 0, 2)),
        ("{ हाँ / @ } दो", "दो", (0, 0, 0, 0, 2)),
        ("{ @ / हाँ } दो", "हाँ दो", (0, 0, 0, 0, 1)),
        ("{*}", "कुछ भी हो", (0, 0, 0, 0, 0)),
        ("{*}", "", (0, 0, 0, 0, 0)),
        ("दवा {*} दो", "दवा अभी मुझे दो", (0, 0, 0, 0, 2)),
        ("दवा {*} दो", "दवा", (1, 0, 1, 0, 2)),
        ("", "दवा दो", (2, 0, 0, 2, 0)),
        ("{ a / b }", "", (1, 0, 1, 0, 1)),
        ("{ ढाई सौ / 250 } mg", "२५० MG", (0, 0, 0, 0, 3)),
    ],
)
def test_the_cheapest_choice_is_charged(reference: str, hypothesis: str, expected: tuple[int, ...]) -> None:
    assert counted(reference, hypothesis) == expected


def test_marks_count_only_where_asked_and_stand_only_for_marks() -> None:
    assert counted("दवा लो।", "दवा लो") == (0, 0, 0, 0, 2)
    assert counted("दवा लो।", "दवा लो", marks=True) == (1, 0, 1, 0, 3)
    assert counted("लो ।", "लो जी", marks=True) == (2, 0, 1, 1, 2)


def test_tiers_and_variants_of_the_setup_hold_in_slots() -> None:
    assert counted("{ हूँ / था }", "हूं")[0] == 0
    assert counted("{ अंदर / टैबलेट }", "टेबलेट", Setup("hi", variants={"टेबलेट": "टैबलेट"}))[0] == 0
    assert counted("टैबलेट", "टेबलेट")[0] == 1


def test_what_each_slot_was_taken_for_is_told() -> None:
    counts = lattice_errors("{ a / @ } ने {*} कहा { x / y z }", "ने अरे, सुनो तो कहा y z", HINDI)
    assert counts.taken == (Taken(1, ""), Taken(None, "अरे, सुनो तो"), Taken(1, "y z"))
    assert counts.rate == 0.0


def test_of_equally_good_wordings_the_first_is_taken() -> None:
    assert lattice_errors("{ a / b }", "c", HINDI).taken == (Taken(0, "a"),)


def test_without_reference_words_there_is_no_rate() -> None:
    assert lattice_errors("{*}", "कुछ", HINDI).rate is None


def test_counts_are_plain_values() -> None:
    counts = lattice_errors("{ a / b } {*}", "b c d", HINDI)
    assert json.loads(json.dumps(asdict(counts)))["taken"][1] == {"alternative": None, "words": "c d"}
    assert counts == LatticeCounts(0, 0, 0, 0, 1, (Taken(1, "b"), Taken(None, "c d")))


def test_the_first_wordings_are_the_plain_reference() -> None:
    assert first_wording("मुझे {*} { @ / जी } { दवाई / दवा } दो") == "मुझे दवाई दो"


def test_long_references_take_seconds_and_little_memory() -> None:
    words = [
        f"{'कखगघच'[k % 5]}{'टठडढण'[k // 5 % 5]}{k % 7}".translate({48 + d: 2406 + d for d in range(10)}) for k in range(6000)
    ]
    reference = " ".join(f"{{ {word} / जी {word} }}" if k % 10 == 0 else word for k, word in enumerate(words))
    began = process_time()
    counts = lattice_errors(reference, " ".join(word for k, word in enumerate(words) if k % 9), HINDI)
    assert counts.errors > 0
    assert process_time() - began < 20  # about one second


def write(folder: Path, text: str) -> Path:
    path = folder / "variants.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_spellings_are_read_in_either_form(tmp_path: Path) -> None:
    text = "# words\n\nटैबलेट = टेबलेट | टॅब्लेट  # tablet\nडॉक्टर\tडाक्टर\tडोक्टर\nटैबलेट = टैबलेट | टेब्लेट\n"
    expected = {"टेबलेट": "टैबलेट", "टॅब्लेट": "टैबलेट", "डाक्टर": "डॉक्टर", "डोक्टर": "डॉक्टर", "टेब्लेट": "टैबलेट"}
    assert read_variants(write(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("a = b\nword\n", 2, "word = spelling"),
        ("a =\n", 1, "one word"),
        ("a = b | | c\n", 1, "one word"),
        ("= b\n", 1, "one word"),
        ("भाई साहब = भाईसाहब\n", 1, "one word"),
        ("a = b\nc = b\n", 2, "line 1 has it for 'a'"),
        ("a = b\nb = c\n", 2, "line 1 has it for 'a'"),
        ("b = c\na = b\n", 1, "line 2 has it for 'a'"),
    ],
)
def test_faults_of_a_file_of_spellings_name_their_line(tmp_path: Path, text: str, line: int, expected: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_variants(path)
    (fault,) = caught.value.faults
    assert (fault.path, fault.line) == (str(path), line)
    assert expected in fault.expected


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_variants(write(tmp_path, "a\nb b = c\n"))
    assert [fault.line for fault in caught.value.faults] == [1, 2]


def test_slots_teach_spellings_of_one_word_only() -> None:
    slots = (*parse_lattice("{ टैबलेट / टेबलेट / एक गोली / @ } {*} { @ / जी } लो"), Slot(("टॅब्लेट", "टैबलेट"), 0, 0))
    found = variants_of(slots)
    assert found == {"टेबलेट": "टॅब्लेट", "टैबलेट": "टॅब्लेट"}
    assert not found.keys() & set(found.values())


def test_slots_that_go_round_teach_no_circle() -> None:
    assert variants_of(parse_lattice("{ a / b } { b / c } { c / a }")) == {"b": "a", "c": "a"}
