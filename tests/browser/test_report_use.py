"""The report in the hands of a person: sorting, filtering, opening, Back, hearing; and what assistive software finds."""

import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from parakh.report import audio, html
from parakh.report.inputs import Inputs
from parakh.results import RecordingResult, Results, Score, Signature, Stats
from parakh.types import Finding
from tests.pages import EVIL

ODD = "v?#&/ %41 " + EVIL


def recording(name: str, errors: int | None, language: str, turns: int = 4, **more: Any) -> RecordingResult:
    """A recording of ``turns`` turns of two seconds each, in which every word is another."""
    said = [
        {"speaker": f"p{k % 2}", "role": None, "start": 2.0 * k, "end": 2.0 * k + 1.8, "words": f"शब्द{k}"} for k in range(turns)
    ]
    heard = [{**one, "words": f"other{k}"} for k, one in enumerate(said)]
    steps = [
        {
            "op": "substitution",
            "reference": f"शब्द{k}",
            "hypothesis": f"other{k}",
            "reference_segment": k,
            "hypothesis_segment": k,
        }
        for k in range(turns)
    ]
    detail = {"reference": said, "hypothesis": heard, "mapping": {"p0": "p0", "p1": "p1"}, "alignment": steps}
    value = None if errors is None else errors / 10
    stats = {"tcpwer": Stats(errors=errors or 0, length=10)}
    return RecordingResult(name, {"tcpwer": value}, stats, detail=detail, slices={"language": (language,)}, **more)


def results(recordings: list[RecordingResult], track: str = "asr", system: str = "ours") -> Results:
    scores = {"tcpwer": Score(0.4, Stats(errors=4, length=10), interval=(0.3, 0.5))}
    return Results(track, system, Signature({"track": track}), scores, tuple(sorted(recordings, key=lambda one: one.id)))


def timed(result: Results) -> Results:
    """The same recordings on the task of who spoke when."""
    rows = []
    for one in result.recordings:
        spans = [[turn["speaker"], turn["start"], turn["end"]] for turn in one.detail["reference"]]
        detail = {"reference": spans, "hypothesis": spans, "mapping": {"p0": "p0", "p1": "p1"}, "errors": [[0.0, 0.5, "miss"]]}
        rows.append(RecordingResult(one.id, {"der": 0.1}, {}, detail=detail))
    return Results("diarization", result.system, Signature({}), {"der": Score(0.1, Stats())}, tuple(rows))


Open = Callable[..., Any]


