"""The tables of one system on a diagnosis page: alarms, what was mistaken for what, whose errors, drift and invention."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from parakh.diagnosis import Diagnosis, System
from parakh.diagnostics.breakdown import Breakdown, Counts, Found, Omitted
from parakh.diagnostics.likeness import Likeness
from parakh.diagnostics.self_consistency import Inconsistency
from parakh.diagnostics.tables import Edits, Row, Table
from parakh.markup import Html, join, tag
from parakh.report.diagnosis_parts import Cell, at, columns, passage, place, places, share, table, words

MOST_ALARMS = 1000
MOST_PLACES = 200
MOST_TERMS = 30
KINDS = {"LEXICAL": "words", "NUMERAL": "numbers", "PUNCT": "marks"}
"""What SCRIBE's categories hold."""
_GRAVE = {"error": "certain", "warning": "possible", "note": "note"}


def alarms(one: System) -> Html:
    """Changes of meaning, the certain ones first."""
    found = sorted(one.alarms, key=lambda alarm: alarm.severity != "error")
    if not found:
        return tag("p", {"class": "blank"}, "No change of meaning was found.")
    rows = [
        (
            alarm.kind,
            tag("span", {"class": f"grave {alarm.severity}"}, _GRAVE[alarm.severity]),
            tag("bdi", {}, alarm.message),
            passage(alarm.reference, alarm.hypothesis),
            place(alarm.session_id, alarm.speaker, alarm.time, alarm.reference.here or alarm.hypothesis.here),
        )
        for alarm in found[:MOST_ALARMS]
    ]
    heads = columns("kind", "severity", "what happened", "words", "where", chosen=["kind", "severity"])
    return table("Changes that may hurt a patient or a record", heads, rows, of=len(found), kind="rows stack")


def categories(one: System) -> Html:
    """Counts of categories, whose rates add up to the total, and of views beside them."""
    total = one.parts.total
    rows = [_counts(name, part, total.n, one) for name, part in one.parts.categories.items()]
    rows.append(_counts("total", total, total.n, one))
    rows += [_counts(name, part, total.n, one, "counted beside: ") for name, part in one.parts.views.items()]
    numbers = ("units", "substituted", "left out", "added", "of 100 units", "found", "precision")
    note = "Errors of each category over all units: the rates add up to the total. Those counted beside are part of the others."
    return table("What the errors are charged to", columns("category", *numbers, numbers=numbers), rows, note=note)


def _counts(name: str, part: Counts, n: int, one: System, before: str = "") -> list[str]:
    terms = one.terms.get(name)
    found = [share(terms.recall).shown, share(terms.precision).shown] if terms else ["", ""]
    rate = share(part.errors / n if n else None, one.intervals.get(name) if not before else None)
    title = join([tag("small", {}, before), category(name)])
    return [title, *map(str, (part.n, part.substitutions, part.deletions, part.insertions)), rate.shown, *found]


def category(name: str) -> Html:
    """A category with what it holds."""
    return join([name, tag("small", {}, f" {KINDS[name]}") if name in KINDS else ""])


def errors(one: System) -> Html:
    """What was mistaken for what."""
    edits, tables, likes = one.tables.edits, one.tables.edits_by_category, one.tables
    ops: Mapping[str, Callable[[Edits], Table]] = {
        "Substituted": lambda some: some.substitutions,
        "Left out": lambda some: some.deletions,
        "Added": lambda some: some.insertions,
    }
    found = [_edits(f"{name}: {of(edits).count}", of(edits), [of(some) for some in tables.values()]) for name, of in ops.items()]
    alike = [
        _alike("Substituted with the same consonants", likes.same_skeleton),
        _alike("Substituted, only vowels of another length", likes.vowel_length),
        _alike("Substituted, one sign apart", likes.one_sign),
        _alike("Substituted by a word in another script", likes.other_script),
        _confusions(one),
        _omissions(one),
    ]
    terms = [_terms(name, some) for name, some in one.terms.items() if name not in KINDS]
    return join([categories(one), _beside(found, "large"), _beside(alike), _beside(terms)])


def _beside(tables: Iterable[Html], size: str = "small") -> Html:
    """Tables next to each other, where there is room; nothing without tables."""
    shown = [one for one in tables if one]
    return tag("div", {"class": f"beside {size}"}, *shown) if shown else Html("")


def _edits(title: str, everything: Table, by_category: Sequence[Table]) -> Html:
    """The rows of all categories, so that each can be looked at by itself."""
    rows = {(row.label, row.reference, row.hypothesis): row for some in (everything, *by_category) for row in some.rows}
    ordered = sorted(rows.values(), key=lambda row: (-row.count, row.reference, row.hypothesis, row.label))
    return _rows(title, "category", ordered, everything.distinct)


def _rows(title: str, label: str, rows: Iterable[Row], of: int, note: str = "") -> Html:
    heads = columns("times", "said", "written", label, "where", numbers=["times"], chosen=[label])
    cells = [(row.count, words(row.reference), words(row.hypothesis), row.label, places(row.examples, row.count)) for row in rows]
    return table(title, heads, cells, of=of, note=note)


