"""``python -m docs.generate FOLDER``: the sources of the site, those written by hand and those made from the code."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from docs.generate import api, backends, checks, commands, declared, formats, metrics
from docs.generate.page import Page, overview
from parakh import registry

HERE = Path(__file__).parent.parent
_LEADS_OUT = re.compile(r"\[([^\]]+)\]\((?:\.\./)+((?:examples|src|tests|benchmarks|README|CONTRIBUTING|CHANGELOG)[^)]*)\)")
"""A link to a file of the repository that is no page of the site."""
TITLES = {
    "command": ("Commands", "`parakh VERB --help` prints the same."),
    "metric": (
        "Metrics",
        "`parakh list metric` names them, `--metric NAME` asks for one, `parakh explain NAME` says what it is.",
    ),
    "format": ("Formats", "Every format is told by its content, then by its name; `--from` settles it."),
    "check": (
        "Checks",
        "`parakh check FOLDER` runs them; `--select` and `--ignore` take a code, the beginning of one, or a name.",
    ),
    "importer": ("Importers", "`parakh dataset import SOURCE FOLDER --from NAME`."),
    "exporter": ("Exporters", "`parakh dataset export FOLDER OUT --to NAME`."),
    "fusion": ("Fusion", "`parakh fuse TRACK A B C --method NAME --out DIR`."),
    "recipe": ("Fine-tuning recipes", "`parakh finetune TRACK CONFIG`."),
    "llm": ("Chat models", "What the backends `llm` of the stages ask."),
    "figure": ("Figures", "`parakh report FILES --figure NAME --out NAME.pdf`."),
    "table": ("Tables", "`parakh report FILES --table NAME --out NAME.tex`."),
    "api": ("Python", "What programs may call. Everything else may change without notice."),
}


def kinds() -> dict[str, Sequence[Page]]:
    """Every kind with its pages, in the order of the site."""
    made: dict[str, Iterator[Page]] = {
        "command": commands.pages(),
        "metric": metrics.pages(),
        "format": formats.pages(),
        "check": checks.pages(),
    }
    made |= {kind: backends.pages(kind) for kind in (*backends.STAGES, "llm", "fusion", "recipe")}
    made |= {kind: declared.modules(kind) for kind in registry.KINDS if kind not in made}
    made |= {"language": declared.language_pages(), "profile": declared.profile_pages()}
    made |= {"preset": declared.preset_pages(), "model": declared.model_pages(), "api": api.pages()}
    return {kind: list(pages) for kind, pages in made.items()}


def write(folder: Path) -> None:
    """Put the sources of the site into a folder, in place of what is there."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("generate", "__pycache__"))
    for page in folder.rglob("*.md"):
        page.write_text(_LEADS_OUT.sub(r"\1 (`\2`)", page.read_text(encoding="utf-8")), encoding="utf-8")
    reference = folder / "reference"
    found = {kind: pages for kind, pages in kinds().items() if pages}
    for kind, pages in found.items():
        for page in pages:
            page.write(reference)
        title, about = TITLES.get(kind, (plural(kind).capitalize(), ""))
        (reference / kind / "index.md").write_text(overview(title, about, pages), encoding="utf-8")
    toc = "\n".join(f"{kind}/index" for kind in found)
    about = "Made from the declarations and docstrings in the code, so that it says what the code does."
    (reference / "index.md").write_text(
        f"# Reference\n\n{about}\n\n```{{toctree}}\n:maxdepth: 1\n\n{toc}\n```\n", encoding="utf-8"
    )


def plural(kind: str) -> str:
    """More than one of a kind."""
    return kind if kind.endswith("s") else f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"


if __name__ == "__main__":
    write(Path(sys.argv[1]))
