"""Somebody at a browser: Debian's Chromium, driven as people use it, who looks at every page for barriers and for what leaves the machine."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, sync_playwright

from tests.pages import BROWSER

PATIENCE_MS = 60_000
PASSWORD = "walks over every page"


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


class Walker:
    """One person with a browser of their own.

    Args:
        browser: Running.
        address: Of the server.
        shots: Folder for a picture of every page.
        name: Whose; also of the pictures.
        script: Whether JavaScript is on.
    """

    def __init__(self, browser: Browser, address: str, shots: Path, name: str, *, script: bool = True) -> None:
        self.address, self.shots, self.name, self.script = address, shots, name, script
        self.context: BrowserContext = browser.new_context(java_script_enabled=script, viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.foreign: list[str] = []
        self.logged: list[str] = []
        self.barriers: list[str] = []
        self._count = 0
        self._seen: set[str] = set()
        self.page.on("request", self._asked)
        self.page.on("console", self._said)

    @property
    def email(self) -> str:
        return f"{self.name}@example.org"

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:")):
            self.foreign.append(request.url)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.logged.append(message.text)

    def go(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.look()

    def click(self, words: str, role: str = "button", place: Locator | None = None) -> Page:
        """Click a button or link by its words, and look at the page it leads to."""
        found = (place or self.page.locator("main")).get_by_role(role, name=words, exact=True)  # type: ignore[arg-type]
        with self.page.expect_navigation():
            found.first.click()
        return self.look()

    def look(self) -> Page:
        """Keep a picture of the page, and note every serious barrier that axe-core finds on it; once for pages of a kind."""
        kind = re.sub(r"/s/\w+", "/s", self.page.url) + " ".join(self.page.locator("main .badge").all_inner_texts()[:3])
        if kind in self._seen:
            return self.page
        self._seen.add(kind)
        self._count += 1
        self.page.screenshot(path=self.shots / f"{self.name}-{self._count:02}.png", full_page=True)
        if self.script:
            for one in Axe().run(self.page).response["violations"]:
                if one["impact"] in {"serious", "critical"}:
                    self.barriers.append(f"{self.page.url}: {one['id']}: {one['nodes'][0]['html'][:200]}")
        return self.page

    def go_until(self, path: str, words: str) -> Page:
        """Load a page again and again until it says something: boards follow scores by themselves, a moment later."""
        end = time.monotonic() + PATIENCE_MS / 1000
        self.go(path)
        while not self.says(words):
            assert time.monotonic() < end, f"{path} never says {words}"
            time.sleep(0.5)
            self.page.reload()
        return self.look()

    def says(self, words: str) -> bool:
        return words in self.page.locator("main").inner_text()

    def wait_for(self, state: str) -> Page:
        """Stay on a submission's page until it is there; the page follows by itself, or is loaded again without JavaScript."""
        self.page.locator("#state", has_text=state).wait_for()
        return self.look()

    def sign_up(self) -> None:
        self.go("/sign-up")
        for field, value in (("email", self.email), ("name", self.name.capitalize()), ("password", PASSWORD)):
            self.page.fill(f"#{field}", value)
        self.click("Sign up")

    def log_in(self, email: str, password: str) -> None:
        self.go("/log-in")
        self.page.fill("#email", email)
        self.page.fill("#password", password)
        self.click("Log in")

    def accept(self, challenge: str) -> None:
        self.go(f"/c/{challenge}/terms")
        self.click("I accept these terms")

    def hand_in(self, challenge: str, contest: str, file: Path, system: str) -> None:
        self.go(f"/c/{challenge}/submit")
        self.page.select_option("#contest", contest)
        self.page.fill("#system", system)
        self.page.set_input_files("#file", file)
        self.click("Submit")

    def check(self) -> None:
        """Nothing was met that keeps somebody out, went elsewhere, or broke on the way."""
        assert self.barriers == []
        assert self.foreign == []
        assert self.logged == []
