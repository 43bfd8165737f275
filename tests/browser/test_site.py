"""The documentation site in a browser: it opens from disk, asks nobody for anything, is searched, and has no serious axe finding."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tests.pages import BROWSER, needs_browser

pytest.importorskip("furo", reason="the docs extra is not installed")
sync_api = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

PAGES = ("start", "ledger", "adding/metric", "reference/metric")
INDEX = "# Parakh\n\n```{toctree}\n:caption: Pages\n\n" + "\n".join(PAGES) + "\n```\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of a few pages, built as the whole one is."""
    from docs.generate import metrics

    source, out = tmp_path_factory.mktemp("docs"), tmp_path_factory.mktemp("site")
    (source / "index.md").write_text(INDEX, encoding="utf-8")
    shutil.copy(ROOT / "docs" / "conf.py", source)
    for name in PAGES[:3]:
        (source / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "docs" / f"{name}.md", source / f"{name}.md")
    page = next(page for page in metrics.pages() if page.name == "tcpwer")
    page.write(source / "reference")
    (source / "reference" / "metric" / "tcpwer.md").rename(source / "reference" / "metric.md")
    subprocess.run([sys.executable, "-m", "sphinx", "-q", str(source), str(out)], check=True, capture_output=True)
    return out


@pytest.fixture
def page(site: Path) -> Iterator[object]:
    with sync_api.sync_playwright() as play:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = play.chromium.launch(executable_path=BROWSER, args=arguments)
        yield browser.new_page(viewport={"width": 375, "height": 800})
        browser.close()


@needs_browser
def test_pages_open_from_disk_and_ask_nobody(site: Path, page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in PAGES:
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
        serious = [one["id"] for one in axe.Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
        assert serious == []
    assert [address for address in asked if not address.startswith("file:")] == []


@needs_browser
def test_the_search_works_without_a_server(site: Path, page) -> None:
    page.goto((site / "search.html").as_uri() + "?q=permutation")
    page.wait_for_selector("#search-results li a")
    assert "tcpwer" in page.inner_text("#search-results")
