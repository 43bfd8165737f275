"""The parts of an IndicConformer folder, made by hand so that what they write can be told by hand.

The sound is a level: a tenth, two and three tenths of full scale are the tokens of a language, in order; quiet is the blank. A frame
of the encoder is 40 ms. The transducer's prediction network forbids the last token, and any token that was written twice.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper, numpy_helper

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade.recognisers.indic_conformer import IndicConformer, best_path
from parakh.cascade.transcribers.indic_conformer import Backend
from parakh.errors import ModelError, UnavailableError
from parakh.types import Segment

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

VOCABULARY = {"hi": ["▁द", "वा", "▁लो", "|"], "kn": ["▁ಜ್ವ", "ರ", "▁ಇದೆ", "|"]}
FLOAT, INT32, INT64 = TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64


class Levels(torch.nn.Module):  # type: ignore[misc, name-defined]
    """Three features a hundredth of a second: whether the level is one, two or three tenths."""

    def forward(self, input_signal: torch.Tensor, length: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        level = input_signal.unfold(1, 160, 160).abs().mean(-1)
        wanted = torch.tensor([0.1, 0.2, 0.3])
        found = ((level[:, None, :] - wanted[None, :, None]).abs() < 0.03).float()
        return found, length // 160


def value(name: str, kind: int, *shape: int | str) -> Any:
    return helper.make_tensor_value_info(name, kind, list(shape))


def save(path: Path, nodes: Sequence[Any], inputs: Sequence[Any], outputs: Sequence[Any], **constants: np.ndarray) -> None:
    tensors = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph(list(nodes), path.stem, list(inputs), list(outputs), tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("conformer")
    assets = home / "assets"
    assets.mkdir()
    torch.jit.script(Levels()).save(str(assets / "preprocessor.ts"))
    (assets / "vocab.json").write_text(json.dumps(VOCABULARY))
    masks = {"hi": [True] * 3 + [False] * 3 + [True], "kn": [False] * 3 + [True] * 4}
    (assets / "language_masks.json").write_text(json.dumps(masks))
    node, f32 = helper.make_node, np.float32
    save(
        assets / "encoder.onnx",
        [
            node("AveragePool", ["audio_signal"], ["outputs"], kernel_shape=[4], strides=[4]),
            node("Div", ["length", "four"], ["encoded_lengths"]),
        ],
        [value("audio_signal", FLOAT, "b", 3, "t"), value("length", INT64, "b")],
        [value("outputs", FLOAT, "b", 3, "u"), value("encoded_lengths", INT64, "b")],
        four=np.array([4], np.int64),
    )
    every = np.concatenate([np.eye(3), np.eye(3), np.zeros((3, 1))], axis=1) * 20  # both languages hear the same level
    save(
        assets / "ctc_decoder.onnx",
        [
            node("Transpose", ["encoder_output"], ["x"], perm=[0, 2, 1]),
            node("MatMul", ["x", "w"], ["y"]),
            node("Add", ["y", "bias"], ["z"]),
            node("LogSoftmax", ["z"], ["logprobs"], axis=-1),
        ],
        [value("encoder_output", FLOAT, "b", 3, "u")],
        [value("logprobs", FLOAT, "b", "u", 7)],
        w=every.astype(f32),
        bias=np.array([0, 0, 0, 0, 0, 0, 9], f32),
    )
    save(
        assets / "rnnt_decoder.onnx",
        [
            node("Gather", ["last", "targets"], ["one"]),  # (b, 1, 3)
            node("Transpose", ["one"], ["h"], perm=[1, 0, 2]),
            node("Add", ["c0", "h"], ["c"]),
            node("Mul", ["h", "ten"], ["h10"]),
            node("Mul", ["c", "four"], ["c4"]),
            node("Add", ["h10", "c4"], ["sum"]),
            node("Neg", ["sum"], ["forbidden"]),
            node("Transpose", ["forbidden"], ["outputs"], perm=[1, 2, 0]),
            node("Identity", ["target_length"], ["prednet_lengths"]),
            node("Add", ["h0", "h"], ["h1"]),
        ],
        [
            value("targets", INT32, "b", 1),
            value("target_length", INT32, "b"),
            value("h0", FLOAT, 1, "b", 3),
            value("c0", FLOAT, 1, "b", 3),
        ],
        [
            value("outputs", FLOAT, "b", 3, 1),
            value("prednet_lengths", INT32, "b"),
            value("h1", FLOAT, 1, "b", 3),
            value("c", FLOAT, 1, "b", 3),
        ],
        last=np.concatenate([np.eye(3), np.zeros((4, 3))]).astype(f32),
        ten=np.array(10, f32),
        four=np.array(4, f32),
    )
    save(
        assets / "joint_enc.onnx",
        [node("Mul", ["input", "ten"], ["output"])],
        [value("input", FLOAT, "b", "u", 3)],
        [value("output", FLOAT, "b", "u", 3)],
        ten=np.array(10, f32),
    )
    for name in ("joint_pred", "joint_pre_net"):
        save(
            assets / f"{name}.onnx",
            [node("Identity", ["input"], ["output"])],
            [value("input", FLOAT, "b", 1, 3)],
            [value("output", FLOAT, "b", 1, 3)],
        )
    for language in VOCABULARY:
        save(
            assets / f"joint_post_net_{language}.onnx",
            [node("MatMul", ["input", "w"], ["x"]), node("Add", ["x", "bias"], ["output"])],
            [value("input", FLOAT, "b", 1, 3)],
            [value("output", FLOAT, "b", 1, 4)],
            w=np.eye(3, 4).astype(f32),
            bias=np.array([0, 0, 0, 5], f32),
        )
    return home


def sound(*levels: float, step: float = 0.2) -> np.ndarray:
    return np.concatenate([np.full(round(step * SAMPLE_RATE), level, np.float32) for level in levels])


def backend(folder: Path, **changes: Any) -> Backend:
    return Backend(**{"weights": str(folder), "device": "cpu", "guards": False, "threads": 1, **changes})


QUIET = (0.0,) * 5


@pytest.mark.parametrize(("language", "said"), [("hi", "दवा लो"), ("kn", "ಜ್ವರ ಇದೆ")])
@pytest.mark.parametrize("decoder", ["ctc", "rnnt"])
def test_levels_are_the_words_of_the_language_at_their_time(folder: Path, decoder: str, language: str, said: str) -> None:
    audio = Audio("v", sound(*QUIET, 0.1, 0.2, 0.0, 0.3, *QUIET), language)
    (heard,) = backend(folder, decoder=decoder).transcribe(audio, [Segment("v", "a", 1.0, 1.8)])
    assert (heard.words, heard.language) == (said, language)
    # The window begins 0.2 s before the turn. CTC hears a token as long as it sounds, the transducer when it begins.
    ends = (1.4, 1.8) if decoder == "ctc" else (1.24, 1.64)
    assert heard.word_times[0] == pytest.approx((1.0, ends[0]), abs=0.041)
    assert heard.word_times[1] == pytest.approx((1.6, ends[1]), abs=0.041)


def test_the_decoders_differ_as_their_networks_do(folder: Path) -> None:
    """After a pause CTC writes a token again; the transducer remembers the last one, and how often each was written."""
    samples = sound(0.1, 0.0, 0.1, 0.3, 0.1, 0.3, 0.1, 0.3)
    tokens = {decoder: [] for decoder in ("ctc", "rnnt")}
    for decoder in tokens:
        (heard,) = IndicConformer(folder, decoder, "cpu", 1).recognise([samples], "hi")
        tokens[decoder] = [word.text for word in heard.words]
    assert tokens == {"ctc": ["द", "द", "लो", "द", "लो", "द", "लो"], "rnnt": ["द", "लो", "द", "लो"]}


@pytest.mark.parametrize("decoder", ["ctc", "rnnt"])
def test_a_batch_says_what_each_window_says_alone(folder: Path, decoder: str) -> None:
    model = IndicConformer(folder, decoder, "cpu", 1)
    windows = [sound(0.1, 0.2, 0.3), sound(0.3, 0.0, 0.1, 0.2, 0.0, 0.3, 0.1), sound(0.0), sound(0.2, 0.0, 0.2)]
    assert model.recognise(windows, "hi") == [model.recognise([one], "hi")[0] for one in windows]


def test_log_probabilities_are_those_of_the_language_alone(folder: Path) -> None:
    model = IndicConformer(folder, "ctc", "cpu", 1)
    encoded = np.zeros((1, 3, 2), np.float32)
    encoded[0, 1, 0] = 1.0
    (logs,) = model.log_probabilities(encoded, [2], "kn")
    weights = np.exp(np.array([[0.0, 20.0, 0.0, 9.0], [0.0, 0.0, 0.0, 9.0]]))
    assert np.exp(logs) == pytest.approx(weights / weights.sum(axis=1, keepdims=True), abs=1e-6)
    assert [one.token for one in best_path(logs, VOCABULARY["kn"])] == [1]


def test_a_search_of_ones_own_takes_the_place_of_the_best_path(folder: Path) -> None:
    seen = []

    def search(logs: Any, vocabulary: Sequence[str]) -> Any:
        seen.append((logs.shape, list(vocabulary)))
        return best_path(logs, vocabulary)[:1]

    (heard,) = IndicConformer(folder, "ctc", "cpu", 1, search).recognise([sound(0.1, 0.0, 0.3)], "hi")
    assert [word.text for word in heard.words] == ["द"]
    assert seen == [((15, 4), VOCABULARY["hi"])]


def test_long_turns_are_cut_and_two_voices_at_once_are_heard_once(folder: Path) -> None:
    levels = [0.1, 0.2, 0.0, 0.3, 0.0] * 40  # 40 s, of which each second says दवा लो
    turns = [Segment("v", "a", 0.0, 40.0), Segment("v", "b", 10.0, 11.0)]
    heard = backend(folder, decoder="ctc", batch=2).transcribe(Audio("v", sound(*levels), "hi"), turns)
    words = [word for turn in heard for word in turn.words.split()]
    assert len(words) == 80
    assert set(words) == {"दवा", "लो"}


def test_what_it_cannot_do_is_told_in_a_line(folder: Path, tmp_path: Path) -> None:
    audio = Audio("v", sound(0.1, 0.2, 0.3, step=0.5))
    turn = Segment("v", "a", 0.0, 1.5)
    with pytest.raises(UnavailableError, match=r"v is in a language that is not told\. Set language to one of hi, kn"):
        backend(folder).transcribe(audio, [turn])
    with pytest.raises(UnavailableError, match=r"v is in 'en', which it does not know"):
        backend(folder, language="en").transcribe(audio, [turn])
    with pytest.raises(UnavailableError, match=r"found no device 'cuda:3' here"):
        backend(folder, language="hi", device="cuda:3").transcribe(audio, [turn])
    with pytest.raises(ModelError, match=r"expected assets/preprocessor\.ts, .*assets/joint_pre_net\.onnx in it"):
        backend(tmp_path).ready()
    with pytest.raises(ModelError, match=r"licence MIT; 2500 MB.*hf download ai4bharat/indic-conformer-600m-multilingual"):
        Backend().ready()
    (tmp_path / "assets").mkdir()
    for part in (folder / "assets").iterdir():
        (tmp_path / "assets" / part.name).write_bytes(part.read_bytes() if part.name != "encoder.onnx" else b"junk")
    with pytest.raises(ModelError, match=r"encoder\.onnx: found what cannot be loaded"):
        backend(tmp_path, language="hi").transcribe(audio, [turn])
