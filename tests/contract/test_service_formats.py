"""What closed systems return is read as it stands: the turns, the words of the service's own text, the recording, the errors."""

import contextlib
import json
import time
from pathlib import Path

import pytest

from parakh import formats
from parakh.errors import InputError
from parakh.types import Loaded, Segment

SAMPLES = Path(__file__).parents[1] / "samples" / "services"
FILES = sorted(SAMPLES.glob("*/*"))

# The conversation that every sample holds: written for this project, times in seconds.
ASKED = (0.42, 3.1, "नमस्ते दीदी, बच्चे को कब से fever है?")
TOLD = (3.35, 5.9, "दो दिन से, रात को 102 था।")
GIVEN = (6.2, 8.0, "Paracetamol दिया क्या?")
YES = (8.1, 8.9, "जी हाँ।")
ALL = [ASKED, TOLD, GIVEN, YES]
ONE = [(0.42, 8.9, " ".join(words for _, _, words in ALL))]
DANDA = [ASKED, (3.35, 5.9, "दो दिन से, रात को 102 था ।"), GIVEN, (8.1, 8.9, "जी हाँ ।")]
LED = [(start, end, f" {words}") for start, end, words in ALL]
KANNADA = [(0.5, 2.75, "ನಮಸ್ಕಾರ ಅಕ್ಕ, BP check ಮಾಡಿದ್ರಾ?"), (3.25, 5.5, "ಹೌದು, 140 by 90 ಇತ್ತು.")]
CLOCK = [(0.0, 3.0, ASKED[2]), (3.0, 5.0, TOLD[2]), (6.0, 8.0, GIVEN[2]), (8.0, 8.0, YES[2])]
STARTS = [(0.0, 3.0, ASKED[2]), (3.0, 6.0, TOLD[2]), (6.0, 8.0, GIVEN[2]), (8.0, 8.0, YES[2])]
SIDES = [ASKED, GIVEN, TOLD, YES]
NOBODY = [None] * 4

# Of each sample: the speakers in turn, the turns, the language, the channels.
EXPECTED: dict[str, tuple[list[str | None], list[tuple[float | None, float | None, str]], str | None, list[str | None]]] = {
    "sarvam-json/diarized.json": (["0", "1"] * 2, ALL, "hi", NOBODY),
    "sarvam-json/chunks.json": ([None] * 2, KANNADA, "kn", [None] * 2),
    "sarvam-json/text.json": ([None], [(None, None, "ನಮಸ್ಕಾರ ಅಕ್ಕ")], "kn", [None]),
    "deepgram-json/words.json": (["0", "1"] * 2, ALL, "hi", ["0"] * 4),
    "deepgram-json/utterances.json": (["0", "1"] * 2, ALL, "hi", ["0"] * 4),
    "deepgram-json/channels.json": (["0", "0", "1", "1"], SIDES, None, ["0", "0", "1", "1"]),
    "assemblyai-json/utterances.json": (["A", "B"] * 2, ALL, "hi", NOBODY),
    "assemblyai-json/words.json": ([None], ONE, "hi", [None]),
    "elevenlabs-json/words.json": (["speaker_0", "speaker_1"] * 2, ALL, "hi", NOBODY),
    "elevenlabs-json/channels.json": (
        ["0-speaker_0", "1-speaker_0"],
        [(0.5, 1.5, "ನಮಸ್ಕಾರ ಅಕ್ಕ."), (1.75, 2.25, "ಹೌದು.")],
        "kn",
        ["0", "1"],
    ),
    "azure-json/batch.json": (["1", "2"] * 2, ALL, "hi", ["0"] * 4),
    "azure-json/fast.json": (["1", "2"] * 2, ALL, "hi", NOBODY),
    "aws-transcribe-json/diarized.json": (["spk_0", "spk_1"] * 2, DANDA, "hi", NOBODY),
    "aws-transcribe-json/older.json": (["spk_0", "spk_1"] * 2, DANDA, None, NOBODY),
    "aws-transcribe-json/channels.json": (["ch_0", "ch_0", "ch_1", "ch_1"], SIDES, "hi", ["ch_0", "ch_0", "ch_1", "ch_1"]),
    "google-speech-json/v1.json": (["1", "2"] * 2, ALL, "hi", NOBODY),
    "google-speech-json/v2.json": (["1", "2"] * 2, ALL, "hi", NOBODY),
    "google-speech-json/v2-batch.json": (["1", "2"] * 2, ALL, "hi", NOBODY),
    "google-speech-json/operation.json": ([None] * 2, [(0.0, 1.1, "नमस्ते दीदी"), (1.1, 2.9, " जी हाँ")], "hi", [None] * 2),
    "openai-json/verbose.json": (NOBODY, LED, "hi", NOBODY),
    "openai-json/words.json": ([None], ONE, "hi", [None]),
    "openai-json/diarized.json": (["A", "B"] * 2, LED, None, NOBODY),
    "openai-json/text.json": ([None], [(None, None, "नमस्ते दीदी")], None, [None]),
    "whisper-json/whisper.json": (NOBODY, LED, "hi", NOBODY),
    "whisper-json/whisper-cpp.json": (NOBODY, LED, "hi", NOBODY),
    "whisper-json/transformers.json": (NOBODY, LED, None, NOBODY),
    "whisper-json/insanely-fast.json": (["SPEAKER_00", "SPEAKER_01"] * 2, LED, None, NOBODY),
    "whisper-json/whisperx.json": (["SPEAKER_00", "SPEAKER_01"], [GIVEN, YES], "hi", [None] * 2),
    "llm-answer/gemini.json": (["Speaker 1", "Speaker 2"] * 2, CLOCK, None, NOBODY),
    "llm-answer/chat.json": (["Speaker 1", "Speaker 2"] * 2, ALL, None, NOBODY),
    "llm-answer/responses.json": (["Speaker 1", "Speaker 2"], ALL[:2], None, [None] * 2),
    "llm-answer/list.json": (["Speaker 1", "Speaker 2"] * 2, CLOCK, None, NOBODY),
    "llm-answer/fence.txt": (["Speaker 1", "Speaker 2"] * 2, CLOCK, None, NOBODY),
    "llm-answer/lines.txt": (["Speaker 1", "Speaker 2"] * 2, CLOCK, None, NOBODY),
    "llm-answer/starts.txt": (["Speaker A", "Speaker B"] * 2, STARTS, None, NOBODY),
    "nemo/asr.json": (["asha", "mother"] * 2, ALL, "hi", NOBODY),
    "lhotse/supervisions.jsonl": (["asha", "mother"] * 2, ALL, "hi", ["0"] * 4),
    "lhotse/cuts.jsonl": (["asha"], [GIVEN], None, ["0"]),
}
NAMED = {"google-speech-json/v2-batch.json", "nemo/asr.json", "lhotse/supervisions.jsonl", "lhotse/cuts.jsonl"}
CODES = {
    "aws-transcribe-json/channels.json": ["speaker-from-channel"],
    "deepgram-json/channels.json": ["speaker-from-channel"],
    "azure-json/batch.json": ["not-recognised"],
    "elevenlabs-json/words.json": ["audio-events"],
    "google-speech-json/operation.json": ["times-from-neighbours"],
    "lhotse/supervisions.jsonl": ["left-out"],
    "llm-answer/fence.txt": ["outside-fence", "zero-duration"],
    "llm-answer/gemini.json": ["zero-duration"],
    "llm-answer/lines.txt": ["zero-duration"],
    "llm-answer/list.json": ["zero-duration"],
    "llm-answer/starts.txt": ["end-from-next", "zero-duration"],
    "whisper-json/whisperx.json": ["times-from-neighbours"],
}

