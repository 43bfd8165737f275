"""DiariZen: a small random model in the published layout through the backend; its networks against others of the same formula."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("scipy")

from parakh.audio.decode import Audio
from parakh.cascade.diarizers import diarizen
from parakh.cascade.networks import powerset
from parakh.cascade.torch_networks import conformer, eend, resnet, wavlm
from parakh.errors import ModelError
from tests.heavy import diarizen_weights
from tests.heavy.diarizen_weights import noise

torch.set_num_threads(1)  # small networks; more threads wait for each other


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    here = tmp_path_factory.mktemp("weights")
    diarizen_weights.segmentation(here / "segmentation")
    diarizen_weights.embedding(here / "embedding")
    return str(here / "segmentation"), str(here / "embedding")


@pytest.fixture(scope="module")
def backend(folders: tuple[str, str]) -> diarizen.Backend:
    made = diarizen.Backend(*folders, step=2.0, batch=2, device="cpu")
    made.ready()
    return made


def test_turns_are_sorted_within_the_recording_and_the_same_each_time(backend: diarizen.Backend) -> None:
    audio = Audio("v", noise(12.3))
    turns = backend.diarize(audio)
    times = [(turn.start_time or 0.0, turn.end_time or 0.0) for turn in turns]
    assert len(turns) > 5
    assert {turn.speaker for turn in turns} == {"spk0", "spk1"}
    assert turns[0].speaker == "spk0"
    assert times == sorted(times)
    assert all(0 <= start < end <= 12.3 for start, end in times)
    assert backend.diarize(audio) == turns


def test_batches_change_nothing(folders: tuple[str, str], backend: diarizen.Backend) -> None:
    audio = Audio("v", noise(12.3))
    assert diarizen.Backend(*folders, step=2.0, batch=5, device="cpu").diarize(audio) == backend.diarize(audio)


def test_number_of_speakers_is_obeyed(folders: tuple[str, str]) -> None:
    audio = Audio("v", noise(12.3))
    for count in (1, 3):
        options = diarizen.Backend(*folders, num_speakers=count, min_cluster_size=1, step=2.0, device="cpu")
        assert len({turn.speaker for turn in options.diarize(audio)}) == count
    nine = diarizen.Backend(*folders, num_speakers=9, min_cluster_size=1, step=2.0, device="cpu").diarize(audio)
    assert 2 <= len({turn.speaker for turn in nine}) <= 9


@pytest.mark.parametrize("samples", [0, 1, 100, 64000])
def test_silence_has_no_turns(backend: diarizen.Backend, samples: int) -> None:
    assert backend.diarize(Audio("v", np.zeros(samples, np.float32))) == []


@pytest.mark.parametrize("seconds", [0.01, 0.3, 3.0])
def test_less_than_a_chunk_is_enough(backend: diarizen.Backend, seconds: float) -> None:
    turns = backend.diarize(Audio("v", noise(seconds)))
    assert all((turn.end_time or 0.0) <= seconds for turn in turns)


def test_memory_does_not_grow_with_the_recording(backend: diarizen.Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks are cut when they are needed: ten minutes hold a batch of them, and a few kB a chunk."""
    sizes: list[int] = []
    monkeypatch.setattr(
        diarizen.Backend, "_segment", lambda _, batch: sizes.append(len(batch)) or np.ones((len(batch), 399, 4), bool)
    )
    monkeypatch.setattr(diarizen.Backend, "_embed", lambda _, batch, active: np.ones((len(batch), 4, 256), np.float32))
    samples = np.ones(600 * 16000, np.float32)
    tracemalloc.start()
    backend._hear(samples)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert max(sizes) == 2
    assert peak < 8e6  # the recording itself is 38 MB


