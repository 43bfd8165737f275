"""Fine-tuning without torch: configurations, windows to learn from, manifests, chunks, and what a missing environment is told."""

import itertools
import json
import math
import sys
import wave
from pathlib import Path

import numpy as np
import pytest

from parakh.audio.decode import SAMPLE_RATE
from parakh.audio.pcm import as_16_bit
from parakh.cli.finetune import Request, finetune
from parakh.errors import InputError, ModelError, UnavailableError, UnknownNameError
from parakh.finetuning.config import load_run
from parakh.finetuning.diarization.chunks import activity, cropped, cut, starts, turns_of
from parakh.finetuning.examples import CLIPPED, lay_out
from parakh.finetuning.recipe import Training
from parakh.finetuning.recipes import whisper
from parakh.finetuning.schedule import SCHEDULES, batch, rate
from parakh.finetuning.session import perform
from parakh.models.ctranslate2_file import read_specification
from parakh.types import Segment

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The bundled conversations with splits."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("audio", "rttm", "transcripts"):
        (folder / name).symlink_to(EXAMPLES / name)
    for name in ("topics.csv", "summaries.csv", "parakh.toml"):
        (folder / name).symlink_to(EXAMPLES / name)
    splits = {"hi_anc_01": "train", "hi_child_02": "train", "hi_elder_03": "dev"}
    rows = [json.loads(line) for line in (EXAMPLES / "recordings.jsonl").read_text("utf-8").splitlines()]
    lines = [json.dumps({**row, "split": splits[row["session_id"]]}) for row in rows if row["session_id"] in splits]
    (folder / "recordings.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def written(tmp_path: Path, data: Path, **values: object) -> str:
    base = {
        "recipe": "whisper",
        "weights": "org/name",
        "data": str(data),
        "train": "train",
        "dev": "dev",
        "out": str(tmp_path / "out"),
    }
    told = {key: value for key, value in {**base, **values}.items() if value is not None}
    path = tmp_path / "config.toml"
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in told.items()), "utf-8")
    return str(path)


def faults(tmp_path: Path, data: Path, track: str = "asr", settings: tuple[str, ...] = (), **values: object) -> list[str]:
    with pytest.raises(InputError) as caught:
        load_run(track, written(tmp_path, data, **values), settings)
    return [str(fault).removeprefix(str(tmp_path / "config.toml") + ": ") for fault in caught.value.faults]


def test_a_configuration_reads(tmp_path: Path, data: Path) -> None:
    run = load_run("asr", written(tmp_path, data, train=["train"], lora_rank=8), ["epochs=7", "language=ur"])
    assert (run.recipe.lora_rank, run.recipe.epochs, run.recipe.language) == (8, 7, "ur")
    assert [one.session_id for one in run.train.conversations] == ["hi_anc_01", "hi_child_02"]
    assert run.train.turns[0].words.startswith("नमस्ते")
    assert run.train.turns[0].language == "hi"
    assert run.data_licence == "CC-BY-4.0"
    assert run.settings["epochs"] == 7


def test_the_checksum_of_the_data_follows_what_is_in_it(tmp_path: Path, data: Path) -> None:
    first = load_run("asr", written(tmp_path, data)).data_sha256
    assert load_run("asr", written(tmp_path, data)).data_sha256 == first
    assert load_run("diarization", written(tmp_path, data, recipe="diarizen")).data_sha256 == first
    (data / "transcripts").unlink()
    (data / "transcripts").mkdir()
    for path in (EXAMPLES / "transcripts").iterdir():
        (data / "transcripts" / path.name).write_text(path.read_text("utf-8").replace("नमस्ते", "नमस्कार"), "utf-8")
    assert load_run("asr", written(tmp_path, data)).data_sha256 != first


def test_all_that_is_wrong_with_options_is_told_at_once(tmp_path: Path, data: Path) -> None:
    found = faults(tmp_path, data, lora_rnk=8, epochs="3", settings=("batch=true",))
    assert found[0].startswith("lora_rnk: found an unknown key, expected one of recipe, weights,")
    assert found[0].endswith("Did you mean 'lora_rank'?")
    assert "epochs: found '3', expected a whole number." in found
    assert "--set: batch: found true, expected a whole number." in found


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"out": None}, "out: found nothing, expected the folder to write to. Add it."),
        ({"train": []}, "train: found [], expected the name of a split, or a list of names."),
        ({"train": "trane"}, "train: found 'trane', expected one of the splits dev, train."),
        (
            {"dev": "train"},
            "dev: found 'train', expected another split than those to train on. A score on what was learnt says nothing.",
        ),
        (
            {"recipe": "diarizen"},
            "recipe: found 'diarizen', which is for diarization, expected a recipe for asr. Run: parakh finetune diarization.",
        ),
        ({"epochs": 0}, "epochs: found 0, expected a whole number >= 1."),
        ({"schedule": "up"}, "schedule: found 'up', expected one of one_cycle, linear, cosine, constant."),
        (
            {"spec_augment": True, "freeze_encoder": True},
            "spec_augment: found true, expected false where freeze_encoder is true.",
        ),
        ({"recipe": "indic-conformer"}, "python: found nothing, expected a value. This recipe needs it."),
    ],
)
def test_a_wrong_value_is_told(tmp_path: Path, data: Path, values: dict[str, object], said: str) -> None:
    assert [one.rstrip(".") for one in faults(tmp_path, data, **values)] == [said.rstrip(".")]


