"""One browser for the tests that use a page as a person does."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.pages import BROWSER


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser, driven by playwright and let go after each file of tests; skipped where either is lacking."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if BROWSER is None:
        pytest.skip("no chromium here; install the package chromium to run this")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--autoplay-policy=no-user-gesture-required"]
    with driver.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=BROWSER, args=flags)
        yield browser
        browser.close()
