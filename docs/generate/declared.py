"""Pages of what is declared as data: languages, profiles, presets, models; and of plug-ins that are a module with a docstring."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator
from pathlib import Path

from docs.generate import docstrings
from docs.generate.docstrings import fence, markdown
from docs.generate.page import Page, section, table
from parakh import languages, registry
from parakh.cascade.preset import PRESETS, preset_names
from parakh.models import store
from parakh.text.normalize import PROFILES

DOCS = Path(__file__).parent.parent
_USES = {
    "figure": "`parakh report RESULTS --figure {name} --out {name}.pdf`; the page of `parakh report` shows it too.",
    "table": "`parakh report RESULTS --table {name} --out {name}.tex`, `.md` or `.csv`.",
    "importer": "`parakh dataset import SOURCE FOLDER --from {name}`.",
    "exporter": "`parakh dataset export FOLDER OUT --to {name}`.",
    "track": "`parakh score {name} -r REF -h HYP`.",
}


def modules(kind: str) -> Iterator[Page]:
    """Plug-ins of a kind that has no page of its own form: what their modules say."""
    for name in registry.names(kind):
        module = registry.load(kind, name)
        doc = docstrings.of(module)
        parts = [
            markdown(doc.lead),
            _picture(kind, name, doc.lead),
            markdown(doc.text),
            *(section(title, markdown(text)) for title, text in doc.sections.items()),
        ]
        use = section("Use", _USES[kind].format(name=name) if kind in _USES else "")
        yield Page(kind, name, doc.lead, [*parts, section("Declaration", _declaration(module, kind)), use])


def _picture(kind: str, name: str, shows: str) -> str:
    """The picture of a figure, where the site has one; a page lies two folders below."""
    picture = f"images/{kind}-{name.replace('_', '-')}.png"
    return f"![{markdown(shows)}](../../{picture})" if (DOCS / picture).is_file() else ""


def _declaration(module: object, kind: str) -> str:
    declared = getattr(module, kind.upper(), None)
    rows = [
        (f"`{name}`", markdown(str(value)))
        for name in ("title", "question", "source", "payloads", "metrics", "normalization")
        if (value := getattr(declared, name, None)) and isinstance(value, str | tuple)
    ]
    return table(("field", "value"), rows)


def language_pages() -> Iterator[Page]:
    """Languages by tag."""
    for tag in languages.names():
        language = languages.get(tag)
        text = (languages.FOLDER / f"{tag}.toml").read_text(encoding="utf-8")
        rows = (
            ("scripts", ", ".join(language.scripts)),
            ("codes", ", ".join((language.tag, *language.codes))),
            ("sources", markdown("; ".join(language.sources))),
        )
        yield Page(
            "language",
            tag,
            f"{language.name} ({language.native_name})",
            [
                f"**{language.name}** ({language.native_name})",
                table(("what", "value"), rows),
                section("Tiers that hold", ", ".join(f"`{one}`" for one in language.folds)),
                section("Declaration", f"`parakh explain {tag}` prints it too.", fence("toml", text)),
            ],
        )


def profile_pages() -> Iterator[Page]:
    """Normalisation profiles, with what each makes of one sentence."""
    sentence = "<noise> Hello दीदी, BP 140/90 है। २ दिन से…"
    for profile in PROFILES.values():
        steps = [
            f"- `{step.__name__}`: {markdown(docstrings.of(step).lead)}" for step in profile.steps if inspect.isfunction(step)
        ]
        example = fence("text", f"{sentence}\n{profile(sentence)}")
        parts = [f"**{markdown(profile.title)}**, version {profile.version}.", section("Steps", "\n".join(steps))]
        yield Page(
            "profile", profile.name, profile.title, [*parts, section("Example", "A sentence, and what it becomes:", example)]
        )


def preset_pages() -> Iterator[Page]:
    """Presets of the cascade."""
    for name in preset_names():
        text = (PRESETS / f"{name}.toml").read_text(encoding="utf-8")
        title = str(tomllib.loads(text).get("title", ""))
        use = f"`parakh run AUDIO --preset {name} --out DIR`; a copy of this file with changes is a preset of your own."
        yield Page(
            "preset", name, title, [f"**{markdown(title)}**", section("Use", use), section("Declaration", fence("toml", text))]
        )


def model_pages() -> Iterator[Page]:
    """Models whose weights are declared."""
    for name in store.names():
        model = store.declaration(name)
        rows = (("licence", model.licence), ("size", f"{model.size / 1e6:.1f} MB"))
        use = f"`parakh models get {name}`, `parakh models verify {name}`."
        yield Page(
            "model", name, model.title, [f"**{markdown(model.title)}**", table(("what", "value"), rows), section("Use", use)]
        )
