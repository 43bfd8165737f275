"""What the detail of a submission may hold: nothing of another track's references."""

from dataclasses import replace
from pathlib import Path

from parakh import formats
from parakh.leaderboard.challenge_file import load_challenge, load_references
from parakh.leaderboard.references import measure
from parakh.types import Summary

FOLDER = Path(__file__).parents[2] / "examples" / "challenge"


def test_transcripts_that_summaries_are_checked_against_stay_hidden() -> None:
    challenge = load_challenge(FOLDER / "challenge.toml")
    own = challenge.track("summarization")
    metric_set = replace(own.metric_set, metrics=("rougeL", "summary_numbers"), level=None)
    facts = replace(
        challenge, tracks=tuple(replace(one, metric_set=metric_set) if one == own else one for one in challenge.tracks)
    )
    references = load_references(facts, FOLDER, "dev", "summarization")
    assert references.transcripts
    answers = formats.load([str(FOLDER / "systems" / "embedded" / "summaries")], Summary).items
    wanted = {one.session_id for one in references.items}
    results = measure(metric_set, references, [one for one in answers if one.session_id in wanted], "s", detail=True)
    assert all(one.detail["hypothesis"] for one in results.recordings)
    assert all({"reference", "hypothesis", "language"} >= set(one.detail) for one in results.recordings)
    text = results.to_json()
    assert not any(turn.words in text for turn in references.transcripts if len(turn.words) > 20)
