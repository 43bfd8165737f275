"""What every check declares, in one voice: a title that names the problem, and a docstring in one form."""

import inspect
import re

import pytest

from parakh import qc, registry
from parakh.qc import Check, Settings
from parakh.qc._about import EXAMPLE, HEADINGS, MEND, WHAT, WHY

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
    assert {WHAT, WHY, MEND, EXAMPLE} <= set(qc.about(check).sections)
    assert all(qc.about(check).sections.values())


@each
def test_names_in_a_docstring_stand_between_single_marks(check: Check) -> None:
    """Pages show `name` as code; a second pair of marks would stay on them."""
    assert "``" not in doc(check)


NAMED = re.compile(r"`([a-z]+(?:-[a-z]+)*)` \((-?[\d.]+)")


@each
def test_a_docstring_says_each_limit_and_its_default(check: Check) -> None:
    """What is written so, `max-pause` (0.3 s), is a limit of the check, and nothing else is."""
    said = {name: float(value) for name, value in NAMED.findall(qc.about(check).sections.get("Limits", ""))}
    assert said == dict(check.limits)
    assert set(check.by_language) <= set(check.limits)


def test_a_limit_has_one_default() -> None:
    defaults: dict[str, set[float]] = {}
    for check in CHECKS:
        for name, value in check.limits.items():
            defaults.setdefault(name, set()).add(value)
    assert all(len(values) == 1 for values in defaults.values())
    assert qc.known_limits() == sorted({*defaults, "most-findings"})


def test_a_data_sets_limit_stands_over_the_default_and_that_of_a_language_over_both() -> None:
    settings = Settings(limits={"a": 1.0, "a-kn": 2.0}).over({"a": 5.0, "b": 6.0})
    assert [settings.limit("a"), settings.limit("a", "kn"), settings.limit("a", "hi"), settings.limit("b", "kn")] == [1, 2, 1, 6]
