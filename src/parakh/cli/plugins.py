"""``parakh list`` and ``parakh explain``: every plug-in, and what its own file says of it."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from types import ModuleType

from parakh import languages, registry
from parakh.cascade.preset import PRESETS, preset_names
from parakh.errors import UnknownNameError
from parakh.formats import Format
from parakh.models import store
from parakh.text.normalize import PROFILES

KINDS = (*registry.KINDS, "profile", "language", "preset", "model")
"""Everything that can be listed."""


def list_kind(kind: str | None) -> None:
    """Print the kinds, or every plug-in of one kind with its first sentence."""
    if kind is None:
        print("\n".join(KINDS))
        return
    if _singular(kind) == "check":
        from parakh import qc

        checks = qc.all_checks().values()
        width = max(len(check.name) for check in checks)
        for check in checks:
            print(f"{check.code} {check.name:{width}} {check.title} ({check.severity})")
        return
    for name, sentence in entries(_singular(kind)):
        print(f"{name:24} {sentence}")


def explain(name: str) -> None:
    """Print all that is declared about the plug-ins called ``name``; a check goes by its code too.

    Raises:
        UnknownNameError: Nothing is called so.
    """
    from parakh import qc

    codes = qc.all_checks()
    if name.upper() in codes:
        name = codes[name.upper()].name
    found = [(kind, sentence) for kind in KINDS for entry, sentence in entries(kind) if entry == name]
    if not found:
        known = sorted({entry for kind in KINDS for entry, _ in entries(kind)} | set(codes))
        raise UnknownNameError("plug-in", name, known)
    print("\n\n".join(f"{kind} {name}\n\n{description(kind, name) or sentence}" for kind, sentence in found))


def _singular(kind: str) -> str:
    """A kind's name; the plural will do."""
    for name in (kind, kind.removesuffix("s"), kind.removesuffix("ies") + "y"):
        if name in KINDS:
            return name
    raise UnknownNameError("kind of plug-in", kind, KINDS)


def entries(kind: str) -> Iterator[tuple[str, str]]:
    """(name, one sentence) of every plug-in of a kind."""
    if kind == "profile":
        yield from ((profile.name, profile.title) for profile in PROFILES.values())
    elif kind == "language":
        found = map(languages.get, languages.names())
        yield from ((language.tag, f"{language.name} ({language.native_name})") for language in found)
    elif kind == "preset":
        yield from ((name, _preset_title(name)) for name in preset_names())
    elif kind == "model":
        yield from ((name, store.declaration(name).title) for name in store.names())
    elif kind == "metric":
        from parakh.metrics import all_metrics

        yield from ((metric.name, metric.title) for metric in all_metrics().values())
    elif kind == "check":
        from parakh import qc

        yield from ((check.name, check.title) for check in qc.all_checks().values())
    else:
        for name in registry.names(kind):
            yield name, (registry.load(kind, name).__doc__ or "").strip().split("\n")[0]


def _preset_title(name: str) -> str:
    import tomllib

    return str(tomllib.loads((PRESETS / f"{name}.toml").read_text(encoding="utf-8")).get("title", ""))


def description(kind: str, name: str) -> str:
    """All that a plug-in's own file says of it, with its options; "" for one that only has a title."""
    if kind == "profile":
        return ""
    if kind == "model":
        model = store.declaration(name)
        return f"{model.title}\nlicence: {model.licence}\nsize: {model.size / 1e6:.1f} MB"
    if kind == "language":
        return (languages.FOLDER / f"{name}.toml").read_text(encoding="utf-8").strip()
    if kind == "preset":
        return (PRESETS / f"{name}.toml").read_text(encoding="utf-8").strip()
    if kind == "metric":
        return _explain_metric(name)
    if kind == "check":
        return _explain_check(name)
    module = registry.load(kind, name)
    if kind == "format":
        return f"{inspect.getdoc(module)}\n\n{_holds(module.FORMAT)}"
    return "\n\n".join(part for part in (inspect.getdoc(module) or "", _options(module)) if part)


def _explain_check(name: str) -> str:
    from parakh import qc

    check = qc.get(name)
    scope = "each recording" if check.recording else "the whole set"
    head = f"{check.code}: {check.title}\nstage {check.stage}; severity {check.severity}; looks at {scope}"
    limits = ", ".join(f"{limit} = {value:g}" for limit, value in check.limits.items())
    return f"{head}{f'; limits {limits}' if limits else ''}\n\n{qc.about(check).text}"


def _explain_metric(name: str) -> str:
    from parakh import metrics

    metric = metrics.get(name)
    lines = [
        f"{metric.title} (version {metric.version}); {metric.better} is better",
        f"compares: {metric.payload}; unit: {metric.unit}; options: {', '.join(metric.options) or 'none'}",
        f"source: {metric.source}",
        "",
        metrics.about(name),
        "",
        "Of each recording:",
        inspect.getdoc(metric.stats) or "",
        "",
        "From the sum of these statistics:",
        inspect.getdoc(getattr(metric.score, "func", metric.score)) or "",
    ]
    return "\n".join(lines)


def _holds(form: Format) -> str:
    """What a format's files are called, and what a round trip loses."""
    how = "read and written" if form.is_written else "read"
    return f"{how}; {'a folder' if form.folder else ', '.join(form.suffixes)}\nloses: {form.loses or 'Nothing.'}"


def _options(module: ModuleType) -> str:
    """The options of a backend, as a preset would give them, or of a recipe."""
    backend = getattr(module, "Backend", None) or getattr(module, "Recipe", None)
    if not isinstance(backend, type) or not dataclasses.is_dataclass(backend):
        return ""
    fields = dataclasses.fields(backend)
    lines = [f"  {field.name} = {_default(field)}" for field in fields]
    told = [backend, *(base for base in backend.__mro__[1:] if hasattr(module, "Recipe") and dataclasses.is_dataclass(base))]
    docs = "\n\n".join(inspect.getdoc(one) or "" for one in told)
    return "\n".join([docs, "", "options:", *(lines or ["  none"])]).strip()


def _default(field: dataclasses.Field[object]) -> str:
    if "kind" in field.metadata:
        return f"{field.metadata['default']!r}   and the options of that {field.metadata['kind']}"
    return "(required)" if field.default is dataclasses.MISSING else repr(field.default)
