"""The API's boards, scores over time, recordings and comparisons say what the pages show, and no more."""

from __future__ import annotations

import pytest

from parakh.results import Results
from tests.service import sites
from tests.service.sites import NAME, Site

API = "/api/v1"


@pytest.fixture(scope="module")
def ids(site: Site) -> list[str]:
    made = [
        site.hand_in("one@example.org", "each", "diarization", sites.answer()),
        site.hand_in("one@example.org", "each", "diarization", sites.answer(0.5)),
        site.hand_in("two@example.org", "each", "diarization", sites.answer(0.2)),
        site.hand_in("one@example.org", "silent", "diarization", sites.answer()),
    ]
    site.score()
    return made


def test_a_board_and_its_history(site: Site, ids: list[str]) -> None:
    program = site.program()
    board = program.get(f"{API}/challenges/{NAME}/each/diarization/board").json()
    assert [row["submission"] for row in board["rows"]] == [ids[0], ids[2]]
    assert [row["rank"] for row in board["rows"]] == [1, 2]
    history = program.get(f"{API}/challenges/{NAME}/each/diarization/history").json()
    assert [one["submission"] for one in history] == [ids[0], ids[2]]
    assert history[1]["best"] == history[0]["value"]
    assert program.get(f"{API}/challenges/{NAME}/each/diarization/board?by=language:xx").status_code == 404
    silent = program.get(f"{API}/challenges/{NAME}/silent/diarization/board").json()
    assert [(row["team"], row["values"], row["submission"]) for row in silent["rows"]] == [("Team one", {}, "")]
    assert program.get(f"{API}/challenges/{NAME}/silent/diarization/history").json() == []


def test_a_recording_is_for_those_who_may_see_alignments(site: Site, ids: list[str]) -> None:
    place = f"{API}/submissions/{ids[0]}/recordings/visit1"
    assert site.program().get(place).status_code == 401
    assert site.program(site.token("one@example.org")).get(place).status_code == 404
    organiser = site.program(site.token("organiser@example.org", "read", "organise"))
    found = Results.from_json(organiser.get(place).text)
    assert [one.id for one in found.recordings] == ["visit1"]
    assert found.recordings[0].detail["reference"]
    assert organiser.get(f"{API}/submissions/{ids[0]}/recordings/nowhere").status_code == 404


def test_own_submissions_compare_and_those_of_others_do_not(site: Site, ids: list[str]) -> None:
    program = site.program(site.token("one@example.org"))
    found = program.get(f"{API}/compare?a={ids[0]}&b={ids[1]}").json()
    assert found["pairs"][0]["metric"] == "der"
    assert found["pairs"][0]["difference"] < 0
    assert program.get(f"{API}/compare?a={ids[0]}&b={ids[2]}").status_code == 404
    assert program.get(f"{API}/compare?a={ids[0]}&b={ids[3]}").status_code == 404
    organiser = site.program(site.token("organiser@example.org", "read", "organise"))
    assert organiser.get(f"{API}/compare?a={ids[0]}&b={ids[2]}").status_code == 200
    assert organiser.get(f"{API}/compare?a={ids[0]}&b={ids[3]}").status_code == 200  # of another phase with the same references
    assert organiser.get(f"{API}/compare?a={ids[0]}&b={ids[0]}").status_code == 422
