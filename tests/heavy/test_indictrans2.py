"""IndicTrans2's network against transformers' models of the same layers, and a tiny one that has learnt four sentences."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
sentencepiece = pytest.importorskip("sentencepiece")
safetensors_torch = pytest.importorskip("safetensors.torch")

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade import noticing
from parakh.cascade.indictrans2.network import PAD, Network, positions
from parakh.cascade.indictrans2.text import english, prepared
from parakh.cascade.translators.indictrans2 import Backend
from parakh.errors import ModelError, UnavailableError
from parakh.types import Segment

torch.set_num_threads(1)  # several cost more than they save on models of this size

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
TAGS = ["hin_Deva", "kan_Knda", "eng_Latn"]
LEARNT = [
    ("hin_Deva", "मुझे बुखार है।", "I have fever ."),
    ("hin_Deva", "दवा कब ली?", "When did you take it ?"),
    ("hin_Deva", "बीपी 120/80 है।", "BP is < ID1 > ."),
    ("kan_Knda", "ಜ್ವರ ಇದೆ.", "There is fever , I don 't know ."),
]
SIZES: dict[str, Any] = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "max_position_embeddings": 64,
    "dropout": 0.0,
    "attention_dropout": 0.0,
    "activation_dropout": 0.0,
    "pad_token_id": PAD,
    "bos_token_id": 0,
    "eos_token_id": 2,
    "decoder_start_token_id": 2,
    "scale_embedding": True,
}


def published(activation: str = "gelu", layernorm_embedding: bool = False) -> dict[str, Any]:
    """The keys of the published config.json that are read."""
    sizes = {key: value for key, value in SIZES.items() if "layers" in key or "heads" in key}
    return sizes | {
        "activation_function": activation,
        "encoder_normalize_before": True,
        "decoder_normalize_before": True,
        "layernorm_embedding": layernorm_embedding,
        "share_decoder_input_output_embed": False,
        "scale_embedding": True,
        "max_source_positions": 24,
        "max_target_positions": 32,
    }


def named(model: Any) -> dict[str, Any]:
    """Tensors under the published names, which have two embeddings where these models share one."""
    tensors = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
    shared = tensors.pop("model.shared.weight")
    for side in ("encoder", "decoder"):
        tensors[f"model.{side}.embed_tokens.weight"] = shared.clone()
    return tensors


def sources() -> list[list[int]]:
    generator = np.random.default_rng(5)
    return [[*generator.integers(4, 50, size=size).tolist(), 2] for size in (3, 9, 6, 1)]


@pytest.mark.parametrize("beam", [1, 5])
@pytest.mark.parametrize("activation", ["gelu", "relu"])
def test_m2m100_says_the_same(beam: int, activation: str) -> None:
    torch.manual_seed(beam)
    model = transformers.M2M100ForConditionalGeneration(
        transformers.M2M100Config(vocab_size=50, activation_function=activation, init_std=0.3, **SIZES)
    ).eval()
    network = Network(torch, named(model), published(activation))
    found = network.translated(sources(), beam, 20)
    for source, tokens in zip(sources(), found, strict=True):
        wanted = model.generate(
            torch.tensor([source]), num_beams=beam, max_new_tokens=20, do_sample=False, early_stopping=False, length_penalty=1.0
        )
        assert tokens == [one for one in wanted[0].tolist()[1:] if one not in (1, 2)]


def test_mbart_says_the_same_with_a_normalised_embedding() -> None:
    torch.manual_seed(4)
    model = transformers.MBartForConditionalGeneration(
        transformers.MBartConfig(vocab_size=50, activation_function="gelu", init_std=0.3, forced_eos_token_id=None, **SIZES)
    ).eval()
    table = positions(torch, torch.arange(66), 32)
    with torch.no_grad():
        for side in (model.model.encoder, model.model.decoder):
            side.embed_positions.weight.copy_(table)
    network = Network(torch, named(model), published("gelu", layernorm_embedding=True))
    for source, tokens in zip(sources(), network.translated(sources(), 5, 20), strict=True):
        wanted = model.generate(torch.tensor([source]), num_beams=5, max_new_tokens=20, do_sample=False)
        assert tokens == [one for one in wanted[0].tolist()[1:] if one not in (1, 2)]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint with the published files and names, of 32 dimensions, that has learnt ``LEARNT``."""
    folder = tmp_path_factory.mktemp("indictrans2")
    read = [prepared(text, tag)[0] for tag, text, _ in LEARNT]
    proto = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*read, *(text for _, _, text in LEARNT)] * 3),
        model_writer=proto,
        vocab_size=90,
        hard_vocab_limit=False,
        model_type="bpe",
        minloglevel=2,
    )
    (folder / "model.SRC").write_bytes(proto.getvalue())
    pieces = sentencepiece.SentencePieceProcessor(model_proto=proto.getvalue())
    known = [pieces.id_to_piece(i) for i in range(pieces.get_piece_size())]
    names = [*SPECIAL, *TAGS, *(piece for piece in known if piece not in SPECIAL)]
    ids = {name: i for i, name in enumerate(names)}
    pairs = []
    for (tag, _, said), text in zip(LEARNT, read, strict=True):
        given = [ids[tag], ids["eng_Latn"], *(ids[piece] for piece in pieces.encode(text, out_type=str)), 2]
        pairs.append((given, [*(ids[piece] for piece in pieces.encode(said, out_type=str)), 2]))
    model = learnt(len(names), pairs)
    tensors = named(model)
    # The published model writes another vocabulary than it reads.
    written = [*SPECIAL, *sorted({names[i] for _, target in pairs for i in target} - set(SPECIAL))]
    rows = torch.tensor([ids[piece] for piece in written])
    for name in ("model.decoder.embed_tokens.weight", "lm_head.weight"):
        tensors[name] = tensors[name][rows].clone()
    safetensors_torch.save_file(tensors, folder / "model.safetensors")
    (folder / "dict.SRC.json").write_text(json.dumps(ids), "utf-8")
    (folder / "dict.TGT.json").write_text(json.dumps({piece: i for i, piece in enumerate(written)}), "utf-8")
    (folder / "config.json").write_text(json.dumps(published("relu")), "utf-8")
    return folder


