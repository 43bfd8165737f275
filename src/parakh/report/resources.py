"""Files of the pages: styles, scripts, skeletons, words."""

from __future__ import annotations

from importlib.resources import files


def resource(name: str) -> str:
    """A text file of this package.

    >>> "<title>" in resource("page/page.html")
    True
    """
    return files("parakh.report").joinpath(name).read_text(encoding="utf-8")
