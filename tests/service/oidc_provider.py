"""A small provider of OpenID Connect with a key of its own: everybody who comes is logged in at once.

The first part of an issuer's path says what is wrong with it ("good" for nothing). Run as a program it prints its port.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import sys
import time
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, SECRET = "board", "a secret of the client"
_KEYS = [RSAKey.generate_key(2048, {"kid": name, "use": "sig"}) for name in ("published", "another")]
_CODES: dict[str, dict[str, str]] = {}


class Provider(BaseHTTPRequestHandler):
    """Discovery, authorization, tokens, keys."""

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, {key: one[0] for key, one in parse_qs(urlsplit(self.path).query).items()}
        _, mode, rest = path.split("/", 2)
        if rest == ".well-known/openid-configuration":
            self._answer(self._about(mode))
        elif rest == "keys":
            self._answer(KeySet([_KEYS[0]]).as_dict(private=False))
        elif rest == "authorize":
            code = secrets.token_urlsafe(16)
            _CODES[code] = query | {"mode": mode}
            self.send_response(302)
            self.send_header("Location", f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}")
            self.end_headers()
        else:
            self._answer({}, 404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {key: one[0] for key, one in parse_qs(body).items()}
        asked = _CODES.pop(form.get("code", ""), None)
        if asked is None or not self._knows_client(form, asked) or not _is_proven(asked, form):
            self._answer({"error": "invalid_grant", "error_description": "the code is not for you"}, 400)
            return
        if asked["mode"] == "nonsense":
            self._answer("nonsense")
            return
        self._answer({"access_token": "at", "token_type": "Bearer", "id_token": self._id_token(asked)})

    def _about(self, mode: str) -> dict[str, Any]:
        base = self._issuer(mode)
        return {
            "issuer": "https://somebody.else" if mode == "other-issuer" else base,
            "authorization_endpoint": f"{base}/authorize",
            "token_endpoint": "http://example.org/token" if mode == "plain-http" else f"{base}/token",
            "jwks_uri": f"{base}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post" if mode == "post" else "client_secret_basic"],
        }

    def _issuer(self, mode: str) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/{mode}"

    def _knows_client(self, form: dict[str, str], asked: dict[str, str]) -> bool:
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if asked["mode"] == "post":
            return (form.get("client_id"), form.get("client_secret")) == (CLIENT, SECRET)
        return self.headers.get("Authorization") == f"Basic {basic}"

    def _id_token(self, asked: dict[str, str]) -> str:
        mode, moment = asked["mode"], int(time.time())
        claims: dict[str, Any] = {
            "iss": self._issuer("good" if mode == "wrong-iss" else mode),
            "sub": "subject-1",
            "aud": "somebody else" if mode == "wrong-aud" else CLIENT,
            "iat": moment,
            "exp": moment + (-3600 if mode == "expired" else 300),
            "nonce": "of another log-in" if mode == "wrong-nonce" else asked["nonce"],
            "email": "Asha.Rao@example.org",
            "email_verified": mode != "unverified",
            "name": "Asha Rao",
        }
        if mode == "no-nonce":
            del claims["nonce"]
        if mode == "unsigned":
            return f"{_base64(json.dumps({'alg': 'none'}))}.{_base64(json.dumps(claims))}."
        if mode == "public-key-as-secret":
            signed = f"{_base64(json.dumps({'alg': 'HS256', 'kid': 'published'}))}.{_base64(json.dumps(claims))}"
            return f"{signed}.{_base64(hmac.digest(_KEYS[0].as_pem(private=False), signed.encode(), 'sha256'))}"
        key = _KEYS[1] if mode == "wrong-key" else _KEYS[0]
        return jwt.encode({"alg": "RS256", "kid": "published"}, claims, key)

    def _answer(self, document: object, status: int = 200) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def _base64(content: str | bytes) -> str:
    return base64.urlsafe_b64encode(content.encode() if isinstance(content, str) else content).decode().rstrip("=")


def _is_proven(asked: dict[str, str], form: dict[str, str]) -> bool:
    """Whether who comes with the code is who asked for it (PKCE)."""
    challenge = _base64(sha256(form.get("code_verifier", "").encode()).digest())
    return asked.get("code_challenge_method") == "S256" and asked.get("code_challenge") == challenge


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    print(server.server_address[1], flush=True)
    server.timeout = 1
    end = time.monotonic() + float(sys.argv[1])
    while time.monotonic() < end:
        server.handle_request()
