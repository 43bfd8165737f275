"""Files of the pages: styles, scripts, skeletons, words."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files


def resource(name: str) -> str:
    """A text file of this package.

    >>> "<title>" in resource("page/page.html")
    True
    """
    return files("parakh.report").joinpath(name).read_text(encoding="utf-8")


def styles(*names: str) -> str:
    """Style sheets of pages, one after the other.

    >>> ".plot {" in styles("page", "charts")
    True
    """
    return "".join(resource(f"page/{name}.css") for name in names)


def scripts(*names: str) -> dict[str, str]:
    """Scripts of a page as one, with what a content security policy names it by; both as the skeletons of pages take them.

    >>> sorted(scripts("findings"))
    ['digest', 'script']
    """
    script = "".join(resource(f"page/{name}.js") for name in names)
    return {"script": script, "digest": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}
