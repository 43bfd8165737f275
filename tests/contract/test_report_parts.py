"""The parts of the report page: what to fix first, the table, what is packed, which systems are told apart."""

import base64
import re
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from parakh.cli.report import Request, report
from parakh.diagnostics.alarms import Alarm
from parakh.diagnostics.ledger import Item, Ledger
from parakh.diagnostics.passages import Context
from parakh.errors import InputError, listed
from parakh.markup import Html
from parakh.report import audio, figures, html, overview, packing, priorities, recordings_table, standings
from parakh.report.diagnosed import Diagnosed
from parakh.report.inputs import Inputs
from parakh.report.places import Places, recordings
from parakh.report.summary import by_system
from parakh.results import RecordingResult, Results, Score, Signature, Stats, Unscored
from parakh.types import Finding, Severity
from tests.pages import EVIL, Page


def made(errors: dict[str, int], *, system: str = "ours", **more: object) -> Results:
    rows = tuple(
        RecordingResult(name, {"wer": count / 100}, {"wer": Stats(errors=count, length=100)}) for name, count in errors.items()
    )
    whole = sum(errors.values())
    scores = {"wer": Score(whole / (100 * len(rows)), Stats(errors=whole, length=100 * len(rows)))}
    return Results("asr", system, Signature({"track": "asr"}), scores, rows, **more)  # type: ignore[arg-type]


def first(results: Results, diagnosed: Diagnosed | None = None) -> str:
    systems = by_system([results])
    return Page(priorities.render(systems[0], diagnosed, Places(recordings(systems)))).text


def diagnosed(words: str = "नहीं") -> Diagnosed:
    items = tuple(
        Item(name, marginal, marginal, marginal / 100, marginal / 100)
        for name, marginal in {"punctuation": 4, "boundary": 9, "substitutions": 30, "encoding": 0}.items()
    )
    alarms = tuple(
        Alarm(
            "negation lost",
            severity,
            "a",
            None,
            (time, time + 1),
            Context("वह ", words, " आया"),
            Context("वह ", "", " आया"),
            f"{words} lost",
        )
        for time, severity in ((3.0, Severity.ERROR), (9.0, Severity.WARNING))
    )
    return Diagnosed("ours", Ledger("wer", {}, 43, 100, 0.43, items, ()), alarms)


def test_few_recordings_that_hold_half_of_the_errors_are_named_by_their_counts() -> None:
    few = {"a": 5, "b": 30, "c": 10, "d": 40, "e": 20}
    assert "half of the errors" not in first(made(few))  # two of five tell nothing
    told = first(made(few | {"f": 1, "g": 1}))
    assert "2 recordings of 7 hold half of the errors of “What was said”: d, b." in told


def test_half_of_equal_seconds_is_half_of_the_recordings() -> None:
    counts = {f"r{k:02}": 0.1 for k in range(14)}  # 0.1 seven times, twice, is less than the sum of fourteen by its last digit
    assert len(priorities._half(counts, sum(counts.values()))) == 7


def test_recordings_without_an_answer_come_first() -> None:
    missing = Finding("missing-recording", "b is missing", session_id="b")
    told = first(made({"a": 5, "b": 100}, findings=(missing,), unscored=(Unscored("z", "no words"),)))
    assert told.startswith("2 recordings of 3 without an answer to “What was said”: b, z.")


def test_repairs_stand_in_the_order_of_what_they_buy_and_what_buys_nothing_is_not_named() -> None:
    told = first(made({"a": 43}), diagnosed())
    assert re.findall(r"Mend ([\w ]+) \(.*?would be ([\d.]+) points", told) == [("word boundaries", "9.0"), ("marks", "4.0")]


def test_what_is_of_no_one_kind_is_told_and_what_may_hurt_stands_before_repairs() -> None:
    told = first(made({"a": 43}), diagnosed())
    assert "The rest: other wrong words 30.0 points." in told
    assert told.index("1 change of meaning") < told.index("Mend word boundaries")


