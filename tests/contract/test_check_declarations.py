"""What every check declares, in one voice: a title that names the problem, and a docstring in one form."""

import inspect

import pytest

from parakh import qc, registry
from parakh.qc import Check
from parakh.qc._about import HEADINGS, MEND, WHAT, WHY

CHECKS = list(qc.all_checks().values())
VERBS = {"is", "are", "has", "have", "cannot", "does", "stands", "comes", "belongs", "overlaps", "splits", "speaks", "says"}
VERBS |= {"differ", "disagree", "cuts", "ends"}
each = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)


def doc(check: Check) -> str:
    return inspect.getdoc(registry.load("check", check.name)) or ""


def test_codes_and_names_are_unique() -> None:
    assert len({check.code for check in CHECKS}) == len({check.name for check in CHECKS}) == len(CHECKS) > 50


@each
def test_a_title_is_a_short_sentence_about_the_problem(check: Check) -> None:
    assert check.title[0].isupper()
    assert not check.title.endswith(".")
    assert VERBS & set(check.title.split()), "a title says what is wrong, as in 'A file cannot be read'"
    assert len(check.title) <= 60


@each
def test_a_docstring_has_one_form(check: Check) -> None:
    first, blank, *rest = doc(check).split("\n")
    assert (first[0].isupper(), first[-1:], blank) == (True, ".", "")
    headings = [line for line in rest if line and not line.startswith(" ")]
    assert [line.removesuffix(":") for line in headings] == [name for name in HEADINGS if f"{name}:" in headings]
    assert {WHAT, WHY, MEND} <= set(qc.about(check).sections)
    assert all(qc.about(check).sections.values())


@each
def test_names_in_a_docstring_stand_between_single_marks(check: Check) -> None:
    """Pages show `name` as code; a second pair of marks would stay on them."""
    assert "``" not in doc(check)
