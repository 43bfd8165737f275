"""Options of a preset: a wrong type or range is one line, names the option and where it was given, before any stage."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from parakh import registry
from parakh.cascade.preset import load_preset
from parakh.errors import InputError, UnknownNameError
from parakh.languages.tags import check_language

WRONG = [
    ("diarizer.num_speakers=2.5", "2.5", "a whole number"),
    ("diarizer.num_speakers=abc", "'abc'", "a whole number"),
    ("diarizer.num_speakers=[2]", "[2]", "a whole number"),
    ("diarizer.num_speakers=true", "true", "a whole number"),
    ("diarizer.num_speakers=0", "0", "a whole number from 1 to 100"),
    ("diarizer.step=x", "'x'", "a number"),
    ("diarizer.step=nan", "nan", "a number"),
    ("diarizer.fill=-1", "-1", "seconds >= 0"),
    ("transcriber.beam=0", "0", "a whole number from 1 to 20"),
    ("transcriber.beam=1.5", "1.5", "a whole number"),
    ("transcriber.beam=100000", "100000", "a whole number from 1 to 20"),
    ("transcriber.threads=-1", "-1", "a whole number from 1 to 256"),
    ("transcriber.language=klingon", "'klingon'", "a language tag such as hi, kn or en-IN"),
    ("translator.beam=0", "0", "a whole number from 1 to 20"),
    ("topics.timeout=-1", "-1", "seconds in (0, 86400]"),
    ("topics.timeout=x", "'x'", "a number"),
    ("topics.base_url=5", "5", "text"),
    ("topics.base_url=http://[::1/v1", "'http://[::1/v1'", "an address as http://localhost:11434/v1"),
    ("topics.base_url=localhost:11434/v1", "'localhost:11434/v1'", "an address as http://localhost:11434/v1"),
    ("topics.base_url=http://host:99999/v1", "'http://host:99999/v1'", "an address as http://localhost:11434/v1"),
    ("topics.api_key_env=5", "5", "text"),
    ("topics.api_key_env=", "''", "the name of an environment variable"),
    ("topics.api_key_env=sk-4f9a", "something that is none", "the name of an environment variable"),
    ("topics.temperature=-5", "-5", "a number from 0 to 2"),
    ("topics.temperature=x", "'x'", "a number"),
    ("topics.max_tokens=0", "0", "a whole number from 1 to 1000000"),
    ("topics.seed=x", "'x'", "a whole number"),
    ("topics.retries=11", "11", "a whole number from 0 to 10"),
    ("topics.price_in=-1", "-1", "a price >= 0"),
    ("topics.llm=5", "5", "one of openai-compatible, transformers"),
    ("topics.asks=0", "0", "a whole number from 1 to 10"),
    ("topics.speakers=doctor", "'doctor'", "'all' or 'health_seeker'"),
    ("topics.reads=audio", "'audio'", "'transcript' or 'translation'"),
    ("topics.shots=nowhere", "'nowhere'", "a data set that is there"),
    ("topics.n_shots=0", "0", "a whole number from 1 to 100"),
    (
        "summary.prompt=summary-v0",
        "'summary-v0'",
        "one of correction-v1, summary-v2, topics-v2, transcription-v1, translation-v1, or the path of a text file",
    ),
    ('topics.model=""', "''", "the model's name as the server knows it"),
]


@pytest.mark.parametrize(("setting", "found", "expected"), WRONG)
def test_a_wrong_value_names_its_option_and_the_setting(setting: str, found: str, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        load_preset("local-llm", [setting])
    (fault,) = caught.value.faults
    assert (fault.path, fault.field, fault.found, fault.expected) == ("--set", setting.partition("=")[0], found, expected)


@pytest.mark.parametrize("value", ["x", "2.5", "1e400", "-1", "0", "9" * 5000])
def test_topics_of_the_concept_list_are_a_sensible_number(value: str) -> None:
    with pytest.raises(InputError, match=r"^--set: topics\.most: found .*, expected a whole number") as caught:
        load_preset("embedded", [f"topics.most={value}"])
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("kind", ["diarizer", "transcriber"])
@pytest.mark.parametrize("path", ["5", "nothing-there"])
def test_a_path_is_text_and_is_there(kind: str, path: str, tmp_path: Path) -> None:
    preset = tmp_path / "own.toml"
    preset.write_text('[diarizer]\nname = "segmentation-clustering"\n')
    with pytest.raises(InputError, match=r"found .*, expected .*\."):
        load_preset(str(preset), [f"{kind}.name=external", f"{kind}.path={path}"])


def test_the_file_is_named_where_the_file_is_wrong(tmp_path: Path) -> None:
    preset = tmp_path / "own.toml"
    preset.write_text('[diarizer]\nname = "segmentation-clustering"\nstep = "x"\nthreads = 2\nfill = true\n')
    with pytest.raises(InputError) as caught:
        load_preset(str(preset), ["diarizer.threads=1.5", "diarizer.spead=1"])
    assert {(fault.path, fault.field) for fault in caught.value.faults} == {
        (str(preset), "diarizer.step"),
        (str(preset), "diarizer.fill"),
        ("--set", "diarizer.threads"),
        ("--set", "diarizer.spead"),
    }


@pytest.mark.parametrize("text", ["diarizer = 5", "title = 3\n[diarizer]\nname = 5", "x = " + "[" * 5000, "x = " + "9" * 5000])
def test_a_file_that_is_no_preset_is_refused(text: str, tmp_path: Path) -> None:
    preset = tmp_path / "own.toml"
    preset.write_text(text)
    with pytest.raises(InputError, match=r"found .*, expected"):
        load_preset(str(preset), ["diarizer.step=2"])


def test_an_unknown_stage_is_told_with_the_stages() -> None:
    with pytest.raises(InputError, match=r"--set: found no stage 'nope' in 'nope.x=1', expected one of the stages diarizer, "):
        load_preset("embedded", ["nope.x=1"])
    with pytest.raises(InputError, match=r"Did you mean 'diarizer'\?"):
        load_preset("embedded", ["diariser.step=1"])
    with pytest.raises(InputError, match=r"expected STAGE\.OPTION=VALUE"):
        load_preset("embedded", ["step=1"])


def test_right_values_are_taken() -> None:
    settings = [
        "diarizer.step=2",
        "diarizer.num_speakers=3",
        "transcriber.language=hi-IN",
        "topics.model='7'",
        "topics.timeout=5",
    ]
    diarizer, transcriber, _, topics, _ = (stage.backend for stage in load_preset("local-llm", settings).stages)
    assert (diarizer.step, diarizer.num_speakers, transcriber.language, topics.llm.model) == (2, 3, "hi-IN", "7")


@pytest.mark.parametrize(("tag", "primary"), [("hi", "hi"), ("HI", "hi"), ("hi-IN", "hi"), ("en_in", "en"), ("mai", "mai")])
def test_languages_of_the_command_line(tag: str, primary: str) -> None:
    assert check_language(tag) == primary


@pytest.mark.parametrize("tag", ["klingon", "", "h", "12", "hi-", "हि", "hi\nIN"])
def test_what_is_no_language_tag_is_refused(tag: str) -> None:
    with pytest.raises(InputError, match=r"^--language: found .*, expected a language tag such as hi"):
        check_language(tag)


def test_the_faults_of_every_stage_come_at_once() -> None:
    with pytest.raises(InputError) as error:
        load_preset("embedded", ["diarizer.num_speakers=2.5", "transcriber.beam=0", "topics.most='x'"])
    fields = [fault.field for fault in error.value.faults]
    assert fields == ["diarizer.num_speakers", "transcriber.beam", "topics.most"]


CHAT = """
[diarizer]
name = "segmentation-clustering"
[correction]
name = "llm"
llm = "transformers"
weights = "org/model"
max_change = 0.5
[topics]
name = "llm"
llm = "transformers"
weights = "org/model"
demographics = true
"""


def test_options_of_a_chat_model_stand_beside_those_of_the_stage(tmp_path: Path) -> None:
    preset = tmp_path / "own.toml"
    preset.write_text(CHAT)
    _, correction, topics = load_preset(str(preset)).stages
    assert (correction.backend.max_change, correction.backend.llm.weights, correction.endpoint) == (0.5, "org/model", None)
    assert (topics.backend.demographics, topics.backend.llm.device) == (True, "auto")


def test_the_faults_of_a_stage_and_its_chat_model_come_at_once(tmp_path: Path) -> None:
    preset = tmp_path / "own.toml"
    preset.write_text(CHAT)
    settings = ["correction.max_change=2", "correction.device=gpu", "correction.prompt=nope", "topics.dtype=int4"]
    with pytest.raises(InputError) as error:
        load_preset(str(preset), settings)
    fields = [fault.field for fault in error.value.faults]
    assert sorted(fields) == ["correction.device", "correction.max_change", "correction.prompt", "topics.dtype"]
    assert {fault.path for fault in error.value.faults} == {"--set"}


def test_an_option_of_another_chat_model_is_unknown(tmp_path: Path) -> None:
    preset = tmp_path / "own.toml"
    preset.write_text(CHAT)
    with pytest.raises(InputError, match=r"topics\.base_url: found an unknown option, expected one of llm, prompt.*weights"):
        load_preset(str(preset), ["topics.base_url=http://localhost:1/v1"])
    with pytest.raises(UnknownNameError, match="did you mean 'transformers'"):
        load_preset(str(preset), ["topics.llm=transformer"])


def test_no_stage_has_an_option_of_the_name_of_one_of_its_chat_model() -> None:
    inner = {field.name for name in registry.names("llm") for field in fields(registry.load("llm", name).Backend)}
    for kind in ("correction", "translator", "topics", "summary"):
        assert inner.isdisjoint(field.name for field in fields(registry.load(kind, "llm").Backend))


def test_the_contents_of_prompts_and_lists_are_in_the_digest(tmp_path: Path) -> None:
    preset, prompt, terms = (tmp_path / name for name in ("own.toml", "own.txt", "terms.txt"))
    preset.write_text(CHAT.replace("demographics = true", f'prompt = "{prompt}"\ntopics_list = "{terms}"'))
    prompt.write_text("{topics_list}\n\n{conversation}")
    terms.write_text("Fever\n")
    digests = {load_preset(str(preset)).digest}
    prompt.write_text("Which illness? {topics_list}\n\n{conversation}")
    digests.add(load_preset(str(preset)).digest)
    terms.write_text("Cough\n")
    digests.add(load_preset(str(preset)).digest)
    assert len(digests) == 3
