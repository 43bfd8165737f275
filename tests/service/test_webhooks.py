"""Webhooks: a real program receives them; who is told of what, when again, and where they never go."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from parakh.leaderboard import audit, posting, webhooks
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Contest, PhaseRow, Submission, Webhook
from parakh.leaderboard.posting import NotDeliveredError, post
from parakh.leaderboard.webhooks import Call, deliver, due
from tests.service.made_boards import START, Made
from tests.service.receiver import Receiver, receiver

ADDRESS = "https://example.org"


@pytest.fixture
def made(database: Database, tmp_path: Path) -> Made:
    return Made(database, tmp_path)


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[Receiver]:
    with receiver(tmp_path / "receiver") as running:
        yield running


def hook(made: Made, address: str = "http://127.0.0.1:1/", days: float = -1) -> tuple[str, str]:
    """A webhook's id and secret."""
    with made.database.write() as session:
        one = Webhook(challenge_id=session.get_one(Contest, made.contest_id).phase.challenge_id, address=address)
        one.secret, one.made_at = posting.new_secret(), START + timedelta(days=days)
        session.add(one)
        session.flush()
        return one.id, one.secret


def send(made: Made, call: Call) -> Call | None:
    return deliver(made.database, call, ADDRESS, allow_private=True)


def test_a_message_arrives_signed_once_and_is_in_the_log(made: Made, listening: Receiver) -> None:
    key, secret = hook(made, listening.address())
    best = made.hand_in("दल", [0.25] * 4)
    (call,) = due(made.database, made.contest_id, now())
    assert call == Call(key, best)
    assert send(made, call) is None
    assert send(made, call) is None  # a second worker
    (request,) = listening.requests()
    assert request["path"] == "/hook?a=1"
    assert json.loads(request["body"]) == {
        "type": "best.new",
        "timestamp": START.isoformat(),
        "data": {
            "challenge": "visits", "phase": "eval", "track": "asr", "team": "दल", "submission": best,
            "metric": "wer", "value": 0.25, "before": None, "board": "https://example.org/c/visits/eval/asr",
        },
    }  # fmt: skip
    headers = request["headers"]
    whole = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{request['body']}"
    mark = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), whole.encode(), hashlib.sha256).digest()
    assert headers["webhook-signature"] == "v1," + base64.b64encode(mark).decode()
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
    assert due(made.database, made.contest_id, now()) == []
    (event,) = audit.read(made.database)
    assert (event.action, event.challenge, event.detail["attempts"]) == ("webhook.told", "visits", 1)
    assert secret not in json.dumps(event.detail)


def test_only_what_came_after_the_webhook_and_everybody_may_see_is_told(made: Made) -> None:
    made.hand_in("one", [0.5] * 4, days=-2)
    hook(made)
    second = made.hand_in("one", [0.4] * 4)
    made.hand_in("one", [0.45] * 4)
    late = made.hand_in("two", [0.3] * 4, days=3)
    freeze, later = START + timedelta(days=2), START + timedelta(days=4)
    made.change(lambda session: setattr(session.scalars(select(PhaseRow)).one(), "freezes", freeze))
    assert [call.submission_id for call in due(made.database, made.contest_id, later)] == [second]
    made.change(lambda session: setattr(session.scalars(select(PhaseRow)).one(), "revealed_at", later))
    assert [call.submission_id for call in due(made.database, made.contest_id, later)] == [second, late]
    made.change(lambda session: setattr(session.get_one(Contest, made.contest_id).phase.challenge, "is_public", False))
    assert due(made.database, made.contest_id, later) == []


def test_what_a_reveal_makes_public_is_told_to_those_who_listened_by_then(made: Made) -> None:
    made.change(lambda session: setattr(session.scalars(select(PhaseRow)).one(), "shows", 0))
    best = made.hand_in("one", [0.5] * 4)
    hook(made, days=1)
    assert due(made.database, made.contest_id, START + timedelta(days=2)) == []
    made.change(lambda session: setattr(session.scalars(select(PhaseRow)).one(), "revealed_at", START + timedelta(days=2)))
    assert [call.submission_id for call in due(made.database, made.contest_id, START + timedelta(days=2))] == [best]