each_sample = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")


def key(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def read(name: str, content: object, folder: Path, file: str = "visit07.json") -> Loaded[Segment]:
    (folder / file).write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False))
    return formats.get(name).read(folder / file)


def fault(name: str, content: object, folder: Path, file: str = "visit07.json") -> str:
    with pytest.raises(InputError) as caught:
        read(name, content, folder, file)
    return str(caught.value).replace(f"{folder / file}", "FILE")


def test_every_sample_has_its_expected_values() -> None:
    assert {key(path) for path in FILES} == set(EXPECTED)


@each_sample
def test_turns(path: Path) -> None:
    speakers, turns, language, channels = EXPECTED[key(path)]
    loaded = formats.get(path.parent.name).read(path)
    assert [(one.start_time, one.end_time, one.words) for one in loaded.items] == turns
    assert [one.speaker for one in loaded.items] == speakers
    assert {one.language for one in loaded.items} == {language}
    assert [one.channel for one in loaded.items] == channels
    assert {one.session_id for one in loaded.items} == {"visit07" if key(path) in NAMED else path.stem}
    assert [finding.code for finding in loaded.findings] == CODES.get(key(path), [])


@each_sample
def test_each_sample_is_of_one_format_alone(path: Path) -> None:
    head = path.read_bytes()[:65536].decode()
    for item in (None, Segment):
        assert formats.detect(path, item).name == path.parent.name
    fitting = [form.name for form in formats.all_formats().values() if not form.folder and form.sniff(head, path)]
    assert fitting == [path.parent.name]


WITH_TEXT = [
    path for path in FILES if path.parent.name not in ("nemo", "lhotse", "llm-answer", "azure-json", "google-speech-json")
]


