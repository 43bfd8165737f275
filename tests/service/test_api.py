"""The API: what the pages show, by token, within its scopes, documented."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from tests.service import sites, worlds
from tests.service.sites import NAME, Site

API = "/api/v1"
PLACE = f"{API}/challenges/{NAME}/each/diarization/submissions"


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
    assert submits.get(place).json()["id"] == made.json()["id"]  # its own team's, so that it can be waited for
    others = site.hand_in("two@example.org", "each", "diarization", sites.answer(1.1))
    assert submits.get(f"{API}/submissions/{others}").status_code == 404
    assert submits.get(f"{API}/submissions").status_code == 403
    assert submits.get(f"{API}/challenges/{NAME}/each/diarization/kit").status_code == 200
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


def test_boards_and_their_history_are_what_the_pages_show(site: Site) -> None:
    for email, shift in (("one@example.org", 0.1), ("two@example.org", 0.3)):
        site.hand_in(email, "scores", "diarization", sites.answer(shift))
    site.score()
    anybody, place = site.program(), f"{API}/challenges/{NAME}/scores/diarization"
    board = anybody.get(f"{place}/board").json()
    assert [(row["rank"], row["team"]) for row in board["rows"]] == [(1, "Team one"), (2, "Team two")]
    assert all(row["values"][""][""]["der"][0] > 0 for row in board["rows"])
    assert [one["team"] for one in anybody.get(f"{place}/history").json()] == ["Team one", "Team two"]
    assert anybody.get(f"{place}/board?by=language:xx").status_code == 404
    assert anybody.get(f"{API}/challenges/{NAME}/scores/none/board").status_code == 404


def test_one_recording_is_shown_where_the_phase_shows_diagnoses(site: Site) -> None:
    made = site.hand_in("one@example.org", "each", "diarization", sites.answer(0.4))
    site.score()
    path = f"{API}/submissions/{made}/recordings/{sites.SESSIONS[0]}"
    assert site.program(site.token("one@example.org")).get(path).status_code == 404
    document = site.program(site.token("organiser@example.org", "read", "organise")).get(path).json()
    assert [one["id"] for one in document["recordings"]] == [sites.SESSIONS[0]]


def test_an_organiser_changes_phases_quotas_and_reads_the_log(site: Site) -> None:
    organiser = site.program(site.token("organiser@example.org", "read", "organise"))
    place = f"{API}/organise/challenges/{NAME}"
    changed = organiser.patch(f"{place}/phases/silent", json={"closes": "2031-01-01T00:00:00+05:30"}).json()
    assert [one["closes"] for one in changed if one["key"] == "silent"] == ["2030-12-31T18:30:00Z"]
    assert organiser.patch(f"{place}/phases/silent", json={"closes": None}).json()[0]["closes"] is None
    assert organiser.patch(f"{place}/phases/silent", json={"closes": "2031-01-01T00:00:00"}).status_code == 422
    assert organiser.post(f"{place}/phases/silent/reveal").json()[0]["revealed_at"]
    assert organiser.post(f"{place}/phases/silent/hide").json()[0]["revealed_at"] is None
    team = site.teams["one@example.org"]
    quota = {"phase": "silent", "track": "asr", "day": 7}
    teams = organiser.put(f"{place}/teams/{team}/quota", json=quota).json()
    assert [one["overrides"][0]["limits"]["day"] for one in teams if one["id"] == team] == [7]
    own = site.program(site.token("one@example.org")).get(f"{API}/challenges/{NAME}/team").json()
    assert [one["limits"]["day"] for one in own["quotas"] if (one["phase"], one["track"]) == ("silent", "asr")] == [7]
    actions = [one["action"] for one in organiser.get(f"{API}/organise/audit").json()]
    assert {"phase.changed", "phase.revealed", "phase.hidden", "quota.overridden"} <= set(actions)
    assert organiser.get(f"{API}/organise/jobs").json() == []
    assert organiser.get(f"{place}/contests").status_code == 200


def test_only_organisers_organise(site: Site) -> None:
    plain = [site.program(site.token("one@example.org")), site.program(site.token("organiser@example.org", "read", "submit"))]
    for method, path in sites.every_route():
        if path.startswith(f"{API}/organise"):
            address = path.format(
                challenge=NAME, phase="silent", team_id=site.teams["one@example.org"], submission_id="x", rescoring_id="x"
            )
            body = {"phase": "silent", "track": "asr", "metric_set": "x"} if path.endswith(("quota", "rescorings")) else {}
            if path.endswith("quota"):
                del body["metric_set"]
            sent = body if method in {"PATCH", "PUT", "POST"} else None
            assert site.program().request(method, address, json=sent).status_code == 401, address
            for program in plain:
                assert program.request(method, address, json=sent).status_code == 403, address


def test_references_are_had_where_the_book_is_open_and_nowhere_else(tmp_path: Path) -> None:
    made = sites.site(tmp_path, worlds.CHALLENGE, worlds.NAME)
    anybody = made.program()
    place = f"{API}/challenges/{worlds.NAME}"
    answer = anybody.get(f"{place}/dev/diarization/references")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert sorted(archive.namelist()) == sorted(path.name for path in (worlds.EXAMPLES / "rttm").iterdir())
    assert f'href="{place}/dev/diarization/references"' in made.browser().get(f"/c/{worlds.NAME}").text
    assert f'href="{place}/eval/diarization/references"' not in made.browser().get(f"/c/{worlds.NAME}").text
    for path in ("eval/diarization", "after/asr", "none/asr", "dev/none"):
        for client in (anybody, made.program(made.token("one@example.org"))):
            assert client.get(f"{place}/{path}/references").status_code == 404
    made.close()
