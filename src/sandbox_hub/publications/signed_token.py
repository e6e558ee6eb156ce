"""The signed token of a hook: a JSON Web Token (HS256) that names the hook, its body and the minute.

The specification does not show how hooks are authenticated: this is the sandbox's own choice.
"""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any

LONGEST_AGE = 300  # seconds between the two clocks
_HEADER = {"alg": "HS256", "typ": "JWT"}


def sign(secret: str, issuer: str, hook: str, body: bytes, now: int) -> str:
    """The token for one call of `hook` with `body`; `issuer` is the hub's environment, `now` in seconds."""
    claims = {"iss": issuer, "iat": now, "exp": now + LONGEST_AGE, "hook": hook, "sha256": sha256(body).hexdigest()}
    signed = f"{_encode(_HEADER)}.{_encode(claims)}"
    return f"{signed}.{_seal(secret, signed)}"


def issuer_of(secret: str, token: str, hook: str, body: bytes, now: int) -> str | None:
    """Who wrote this token with the same secret for this call, not long ago; None where nobody did."""
    signed, _, seal = token.rpartition(".")
    if not hmac.compare_digest(seal.encode(), _seal(secret, signed).encode()):
        return None
    header, _, content = signed.partition(".")
    claims = _decode(content)
    if _decode(header) != _HEADER or not isinstance(claims, dict) or not isinstance(claims.get("iat"), int):
        return None
    fits = (claims.get("hook"), claims.get("sha256")) == (hook, sha256(body).hexdigest())
    issuer = claims.get("iss")
    return issuer if fits and abs(now - claims["iat"]) <= LONGEST_AGE and isinstance(issuer, str) else None


def _seal(secret: str, signed: str) -> str:
    return _text(hmac.digest(secret.encode(), signed.encode(), "sha256"))


def _encode(content: dict[str, Any]) -> str:
    return _text(json.dumps(content, separators=(",", ":")).encode())


def _text(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def _decode(text: str) -> Any:
    try:
        return json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except ValueError:
        return None
