"""A diagnosis as tables in a terminal: what to work on next, what hurts, and what was mistaken for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from parakh.cli.tables import bare_table, console, percent
from parakh.diagnosis import Diagnosis, System
from parakh.diagnostics.alarms import Alarm
from parakh.diagnostics.breakdown import Counts, Found
from parakh.diagnostics.ledger import Ledger
from parakh.diagnostics.tables import Table as Rows
from parakh.errors import counted, printable
from parakh.report.diagnosis_ledger import named
from parakh.text.masking import masked
from parakh.text.tokens import Kind


def print_pairs(found: Mapping[str, Any]) -> None:
    """Print what a file of pairs adds up to.

    Args:
        found: The answer of ``text_pairs``.
    """
    out, total = console(), found["total"]
    out.print(Text(f"{counted(len(found['pairs']), 'pair')}, {counted(total['n'], 'unit')} of reference", style="bold"))
    table = bare_table()
    for name in ("category", "n", "substitutions", "deletions", "insertions", "rate %"):
        table.add_column(name, justify="left" if name == "category" else "right")
    for name, counts in total["categories"].items():
        kinds = [counts[kind] for kind in ("substitutions", "deletions", "insertions")]
        rate = sum(kinds) / total["n"] if total["n"] else None
        table.add_row(Text(name), str(counts["n"]), *map(str, kinds), percent(rate))
    table.add_row(Text("total", style="bold"), str(total["n"]), "", "", "", Text(percent(total["rate"]), style="bold"))
    out.print(table)
    out.print(Text("no errors: " + ", ".join(f"{number} {kind}" for kind, number in total["events"].items()), style="dim"))


def print_diagnosis(found: Diagnosis, top: int) -> None:
    """Print a page of a diagnosis.

    Args:
        found: The diagnosis.
        top: Rows of each table.
    """
    out = console()
    out.print(_systems(found))
    metric = found.systems[0].ledger.metric
    _note(out, f"wrong: of all units, where a difference in writing is no error; {metric}: as `parakh score` has it")
    for one in found.systems:
        if len(found.systems) > 1:
            out.print(Text(f"\n{one.system}", style="bold underline"))
        _print_system(out, one, top)
    if found.inconsistencies:
        _section(out, f"the references spell {counted(len(found.inconsistencies), 'word')} in several ways")
        for group in found.inconsistencies[:top]:
            out.print(Text("  ".join(f"{one.text} {one.count}" for one in group.spellings)), soft_wrap=True)
        _more(out, len(found.inconsistencies), top)
    out.print(Text("\n" + "  ".join(f"{name}: {value}" for name, value in found.choices.items()), style="dim"), soft_wrap=True)


def _systems(found: Diagnosis) -> Table:
    """Of each system the rate of every category, which add up to the total."""
    names = list(dict.fromkeys(name for one in found.systems for name in one.parts.categories))
    table = _table(
        "system", "units", "wrong %", *(f"{name} %" for name in names), "alarms", f"{found.systems[0].ledger.metric} %"
    )
    for one in found.systems:
        total, categories = one.parts.total, one.parts.categories
        rates = [_rate(categories[name], total, one.intervals.get(name)) if name in categories else "" for name in names]
        wrong = Text(_rate(total, total, one.intervals.get("total")), style="bold")
        table.add_row(Text(one.system), str(total.n), wrong, *rates, str(len(one.alarms)), percent(one.ledger.rate))
    return table


def _rate(part: Counts, total: Counts, interval: tuple[float, float] | None) -> str:
    value = percent(part.errors / total.n if total.n else None)
    return value if interval is None else f"{value} ({_between(interval)})"


def _between(interval: tuple[float, float] | None) -> str:
    return "-" if interval is None else " - ".join(map(percent, interval))


def _print_system(out: Console, one: System, top: int) -> None:
    found = one.ledger
    for finding in one.findings[:top]:
        out.print(Text(shown(masked(str(finding)), 300), style="yellow"), soft_wrap=True)
    _more(out, len(one.findings), top)
    _section(out, f"what to work on next: {found.metric} {percent(found.rate)} %, {counted(found.errors, 'error')}")
    out.print(_ledger(found))
    _note(
        out,
        "errors fewer if only this were perfect; in turn: fewer when it is mended after all rows above (below 0: they interact)",
    )
    _section(out, "what the errors are charged to")
    out.print(_categories(one))
    _note(out, "points: errors per 100 units of all; found: terms said that are right; precision: terms written that were said")
    for name, terms in one.terms.items():
        if name in one.parts.categories and name not in _KINDS:
            _print_terms(out, name, terms, top)
    if one.alarms:
        silent = sum(finding.code == "missing-recording" for finding in one.findings)
        beside = f" (beside {counted(silent, 'recording')} without an answer)" if silent else ""
        _section(out, f"{counted(len(one.alarms), 'change')} that may hurt a patient or a record{beside}")
        out.print(_alarms(one.alarms[:top]))
        _more(out, len(one.alarms), top)
    tables, edits = one.tables, one.tables.edits
    named = {
        "substituted": edits.substitutions,
        "left out": edits.deletions,
        "added": edits.insertions,
        "no error: written together": tables.merges,
        "no error: written apart": tables.splits,
        "no error: another spelling": tables.variants,
        "no error: another notation": tables.formats,
        "no error: other code points": tables.encodings,
    }
    for title, rows in named.items():
        if rows.count:
            _section(out, f"{title}: {rows.count}")
            out.print(_rows(rows, top))
            _more(out, rows.distinct, top)
    _print_figures(out, one, top)


def _ledger(found: Ledger) -> Table:
    """What each repair would buy alone, and in turn."""
    with_intervals = any(item.interval or item.marginal_interval for item in found.items)
    ends = ("interval",) if with_intervals else ()
    table = _table("if only this were perfect", "", "errors", "points", *ends, "in turn: errors", "points", *ends, text=2)
    for item in found.items:
        if not item.marginal and not item.step:
            continue
        alone = (str(item.marginal), percent(item.marginal_points), *([_between(item.marginal_interval)] if ends else []))
        turn = (str(item.step), percent(item.points), *([_between(item.interval)] if ends else []))
        name, meaning = named(item.name)
        table.add_row(Text(name), Text(meaning, style="dim"), *alone, *turn)
    ends = ("",) if with_intervals else ()
    table.add_row(Text("all", style="bold"), "", "", "", *ends, str(found.errors), percent(found.rate), *ends)
    return table


_KINDS = frozenset(map(str, Kind))
"""Categories that are no list of terms."""


def _print_terms(out: Console, name: str, terms: Found, top: int) -> None:
    """Which terms of a list were not found, and which were written where nobody said them."""
    for title, ranked in ((f"{name} said and missed", terms.missed), (f"{name} written and not said", terms.invented)):
        if ranked:
            told = "  ".join(f"{shown(term)} {count}" for term, count in ranked[:top])
            out.print(Text(f"{title}: {sum(count for _, count in ranked)}: {told}"), soft_wrap=True)


def _categories(one: System) -> Table:
    """Counts of categories, whose rates add up, and of views beside them."""
    table = _table("", "n", "substitutions", "deletions", "insertions", "points", "found %", "precision %")
    total = one.parts.total
    rows = [
        *one.parts.categories.items(),
        ("total", total),
        *((f"of these {name}", part) for name, part in one.parts.views.items()),
    ]
    for name, part in rows:
        terms = one.terms.get(name.removeprefix("of these "))
        shown = (percent(terms.recall), percent(terms.precision)) if terms else ("", "")
        points = percent(part.errors / total.n if total.n else None)
        style = "bold" if name == "total" else "dim" if name.startswith("of these ") else ""
        counts = map(str, (part.n, part.substitutions, part.deletions, part.insertions))
        table.add_row(Text(name, style=style), *counts, points, *shown)
    return table


def _alarms(alarms: Sequence[Alarm]) -> Table:
    table = _table("alarm", "", "recording", "speaker", "time", "said", "written", text=7)
    for one in alarms:
        time = f"{one.time[0]:.1f} s" if one.time else ""
        place = (one.session_id, one.speaker or "", time)
        texts = (one.message, str(one.severity), *place, str(one.reference), str(one.hypothesis))
        table.add_row(*(Text(shown(text)) for text in texts))
    return table


def _rows(rows: Rows, top: int) -> Table:
    table = _table("times", "said", "written", "", text=0)
    for row in rows.rows[:top]:
        said, heard = (Text(shown(text) or "-") for text in (row.reference, row.hypothesis))
        table.add_row(str(row.count), said, heard, Text(shown(row.label), style="dim"))
    return table


def _print_figures(out: Console, one: System, top: int) -> None:
    """One line a figure: what is left out, near misses, drift, loops and words over silence."""
    tables, lost = one.tables, one.omissions.total
    lines = [
        f"of {counted(lost.deletions, 'word')} left out {lost.fillers} are fillers and {lost.particles} particles"
        f" ({percent(lost.share)} %)",
        f"substitutions with the same consonants: {tables.same_skeleton.count}" + _directions(tables.same_skeleton.directions),
        f"substitutions that differ in vowel length only: {tables.vowel_length.count}, one sign apart: {tables.one_sign.count}",
        *(
            f"taken for one another: {two.one} written {two.other} {two.there} times, the reverse {two.back}"
            for two in tables.confusions[:top]
        ),
        *(
            f"{language or 'unknown language'}: spoken forms written formally {way.spoken_to_formal}, formal ones as spoken "
            f"{way.formal_to_spoken}"
            for language, way in one.directions.items()
        ),
        *(f"repeated by the decoder: {loop.text} ({loop.count} times, said {loop.reference_count})" for loop in one.loops[:top]),
        *(f"nobody said ({two.kind}): {two.text}" for two in one.hallucinations[:top]),
        *(f"{two.kind}: {two.text}" for two in one.artefacts[:top]),
        *(f"letters of two scripts in one word: {two.text} ({two.side}, {two.count})" for two in one.mixed_words[:top]),
    ]
    _section(out, "more lenient views, never instead of the rates above")
    sounds = one.transliterated
    forgiven = "  ".join(f"{two.reference} = {two.hypothesis} {two.count}" for two in sounds.forgiven[:top])
    told = f"a word in another script is right if it sounds alike: {percent(sounds.rate)} %  {forgiven}"
    out.print(Text(told), soft_wrap=True)
    if one.lattice is not None:
        out.print(Text(f"over every choice of accepted wordings, without marks: {percent(one.lattice)} %"))
    _section(out, "more")
    for line in lines:
        out.print(Text(shown(line, 300)), soft_wrap=True)


def shown(text: str, most: int = 60) -> str:
    r"""A text for a terminal: control and direction signs escaped, a long one cut.

    >>> shown("दवा\x1b[2J"), shown("क" * 80)[-3:]
    ('दवा\\x1b[2J', 'कक…')
    """
    safe = printable(text)
    return safe if len(safe) <= most else f"{safe[: most - 1]}…"


def _directions(counts: Mapping[str, int]) -> str:
    told = {"contracted": "shorter as written", "expanded": "longer as written", "level": "as long"}
    return f" ({', '.join(f'{told.get(name, name)} {count}' for name, count in counts.items())})" if any(counts.values()) else ""


def _table(*columns: str, text: int = 1) -> Table:
    """A plain table whose first columns hold text and whose others hold numbers; all text where ``text`` is 0."""
    table = bare_table()
    for place, name in enumerate(columns):
        table.add_column(name, justify="left" if not text or place < text else "right", overflow="fold")
    return table


def _note(out: Console, text: str) -> None:
    out.print(Text(text, style="dim"), soft_wrap=True)


def _section(out: Console, title: str) -> None:
    out.print(Text(f"\n{title}", style="bold"), soft_wrap=True)


def _more(out: Console, count: int, top: int) -> None:
    if count > top:
        out.print(Text(f"and {count - top} more; --top N shows more, --json FILE holds them", style="dim"), soft_wrap=True)