@pytest.mark.parametrize("path", WITH_TEXT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_long_text_before_the_rest_does_not_hide_the_format(path: Path, tmp_path: Path) -> None:
    """Only the first 64 KiB are looked at, and many services put the whole text before the words."""
    values = json.loads(path.read_text())
    values |= {name: "लंबी बात " * 4000 for name in ("text", "transcript") if name in values}
    (tmp_path / path.name).write_text(json.dumps(values, ensure_ascii=False))
    # Of OpenAI's plain answer nothing is seen but the text, as of Whisper's; both are read the same.
    expected = "whisper-json" if path.name == "text.json" and path.parent.name == "openai-json" else path.parent.name
    assert formats.detect(tmp_path / path.name).name == expected
    assert len(formats.load(tmp_path / path.name, Segment).items) == len(EXPECTED[key(path)][1])


@each_sample
def test_a_response_cut_off_anywhere_is_refused_or_says_less(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    form = formats.get(path.parent.name)
    full = len(form.read(path).items)
    for cut in range(1, len(content), max(1, len(content) // 60)):
        (tmp_path / path.name).write_bytes(content[:cut])
        try:
            items = form.read(tmp_path / path.name).items
        except InputError:
            continue
        whole_lines = path.suffix in (".txt", ".jsonl") or path.parent.name == "nemo"
        assert whole_lines or content[cut:].strip() == b"", cut
        assert len(items) <= full


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "sarvam-json",
            {"error": {"message": "Rate limit exceeded", "code": "rate_limit_exceeded_error"}},
            "Rate limit exceeded",
        ),
        (
            "deepgram-json",
            {"err_code": "INVALID_AUTH", "err_msg": "Invalid credentials.", "request_id": "1"},
            "Invalid credentials.",
        ),
        ("assemblyai-json", {"error": "Transcript not found"}, "Transcript not found"),
        (
            "assemblyai-json",
            {"id": "1", "status": "error", "audio_url": "x", "text": None, "words": None, "error": "File has no audio."},
            "File has no audio.",
        ),
        (
            "elevenlabs-json",
            {"detail": {"status": "quota_exceeded", "message": "This request exceeds your quota."}},
            "exceeds your",
        ),
        ("elevenlabs-json", {"detail": [{"loc": ["body"], "msg": "Field required", "type": "missing"}]}, "Field required"),
        ("azure-json", {"code": "InvalidRequest", "message": "Invalid locale."}, "Invalid locale."),
        ("azure-json", {"error": {"code": "Unauthorized", "message": "Access denied."}}, "Access denied."),
        ("aws-transcribe-json", {"__type": "BadRequestException", "Message": "The URI is not valid."}, "The URI is not valid."),
        (
            "aws-transcribe-json",
            {"TranscriptionJob": {"TranscriptionJobStatus": "FAILED", "FailureReason": "Unsupported audio format"}},
            "Unsupported audio format",
        ),
        ("google-speech-json", {"error": {"code": 403, "message": "Permission denied.", "status": "X"}}, "Permission denied."),
        ("google-speech-json", {"results": {"gs://a/v.wav": {"error": {"code": 5, "message": "Not found."}}}}, "Not found."),
        ("openai-json", {"error": {"message": "Incorrect API key.", "type": "invalid_request_error"}}, "Incorrect API key."),
        ("whisper-json", {"error": "out of memory"}, "out of memory"),
        ("llm-answer", {"error": {"code": 429, "message": "Resource exhausted", "status": "X"}}, "Resource exhausted"),
    ],
)
def test_an_error_message_is_quoted(name: str, content: object, message: str, tmp_path: Path) -> None:
    told = fault(name, content, tmp_path)
    assert told.count("\n") == 0
    assert f"found the error message '{message}" in told or message in told
    assert "expected a transcript. Ask the service again." in told


def test_no_personal_number_is_shown(tmp_path: Path) -> None:
    told = fault("openai-json", {"error": {"message": "No account for 98765 43210"}}, tmp_path)
    told += fault("llm-answer", "[00:01 - 00:02] A: जी\nमेरा नंबर 9876543210 है\n", tmp_path, "v.txt")
    assert told.count("•") == 16  # eight of ten digits, twice
    assert "98765" not in told


def test_an_error_message_of_an_unknown_service_is_quoted_too(tmp_path: Path) -> None:
    (tmp_path / "visit07.json").write_text('{"error": {"message": "Quota exceeded"}}')
    with pytest.raises(InputError, match="found the error message 'Quota exceeded', expected a transcript"):
        formats.load(tmp_path / "visit07.json", Segment)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("sarvam-json", {"transcript": "a", "timestamps": {"words": ["a"], "start_time_seconds": []}}, "as many texts as start"),
        (
            "sarvam-json",
            {"diarized_transcript": {"entries": [{"transcript": "a", "start_time_seconds": 2, "end_time_seconds": 1}]}},
            "FILE:1: end: found 1.0, expected seconds >= start (2.0). Mend the times.",
        ),
        ("sarvam-json", {"diarized_transcript": {"entries": [{"transcript": 5}]}}, "FILE:1: transcript: found 5, expected text."),
        (
            "sarvam-json",
            {"id": 1},
            "found the keys 'id', expected a transcript under diarized_transcript or timestamps or transcript",
        ),
        ("deepgram-json", {"results": {"transcripts": []}}, "found the keys 'transcripts', expected a transcript under channels"),
        ("deepgram-json", {"results": []}, "results: found [], expected a JSON object."),
        ("assemblyai-json", {"status": "processing", "text": None}, "status: found 'processing', expected completed."),
        (
            "assemblyai-json",
            {"utterances": [{"text": "a", "start": -5, "end": 9}]},
            "FILE:1: start: found -5, expected seconds >= 0.",
        ),
        (
            "assemblyai-json",
            {"utterances": [{"text": "a", "start": "x", "end": 9}]},
            "FILE:1: start: found 'x', expected seconds",
        ),
        (
            "azure-json",
            {"phrases": [{"text": "a", "offset": "1 s", "duration": "PT1S"}]},
            "FILE:1: offset: found '1 s', expected a time",
        ),
        ("google-speech-json", {"results": [{"alternatives": [{"words": [{"word": "a", "endTime": "1m"}]}]}]}, "as in 1.200s"),
        ("google-speech-json", {"results": {"channels": []}}, "channels: found [], expected the result of one file, with"),
        (
            "aws-transcribe-json",
            {"results": {"channels": []}},
            "found the keys 'channels', expected a transcript under transcripts",
        ),
        (
            "whisper-json",
            {"segments": [{"start": 1, "text": "a"}]},
            "FILE:1: end: found no time, expected both a start and an end",
        ),
        ("whisper-json", {"segments": [1]}, "segments: found [1], expected a list of JSON objects."),
        ("whisper-json", '{"segments": [{"start": 0, "end"', "FILE:1: found JSON that is cut off, expected JSON. Mend the file."),
        ("whisper-json", [], "found [], expected a JSON object. Give the whole response of the service."),
        ("elevenlabs-json", {"words": [{"text": "a\ud800", "type": "word", "start": 0, "end": 1}]}, "halves of surrogate pairs"),
        (
            "openai-json",
            {"segments": [{"start": 0, "end": 1, "text": "a", "speaker": "A\u001b"}]},
            "name without control characters",
        ),
    ],
)
def test_what_is_wrong_is_told(name: str, content: object, message: str, tmp_path: Path) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    assert message in fault(name, text, tmp_path)


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    entries = [{"text": "a", "start": None, "end": 5}, {"text": 1, "start": 1, "end": 2}, {"text": "b", "start": 3, "end": 2}]
    told = fault("assemblyai-json", {"utterances": entries}, tmp_path).split("\n")
    assert [line.split(" found")[0] for line in told] == ["FILE:1: start:", "FILE:2: text:", "FILE:3: end:"]


