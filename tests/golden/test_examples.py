"""The bundled conversations are a data set in which nothing is wrong, and its manifest is what its program writes."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from parakh.dataset.checking import check
from parakh.dataset.manifest import as_recordings, load

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_nothing_is_found_in_them_without_listening():
    found = check([EXAMPLES], audio="header")
    assert found.findings == ()
    assert len(found.recordings) == 4


def test_checksums_are_those_of_the_files():
    for entry in load(EXAMPLES).entries:
        for kind, digest in entry.sha256.items():
            path = entry.recording.audio if kind == "audio" else entry.files[kind]
            assert hashlib.sha256(Path(path).read_bytes()).hexdigest() == digest
        assert set(entry.files) == {"rttm", "transcript", "topics", "summary"}


def test_everything_the_template_asks_for_is_known():
    for entry in load(EXAMPLES).entries:
        assert {"state", "district", "place", "environment", "group", "device", "consent"} <= set(entry.recording.metadata)
        assert all(one.person and one.role and one.age and one.sex and one.consent == "yes" for one in entry.speakers)
    assert '"sex": "f"' in as_recordings(load(EXAMPLES))[0].metadata["speakers"]


def test_the_manifest_is_what_its_program_writes(tmp_path):
    here = tmp_path / "examples"
    shutil.copytree(EXAMPLES, here)
    before = {name: (here / name).read_bytes() for name in ("recordings.jsonl", "metadata.csv")}
    (here / "metadata.csv").unlink()
    subprocess.run([sys.executable, here / "scripts/manifest.py"], check=True)
    assert {name: (here / name).read_bytes() for name in before} == before