def learnt(size: int, pairs: list[tuple[list[int], list[int]]]) -> Any:
    torch.manual_seed(0)
    model = transformers.M2M100ForConditionalGeneration(transformers.M2M100Config(vocab_size=size, **SIZES))
    pad = torch.nn.utils.rnn.pad_sequence
    given = pad([torch.tensor(one) for one, _ in pairs], True, PAD)
    wanted = pad([torch.tensor(one) for _, one in pairs], True, -100)
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    for _ in range(240):
        loss = model(input_ids=given, attention_mask=given.ne(PAD), labels=wanted).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.05
    return model.eval()


SOUND = Audio("v", np.zeros(SAMPLE_RATE, np.float32), language="hi")
TURNS = [
    Segment("v", "a", 0.0, 1.0, "दवा कब ली? बीपी 120/80 है।", language="hi"),
    Segment("v", "b", 1.0, 2.0, "ಜ್ವರ ಇದೆ.", language="kn"),
    Segment("v", "a", 2.0, 3.0, ""),
    Segment("v", "a", 3.0, 4.0, "Okay.", language="en"),
    Segment("v", "b", 4.0, 5.0, "मुझे बुखार है।", word_times=((4.0, 4.5),)),
]
ENGLISH = ["When did you take it? BP is 120/80.", "There is fever, I don't know.", "", "Okay.", "I have fever."]


@pytest.mark.parametrize(("batch", "beam"), [(1, 5), (16, 5), (16, 1), (2, 3)])
def test_each_turn_is_translated_in_its_language(checkpoint: Path, batch: int, beam: int) -> None:
    backend = Backend(weights=str(checkpoint), device="cpu", threads=1, batch=batch, beam=beam)
    backend.ready()
    with noticing.collected() as findings:
        found = backend.translate(SOUND, TURNS)
    assert [turn.words for turn in found] == ENGLISH
    assert [(turn.speaker, turn.start_time, turn.language, turn.word_times) for turn in found] == [
        (turn.speaker, turn.start_time, "en", ()) for turn in TURNS
    ]
    assert not findings


def test_half_precision(checkpoint: Path) -> None:
    found = Backend(weights=str(checkpoint), device="cpu", threads=1, compute_type="bfloat16").translate(SOUND, TURNS)
    assert [turn.words for turn in found] == ENGLISH


def test_long_turns_are_read_in_parts(checkpoint: Path) -> None:
    turn = replace(TURNS[4], words="मुझे बुखार है " * 20)
    (found,) = Backend(weights=str(checkpoint), device="cpu", threads=1).translate(SOUND, [turn])
    assert found.words.count("fever") >= 5


def test_a_lost_number_is_told(checkpoint: Path) -> None:
    turn = replace(TURNS[4], words="मुझे बुखार है 98765-43210।")
    with noticing.collected() as findings:
        (found,) = Backend(weights=str(checkpoint), device="cpu", threads=1).translate(SOUND, [turn])
    assert ("98765-43210" in found.words) != ("lost-number" in {finding.code for finding in findings})


def test_what_cannot_be_translated(checkpoint: Path) -> None:
    backend = Backend(weights=str(checkpoint), device="cpu", threads=1)
    with pytest.raises(UnavailableError, match="there is none"):
        backend.translate(SOUND, [TURNS[2]])
    with pytest.raises(UnavailableError, match="'fr', which it does not know"):
        backend.translate(SOUND, [replace(TURNS[0], language="fr")])


def test_damaged_and_missing_weights(checkpoint: Path, tmp_path: Path) -> None:
    for file in checkpoint.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"none")
    with pytest.raises(ModelError, match="cannot be loaded"):
        Backend(weights=str(tmp_path), device="cpu", threads=1).translate(SOUND, TURNS)
    (tmp_path / "dict.SRC.json").unlink()
    with pytest.raises(ModelError, match="expected"):
        Backend(weights=str(tmp_path)).ready()


def test_detokenized() -> None:
    assert english(["▁It", "▁'s", "▁(", "▁a", "▁)", "▁100", "▁%", "▁;", "▁ok", "▁?"]) == "It's (a) 100%; ok?"