def test_medicines_and_numbers_that_changed_most_stand_first() -> None:
    lost = diagnosed().alarms[0]
    given = {
        "slip": ("number changed", 1.4),
        "dose": ("unit changed", 0.1),
        "no": (lost.kind, None),
        "drug": ("drug swapped", None),
    }
    told = tuple(replace(lost, message=name, kind=kind, factor=factor) for name, (kind, factor) in given.items())
    text = first(made({"a": 43}), replace(diagnosed(), alarms=told))
    assert re.findall(r"(slip|dose|no|drug) – a", text) == ["dose", "drug", "slip", "no"]


def test_certain_changes_of_meaning_lead_to_their_time() -> None:
    systems = by_system([made({"a": 43})])
    drawn = priorities.render(systems[0], diagnosed(), Places(("a",)))
    assert "1 change of meaning</b> may hurt" in drawn
    assert '<a href="#s0-r0-asr" data-t="3.0"><bdi>a · 0:03.0</bdi></a>' in drawn
    assert '<span lang="hi" dir="auto">वह <del>नहीं</del> आया</span>' in drawn


def test_a_diagnosis_under_another_name_is_told_under_that_name() -> None:
    page = Page(html.render(Inputs((made({"a": 43}),), (replace(diagnosed(), system="folder"),)), title="t"))
    assert "Diagnosis of folder" in page.text
    assert "Mend word boundaries" in page.text
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_nothing_is_said_of_figures_published_elsewhere_and_their_row_stands() -> None:
    paper = Results("asr", EVIL, Signature({"published": "a paper"}), {"wer": Score(0.3, Stats())}, ())
    page = Page(html.render(Inputs((made({"a": 5, "b": 9}), paper)), title="t"))
    assert not page.open
    assert EVIL in page.text
    assert "30.0%" in page.text


def test_hostile_names_words_and_alarms_are_text() -> None:
    given = [made({EVIL: 5, "b": 9}, system=name) for name in ("ours", EVIL, "x", "y")]
    evil = diagnosed(EVIL)
    page = Page(html.render(Inputs(tuple(given), (evil, replace(evil, system=EVIL))), title=EVIL))
    assert not page.open
    assert page.scripts == 1
    assert max(page.ids.values()) == 1
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_with_many_systems_a_table_stands_for_the_cards_and_the_best_is_bold() -> None:
    given = [made({"a": 10 * k, "b": 10 * k}, system=f"s{k}") for k in (3, 1, 2, 4)]
    source = html.render(Inputs(tuple(given)), title="t")
    assert "“What was said” is best by" in source
    table = source[source.index("overview systems") :]
    assert re.findall(r"<td><b>([\d.]+%)</b>", table[: table.index("</table>")]) == ["10.0%"]


def test_the_best_of_the_table_is_one_value_of_the_same_recordings() -> None:
    def bold(given: list[Results]) -> list[str]:
        return re.findall(r"<td><b>([\d.]+%)</b>", overview.render(by_system(given), Places(())))

    worse_than_silence = [made({"a": 130 + 10 * k}, system=f"s{k}") for k in range(4)]  # none of which is right at all
    assert bold(worse_than_silence) == ["130.0%"]
    other = made({"b": 10}, system="s4")
    assert bold([*worse_than_silence, other]) == []
    told = overview.render(by_system([*worse_than_silence, other]), Places(()))
    assert "; of different recordings" in told


def test_a_column_is_of_one_metric_and_published_figures_are_marked_and_never_best() -> None:
    scores = {"cer": Score(0.02, Stats()), "wer": Score(0.05, Stats())}
    both, lacking = (
        Results("asr", name, Signature({"published": "a paper", "set": "Phase I"}), held, ())
        for name, held in (("best team", scores), ("baseline, tuned", {"cer": Score(0.01, Stats())}))
    )
    given = (both, made({"a": 10}, system="x"), made({"a": 20}, system="y"), lacking)
    source = html.render(Inputs(given), title="t")
    table = source[source.index("overview systems") :].partition("</table>")[0]
    cells = [Page(cell).text for cell in re.findall(r"<td.*?</td>", table)]
    assert cells == ["5.0%*", "10.0%", "20.0%", "n/a"]
    assert "<b>10.0%</b>" in table
    told = Page(source).text
    assert "“What was said” is best by x of 2 systems on the 1 recording that all of them have (wer 10.0%)." in told
    assert "Not compared with 2 published systems" in told
    assert "* published figures, on recordings of their source" in told
    assert "a paper, on Phase I" in told
    rows = source[source.index('id="recordings-table"') :].partition("</table>")[0]
    assert "best team" not in rows