def test_files_that_are_not_there_are_told(tmp_path: Path, data: Path) -> None:
    text = (data / "recordings.jsonl").read_text("utf-8")
    (data / "recordings.jsonl").write_text(
        text.replace("hi_anc_01.flac", "gone.flac").replace("hi_child_02.txt", "gone.txt"), "utf-8"
    )
    found = faults(tmp_path, data)
    assert [one.split(": ", 1)[1].split(":")[0] for one in found] == ["hi_anc_01.audio", "hi_child_02.files.transcript"]
    with pytest.raises(UnknownNameError, match="did you mean 'whisper'"):
        load_run("asr", written(tmp_path, data, recipe="wisper"))
    with pytest.raises(InputError, match="expected one of asr, diarization"):
        finetune(Request("topics", "x.toml", [], False, False, None))


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, data: Path) -> None:
    run = load_run("asr", written(tmp_path, data))
    run.out.mkdir()
    (run.out / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="a folder with other files, expected a new or empty folder"):
        perform(run, lambda step: None, resume=False)
    assert [path.name for path in run.out.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_rates_rise_to_one_and_never_after(schedule: str) -> None:
    rates = [rate(schedule, step, 100, 0.1) for step in range(100)]
    assert all(0 < one <= 1 for one in rates)
    assert rates[9] == 1.0
    assert rates[:10] == sorted(rates[:10])
    assert rates[9:] == sorted(rates[9:], reverse=True)


def test_every_pass_has_every_example_once() -> None:
    for epoch in range(3):
        seen = [one for step in range(4) for one in batch(5, 4 * epoch + step, 14, 4)]
        assert sorted(seen) == list(range(14))
    assert batch(5, 0, 14, 4) != batch(5, 4, 14, 4)


def talk(*turns: tuple[float, float, str], language: str = "hi") -> list[Segment]:
    return [
        Segment("v", f"spk{number % 2}", start, end, words, language=language) for number, (start, end, words) in enumerate(turns)
    ]


def test_every_word_is_in_one_window_and_no_turn_is_torn() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        begun = np.cumsum(rng.uniform(0.2, 4.0, 60))
        turns = talk(*((float(at), float(at + rng.uniform(0.3, 6.0)), f"w{number}") for number, at in enumerate(begun)))
        laid = lay_out(turns, 400.0, 20.0, lambda text: len(text.split()), 30)
        said = [word for one in laid.examples for word in one.text.split()]
        assert len(said) == len(set(said))
        assert len(said) + laid.turns_left_out == len(turns)
        ends = [(one.window.stretches[0].start, one.window.stretches[-1].end) for one in laid.examples]
        assert all(before[1] <= after[0] + 1 for before, after in itertools.pairwise(ends))
        for one in laid.examples:
            assert one.window.length <= 20 * SAMPLE_RATE
            assert len(one.text.split()) <= 30
            for turn in (turns[int(word[1:])] for word in one.text.split()):
                inside = sum(
                    max(
                        0.0,
                        min(piece.end / SAMPLE_RATE, turn.end_time or 0) - max(piece.start / SAMPLE_RATE, turn.start_time or 0),
                    )
                    for piece in one.window.stretches
                )
                assert inside >= turn.duration - CLIPPED - 1e-3


def test_what_nobody_understood_is_left_out_and_tags_are_taken_out() -> None:
    turns = talk((0, 2, "<laugh> हाँ"), (3, 5, "दो <unintelligible>"), (6, 7, "<noise>"), (8, 9, "नहीं"))
    laid = lay_out(turns, 10.0, 29.0, len, 100)
    assert [one.text for one in laid.examples] == ["हाँ नहीं"]
    assert (laid.turns_left_out, laid.seconds_left_out) == (1, 2)
    assert lay_out(talk((0, 40, "लंबा")), 40.0, 29.0, len, 100).turns_left_out == 1


def test_a_window_has_one_language() -> None:
    laid = lay_out([*talk((0, 2, "हाँ")), *talk((3, 5, "ಹೌದು"), language="kn")], 10.0, 29.0, len, 100)
    assert [(one.text, one.language) for one in laid.examples] == [("हाँ", "hi"), ("ಹೌದು", "kn")]


def test_chunks_know_who_is_active_in_them() -> None:
    turns = [Segment("v", "a", 0.0, 4.0), Segment("v", "b", 3.0, 9.0)]
    assert starts(20 * 16, 8 * 16, 6 * 16) == [0, 96, 192]
    active = activity(turns, 2.0, 399, 4)
    assert active[:50, 0].all()
    assert not active[110:, 0].any()
    assert active[60:340, 1].all()
    back = turns_of(active, "v@2")
    assert [round(one.duration, 1) for one in back] == [2.0, 6.0]
    assert [(one.start_time, one.end_time) for one in cropped(turns, "c", 2 * 16000, 8 * 16000)] == [(0.0, 2.0), (1.0, 7.0)]
    crowd = [Segment("v", f"s{number}", 0.0, float(number + 1)) for number in range(6)]
    assert activity(crowd, 0.0, 10, 4).sum(1).max() == 4
    assert math.isclose(
        float(np.abs(cut(as_16_bit(np.array([0.5, -1.0, 1.0], np.float32)), 0, 5) - [0.5, -1, 1, 0, 0]).max()), 2**-15
    )


def test_a_missing_environment_of_nemo_is_told_with_the_commands(tmp_path: Path, data: Path) -> None:
    weights = tmp_path / "hi.nemo"
    weights.write_bytes(b"x")
    for python, reason in ((str(tmp_path / "none"), "No such file"), (sys.executable, "No module named 'nemo'")):
        run = load_run("asr", written(tmp_path, data, recipe="indic-conformer", weights=str(weights), python=python))
        with pytest.raises(
            UnavailableError, match=rf"found no NeMo for .* \(.*{reason}.*\n?.*Run: git clone -b nemo-v2 .*reinstall\.sh"
        ):
            perform(run, lambda step: None, resume=False)
        assert not run.out.exists()
    absent = load_run("asr", written(tmp_path, data, recipe="indic-conformer", weights="gone.nemo", python=sys.executable))
    with pytest.raises(ModelError, match=r"weights gone\.nemo: found no such file, expected a \.nemo file\. Get one"):
        absent.recipe.ready(absent)


def test_nemo_gets_windows_manifests_and_a_command(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("av")
    from parakh.finetuning.nemo.manifests import heard, write_split

    weights = tmp_path / "hi.nemo"
    weights.write_bytes(b"x")
    path = written(tmp_path, data, recipe="indic-conformer", weights=str(weights), python="env/bin/python")
    before = sorted(tmp_path.rglob("*"))
    assert finetune(Request("asr", path, [], False, True, None)) == 0
    assert "env/bin/python" in capsys.readouterr().out
    assert sorted(tmp_path.rglob("*")) == before
    run = load_run("asr", path)
    clips = write_split(run.train.conversations, 15.0, tmp_path / "nemo", "train", learn=True)
    rows = [json.loads(line) for line in (tmp_path / "nemo" / "train.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == sum(map(len, clips))
    assert {row["lang"] for row in rows} == {"hi"}
    said = " ".join(turn.words for turn in run.train.turns).split()
    assert sum(len(row["text"].split()) for row in rows) == len(said)
    for row in rows:
        with wave.open(row["audio_filepath"]) as file:
            assert file.getnframes() == round(row["duration"] * SAMPLE_RATE) <= 15 * SAMPLE_RATE
    dev = write_split(run.dev.conversations, 15.0, tmp_path / "nemo", "dev", learn=False)
    lines = [json.dumps({"audio_filepath": str(clip.path), "text": clip.text}) for one in dev for clip in one]
    (tmp_path / "told.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    turns = heard(run.dev.conversations, dev, tmp_path / "told.jsonl")
    assert [(one.start_time, one.end_time) for one in turns] == [(one.start_time, one.end_time) for one in run.dev.turns]
    assert sorted(" ".join(one.words for one in turns).split()) == sorted(" ".join(one.words for one in run.dev.turns).split())
    (tmp_path / "told.jsonl").write_text(lines[0] + "\n", "utf-8")
    with pytest.raises(InputError, match="expected a text of every window"):
        heard(run.dev.conversations, dev, tmp_path / "told.jsonl")


def test_a_damaged_file_of_ctranslate2_is_told(tmp_path: Path) -> None:
    for content in (b"", b"\x06\0\0\0\x05\0Whis", b"\x63\0\0\0" + bytes(50)):
        (tmp_path / "model.bin").write_bytes(content)
        with pytest.raises(ModelError, match="found no model that can be read"):
            read_specification(tmp_path / "model.bin")


def test_options_have_defaults_that_are_allowed() -> None:
    assert Training() == Training(epochs=3)
    assert whisper.Recipe().lora_rank == 0
