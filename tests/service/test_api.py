"""The API: what the pages show, by token, within its scopes, documented."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service import sites
from tests.service.sites import NAME, Site

API = "/api/v1"
PLACE = f"{API}/challenges/{NAME}/each/diarization/submissions"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    made = sites.site(tmp_path_factory.mktemp("site"))
    yield made
    made.database.close()


def test_a_submission_from_upload_to_withdrawal(site: Site) -> None:
    program = site.program(site.token("one@example.org"))
    made = program.post(PLACE, data={"system": "Ours", "tags": ["a", "b, c"]}, files={"file": ("a.rttm", sites.answer())})
    assert made.status_code == 201, made.text
    place = f"{API}/submissions/{made.json()['id']}"
    assert made.json()["tags"] == ["a", "b", "c"]
    site.score()
    seen = program.get(place).json()
    assert (seen["state"], seen["sight"], [one["id"] for one in seen["recordings"]]) == (
        "scored",
        "recordings",
        list(sites.SESSIONS),
    )
    assert seen["scores"]["der"]["value"] > 0
    changed = program.patch(place, json={"description": "नया"}).json()
    assert (changed["description"], changed["system"]) == ("नया", "Ours")
    assert program.get(f"{place}/file").content == sites.answer()
    assert program.post(f"{place}/withdraw").json()["is_withdrawn"] is True
    assert program.post(f"{place}/choose").status_code == 409
    lines = program.get(f"{API}/submissions").json()
    assert [(one["id"], one["is_withdrawn"]) for one in lines] == [(seen["id"], True)]


def test_scopes_bound_what_a_token_does(site: Site) -> None:
    reads, submits = (site.program(site.token("one@example.org", scope)) for scope in ("read", "submit"))
    assert reads.post(PLACE, files={"file": ("a.rttm", b"x")}).status_code == 403
    assert submits.get(f"{API}/challenges").status_code == 403  # else it would see what its user sees
    made = submits.post(PLACE, files={"file": ("a.rttm", sites.answer(1.0))})
    assert made.status_code == 201
    place = f"{API}/submissions/{made.json()['id']}"
    assert submits.get(place).status_code == 403
    assert reads.get(place).status_code == 200
    for method, path in (("POST", f"{place}/withdraw"), ("POST", f"{place}/choose")):
        assert reads.request(method, path).status_code == 403
    assert reads.patch(place, json={"system": "x"}).status_code == 403


def test_an_organisers_token_organises_only_where_it_says_so(site: Site) -> None:
    made = site.hand_in("two@example.org", "silent", "diarization", sites.answer(1.2))
    plain, organises = (
        site.program(site.token("organiser@example.org", *scopes)) for scopes in (("read",), ("read", "organise"))
    )
    assert plain.get(f"{API}/submissions/{made}").status_code == 404
    assert organises.get(f"{API}/submissions/{made}").json()["sight"] == "diagnosis"


def test_faults_come_as_problem_documents(site: Site) -> None:
    program = site.program(site.token("one@example.org"))
    for answer, status in (
        (program.get(f"{API}/none"), 404),
        (program.get(f"{API}/submissions/none"), 404),
        (program.delete(f"{API}/submissions/none"), 405),
        (program.patch(f"{API}/submissions/none", json={"unknown": 1}), 422),
        (program.patch(f"{API}/submissions/none", content=b"{", headers={"Content-Type": "application/json"}), 422),
        (program.post(PLACE, json={}), 415),
        (program.post(PLACE, data={"system": "x"}), 422),
        (site.program().get(f"{API}/me"), 401),
        (site.program("none").get(f"{API}/challenges"), 401),
    ):
        problem = answer.json()
        assert (answer.status_code, problem["status"]) == (status, status), answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert problem["title"]
    answer = site.program().get(f"{API}/challenges", headers={"Authorization": "Basic YTpi"})
    assert answer.status_code == 401


def test_everything_is_documented_with_its_errors(site: Site) -> None:
    document = site.program().get("/api/openapi.json").json()
    described = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert described == {(method, path) for method, path in sites.every_route() if path.startswith("/api/")}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            assert operation["description"], (method, path)
            assert {"401", "403", "404", "422", "429"} <= set(operation["responses"]), (method, path)
            problem = operation["responses"]["422"]["content"]
            assert list(problem) == ["application/problem+json"], (method, path, problem)
            assert operation["security"] == [{"HTTPBearer": []}], (method, path)


def test_anybody_sees_challenges_and_kits_and_nothing_of_teams(site: Site) -> None:
    anybody = site.program()
    shown = anybody.get(f"{API}/challenges/{NAME}").json()
    assert [one["key"] for one in shown["phases"]] == list(sites.PHASES)
    assert shown["team_id"] is None
    kit = anybody.get(f"{API}/challenges/{NAME}/each/asr/kit").json()
    assert [one["session_id"] for one in kit["recordings"]] == list(sites.SESSIONS)
    assert anybody.get(f"{API}/challenges/{NAME}/team").status_code == 401
    assert anybody.get(f"{API}/submissions").status_code == 401
