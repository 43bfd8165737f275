"""Both engines of Whisper on one tiny model that has learnt three sounds, and on true weights."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("ctranslate2")
pytest.importorskip("faster_whisper")

from transformers.models.whisper.tokenization_whisper import LANGUAGES

from parakh import formats
from parakh.audio.decode import SAMPLE_RATE, Audio, load_audio
from parakh.cascade import hearing, noticing
from parakh.cascade.biasing import Fusion, HotWord
from parakh.cascade.recognisers import whisper_faster, whisper_torch
from parakh.cascade.recognisers.whisper import Candidate, Decoding
from parakh.cascade.transcribers.whisper import Backend
from parakh.errors import ModelError, UnavailableError
from parakh.models import store
from parakh.types import Segment

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

ROOT = Path(__file__).parents[2]
SPECIAL = ["<|endoftext|>", "<|startoftranscript|>", *(f"<|{code}|>" for code in list(LANGUAGES)[:99])]
SPECIAL += [
    "<|translate|>",
    "<|transcribe|>",
    "<|startoflm|>",
    "<|startofprev|>",
    "<|nospeech|>",
    "<|notimestamps|>",
    *(f"<|{i * 0.02:.2f}|>" for i in range(1501)),
]
CHUNK_S = 4
SAID = {440.0: "दवा लो", 880.0: "kab se", 1760.0: "ha " * 8}
"""What the tiny model has learnt to write for a tone of each pitch; the last one is a loop."""


def tone(pitch: float, seconds: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    return (0.3 * np.sin(2 * np.pi * pitch * np.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE)).astype(np.float32)


def tokenizer() -> Any:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    # CTranslate2 knows a model of many languages by its vocabulary: tokens stand where they do in Whisper, the last word is empty.
    words = [*letters, *(f"unused{i}" for i in range(51864 - len(letters) - len(SPECIAL))), ""]
    made = Tokenizer(models.BPE(vocab={word: i for i, word in enumerate(words)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    return made


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Whisper of 32 dimensions as transformers saves it, with Whisper's own special tokens."""
    folder = tmp_path_factory.mktemp("tiny")
    made = tokenizer()
    ids = {token: made.token_to_id(token) for token in SPECIAL}
    torch.manual_seed(3)
    config = transformers.WhisperConfig(
        vocab_size=made.get_vocab_size(),
        num_mel_bins=80,
        max_source_positions=50 * CHUNK_S,
        d_model=32,
        encoder_layers=1,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        pad_token_id=ids["<|endoftext|>"],
        bos_token_id=ids["<|endoftext|>"],
        eos_token_id=ids["<|endoftext|>"],
        decoder_start_token_id=ids["<|startoftranscript|>"],
        suppress_tokens=None,
        begin_suppress_tokens=[ids["<|endoftext|>"]],
    )
    model = transformers.WhisperForConditionalGeneration(config)
    model.generation_config = transformers.GenerationConfig(
        decoder_start_token_id=ids["<|startoftranscript|>"],
        eos_token_id=ids["<|endoftext|>"],
        pad_token_id=ids["<|endoftext|>"],
        max_length=448,
        is_multilingual=True,
        lang_to_id={token: ids[token] for token in ("<|en|>", "<|hi|>")},
        task_to_id={task: ids[f"<|{task}|>"] for task in ("transcribe", "translate")},
        no_timestamps_token_id=ids["<|notimestamps|>"],
        alignment_heads=[[1, 0], [1, 1]],
        begin_suppress_tokens=[ids["<|endoftext|>"]],
        suppress_tokens=[],
    )
    extractor = transformers.WhisperFeatureExtractor(feature_size=80, chunk_length=CHUNK_S)
    teach(model, extractor, made)
    model.save_pretrained(folder)
    extractor.save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|endoftext|>", additional_special_tokens=SPECIAL
    ).save_pretrained(folder)
    return folder


