"""Whatever lies in a folder, ``parakh check`` tells or refuses; whatever is in a baseline is known again, and only that."""

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parakh.dataset import baseline
from parakh.dataset.checking import check
from parakh.errors import InputError
from parakh.types import Finding, Severity
from tests.contract.test_materials import TALK, TURN, listed

CALM = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
NAMES = st.sampled_from(
    ("v1.rttm", "v1.txt", "v2_SPEAKER.rttm", "native/v1.txt", "v1.wav", "v1.uem", "topics.csv", "recordings.jsonl", "metadata.csv", "x", "v1.json", "v1.stm", "parakh.toml")
)  # fmt: skip
GOOD = (
    TURN.format("v1"),
    TALK.format("v1"),
    "rec_id,topics\nv1,Fever\n",
    listed(files={"rttm": "v1.rttm", "transcript": "v1.txt"}, audio="v1.wav"),
    "session_id,speaker,role\nv1,a,other\n",
    "v1 1 0 9\n",
    '[{"session_id": "v1", "words": "a", "start_time": 0, "end_time": 1}]',
    "[check]\n",
)
CONTENT = st.one_of(
    st.sampled_from(GOOD).map(str.encode),
    st.binary(max_size=40),
    st.tuples(st.sampled_from(GOOD), st.integers(0, 60), st.binary(max_size=4)).map(
        lambda one: one[0].encode()[: one[1]] + one[2] + one[0].encode()[one[1] :]
    ),
)


@CALM
@given(st.dictionaries(NAMES, CONTENT, max_size=6))
def test_any_folder_is_checked_or_refused(contents: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in contents.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        try:
            found = check(folder, audio="none")
        except InputError as error:
            found = None
            faults = error.faults
        if found is None:
            assert faults
            assert all(fault.path.startswith(folder) for fault in faults)
        else:
            assert found.recordings
            assert found == check(folder, audio="none", jobs=2)


FINDINGS = st.lists(
    st.builds(
        Finding,
        st.sampled_from(("QC190", "QC404")),
        st.text("ab1 9.:", max_size=5),
        st.sampled_from(Severity),
        st.sampled_from((None, "v1", "v2")),
        st.sampled_from((None, "a.txt", "b/c.txt")),
        st.none() | st.integers(1, 9),
    ),
    max_size=12,
)


@CALM
@given(FINDINGS, FINDINGS)
def test_a_baseline_knows_what_it_was_made_of_and_no_more(old: list[Finding], new: list[Finding]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "known.json")
        baseline.write(old, path)
        assert baseline.sift(old, path) == baseline.Sifted((), len(old), 0)
        sifted = baseline.sift(new, path)
        before, now = (Counter(baseline.key(one, path.parent) for one in findings) for findings in (old, new))
        assert Counter(baseline.key(one, path.parent) for one in sifted.new) == now - before
        assert (sifted.known, sifted.gone) == ((now & before).total(), (before - now).total())
        baseline.write(reversed(old), Path(folder, "again.json"))
        assert Path(folder, "again.json").read_bytes() == path.read_bytes()