@pytest.mark.parametrize("file", ["visit07.json", "visit07.wav.json", "visit07.mp3.json", "visit07.json.gz"])
def test_the_name_of_the_file_says_the_recording(file: str, tmp_path: Path) -> None:
    assert read("sarvam-json", {"transcript": "जी", "request_id": "r"}, tmp_path, file).items[0].session_id == "visit07"


def test_azure_names_the_recording_where_its_own_file_names_say_nothing(tmp_path: Path) -> None:
    batch = json.loads((SAMPLES / "azure-json" / "batch.json").read_text())
    for file in ("contenturl_0.json", "637d9333-6559-47a6-b8de-c7d732c1ddf3_0_0.json"):
        assert {one.session_id for one in read("azure-json", batch, tmp_path, file).items} == {"visit07"}
    assert {one.session_id for one in read("azure-json", batch, tmp_path, "other.json").items} == {"other"}


def test_google_counts_words_once_though_every_result_repeats_them(tmp_path: Path) -> None:
    def word(text: str, start: int, tag: int) -> dict[str, object]:
        return {"word": text, "startTime": f"{start}s", "endTime": f"{start + 1}s", "speakerTag": tag}

    words = [word("क्या", 0, 1), word("हुआ", 1, 1), word("बुखार", 2, 2)]
    results = [
        {"alternatives": [{"transcript": "क्या हुआ?", "words": words[:2]}]},
        {"alternatives": [{"transcript": " बुखार", "words": words}]},
    ]
    loaded = read("google-speech-json", {"results": results}, tmp_path)
    assert " ".join(one.words for one in loaded.items).split() == ["क्या", "हुआ", "बुखार"]


def test_google_objects_of_time_as_client_libraries_write_them(tmp_path: Path) -> None:
    word = {"word": "the", "start_time": {"nanos": 100000000}, "end_time": {"seconds": "1", "nanos": 500000000}, "speaker_tag": 1}
    loaded = read("google-speech-json", {"results": [{"alternatives": [{"transcript": "the", "words": [word]}]}]}, tmp_path)
    assert [(one.start_time, one.end_time, one.speaker) for one in loaded.items] == [(0.1, 1.5, "1")]