def teach(model: Any, extractor: Any, made: Any) -> None:
    """A minute of nothing but three windows; tokens that never occur keep the score 0."""
    start = [made.token_to_id(t) for t in ("<|startoftranscript|>", "<|hi|>", "<|transcribe|>", "<|notimestamps|>")]
    texts = [[*start, *made.encode(text).ids, made.token_to_id("<|endoftext|>")] for text in SAID.values()]
    size = max(map(len, texts))
    used = torch.tensor(sorted({token for text in texts for token in text}))
    labels = torch.tensor(
        [[*(int((used == token).nonzero()) for token in text[1:]), *[-100] * (size - len(text))] for text in texts]
    )
    given = torch.tensor([[*text[:-1], *[0] * (size - len(text))] for text in texts])
    quiet = np.zeros(int(0.2 * SAMPLE_RATE), np.float32)
    sounds = [np.concatenate([quiet, tone(pitch, 2.0), quiet]) for pitch in SAID]
    features = extractor(sounds, sampling_rate=SAMPLE_RATE, return_tensors="pt").input_features
    with torch.no_grad():
        model.proj_out.weight.zero_()
    optimiser = torch.optim.Adam(model.parameters(), 1e-2)
    for _ in range(300):
        hidden = model.model(input_features=features, decoder_input_ids=given).last_hidden_state
        logits = hidden @ model.proj_out.weight[used].T
        scores = torch.cat([logits, torch.zeros(*logits.shape[:2], 1)], dim=-1).transpose(1, 2)
        # All depends on the first token of the text, which the sound alone tells.
        loss = torch.nn.functional.cross_entropy(scores, labels) + torch.nn.functional.cross_entropy(scores[..., 3], labels[:, 3])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if loss < 0.01:
            break
    assert loss < 0.1


