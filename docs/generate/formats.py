"""A page for every file format, with a file of it that was written and read back for the page."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from docs.generate import docstrings
from docs.generate.docstrings import fence, markdown
from docs.generate.page import Page, section, table
from parakh import registry
from parakh.errors import InputError
from parakh.formats import Format, all_formats
from parakh.types import Recording, Region, Segment, Summary, Topics

ITEMS = {
    Segment: "Turns and transcripts",
    Region: "Scored regions",
    Topics: "Topics",
    Summary: "Summaries",
    Recording: "Recordings",
}
SAMPLES: dict[type, Sequence[Any]] = {
    Segment: (
        Segment("visit01", "spk0", 0.5, 2.25, "नमस्ते दीदी", "health_worker", "hi", "visit01_001", "1", 0.91),
        Segment("visit01", "spk1", 2.5, 4.0, "दो दिन से बुखार है", "health_seeker", "hi", "visit01_002", "1", 0.84),
    ),
    Region: (Region("visit01", 0.0, 60.0),),
    Topics: (Topics("visit01", ("Fever", "Leg pain")),),
    Summary: (Summary("visit01", "A woman reports fever for two days."),),
    Recording: (Recording("visit01", duration=60.0, language="hi"),),
}
"""What the files of the pages hold."""
ANSWERS = Path(__file__).parent.parent.parent / "tests" / "samples" / "services"
LONGEST = 40
"""Lines of an example."""


def pages() -> Iterator[Page]:
    """Formats by what they hold."""
    order = list(ITEMS)
    for form in sorted(all_formats().values(), key=lambda one: (order.index(one.item), one.name)):
        yield Page("format", form.name, form.title, list(_parts(form)), ITEMS[form.item])


def _parts(form: Format) -> Iterator[str]:
    doc = docstrings.of(registry.load("format", form.name))
    how = "Read and written" if form.is_written else "Read, not written: only the service makes it"
    where = "a folder of files that belong together" if form.folder else f"files `*{'`, `*'.join(form.suffixes)}`"
    yield f"**{markdown(doc.lead)}**"
    yield f"{how}; {where}."
    yield markdown(doc.text)
    yield section("What it holds", holds(form))
    nothing = "Nothing: what is written in it comes back as it was." if form.is_written else "All else that the service tells."
    yield section("What it loses", markdown(form.loses or nothing))
    yield section("Example", *example(form))
    to = f"`parakh convert IN OUT --to {form.name}`; " if form.is_written else ""
    yield section("Use", f"{to}`--from {form.name}` where it is not to be guessed by content.")


def holds(form: Format) -> str:
    """What a sample has after a round trip, field by field; of a format that is only read, what is read from its example."""
    if not form.is_written:
        return f"The first item read from the example below has `{'`, `'.join(_filled(_answer(form)[1]))}`."
    before, after = SAMPLES[form.item][0], _back(form)
    rows = ((f"`{name}`", _became(getattr(before, name), getattr(after, name, None))) for name in _filled(before))
    return table(("field", "of a sample"), rows)


def _became(before: object, after: object) -> str:
    if before == after:
        return "kept"
    return "not held" if after in (None, "", ()) else f"becomes `{after}`"


def example(form: Format) -> list[str]:
    """The files of a sample, as blocks; for a format that is only read, an answer of the service."""
    if not form.is_written:
        path, _ = _answer(form)
        return [_shown(path.name, path)]
    with tempfile.TemporaryDirectory() as folder:
        _written(form, Path(folder))
        return [_shown(str(path.relative_to(folder)), path) for path in sorted(Path(folder).rglob("*")) if path.is_file()]


def _shown(name: str, path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    more = ["..."] if len(lines) > LONGEST else []
    return f"`{name}`:\n\n{fence('text', chr(10).join([*lines[:LONGEST], *more]))}"


def _answer(form: Format) -> tuple[Path, Any]:
    """The answer of a service that tells most, of those the shortest, and its first item."""
    found = [(path, items[0]) for path in (ANSWERS / form.name).iterdir() if (items := form.read(path).items)]
    return max(found, key=lambda one: (len(_filled(one[1])), -one[0].stat().st_size))


def _filled(item: Any) -> list[str]:
    return [field.name for field in dataclasses.fields(item) if getattr(item, field.name) not in (None, "", ())]


def _back(form: Format) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return form.read(_written(form, Path(folder))).items[0]


def _written(form: Format, folder: Path) -> Path:
    """Write the sample, or as much of it as the format can hold."""
    path = folder / ("visit01" if form.folder else f"visit01{form.ending or form.suffixes[0]}")
    for items in _ever_less(SAMPLES[form.item]):
        try:
            form.write(items, path)
        except InputError:
            continue
        return path
    raise ValueError(f"{form.name}: no sample could be written")


def _ever_less(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The sample; then without its second item, and with a single word, for formats that hold no more."""
    yield items
    yield items[:1]
    yield [dataclasses.replace(one, words=one.words.split()[0]) for one in items if isinstance(one, Segment)]