def test_words_whose_text_is_not_found_are_joined(tmp_path: Path) -> None:
    words = [
        {"word": "ek", "punctuated_word": "Ek", "start": 0, "end": 1, "speaker": 0},
        {"word": "do", "punctuated_word": "Do.", "start": 1, "end": 2, "speaker": 1},
    ]
    body = {"results": {"channels": [{"alternatives": [{"transcript": "1 2", "words": words}]}]}}
    assert [one.words for one in read("deepgram-json", body, tmp_path).items] == ["Ek", "Do."]


def test_silence_is_told_and_is_no_turn(tmp_path: Path) -> None:
    loaded = read("sarvam-json", {"request_id": "r", "transcript": "", "language_code": None}, tmp_path)
    assert loaded.items == ()
    assert [finding.code for finding in loaded.findings] == ["no-words"]


def test_a_turn_without_speaker_among_others_is_told(tmp_path: Path) -> None:
    utterances = [{"text": "a", "start": 0, "end": 9, "speaker": "A"}, {"text": "b", "start": 9, "end": 12, "speaker": None}]
    loaded = read("assemblyai-json", {"utterances": utterances}, tmp_path)
    assert [one.speaker for one in loaded.items] == ["A", None]
    assert [finding.code for finding in loaded.findings] == ["no-speaker"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("whisper-json", '{"text": "", "segments": [], "language": "hi"}'),
        ("whisper-json", '{"text": "", "segments": [], "language": null}'),
        ("google-speech-json", '{"results": [], "totalBilledTime": "15s", "requestId": "1"}'),
        ("google-speech-json", '{"totalBilledTime": "15s", "requestId": "7321"}'),
        ("google-speech-json", '{"metadata": {"totalBilledDuration": "15s", "requestId": "7321"}}'),
        ("google-speech-json", '{"results": []}'),
        ("deepgram-json", '{"results": {"channels": [{"alternatives": [{"transcript": "", "words": []}]}]}}'),
    ],
)
def test_a_recording_in_which_nothing_was_heard_is_told_and_read_as_nothing(name: str, content: str, tmp_path: Path) -> None:
    """One silent recording must not stop a folder of others from being read."""
    (tmp_path / "v.json").write_text(content)
    assert formats.detect(tmp_path / "v.json").name == name
    loaded = formats.load(tmp_path / "v.json", Segment)
    assert loaded.items == ()
    assert [finding.code for finding in loaded.findings] == ["no-words"]


def test_a_result_without_words_among_others_is_not_lost(tmp_path: Path) -> None:
    def result(text: str, end: float, *words: tuple[str, float, float]) -> dict[str, object]:
        own = [{"word": w, "startOffset": f"{s}s", "endOffset": f"{e}s", "speakerLabel": "1"} for w, s, e in words]
        return {"alternatives": [{"transcript": text, **({"words": own} if own else {})}], "resultEndOffset": f"{end}s"}

    results = [result("जी।", 1.0, ("जी", 0.5, 1.0)), result("दवा नहीं ली", 3.0), result("हाँ।", 4.0, ("हाँ", 3.5, 4.0))]
    loaded = read("google-speech-json", {"results": results}, tmp_path)
    assert [(one.speaker, one.start_time, one.end_time, one.words) for one in loaded.items] == [
        ("1", 0.5, 1.0, "जी।"),
        (None, 1.0, 3.0, "दवा नहीं ली"),
        ("1", 3.5, 4.0, "हाँ।"),
    ]
    assert [finding.code for finding in loaded.findings] == ["times-from-neighbours", "no-speaker"]


