"""Every count in which we differ from scribe-eval 0.1.1, the reference implementation of SCRIBE, stands in ``docs/scribe.md``."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from parakh.diagnostics import EventKind
from parakh.diagnostics.alignment import align_texts
from parakh.diagnostics.categories import Category, read_terms
from parakh.diagnostics.setup import Setup
from parakh.types import Op

measure = pytest.importorskip("scribe.measure")
DomainConfig = pytest.importorskip("scribe.domain_config").DomainConfig
tokenizer = pytest.importorskip("scribe.tokenize").domain_aware_tokenizer

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "scribe.md"
EXAMPLES = ROOT / ".." / "shared" / "data" / "scribe-eval" / "examples" / "predictions.jsonl"
LISTS = Path(measure.__file__).parent / "config"
LETTERS = {Op.SUBSTITUTION: "S", Op.DELETION: "D", Op.INSERTION: "I"}
THEIRS = {"total_ref": "N", "substitutions": "S", "deletions": "D", "insertions": "I"}
needs_examples = pytest.mark.skipif(not EXAMPLES.exists(), reason="the example pairs of scribe-eval are not here")


def table(first: str) -> list[list[str]]:
    """The rows below the headings that start with two given cells, code spans unquoted and code points unescaped."""
    rows: list[list[str]] = []
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith(first)) + 2
    while at < len(lines) and lines[at].startswith("|"):
        text = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), lines[at])
        rows.append([cell.strip(" ").strip("`") for cell in text.split("|")[1:-1]])
        at += 1
    assert rows
    return rows


@cache
def examples() -> list[tuple[str, str, str]]:
    """(language, reference, hypothesis); the first ten are Malayalam."""
    lines = [json.loads(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]
    return [("ml" if k < 10 else "en", line["text"], line["pred_text"]) for k, line in enumerate(lines)]


def theirs(reference: str, hypothesis: str) -> Counter[str]:
    rates = measure.text_error_rates(reference, hypothesis)
    return Counter({f"{name} {THEIRS[key]}": counts[key] for name, counts in rates.items() for key in THEIRS})


def ours(reference: str, hypothesis: str, setup: Setup) -> Counter[str]:
    counts: Counter[str] = Counter()
    for pair in align_texts(reference, hypothesis, setup):
        counts.update(f"{unit.category} N" for unit in pair.reference)
        counts.update(f"{charge.category} {LETTERS[charge.op]}" for charge in pair.errors)
    return counts


def differences(pairs: Iterator[tuple[int, Counter[str], Counter[str]]]) -> list[list[str]]:
    order = [f"{name} {letter}" for name in ("LEXICAL", "NUMERAL", "PUNCT") for letter in "NSDI"]
    return [
        [str(number), key, str(one[key]), str(other[key])]
        for number, one, other in pairs
        for key in order
        if one[key] != other[key]
    ]


def compared(**choices: object) -> Iterator[tuple[int, Counter[str], Counter[str]]]:
    for number, (language, *texts) in enumerate(examples(), 1):
        yield number, theirs(*texts), ours(*texts, Setup(language, **choices))  # type: ignore[arg-type]


def errors(counts: Counter[str]) -> Counter[str]:
    return Counter({key: count for key, count in counts.items() if not key.endswith(" N")})


@needs_examples
def test_the_example_pairs_differ_in_the_listed_counts_and_no_others() -> None:
    assert differences(compared()) == [row[:4] for row in table("| pair | count |")]


@needs_examples
def test_case_and_notation_are_all_there_is_to_their_rows() -> None:
    kept = [row[:2] for row in differences(compared(drop=("case",), numbers=False))]
    listed = table("| pair | count |")
    assert kept == [row[:2] for row in listed if not set(row[4].split()) <= {"CASE", "VALUE"}]


@needs_examples
def test_an_alignment_with_other_pairs_has_no_more_errors() -> None:
    numbers = {int(row[0]) for row in table("| pair | count |") if row[4] == "FEWEST"}
    assert numbers
    for number, one, other in compared():
        if number in numbers:
            assert errors(other).total() <= errors(one).total()


@needs_examples
def test_words_written_together_and_apart_are_the_same() -> None:
    seen: Counter[str] = Counter()
    for language, *texts in examples():
        found = [one for one in measure.text_error_details(*texts) if one["error_type"].startswith("sandhi")]
        seen.update(one["error_type"] for one in found)
        events = [event for pair in align_texts(*texts, Setup(language)) for event in pair.events]
        boundaries = [(event.before, event.after) for event in events if event.kind is EventKind.BOUNDARY]
        assert boundaries == [(one["ref_token"], one["hyp_token"]) for one in found]
    assert seen == {"sandhi_merge": 3, "sandhi_split": 4}


@needs_examples
@pytest.mark.parametrize("name", ["legal", "medical", "technical"])
def test_the_lists_find_the_same_terms(name: str) -> None:
    domain, categories = getattr(DomainConfig, name)(), tuple(read_terms(LISTS / f"{name}_terms.txt"))
    found = [
        [str(number), side, *row]
        for number, (language, *texts) in enumerate(examples(), 1)
        for side, text in zip(("reference", "hypothesis"), texts, strict=True)
        for row in unlike(text, language, domain, categories)
    ]
    assert found == ([row[:4] for row in table("| pair | text |")] if name == "legal" else [])


def unlike(text: str, language: str, domain: object, categories: tuple[Category, ...]) -> list[tuple[str, str]]:
    """What each side takes for a term that the other does not; white space left out of the comparison."""
    tokens, tags = tokenizer(text, domain)
    first = [token for token, tag in zip(tokens, tags, strict=True) if tag == domain.category]  # type: ignore[attr-defined]
    pairs = align_texts(text, text, Setup(language, categories=categories))
    units = [unit for pair in pairs for unit in pair.reference if unit.category == domain.category]  # type: ignore[attr-defined]
    second = [text[unit.start : unit.end] for unit in units]
    more = Counter(second) - Counter(first), Counter(first) - Counter(second)
    if not more[1]:
        return [("", term) for term in more[0].elements()]
    return list(zip(more[1].elements(), more[0].elements(), strict=True))


def listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {key}" for key, count in sorted(errors(counts).items()) if count) or "0"


@pytest.mark.parametrize(("language", "reference", "hypothesis", "published", "right", "why"), table("| language |"))
def test_a_rule_shows_in_its_text(language: str, reference: str, hypothesis: str, published: str, right: str, why: str) -> None:
    assert listed(theirs(reference, hypothesis)) == published
    assert listed(ours(reference, hypothesis, Setup(language))) == right
    assert why


# The two examples that SCRIBE was published with (arXiv 2605.20712).
@pytest.mark.parametrize(
    ("language", "reference", "hypothesis", "expected"),
    [
        (
            "ml",
            "ഇങ്ങനെ ഉള്ള ഒരു കഥാപാത്രമായിട്ടാണ് ചിത്രീകരിക്കുന്നത്",
            "ഇങ്ങനെയുള്ള ഒരു കഥാപാത്രം ആയിട്ടാണ് ചിത്രീകരിക്കുന്നത്.",
            {"LEXICAL N": 5, "PUNCT I": 1},
        ),
        ("hi", "भाई साहब ने 250 रुपये दिए थे", "भाईसाहब ने 205 रुपये दिए थे", {"LEXICAL N": 6, "NUMERAL N": 1, "NUMERAL S": 1}),
    ],
)
def test_the_published_examples_count_the_same(language: str, reference: str, hypothesis: str, expected: dict[str, int]) -> None:
    assert ours(reference, hypothesis, Setup(language)) == +theirs(reference, hypothesis) == expected


def test_every_reason_is_explained_and_used() -> None:
    used = [row[-1] for first in ("| pair | count |", "| pair | text |", "| language |") for row in table(first)]
    assert {code for cell in used for code in cell.split()} == {row[0] for row in table("| code |")}