def test_missing_and_wrong_weights_are_named(tmp_path: Path, folders: tuple[str, str]) -> None:
    with pytest.raises(ModelError, match=r"found no such folder, expected config.toml, pytorch_model.bin"):
        diarizen.Backend(str(tmp_path / "none"), device="cpu").ready()
    (tmp_path / "config.toml").write_text('[model]\npath = "diarizen.models.eend.model_pyannote.Model"\n', encoding="utf-8")
    (tmp_path / "pytorch_model.bin").write_bytes(b"nothing")
    with pytest.raises(ModelError, match=r"config.toml: found the model diarizen.models.eend.model_pyannote.Model"):
        diarizen.Backend(str(tmp_path), device="cpu").ready()
    text = Path(folders[0], "config.toml").read_text(encoding="utf-8").replace("ffn_hidden = 48", "ffn_hidden = 40")
    (tmp_path / "wavlm.bin").write_bytes(Path(folders[0], "wavlm.bin").read_bytes())
    (tmp_path / "config.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=r"found no weights that can be read"):
        diarizen.Backend(str(tmp_path), device="cpu").ready()
    (tmp_path / "pytorch_model.bin").write_bytes(Path(folders[0], "pytorch_model.bin").read_bytes())
    with pytest.raises(ModelError, match=r"w_1.weight of \(48, 24\) instead of \(40, 24\).* expected the tensors of Eend"):
        diarizen.Backend(str(tmp_path), device="cpu").ready()


def test_published_shapes_have_their_published_sizes() -> None:
    """Millions of parameters of WavLM whole and pruned by 80 %."""
    sizes = {
        "wavlm_base_s80_md": 18.8e6,
        "wavlm_base": 94.4e6,
        "wavlm_large": 315.5e6,
        "wavlm_large_s80_md": 63.3e6,
    }  # as published
    with torch.device("meta"):
        for name, size in sizes.items():
            network = wavlm.WavLM(wavlm.configs()[name])
            assert abs(sum(weight.numel() for weight in network.parameters()) / size - 1) < 0.02, name


@pytest.mark.parametrize("norm_first", [False, True])
def test_wavlm_is_that_of_transformers(norm_first: bool) -> None:
    """The same weights in WavLMModel of transformers 5, unpruned; names differ, numbers must not."""
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    convolutions = ((24, 10, 5), (24, 3, 2), (24, 3, 2), (24, 3, 2), (24, 3, 2), (24, 2, 2), (24, 2, 2))
    mode = "layer" if norm_first else "group"
    theirs = transformers.WavLMModel(
        transformers.WavLMConfig(
            hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=48, do_stable_layer_norm=norm_first,
            feat_extract_norm=mode, conv_dim=[24] * 7, conv_bias=False, num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4,
        )
    ).eval()  # fmt: skip
    ours = wavlm.WavLM(
        wavlm.WavLMConfig(
            f"{mode}_norm", convolutions, 32, 3, (4, 4, 4), (48, 48, 48), norm_first, False,
            encoder_pos_conv_kernel=16, encoder_pos_conv_groups=4,
        )
    ).eval()  # fmt: skip
    ours.load_state_dict(_renamed(theirs.state_dict()) | {"feature_extractor.dummy_weight": torch.ones(24)})
    waves = torch.randn(2, 8000) * 0.1
    with torch.inference_mode():
        expected = theirs(waves, output_hidden_states=True).hidden_states
        found = list(ours(waves))
    last = -1 if norm_first else None  # transformers norms its last layer's output
    for one, other in zip(found[:last], expected[:last], strict=True):
        assert torch.allclose(one, other, atol=2e-5)


def _renamed(state: dict[str, object]) -> dict[str, object]:
    """transformers' names of a WavLM's tensors as DiariZen has them."""
    pairs = [
        ("feature_projection", "encoder.feature_projection"), ("encoder.pos_conv_embed", "encoder.transformer.pos_conv_embed"),
        ("encoder.layer_norm", "encoder.transformer.layer_norm"), ("encoder.layers", "encoder.transformer.layers"),
    ]  # fmt: skip
    found = {}
    for name, value in state.items():
        old, new = next(((old, new) for old, new in pairs if name.startswith(old)), ("", ""))
        found[new + name.removeprefix(old)] = value
    return {name: value for name, value in found.items() if name != "masked_spec_embed"}


def test_conformer_layer_follows_its_formula() -> None:
    config = conformer.ConformerConfig(attention_in=12, ffn_hidden=20, num_head=3, num_layer=1, kernel_size=5)
    torch.manual_seed(0)
    layer = conformer.Conformer(config).eval().conformer_layer[0]
    x = torch.randn(2, 9, 12)
    with torch.inference_mode():
        found = layer(x).numpy()
    weights = {name: value.numpy().astype(np.float64) for name, value in layer.state_dict().items()}
    assert np.allclose(found, _conformer(x.numpy().astype(np.float64), weights, 3), atol=1e-5)


def _conformer(x: np.ndarray, w: dict[str, np.ndarray], heads: int) -> np.ndarray:
    def norm(x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        return x @ w[f"{name}.weight"].reshape(len(w[f"{name}.bias"]), -1).T + w[f"{name}.bias"]

    def sigmoid(x: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-x))

    def half(x: np.ndarray, name: str) -> np.ndarray:
        inner = linear(norm(x, f"{name}.ln_norm"), f"{name}.w_1")
        return x + 0.5 * linear(inner * sigmoid(inner), f"{name}.w_2")

    x = half(x, "ffn1")
    batch, frames, width = x.shape
    normed = norm(x, "mha.ln_norm")
    q, k, v = (linear(normed, f"mha.mha.linear{p}").reshape(batch, frames, heads, -1).transpose(0, 2, 1, 3) for p in "QKV")
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(width // heads)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    heard = (shares / shares.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3).reshape(batch, frames, width)
    x = x + linear(heard, "mha.mha.linearO")
    both = linear(norm(x, "conv.ln_norm"), "conv.pointwise_conv1")
    gated = both[..., :width] * sigmoid(both[..., width:])
    kernel = w["conv.depthwise_conv.weight"][:, 0]
    padded = np.pad(gated, ((0, 0), (kernel.shape[1] // 2,) * 2, (0, 0)))
    mixed = sum(padded[:, i : i + frames] * kernel[:, i] for i in range(kernel.shape[1])) + w["conv.depthwise_conv.bias"]
    scale = w["conv.bn_norm.weight"] / np.sqrt(w["conv.bn_norm.running_var"] + 1e-5)
    mixed = (mixed - w["conv.bn_norm.running_mean"]) * scale + w["conv.bn_norm.bias"]
    x = x + linear(mixed * sigmoid(mixed), "conv.pointwise_conv2")
    return norm(half(x, "ffn2"), "ln_norm")


def test_resnet_block_follows_its_formula() -> None:
    torch.manual_seed(0)
    block = resnet.Block(3, 4, 2).eval()
    x = torch.randn(1, 3, 6, 8)
    with torch.inference_mode():
        found = block(x).numpy()[0]
    w = {name: value.numpy().astype(np.float64) for name, value in block.state_dict().items()}

    def conv(x: np.ndarray, name: str, stride: int) -> np.ndarray:
        kernel = w[f"{name}.weight"]
        edge = kernel.shape[-1] // 2
        x = np.pad(x, ((0, 0), (edge, edge), (edge, edge)))
        places = np.lib.stride_tricks.sliding_window_view(x, kernel.shape[2:], axis=(1, 2))[:, ::stride, ::stride]
        return np.einsum("chwij,ocij->ohw", places, kernel)

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        scale = w[f"{name}.weight"] / np.sqrt(w[f"{name}.running_var"] + 1e-5)
        return (x - w[f"{name}.running_mean"][:, None, None]) * scale[:, None, None] + w[f"{name}.bias"][:, None, None]

    wave = x.numpy()[0].astype(np.float64)
    inner = np.maximum(norm(conv(wave, "conv1", 2), "bn1"), 0)
    expected = np.maximum(norm(conv(inner, "conv2", 1), "bn2") + norm(conv(wave, "shortcut.0", 2), "shortcut.1"), 0)
    assert np.allclose(found, expected, atol=1e-5)


def test_embedding_of_a_mask_is_that_of_its_frames_alone() -> None:
    """Weights of zero and one are statistics over the frames chosen, with the unbiased deviation."""
    x, mask = torch.randn(2, 5, 12), torch.zeros(2, 1, 12)
    mask[:, :, 3:9] = 1
    found = resnet._statistics(x, mask)[:, 0]
    chosen = x[:, :, 3:9]
    assert torch.allclose(found, torch.cat([chosen.mean(-1), chosen.std(-1)], dim=1), atol=1e-5)


def test_it_can_be_trained() -> None:
    """A few steps on one chunk bring the loss of its classes down, and every weight but the leftover moves."""
    torch.manual_seed(0)
    network = eend.Eend(diarizen_weights.CONFIG).train()
    waves = torch.from_numpy(noise(4.0).reshape(2, -1))
    frames = network.frames(waves.shape[1])
    active = np.zeros((2, frames, 4), bool)
    active[:, : frames // 2, 0] = True
    target = torch.from_numpy(powerset.classes_of(active, network.powerset))
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3)
    losses = []
    for _ in range(12):
        loss = torch.nn.functional.nll_loss(network(waves).flatten(0, 1), target.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.6 * losses[0]
    still = {name.removeprefix("wavlm_model.") for name, weight in network.named_parameters() if weight.grad is None}
    unused = (
        "encoder.transformer.layer_norm",
        "encoder.transformer.layers.1.final_layer_norm",
        "encoder.transformer.layers.2.layer_norm",
    )
    assert still == {"feature_extractor.dummy_weight"} | {f"{name}.{part}" for name in unused for part in ("weight", "bias")}
