"""A page for every check of annotations."""

from __future__ import annotations

from collections.abc import Iterator

from docs.generate.docstrings import markdown
from docs.generate.page import Page, section, table
from parakh import qc
from parakh.qc import Check

STAGES = {1: "Format, completeness, privacy", 2: "Consistency", 3: "Sound tags", 4: "Overlap and pauses", 5: "Release"}


def pages() -> Iterator[Page]:
    """Checks by their codes."""
    for check in sorted(qc.all_checks().values(), key=lambda one: one.code):
        yield Page("check", check.name, f"{check.code}: {check.title}", list(_parts(check)), STAGES[check.stage])


def _parts(check: Check) -> Iterator[str]:
    said = qc.about(check)
    scope = "each recording" if check.recording else "the whole set"
    yield f"**{check.code}: {check.title}.** Severity: {check.severity}; stage: {STAGES[check.stage].lower()}; looks at {scope}."
    yield markdown(said.problem)
    for title, text in said.sections.items():
        yield section(title, markdown(text))
    rows = ((f"`{name}`", f"{value:g}") for name, value in check.limits.items())
    yield section("Defaults", table(("limit", "default"), rows), _by_language(check))
    yield section("Use", f"`parakh check FOLDER --select {check.code}`, `--ignore {check.code}`; `parakh explain {check.code}`.")


def _by_language(check: Check) -> str:
    if not check.by_language:
        return ""
    return f"`{'`, `'.join(check.by_language)}` may be set for a language: `{check.by_language[0]}-kn = ...`."