@pytest.mark.parametrize(
    ("content", "state"),
    [
        ({"TranscriptionJob": {"TranscriptionJobName": "v", "TranscriptionJobStatus": "IN_PROGRESS"}}, "IN_PROGRESS"),
        ({"name": "7321", "metadata": {"progressPercent": 30}}, "not done"),
        ({"self": "https://x/transcriptions/1", "status": "Running"}, "Running"),
        ({"job_id": "1", "job_state": "Pending", "job_details": []}, "Pending"),
    ],
)
def test_a_job_is_told_from_its_transcript(content: object, state: str, tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text(json.dumps(content))
    expected = rf"found a job of a service \('{state}'\), expected its transcript. Fetch that once it is there.$"
    with pytest.raises(InputError, match=expected):
        formats.load(tmp_path / "v.json", Segment)


def test_an_empty_object_is_silence_where_google_is_named(tmp_path: Path) -> None:
    assert read("google-speech-json", "{}", tmp_path).items == ()


def test_a_segment_that_was_cut_at_the_end_ends_where_it_starts(tmp_path: Path) -> None:
    loaded = read("whisper-json", {"text": "a", "chunks": [{"timestamp": [1.5, None], "text": "a"}]}, tmp_path)
    assert [(one.start_time, one.end_time) for one in loaded.items] == [(1.5, 1.5)]
    assert [finding.code for finding in loaded.findings] == ["zero-duration"]


@pytest.mark.parametrize("stamp", [[1], [1, 2, 3], "1-2", 7])
def test_a_stamp_that_is_no_start_and_end_is_refused(stamp: object, tmp_path: Path) -> None:
    told = fault("whisper-json", {"text": "a", "chunks": [{"timestamp": stamp, "text": "a"}]}, tmp_path)
    assert told.startswith("FILE:1: timestamp: found ")
    assert told.endswith("expected a list of start and end.")


def two_channels(*channels: list[tuple[float, float, str]]) -> str:
    """A response of Deepgram: the words of each channel as start, end, word."""
    words = [[{"start": start, "end": end, "word": word} for start, end, word in own] for own in channels]
    return json.dumps({"results": {"channels": [{"alternatives": [{"words": own}]} for own in words]}})


def test_a_channel_is_parted_where_the_other_answers(tmp_path: Path) -> None:
    """One turn a channel, as long as the recording, would put all that one says before all that the other says."""
    (tmp_path / "v.json").write_text(two_channels([(0, 1, "a"), (1, 2, "b"), (5, 6, "c")], [(3, 4, "x")]))
    loaded = formats.load(tmp_path / "v.json", Segment)
    assert [(one.speaker, one.start_time, one.end_time, one.words) for one in loaded.items] == [
        ("0", 0.0, 2.0, "a b"),
        ("0", 5.0, 6.0, "c"),
        ("1", 3.0, 4.0, "x"),
    ]
    assert [finding.code for finding in loaded.findings] == ["speaker-from-channel"]


@pytest.mark.parametrize("other", [(0.5, 1.5, "x"), (2.0, 9.0, "x"), (7.0, 8.0, "x")])
def test_who_speaks_over_somebody_or_later_parts_nothing(other: tuple[float, float, str], tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text(two_channels([(0, 1, "a"), (1, 2, "b"), (2, 3, "c")], [other]))
    assert [one.words for one in formats.load(tmp_path / "v.json", Segment).items] == ["a b c", "x"]


def test_a_single_channel_is_nobody(tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text(two_channels([(0, 1, "a"), (5, 6, "c")]))
    loaded = formats.load(tmp_path / "v.json", Segment)
    assert [(one.speaker, one.words) for one in loaded.items] == [(None, "a c")]
    assert loaded.findings == ()


def test_speakers_of_two_channels_stay_apart(tmp_path: Path) -> None:
    utterances = [{"text": "a", "start": 0, "end": 9, "speaker": "A", "channel": c} for c in ("1", "2")]
    assert [one.speaker for one in read("assemblyai-json", {"utterances": utterances}, tmp_path).items] == ["1-A", "2-A"]


# Answers of chat models.


@pytest.mark.parametrize(
    ("line", "turn"),
    [
        ("[00:12 - 00:15] Speaker 1: नमस्ते", ("Speaker 1", 12.0, 15.0, "नमस्ते")),
        ("[1:00:12.5 --> 1:00:15,25] ASHA: जी: हाँ", ("ASHA", 3612.5, 3615.25, "जी: हाँ")),
        ("(00:12–00:15) **Doctor**: BP 140/90", ("Doctor", 12.0, 15.0, "BP 140/90")),
        ("00:12 - 00:15 Speaker 2: हाँ", ("Speaker 2", 12.0, 15.0, "हाँ")),
        ("[12.5s - 14s] हाँ जी", (None, 12.5, 14.0, "हाँ जी")),
        ("[12.5 - 14.0] A: हाँ", ("A", 12.5, 14.0, "हाँ")),
        ("[00:00:14] **Speaker B:** Welcome.", ("Speaker B", 14.0, 14.0, "Welcome.")),
        ("**[00:12 - 00:15] Speaker 1:** नमस्ते", ("Speaker 1", 12.0, 15.0, "नमस्ते")),
        ("**[00:12]** Speaker 1: नमस्ते **दीदी**", ("Speaker 1", 12.0, 12.0, "नमस्ते **दीदी**")),
        ("**Speaker 1** (00:12): नमस्ते", ("Speaker 1", 12.0, 12.0, "नमस्ते")),
        ("**Speaker 1 [00:12 - 00:15]:** नमस्ते", ("Speaker 1", 12.0, 15.0, "नमस्ते")),
        ("आशा: [1:00:12] BP: 140", ("आशा", 3612.0, 3612.0, "BP: 140")),
    ],
)
def test_lines_that_are_understood(line: str, turn: tuple[object, ...], tmp_path: Path) -> None:
    loaded = read("llm-answer", line + "\n", tmp_path, "v.txt")
    assert [(one.speaker, one.start_time, one.end_time, one.words) for one in loaded.items] == [turn]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Here you are:\n[00:01 - 00:02] A: जी\n",
            "FILE:1: found 'Here you are:', expected a turn, as in [00:12 - 00:15] Speaker 1",
        ),
        ("[00:01 - 00:02] A: जी\nऔर क्या\n", "FILE:2: found 'और क्या', expected a turn"),
        ("[00:75 - 01:20] A: जी\n", "FILE:1: start: found '00:75', expected a time as MM:SS, HH:MM:SS or seconds."),
        ("[00:12:345 - 00:13] A: जी\n", "FILE:1: start: found '00:12:345', expected a time"),
        ("[00:09 - 00:03] A: जी\n", "FILE:1: end: found 3.0, expected seconds >= start (9.0). Mend the times."),
        ("1. Speaker 1: जी\n", "FILE:1: found '1. Speaker 1: जी', expected a turn"),
        ("Speaker 1 (00:12) आई\n", "FILE:1: found 'Speaker 1 (00:12) आई', expected a turn"),
        ("BP (140): जी\n", "FILE:1: found 'BP (140): जी', expected a turn"),
        (
            '```json\n[{"start": 1, "end": 2, "text": "जी"}]\n',
            "FILE:1: found a fence ``` that is not closed, expected a whole answer",
        ),
        ('```json\n[{"start": 1,\n"end": 2, "te\n```\n', "FILE:3: found "),
        ('[{"start": 1, "end": 2, "text": "जी"}, {"start": 3, "en', "found JSON that is cut off, expected JSON."),
        ('[{"start": 1, "end": 2}]', "FILE:1: text: found no text, expected one of the keys text"),
        ('[{"end": 2, "text": "जी"}]', "FILE:1: start: found no time, expected a time as MM:SS"),
        ('[{"start": "soon", "text": "जी"}]', "FILE:1: start: found 'soon', expected a time"),
        ('{"a": [], "b": []}', "expected a JSON list of turns, or an object with one list."),
        ("```\n[00:01] A: a\n```\n```\n[00:02] A: b\n```\n", "FILE:4: found a second fence ```, expected one."),
    ],
)
def test_the_rest_is_told_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    assert message in fault("llm-answer", text, tmp_path, "v.txt")


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (
            {"choices": [{"message": {"content": "[00:01] A: जी"}, "finish_reason": "length"}]},
            "an answer that was cut off (length)",
        ),
        (
            {"candidates": [{"content": {"parts": [{"text": "[00:01] A: जी"}]}, "finishReason": "MAX_TOKENS"}]},
            "cut off (MAX_TOKENS)",
        ),
        ({"candidates": [{"finishReason": "SAFETY"}]}, "an answer that stopped for 'SAFETY', expected a whole answer."),
        (
            {"output": [{"content": [{"text": "a"}]}], "incomplete_details": {"reason": "max_output_tokens"}},
            "cut off (max_output",
        ),
        (
            {"choices": [{"message": {"content": None, "refusal": "I cannot"}, "finish_reason": "stop"}]},
            "a response without text",
        ),
    ],
)
def test_an_answer_that_was_cut_off_or_refused(response: object, message: str, tmp_path: Path) -> None:
    assert message in fault("llm-answer", response, tmp_path)


