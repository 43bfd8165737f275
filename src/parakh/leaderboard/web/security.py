"""What keeps a browser's visit safe: cookies, tokens in forms, headers, host names, the size of what is sent."""

from __future__ import annotations

import base64
import hmac
import secrets
from collections.abc import Sequence
from hashlib import sha256
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parakh.leaderboard.settings import Settings

SMALL_BODY = 256 * 1024
"""Bytes that any request may send but an upload, which has the settings' own limit."""

_DAYS_14 = 14 * 24 * 3600
_YEAR = 365 * 24 * 3600
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "img-src 'self' data:",
        "media-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Of every answer that does not say otherwise itself."""


def cookie_name(settings: Settings, purpose: str) -> str:
    """The name of a cookie; over TLS with the prefix that ties it to this very host.

    Args:
        settings: Of the service.
        purpose: "session", "visit" or "oidc".
    """
    return f"__Host-parakh-{purpose}" if settings.secure else f"parakh-{purpose}"


def set_cookie(settings: Settings, response: Response, purpose: str, value: str, seconds: int = _DAYS_14) -> None:
    """Give a browser a cookie that scripts cannot read and other sites cannot send along with a form."""
    name = cookie_name(settings, purpose)
    response.set_cookie(name, value, max_age=seconds, path="/", secure=settings.secure, httponly=True, samesite="lax")


def drop_cookie(settings: Settings, response: Response, purpose: str) -> None:
    """Take a cookie back."""
    name = cookie_name(settings, purpose)
    response.delete_cookie(name, path="/", secure=settings.secure, httponly=True, samesite="lax")


def new_secret() -> str:
    """A value for a cookie that nobody can guess."""
    return secrets.token_urlsafe(32)


def form_token(secret: str) -> str:
    """What a form carries to prove that it came from a page of ours: it follows from the cookie, which other sites cannot read.

    >>> form_token("a") == form_token("a"), form_token("a") == form_token("b"), len(form_token("a"))
    (True, False, 43)
    """
    digest = hmac.new(secret.encode(), b"parakh form", sha256).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def is_form_token(token: str, secret: str) -> bool:
    """Whether a form's token belongs to a cookie; the time it takes says nothing."""
    return bool(secret) and hmac.compare_digest(token.encode(), form_token(secret).encode())


def inner_path(text: str) -> str:
    r"""A path of this site to go on to, or "/" for whatever would lead elsewhere.

    >>> inner_path("/me?a=1"), inner_path("//evil.example"), inner_path("/\\evil.example"), inner_path("https://evil.example")
    ('/me?a=1', '/', '/', '/')
    """
    plain = text.isascii() and text.isprintable() and "\\" not in text and " " not in text
    return text if plain and text.startswith("/") and not text.startswith("//") else "/"


def origin_of(request: Request) -> str:
    """Where a request comes from, for counting: the address, of IPv6 the network, which belongs to one subscriber."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return str(ip_network(f"{host}/64", strict=False)) if address.version == 6 else host


def known_hosts(settings: Settings) -> frozenset[str]:
    """The names that this service answers to: its address's, and this machine's own."""
    return frozenset({urlsplit(settings.address).hostname or "", "localhost", "127.0.0.1", "::1"})


class Guard:
    """The outermost layer: it refuses strange hosts and bodies that are too long, and adds headers to every answer.

    Args:
        app: What it guards.
        settings: Of the service.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.hosts = known_hosts(settings)
        self.upload_bytes = settings.upload_bytes
        self.headers = dict(HEADERS)
        if settings.secure:
            self.headers["Strict-Transport-Security"] = f"max-age={_YEAR}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_headers(MutableHeaders(scope=message), self.headers)
            await send(message)

        request = Request(scope)
        host = urlsplit(f"//{request.headers.get('host', '')}").hostname if _is_host(request.headers.getlist("host")) else None
        if host not in self.hosts:
            words = f"This address is not one of this service's ({', '.join(sorted(self.hosts))}); its settings name them."
            await Response(words, HTTPStatus.MISDIRECTED_REQUEST, media_type="text/plain")(scope, receive, send_with_headers)
            return
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:  # no name has one, and PostgreSQL takes none
            words = "Found a NUL in the address, expected text."
            await Response(words, HTTPStatus.BAD_REQUEST, media_type="text/plain")(scope, receive, send_with_headers)
            return
        most = self.upload_bytes + SMALL_BODY if _is_upload(scope) else SMALL_BODY
        await self.app(scope, _counted(request, receive, most), send_with_headers)


def add_headers(headers: MutableHeaders, wanted: dict[str, str]) -> None:
    """The headers that an answer does not have yet."""
    for name, value in wanted.items():
        headers.setdefault(name, value)


def _is_host(given: Sequence[str]) -> bool:
    if len(given) != 1:
        return False
    try:
        return bool(urlsplit(f"//{given[0]}").hostname)
    except ValueError:
        return False


def _is_upload(scope: Scope) -> bool:
    path: str = scope["path"]
    return scope["method"] == "POST" and path.endswith(("/submit", "/submissions"))


def _counted(request: Request, receive: Receive, most: int) -> Receive:
    """What receives a body until it is longer than it may be, whatever length it had announced."""
    announced = request.headers.get("content-length", "0")
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        if announced.isdecimal() and int(announced) > most:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"more than {most:,} bytes")
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"more than {most:,} bytes")
        return message

    return counted
