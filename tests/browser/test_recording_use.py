"""What one recording shows, in the hands of a person: kinds of errors, the sheet for clinicians, and every script of India."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parakh import formats
from parakh.evaluate import evaluate
from parakh.report import audio, html
from parakh.report.inputs import Inputs
from parakh.results import Results
from parakh.tracks import get
from parakh.types import Recording, Segment, Summary, Topics

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
ANSWERS = EXAMPLES / "challenge" / "systems" / "embedded"
FILES = {
    "asr": (EXAMPLES / "transcripts", ANSWERS / "seglst"),
    "topics": (EXAMPLES / "topics.csv", ANSWERS / "topics"),
    "summarization": (EXAMPLES / "summaries.csv", ANSWERS / "summaries"),
}


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of two of the bundled conversations, as the embedded cascade answers them."""
    said = formats.load([str(EXAMPLES / "transcripts")], Segment).items
    wanted = {"hi_anc_01", "hi_child_02"}
    results = []
    for name, files in FILES.items():
        track = get(name)
        sides = [[one for one in formats.load([str(path)], track.item).items if one.session_id in wanted] for path in files]
        results.append(evaluate(track, *sides, transcripts=said if name == "summarization" else None, detail=True))
    path = tmp_path_factory.mktemp("clinic") / "report.html"
    html.write(Inputs(tuple(results)), path, sound=audio.linked([str(EXAMPLES / "audio")], sorted(wanted), path.parent))
    return path


@pytest.fixture
def visit(chromium: Any) -> Iterator[Any]:
    """Opens a page; nothing may be said on its console."""
    said: list[str] = []

    def open_page(path: Path, **options: Any) -> Any:
        page = chromium.new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
        page.set_default_timeout(10_000)
        page.on("console", lambda one: said.append(one.text))
        page.on("pageerror", lambda one: said.append(str(one)))
        page.goto(path.as_uri())
        page.add_style_tag(content="#recordings .recording { content-visibility: visible !important; }")  # as if scrolled to
        return page

    yield open_page
    for context in chromium.contexts:
        context.close()
    assert not said


