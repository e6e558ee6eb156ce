"""Takes tokens out of text before anybody reads it: registered ones, and whatever stands in a header's place."""

from __future__ import annotations

import json
import re
import threading
from urllib.parse import quote, quote_plus

HIDDEN = "[hidden]"
# Shorter ones would blot out ordinary words; no hub gives such a token.
_SHORTEST = 4

# A header's name, what stands between (`: `, `': b'`, `": "`, `', '`, `=`), and the value up to where it ends.
_HEADER = re.compile(
    r"""(?ix)
    \b(?P<name>service[-_]?token | proxy-authorization | authorization | set-cookie | cookie
        | x-api-key | api[-_]?key | access[-_]?token | client[-_]?secret | password)
    (?P<between>\\?["']?\s*[:=]\s*b?(?=["'\\]) | \\?["']?\s*[:=]\s* | \\?["']\s*,\s*b?(?=["']))
    (?: (?P<quote>\\?["']) (?P<quoted>.*?) (?P=quote)
      | (?:(?:bearer|basic|token)\s+)? (?P<bare>[^\s"',;&)}\]]+)
    )"""
)


class _Known:
    """What must never be shown in this process, longest first, as one pattern."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._secrets: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def add(self, forms: set[str]) -> None:
        with self._lock:
            if forms <= self._secrets:
                return
            self._secrets |= forms
            longest_first = sorted(self._secrets, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def hide(self, text: str) -> str:
        pattern = self._pattern
        return pattern.sub(HIDDEN, text) if pattern else text


_known = _Known()


def register_secret(token: str) -> None:
    """Never show `token` again in this process, nor the forms that URLs, JSON and `repr` give it.

    Fewer than four characters are not registered.
    """
    if len(token) < _SHORTEST:
        return
    escaped = token.encode("unicode_escape").decode("ascii")
    _known.add({token, quote(token, safe=""), quote_plus(token), json.dumps(token)[1:-1], repr(token)[1:-1], escaped})


def redact(text: str) -> str:
    """`text` without registered secrets and without the values of headers and fields that carry secrets."""
    return _HEADER.sub(_hide_value, _known.hide(text))


def _hide_value(match: re.Match[str]) -> str:
    around = match["quote"] or ""
    return f"{match['name']}{match['between']}{around}{HIDDEN}{around}"
