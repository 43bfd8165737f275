"""Charts on a page in a real browser: they fit a phone, their text stays readable, no serious barrier, nothing of data runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from parakh.report import svg
from parakh.report.chart import Chart, Heatmap, Histogram, Intervals, Mark, Scatter, StackedBars, Waterfall
from parakh.report.resources import resource
from tests.figures import EVIL
from tests.pages import BROWSER, needs_browser

pytest.importorskip("playwright")
pytest.importorskip("axe_playwright_python")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

pytestmark = needs_browser
URDU = "نظام جو بولنے والوں کو پہچانتا ہے (v2)"
HINDI = "क्षेत्रीय भाषाओं की प्रणाली"
LONG = "a-system-name-that-does-not-end-" * 4
SYSTEMS = (EVIL, URDU, HINDI, LONG, "e", "f", "g", "h", "i")
CHARTS: tuple[Chart, ...] = (
    StackedBars(
        EVIL,
        "DER, %",
        notes=(EVIL,),
        parts=("missed speech", EVIL, "confusion"),
        rows=tuple((name, (3.0, 2.0, 1.0 + k), Mark(6.0 + k, (4.0, 9.0 + k))) for k, name in enumerate(SYSTEMS)),
    ),
    StackedBars("whole", "hours", rows=((EVIL, (), Mark(2.0)), ("none", (), Mark(None)))),
    Histogram("turns", "seconds", bins=tuple((f"{k} – {k + 1}", float(k), f"{k} %") for k in range(12))),
    Heatmap(
        "heat",
        "DER, %",
        rows=("Hindi", URDU, EVIL),
        columns=SYSTEMS,
        cells=tuple((Mark(20.0), Mark(None), *[Mark(30.0)] * 7) for _ in "abc"),
    ),
    Scatter("scatter", "DER, %", across="overlap, %", series={name: [(EVIL, 1.0, 2.0), ("b", 2.0, 5.0)] for name in SYSTEMS}),
    Intervals(
        "slices", "DER, %", series=SYSTEMS, groups={EVIL: [(URDU, tuple(Mark(k + 5.0, (k + 4.0, k + 9.0)) for k in range(9)))]}
    ),
    Intervals("ranks", "DER, %", groups={"": [(LONG, (Mark(5.0),)), (URDU, (Mark(6.0, (5.0, 7.0)),))]}, tied=frozenset({URDU})),
    Waterfall(
        "fall", "WER, %", panels={EVIL: (10.0, (("spelling", 4.0), ("costs", -1.0), (LONG, 7.0))), "b": (5.0, (("x", 5.0),))}
    ),
)


def document() -> str:
    style = resource("page/page.css") + resource("page/charts.css")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}"><meta name="color-scheme" content="light dark">'
    body = "".join(map(svg.draw, CHARTS))
    view = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Charts</title>'
    return f'<!DOCTYPE html><html lang="en"><head>{view}{head}<style>{style}</style></head><body><main><h1>Charts</h1>{body}</main></body></html>'


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=BROWSER, args=flags)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("charts") / "charts.html"
    path.write_text(document(), encoding="utf-8")
    return path


def opened(browser: Browser, path: Path, width: int, scheme: str) -> tuple[Page, list[str]]:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(path.as_uri())
    return page, said


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_charts_fit_and_have_no_serious_barrier(browser: Browser, path: Path, width: int, scheme: str) -> None:
    page, said = opened(browser, path, width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in {"serious", "critical"}] == []
    assert not said
    page.close()


def test_text_is_never_small_and_never_runs_out_of_its_drawing(browser: Browser, path: Path) -> None:
    page, _ = opened(browser, path, 375, "light")
    sizes = page.evaluate(
        """[...document.querySelectorAll('svg.chart text, svg.chart foreignObject div')].map(one =>
           parseFloat(getComputedStyle(one).fontSize) * (one.getScreenCTM ? one.getScreenCTM().a : 1))"""
    )
    assert min(sizes) >= 11
    out = page.evaluate(
        """[...document.querySelectorAll('svg.chart')].flatMap(svg => [...svg.querySelectorAll('text')]
           .filter(one => one.getBoundingClientRect().right > svg.getBoundingClientRect().right + 1).map(one => one.textContent))"""
    )
    assert out == []
    page.close()


def test_a_long_name_is_shortened_and_told_in_full(browser: Browser, path: Path) -> None:
    page, _ = opened(browser, path, 375, "light")
    label = page.locator(f'svg.chart .label[title="{LONG}"]').first
    assert label.evaluate("one => one.scrollWidth > one.clientWidth && getComputedStyle(one).textOverflow") == "ellipsis"
    urdu = page.locator("svg.chart .label", has_text=URDU).first
    assert urdu.evaluate("one => getComputedStyle(one).direction") == "rtl"
    assert urdu.get_attribute("lang") == "ur"
    page.close()


def test_the_figures_stand_in_a_table_below(browser: Browser, path: Path) -> None:
    page, _ = opened(browser, path, 1280, "light")
    page.locator("figure details summary").first.click()
    table = page.locator("figure table").first
    assert table.locator("tbody tr").count() == len(SYSTEMS)
    assert table.locator("tbody tr").first.locator("th, td").all_inner_texts() == [EVIL, "3.0", "2.0", "1.0", "6.0", "4.0 – 9.0"]
    page.close()