def test_no_best_is_named_of_systems_without_a_recording_in_common() -> None:
    given = tuple(made({f"v{k}": 10 + k}, system=f"s{k}") for k in range(4))
    told = Page(html.render(Inputs(given), title="t")).text
    assert "is best by" not in told
    assert "“What was said”: no best is named" in told


def test_names_stand_as_they_are_also_at_the_start_of_a_line_and_those_with_commas_are_seen_to_be_one() -> None:
    lost = Finding("missing-recording", "b is missing", session_id="b")
    told = Page(
        standings.render(Inputs((made({"a": 9, "b": 8}, system="x"), made({"a": 9, "b": 8}, system="s4", findings=(lost,)))))
    ).text
    assert "To keep in mind: s4 has no answer for 1 of 2 recordings: charged in full" in told
    lacking = replace(made({"a": 1}, system="S, tuned"), metrics={})
    assert listed(["S, tuned", "y"]) in standings._why([made({"a": 1}), lacking, replace(lacking, system="y")], "wer")


def test_a_card_shows_its_interval() -> None:
    one = made({"a": 10, "b": 20})
    held = {"wer": replace(one.metrics["wer"], interval=(0.11, 0.19))}
    card = Page(overview.render(by_system([replace(one, metrics=held)]), Places(()))).text
    assert "15.0% (11.0% – 19.0%)" in card.partition("Error rate")[0]


def test_figures_of_one_kind_are_not_said_to_be_of_several() -> None:
    assert "of different kinds;" not in html.render(Inputs((made({"a": 10}),)), title="t")


def test_the_table_and_the_recordings_begin_with_what_went_worst_and_of_equals_none_is_marked() -> None:
    source = html.render(Inputs((made({"a": 5, "b": 30, "c": 30, "d": 10}),)), title="t")
    table = source[source.index('id="recordings-table"') :].partition("</table>")[0]
    assert re.findall(r'<th scope="row"><a[^>]*><bdi>(\w)', table) == ["b", "c", "d", "a"]
    assert 'aria-sort="other"' in table
    assert re.findall(r'<article[^>]*id="s0-r(\d)"', source) == ["1", "2", "3", "0"]
    assert "> worst<" not in table
    assert "> worst<" in html.render(Inputs((made({"a": 5, "b": 30}),)), title="t")


def test_a_waterfall_of_another_system_names_it() -> None:
    other = replace(diagnosed(), system="tuned")
    found = [figures.chart("waterfall", Inputs((made({"a": 43}),), (one,))) for one in (diagnosed(), other)]
    assert [one.title.endswith(": tuned") for one in found if one] == [False, True]


def test_systems_are_told_apart_with_wins_and_losses() -> None:
    names = [f"v{k:02}" for k in range(20)]
    good, near, bad = (
        made({name: 10 + more + k % 2 for k, name in enumerate(names)}, system=who)
        for who, more in (("good", 0), ("near", 0), ("bad", 30))
    )
    told = Page(standings.render(Inputs((bad, good, near)))).text
    assert (
        "good is best by wer with 10.5% on the 20 recordings that all were scored on. A test does not tell it apart from near (10.5%)."
        in told
    )
    assert "It is told apart from bad (40.5%)" in told
    assert "20 – 0" in told


def test_equals_have_half_a_cell_each() -> None:
    same = [made({"a": 10, "b": 20}, system=name) for name in ("x", "y", "z")]
    told = str(standings.render(Inputs(tuple(same))))
    assert told.count("--right:50%") == 6
    assert "--right:0%" not in told


