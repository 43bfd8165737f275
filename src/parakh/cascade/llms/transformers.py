"""A chat model in this process through transformers: Llama, Gemma, MedGemma and others that come with a chat template.

Nothing is sent anywhere, and no weights are fetched: they are a folder, or lie in the model store or a hub's cache. A model
that also sees pictures (MedGemma) is asked with text alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from parakh.cascade import metering
from parakh.cascade.chat import replies
from parakh.cascade.devices import DEVICE, import_torch, is_device, torch_device
from parakh.cascade.options import require
from parakh.errors import ModelError, UnavailableError
from parakh.models import weights as stored
from parakh.packages import imported

MODELS: tuple[str, ...] = ()

DTYPES = ("auto", "float32", "bfloat16", "float16")
_WHO = "llm 'transformers'"
_FILES = ("config.json", "tokenizer_config.json", "*.safetensors")


@dataclass(frozen=True)
class Backend:
    """A chat model loaded once a process, whichever stages ask it.

    Args:
        weights: A folder, or org/name of a hub's repository ("google/medgemma-1.5-4b-it").
        device: "auto", "cpu", "cuda", "cuda:N" or "mps".
        dtype: "auto" (as the weights were saved), "float32", "bfloat16" or "float16".
        temperature: Sampling temperature, >= 0; 0 always takes the likeliest token.
        max_tokens: Longest reply, in tokens, reasoning included.
        seed: Of the sampling.
    """

    weights: str
    device: str = "auto"
    dtype: str = "auto"
    temperature: float = 0.0
    max_tokens: int = 1024
    seed: int = 0

    def __post_init__(self) -> None:
        rules = {
            "weights": (self.weights.strip() != "", "a folder, or org/name of a hub's repository"),
            "device": (is_device(self.device), DEVICE),
            "dtype": (self.dtype in DTYPES, ", ".join(DTYPES)),
            "temperature": (0 <= self.temperature <= 2, "a number from 0 to 2"),
            "max_tokens": (1 <= self.max_tokens <= 10**6, "a whole number from 1 to 1000000"),
            "seed": (0 <= self.seed < 2**63, "a whole number of 63 bits"),
        }
        require("llm", self, rules)

    def ready(self) -> None:
        """See that the packages and the weights are there; nothing is loaded.

        Raises:
            MissingPackageError: torch or transformers is not installed.
            ModelError: The weights are nowhere.
            UnavailableError: The device is not there.
        """
        _package()
        torch_device(self.device, _WHO)
        stored.find(self.weights, _FILES)

    def complete(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The reply to messages of ``{"role": "system"|"user"|"assistant", "content": text}``, without its reasoning.

        Raises:
            MissingPackageError: torch or transformers is not installed.
            ModelError: The weights are nowhere, or cannot be loaded.
            UnavailableError: The messages and the reply do not fit the model's context, or the reply is cut off or empty.
        """
        chat = _loaded(self.weights, self.device, self.dtype)
        ids = chat.tokens(messages)
        room = chat.context - len(ids)
        if room < self.max_tokens:
            raise UnavailableError(
                f"The conversation takes {len(ids)} tokens and the reply up to max_tokens = {self.max_tokens}; {self.weights} "
                f"reads {chat.context} in all. Use a model with a longer context, fewer examples, or a shorter conversation."
            )
        written = chat.generate(ids, self.max_tokens, self.temperature, self.seed)
        metering.add(requests=1, tokens_in=len(ids), tokens_out=len(written))
        if written[-1] not in chat.ends:
            raise UnavailableError(
                f"The reply of {self.weights} was cut off at max_tokens = {self.max_tokens}. Raise max_tokens."
            )
        return replies.answer(chat.text(written))


@dataclass(frozen=True)
class _Chat:
    """A model with its tokenizer."""

    model: Any
    tokenizer: Any
    context: int
    ends: frozenset[int]

    def tokens(self, messages: Sequence[Mapping[str, str]]) -> list[int]:
        """The messages as the model's chat template writes them."""
        from jinja2.exceptions import TemplateError

        plain = [dict(message) for message in messages]
        try:
            text = self.tokenizer.apply_chat_template(plain, tokenize=False, add_generation_prompt=True)
        except TemplateError:  # some templates know no system message
            merged = _without_system(plain)
            text = self.tokenizer.apply_chat_template(merged, tokenize=False, add_generation_prompt=True)
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])  # the template writes those itself

    def generate(self, ids: list[int], longest: int, temperature: float, seed: int) -> list[int]:
        """The tokens that the model writes after those given, the ending one included."""
        torch = import_torch(_WHO)
        from transformers import GenerationConfig

        device = self.model.device
        settings: dict[str, Any] = {"temperature": temperature} if temperature else {}
        config = GenerationConfig(
            max_new_tokens=longest,
            do_sample=temperature > 0,
            eos_token_id=sorted(self.ends),
            pad_token_id=min(self.ends),
            **settings,
        )
        given = torch.tensor([ids], device=device)
        with torch.inference_mode(), torch.random.fork_rng([device] if device.type == "cuda" else []):
            torch.manual_seed(seed)
            try:
                out = self.model.generate(input_ids=given, attention_mask=torch.ones_like(given), generation_config=config)
            except torch.cuda.OutOfMemoryError as error:
                what = f"{len(ids)} tokens and a reply of up to {longest} do not fit the memory of {device}"
                raise UnavailableError(f"{what}. Use a smaller model, dtype 'bfloat16', or another device.") from error
        return [int(token) for token in out[0, len(ids) :]]

    def text(self, ids: list[int]) -> str:
        """Tokens as text, without special ones."""
        return str(self.tokenizer.decode(ids, skip_special_tokens=True))


@cache
def _loaded(weights: str, device: str, dtype: str) -> _Chat:
    """A model loaded once for all stages that ask it."""
    folder = stored.find(weights, _FILES)
    transformers = _package()
    where = torch_device(device, _WHO)
    transformers.utils.logging.disable_progress_bar()  # a run has its own
    try:
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
        kind = transformers.AutoModelForImageTextToText if hasattr(config, "vision_config") else transformers.AutoModelForCausalLM
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = kind.from_pretrained(folder, local_files_only=True, dtype=dtype).to(where).eval()
    except Exception as error:  # of transformers, safetensors, tokenizers or torch: damaged files raise whatever
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        found = f"weights that cannot be loaded ({first})"
        raise ModelError(f"{folder}: found {found}, expected a chat model of transformers.") from error
    if tokenizer.chat_template is None:
        raise ModelError(f"{folder}: found no chat template, expected one. Use the instruction-tuned model, not the base.")
    context = getattr(config.get_text_config(), "max_position_embeddings", None) or tokenizer.model_max_length
    return _Chat(model, tokenizer, int(context), _ends(model, tokenizer))


def _ends(model: Any, tokenizer: Any) -> frozenset[int]:
    """Tokens that end a reply: the model's own list, and the tokenizer's."""
    own = model.generation_config.eos_token_id
    found = {*(own if isinstance(own, list) else [own]), tokenizer.eos_token_id} - {None}
    if not found:
        raise ModelError("found no token that ends a reply in generation_config.json or the tokenizer, expected one.")
    return frozenset(found)


def _without_system(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """The messages with the system's put before the first of the user's."""
    if not messages or messages[0]["role"] != "system":
        return messages
    system, first, *rest = messages
    return [{**first, "content": f"{system['content']}\n\n{first['content']}"}, *rest]


def _package() -> Any:
    import_torch(_WHO)
    return imported("transformers", "torch", _WHO)
