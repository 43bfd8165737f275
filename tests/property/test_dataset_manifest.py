"""A manifest comes back as it was, and the loader takes exactly what the published schema takes."""

import json
import tempfile
from pathlib import Path

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.dataset import schema
from parakh.dataset.manifest import Dataset, load, save
from parakh.dataset.values import KINDS, RESERVED, SPEAKER_FIELDS, is_text
from parakh.errors import InputError
from parakh.formats import is_file_name
from parakh.types import Entry, Recording, Speaker

VALIDATOR = jsonschema.Draft202012Validator(json.loads(schema.text("recordings")))

signs = st.one_of(st.sampled_from('ab ,;"\\|./क़ಕ\u00a0\u2028\u200d\u202e\ufeff\t\n\x85'), st.characters())
raw = st.text(signs, max_size=8)
texts = raw.filter(is_text)
ids = texts.filter(is_file_name)
names = texts.filter(lambda one: one not in RESERVED | {*SPEAKER_FIELDS})
fields = st.dictionaries(names, texts, max_size=3)
known = st.none() | texts
parts = st.lists(st.sampled_from(["a", "ब", "c d", "..x", "x.."]), min_size=1, max_size=3).map("/".join)
digests = st.text("0123456789abcdef", min_size=64, max_size=64)
seconds = st.floats(0, 1e9, exclude_min=True)


@st.composite
def entries(draw):
    session = draw(ids)
    labels = draw(st.lists(texts, max_size=3, unique=True))
    speakers = tuple(
        Speaker(session, label, **{name: draw(known) for name in SPEAKER_FIELDS}, metadata=draw(fields)) for label in labels
    )
    return Entry(
        Recording(session, draw(st.none() | parts), draw(st.none() | seconds), draw(known), draw(fields)),
        draw(st.dictionaries(st.sampled_from(KINDS), parts, max_size=3)),
        speakers,
        draw(known),
        draw(st.dictionaries(st.sampled_from(["audio", *KINDS]), digests, max_size=2)),
    )


@given(st.lists(entries(), max_size=4, unique_by=lambda one: one.session_id))
@settings(max_examples=100)
def test_a_manifest_comes_back_as_it_was(found):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        placed = tuple(
            Entry(
                Recording(one.session_id, one.recording.audio and str(root / one.recording.audio), *_rest(one.recording)),
                {kind: str(root / path) for kind, path in one.files.items()},
                one.speakers,
                one.split,
                one.sha256,
            )
            for one in found
        )
        save(Dataset(root, placed))
        assert load(root).entries == placed
        written = {path.name: path.read_bytes() for path in root.iterdir()}
        save(load(root))
        assert {path.name: path.read_bytes() for path in root.iterdir()} == written
        for line in written["recordings.jsonl"].decode().split("\n")[:-1]:
            VALIDATOR.validate(json.loads(line))


def _rest(recording):
    return recording.duration, recording.language, recording.metadata


paths = st.one_of(parts, st.sampled_from(["", "/a", "../a", "a/..", "a/../b", "..", "a\n", " a", "a\\..\\b"]), raw)
odd = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | raw,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(raw, inner, max_size=2),
    max_leaves=4,
)
lines = st.fixed_dictionaries(
    {"session_id": st.one_of(ids, ids, raw, odd)},
    optional={
        "audio": st.one_of(paths, odd),
        "duration": st.one_of(seconds, st.just(0), st.just(2e9), odd),
        "language": st.one_of(texts, odd),
        "split": st.one_of(texts, odd),
        "files": st.one_of(st.dictionaries(st.sampled_from([*KINDS, "rtm"]), paths, max_size=2), odd),
        "sha256": st.one_of(st.dictionaries(st.sampled_from(["audio", "rttm", "x"]), digests | raw, max_size=2), odd),
        "place": odd,
    },
)
with_more = st.builds(lambda line, more: {**more, **line}, lines, st.dictionaries(raw | st.just("speaker"), odd, max_size=1))


@given(lines | with_more)
@settings(max_examples=300)
def test_the_loader_takes_exactly_what_the_schema_takes(line):
    text = json.dumps(line)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "recordings.jsonl").write_text(text + "\n", encoding="utf-8")
        try:
            taken = bool(load(folder).entries)
        except InputError:
            taken = False
        assert taken == VALIDATOR.is_valid(json.loads(text)), text
        if taken:
            save(load(folder))
            assert VALIDATOR.is_valid(json.loads((Path(folder) / "recordings.jsonl").read_text(encoding="utf-8")))