def test_what_keeps_systems_from_being_compared_is_said() -> None:
    other = replace(made({"a": 9, "b": 8}, system="other"), signature=Signature({"track": "asr", "normalization": "none"}))
    told = Page(standings.render(Inputs((made({"a": 9, "b": 8}), other)))).text
    assert "These are not compared: other: normalization: found none" in told


def test_the_table_chooses_by_slices_of_any_task_and_counts_findings() -> None:
    one = RecordingResult(
        "a", {"wer": 0.1}, {}, (Finding("odd", "odd"),), slices={"language": ("hi",)}, speaker_slices={"role": ("x", "y")}
    )
    systems = by_system([Results("asr", "s", Signature({}), {"wer": Score(0.1, Stats())}, (one,))])
    table = recordings_table.render(systems, Places(recordings(systems)))
    assert '<tr data-notes="yes" data-in="0.0 1.0 1.1">' in table


def test_rows_beyond_the_first_cost_a_browser_with_scripts_nothing() -> None:
    systems = by_system([made({f"v{k:03}": k for k in range(250)})])
    table = recordings_table.render(systems, Places(recordings(systems)))
    before, after = table.split("<noscript")
    assert (before.count('<th scope="row"><a'), after.count('<th scope="row"><a')) == (200, 50)
    assert not Page(table).open


def test_packed_recordings_hold_the_same_article() -> None:
    article = Html("<article>" + "दवा " * 500 + "</article>")
    found = packing.fit([("s0-r0", lambda: article)], budget=1000)
    data = re.sub(r"<[^>]*>", "", found.blocks["s0-r0"])
    assert zlib.decompress(base64.b64decode(data), -zlib.MAX_WBITS).decode() == article


def test_what_fits_is_taken_in_the_order_wanted_and_nothing_is_rendered_in_vain() -> None:
    rendered: list[str] = []

    def article(name: str) -> Html:
        rendered.append(name)
        return Html(f"<article>{base64.b64encode(name.encode() * 3).decode() * 40}</article>")

    found = packing.fit([(f"r{k}", lambda k=k: article(f"r{k}")) for k in range(100)], budget=700, inline=10)  # type: ignore[misc]
    assert list(found.blocks) == [f"r{k}" for k in range(len(found.blocks))]
    assert 0 < len(found.blocks) < len(rendered) < 20


def test_the_page_stays_within_its_limit_and_says_so() -> None:
    text = " ".join(base64.b64encode(str(k).encode()).decode() for k in range(3000))
    rows = tuple(
        RecordingResult(f"v{k}", {"rougeL": 0.5}, {}, detail={"reference": text + str(k), "hypothesis": text}) for k in range(90)
    )
    given = Results("summarization", "s", Signature({}), {"rougeL": Score(0.5, Stats())}, rows)
    source = html.render(Inputs((given,)), title="t", limit=400_000)
    assert len(source.encode()) <= 400_000
    assert "of 90 recordings are on this page" in Page(source).text


def test_sound_beside_the_page_is_linked_by_its_address_and_the_policy_allows_it(tmp_path: Path) -> None:
    (tmp_path / "sound & more").mkdir()
    (tmp_path / "sound & more" / "a.wav").write_bytes(b"RIFF")
    sound = audio.linked([str(tmp_path / "sound & more")], ["a"], tmp_path / "out")
    source = html.render(Inputs((made({"a": 1}),)), title="t", sound=sound)
    assert 'data-src="../sound%20%26%20more/a.wav"' in source
    assert "media-src 'self' data: blob:;" in source
    with pytest.raises(InputError, match="none of a recording"):
        audio.linked([str(tmp_path)], ["b"], tmp_path)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"out": Path("x.doc")}, "--out: found 'x.doc', expected a file that ends in .html"),
        ({"limit": "much"}, "--limit: found 'much', expected a size"),
        ({"audio": ["nowhere"]}, "--audio: found no file or folder 'nowhere'"),
    ],
)
def test_what_the_report_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, object], said: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.json").write_text(made({"a": 1}).to_json(), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(said)):
        report(Request(**{"files": ["r.json"], "out": Path("report.html"), **options}))  # type: ignore[arg-type]
    assert not (tmp_path / "report.html").exists()
