"""``parakh dataset split``: make the split, write it, and show how near it is to what was asked and that it is disjoint."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from parakh.cli.settings import check_json, put_json
from parakh.cli.tables import bare_table, console
from parakh.dataset import manifest
from parakh.dataset.split import Made, Plan, Share, Split, check_disjoint, split
from parakh.errors import Fault, InputError, counted

_MOST_NAMED = 12


def run(folder: Path, plan: Plan, *, replace: bool, dry_run: bool, json_out: str | None) -> None:
    """Split the data set in a folder.

    Raises:
        InputError: The request cannot be met, or the data set is split already and ``replace`` is not given.
    """
    check_json(json_out, [str(folder / name) for name in (manifest.RECORDINGS, manifest.METADATA)])
    dataset = manifest.load(folder)
    if not replace and not dry_run and (names := {one.split for one in dataset.entries} - {None}):
        found = f"parts already ({', '.join(sorted(filter(None, names)))})"
        action = "Give --replace to split it anew; what was blind before may then be public, and the reverse."
        raise InputError(Fault(str(folder / manifest.RECORDINGS), "split", found, "recordings without one", action))
    made = split(dataset, plan)
    if not dry_run:
        manifest.write_splits(dataset, made.of())
        written = manifest.load(folder).entries  # the proof is of what stands in the file
        check_disjoint({part.name: [one for one in written if one.split == part.name] for part in made.parts}, plan.group_by)
    if put_json(json_out, made.to_json):
        _print(console(), made, plan, folder, dry_run=dry_run)


def _print(out: Console, made: Split, plan: Plan, folder: Path, *, dry_run: bool) -> None:
    out.print(_part_table(made.parts))
    if plan.stratify:
        out.print()
        out.print(_stratum_table(made.parts, plan.stratify))
    out.print()
    for line in (_how_near(made), *_proof(made)):
        out.print(Text(line), soft_wrap=True)
    done = "nothing was written (--dry-run)" if dry_run else f"written: {folder / manifest.RECORDINGS}"
    out.print(Text(f"seed {plan.seed}; {done}", style="dim"), soft_wrap=True)


def _part_table(parts: Sequence[Made]) -> Table:
    table = bare_table()
    for name in ("part", "asked", "recordings", "hours", "off", "persons"):
        table.add_column(name, justify="left" if name in ("part", "asked") else "right")
    for part in parts:
        hours = "n/a" if part.whole.seconds is None else f"{part.whole.seconds / 3600:.2f}"
        cells = (part.asked, str(part.whole.recordings), hours, f"{100 * part.off:+.1f} %", str(len(part.persons)))
        table.add_row(Text(part.name, style="bold"), *cells)
    return table


def _stratum_table(parts: Sequence[Made], fields: Sequence[str]) -> Table:
    table = bare_table()
    table.add_column(", ".join(fields))
    for part in parts:
        unit = "recordings" if part.by_count else "hours"
        table.add_column(f"{part.name}: {unit} (balanced)", justify="right")
    for name in parts[0].strata:
        table.add_row(Text(name), *(_of_stratum(part, part.strata[name]) for part in parts))
    return table


def _of_stratum(part: Made, share: Share) -> str:
    scale, places = (1, 1) if part.by_count else (3600, 2)
    return f"{share.size / scale:.{0 if part.by_count else 2}f} ({share.asked / scale:.{places}f})"


def _how_near(made: Split) -> str:
    answer = made.answer
    near = f"deviation {answer.deviation:.4f} over {counted(made.groups, 'group')} that stay together"
    if answer.exact:
        return f"{near}: no split of them is nearer to what was asked."
    return f"{near}: the nearest found; none can be below {answer.bound:.4f}."


def _proof(made: Split) -> list[str]:
    lines = []
    for part in made.parts:
        named = ", ".join(part.persons[:_MOST_NAMED]) + f" and {len(part.persons) - _MOST_NAMED} more" * (
            len(part.persons) > _MOST_NAMED
        )
        lines.append(f"{part.name}: {counted(len(part.persons), 'person')}{': ' * bool(named)}{named}")
    lines += [f"{one.name} and {other.name} share no person" for one, other in itertools.combinations(made.parts, 2)]
    if made.unknown:
        named = ", ".join(made.unknown[:_MOST_NAMED]) + " ..." * (len(made.unknown) > _MOST_NAMED)
        what = counted(len(made.unknown), "recording")
        lines.append(f"not proved for {what} with a speaker whose person is not known: {named}")
    return lines
