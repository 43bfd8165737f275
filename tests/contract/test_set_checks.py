"""Checks of files, metadata, release and the set as a whole: what each says, where, and when it is silent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from parakh import qc
from parakh.audio.facts import AudioFacts, Header
from parakh.qc import Check, Material, Settings, Source, Vocabulary, Whole
from parakh.qc.licence_conflict import _problem
from parakh.types import Entry, Finding, Recording, Region, Segment, Severity, Speaker, Summary, Topics

WORDS = "नमस्ते दीदी बैठिए क्या तकलीफ है बताइए कब से बुखार है और खाँसी भी है क्या रात में नींद आती है या नहीं"


def material(name: str = "v1", *, speakers: tuple[Speaker, ...] = (), files: tuple[str, ...] = (), **known: object) -> Material:
    """A recording of a data set in the folder ``set``, on the line of the manifest that its number says."""
    own = {key: known.pop(key) for key in ("audio", "duration", "language", "metadata") if key in known}
    entry_fields = {key: known.pop(key) for key in ("split", "sums") if key in known}
    paths = {kind: f"set/{kind}/{name}" for kind in files}
    entry = Entry(Recording(name, **own), paths, speakers, entry_fields.get("split"), entry_fields.get("sums", {}))
    line = int(name.removeprefix("v"))
    return Material(entry, manifest=Source("set/recordings.jsonl", (entry,), (line,)), **known)


def speaker(label: str, **known: str) -> Speaker:
    return Speaker("v1", label, **known)


def transcript(*segments: Segment) -> Source[Segment]:
    return Source("set/transcript/v1", segments)


def whole(*materials: Material, **known: object) -> Whole:
    return Whole(materials, "set", has_manifest=known.pop("has_manifest", True), **known)


def found(code: str, seen: Material | Whole, **settings: object) -> list[tuple[str | None, str | None, int | None]]:
    return [(one.session_id, one.path, one.line) for one in qc.get(code).findings(seen, Settings(**settings))]


def said(code: str, seen: Material | Whole, **settings: object) -> list[str]:
    return [one.message for one in qc.get(code).findings(seen, Settings(**settings))]


# ------------------------------------------------------------------------------------------------------- of every check


@pytest.mark.parametrize("code", qc.all_checks())
def test_nothing_is_found_where_there_is_nothing(code: str) -> None:
    assert qc.get(code).findings(Material(Entry(Recording("v1"))), Settings()) == []
    assert qc.get(code).findings(Whole(()), Settings()) == []


def test_a_flood_is_told_in_one_line() -> None:
    def many(material: Material, settings: Settings) -> object:
        yield from (Finding("QC999", f"number {line}", path="a", line=line) for line in range(1, 61))
        yield from (Finding("QC999", "of another file", path="b", line=line) for line in range(1, 22))

    check = Check("QC999", "many", "Many", Severity.NOTE, recording=many)
    told = check.findings(material(), Settings())
    assert [one.message for one in told if one.path == "a"] == [
        *(f"number {line}" for line in range(1, 21)),
        "and 40 more like these in this file",
    ]
    assert told[20].line == 21
    assert sum(one.path == "b" for one in told) == 21  # one more than the limit is told, not counted
    assert len(check.findings(material(), Settings(limits={"most-findings": 100}))) == 81


def test_the_settings_say_how_grave_a_finding_is() -> None:
    one = material(topics=Source("set/t", ()), transcript=transcript())
    assert [finding.severity for finding in qc.get("QC137").findings(one, Settings())] == [Severity.ERROR]
    assert [one.severity for one in qc.get("QC137").findings(one, Settings(severity={"QC137": Severity.NOTE}))] == [Severity.NOTE]


# ---------------------------------------------------------------------------------------------------------------- files


def test_trouble_is_told_by_its_severity() -> None:
    trouble = (
        Finding("unreadable", "found 2 fields", Severity.ERROR, "v1", "set/a.rttm", 3),
        Finding("unreadable", "found 2 fields", Severity.ERROR, path="set/topics.csv", line=3),  # of several recordings
        Finding("zero-duration", "1 entry", Severity.NOTE, "v1", "set/a.rttm", 5),
        Finding("empty-file", "the file is empty", path="set/a.uem"),
    )
    one = material(trouble=trouble)
    assert found("QC130", one) == [("v1", "set/a.rttm", 3), (None, "set/topics.csv", 3)]
    [notice] = qc.get("QC131").findings(one, Settings())
    assert (notice.message, notice.severity, notice.line) == ("1 entry (zero-duration)", Severity.NOTE, 5)


def test_orphans_are_files_that_no_entry_names() -> None:
    one = material(audio="set/audio/v1.wav", files=("rttm",))
    files = (
        "LICENSE",
        "README.txt",
        "annotation-log.jsonl",
        "audio/v1.wav",
        "audio/v2.wav",
        "metadata.csv",
        "notes/readme.txt",
        "rttm/v1",
        "x.py",
    )
    assert [path for _, path, _ in found("QC132", whole(one, files=files))] == ["set/audio/v2.wav", "set/notes/readme.txt"]


def test_without_a_manifest_orphans_are_audio_or_annotations_alone() -> None:
    both = material("v1", audio="set/v1.wav", files=("rttm",))
    audio, annotated = material("v2", audio="set/v2.wav"), material("v3", files=("rttm",))
    assert [one for one, _, _ in found("QC132", whole(both, audio, annotated, has_manifest=False))] == ["v2", "v3"]
    assert found("QC132", whole(annotated, has_manifest=False)) == []


def test_a_file_of_the_manifest_that_is_not_there() -> None:
    one = material("v3", audio="set/audio/v3.wav", files=("rttm", "uem"))
    outside = replace(one, entry=replace(one.entry, files={"rttm": "set/../shared.rttm"}))
    assert found("QC133", whole(one, files=("audio/v3.wav", "rttm/v3"))) == [("v3", "set/recordings.jsonl", 3)]
    assert found("QC133", whole(outside, files=("../shared.rttm", "audio/v3.wav"))) == []
    assert said("QC133", whole(outside, files=("audio/v3.wav",))) == ["the file ../shared.rttm (rttm) is not there"]


def test_a_kind_of_file_that_most_recordings_have() -> None:
    having = [material(f"v{number}", files=("rttm", "uem")) for number in range(1, 4)]
    lacking = material("v4", files=("uem",))
    files = tuple(f"{kind}/v{number}" for kind in ("rttm", "uem") for number in range(1, 5))
    assert found("QC133", whole(*having, lacking, files=files)) == [("v4", "set/recordings.jsonl", 4)]
    assert found("QC133", whole(having[0], lacking, files=files)) == []  # one of two is not most


def test_duplicate_audio_by_what_is_known_of_it() -> None:
    header = Header("wav", "pcm_s16le", 16000, 1, 16, 1.0)
    heard = material("v1", audio="set/1.wav", sums={"audio": "0" * 64}, sha256={"audio": "a" * 64})
    looked_at = material("v2", audio="set/2.wav", files=())
    looked_at = replace(looked_at, audio=AudioFacts(header, "a" * 64))
    declared = material("v3", audio="set/3.wav", sums={"audio": "a" * 64})
    assert found("QC134", whole(heard, looked_at, declared)) == [("v2", "set/2.wav", None), ("v3", "set/3.wav", None)]
    assert found("QC134", whole(heard, material("v2"), material("v3"))) == []  # without checksums nothing is the same


def test_a_copy_made_of_what_earlier_recordings_say_is_found() -> None:
    one, other = ([f"{letter}{number}" for number in range(30)] for letter in "ab")
    texts = {"v1": one, "v2": other, "v3": one[:15] + other[:15], "v4": one[:15] + other[:15]}
    made = [material(name, transcript=transcript(Segment(name, "a", words=" ".join(words)))) for name, words in texts.items()]
    assert said("QC135", whole(*made)) == ["the transcript and that of v3 have the same words"]


def test_duplicate_transcripts_however_they_are_cut() -> None:
    words = WORDS.split()
    one = material("v1", transcript=transcript(Segment("v1", "a", words=f"{WORDS}।")))
    halves = (Segment("v2", "x", words=" ".join(words[:9])), Segment("v2", "y", words="<noise> " + " ".join(words[9:])))
    cut = material("v2", transcript=transcript(*halves))
    other = material("v3", transcript=transcript(Segment("v3", "a", words=" ".join(reversed(words)))))
    assert said("QC135", whole(one, cut, other)) == ["the transcript and that of v1 have the same words"]
    changed = material("v4", transcript=transcript(Segment("v4", "a", words=" ".join(words[:-1]))))
    assert said("QC135", whole(one, changed)) == ["the transcript and that of v1 have the same words"]  # all of the shorter
    half = material("v5", transcript=transcript(Segment("v5", "a", words=" ".join([*words[:12], *reversed(words[12:])]))))
    assert said("QC135", whole(one, half)) == []
    assert said("QC135", whole(one, half), limits={"duplicate-share": 0.3}) == [
        "the transcript and that of v1 have 42% of the words in common"
    ]


def test_short_transcripts_may_be_the_same() -> None:
    short = [material(f"v{number}", transcript=transcript(Segment("v", "a", words="हाँ जी ठीक है"))) for number in (1, 2)]
    assert said("QC135", whole(*short)) == []


def test_repeated_segments_by_time_and_by_words() -> None:
    long = "कल सुबह खाली पेट आइए और पर्ची लाइए"
    rows = (
        Segment("v1", "a", 0.0, 2.0, long),
        Segment("v1", "b", 2.0, 3.0, "हाँ"),
        Segment("v1", "a", 0.0, 2.0, "कल आइए"),
        Segment("v1", "a", 3.0, 5.0, long),
        Segment("v1", "b", 5.0, 6.0, "हाँ"),
        Segment("v1", "b", 0.0, 2.0, long),
    )
    assert found("QC136", material(transcript=transcript(*rows))) == [
        ("v1", "set/transcript/v1", 3),
        ("v1", "set/transcript/v1", 4),
    ]
    assert found("QC136", material(transcript=transcript(*rows)), limits={"repeated-words": 9}) == [
        ("v1", "set/transcript/v1", 3)
    ]


def test_empty_annotations() -> None:
    one = material(
        turns=Source("set/r"),
        transcript=transcript(Segment("v1", "a", 0.0, 1.0)),
        topics=Source("set/t", (Topics("v1"),)),
        summary=Source("set/s", (Summary("v1", " \n"),), (4,)),
    )
    assert found("QC137", one) == [("v1", "set/r", None), ("v1", "set/transcript/v1", None), ("v1", "set/s", 4)]


# ------------------------------------------------------------------------------------------------------------- metadata


def test_metadata_that_most_have() -> None:
    full = [material(f"v{number}", metadata={"place": "home", "split": "x"}, language="hi") for number in range(1, 4)]
    bare = material("v4", language="hi", speakers=(speaker("a", consent="yes"),))
    assert said("QC201", whole(*full, bare)) == ["most recordings have place, this one has not"]
    assert said("QC201", whole(*full[:1], bare)) == []
    assert said("QC201", whole(*full, bare, has_manifest=False)) == []
    own = tuple(speaker(label, sex="f", dialect="x") for label in "abc")
    other = replace(full[0], entry=replace(full[0].entry, speakers=(*own, speaker("d", sex="f"))))
    [one] = qc.get("QC201").findings(
        whole(replace(other, rows=Source("set/metadata.csv", ("", *"abcd"), (2, 3, 4, 5, 6)))), Settings()
    )
    assert (one.message, one.path, one.line) == ("most speakers have dialect, d has not", "set/metadata.csv", 6)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"age": "34"}, None),
        ({"age": "40-49"}, None),
        ({"age": "49-40"}, "a: age is '49-40', not years or a range of years"),
        ({"age": "३४"}, "a: age is '३४', not years or a range of years"),
        ({"age": "340"}, "a: age is '340', not years or a range of years"),
        ({"sex": "F"}, "a: sex is 'F', not one of f, m, o"),
        ({"language": "hi-IN"}, None),
        ({"language": "Hindi"}, "a: language is 'Hindi', not a tag such as hi or kn"),
        ({"role": "asha"}, "a: role is 'asha', not one of health_worker, health_seeker, health_seeker_attendant, other"),
        ({"consent": "maybe"}, None),  # consent-missing tells it
    ],
)
def test_values_of_the_metadata(known: dict[str, str], message: str | None) -> None:
    assert said("QC202", material(speakers=(speaker("a", **known),))) == ([message] if message else [])


def test_the_vocabulary_of_the_data_set_counts() -> None:
    one = material(metadata={"place": "PHC", "device": "phone"})
    assert said("QC202", one) == ["place is 'PHC', not one of phc, anganwadi, home, chaupal, school, other"]
    own = Vocabulary(places=("PHC",), metadata={"device": ("recorder",)})
    assert said("QC202", one, vocabulary=own) == ["device is 'phone', not one of recorder"]
    roles = transcript(Segment("v1", "a", role="asha"), Segment("v1", "a", role="asha"))
    assert found("QC202", material(transcript=roles)) == [("v1", "set/transcript/v1", 1)]


def test_roles_of_the_transcript_against_the_manifest() -> None:
    rows = [
        Segment("v1", "a", role="health_worker"),
        Segment("v1", "b", role="other"),
        *[Segment("v1", "b", role="health_seeker")] * 2,
    ]
    declared = (speaker("a", role="health_seeker"), speaker("b", role="health_seeker"))
    one = material(transcript=transcript(*rows), speakers=declared)
    assert said("QC203", one) == ["a is health_worker in 1 segment, but health_seeker in the manifest"]
    assert found("QC503", whole(one)) == [("v1", "set/transcript/v1", 2)]
    assert said("QC203", material(transcript=transcript(*rows))) == []


def test_speakers_of_the_annotations_against_the_manifest() -> None:
    turns = Source("set/r", (Segment("v1", "spk0", 0.0, 1.0), Segment("v1", "SPK-01", 1.0, 2.0), Segment("v1", "tv", 2.0, 3.0)))
    one = material(turns=turns, speakers=(speaker("spk0"), speaker("spk1"), speaker("spk2")))
    assert found("QC204", one) == [("v1", "set/r", 3), ("v1", "set/recordings.jsonl", 1)]
    assert found("QC205", one) == [("v1", "set/r", 2)]
    assert found("QC204", material(turns=turns)) == []
    assert found("QC205", material(turns=turns)) == []
    assert found("QC205", material(turns=Source("set/r", (*turns.items, Segment("v1", "spk1", 3.0, 4.0))))) == [
        ("v1", "set/r", 4)
    ]


def test_the_script_of_the_language() -> None:
    hindi = transcript(Segment("v1", "a", words=WORDS))
    assert said("QC206", material(transcript=hindi, language="hi")) == []
    assert said("QC206", material(transcript=hindi, language="kn")) == ["0% of the letters are of a script of kn, most are Deva"]
    assert said("QC206", material(transcript=hindi, language="xx")) == []  # nothing is known of it
    assert said("QC206", material(transcript=hindi, language="kn", speakers=(speaker("a", language="hi"),))) == []
    english = transcript(Segment("v1", "a", words="blood pressure report तो normal है"))
    assert said("QC206", material(transcript=english, language="hi")) != []
    assert said("QC206", material(transcript=english, language="hi"), limits={"declared-script-share": 0.1}) == []
    lone = transcript(Segment("v1", "a", words="\ud800 हाँ"))
    assert said("QC206", material(transcript=lone, language="hi")) == []


# -------------------------------------------------------------------------------------------------------------- release


def test_durations_of_audio_manifest_and_regions() -> None:
    facts = AudioFacts(Header("wav", "pcm_s16le", 16000, 1, 16, 60.0), duration=60.0)
    regions = Source("set/u", (Region("v1", 0.0, 60.05), Region("v1", 50.0, 60.2)))
    one = replace(material(duration=60.3, regions=regions), audio=facts)
    assert found("QC502", one) == [("v1", "set/recordings.jsonl", 1), ("v1", "set/u", 2)]
    assert found("QC502", one, limits={"duration-tolerance": 0.5}) == []
    assert found("QC502", material(duration=60.3, regions=regions)) == []  # within what the manifest says


def test_two_speakers_in_a_role_of_one() -> None:
    pair = [speaker("a", role="health_worker"), speaker("b", role="health_seeker")]
    usual = [material(f"v{number}", speakers=tuple(pair)) for number in range(1, 4)]
    two = material(
        "v4", speakers=(*pair, speaker("c", role="health_worker"), speaker("d", role="other"), speaker("e", role="other"))
    )
    assert said("QC503", whole(*usual, two)) == ["a and c have the role health_worker, which one speaker has in most recordings"]
    assert said("QC503", whole(usual[0], two)) == []


def test_a_person_in_two_splits() -> None:
    def one(number: int, split: str | None, person: str) -> Material:
        return material(f"v{number}", split=split, speakers=(speaker("a", person=person),))

    assert found("QC504", whole(one(1, "dev", "p1"), one(2, "dev", "p1"), one(3, "eval", "p1"), one(4, "eval", "p2"))) == [
        ("v3", "set/recordings.jsonl", 3)
    ]
    assert found("QC504", whole(one(1, "dev", "p1"), one(2, None, "p1"))) == []


@pytest.mark.parametrize(
    ("general", "own", "messages"),
    [
        ("yes", (None, None), []),
        ("yes", ("yes", "yes"), []),
        ("yes", ("yes", None), ["consent of b is missing"]),
        (None, ("yes", "yes"), []),
        (None, ("yes", "no"), ["consent of b is 'no'"]),
        (None, ("yes", "Yes"), ["consent of b is 'Yes'"]),
        ("no", (None, None), ["consent of the recording is 'no'"]),
        (None, (), ["no consent is written down for the recording"]),
    ],
)
def test_consent(general: str | None, own: tuple[str | None, ...], messages: list[str]) -> None:
    known = {"consent": general} if general else {}
    speakers = tuple(speaker(label, consent=value) for label, value in zip("ab", own, strict=False))
    given = material("v2", metadata={"consent": "yes"})
    assert said("QC505", whole(given, material(metadata=known, speakers=speakers))) == messages


def test_a_set_that_says_nothing_of_consent_is_told_once() -> None:
    assert found("QC505", whole(material("v1"), material("v2"))) == [(None, "set", None)]
    assert found("QC505", whole(material("v1"), has_manifest=False)) == []


@pytest.mark.parametrize(
    ("own", "licence", "asked"),
    [  # source: the licences' own terms; for CC, the chart of Creative Commons' FAQ
        ("CC-BY-4.0", "CC-BY-4.0", ""),
        ("CC BY 3.0", "CC-BY-4.0", ""),
        ("CC0-1.0", "CC-BY-NC-ND-4.0", ""),
        ("CC-BY-4.0", "CC0-1.0", "attribution"),
        ("CC-BY-4.0", "CC-BY-SA-4.0", ""),
        ("CC-BY-4.0", "Apache-2.0", ""),
        ("MIT", "CC-BY-4.0", ""),
        ("CC-BY-NC-4.0", "CC-BY-4.0", "non-commercial"),
        ("CC-BY-NC-4.0", "CC-BY-NC-SA-4.0", ""),
        ("CC-BY-SA-4.0", "CC-BY-4.0", "the same licence"),
        ("CC-BY-SA-4.0", "CC-BY-NC-SA-4.0", "the same licence"),
        ("CC-BY-SA-3.0-IN", "CC-BY-SA-4.0", ""),
        ("CC-BY-ND-4.0", "CC-BY-4.0", "no changes"),
        ("CC-BY-NC-ND-4.0", "CC-BY-NC-4.0", "no changes"),
        ("ODbL-1.0", "CC-BY-SA-4.0", "the same licence"),
        ("house rules", "house rules", ""),
        ("house rules", "CC-BY-4.0", "not in the table"),
        ("CC-BY-4.0", "house rules", "not in the table"),
    ],
)
def test_licences(own: str, licence: str, asked: str) -> None:
    problem = _problem(own, licence)
    assert (asked in problem) if asked and problem else problem is None and not asked


def test_the_licence_of_a_recording_stands_in_its_metadata() -> None:
    one = material("v2", metadata={"license": "CC-BY-NC-4.0"})
    assert found("QC506", whole(one, licence="CC-BY-4.0")) == [("v2", "set/recordings.jsonl", 2)]
    assert found("QC506", whole(one)) == []


def test_checksums() -> None:
    sums = {"rttm": "a" * 64, "audio": "b" * 64, "uem": "c" * 64}
    one = material(audio="set/1.wav", files=("rttm", "uem"), sums=sums, sha256={"rttm": "a" * 64, "audio": "0" * 64})
    assert found("QC507", one) == [("v1", "set/1.wav", None)]
    assert "b" * 9 not in said("QC507", one)[0]


def test_splits_topics_and_summaries_that_others_have() -> None:
    answered = [
        material(f"v{number}", split="dev", topics=Source("set/t", (Topics("v"),)), summary=Source("set/s", (Summary("v", "x"),)))
        for number in range(1, 4)
    ]
    bare = material("v4")
    for code in ("QC508", "QC509", "QC510"):
        assert found(code, whole(*answered, bare)) == [("v4", "set/recordings.jsonl", 4)]
        assert found(code, whole(bare)) == []


def test_answers_whose_file_is_missing_or_unreadable_are_told_once() -> None:
    answered = [material(f"v{number}", summary=Source("set/s", (Summary("v", "x"),))) for number in range(1, 4)]
    absent = material("v4", files=("summary",))
    trouble = (Finding("unreadable", "x", Severity.ERROR, path="set/summary/v5"),)
    unreadable = material("v5", files=("summary",), trouble=trouble)
    without_row = material("v6", files=("summary",))
    files = ("summary/v5", "summary/v6")
    assert found("QC510", whole(*answered * 4, absent, unreadable, without_row, files=files)) == [("v6", "set/summary/v6", None)]