def test_a_timestamp_may_hold_both_times(tmp_path: Path) -> None:
    turns = [{"timestamp": "00:12 - 00:15", "speaker": "A", "text": "जी"}, {"timestamp": "[01:00]", "text": "हाँ"}]
    assert [(one.start_time, one.end_time) for one in read("llm-answer", turns, tmp_path).items] == [(12.0, 15.0), (60.0, 60.0)]


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("v.txt", "Here is the transcript:\n[00:01 - 00:02] A: जी\n", "llm-answer"),
        ("v", "00:01 - 00:02 A: जी\n", "llm-answer"),
        ("v.txt", "**[00:01] Speaker 1:** जी\n\n**[00:02] Speaker 2:** हाँ\n", "llm-answer"),
        ("v.txt", "**Speaker 1** (00:01): जी\n**Speaker 2** (00:02): हाँ\n", "llm-answer"),
        ("v.json", "```json\n[]\n```\n", "llm-answer"),
        ("v.json", '{"transcript": [{"timestamp": "00:01", "speaker": "A", "text": "जी"}]}', "llm-answer"),
        ("v.json", '[{"start": 1, "end": 2, "text": "जी"}]', "llm-answer"),
        ("v.json", '[{"session_id": "v", "start": 1, "end": 2, "text": "जी"}]', "seglst"),
        ("v.json", '{"segments": [{"start": 1, "end": 2, "text": "जी"}]}', "whisper-json"),
        ("v.json", "[]", "seglst"),
        ("v.jsonl", '{"session_id": "v", "audio_filepath": "a.wav", "duration": 1, "text": "जी"}', "nemo"),
        ("v.txt", "u1 00:01 जी\nu2 हाँ\n", "keyed-text"),
        ("v.txt", "u1 नमस्ते\nu2 [00:01] जी\n", "keyed-text"),
    ],
)
def test_what_is_an_answer_and_what_is_not(name: str, text: str, form: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert formats.detect(tmp_path / name, Segment).name == form
    assert formats.detect(tmp_path / name).name == form


@pytest.mark.parametrize("name", ["v.txt", "v.srt", "v.vtt", "v.sbv"])
def test_subtitles_are_no_answer(name: str, tmp_path: Path) -> None:
    text = "0:00:01.000,0:00:02.000\nजी\n" if name == "v.sbv" else "1\n00:00:01,000 --> 00:00:02,000\nजी\n"
    assert not formats.get("llm-answer").sniff(text, tmp_path / name)


def test_json_that_is_cut_off_before_it_says_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text('{"segments": [{"start": 0.5, "en')
    with pytest.raises(InputError, match=r"found JSON that is cut off, expected whole JSON. Save or fetch it again."):
        formats.load(tmp_path / "v.json", Segment)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("llm-answer", "[1" + " " * 200_000),
        ("llm-answer", "[00:01 - 00:02]" + " -" * 100_000),
        ("llm-answer", "```\n" * 50_000),
        ("llm-answer", "**" + "a " * 100_000 + "(00:01"),
        ("llm-answer", "a" + " " * 100_000 + "(00:01):"),
        ("llm-answer", '[{"start": "' + "9" * 200_000 + 'x", "text": "a"}]'),
        ("whisper-json", '{"text": "' + '\\"' * 100_000 + "\\"),
        ("whisper-json", '{"segments": [{"start": "' + "9" * 200_000 + 'x", "end": 1, "text": "a"}]}'),
        ("azure-json", '{"phrases": [{"offset": "PT' + "9" * 200_000 + 'S", "duration": "PT1S", "text": "a"}]}'),
        ("deepgram-json", '{"results": {"utterances": [{"channel": "' + "9" * 5000 + '", "transcript": "a"}]}}'),
        ("sarvam-json", '{"error":' * 900 + "1" + "}" * 900),
    ],
)
def test_nothing_takes_long_however_odd(name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / "v.json"
    path.write_text(content)
    start = time.perf_counter()
    for step in (lambda: formats.detect(path), lambda: formats.get(name).read(path)):
        with contextlib.suppress(InputError):
            step()
    assert time.perf_counter() - start < 2


# Half an hour of talk: 5,400 words.
def long_response(name: str) -> object:
    words = [("जी," if at % 7 else "ठीक।", at / 3, at / 3 + 0.3, at // 12 % 2) for at in range(5400)]
    text = " ".join(word for word, *_ in words)
    if name == "deepgram-json":
        own = [{"word": w, "punctuated_word": w, "start": s, "end": e, "confidence": 0.9, "speaker": p} for w, s, e, p in words]
        return {"results": {"channels": [{"alternatives": [{"transcript": text, "words": own}]}]}}
    if name == "elevenlabs-json":
        own = [
            {"text": text, "type": kind, "start": s, "end": e, "speaker_id": f"speaker_{p}"}
            for w, s, e, p in words
            for text, kind in ((w, "word"), (" ", "spacing"))
        ]
        return {"language_code": "hin", "language_probability": 1, "text": text, "words": own}
    if name == "aws-transcribe-json":
        own = [
            {"type": "pronunciation", "start_time": f"{s:.2f}", "end_time": f"{e:.2f}", "speaker_label": f"spk_{p}"}
            | {"alternatives": [{"confidence": "0.9", "content": w}]}
            for w, s, e, p in words
        ]
        return {"results": {"transcripts": [{"transcript": text}], "items": own}}
    if name == "google-speech-json":
        own = [{"word": w, "startTime": f"{s:.3f}s", "endTime": f"{e:.3f}s", "speakerTag": p + 1} for w, s, e, p in words]
        return {"results": [{"alternatives": [{"transcript": text, "words": own}]}]}
    own = [{"word": w, "start": s, "end": e, "score": 0.9, "speaker": f"S{p}"} for w, s, e, p in words]
    rows = [own[at : at + 12] for at in range(0, len(own), 12)]
    return {
        "segments": [
            {"start": row[0]["start"], "end": row[-1]["end"], "text": " ".join(str(one["word"]) for one in row), "words": row}
            for row in rows
        ]
    }


@pytest.mark.parametrize(
    "name", ["deepgram-json", "elevenlabs-json", "aws-transcribe-json", "google-speech-json", "whisper-json"]
)
def test_half_an_hour_reads_at_once(name: str, tmp_path: Path) -> None:
    loaded = read(name, long_response(name), tmp_path)
    assert len(loaded.items) == 450
    assert sum(len(one.words.split()) for one in loaded.items) == 5400
    best = min(timed(name, tmp_path / "visit07.json") for _ in range(7))
    assert best < 0.1, best


def timed(name: str, path: Path) -> float:
    start = time.process_time()
    formats.get(name).read(path)
    return time.process_time() - start
