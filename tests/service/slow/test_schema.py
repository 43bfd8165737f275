"""The API called with what its own documentation allows, and with what it does not: every answer is one that is documented."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from parakh.leaderboard.web.app import make_app
from tests.service import sites
from tests.service.sites import Site

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def site(site: Site) -> Site:
    site.hand_in("one@example.org", "each", "diarization", sites.answer())
    site.score()
    return site


@pytest.mark.parametrize(
    ("who", "scopes"), [("organiser", ("read", "submit", "organise")), ("one", ("read", "submit")), ("", ())]
)
def test_every_answer_is_documented(site: Site, who: str, scopes: tuple[str, ...]) -> None:
    headers = {"Authorization": f"Bearer {site.token(f'{who}@example.org', *scopes)}"} if who else {}
    app = make_app(replace(site.settings, address="http://testserver"))  # as schemathesis calls it
    documented = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    operations = [one.ok() for one in documented.get_all_operations()]
    assert len(operations) >= 30
    for operation in operations:
        call_it(operation, headers)


def call_it(operation: Any, headers: dict[str, str]) -> None:
    """One operation with a few bodies and parameters, fitting ones and others."""
    sent = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode))

    @given(case=sent)
    @settings(max_examples=5, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    def answers(case: Case) -> None:
        case.call_and_validate(headers=headers, checks=CHECKS)

    answers()
