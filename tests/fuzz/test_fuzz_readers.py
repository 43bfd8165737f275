"""A short run of the fuzzer in every test run; ``make fuzz`` runs it for long."""

import subprocess
import sys
from pathlib import Path

import pytest

from parakh import formats
from parakh.types import Recording, Region, Segment, Summary, Topics

HARNESS = Path(__file__).parent / "fuzz_readers.py"
SERVICES = Path(__file__).parents[1] / "samples" / "services"
SEEDS = {
    Segment: [Segment("v1", "asha", 0.0, 1.5, "नमस्ते दीदी"), Segment("v1", "mother", 1.5, 3.25, "BP 140 / 90")],
    Region: [Region("v1", 0.0, 5.0), Region("v1", 5.0, 9.0)],
    Topics: [Topics("v1", ("fever", "cough"))],
    Summary: [Summary("v1", "Fever since two days.")],
    Recording: [Recording("v1", "v1.wav", 3.5, "hi", {"district": "Udupi"})],
}


def write_seeds(folder: Path) -> None:
    """Valid files of every format, each with its format's number before it and once with that of detection."""
    names = sorted(formats.all_formats())
    for number, name in enumerate(names):
        form = formats.get(name)
        if form.folder or not form.is_written:
            for count, sample in enumerate(sorted((SERVICES / name).glob("*"))):
                (folder / f"{name}.{count}").write_bytes(bytes([number]) + sample.read_bytes())
                (folder / f"{name}.{count}-detect").write_bytes(bytes([len(names)]) + sample.read_bytes())
            continue
        items = SEEDS[form.item]
        if name == "ctm":
            items = [Segment("v1", None, 0.0, 0.5, "नमस्ते", channel="1")]
        if name == "keyed-text":
            items = [Segment("u1", words="नमस्ते"), Segment("u2")]
        if name == "plain-text":
            items = [Segment("v1", words="नमस्ते दीदी")]
        path = folder / f"v1{form.ending or form.suffixes[0]}"
        form.write(items, path)
        content = path.read_bytes()
        path.unlink()
        (folder / name).write_bytes(bytes([number]) + content)
        (folder / f"{name}-detect").write_bytes(bytes([len(names)]) + content)


def test_no_reader_stumbles(tmp_path: Path) -> None:
    pytest.importorskip("atheris")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    write_seeds(corpus)
    # The shell starts a process of its own: one that comes straight from this one would inherit how much memory this one ever
    # had, as far as the system tells, and libFuzzer, which looks at that, would take it for its own.
    apart = ["sh", "-c", '"$@"; exit $?', "sh"]
    command = [*apart, sys.executable, str(HARNESS), str(corpus), "-max_total_time=8", "-runs=20000", "-seed=1", "-timeout=10"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=120, check=False)
    assert run.returncode == 0, run.stderr[-3000:]


if __name__ == "__main__":
    write_seeds(Path(sys.argv[1]))