@pytest.fixture(scope="module")
def converted(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model as CTranslate2 takes it."""
    from ctranslate2.converters import TransformersConverter

    folder = tmp_path_factory.mktemp("converted") / "model"
    TransformersConverter(str(checkpoint), copy_files=["tokenizer.json", "preprocessor_config.json"]).convert(
        str(folder), quantization="float32"
    )
    return folder


@pytest.fixture(params=["faster-whisper", "transformers"])
def backend(request: pytest.FixtureRequest, checkpoint: Path, converted: Path) -> Callable[..., Backend]:
    folder = {"faster-whisper": converted, "transformers": checkpoint}[request.param]
    settings = {"engine": request.param, "weights": str(folder), "device": "cpu", "compute_type": "float32", "threads": 1}
    return lambda **changes: Backend(**{**settings, "guards": False, **changes})


def conversation(*pitches: float) -> tuple[Audio, list[Segment]]:
    """Tones of 2 s with 1.5 s of quiet in between: each turn is a window of its own."""
    quiet = np.zeros(int(1.5 * SAMPLE_RATE), np.float32)
    samples = np.concatenate([part for pitch in pitches for part in (quiet, tone(pitch, 2.0))])
    turns = [Segment("v", "ab"[i % 2], 3.5 * i + 1.5, 3.5 * i + 3.5, role="x") for i in range(len(pitches))]
    return Audio("v", samples, "hi"), turns


def test_each_turn_gets_its_words_with_times_inside_it(backend: Callable[..., Backend]) -> None:
    audio, turns = conversation(440.0, 880.0, 440.0)
    heard = backend().transcribe(audio, turns)
    assert [turn.words for turn in heard] == ["दवा लो", "kab se", "दवा लो"]
    assert [replace(turn, words="", language=None, word_times=()) for turn in heard] == turns
    for turn in heard:
        times = [time for word in turn.word_times for time in word]
        assert len(times) == 2 * len(turn.words.split())
        assert times == sorted(times)
        assert turn.start_time - 0.21 <= times[0]
        assert times[-1] <= turn.end_time + 0.21


def test_a_batch_says_what_each_window_says_alone(backend: Callable[..., Backend]) -> None:
    audio, turns = conversation(440.0, 880.0, 880.0, 440.0, 880.0)
    alone, together = (backend(batch=batch).transcribe(audio, turns) for batch in (1, 4))
    assert together == alone


def test_both_engines_say_the_same_at_the_same_time(checkpoint: Path, converted: Path) -> None:
    windows = [tone(880.0, 2.0), tone(440.0, 2.4)]
    torch_one = whisper_torch.loaded(checkpoint, "cpu", "float32", 1)
    fast_one = whisper_faster.loaded(converted, "cpu", "float32", 1)
    assert torch_one.longest == fast_one.longest == CHUNK_S - 1
    for decoding in (Decoding(beam=1), Decoding(beam=3)):
        ours, theirs = (engine.recognise(windows, "hi", decoding) for engine in (torch_one, fast_one))
        for one, other in zip(ours, theirs, strict=True):
            assert [word.text for word in one.words] == [word.text for word in other.words]
            assert [word.start for word in one.words] == pytest.approx([word.start for word in other.words], abs=0.041)
            assert one.no_speech == pytest.approx(other.no_speech, abs=1e-4)
            assert one.score == pytest.approx(other.score, abs=1e-3)
    ours, theirs = (engine.languages(windows) for engine in (torch_one, fast_one))
    assert ours["hi"] == pytest.approx(theirs["hi"], abs=1e-4)
    assert torch_one.knows("hi")
    assert not torch_one.knows("xx")
    assert (fast_one.knows("hi"), fast_one.knows("xx")) == (True, False)


def test_a_loop_is_heard_again_then_cut_and_told(backend: Callable[..., Backend], monkeypatch: pytest.MonkeyPatch) -> None:
    audio, turns = conversation(440.0, 1760.0)
    assert backend().transcribe(audio, turns)[1].words.split().count("ha") >= 6
    monkeypatch.setattr(hearing, "speech_spans", lambda audio: ((0.0, audio.duration),))  # tones are no speech
    with noticing.collected() as findings:
        heard = backend(guards=True).transcribe(audio, turns)
    assert heard[0].words == "दवा लो"
    assert heard[1].words.split().count("ha") < 6
    assert "heard again with stricter settings" in str(findings[0])
    assert str(findings[0]).startswith("note loop: at 0:04.8: ")


def test_what_is_written_where_nobody_speaks_is_dropped_and_told(backend: Callable[..., Backend]) -> None:
    if store.path(hearing.DETECTOR) is None:
        pytest.skip("silero-vad is not in the model store; run: parakh models get silero-vad")
    audio, turns = conversation(440.0)
    with noticing.collected() as findings:
        heard = backend(guards=True).transcribe(audio, turns)
    assert [turn.words for turn in heard] == [""]
    assert "'दवा लो' dropped, where the speech detector hears nobody" in str(findings[0])


def test_hypotheses_and_scores_of_tokens_can_be_chosen_from_outside(checkpoint: Path, converted: Path) -> None:
    seen: list[list[Candidate]] = []

    def last(candidates: Any) -> int:
        seen.append(list(candidates))
        return len(candidates) - 1

    class Forbid(transformers.LogitsProcessor):
        def __call__(self, ids: Any, scores: Any) -> Any:
            scores[:, :100] = -torch.inf
            return scores

    engine = whisper_torch.loaded(checkpoint, "cpu", "float32", 1)
    for one in (engine, whisper_faster.loaded(converted, "cpu", "float32", 1)):
        (heard,) = one.recognise([tone(440.0, 2.0)], "hi", Decoding(beam=3, candidates=3, choose=last))
        assert " ".join(word.text for word in heard.words) == seen[-1][-1].text
        assert seen[-1][0].text == "दवा लो"
        assert [one.score for one in seen[-1]] == sorted((one.score for one in seen[-1]), reverse=True)
    free, bound = (
        engine.recognise([tone(880.0, 2.0)], "hi", Decoding(beam=1, processors=processors))[0].words
        for processors in ((), (Forbid(),))
    )
    assert " ".join(word.text for word in free) == "kab se"
    assert not any(sign.isascii() and sign.isalnum() for word in bound for sign in word.text)


def test_hot_words_lead_every_token_of_the_engine_on_torch(checkpoint: Path, tmp_path: Path) -> None:
    """The tiny model has never written "दबा"; one letter of it differs from what it hears."""
    (tmp_path / "terms.txt").write_text("दबा\n", "utf-8")
    audio, turns = conversation(440.0)
    settings = {"engine": "transformers", "weights": str(checkpoint), "device": "cpu", "threads": 1, "guards": False, "beam": 2}
    led = Backend(**settings, hot_words=str(tmp_path / "terms.txt"), hot_word_boost=90.0)
    led.ready()
    plain = Backend(**settings).transcribe(audio, turns)
    assert "दबा" not in plain[0].words
    assert "दबा" in led.transcribe(audio, turns)[0].words
    assert replace(led, hot_word_boost=0.0).transcribe(audio, turns) == plain


def test_the_best_texts_are_judged_with_a_bias(converted: Path) -> None:
    seen: list[list[Candidate]] = []

    def look(candidates: Any) -> int:
        seen.append(list(candidates))
        return 0

    engine = whisper_faster.loaded(converted, "cpu", "float32", 1)
    sounds = [tone(440.0, 2.0)]
    engine.recognise(sounds, "hi", Decoding(beam=4, candidates=4, choose=look))
    best, *others = seen[0]
    other = next(one for one in others if set(one.text.split()) - set(best.text.split()))
    word = next(iter(set(other.text.split()) - set(best.text.split())))
    led = engine.led(Decoding(beam=4, prompt="पहले"), Fusion(hot_words=[HotWord(word)], boost=1000.0))
    assert led.prompt == f"पहले, {word}"
    (heard,) = engine.recognise(sounds, "hi", replace(led, prompt=""))
    assert word in [one.text for one in heard.words]


def test_a_prompt_leads_the_text_and_is_no_part_of_it(backend: Callable[..., Backend]) -> None:
    """The tiny model never saw one, so that any changes what it writes; one that is too long is cut."""
    audio, turns = conversation(440.0, 880.0)
    plain, led = ([turn.words for turn in backend(prompt=prompt).transcribe(audio, turns)] for prompt in ("", "zzz " * 99))
    assert led != plain
    assert not any("zzz zzz" in text for text in led)


def test_no_turns_need_no_words(backend: Callable[..., Backend]) -> None:
    audio, _ = conversation(440.0)
    assert backend(guards=True).transcribe(audio, []) == []
    assert backend().transcribe(replace(audio, language=None), []) == []


def test_what_the_weights_cannot_do_is_told_in_a_line(backend: Callable[..., Backend], tmp_path: Path) -> None:
    audio, turns = conversation(440.0)
    with pytest.raises(UnavailableError, match=r"the weights do not know 'xx', the language of v\. Set language"):
        backend(language="xx").transcribe(audio, turns)
    with pytest.raises(UnavailableError, match=r"no device 'cuda:7' here"):
        backend(device="cuda:7").transcribe(audio, turns)
    with pytest.raises(ModelError, match=r"found nothing on this machine.*hf download org/none --local-dir"):
        backend(weights="org/none").ready()
    whole = Path(backend().weights or "")
    damaged = tmp_path / "damaged"
    shutil.copytree(whole, damaged)
    for name in ("model.bin", "model.safetensors"):
        if (damaged / name).is_file():
            (damaged / name).write_bytes(b"\x06\x00\x00\x00junk" * 99)
    with pytest.raises(ModelError, match=r"found files that cannot be loaded .* Look whether the folder is a whole"):
        backend(weights=str(damaged)).transcribe(audio, turns)


@pytest.mark.skipif(store.path("whisper-base") is None, reason="run: parakh models get whisper-base")
def test_true_weights_write_what_is_said() -> None:
    sample = ROOT / "../shared/data/pyannote-audio/src/pyannote/audio/sample/sample.wav"
    if not sample.is_file():
        pytest.skip("the pyannote sample is not beside the project")
    english = Backend(weights=str(store.get("whisper-base")), threads=1, beam=1, guards=False)
    (heard,) = english.transcribe(load_audio(sample), [Segment("v", "a", 6.0, 12.0)])
    assert heard.language == "en"
    assert "didn't know you were there" in heard.words
    times = dict(zip(heard.words.split(), heard.word_times, strict=True))
    # sample.rttm: the turn with these words is from 8.32 to 10.02.
    assert 8.0 < times["didn't"][0] < times["there."][1] < 10.3


@pytest.mark.skipif(store.path("whisper-base") is None, reason="run: parakh models get whisper-base")
def test_true_weights_hear_hindi() -> None:
    """Whisper base writes Hindi in the letters of Urdu, with the sounds that are said: "raam raam ammaa", "raam raam betaa"."""
    turns = formats.load(ROOT / "examples/transcripts/hi_elder_03.txt", Segment).items[:6]
    backend = Backend(weights=str(store.get("whisper-base")), threads=1)
    heard = backend.transcribe(load_audio(ROOT / "examples/audio/hi_elder_03.flac", language="hi"), turns)
    assert [turn.words.split()[:2] for turn in heard[:2]] == [["رام", "رام"], ["رام", "رام"]]
