"""Figures as files: the same bytes each time, letters embedded, nothing of a label executed or lost."""

import re
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from parakh.errors import InputError, MissingPackageError
from parakh.report.chart import Chart, Heatmap, Histogram, Intervals, Mark, Scatter, StackedBars, Waterfall
from tests.figures import EVIL

pytest.importorskip("matplotlib", minversion="3.11")

from parakh.report import plot_fonts, plots

CHARTS: dict[str, Chart] = {
    "bars": StackedBars(
        "DER", "DER, %", parts=("missed", "false"), rows=(("one", (3.0, 2.0), Mark(5.0, (4.0, 6.0))), ("two", (), Mark(4.0)))
    ),
    "histogram": Histogram("Turns", "seconds", bins=(("< 1", 3.0, "30 %"), ("≥ 1", 7.0, "70 %"))),
    "heatmap": Heatmap("DER", "DER, %", rows=("Hindi",), columns=("one", "two"), cells=((Mark(10.0), Mark(None)),)),
    "scatter": Scatter("DER", "DER, %", across="overlap, %", series={"one": [("a", 1.0, 2.0)]}, lines={"one": (1.0, 1.0)}),
    "intervals": Intervals("DER", "DER, %", groups={"": [("one", (Mark(1.0, (0.5, 2.0)),)), ("two", (Mark(None),))]}),
    "waterfall": Waterfall("WER", "WER, %", panels={"one": (10.0, (("spelling", 4.0), ("costs", -1.0), ("rest", 7.0)))}),
}


@pytest.mark.parametrize("suffix", plots.SUFFIXES)
@pytest.mark.parametrize("name", CHARTS)
def test_the_same_chart_gives_the_same_bytes(name: str, suffix: str, tmp_path: Path) -> None:
    for copy in ("first", "second"):
        plots.write(CHARTS[name], tmp_path / f"{copy}{suffix}")
    first = (tmp_path / f"first{suffix}").read_bytes()
    assert first == (tmp_path / f"second{suffix}").read_bytes()
    assert b"CreationDate" not in first
    assert b"<dc:date>" not in first


@pytest.mark.parametrize(("width", "points"), [("single", 238.11), ("double", 493.23)])  # 84 mm, 174 mm in points of 1/72 inch
def test_a_figure_is_as_wide_as_a_column_and_embeds_truetype(width: str, points: float, tmp_path: Path) -> None:
    plots.write(CHARTS["bars"], tmp_path / "one.pdf", width=width)
    document = (tmp_path / "one.pdf").read_bytes()
    found = re.search(rb"/MediaBox \[ 0 0 ([0-9.]+) ", document)
    assert found
    assert float(found[1]) == pytest.approx(points, abs=0.01)
    assert b"/Subtype /Type3" not in document
    assert b"/FontFile2" in document


def test_labels_are_text_and_never_mathematics_or_markup(tmp_path: Path) -> None:
    bars = CHARTS["bars"]
    assert isinstance(bars, StackedBars)
    hostile = replace(bars, rows=((EVIL, (3.0, 2.0), Mark(5.0)), (r"$\frac{1}", (), Mark(4.0)), ("a--b\n]]>#-->", (), Mark(1.0))))
    plots.write(hostile, tmp_path / "one.svg")
    elements = list(ElementTree.parse(tmp_path / "one.svg").iter())
    assert not [name for one in elements for name in one.attrib if name.startswith("on")]
    assert not [one for one in elements if one.tag.rpartition("}")[2] in {"script", "b", "a", "image"}]


def test_each_script_gets_a_font_that_has_it() -> None:
    texts = ["हिन्दी", "ಕನ್ನಡ", "ᱥᱟᱱᱛᱟᱲᱤ", "ꯃꯤꯇꯩ"]
    try:
        found = plot_fonts.families(texts, "one.pdf")
    except InputError:
        pytest.skip("fonts of these scripts are not installed here")
    assert found[0] == plot_fonts.OWN
    assert len(set(found)) == 1 + len(texts)


def test_a_label_that_no_font_can_write_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    bars = CHARTS["bars"]
    assert isinstance(bars, StackedBars)
    unknown = replace(bars, rows=(("call 9876543210 \U000e0fff\U0001fbff", (), Mark(4.0)),))
    with pytest.raises(InputError, match="letters of an installed font") as told:
        plots.write(unknown, tmp_path / "one.pdf")
    assert "9876543210" not in str(told.value)
    assert not list(tmp_path.iterdir())


def test_a_long_label_is_cut_between_letters() -> None:
    assert plots._short("कार्यक्रम" * 5, 3) == "कार्य…"


@pytest.mark.parametrize(
    ("path", "width", "wrong"), [("one.doc", "single", r"'\.doc'"), ("one.pdf", "wide", "--width: found 'wide'")]
)
def test_what_cannot_be_written_is_said(path: str, width: str, wrong: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=wrong):
        plots.write(CHARTS["bars"], tmp_path / path, width=width)


def test_a_notebook_shows_a_chart() -> None:
    shown = CHARTS["bars"]._repr_svg_()
    assert shown is not None
    assert ElementTree.fromstring(shown.encode()).tag.endswith("svg")


def test_a_notebook_without_matplotlib_shows_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert CHARTS["bars"]._repr_svg_() is None


def test_without_matplotlib_its_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackageError, match=r"parakh\[report\]"):
        plots.write(CHARTS["bars"], tmp_path / "one.pdf")
