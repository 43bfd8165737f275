"""parakh report ... --figure as a person calls it: files, captions, refusals."""

import sys
from pathlib import Path

import pytest

from parakh import tracks
from parakh.cli.main import main
from parakh.evaluate import evaluate
from parakh.types import Recording, Segment

pytest.importorskip("matplotlib", minversion="3.11")

RECORDINGS = [Recording(f"v{k}", language="hi" if k % 2 else "kn") for k in range(8)]


def turns(end: float) -> list[Segment]:
    """Two speakers, the second of whom interrupts the first more and more."""
    first = [Segment(f"v{k}", "A", 0.0, end) for k in range(8)]
    return [*first, *(Segment(f"v{k}", "B", 5.0 - k / 10, 9.0) for k in range(8))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("scored")
    for name, end in {"good": 4.9, "bad": 3.0}.items():
        made = evaluate(
            tracks.get("diarization"), turns(5.0), turns(end), system=name, recordings=RECORDINGS, slice_by=("language",)
        )
        (here / f"{name}.json").write_text(made.to_json(), encoding="utf-8")
    return here


def call(monkeypatch: pytest.MonkeyPatch, folder: Path, *options: str) -> int | str:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["parakh", "report", "good.json", "bad.json", *options])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code or 0


@pytest.mark.parametrize("suffix", [".pdf", ".svg", ".png"])
def test_a_figure_is_written_and_said(
    suffix: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, folder, "--figure", "der-parts", "--out", f"one{suffix}", "--width", "double") == 0
    assert capsys.readouterr().out == f"one{suffix}\n"
    assert (folder / f"one{suffix}").stat().st_size > 1000


def test_every_figure_is_written_into_a_folder_with_what_belongs_into_its_caption(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, folder, "--figure", "all", "--out", "drawn") == 0
    names = ["der-parts", "heatmap", "overlap", "ranks", "slices"]
    assert sorted(file.name for file in (folder / "drawn").iterdir()) == [f"{name}.pdf" for name in names]
    told = capsys.readouterr().out.splitlines()
    assert [line for line in told if not line.startswith("  ")] == [f"drawn/{name}.pdf" for name in names]
    assert any(line.startswith("  good: r = ") for line in told)


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (("--out", "x.pdf"), "--figure: found nothing, expected a figure that these files hold: der-parts, heatmap, overlap"),
        (
            ("--out", "x.pdf", "--figure", "waterfall"),
            "--figure: found waterfall, expected a figure that these files hold: der-parts",
        ),
        (("--out", "x.pdf", "--figure", "rank"), "ranks"),
        (
            ("--out", "x.pdf", "--figure", "ranks", "--metric", "wer"),
            "--metric: found wer, expected one that these files hold: der, jer",
        ),
        (("--out", "x.pdf", "--figure", "ranks", "--width", "wide"), "--width: found 'wide', expected single or double"),
        (("--out", "x.pdf", "--figure", "all"), "--out: found x.pdf, expected a folder"),
        (("--out", "x.doc", "--figure", "ranks"), "--out: found 'x.doc', expected a file that ends in"),
    ],
)
def test_what_cannot_be_drawn_is_said(
    options: tuple[str, ...], wrong: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, folder, *options) == 2
    assert wrong in capsys.readouterr().err
    assert not (folder / "x.pdf").exists()


def test_figures_are_listed_and_explained(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["list", "figure"], ["explain", "heatmap"]):
        monkeypatch.setattr(sys, "argv", ["parakh", *words])
        with pytest.raises(SystemExit):
            main()
    told = capsys.readouterr().out
    assert "der-parts " in told
    assert "figure heatmap\n" in told
    assert "--slice language" in told