def _alike(title: str, found: Likeness) -> Html:
    ways = ", ".join(f"{count} {name}" for name, count in found.directions.items() if count)
    note = f"{share(found.share).shown} of all substitutions" + (f"; {ways}" if ways else "")
    heads = columns("times", "said", "written", numbers=["times"])
    rows = [(row.count, words(row.reference), words(row.hypothesis)) for row in found.rows]
    return table(f"{title}: {found.count}", heads, rows, note=note)


def _confusions(one: System) -> Html:
    heads = columns("one", "other", "there", "back", numbers=["there", "back"])
    rows = [(words(two.one), words(two.other), two.there, two.back) for two in one.tables.confusions]
    return table("Taken for one another, in both directions", heads, rows)


def _omissions(one: System) -> Html:
    total, by_language = one.omissions.total, one.omissions.languages
    if not total.deletions:
        return Html("")
    rows = [_omitted(name or "unknown", some) for name, some in by_language.items()] if len(by_language) > 1 else []
    numbers = ("words left out", "fillers", "particles", "share")
    note = "Hesitations, and small words of assent and emphasis: their loss changes little."
    heads = columns("language", *numbers, numbers=numbers)
    return table("Fillers and particles among the words left out", heads, [*rows, _omitted("all", total)], note=note)


def _omitted(name: str, some: Omitted) -> tuple[str | int, ...]:
    return name, some.deletions, some.fillers, some.particles, share(some.share).shown


def _terms(name: str, some: Found) -> Html:
    missed, invented = dict(some.missed), dict(some.invented)
    ranked = sorted({*missed, *invented}, key=lambda term: (-missed.get(term, 0) - invented.get(term, 0), term))
    rows = [(words(term), missed.get(term, 0), invented.get(term, 0)) for term in ranked[:MOST_TERMS]]
    note = (
        f"Recall {share(some.recall).shown} ({some.found} of {some.said} said), "
        f"precision {share(some.precision).shown} ({some.right} of {some.written} written)."
    )
    heads = columns("term", "missed", "invented", numbers=["missed", "invented"])
    return table(f"{name}: terms missed and invented", heads, rows, of=len(ranked), note=note)


def writing(one: System) -> Html:
    """Differences in writing that are no errors, by rule and row by row."""
    tables = one.tables
    rules = [(kind, rule, count) for kind, counts in tables.events_by_rule.items() for rule, count in counts.items()]
    found: Mapping[str, Table] = {
        "Written together": tables.merges,
        "Written apart": tables.splits,
        "Another spelling": tables.variants,
        "Another notation": tables.formats,
        "Other code points, the same letters": tables.encodings,
    }
    heads = columns("kind", "rule", "times", numbers=["times"], chosen=["kind"])
    rows = (_rows(f"{name}: {some.count}", "rule", some.rows, some.distinct) for name, some in found.items())
    return _beside([table("By rule", heads, rules), *rows], "large")


def groups(one: System) -> Html:
    """Errors by language, role and speaker."""
    return join(_group(name, found) for name, found in one.groups.items())


def _group(name: str, found: Mapping[str, Breakdown]) -> Html:
    names = list(dict.fromkeys(category for parts in found.values() for category in parts.categories))
    rows: list[tuple[Cell, ...]] = []
    for group, parts in found.items():
        shares = [share(parts.categories[one].rate if one in parts.categories else None) for one in names]
        rows.append((tag("bdi", {}, group), parts.total.n, parts.total.errors, share(parts.total.rate), *shares))
    numbers = ("units", "errors", "rate", *names)
    return table(f"By {name}", columns(name, *numbers, numbers=numbers), rows)


def lenient(one: System) -> Html:
    """Rates that stand beside the others, never in their place."""
    total, sounds = one.parts.total, one.transliterated
    rows: list[tuple[Cell, ...]] = [
        ("as charged", share(total.rate)),
        ("a word in another script is right if it sounds alike", share(sounds.rate)),
    ]
    if one.lattice is not None:
        rows.append(("over every choice of accepted wordings, without marks", share(one.lattice)))
    rates = table("Rates beside", columns("what counts", "rate", numbers=["rate"]), rows)
    forgiven = [(two.count, words(two.reference), words(two.hypothesis)) for two in sounds.forgiven[:MOST_PLACES]]
    heads = columns("times", "said", "written", numbers=["times"])
    scripts = table("Right in another script", heads, forgiven, of=len(sounds.forgiven))
    return _beside([rates, scripts, _points(one)])


def _points(one: System) -> Html:
    numbers = ("units", "substituted", "left out", "added", "rate")
    rows = [
        (category(name), some.length, some.substitutions, some.deletions, some.insertions, share(some.rate))
        for name, some in one.points.items()
    ]
    note = "Of the words of each category or view alone (PIER), so that these do not add up."
    return table("Errors on points of interest", columns("words", *numbers, numbers=numbers), rows, note=note)


def drift(one: System) -> Html:
    """Spoken and written forms, scripts, and what is no writing or no speech."""
    parts = (_directions, _scripts, _mixed, _artefacts, _loops, _hallucinations)
    return join(part(one) for part in parts)