def test_what_is_withdrawn_meanwhile_is_not_told(made: Made, listening: Receiver) -> None:
    hook(made, listening.address())
    made.hand_in("one", [0.5] * 4)
    (call,) = due(made.database, made.contest_id, now())
    made.change(lambda session: setattr(session.scalars(select(Submission)).one(), "is_withdrawn", True))
    assert send(made, call) is None
    assert listening.requests() == []


def test_an_error_is_tried_again_with_growing_pauses_and_then_given_up(made: Made, tmp_path: Path) -> None:
    with receiver(tmp_path / "receiver", "500") as listening:
        hook(made, listening.address())
        made.hand_in("one", [0.5] * 4)
        (call,) = due(made.database, made.contest_id, now())
        pauses = []
        following: Call | None = call
        while following is not None:
            pauses.append(following.pause)
            following = send(made, following)
        assert pauses == [0.0, *webhooks.PAUSES]
        requests = listening.requests()
    assert len(requests) == 1 + len(webhooks.PAUSES)
    assert len({request["headers"]["webhook-id"] for request in requests}) == 1
    (event,) = audit.read(made.database)
    assert (event.action, event.detail["reason"]) == ("webhook.given-up", "the answer had status 500")
    assert due(made.database, made.contest_id, now()) == []


def test_a_receiver_that_is_gone_for_good_is_not_tried_again(made: Made, tmp_path: Path) -> None:
    with receiver(tmp_path / "receiver", "410") as listening:
        hook(made, listening.address())
        made.hand_in("one", [0.5] * 4)
        (call,) = due(made.database, made.contest_id, now())
        assert send(made, call) is None
    assert audit.read(made.database)[0].action == "webhook.given-up"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"])
def test_the_own_network_is_told_nothing_unless_the_organiser_allows(listening: Receiver, host: str) -> None:
    with pytest.raises(NotDeliveredError, match="of the own network"):
        post(listening.address(host), b"{}", {})
    assert listening.requests() == []


def test_a_name_is_looked_up_once(listening: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    real = socket.getaddrinfo

    def answers(host: str, *args: object, **more: object) -> object:
        asked.append(host)
        return real("93.184.215.14" if len(asked) == 1 else "127.0.0.1", *args, **more)  # type: ignore[arg-type]

    connected = []

    def connect(address: tuple[str, int], *args: object) -> socket.socket:
        connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", answers)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(NotDeliveredError, match="no answer"):
        post("http://rebinding.example/", b"{}", {})
    assert (asked, connected) == (["rebinding.example"], ["93.184.215.14"])


def test_a_redirection_is_not_followed(tmp_path: Path) -> None:
    with receiver(tmp_path / "receiver", "307") as listening, pytest.raises(NotDeliveredError, match="status 307"):
        post(listening.address(), b"{}", {}, allow_private=True)
    assert len(Receiver(tmp_path / "receiver", listening.process).requests()) == 1


def test_an_answer_that_drips_ends_in_time(tmp_path: Path) -> None:
    with receiver(tmp_path / "receiver", "drip") as listening:
        started = time.monotonic()
        with pytest.raises(NotDeliveredError, match="no answer"):
            post(listening.address(), b"{}", {}, allow_private=True, seconds=1.5)
        assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:1/",
        f"http://{300 * 'a'}.example/",
        "http://127.0.0.1:99999/",
        "http://[::1",
        "http://127.0.0.1:1/a b\r\nc",
    ],
)
def test_whatever_the_address_is_it_is_only_not_delivered(address: str) -> None:
    with pytest.raises(NotDeliveredError):
        post(address, b"{}", {}, allow_private=True, seconds=2)


def test_no_thread_is_left(listening: Receiver) -> None:
    before = threading.active_count()
    post(listening.address(), b"{}", {}, allow_private=True)
    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before