def test_a_kind_is_picked_out_and_walked_through(visit: Any, clinic: Path) -> None:
    page = visit(clinic)
    task = page.locator('[data-rec="hi_child_02"] [id$="-asr"]')
    button = task.locator('[data-kind="number"]')
    count = int(button.locator("b").inner_text())
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    other = task.locator(".transcript .k-other").first
    assert other.evaluate("node => getComputedStyle(node).backgroundColor") == "rgba(0, 0, 0, 0)"
    seen = set()
    for place in range(1, count + 1):
        task.locator('[data-jump="1"]').click()
        assert task.locator(".told").inner_text().startswith(f"{place} of ")
        at = page.evaluate("[...document.querySelectorAll('.transcript *')].indexOf(document.activeElement)")
        assert page.evaluate("document.activeElement.className") == "k-number"
        seen.add(at)
    assert len(seen) > 1
    assert page.locator("#hint").inner_text().startswith("numbers: ")
    page.keyboard.press("p")
    assert page.evaluate("document.activeElement.className") == "k-number"
    button.click()
    assert other.evaluate("node => getComputedStyle(node).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_pointing_at_a_word_says_what_it_is_and_what_stands_there(visit: Any, clinic: Path) -> None:
    page = visit(clinic)
    word = page.locator('[data-rec="hi_anc_01"] .ref mark.k-number').first
    word.hover()
    page.mouse.move(*(side + 1 for side in _middle(word)))
    told = page.locator("#hint").inner_text()
    assert told.startswith("numbers: the system wrote ")
    assert word.get_attribute("data-k") is not None


def _middle(element: Any) -> tuple[float, float]:
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_kinds_are_told_apart_without_colour(visit: Any, clinic: Path) -> None:
    page = visit(clinic)
    shapes = page.evaluate(
        """() => ["number", "medical", "negation", "speaker", "english", "spelling", "other"].map(kind => {
            const word = document.querySelector(`.kinds .k-${kind}`);
            return getComputedStyle(word, "::before").content + getComputedStyle(word).borderBottomStyle;
        })"""
    )
    assert len(set(shapes)) == len(shapes)


def test_a_passage_is_shown_beside_the_summary(visit: Any, clinic: Path) -> None:
    page = visit(clinic)
    sheet = page.locator('[data-rec="hi_child_02"] .clinical')
    wrong = sheet.locator(".summary-text .v-contradicted")
    wrong.click()
    turn = sheet.locator(".talk .found")
    assert "नहीं" in turn.inner_text()
    box, talk = turn.bounding_box(), sheet.locator(".talk").bounding_box()
    assert talk["y"] <= box["y"] <= talk["y"] + talk["height"]
    assert wrong.is_visible()


def test_a_time_of_the_sheet_plays_the_place(visit: Any, clinic: Path) -> None:
    page = visit(clinic)
    sheet = page.locator('[data-rec="hi_child_02"] .clinical')
    assert page.locator("#player").is_hidden()
    sheet.locator(".left-out .when", has_text="0:22").first.click()
    assert page.locator("#player .whose").inner_text() == "hi_child_02"
    page.locator("#player button[aria-label=Pause]").wait_for()
    page.wait_for_function("document.querySelector('#player .clock').textContent.startsWith('0:2')")


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext reads what is printed")
def test_a_printed_sheet_has_its_name(chromium: Any, clinic: Path, tmp_path: Path) -> None:
    page = chromium.new_page()  # nothing was scrolled to
    page.goto(clinic.as_uri())
    names = page.locator("article.recording").evaluate_all("all => all.map(one => one.dataset.rec)")
    page.pdf(path=str(tmp_path / "report.pdf"))
    page.close()
    told = subprocess.run(
        ["pdftotext", str(tmp_path / "report.pdf"), "-"], capture_output=True, text=True, check=True, timeout=20
    )
    sheets = [one for one in told.stdout.split("\f") if "For the clinician" in one]
    assert [one.split("For the clinician")[0].split()[-1] for one in sheets] == names
    assert sorted(names) == ["hi_anc_01", "hi_child_02"]
    assert "Recordings, turn by turn" in sheets[0]


def test_one_sheet_is_printed_alone(visit: Any, clinic: Path) -> None:
    page = visit(clinic)
    page.evaluate("window.print = () => { window.printed = document.body.className; }")
    sheet = page.locator('[data-rec="hi_child_02"] .clinical')
    sheet.locator(".print").click()
    assert page.evaluate("window.printed") == "one-sheet"
    page.emulate_media(media="print")
    assert sheet.is_visible()
    assert page.locator('[data-rec="hi_child_02"] > header').is_visible()
    hidden = ['[data-rec="hi_anc_01"] .clinical', '[data-rec="hi_child_02"] .transcript', "#summary"]
    assert not any(page.locator(one).first.is_visible() for one in hidden)
    assert not sheet.locator(".talk > :not(.cited)").first.is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.body.className") == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_assistive_software_finds_no_serious_fault(visit: Any, clinic: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe looks at the page").Axe()
    page = visit(clinic, color_scheme=scheme, bypass_csp=True)
    page.locator('[data-rec="hi_child_02"] [data-kind="number"]').click()
    options = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
    found = axe.run(page, context='[data-rec="hi_child_02"]', options=options).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in {"serious", "critical"}] == []


# --- Scripts ----------------------------------------------------------------------------------------------------------------