@pytest.fixture
def visit(chromium: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens the page of results from disk; nothing may be said on its console."""
    said: list[str] = []

    def open_page(*given: Results, width: int = 1280, fragment: str = "", quiet: bool = True, **options: Any) -> Any:
        html.write(Inputs(given), tmp_path / "report.html", **options)
        page = chromium.new_page(viewport={"width": width, "height": 800})
        page.set_default_timeout(10_000)
        if quiet:
            page.on("console", lambda one: said.append(one.text))
        page.on("pageerror", lambda one: said.append(str(one)))
        page.goto((tmp_path / "report.html").as_uri() + fragment)
        return page

    yield open_page
    for context in chromium.contexts:
        context.close()
    assert not said


def names(page: Any) -> list[str]:
    found: list[str] = page.locator("#recordings-table tbody tr:not(.space) th a").all_inner_texts()
    return found


def some() -> Results:
    noted = Finding("odd", "something odd")
    return results(
        [
            recording("a", 2, "hi"),
            recording("b", 9, "kn"),
            recording("c", None, "hi"),
            recording(ODD, 5, EVIL, findings=(noted,)),
        ]
    )


def test_a_head_sorts_the_worst_first_and_what_has_no_value_last(visit: Open) -> None:
    page = visit(some())
    head = page.get_by_role("button", name="What was said")
    head.focus()
    page.keyboard.press("Enter")
    assert names(page)[0] == "b"
    assert names(page)[-1] == "c"
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    head.click()
    assert [names(page)[0], names(page)[-1]] == ["a", "c"]
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"


def test_rows_are_found_by_name_value_and_findings_and_a_link_shows_the_same(visit: Open) -> None:
    page = visit(some())
    page.get_by_label("language", exact=True).select_option(EVIL)
    assert len(names(page)) == 1
    address = page.evaluate("location.hash")
    again = visit(some(), fragment=address)
    assert names(again) == names(page)
    again.get_by_label("language", exact=True).select_option("")
    again.get_by_label("only with findings").check()
    assert len(names(again)) == 1
    again.get_by_label("only with findings").uncheck()
    again.get_by_label("Find a recording").fill("B")
    assert names(again) == ["b"]
    assert again.locator(".tools output").inner_text() == "1 of 4 recordings"


def test_packed_recordings_open_from_the_table_and_back_returns(visit: Open) -> None:
    page = visit(
        results([recording(f"v{k:02}", k % 10, "hi", 40) for k in range(30)] + [recording(ODD, 5, "hi", 40)]), limit=120_000
    )
    assert page.locator("article").count() == 0
    page.get_by_role("link", name=ODD).first.click()
    page.locator("article h3").wait_for()
    assert page.locator("article h3").inner_text() == ODD
    opened = page.evaluate("location.hash")
    page.get_by_label("Find a recording").fill("v29")
    page.locator("#recordings-table tbody td a").first.click()
    page.locator("article").nth(1).wait_for()
    assert page.evaluate("document.activeElement.closest('article').dataset.rec") == "v29"
    page.go_back()
    page.wait_for_function(f"location.hash.startsWith('{opened}')")
    page.get_by_role("button", name="Close this recording").first.click()
    assert page.locator("article").count() == 1
    assert visit(results([recording("v0", 1, "hi")]), fragment="#s0-r0").locator("article").count() == 1


def test_what_is_left_out_is_told_and_never_linked(visit: Open) -> None:
    page = visit(results([recording(f"v{k:02}", k % 10, "hi", 60) for k in range(40)]), limit=100_000)
    assert (Path(page.url.removeprefix("file://"))).stat().st_size < 100_000
    assert "that went worst of 40 recordings are on this page" in page.locator("#left-out").inner_text()
    held = page.locator("script.packed").count()
    assert 0 < held < 40
    assert page.locator("#recordings-table tbody th a").count() == held
    page.goto(page.url.split("#")[0] + "#s0-r0")
    page.get_by_text("This recording is not on this page").wait_for()


def test_many_rows_are_drawn_only_where_one_looks(visit: Open) -> None:
    rows = [
        RecordingResult(f"v{k:04}", {"tcpwer": k / 3000}, {}, slices={"language": ("hi", "kn")[k % 2 :][:1]}) for k in range(3000)
    ]
    page = visit(results(rows))
    drawn = "document.querySelectorAll('#recordings-table tbody tr:not(.space)').length"
    assert page.evaluate(drawn) < 100
    assert page.locator("#recordings-table").get_attribute("aria-rowcount") == "3001"
    page.evaluate("document.querySelector('.tall').scrollTop = 1e7")
    page.locator("#recordings-table >> text=v0000").wait_for()  # the best come last
    assert page.evaluate(drawn) < 100
    page.get_by_role("button", name="What was said").click()
    assert names(page)[0] == "v2999"
    page.get_by_label("Find a recording").fill("v1234")
    assert names(page) == ["v1234"]


def test_a_click_on_the_timeline_marks_the_transcript_and_the_other_way_round(visit: Open) -> None:
    page = visit(timed(some()), some())
    page.locator("#s0-r0 .timeline .bar:not(.sys)").nth(1).click()
    assert page.locator("#s0-r0 .turn.now .when").first.text_content() == "0:04.0 – 0:05.8"
    page.locator("#s0-r0 .ref .turn p").nth(1).click()
    assert page.locator("#s0-r0 .bar.now").count() == 2
    assert page.locator("#player").count() == 0
    page.locator("#s0-r0 .transcript").press("n")
    assert page.locator("#s0-r0 .turn.now .when").first.text_content() == "0:04.0 – 0:05.8"


@pytest.mark.parametrize("linked", [False, True])
def test_the_sound_plays_from_where_one_clicks(visit: Open, tmp_path: Path, linked: bool) -> None:
    folder = tmp_path / "sound of visits"
    folder.mkdir()
    with wave.open(str(folder / "a.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(16000 * 9))
    sound = audio.linked([str(folder)], ["a"], tmp_path) if linked else audio.embedded([str(folder)], ["a"])
    page = visit(timed(some()), some(), sound=sound)
    page.locator("#s0-r0 .ref .turn p").nth(2).click()
    page.locator("#player button[aria-label=Pause]").wait_for()
    page.wait_for_function("document.querySelector('#player .clock').textContent.endsWith('of 0:09')")
    page.keyboard.press(" ")
    page.locator("#player button[aria-label=Play]").wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('#player .clock').textContent.startsWith('0:09')")
    page.locator("#s0-r1 .ref .turn p").first.click()
    assert page.locator("#player .whose").inner_text() == "a"


def test_a_sound_that_is_not_there_is_told_with_what_to_do_and_nothing_seems_to_play(visit: Open, tmp_path: Path) -> None:
    with wave.open(str(tmp_path / "a.wav"), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(16000))
    sound = audio.linked([str(tmp_path)], ["a"], tmp_path)
    (tmp_path / "a.wav").unlink()
    page = visit(timed(some()), some(), sound=sound, quiet=False)
    page.locator("#s0-r0 .ref .turn p").first.click()
    page.locator("#player .trouble").wait_for()
    assert "Keep the page beside its folder of sounds" in page.locator("#player .trouble").inner_text()
    assert page.get_by_label("Pause").count() == 0


@pytest.mark.parametrize("width", [375, 1280])
def test_assistive_software_finds_nothing_serious_and_nothing_is_wider_than_the_page(
    visit: Open, tmp_path: Path, width: int
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe looks at the page").Axe()
    with wave.open(str(tmp_path / "a.wav"), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(16000))
    sound = audio.embedded([str(tmp_path / "a.wav")], ["a"])
    page = visit(timed(some()), some(), results([recording("a", 1, "hi")], system=EVIL), width=width, sound=sound)
    page.locator("#s0-r0 .ref .turn p").first.click()
    page.locator("#player").wait_for()
    found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in {"serious", "critical"}] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_scripts_the_whole_table_and_the_recordings_stand_there(chromium: Any, tmp_path: Path) -> None:
    rows = [*some().recordings, *(RecordingResult(f"z{k:04}", {"tcpwer": 0.1}, {}) for k in range(300))]
    html.write(Inputs((results(rows),)), tmp_path / "report.html", limit=1_000_000)
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("table.overview tbody tr").count() == 304
    assert page.get_by_text("z0299").first.is_visible()
    assert page.locator("#s0-r0 .turn").count() == 8
    context.close()


def test_a_browser_that_cannot_unpack_says_so(visit: Open) -> None:
    page = visit(results([recording(f"v{k:02}", k % 10, "hi", 40) for k in range(30)]), limit=120_000)
    page.evaluate("delete window.DecompressionStream")
    page.locator("#recordings-table tbody th a").first.click()
    page.get_by_text("This browser cannot open packed recordings").wait_for()


def test_print_shows_the_whole_table_and_opened_recordings(visit: Open) -> None:
    rows = [RecordingResult(f"v{k:04}", {"tcpwer": 0.1}, {}) for k in range(300)]
    page = visit(results(rows))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#recordings-table tbody tr").count() == 300


def test_names_of_any_length_stay_on_the_page_and_tracks_of_any_name_are_led_to(visit: Open) -> None:
    long = "name_without_a_break_" * 20
    page = visit(
        results([recording(long, 3, "hi"), recording(ODD, 4, "hi")], track="my track? #1 " + EVIL, system=long), width=375
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.locator("#recordings-table tbody td a").first.click()
    assert page.evaluate("document.activeElement.matches('details.task')")
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(node => node.id)")
    assert len(set(ids)) == len(ids)
    assert not [one for one in ids if " " in one]


def test_one_recording_without_a_metric_is_said_to_be_so(visit: Open) -> None:
    page = visit(Results("asr", "ours", Signature({}), {}, (RecordingResult("v1", {}, {}),)))
    assert page.locator(".tools output").inner_text() == "1 recording"
    assert page.locator(".card .metric").inner_text() == ""
    assert page.locator("#recordings-table thead small").inner_text() == "no metric"


def test_two_results_of_one_name_are_told_apart_everywhere(visit: Open) -> None:
    page = visit(*(results([recording("a", wrong, "hi"), recording("b", wrong, "hi")]) for wrong in (2, 8)))
    assert page.locator("#recordings-table thead tr").nth(1).locator("button").all_inner_texts() == ["ours", "ours (2)"]
    assert "ours wins 2 of 2 recordings, ours (2) 0" in page.locator("#standings").inner_text()


def test_a_timeline_that_is_dragged_moves_and_nothing_is_selected_by_it(visit: Open) -> None:
    page = visit(timed(results([recording("a", 1, "hi", turns=40)])))
    scroll = page.locator("#s0-r0 .scroll")
    scroll.scroll_into_view_if_needed()
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").click()
    before, box = scroll.evaluate("node => node.scrollLeft"), scroll.bounding_box()
    page.mouse.move(box["x"] + 400, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] - 60, steps=5)
    page.mouse.move(box["x"] + 200, box["y"] + 10, steps=5)
    page.mouse.up()
    assert scroll.evaluate("node => node.scrollLeft") == pytest.approx(before + 200, abs=2)
    page.mouse.move(box["x"] + 500, box["y"] + 10)
    assert scroll.evaluate("node => node.scrollLeft") == pytest.approx(before + 200, abs=2)
    assert page.locator(".bar.now").count() == 0


def test_small_charts_leave_no_holes_beside_tall_ones(visit: Open) -> None:
    page = visit(*(results([recording(f"v{k}", k % 7, "hi") for k in range(8)], system=f"s{n:02}") for n in range(12)))
    boxes = page.evaluate("[...document.querySelectorAll('.plots > div')].map(one => one.getBoundingClientRect().toJSON())")
    for one in boxes:
        above = [other["bottom"] for other in boxes if other["left"] == one["left"] and other["bottom"] <= one["top"] + 1]
        assert not above or one["top"] - max(above) < 2


@pytest.mark.parametrize("width", [375, 1280])
def test_tables_and_figures_of_many_systems_keep_their_first_column_and_names(visit: Open, width: int) -> None:
    names_of = [f"system number {n} of a team" for n in range(30)]
    page = visit(
        *(results([recording(f"v{k}", (k + n) % 7, "hi") for k in range(6)], system=name) for n, name in enumerate(names_of))
    )
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for head in page.locator(".overview thead th:visible").all():
        assert head.evaluate("node => node.getBoundingClientRect().width") > 60
    frame = page.locator("#figures .scrolled").first
    labels = frame.evaluate(
        """node => [...node.querySelectorAll('.label, .head')].filter(one => {
             const box = one.getBoundingClientRect(), view = node.getBoundingClientRect();
             return box.left >= view.left - 1 && box.right <= view.right + 1 && one.textContent; }).map(one => one.textContent)"""
    )
    assert labels[0] == names_of[0]
    assert "Hindi" in labels
    assert "and 2" in page.locator("#standings p").first.inner_text()
