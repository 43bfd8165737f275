"""The concept list itself: complete, consistent, and every form of it found in text."""

from collections import Counter

import pytest

from parakh.clinical import concepts
from parakh.clinical.folding import words_of
from parakh.clinical.lexicon import PROBLEM_KINDS, Concept, Form, composites, forms
from parakh.clinical.matching import find

KINDS = PROBLEM_KINDS | {"history", "medicine", "procedure", "advice", "decoy"}


def spoken(form: Form) -> str:
    """The form said with the first word of every slot, stems as they stand, gaps left empty."""
    return " ".join(min(slot.exact or slot.prefixes) for slot in form.slots)


def test_the_list_is_large_enough() -> None:
    assert sum(concept.is_problem for concept in concepts().values()) >= 150


def test_ids_of_all_files_are_distinct() -> None:
    from parakh.clinical.lexicon import DATA

    names = Counter(
        line[1:-1]
        for path in (DATA / "concepts").iterdir()
        for line in path.read_text("utf-8").splitlines()
        if line.startswith("[") and line.endswith("]")
    )
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("concept", concepts().values(), ids=lambda concept: concept.id)
def test_a_concept_is_well_formed(concept: Concept) -> None:
    assert concept.kind in KINDS
    assert concept.term.strip() == concept.term
    assert concept.broader is None or concept.broader in concepts()
    columns = {form.column for form in forms() if form.concept == concept}
    assert {"en", "hi", "kn"} <= columns, "a concept is named in all three languages"


@pytest.mark.parametrize("concept", [c for c in concepts().values() if c.kind != "decoy"], ids=lambda concept: concept.id)
def test_every_form_is_found(concept: Concept) -> None:
    missed = []
    for form in forms():
        if form.concept != concept:
            continue
        words = words_of(spoken(form))
        found = find(words, None)
        whole = any(set(match.places) == set(range(len(words))) for match in found)
        if not whole and not any(match.concept == concept for match in found):
            missed.append(f"{form.column}: {spoken(form)}")
    assert missed == []


def test_composites_are_made_of_concepts() -> None:
    assert composites()
    assert all({part, other} <= concepts().keys() for _, part, other in composites())
