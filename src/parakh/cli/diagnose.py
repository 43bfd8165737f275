"""``parakh diagnose``: what kind of error each one is, whose, and what mending it would buy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from parakh.cli.settings import bootstrap, check_json, check_output, put_json
from parakh.errors import Fault, InputError
from parakh.files import write_atomic

if TYPE_CHECKING:
    from parakh.diagnosis import Choices, Diagnosis
    from parakh.diagnostics.categories import Category
    from parakh.types import Segment


@dataclass(frozen=True)
class Request:
    """Everything ``parakh diagnose`` was asked for; the fields are its options."""

    reference: Sequence[str]
    hypothesis: Sequence[str]
    terms: Sequence[str] = ()
    charge: Sequence[str] = ()
    language: str | None = None
    tier: Sequence[str] = ()
    without: Sequence[str] = ()
    variants: Sequence[str] = ()
    collar: float | None = None
    normalize: str | None = None
    interval: float | None = None
    samples: int = 10_000
    seed: int = 1
    slots: bool = False
    top: int = 10
    reference_format: str | None = None
    hypothesis_format: str | None = None
    strip_suffixes: Sequence[str] = ()
    jobs: int = 1


def diagnose(request: Request, *, json_out: str | None, html_out: str | None, audio: Sequence[str]) -> int:
    """Diagnose, write what was asked for, print a page, and return the exit code: 1 if the input has findings of error level."""
    read = [*request.reference, *(path for _, path in _named(request.hypothesis)), *request.terms, *request.variants, *audio]
    check_json(json_out, read)
    if html_out is not None:
        check_output("--html", html_out, read)
        if html_out in {"", "-", json_out}:
            raise InputError(Fault("--html", "", repr(html_out), "a file of its own"))
    elif audio:
        raise InputError(Fault("--audio", "", "no --html", "it, as in --html page.html"))
    found = compute(request)
    if html_out is not None:
        from parakh.report.diagnosis import page

        write_atomic(Path(html_out), page(found, audio))
    if put_json(json_out, found.to_json):
        from parakh.cli.diagnosis_tables import print_diagnosis

        print_diagnosis(found, request.top)
    return int(any(str(finding.severity) == "error" for one in found.systems for finding in one.findings))


def compute(request: Request) -> Diagnosis:
    """Load what the request names and diagnose it.

    Raises:
        ParakhError: Any input cannot be read or diagnosed.
    """
    from parakh import formats
    from parakh.diagnosis import diagnose as diagnosed
    from parakh.diagnosis import with_usual_lists
    from parakh.types import Segment

    choices = _choices(request)  # before the files are read: a mistake here is told at once
    reference = formats.load(request.reference, Segment, request.reference_format, strip_suffixes=request.strip_suffixes)
    systems: dict[str, Sequence[Segment]] = {}
    noticed = {}
    for name, path in _named(request.hypothesis):
        loaded = formats.load([path], Segment, request.hypothesis_format, strip_suffixes=request.strip_suffixes)
        systems[name], noticed[name] = loaded.items, loaded.findings
    found = diagnosed(reference.items, systems, with_usual_lists(choices, reference.items))
    told = []
    for one in found.systems:
        findings = dict.fromkeys((*reference.findings, *noticed[one.system], *one.findings))
        told.append(replace(one, findings=tuple(findings)))
    return replace(found, systems=tuple(told))


def _named(hypotheses: Sequence[str]) -> list[tuple[str, str]]:
    """(name, path) of each system: ``NAME=PATH``, or a path whose stem is the name; a name is used once."""
    found: dict[str, str] = {}
    for text in hypotheses:
        name, equals, path = text.partition("=")
        if not equals or Path(text).exists():
            name, path = Path(text).stem or text, text
        if not name or not path or not name.isprintable():
            raise InputError(Fault("--hypothesis", "", repr(text), "PATH or NAME=PATH"))
        if name in found:
            raise InputError(Fault("--hypothesis", "", f"two systems called {name!r}", "NAME=PATH, with names that differ"))
        found[name] = path
    return list(found.items())


def _choices(request: Request) -> Choices:
    from parakh import languages
    from parakh.diagnosis import Choices
    from parakh.diagnostics.categories import BUNDLED, bundled, read_terms
    from parakh.diagnostics.setup import Setup
    from parakh.diagnostics.variants import read_variants
    from parakh.errors import UnknownNameError

    both = sorted(set(request.tier) & set(request.without))
    if both:
        raise InputError(Fault("--tier", "", f"{both[0]}, and --without {both[0]}", "one of the two"))
    if request.language and languages.get(request.language).tag == languages.NEUTRAL.tag:
        raise UnknownNameError("language", request.language, languages.names())
    charged: list[Category] = [category for path in request.terms for category in read_terms(path)]
    for name in request.charge:
        if name.upper() not in BUNDLED:
            raise UnknownNameError("list", name, list(BUNDLED))
        charged.append(bundled(name.upper()))
    variants: dict[str, str] = {}
    for path in request.variants:
        variants |= read_variants(Path(path))
    switches = {"boundaries", "numbers"}
    setup = Setup(
        language=request.language,
        categories=tuple(charged),
        add=tuple(request.tier),
        drop=tuple(name for name in request.without if name not in switches),
        variants=variants,
        boundaries="boundaries" not in request.without,
        numbers="numbers" not in request.without,
    )
    usual = Choices(setup)
    return replace(
        usual,
        collar=usual.collar if request.collar is None else request.collar,
        normalization=request.normalize or usual.normalization,
        plan=bootstrap("percentile", request.interval, request.samples, request.seed) if request.interval is not None else None,
        slots=request.slots,
        top=max(request.top, 50),
        jobs=request.jobs,
    )


def pairs(path: str, json_out: str | None) -> int:
    """Count what differs in each pair of a file, and print it for people or programs."""
    from parakh.diagnostics.text_pairs import answer, read_pairs

    check_json(json_out, [path])
    found = answer(read_pairs(Path("/dev/stdin" if path == "-" else path)))
    if put_json(json_out, lambda: json.dumps(found, ensure_ascii=False, indent=1) + "\n"):
        from parakh.cli.diagnosis_tables import print_pairs

        print_pairs(found)
    return 0
