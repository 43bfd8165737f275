"""The embedded transcriber and translator, and transcripts from elsewhere."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from parakh import registry
from parakh.audio.decode import SAMPLE_RATE, Audio, load_audio
from parakh.cascade import noticing
from parakh.cascade.transcribers import external, whisper_base
from parakh.cascade.translators import whisper_base as translator
from parakh.cascade.whisper import recognition
from parakh.cascade.whisper.engine import Engine
from parakh.cascade.whisper.recognition import decoded_as, hindi_speller
from parakh.errors import InputError, ModelError, UnavailableError
from parakh.models import store
from parakh.types import Segment

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/audio/hi_elder_03.flac"
ENGLISH = ROOT / "../shared/data/pyannote-audio/src/pyannote/audio/sample/sample.wav"
SILENCE = Audio("v", np.zeros(4 * SAMPLE_RATE, np.float32))
TURN = Segment("v", "a", 0.5, 3.5)

needs_model = pytest.mark.skipif(
    store.path("whisper-base") is None or store.path("wordfreq-hi") is None,
    reason="whisper-base or wordfreq-hi is not in the model store; run: parakh models get whisper-base wordfreq-hi",
)


def test_the_backends_are_registered() -> None:
    assert {"whisper-base", "external"} <= set(registry.names("transcriber"))
    assert "whisper-base" in registry.names("translator")
    assert set(whisper_base.MODELS) <= set(store.names())


@pytest.mark.parametrize("language", ["ta", "te", "ml", "bn", "gu", "mr", "pa", "or", "xx"])
def test_languages_without_usable_weights_are_refused_before_any_model_is_loaded(
    language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PARAKH_MODELS", str(tmp_path))
    audio = replace(SILENCE, language=language)
    with pytest.raises(UnavailableError, match=r"no usable weights.*'external'"):
        whisper_base.Backend().transcribe(audio, [TURN])
    with pytest.raises(UnavailableError, match=r"cannot translate it.*'llm'"):
        translator.Backend().translate(audio, [TURN])
    assert not list(tmp_path.iterdir())


def test_the_backends_option_overrules_the_recordings_language() -> None:
    with pytest.raises(UnavailableError, match="Tamil"):
        whisper_base.Backend(language="ta").transcribe(replace(SILENCE, language="hi"), [TURN])


def test_usable_languages() -> None:
    assert (decoded_as("hi", "v"), decoded_as("en", "v")) == ("ur", "en")


def _write(path: Path, *segments: dict[str, object]) -> Path:
    path.write_text(json.dumps([{"session_id": "v", "speaker": "a", **segment} for segment in segments]), encoding="utf-8")
    return path


def test_external_words_go_to_the_turn_of_their_time(tmp_path: Path) -> None:
    file = _write(tmp_path / "t.json", {"start_time": 0, "end_time": 4, "words": "एक दो तीन चार"})
    turns = [Segment("v", "x", 0.0, 2.1), Segment("v", "y", 2.1, 4.0)]
    heard = external.Backend(str(file)).transcribe(replace(SILENCE, language="hi"), turns)
    assert [(s.speaker, s.words, s.language) for s in heard] == [("x", "एक दो", "hi"), ("y", "तीन चार", "hi")]


def test_external_segments_that_agree_with_the_turns_keep_their_words(tmp_path: Path) -> None:
    file = _write(
        tmp_path / "t.json",
        {"start_time": 1.0, "end_time": 3.0, "words": "ಹೌದು", "speaker": "b"},
        {"start_time": 0.0, "end_time": 2.0, "words": "ನಮಸ್ಕಾರ ಅಕ್ಕ"},
    )
    turns = [Segment("v", "a", 0.0, 2.0), Segment("v", "b", 1.0, 3.0)]
    assert [s.words for s in external.Backend(str(file)).transcribe(SILENCE, turns)] == ["ನಮಸ್ಕಾರ ಅಕ್ಕ", "ಹೌದು"]


def test_external_words_of_ctm_keep_their_times(tmp_path: Path) -> None:
    file = tmp_path / "v.ctm"
    file.write_text("v 1 0.25 0.50 एक\nv 1 1.00 0.75 दो\nv 1 3.00 0.50 तीन\n", encoding="utf-8")
    turns = [Segment("v", "x", 0.0, 2.0), Segment("v", "y", 2.0, 4.0), Segment("v", "z", 8.0, 9.0)]
    heard = external.Backend(str(file)).transcribe(SILENCE, turns)
    assert [s.words for s in heard] == ["एक दो", "तीन", ""]
    assert [s.word_times for s in heard] == [((0.25, 0.75), (1.0, 1.75)), ((3.0, 3.5),), ()]


def test_external_words_that_share_a_time_have_none_of_their_own(tmp_path: Path) -> None:
    file = _write(
        tmp_path / "t.json", {"start_time": 0, "end_time": 2, "words": "एक दो"}, {"start_time": 2, "end_time": 4, "words": "जी"}
    )
    (heard,) = external.Backend(str(file)).transcribe(SILENCE, [Segment("v", "a", 0.0, 4.0)])
    assert (heard.words, heard.word_times) == ("एक दो जी", ())


def test_external_without_the_recording_is_unavailable(tmp_path: Path) -> None:
    file = _write(tmp_path / "t.json", {"session_id": "other", "start_time": 0, "end_time": 4, "words": "एक"})
    with pytest.raises(UnavailableError, match="no timed words of v"):
        external.Backend(str(file)).transcribe(SILENCE, [TURN])


def test_external_with_a_missing_file_names_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.json"):
        external.Backend(str(tmp_path / "nothing.json"))
    with pytest.raises(InputError, match="found nothing, expected files ending in"):
        external.Backend(str(tmp_path))


def test_external_reads_its_files_once(tmp_path: Path) -> None:
    file = _write(tmp_path / "t.json", {"start_time": 0, "end_time": 4, "words": "एक"})
    backend = external.Backend(str(file))
    file.unlink()
    assert [s.words for s in backend.transcribe(SILENCE, [TURN])] == ["एक"]


@pytest.mark.parametrize("tag", ["ta", "TA", "ta-IN", "ta_in"])
def test_a_language_is_known_by_its_primary_subtag(tag: str) -> None:
    for backend, audio in (
        (whisper_base.Backend(), replace(SILENCE, language=tag)),
        (whisper_base.Backend(language=tag), SILENCE),
    ):
        with pytest.raises(UnavailableError, match="Tamil"):
            backend.transcribe(audio, [TURN])


@needs_model
@pytest.mark.parametrize(("model", "file"), [("whisper-base", "model.bin"), ("whisper-base", "tokenizer.json")])
def test_damaged_weights_are_told_in_a_line(model: str, file: str, tmp_path: Path) -> None:
    home = store.get(model)
    folder = tmp_path / model
    folder.mkdir()
    for path in home.iterdir():
        (folder / path.name).symlink_to(path)
    (folder / file).unlink()
    (folder / file).write_bytes(bytes(range(256)) * 40)
    with pytest.raises(ModelError, match=rf"model {model}: found files that cannot be loaded .* Run: parakh models verify"):
        Engine(folder, 1)


def test_a_damaged_word_list_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "small_hi.msgpack.gz").write_bytes(b"\x1f\x8b junk")
    monkeypatch.setattr(store, "get", lambda name: tmp_path)
    hindi_speller.cache_clear()
    with pytest.raises(ModelError, match="model wordfreq-hi: found files that cannot be loaded"):
        hindi_speller()


@needs_model
def test_no_turns_and_silence_give_no_words() -> None:
    hindi = replace(SILENCE, language="hi")
    assert whisper_base.Backend().transcribe(hindi, []) == []
    assert whisper_base.Backend().transcribe(SILENCE, []) == []
    assert whisper_base.Backend().transcribe(hindi, [TURN]) == [replace(TURN, language="hi")]


@needs_model
def test_hindi_is_transcribed_and_translated() -> None:
    """A third of the words of a synthetic visit at the least; the benchmark measures about half."""
    from parakh import formats

    audio = load_audio(EXAMPLE)
    turns = formats.load(ROOT / "examples/transcripts/hi_elder_03.txt", Segment).items[:6]
    bare = [replace(turn, words="") for turn in turns]
    heard = whisper_base.Backend().transcribe(audio, bare)
    english = translator.Backend().translate(audio, bare)
    assert [replace(s, words="", word_times=(), language=None) for s in heard] == [replace(s, language=None) for s in bare]
    assert {s.language for s in heard} == {"hi"}
    assert {s.language for s in english} == {"en"}
    said = {word.strip(",।?") for turn in turns for word in turn.words.split()}
    found = {word.strip(",।?") for turn in heard for word in turn.words.split()}
    assert len(said & found) > len(said) / 3
    assert any(character.isascii() and character.isalpha() for turn in english for character in turn.words)
    assert whisper_base.Backend().transcribe(audio, bare) == heard


@needs_model
def test_every_word_has_a_time_within_its_turn_or_near() -> None:
    from parakh import formats

    turns = [replace(t, words="") for t in formats.load(ROOT / "examples/transcripts/hi_elder_03.txt", Segment).items[:6]]
    for turn in whisper_base.Backend(beam=1).transcribe(load_audio(EXAMPLE), turns):
        assert len(turn.word_times) == len(turn.words.split())
        assert list(turn.word_times) == sorted(turn.word_times)
        assert all(turn.start_time - 1 <= start <= end <= turn.end_time + 1 for start, end in turn.word_times)


@needs_model
def test_kannada_is_transcribed_with_its_adapter_and_not_translated() -> None:
    """Characters, as Kannada runs words together: the benchmark measures an error rate of about a quarter."""
    from parakh import evaluate, formats, tracks

    audio = replace(load_audio(ROOT / "examples/audio/kn_fever_04.flac"), language="kn")
    turns = formats.load(ROOT / "examples/transcripts/kn_fever_04.txt", Segment).items[:8]
    bare = [replace(turn, words="", language=None) for turn in turns]
    heard = whisper_base.Backend(beam=1).transcribe(audio, bare)
    assert {turn.language for turn in heard} == {"kn"}
    scores = evaluate.evaluate(tracks.get("asr"), turns, heard, metrics=["cer"], normalization="indic").metrics
    assert (scores["cer"].value or 1.0) < 0.5
    with pytest.raises(UnavailableError, match="Kannada"):
        translator.Backend().translate(audio, bare)
    with pytest.raises(UnavailableError, match="Kannada"):
        whisper_base.Backend(adapter="none").transcribe(audio, bare)


@needs_model
@pytest.mark.parametrize("name", ["adapter_model.safetensors", "adapter_config.json"])
def test_a_damaged_adapter_is_told_in_a_line(name: str, tmp_path: Path) -> None:
    for path in store.get("whisper-base-kn").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes()[:1000] if path.name == name else path.read_bytes())
    if name == "adapter_config.json":
        (tmp_path / name).write_text("{")
    with pytest.raises(ModelError, match=r"found files that cannot be loaded .*, expected a LoRA adapter"):
        whisper_base.Backend(beam=1, adapter=str(tmp_path)).transcribe(replace(SILENCE, language="kn"), [TURN])


def test_an_adapter_that_is_nowhere_is_told() -> None:
    with pytest.raises(ModelError, match="nothing/here: found no such folder"):
        whisper_base.Backend(adapter="./nothing/here").transcribe(replace(SILENCE, language="hi"), [TURN])
    with pytest.raises(InputError, match="adapter"):
        whisper_base.Backend(adapter="")


@needs_model
@pytest.mark.skipif(not ENGLISH.is_file(), reason="the pyannote sample is not beside the project")
def test_english_is_detected_and_written_as_english() -> None:
    audio = load_audio(ENGLISH)
    heard = whisper_base.Backend(beam=1).transcribe(audio, [Segment("v", "a", 6.0, 18.0)])
    assert heard[0].language == "en"
    assert len(heard[0].words.split()) > 10


@needs_model
def test_an_adapter_that_is_unsure_leaves_the_recording_to_the_base_model(monkeypatch: pytest.MonkeyPatch) -> None:
    audio = load_audio(EXAMPLE)
    turns = [Segment(audio.session_id, "a", 0.0, 6.0)]
    sure = whisper_base.Backend().transcribe(audio, turns)
    without = whisper_base.Backend(adapter="none").transcribe(audio, turns)
    assert sure[0].words != without[0].words
    own = recognition.adapter_of("hi", "auto")
    assert own is not None
    assert own.knows(own.least or 0.0)
    monkeypatch.setattr(
        recognition, "adapter_of", lambda language, adapter: None if adapter == "none" else replace(own, least=0.0)
    )
    with noticing.collected() as findings:
        assert whisper_base.Backend().transcribe(audio, turns) == without
    assert [finding.code for finding in findings] == ["adapter-unsure"]
