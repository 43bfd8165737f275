"""The documentation site: Sphinx with MyST and Furo, nothing fetched."""

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
