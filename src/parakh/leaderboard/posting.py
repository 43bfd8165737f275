"""A message to an address that somebody typed in: signed, within limits of time, and never into the own network."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import ipaddress
import secrets
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from urllib.parse import SplitResult, urlsplit

from parakh.errors import ParakhError

SECONDS = 10.0
"""That connecting and every answer may take; all together twice as long."""
_MOST_HOSTS = 4
"""Addresses of one name that are tried."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotDeliveredError(ParakhError):
    """A message did not arrive; ``for_good`` where trying again is of no use."""

    def __init__(self, reason: str, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.for_good = for_good


def post(address: str, body: bytes, headers: Mapping[str, str], *, allow_private: bool = False, seconds: float = SECONDS) -> None:
    """Send a message; it counts as delivered with a status from 200 to 299.

    The name is looked up once, and what it leads to is checked and connected to, so that no second look-up leads elsewhere.
    Redirections are not followed, and of the answer only the status is read.

    Args:
        address: An http or https address.
        body: The message.
        headers: Of the request.
        allow_private: Whether it may go to this machine and its network.
        seconds: That connecting and the answer may take each.

    Raises:
        NotDeliveredError: It did not arrive.
    """
    try:
        parts = urlsplit(address)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:
        raise NotDeliveredError(f"its name leads nowhere ({error})") from error
    hosts = list(dict.fromkeys(str(one[4][0]).partition("%")[0] for one in found))
    private = [host for host in hosts if not is_public(host)]
    if private and not allow_private:
        raise NotDeliveredError(f"{parts.hostname} is {private[0]}, an address of the own network")
    try:
        status = _status(_Connection(parts, port, hosts[:_MOST_HOSTS], seconds), parts, body, headers)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NotDeliveredError(f"no answer ({str(error) or type(error).__name__})") from error
    if not 200 <= status <= 299:
        raise NotDeliveredError(f"the answer had status {status}", for_good=status == http.client.GONE)


def is_public(host: str) -> bool:
    """Whether an IP address is one of the public internet, whatever it is wrapped in.

    >>> [is_public(host) for host in ("93.184.215.14", "127.0.0.1", "::ffff:192.168.0.1", "64:ff9b::7f00:1", "fe80::1")]
    [True, False, False, False, False]
    """
    address: IPAddress = ipaddress.ip_address(host)
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        address = inner or address
    return address.is_global and not address.is_multicast


def leads_inward(host: str) -> bool:
    """Whether a host is this machine or one of its network, as far as can be told without looking a name up.

    >>> [leads_inward(host) for host in ("example.org", "localhost", "127.1", "10.0.0.1", "::1", "93.184.215.14")]
    [False, True, True, True, True, False]
    """
    if host == "localhost" or host.endswith((".localhost", ".localhost.", "localhost.")):
        return True
    try:
        found = socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return False
    return any(not is_public(str(one[4][0]).partition("%")[0]) for one in found)


def new_secret() -> str:
    """What a receiver gets to know messages by.

    >>> new_secret()[:6]
    'whsec_'
    """
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"


def signed(key: str, body: bytes, secret: str, at: datetime) -> dict[str, str]:
    """The headers that let a receiver know who sent a message, and when.

    Args:
        key: Of the message; the same when it is sent again.
        body: The message.
        secret: "whsec_" and base64, as both sides have it.
        at: When it is sent.

    Source: the Standard Webhooks specification, 1.0.0 (HMAC-SHA256 over "key.seconds.body").

    >>> from datetime import UTC
    >>> found = signed("a", b"{}", "whsec_" + base64.b64encode(b"secret").decode(), datetime(2026, 1, 1, tzinfo=UTC))
    >>> found["webhook-id"], found["webhook-timestamp"], found["webhook-signature"][:3]
    ('a', '1767225600', 'v1,')
    """
    moment = str(int(at.timestamp()))
    whole = b".".join((key.encode(), moment.encode(), body))
    mark = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), whole, hashlib.sha256).digest()
    return {"webhook-id": key, "webhook-timestamp": moment, "webhook-signature": f"v1,{base64.b64encode(mark).decode()}"}


class _Connection(http.client.HTTPConnection):
    """A connection to addresses that are known already; https where the address says so."""

    def __init__(self, parts: SplitResult, port: int, hosts: list[str], seconds: float) -> None:
        super().__init__(parts.hostname or "", port, timeout=seconds)
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._hosts = hosts
        self.default_port = 443 if self._tls else 80  # which the Host header leaves off

    def connect(self) -> None:
        """To the first that answers."""
        for host in self._hosts:
            try:
                self.sock = socket.create_connection((host, self.port), self.timeout)
                break
            except OSError:
                if host == self._hosts[-1]:
                    raise
        if self._tls:
            self.sock = self._tls.wrap_socket(self.sock, server_hostname=self.host)


def _status(connection: _Connection, parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> int:
    def end() -> None:
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(2 * (connection.timeout or SECONDS), end)  # an answer that drips is within each time-out
    try:
        connection.connect()
        timer.start()
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body, {"Content-Type": "application/json", "User-Agent": "parakh", **headers})
        return connection.getresponse().status
    finally:
        timer.cancel()
        connection.close()
