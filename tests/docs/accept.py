"""``python -m tests.docs.accept [PAGE ...]``: write into the pages what their commands print now, where it is not what they show."""

import sys
import tempfile
from pathlib import Path

from tests.docs import blocks, running
from tests.docs.comparing import agrees


def accept(page: Path, folder: Path) -> int:
    """Rewrite the outputs of a page that changed; how many did. Lines ``...`` stay where they still agree."""
    names: dict[str, object] = {"__name__": "__main__"}
    changed: list[tuple[int, int, list[str]]] = []
    for one in blocks.blocks(page):
        if one.not_run:
            continue
        running.put(folder, one)
        if one.kind == "python" and not one.file:
            running.run_python(folder, one, page, names)
        for command in blocks.commands(one) if one.kind == "console" else ():
            printed = [line.rstrip() for line in running.run(folder, command.text)[1].splitlines()]
            if not agrees(command.shown, printed):
                changed.append((command.line - 1, command.end - 1, printed))
    lines = page.read_text(encoding="utf-8").splitlines()
    for start, end, printed in reversed(changed):
        lines[start:end] = printed
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(changed)


if __name__ == "__main__":
    for path in [Path(name).resolve() for name in sys.argv[1:]] or blocks.pages():
        with tempfile.TemporaryDirectory() as place:
            running.prepare(Path(place))
            print(f"{path.name}: {accept(path, Path(place))} outputs rewritten")
