"""What a data set's own files give back of any recording is what was put in."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.dataset import manifest
from parakh.dataset.content import Content, contents
from parakh.dataset.importing import Arrival, Options, _store
from parakh.errors import InputError
from parakh.types import Entry, Recording, Segment, Summary, Topics

NAME = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C"), exclude_characters="/\\"), min_size=1, max_size=5)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=15)
TIME = st.integers(0, 10**6).map(lambda n: n / 1000) | st.floats(0, 1e4)


@st.composite
def spoken(draw: st.DrawFn) -> tuple[Segment, ...]:
    made = []
    for number in range(draw(st.integers(0, 4))):
        start, end = sorted((draw(TIME), draw(TIME)))
        timed = draw(st.booleans())
        made.append(
            Segment(
                "v1",
                draw(st.none() | NAME),
                start if timed else None,
                end if timed else None,
                draw(TEXT),
                draw(st.none() | NAME),
                draw(st.sampled_from([None, "hi"])),
                draw(st.none() | NAME),
                draw(st.none() | NAME),
                draw(st.none() | st.floats(0, 1)),
                tuple(draw(st.lists(TEXT, max_size=1))),
            )
        )
        made[-1] = Segment(
            **{**{name: getattr(made[-1], name) for name in made[-1].__dataclass_fields__}, "segment_id": f"s{number}"}
        )
    return tuple(made)


@settings(max_examples=150, deadline=None)
@given(transcript=st.none() | spoken(), native=st.none() | spoken(), topic=st.none() | NAME, summary=st.none() | TEXT)
def test_a_staged_recording_is_read_back_or_refused(transcript, native, topic, summary):
    content = Content(
        Entry(Recording("v1", duration=1.0, language="hi")),
        transcript=transcript,
        native=native,
        topics=None if topic is None else Topics("v1", (topic,)),
        summary=None if summary is None else Summary("v1", summary),
    )
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        try:
            record = _store.stage(Arrival(content, folder / "source"), Options(), folder, folder / "elsewhere")
        except InputError:
            return  # a name or text that no file here can hold
        assert _store.is_staged(record, folder)
        entry = _store.entry(record, folder)
        manifest.save(manifest.Dataset(folder, (entry,)))
        (again,) = contents(manifest.load(folder))
        assert again.transcript == transcript
        assert again.native == native
        labels = {one.speaker for one in (*(transcript or ()), *(native or ())) if one.speaker is not None}
        assert {one.speaker for one in again.entry.speakers} == labels
        timed = transcript and all(one.speaker and one.start_time is not None for one in transcript)
        assert (again.turns is not None) == bool(timed)
        if timed:
            assert [(one.speaker, one.start_time, one.end_time) for one in again.turns] == [
                (one.speaker, one.start_time, one.end_time) for one in transcript
            ]
        assert record["topics"] == (None if topic is None else [topic])
        assert record["summary"] == summary
