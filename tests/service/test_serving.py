"""The socket of a server: whose fault it is where there is none."""

from __future__ import annotations

import pytest

from parakh.errors import InputError
from parakh.leaderboard.serving import listen


@pytest.mark.parametrize(
    ("host", "port", "words"),
    [
        ("127.0.0.1", 99999, "--port: found 99999, expected a number from 0 to 65535"),
        ("127.0.0.1", -1, "--port: found -1, expected a number from 0 to 65535"),
        ("300.1.1.1", 0, "--host: found '300.1.1.1' ("),
        ("192.0.2.1", 0, "--host: found '192.0.2.1' ("),
    ],
)
def test_what_cannot_be_listened_on_is_told_by_its_option(host: str, port: int, words: str) -> None:
    with pytest.raises(InputError) as error:
        listen(host, port)
    assert str(error.value).startswith(words)
    assert "already" not in str(error.value)


def test_a_port_that_is_taken_is_told_as_that() -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(InputError, match=r"--port: found .*Is a server running already\?"):
        listen("127.0.0.1", taken.getsockname()[1])
