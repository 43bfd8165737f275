"""The documentation site: Sphinx with MyST and Furo, nothing fetched."""

from pygments.lexers.data import JsonLexer

project = "Parakh"
copyright = "the authors of Parakh, Apache-2.0"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["README.md"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "Parakh"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"footer_icons": []}
highlight_language = "text"


def _reachable(app: object, page: str, template: str, context: dict[str, object], tree: object) -> None:
    """What scrolls takes the focus of the keyboard, and a heading of the navigation says its level."""
    body = str(context.get("body", "")).replace("<pre>", '<pre tabindex="0">')
    context["body"] = body.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')
    navigation = str(context.get("furo_navigation_tree", ""))
    context["furo_navigation_tree"] = navigation.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: object) -> None:
    """Called by Sphinx; the theme has made its navigation by then."""
    app.add_lexer("jsonl", JsonLexer)
    app.connect("html-page-context", _reachable, priority=900)
