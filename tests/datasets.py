"""Small data sets for tests: written here, with sound that is a tone."""

import math
import struct
import wave
from pathlib import Path

from parakh import formats
from parakh.dataset import manifest
from parakh.types import Entry, Recording, Region, Segment, Speaker, Summary, Topics

RATE = 16_000


def write_wav(path: Path, seconds: float = 1.0, pitch: int = 220) -> Path:
    """A quiet tone, 16 kHz, mono, 16 bit."""
    path.parent.mkdir(parents=True, exist_ok=True)
    samples = (int(3000 * math.sin(2 * math.pi * pitch * n / RATE)) for n in range(int(seconds * RATE)))
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, RATE, 0, "NONE", ""))
        out.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return path


def conversation(session: str, role: bool = True) -> list[Segment]:
    """Two people, a little overlap, Hindi with an English word."""
    said = [
        ("spk0", 0.25, 1.5, "नमस्ते दीदी, बैठिए", "health_worker"),
        ("spk1", 1.4, 2.0, "जी BP 120 है", "health_seeker"),
        ("spk0", 2.125, 2.75, "ठीक है", "health_worker"),
    ]
    return [
        Segment(session, who, start, end, words, part if role else None, segment_id=f"{session}_{number:04d}")
        for number, (who, start, end, words, part) in enumerate(said, 1)
    ]


def turns(segments: list[Segment]) -> list[Segment]:
    """Who spoke when, without what was said."""
    return [Segment(one.session_id, one.speaker, one.start_time, one.end_time, channel="1") for one in segments]


def make(folder: Path) -> manifest.Dataset:
    """Three recordings: one with everything, one in another language, one with turns alone."""
    entries = []
    for number, (session, language, split) in enumerate([("v1", "hi", "train"), ("v2", "kn", "test"), ("v3", "hi", "test")]):
        audio = write_wav(folder / "audio" / f"{session}.wav", 3.0, 200 + 50 * number)
        segments = conversation(session)
        files = {"rttm": folder / "rttm" / f"{session}.rttm"}
        formats.get("rttm").write(turns(segments)[: 2 if session == "v3" else 3], files["rttm"])
        if session != "v3":
            files["transcript"] = folder / "transcripts" / f"{session}.txt"
            formats.get("challenge-tsv").write(segments, files["transcript"])
        if session == "v1":
            files |= {"native": folder / "native" / "v1.txt", "topics": folder / "topics.csv"}
            files |= {"summary": folder / "summaries.csv", "uem": folder / "uem" / "v1.uem"}
            native = [Segment(**{**_fields(one), "words": one.words.replace("BP 120", "बीपी एक सौ बीस")}) for one in segments]
            formats.get("challenge-tsv").write(native, files["native"])
            formats.get("topics-csv").write([Topics("v1", ("Fever", "Leg pain"))], files["topics"])
            formats.get("summary-csv").write([Summary("v1", "Fever for three days,\nno cough.")], files["summary"])
            formats.get("uem").write([Region("v1", 0.0, 2.5)], files["uem"])
        speakers = (
            Speaker(session, "spk0", person=f"p{number}", role="health_worker", sex="f", age="30-39"),
            Speaker(session, "spk1", role="health_seeker"),
        )
        recording = Recording(session, str(audio), 3.0, language, {"condition": "near-field", "district": "Udupi"})
        entries.append(Entry(recording, {kind: str(path) for kind, path in files.items()}, speakers, split))
    dataset = manifest.Dataset(folder, tuple(entries))
    manifest.save(dataset)
    return dataset


def _fields(segment: Segment) -> dict[str, object]:
    return {name: getattr(segment, name) for name in segment.__dataclass_fields__}


def tree(folder: Path) -> dict[str, bytes | str]:
    """Every file below a folder with its bytes; of a link where it leads."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = f"-> {path.readlink()}"
        elif path.is_file():
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found