SAID = {
    "ur": ("BP چیک کیا تھا، 140 سے زیادہ تھا", "BP چیک کیا ہے، 120 سے زیادہ تھا"),
    "sd": ("مون کي ٻن ڏينهن کان بخار آهي", "مون کي ٽن ڏينهن کان بخار آهي"),
    "ks": ("مےٚ چھُ دۄن دۄہن ہُنٛد تپ", "مےٚ چھُ تریٚن دۄہن ہُنٛد تپ"),
    "hi": ("क्षमा कीजिए, श्रीमती को दो दिन से बुखार नहीं है", "क्षमा कीजिये श्रीमती को तीन दिन बुखार है"),
    "mr": ("मला दोन दिवसांपासून ताप आहे", "मला तीन दिवसांपासून ताप आहे"),
    "bn": ("আমার দুই দিন ধরে জ্বর আছে", "আমার তিন দিন ধরে জ্বর"),
    "as": ("মোৰ দুদিন ধৰি জ্বৰ আছে", "মোৰ তিনিদিন ধৰি জ্বৰ আছে"),
    "pa": ("ਮੈਨੂੰ ਦੋ ਦਿਨ ਤੋਂ ਬੁਖਾਰ ਹੈ", "ਮੈਨੂੰ ਤਿੰਨ ਦਿਨ ਤੋਂ ਬੁਖਾਰ"),
    "gu": ("મને બે દિવસથી તાવ છે", "મને ત્રણ દિવસથી તાવ"),
    "or": ("ମୋତେ ଦୁଇ ଦିନ ହେଲା ଜ୍ୱର ହେଉଛି", "ମୋତେ ତିନି ଦିନ ହେଲା ଜ୍ୱର"),
    "ta": ("எனக்கு இரண்டு நாளாக காய்ச்சல் இருக்கிறது", "எனக்கு மூன்று நாளாக காய்ச்சல்"),
    "te": ("నాకు రెండు రోజులుగా జ్వరం ఉంది", "నాకు మూడు రోజులుగా జ్వరం"),
    "kn": ("ನನಗೆ ಎರಡು ದಿನದಿಂದ ಜ್ವರ ಇದೆ", "ನನಗೆ ಮೂರು ದಿನದಿಂದ ಜ್ವರ"),
    "ml": ("എനിക്ക് രണ്ട് ദിവസമായി പനി ഉണ്ട്", "എനിക്ക് മൂന്ന് ദിവസമായി പനി"),
    "sat": ("ᱤᱧ ᱫᱚ ᱵᱟᱨ ᱢᱟᱦᱟᱸ ᱠᱷᱚᱱ ᱨᱩᱣᱟᱹ ᱢᱮᱱᱟᱜᱼᱟ", "ᱤᱧ ᱫᱚ ᱯᱮ ᱢᱟᱦᱟᱸ ᱠᱷᱚᱱ ᱨᱩᱣᱟᱹ"),
    "mni": ("ꯑꯩꯍꯥꯛ ꯅꯨꯃꯤꯠ ꯅꯤꯅꯤ ꯂꯥꯏꯍꯧ", "ꯑꯩꯍꯥꯛ ꯅꯨꯃꯤꯠ ꯑꯍꯨꯝ ꯂꯥꯏꯍꯧ"),
}
"""By language, what a person said and what a system heard."""
RIGHT_TO_LEFT = {"ur", "sd", "ks"}
FAULTS = """(article, [tag, rtl, hasFont]) => {
    const faults = [];
    const letters = box => [...new Set(box.textContent)].filter(sign => /\\p{L}/u.test(sign));
    const pen = Object.assign(document.createElement("canvas"), { width: 48, height: 48 }).getContext("2d", { willReadFrequently: true });
    const drawn = sign => {
        pen.clearRect(0, 0, 48, 48); pen.fillText(sign, 4, 34);
        return pen.getImageData(0, 0, 48, 48).data.join();
    };
    const ends = box => {
        const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT), nodes = [];
        while (walker.nextNode()) if (walker.currentNode.data.trim()) nodes.push(walker.currentNode);
        const rect = (node, start) => {
            const range = document.createRange(); range.setStart(node, start); range.setEnd(node, start + 1);
            return range.getBoundingClientRect();
        };
        const first = nodes[0], last = nodes.filter(node => !node.parentNode.closest("sup")).pop();
        return [rect(first, first.data.search(/\\S/)), rect(last, last.data.trimEnd().length - 1)];
    };
    for (const box of article.querySelectorAll(".transcript .ref p, .transcript .hyp p, .summary-text, .talk p")) {
        const what = text => faults.push(`${tag} ${box.className || box.parentNode.className}: ${text}`);
        const style = getComputedStyle(box);
        if (box.lang !== tag) what(`language ${box.lang}`);
        if (style.direction !== (rtl ? "rtl" : "ltr")) what("direction");
        const [first, last] = ends(box);
        if (Math.abs(first.top - last.top) < 20 && (first.x > last.x) !== rtl) what(`from ${first.x} to ${last.x}`);
        for (const mark of box.querySelectorAll("mark, del, ins, b, [class^=v-]")) {
            const next = mark.nextSibling?.textContent ?? "";
            if (/^[\\p{M}\\u200c\\u200d]/u.test(next) || /^\\p{M}/u.test(mark.textContent)) what("a mark splits a cluster");
        }
        if (!hasFont || !box.closest(".ref")) continue;
        pen.font = `28px ${style.fontFamily}`;
        const nothing = drawn("\\u{378}");
        if (nothing !== drawn("\\u{379}")) what("no empty box to compare with");
        const missing = letters(box).filter(sign => drawn(sign) === nothing);
        if (missing.length) what(`no letters for ${missing}`);
    }
    return faults;
}"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a recording in each language; the languages are known from the manifest alone."""

    def turns(side: int) -> list[Segment]:
        return [Segment(tag, "ڈاکٹر 1", 0.0, 5.0, texts[side]) for tag, texts in SAID.items()]

    known = [Recording(tag, language=tag) for tag in SAID]
    results: list[Results] = [evaluate(get("asr"), turns(0), turns(1), recordings=known, detail=True)]
    topics = [[Topics(tag, (texts[side].split()[-2], "BP")) for tag, texts in SAID.items()] for side in (0, 1)]
    results.append(evaluate(get("topics"), *topics, recordings=known, detail=True))
    given = [
        [Summary(tag, f"{texts[side]} paracetamol 500 mg. BP 140/9{side}") for tag, texts in SAID.items()] for side in (0, 1)
    ]
    results.append(evaluate(get("summarization"), *given, transcripts=turns(0), recordings=known, detail=True))
    path = tmp_path_factory.mktemp("scripts") / "report.html"
    html.write(Inputs(tuple(results)), path)
    return path


