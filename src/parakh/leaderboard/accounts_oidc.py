"""Logging in by OpenID Connect: the authorization code flow with PKCE, and an ID token whose signature and claims are checked.

    browser -> begin -> provider -> browser, with a code -> finish -> provider (code for ID token) -> account

Source: OpenID Connect Core 1.0, sections 3.1 and 5.1; OpenID Connect Discovery 1.0; RFC 7636; RFC 9700.
"""

from __future__ import annotations

import hmac
import importlib
import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from sqlalchemy import select

from parakh.errors import UnavailableError
from parakh.leaderboard import audit, entries
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import User
from parakh.leaderboard.refusals import Conflict, Refused
from parakh.leaderboard.settings import Oidc, Settings, is_safe_address
from parakh.packages import imported

CALLBACK = "/log-in/oidc/back"
"""Where the provider sends browsers back to; it has to be registered there, after the service's address."""
MINUTES = 10
"""In which somebody has to be back."""
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Of signatures: those whose key the provider alone has."""
_LEEWAY = 60
"""Seconds that the clocks of the two may differ."""
_SECONDS = 10.0
_BAD = "the provider's answer cannot be trusted"


@dataclass(frozen=True)
class _Provider:
    """What a provider says of itself."""

    authorization: str
    token: str
    keys: str
    methods: tuple[str, ...]


def begin(settings: Settings) -> tuple[str, str]:
    """Where to send a browser that wants to log in.

    Args:
        settings: With a provider.

    Returns:
        The address at the provider, and what to keep in a cookie of that browser, which no script reads, until it is back.

    Raises:
        UnavailableError: The provider cannot be reached, or is none.
        MissingPackageError: A package of the extra ``oidc`` is not there.
    """
    oidc, kept = _configured(settings), {name: secrets.token_urlsafe(32) for name in ("state", "nonce", "verifier")}
    with _client(settings, oidc) as client:
        provider = _discovered(client, oidc)
        address, _ = client.create_authorization_url(
            provider.authorization, state=kept["state"], code_verifier=kept["verifier"], nonce=kept["nonce"]
        )
    return str(address), json.dumps({**kept, "at": now().timestamp()})


def finish(database: Database, settings: Settings, kept: str, state: str, code: str) -> User:
    """Who came back from the provider; an account is made for somebody new.

    Args:
        database: Where accounts are.
        settings: With a provider.
        kept: What ``begin`` gave to keep, from the browser's cookie.
        state: Of the address that the provider sent the browser to.
        code: The same.

    Returns:
        The account; ``accounts.open_session`` opens a session for it.

    Raises:
        Refused: It was not this browser that asked, it took too long, the provider's answer does not hold, or there is no account
            and none may be made.
        Conflict: The e-mail address has an account with a password.
        UnavailableError: The provider cannot be reached.
        MissingPackageError: A package of the extra ``oidc`` is not there.
    """
    oidc, own = _configured(settings), _read(kept)
    if not hmac.compare_digest(own["state"].encode(), state.encode("utf-8", "surrogatepass")):
        raise Refused("this browser did not ask to log in: begin again.")
    if not 0 <= now().timestamp() - float(own["at"]) <= 60 * MINUTES:
        raise Refused("that took too long: begin again.")
    with _client(settings, oidc) as client:
        provider = _discovered(client, oidc)
        client.token_endpoint_auth_method = _method(oidc, provider)
        answer = client.fetch_token(provider.token, code=code, code_verifier=own["verifier"])
        keys = _document(client, provider.keys)
    return _account(database, settings, oidc, _claims(oidc, answer, keys, own["nonce"]))


def _configured(settings: Settings) -> Oidc:
    if settings.oidc is None:
        raise Refused("no provider of single sign-on is configured.")
    return settings.oidc


def _read(kept: str) -> Mapping[str, Any]:
    try:
        own = json.loads(kept)
        return {name: str(own[name]) for name in ("state", "nonce", "verifier")} | {"at": float(own["at"])}
    except (ValueError, KeyError, TypeError):
        raise Refused("this browser did not ask to log in: begin again.") from None


@contextmanager
def _client(settings: Settings, oidc: Oidc) -> Iterator[Any]:
    """A client of the provider, whose failures are told in our words."""
    clients = imported("authlib.integrations.httpx_client", "oidc", "logging in by OpenID Connect")
    errors = imported("authlib.integrations.base_client", "oidc", "logging in by OpenID Connect")
    try:
        with clients.OAuth2Client(
            oidc.client,
            oidc.secret or None,
            scope="openid email profile",
            redirect_uri=f"{settings.address}{CALLBACK}",
            code_challenge_method="S256",
            timeout=_SECONDS,
            follow_redirects=False,
        ) as client:
            yield client
    except errors.OAuthError as error:
        raise Refused(f"the provider refused: {str(error)[:200]}") from error
    except _failures() as error:
        raise UnavailableError(f"{oidc.issuer} cannot be reached ({error}). Try again later.") from error


def _failures() -> tuple[type[Exception], ...]:
    """What the HTTP client raises (Authlib takes httpx2 where there is one, else httpx), and what reading no JSON does."""
    modules = [importlib.import_module(name) for name in ("httpx2", "httpx") if find_spec(name)]
    return (ValueError, TypeError, *(error for module in modules for error in (module.HTTPError, module.InvalidURL)))


def _discovered(client: Any, oidc: Oidc) -> _Provider:
    document = _document(client, f"{oidc.issuer.rstrip('/')}/.well-known/openid-configuration")
    if document.get("issuer") != oidc.issuer:
        raise UnavailableError(f"{oidc.issuer} says that it is {document.get('issuer')!r}: mend oidc.issuer in the settings.")
    names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
    addresses = [document.get(name) for name in names]
    for name, address in zip(names, addresses, strict=True):
        if not isinstance(address, str) or not is_safe_address(address):
            raise UnavailableError(f"{oidc.issuer} has no {name} with https: it is no provider of OpenID Connect.")
    methods = document.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    authorization, token, keys = map(str, addresses)
    return _Provider(authorization, token, keys, tuple(methods) if isinstance(methods, list) else ())


def _document(client: Any, address: str) -> Mapping[str, Any]:
    answer = client.request("GET", address, withhold_token=True)
    answer.raise_for_status()
    try:
        document = answer.json()
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise UnavailableError(f"{address} answers something else than a JSON object: it is no provider of OpenID Connect.")
    return document


def _method(oidc: Oidc, provider: _Provider) -> str:
    """How the client proves at the token endpoint who it is."""
    if not oidc.secret:
        return "none"
    return "client_secret_basic" if "client_secret_basic" in provider.methods else "client_secret_post"


def _claims(oidc: Oidc, answer: Mapping[str, Any], keys: Mapping[str, Any], nonce: str) -> Mapping[str, Any]:
    """What the ID token says, once its signature, issuer, audience, time and nonce are checked."""
    core = imported("authlib.oidc.core", "oidc", "logging in by OpenID Connect")
    jwt = imported("joserfc.jwt", "oidc", "logging in by OpenID Connect")
    jwk = imported("joserfc.jwk", "oidc", "logging in by OpenID Connect")
    errors = imported("joserfc.errors", "oidc", "logging in by OpenID Connect")
    token = answer.get("id_token")
    if not isinstance(token, str):
        raise Refused(f"{_BAD}: it has no ID token.")
    wanted = {"iss": {"essential": True, "value": oidc.issuer}, "aud": {"essential": True, "value": oidc.client}}
    known = {"nonce": nonce, "client_id": oidc.client, "access_token": answer.get("access_token")}
    try:
        read = jwt.decode(token, jwk.KeySet.import_key_set(keys), algorithms=_ALGORITHMS)
        claims = core.CodeIDToken(read.claims, read.header, wanted, known)
        claims.validate(leeway=_LEEWAY)
    except (errors.JoseError, ValueError, TypeError, KeyError) as error:
        raise Refused(f"{_BAD}: {str(error)[:200] or type(error).__name__}") from error
    return dict(claims)


def _account(database: Database, settings: Settings, oidc: Oidc, claims: Mapping[str, Any]) -> User:
    """The account of a subject, made where there is none; an address alone, which others may have taken, opens no account."""
    subject, email = f"{oidc.issuer} {claims['sub']}", str(claims.get("email", "")).lower()
    with database.write() as session:
        user = session.scalar(select(User).where(User.subject == subject))
        if user is not None:
            if user.is_disabled:
                raise Refused("this account is disabled.")
            return user
        if not settings.sign_up:
            raise Refused("nobody can sign up here: ask the organiser.")
        if claims.get("email_verified") is not True or entries.email_faults("account", email):
            raise Refused("the provider tells no e-mail address of yours that it has verified.")
        if session.scalar(select(User.id).where(User.email == email)) is not None:
            raise Conflict(f"the address {email} has an account already: log in with its password.")
        name = str(claims.get("name") or "")
        name = email.partition("@")[0] if entries.name_faults("account", "name", name) else name
        user = User(email=email, name=name, subject=subject)
        session.add(user)
        session.flush()
        audit.record(session, email, "account.made", email, detail={"role": user.role, "issuer": oidc.issuer})
        return user
