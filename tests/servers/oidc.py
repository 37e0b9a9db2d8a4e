"""A small OpenID Connect provider that says yes to everybody, as a process of its own, which can misbehave.

Its issuers are `ADDRESS/MOOD/USERNAME`: each mood is a provider of its own that vouches for that user name. It checks
what a client must get right: client secret, redirect address, PKCE, and that a code is used once.
"""

import hashlib
import hmac
import json
import secrets
import sys
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, unquote_plus, urlencode, urlsplit

from joserfc import jwk, jws, jwt

from tests.servers.process import ServerProcess

CLIENT_ID, CLIENT_SECRET = "opilio", "s3cret & strange+%/ü"
_KEY = jwk.RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
_STRANGE_KEY = jwk.RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
_CURVE_KEY = jwk.ECKey.generate_key("P-256", {"kid": "two", "use": "sig"})
_HOUR = 3_600
_issued: dict[str, dict[str, str]] = {}  # code → what it was issued for


def provider(folder: Path) -> ServerProcess:
    """The process, still to be started; its address is under `url`."""
    return ServerProcess("tests.servers.oidc", [], errors=folder / "oidc-errors.txt")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        mood, username, rest = self._place()
        if rest == ".well-known/openid-configuration":
            self._discovery(mood)
        elif rest == "authorize":
            self._authorize(mood)
        elif rest == "keys":
            self._json(200, {"keys": _published(mood)})
        else:
            self._json(404, {"error": "not_found", "user": username})

    def do_POST(self) -> None:
        mood, username, rest = self._place()
        body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        if rest == "token":
            self._token(mood, username, {name: values[0] for name, values in parse_qs(body).items()})
        else:
            self._json(404, {"error": "not_found"})

    def log_message(self, *_: object) -> None:
        """Silent."""

    def _place(self) -> tuple[str, str, str]:
        mood, _, rest = urlsplit(self.path).path.lstrip("/").partition("/")
        username, _, rest = rest.partition("/")
        self.issuer = f"http://{self.headers['Host']}/{mood}/{username}"
        return mood, unquote(username), rest

    def _discovery(self, mood: str) -> None:
        found: dict[str, Any] = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
        }
        if mood == "post-secret":
            found["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
        if mood == "other-issuer":
            found["issuer"] = "https://elsewhere.example"
        if mood == "plain-endpoint":
            found["token_endpoint"] = "http://elsewhere.example/token"
        if mood == "no-endpoint":
            del found["jwks_uri"]
        if mood in _ODD_BODIES:
            self._send(200, _ODD_BODIES[mood])
        elif mood in ("slow", "endless"):
            self._dribble(0.02 if mood == "slow" else 0.0)
        else:
            self._json(503 if mood == "ill" else 200, found)

    def _authorize(self, mood: str) -> None:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        code = secrets.token_urlsafe(16)
        _issued[code] = asked
        answer = {"code": code, "state": asked["state"]}
        if mood == "error":
            answer = {"error": "access_denied", "error_description": "The user said no", "state": asked["state"]}
        if mood == "wrong-state":
            answer["state"] = "something else"
        if mood == "mixed-up":
            answer["iss"] = "https://elsewhere.example"
        if mood == "no-code":
            del answer["code"]
        self.send_response(302)
        self.send_header("Location", f"{asked['redirect_uri']}?{urlencode(answer)}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _token(self, mood: str, username: str, form: dict[str, str]) -> None:
        if not _knows_secret(mood, self.headers.get("Authorization", ""), form):
            self._json(401, {"error": "invalid_client"})
            return
        asked = _issued.pop(form.get("code", ""), None)
        if mood == "stingy" or asked is None or not _same_flight(asked, form):
            self._json(400, {"error": "invalid_grant"})
        elif mood == "broken-token":
            self._json(500, {"error": "server_error"})
        else:
            token = _id_token(mood, self.issuer, username, asked["nonce"])
            answer = {"access_token": "unused", "token_type": "Bearer"}
            self._json(200, answer if mood == "no-token" else answer | {"id_token": token})

    def _json(self, status: int, document: object) -> None:
        self._send(status, json.dumps(document).encode())

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _dribble(self, pause: float) -> None:
        """Answer without end, until the client has had enough."""
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b" " if pause else b" " * 65_536)
                time.sleep(pause)
        except OSError:
            self.close_connection = True


_ODD_BODIES = {
    "no-json": b"<html>It works!</html>", "list": b"[1, 2]", "bytes": b"\xff\xfe\x00", "empty": b"",
    "deep": b"[" * 100_000,
}  # fmt: skip


def _published(mood: str) -> list[Any]:
    if mood == "no-keys":
        return []
    junk = [{"kty": "quantum", "kid": "zero"}, "no key", None, {"kty": "RSA"}]
    keys = [_KEY.as_dict(private=False), _CURVE_KEY.as_dict(private=False)]
    return [*junk, *keys] if mood == "junk-keys" else keys


def _knows_secret(mood: str, header: str, form: dict[str, str]) -> bool:
    if mood == "public":
        return form.get("client_id") == CLIENT_ID and not header
    if mood == "post-secret":
        return (form.get("client_id"), form.get("client_secret")) == (CLIENT_ID, CLIENT_SECRET)
    kind, _, blob = header.partition(" ")
    name, _, secret = b64decode(blob).decode().partition(":")
    return (kind, unquote_plus(name), unquote_plus(secret)) == ("Basic", CLIENT_ID, CLIENT_SECRET)


def _same_flight(asked: dict[str, str], form: dict[str, str]) -> bool:
    digest = urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).decode().rstrip("=")
    return (
        digest == asked.get("code_challenge")
        and asked.get("code_challenge_method") == "S256"
        and form.get("redirect_uri") == asked.get("redirect_uri")
        and form.get("grant_type") == "authorization_code"
    )


