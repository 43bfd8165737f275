"""Tiny chat models with random weights, made as the real ones are laid out."""

from pathlib import Path
from typing import Any

TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
NO_SYSTEM = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}" + TEMPLATE
TEXTS = ["Fever, Knee pain, Cough", "बुखार है, घुटनों में दर्द", "The health seeker reports fever.", "<SUMMARY> </SUMMARY>"]


def tokenizer(template: str | None = TEMPLATE) -> Any:
    """A byte-level tokenizer with the signs of a chat."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    special = ["<s>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    raw.train_from_iterator(TEXTS, trainers.BpeTrainer(vocab_size=400, special_tokens=special, initial_alphabet=alphabet))
    made = PreTrainedTokenizerFast(tokenizer_object=raw, bos_token="<s>", eos_token="<|end|>", pad_token="<|end|>")
    made.chat_template = template
    return made


def llama(folder: Path, template: str | None = TEMPLATE, context: int = 4096) -> Path:
    """A Llama of two layers."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    words = tokenizer(template)
    config = LlamaConfig(
        vocab_size=len(words), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=context, bos_token_id=words.bos_token_id, eos_token_id=words.eos_token_id,
        pad_token_id=words.pad_token_id,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def gemma3(folder: Path, template: str = NO_SYSTEM) -> Path:
    """A Gemma 3 that sees pictures too, as MedGemma does."""
    import torch
    from transformers import Gemma3Config, Gemma3ForConditionalGeneration, Gemma3TextConfig, SiglipVisionConfig

    torch.manual_seed(0)
    words = tokenizer(template)
    text = Gemma3TextConfig(
        vocab_size=len(words) + 8, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, head_dim=8, max_position_embeddings=4096, sliding_window=64, bos_token_id=words.bos_token_id,
        eos_token_id=words.eos_token_id, pad_token_id=words.pad_token_id,
    )  # fmt: skip
    sight = SiglipVisionConfig(hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, image_size=28)
    first = len(words)
    config = Gemma3Config(
        text_config=text, vision_config=sight, mm_tokens_per_image=4, boi_token_index=first, eoi_token_index=first + 1, image_token_index=first + 2,
        eos_token_id=words.eos_token_id,
    )  # fmt: skip
    Gemma3ForConditionalGeneration(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def learn(folder: Path, asked: list[dict[str, str]], answer: str) -> None:
    """Train a model until it gives one answer to one question."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    words = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder)
    prompt = words(words.apply_chat_template(asked, tokenize=False, add_generation_prompt=True), add_special_tokens=False)
    reply = words(f"{answer}<|end|>", add_special_tokens=False)["input_ids"]
    ids = torch.tensor([prompt["input_ids"] + reply])
    labels = ids.clone()
    labels[0, : len(prompt["input_ids"])] = -100
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    for _ in range(400):
        loss = model(input_ids=ids, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() < 0.02:
            break
    model.save_pretrained(folder)
