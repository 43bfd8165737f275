"""How long an import of many recordings takes, and what share of a parquet shard it reads without the audio.

Run: python benchmarks/importing.py [RECORDINGS [MEGABYTES]]
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
import wave
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from parakh import formats
from parakh.dataset import exporting, importing
from parakh.types import Segment

SEGMENTS = 120
CLIP_BYTES = 2_000_000


def challenge(folder: Path, recordings: int) -> None:
    """The challenge's layout; one second of audio, shared by all recordings."""
    place = folder / "Hindi"
    sound = folder.parent / "one.wav"
    with wave.open(str(sound), "wb") as out:
        out.setparams((1, 2, 16_000, 0, "NONE", ""))
        out.writeframes(bytes(32_000))
    (place / "data" / "wav").mkdir(parents=True)
    for number in range(recordings):
        name = f"r{number:05d}"
        said = [
            Segment(
                name,
                f"spk{k % 2}",
                k * 2.5,
                k * 2.5 + 2.4,
                "नमस्ते दीदी आज बुखार कैसा है",
                f"role{k % 2}",
                segment_id=f"{name}_{k:04d}",
            )
            for k in range(SEGMENTS)
        ]
        turns = [replace(one, words="", role=None, segment_id=None) for one in said]
        formats.get("rttm").write(turns, place / "data" / "rttm" / f"{name}_SPEAKER.rttm")
        formats.get("challenge-tsv").write(said, place / "GT" / f"{name}.txt")
        (place / "data" / "wav" / f"{name}.wav").hardlink_to(sound)


def shard(path: Path, megabytes: int) -> None:
    """A parquet file in the form of Indic DiarBench, whose audio is noise that does not pack."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    segment = pa.struct(
        [("speaker_id", pa.string()), ("transcript", pa.string()), ("start_time", pa.float64()), ("end_time", pa.float64())]
    )
    columns = [("audio", pa.struct([("bytes", pa.binary()), ("path", pa.string())])), ("recording_id", pa.string())]
    schema = pa.schema([*columns, ("language", pa.string()), ("annotated_transcript", pa.list_(segment))])
    said = [
        {"speaker_id": f"s{k % 2}", "transcript": "नमस्ते दीदी", "start_time": k * 2.5, "end_time": k * 2.5 + 2.4}
        for k in range(40)
    ]
    path.parent.mkdir(parents=True)
    with pq.ParquetWriter(path, schema) as out:
        for first in range(0, megabytes * 1_000_000 // CLIP_BYTES, 25):
            rows = [
                {
                    "audio": {"bytes": os.urandom(CLIP_BYTES), "path": "x.flac"},
                    "recording_id": f"c{first + k}",
                    "language": "hi",
                    "annotated_transcript": said,
                }
                for k in range(25)
            ]
            out.write_table(pa.Table.from_pylist(rows, schema))


def read_bytes() -> int:
    """Bytes that this process has read so far (Linux)."""
    return int(Path("/proc/self/io").read_text().split("rchar:")[1].split()[0])


def timed(what: str, work: Callable[[], object]) -> None:
    """Do it, and print how long it took, on the clock and of the processor."""
    started, busy = time.perf_counter(), time.process_time()
    work()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{what}: {time.perf_counter() - started:.1f} s ({time.process_time() - busy:.1f} s of a core), peak {peak} MB so far")


def main() -> None:
    """Make the sources, import and export, and print the figures."""
    recordings = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        challenge(root / "dev", recordings)
        timed(f"import of {recordings} recordings", lambda: importing.run(importing.Request(root / "dev", root / "set")))
        for kind in ("displace-m", "diarbench", "pyannote", "seglst"):
            timed(f"export as {kind}", lambda kind=kind: exporting.run(exporting.Request(root / "set", root / kind, kind)))
        path = root / "shards" / "hindi" / "test-00000-of-00001.parquet"
        shard(path, megabytes)
        before = read_bytes()
        request = importing.Request(root / "shards", root / "clips", options=importing.Options(audio="none"))
        timed(f"import of a shard of {path.stat().st_size / 1e6:.0f} MB without audio", lambda: importing.run(request))
        print(f"share of it read: {(read_bytes() - before) / path.stat().st_size:.2%}")


if __name__ == "__main__":
    main()
