"""The tables of ``parakh dataset stats``, once for the terminal, Markdown, LaTeX, CSV and the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from parakh.dataset.describing import Described, people
from parakh.dataset.figures import (
    OVERLAP_EDGES,
    SILENCE_EDGES,
    TURN_EDGES,
    Figures,
    age_order,
    bins,
    overlaps,
    per_minute,
)
from parakh.dataset.measuring import UNKNOWN
from parakh.errors import counted
from parakh.formats import _csv
from parakh.text.masking import masked

_MOST_ROWS = 20
_LATEX = {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "≥": r"$\geq$",
    "<": r"$<$",
}


@dataclass(frozen=True)
class Cell:
    """A figure: as people read it, and its value; None where it is not known."""

    shown: str
    value: float | None


Lines = tuple[tuple[str | Cell, ...], ...]


@dataclass(frozen=True)
class Sheet:
    """One table.

    Args:
        name: Short name, for CSV and anchors.
        title: What it is.
        note: A sentence about it; may be empty.
        columns: Heads; the first of ``labels`` columns hold texts, the others figures.
        rows: Cells in the order of the columns.
        labels: How many columns hold texts.
    """

    name: str
    title: str
    note: str
    columns: tuple[str, ...]
    rows: Lines
    labels: int = 1


def sheets(found: Described) -> list[Sheet]:
    """Every table that has something to tell."""
    whole = found.whole
    made = [_size(found), _speech(found), _words(found), _people(whole), _roles(whole)]
    made += [_counts("topics", "Health problems", whole.topics(), whole.with_topics)]
    made += [_counts("tags", "Topical tags", whole.tags(), len(whole.measured)), *histograms(whole)]
    return [sheet for sheet in made if sheet.rows]


def number(value: float | None, places: int = 0) -> Cell:
    """A count or an amount.

    >>> number(1234.5, 1).shown, number(None).shown
    ('1,234.5', 'n/a')
    """
    return Cell("n/a" if value is None else f"{value:,.{places}f}", value)


def percent(value: float | None) -> Cell:
    """A ratio in percent; the value stays a ratio.

    >>> percent(0.1234).shown
    '12.3'
    """
    return Cell("n/a" if value is None else f"{100 * value:.1f}", value)


def _parts(found: Described) -> list[tuple[tuple[str, ...], Figures]]:
    """The slices and the whole, each with the texts of its first columns."""
    if not found.by:
        return [((found.name,), found.whole)]
    return [*found.slices.items(), (("all", *("" for _ in found.by[1:])), found.whole)]


def _table(found: Described, name: str, title: str, note: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Sheet:
    heads = found.by or ("data set",)
    labels = [tuple(map(masked, key)) for key, _ in _parts(found)]
    lines: Lines = tuple((*label, *cells) for label, cells in zip(labels, rows, strict=True))
    return Sheet(name, title, note, (*heads, *columns), lines, len(heads))


def _size(found: Described) -> Sheet:
    columns = ("recordings", "hours", "min each", "speakers", "persons", "with turns", "with words", "with topics")
    rows = [
        (
            number(one.sum("recordings")),
            number(one.sum("seconds") / 3600 if one.sum("recordings") > one.sum("without_duration") else None, 2),
            number(_minutes_each(one), 1),
            number(one.sum("speakers")),
            number(one.persons),
            number(one.sum("with_turns")),
            number(one.sum("with_words")),
            number(one.with_topics),
        )
        for _, one in _parts(found)
    ]
    note = "Speakers are counted in each recording, persons once."
    if without := int(found.whole.sum("without_duration")):
        note += f" {counted(without, 'recording')} without a duration {'is' if without == 1 else 'are'} not in the hours."
    return _table(found, "size", "Recordings and people", note, columns, rows)


def _minutes_each(one: Figures) -> float | None:
    known = one.sum("recordings") - one.sum("without_duration")
    return one.sum("seconds") / 60 / known if known else None


def _speech(found: Described) -> Sheet:
    columns = [
        *("segments", "turns", "turns/h", "turn s", "pause s", "gap s", "speech %", "overlap %", "overlapped speech %"),
    ]
    rows = [
        [
            number(one.sum("segments") if one.sum("with_turns") else None),
            number(one.turns if one.sum("with_turns") else None),
            number(one.turns_per_hour),
            *(number(spread and spread[1], 2) for spread in _medians(one)),
            percent(one.per("timed_speech", "timed_seconds")),
            percent(one.per("overlap", "speech")),
            percent(one.per("overlapped_speaker_time", "speaker_time")),
        ]
        for _, one in _parts(found)
    ]
    if found.whole.sum("heard_seconds"):
        columns += ["heard speech %", "SNR dB"]
        for row, (_, one) in zip(rows, _parts(found), strict=True):
            row += [percent(one.per("heard_speech", "heard_seconds")), number(one.per("snr_db", "with_snr"), 1)]
    note = (
        "Seconds are medians. Speech: of the duration. Overlap: time with two or more speakers, of the time with any (as Indic "
        "DiarBench counts). Overlapped speech: what is said while somebody else speaks, of all speaker time. A pause is silence "
        "before the same speaker goes on, a gap before another begins."
    )
    return _table(found, "speech", "Turns and overlap", note, columns, rows)


def _medians(one: Figures) -> list[tuple[float, float, float] | None]:
    return [
        one.quantiles(lambda each: each.turn_s),
        one.quantiles(lambda each: each.pause_s),
        one.quantiles(lambda each: each.gap_s),
    ]


def _words(found: Described) -> Sheet:
    roles = list(found.whole.rates())
    several = roles if roles != [UNKNOWN] else []
    columns = [
        "words",
        "vocabulary",
        "words/min",
        *(f"{role} w/min" for role in several),
        "numbers %",
        "English %",
        "Latin script %",
    ]
    columns.append("CMI %")
    rows = []
    for _, one in _parts(found):
        rates = one.rates()
        known = bool(one.sum("with_words"))
        rows.append(
            [
                number(one.sum("words") if known else None),
                number(one.vocabulary),
                number(one.words_per_minute),
                *(number(per_minute(rates[role]) if role in rates else None) for role in several),
                percent(one.per("numbers", "words")),
                percent(one.per("english", "mixable")),
                percent(one.per("latin", "mixable")),
                percent(one.per("mixed", "mixed_segments")),
            ]
        )
    if not found.whole.sum("with_words"):
        rows = []
    note = (
        "Words a minute of the segments that have words. English: words in Latin letters, or on the list of English words as "
        "Hindi or Kannada writes them; not told of recordings in English. CMI: code-mixing index of a segment, the mean."
    )
    if not rows:
        return Sheet("words", "Words", note, tuple(columns), ())
    return _table(found, "words", "Words", note, columns, rows)


def _people(whole: Figures) -> Sheet:
    counts: Counter[tuple[str, str]] = Counter()
    for (age, sex, _), count in people(whole).items():
        counts[age, sex] += count
    sexes = sorted({sex for _, sex in counts}, key=lambda sex: (sex == UNKNOWN, sex))
    ages = sorted({age for age, _ in counts}, key=age_order)
    rows: list[tuple[str | Cell, ...]] = []
    for age in ages:
        each = [counts[age, sex] for sex in sexes]
        rows.append((masked(age), *map(number, each), number(sum(each))))
    if len(ages) > 1:
        each = [sum(counts[age, sex] for age in ages) for sex in sexes]
        rows.append(("all", *map(number, each), number(sum(each))))
    note = "Each person once; a speaker whose person is not known once in each recording."
    return Sheet("people", "Age and sex", note, ("age", *map(masked, sexes), "all"), tuple(rows))


def _roles(whole: Figures) -> Sheet:
    counts = Counter(who.role for who in whole.people.values())
    if set(counts) <= {UNKNOWN}:
        counts.clear()
    rows = tuple((masked(role), number(count), percent(count / counts.total())) for role, count in sorted(counts.items()))
    return Sheet("roles", "Roles", "", ("role", "people", "%"), rows)


def _counts(name: str, title: str, counts: Counter[str], of: int) -> Sheet:
    rows: list[tuple[str | Cell, ...]] = [(masked(text), number(count), percent(count / of)) for text, count in counts.items()]
    note = f"Recordings with each, of {of}."
    if len(rows) > _MOST_ROWS:
        note += f" The {_MOST_ROWS} most frequent of {len(rows)}; --json has all."
    return Sheet(name, title, note, (title.lower(), "recordings", "%"), tuple(rows[:_MOST_ROWS]))


def histograms(whole: Figures) -> list[Sheet]:
    """The distributions of single values."""
    return [
        _histogram(
            "turn-lengths", "Lengths of turns", "seconds", whole.histogram(lambda one: one.turn_s, TURN_EDGES), TURN_EDGES
        ),
        _histogram("pauses", "Pauses", "seconds", whole.histogram(lambda one: one.pause_s, SILENCE_EDGES), SILENCE_EDGES),
        _histogram("gaps", "Gaps", "seconds", whole.histogram(lambda one: one.gap_s, SILENCE_EDGES), SILENCE_EDGES),
        _histogram(
            "overlaps", "Overlap of recordings", "% of speech", whole.histogram(overlaps, OVERLAP_EDGES), OVERLAP_EDGES, 100
        ),
    ]


def _histogram(name: str, title: str, unit: str, counts: Sequence[int], edges: Sequence[float], scale: float = 1) -> Sheet:
    whole = sum(counts)
    cells = zip(bins(edges, scale), counts, strict=True)
    rows = tuple((label, number(count), percent(count / whole)) for label, count in cells) if whole else ()
    what = "recordings" if name == "overlaps" else name.replace("turn-lengths", "turns")
    return Sheet(name, title, "", (unit, what, "%"), rows)


def shown(cell: str | Cell) -> str:
    """A cell as people read it."""
    return cell if isinstance(cell, str) else cell.shown


def markdown(tables: Sequence[Sheet]) -> str:
    """The tables in Markdown."""
    parts = []
    for sheet in tables:
        places = ["---"] * sheet.labels + ["---:"] * (len(sheet.columns) - sheet.labels)
        lines = [sheet.columns, places, *(tuple(map(shown, row)) for row in sheet.rows)]
        body = "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
        parts.append("\n\n".join(filter(None, (f"### {sheet.title}", sheet.note, body))))
    return "\n\n".join(parts) + "\n"


def latex(tables: Sequence[Sheet]) -> str:
    """The tables in LaTeX, for the package booktabs."""
    parts = []
    for sheet in tables:
        columns = "l" * sheet.labels + "r" * (len(sheet.columns) - sheet.labels)
        rows = [" & ".join(_escaped(shown(cell)) for cell in row) + r" \\" for row in (sheet.columns, *sheet.rows)]
        body = [r"\toprule", rows[0], r"\midrule", *rows[1:], r"\bottomrule", r"\end{tabular}"]
        caption = _escaped(f"{sheet.title}. {sheet.note}".strip())
        head = [r"\begin{table}", rf"\caption{{{caption}}}", r"\centering", rf"\begin{{tabular}}{{{columns}}}"]
        parts.append("\n".join([*head, *body, r"\end{table}"]))
    return "\n\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)


def as_csv(tables: Sequence[Sheet]) -> str:
    """All figures in CSV, one a line: table, row, column, value; shares as ratios, nothing where a figure is not known."""
    rows: list[tuple[object, ...]] = []
    for sheet in tables:
        for row in sheet.rows:
            label = ", ".join(filter(None, map(shown, row[: sheet.labels])))
            for column, cell in zip(sheet.columns[sheet.labels :], row[sheet.labels :], strict=True):
                value = cell.value if isinstance(cell, Cell) else cell
                name = column.removesuffix(" %") if column != "%" else "share"
                rows.append((sheet.name, label, name, "" if value is None else value))
    return _csv.text(("table", "row", "column", "value"), rows)
