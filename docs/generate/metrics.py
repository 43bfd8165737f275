"""A page for every metric."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from docs.generate import docstrings, options
from docs.generate.docstrings import Doc, fence, markdown
from docs.generate.page import Page, section
from parakh import registry, tracks
from parakh.metrics import Metric, Payload, about, all_metrics

COMPARED = {
    Payload.TURNS: "who spoke when",
    Payload.WORDS: "what was said",
    Payload.TEXT: "a text",
    Payload.TOPICS: "a list of topics",
    Payload.SUMMARY: "a summary, beside what was said",
}
GROUPS = {
    Payload.TURNS: "Who spoke when",
    Payload.WORDS: "What was said",
    Payload.TOPICS: "Topics",
    Payload.TEXT: "Texts",
    Payload.SUMMARY: "Facts of a summary",
}


def pages() -> Iterator[Page]:
    """Metrics in the order of the questions that they answer."""
    order = list(GROUPS)
    for metric in sorted(all_metrics().values(), key=lambda one: (order.index(one.payload), one.name)):
        yield Page("metric", metric.name, metric.title, list(_parts(metric)), GROUPS[metric.payload])


def said(metric: Metric, heading: str) -> str:
    """What the docstrings of a metric say under a heading: those of functions of its own, else the file that declares it."""
    own, stats, score = _docs(metric)
    told = [doc.sections[heading] for doc in (stats, score) if heading in doc.sections] or [own.sections.get(heading, "")]
    return "\n\n".join(dict.fromkeys(text for text in told if text))


def formula(metric: Metric) -> str:
    """How the value comes from the sums: the section of that name, else what its function says first."""
    _, _, score = _docs(metric)
    return said(metric, "Formula") or " ".join([score.lead, score.text]).strip()


def _docs(metric: Metric) -> tuple[Doc, Doc, Doc]:
    score = getattr(metric.score, "func", metric.score)
    return docstrings.parsed(about(metric.name)), docstrings.of(metric.stats), docstrings.of(score)


def _shared(metric: Metric) -> Doc:
    """What the file says from which several metrics have their statistics; nothing where these are counted in a metric's own."""
    module = sys.modules[metric.stats.__module__]
    return docstrings.of(module) if module.__name__.rpartition(".")[2].startswith("_") else Doc()


def _parts(metric: Metric) -> Iterator[str]:
    own, stats, score = _docs(metric)
    shared = _shared(metric)
    used = [name for name in registry.names("track") if metric.payload in tracks.get(name).payloads]
    costly = " Its time may grow fast, so `--metric all` leaves it out." if metric.costly else ""
    yield f"**{metric.title}**, version {metric.version}. {metric.better.value.capitalize()} is better."
    yield (
        f"Compares {COMPARED[metric.payload]}; tracks: {', '.join(used) or 'any'}; unit: {metric.unit}; "
        f"needs: {', '.join(metric.needs) or 'nothing more'}.{costly}"
    )
    told = (own.lead, own.text, shared.lead, shared.text)
    yield section("What it measures", *(markdown(text) for text in told))
    yield section("Formula", markdown(formula(metric)))
    yield section("Choices", options.of_function(metric.stats, metric.options), markdown(said(metric, "Choices")))
    yield section("Range, and where there is no value", markdown(_range(metric)))
    yield section("What is counted", *(markdown(text) for text in (stats.lead, stats.text, stats.sections.get("Returns", ""))))
    yield section("Equal to", markdown(said(metric, "Equal to")) or f"Reference: {markdown(metric.source)}.")
    yield section("Pitfalls", markdown(said(metric, "Pitfalls")), markdown(_charged(metric)))
    examples = [fence("pycon", one) for one in (*stats.examples, *score.examples)]
    yield section(
        "Example", *examples, f"From the command line: `parakh score {(used or ['TRACK'])[0]} ... --metric {metric.name}`."
    )
    yield section("What is refused", markdown(stats.sections.get("Raises", "")))
    yield section("Source", markdown(metric.source))


def _range(metric: Metric) -> str:
    _, _, score = _docs(metric)
    return score.sections.get("Returns") or score.lead


def _charged(metric: Metric) -> str:
    if metric.charges_missing:
        return ""
    return "A recording without an answer is not charged: leaving one out may help. Read it beside a metric that charges it."
