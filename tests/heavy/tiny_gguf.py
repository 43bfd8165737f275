"""Tiny llamas in llama.cpp's own format: one whose weights say one answer and end, one whose weights are random."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}"
    "<|assistant|>"
)
SPECIAL = ["<unk>", "<s>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
UNKNOWN, CONTROL, BYTE, NORMAL = 2, 3, 6, 1
WIDTH, HEADS, INNER = 512, 8, 32


def write(path: Path, answer: str | None) -> Path:
    """A model file; it gives the answer, whose words all differ, to whatever it is asked. None: random weights.

    The hidden state is the last token alone (attention and the inner layer are zero), and the output leads from each token to
    the next one of the answer.
    """
    import gguf

    pieces = [piece.replace(" ", "▁") for piece in re.findall(r"\S+\s*", answer or "")]
    assert len(set(pieces)) == len(pieces)
    tokens = [*SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256)), "▁", *pieces]
    kinds = [UNKNOWN, *[CONTROL] * (len(SPECIAL) - 1), *[BYTE] * 256, *[NORMAL] * (1 + len(pieces))]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(8192)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([-1e3] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    chain = [SPECIAL.index("<|assistant|>"), *range(len(tokens) - len(pieces), len(tokens)), SPECIAL.index("<|end|>")]
    for name, tensor in _tensors(len(tokens), chain if answer is not None else None).items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _tensors(count: int, chain: list[int] | None) -> dict[str, NDArray[np.float32]]:
    random = np.random.default_rng(0)
    one = np.ones(WIDTH, np.float32)
    square, wide, tall = (WIDTH, WIDTH), (INNER, WIDTH), (WIDTH, INNER)
    inner = {
        **{f"attn_{part}": square for part in ("q", "k", "v", "output")},
        "ffn_gate": wide, "ffn_up": wide, "ffn_down": tall,
    }  # fmt: skip

    def weights(shape: tuple[int, int]) -> NDArray[np.float32]:
        return np.zeros(shape, np.float32) if chain else random.normal(0, 0.3, shape).astype(np.float32)

    output = weights((count, WIDTH))
    for now, then in zip(chain or [], (chain or [])[1:], strict=False):
        output[then, now] = 1.0
    embedding = np.eye(count, WIDTH, dtype=np.float32) if chain else weights((count, WIDTH))
    return {
        "token_embd.weight": embedding,
        "output.weight": output,
        "output_norm.weight": one,
        "blk.0.attn_norm.weight": one,
        "blk.0.ffn_norm.weight": one,
        **{f"blk.0.{name}.weight": weights(shape) for name, shape in inner.items()},
    }