def _id_token(mood: str, issuer: str, username: str, nonce: str) -> str:
    now = int(time.time())
    claims: dict[str, Any] = {
        "iss": issuer, "aud": CLIENT_ID, "sub": "248289761001", "iat": now, "exp": now + _HOUR, "nonce": nonce,
        "preferred_username": username,
    }  # fmt: skip
    claims |= _WRONG_CLAIMS.get(mood, {})
    if mood == "expired":
        claims |= {"iat": now - 2 * _HOUR, "exp": now - _HOUR}
    if mood == "from-tomorrow":
        claims |= {"iat": now + 24 * _HOUR, "exp": now + 25 * _HOUR}
    claims = {name: value for name, value in claims.items() if value is not None}
    return _signed(mood, claims)


_WRONG_CLAIMS: dict[str, dict[str, Any]] = {
    "wrong-nonce": {"nonce": "another"}, "no-nonce": {"nonce": None}, "nonce-list": {"nonce": ["a"]},
    "half-nonce": {"nonce": "\ud800"}, "wrong-audience": {"aud": "another"}, "two-audiences": {"aud": [CLIENT_ID, "b"]},
    "wrong-party": {"azp": "another"}, "wrong-issuer": {"iss": "https://elsewhere.example"}, "no-end": {"exp": None},
    "no-name": {"preferred_username": None}, "odd-name": {"preferred_username": ["curator"]},
    "half-name": {"preferred_username": "cur\ud800"}, "long-name": {"preferred_username": "c" * 151},
}  # fmt: skip


def _signed(mood: str, claims: dict[str, Any]) -> str:
    if mood == "alg-none":
        return f"{_part({'alg': 'none'})}.{_part(claims)}."
    if mood == "hmac":  # signed with what everybody knows: the provider's public key
        text = f"{_part({'alg': 'HS256', 'kid': 'one'})}.{_part(claims)}"
        mac = hmac.digest(_KEY.as_pem(private=False), text.encode(), "sha256")
        return f"{text}.{urlsafe_b64encode(mac).decode().rstrip('=')}"
    if mood == "no-jwt":
        return "not.a.token"
    if mood == "curve":
        return jwt.encode({"alg": "ES256", "kid": "two"}, claims, _CURVE_KEY, algorithms=["ES256"])
    if mood in ("half-nonce", "half-name"):  # JSON may say what UTF-8 cannot
        return _sign_raw(json.dumps(claims))
    key = _STRANGE_KEY if mood == "bad-signature" else _KEY
    header = {"alg": "RS256", "kid": "unknown" if mood == "unknown-key" else "one"}
    return jwt.encode(header, claims, key, algorithms=["RS256"])


def _sign_raw(text: str) -> str:
    return jws.serialize_compact({"alg": "RS256", "kid": "one"}, text.encode(), _KEY)


def _part(document: dict[str, Any]) -> str:
    return urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


def main() -> None:
    """Serve until stdin closes."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    main()