def _directions(one: System) -> Html:
    numbers = ("spoken to formal", "formal to spoken", "level")
    ways = [(name or "unknown", way) for name, way in one.directions.items()]
    counts = [(name, way.spoken_to_formal, way.formal_to_spoken, way.level) for name, way in ways]
    heads = columns("language", "said", "written", "times", numbers=["times"], chosen=["language"])
    rows = [(name, words(said), words(heard), count) for name, way in ways for said, heard, count in way.rows[:MOST_PLACES]]
    note = "Words with the same consonants and other vowels; level: as many vowels, but others."
    sums = table("Spoken and formal forms", columns("language", *numbers, numbers=numbers), counts, note=note)
    of = sum(len(way.rows) for _, way in ways)
    return join([sums, table("Spoken forms for formal ones, and the reverse", heads, rows, of=of)])


def _scripts(one: System) -> Html:
    heads = columns("language", "script", "expected", "words said", "words written", numbers=["words said", "words written"])
    told = {True: "yes", False: "no", None: "unknown"}
    rows = [(use.language or "unknown", use.script, told[use.expected], use.reference, use.hypothesis) for use in one.scripts]
    return table("Words by language and script", heads, rows)


def _mixed(one: System) -> Html:
    heads = columns("word", "scripts", "look alike", "side", "times", "where", numbers=["times"], chosen=["side"])
    rows = [
        (
            words(two.text),
            " ".join(two.scripts),
            "yes" if two.look_alike else "no",
            two.side,
            two.count,
            places(two.examples, two.count),
        )
        for two in one.mixed_words[:MOST_PLACES]
    ]
    return table("Words with letters of two scripts", heads, rows, of=len(one.mixed_words))


def _artefacts(one: System) -> Html:
    heads = columns("kind", "as it stands", "meant", "where", chosen=["kind"])
    rows = [
        (two.kind, tag("code", {}, two.text), words(two.means or ""), place(two.session_id, two.speaker, two.time, ""))
        for two in one.artefacts[:MOST_PLACES]
    ]
    return table("Characters that are no writing", heads, rows, of=len(one.artefacts))


def _loops(one: System) -> Html:
    heads = columns("phrase", "times in a row", "said in a row", "where", numbers=["times in a row", "said in a row"])
    rows = [(words(two.text), two.count, two.reference_count, at(two.example)) for two in one.loops[:MOST_PLACES]]
    return table("Phrases repeated over and over", heads, rows, of=len(one.loops))


def _hallucinations(one: System) -> Html:
    heads = columns("kind", "text", "words", "where", numbers=["words"], chosen=["kind"])
    rows = [(two.kind, words(two.text), two.words, at(two.example)) for two in one.hallucinations[:MOST_PLACES]]
    return table("Words that nobody said", heads, rows, of=len(one.hallucinations))


def inconsistencies(found: Diagnosis) -> Html:
    """Words that the references spell in several ways."""
    heads = columns(
        "in a rarer spelling", "spellings", "evidence", "language", "where", numbers=["in a rarer spelling"], chosen=["evidence"]
    )
    some = found.inconsistencies
    rows = [(two.minority, _spellings(two), two.evidence, two.language or "unknown", _where(two)) for two in some[:MOST_PLACES]]
    note = "Where annotators do not agree, no system can be right."
    return table("Words that the references spell in several ways", heads, rows, of=len(some), note=note)


def folds(found: Diagnosis) -> Html:
    """What the tiers change in texts before words are compared, so that no text is changed unseen."""
    heads = columns("times", "in", "tier", "as written", "as compared", numbers=["times"], chosen=["in", "tier"])
    rows = [
        (one.count, tag("bdi", {}, name), one.tier, words(one.before), words(one.after))
        for name, changes in found.folds.items()
        for one in changes[:MOST_PLACES]
    ]
    return table("What the tiers change for the comparison", heads, rows, of=sum(map(len, found.folds.values())))


def _spellings(one: Inconsistency) -> Html:
    return join(part for two in one.spellings for part in (words(two.text), tag("small", {}, f" {two.count}  ")))


def _where(one: Inconsistency) -> Html:
    rarer = [example for two in one.spellings[1:] for example in two.examples]
    return places(rarer[:3], one.minority)


@dataclass(frozen=True)
class Part:
    """A part of the page that every system has.

    Args:
        id: Of its section.
        title: Its heading.
        note: A sentence about it.
        render: What it shows of a system.
    """

    id: str
    title: str
    note: str
    render: Callable[[System], Html]


PARTS = (
    Part("alarms", "Alarms", "Differences that are no errors are never alarms.", alarms),
    Part("errors", "What was mistaken for what", "", errors),
    Part(
        "writing",
        "Written otherwise, but no error",
        "These cost nothing in the rates by category; the ledger says what they cost its metric.",
        writing,
    ),
    Part("groups", "Whose errors", "", groups),
    Part("lenient", "More lenient views", "They stand beside the rates above, never in their place.", lenient),
    Part("drift", "Drift, loops and words nobody said", "", drift),
)
"""In the order of the page."""