@pytest.fixture
def shown(visit: Any, scripts: Path) -> Any:
    return visit(scripts)


def has_font(tag: str) -> bool:
    """Whether a font for a language is installed here."""
    if shutil.which("fc-list") is None:
        return False
    return bool(subprocess.run(["fc-list", f":lang={tag}", "family"], capture_output=True, text=True, check=True).stdout.strip())


def test_every_script_has_its_language_direction_letters_and_whole_clusters(shown: Any) -> None:
    faults = []
    for tag in SAID:
        article = shown.locator(f'[data-rec="{tag}"]')
        assert article.locator(".transcript mark").count() >= 2
        faults += article.evaluate(FAULTS, [tag, tag in RIGHT_TO_LEFT, has_font(tag)])
    assert faults == []


def test_a_number_and_a_latin_name_keep_their_order_from_right_to_left(shown: Any) -> None:
    text = shown.locator('[data-rec="ur"] .summary-text')
    marks = {one.text_content().strip("?✓✗"): one for one in text.locator("[class^=v-]").all()}
    assert {"paracetamol", "500 mg"} <= set(marks)
    assert all(one.evaluate("node => getComputedStyle(node).direction") == "ltr" for one in marks.values())
    sign = marks["500 mg"].locator("sup").bounding_box()["x"]
    assert sign > marks["500 mg"].bounding_box()["x"] + 20  # behind the words, which run from the left
    assert shown.locator('[data-rec="ur"] .ref .who bdi').first.text_content() == "ڈاکٹر 1"
