"""The hub's own words, taken from the body of an error answer whatever its shape."""

from __future__ import annotations

import html
import json
import re
from urllib.parse import quote

LONGEST = 300
_DEEPEST = 4
_MOST_READ = 65_536

_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_TAGS = re.compile(r"<[^>]{0,500}>")
_PAGE = re.compile(rb"\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
# In the order in which they read as a sentence; other fields carry nothing for a person.
_TELLING = ("message", "mensagem", "error_description", "title", "detail", "details", "response", "error", "errors")
_HIDDEN = "[hidden]"


def words_of(body: bytes, content_type: str) -> str:
    """What an error body says, in one line of at most `LONGEST` characters; empty where it says nothing."""
    if is_page(body, content_type):
        found = _TITLE.search(_decode(body))
        return tidy(html.unescape(found[1])) if found else ""
    text = _decode(body)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return tidy(html.unescape(_TAGS.sub(" ", text)))
    code = value.get("code") if isinstance(value, dict) else None
    said = list(dict.fromkeys(_sentences(value, _DEEPEST)))
    if isinstance(code, str | int) and not isinstance(code, bool) and str(code):
        said.append(f"({code})")
    return tidy(" ".join(said))


def is_page(body: bytes, content_type: str) -> bool:
    """Whether a body is an HTML page, by what it claims or by how it begins."""
    kind = content_type.partition(";")[0].strip().lower()
    return (
        kind in ("text/html", "application/xhtml+xml")
        or _PAGE.match(body.removeprefix(b"\xef\xbb\xbf")[:1000]) is not None
    )


def tidy(text: str) -> str:
    """One line of printable characters, cut to `LONGEST`."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def hide(text: str, secret: str) -> str:
    """`text` without `secret`, nor its percent-encoded form."""
    for form in {secret, quote(secret, safe=""), quote(secret)}:
        text = text.replace(form, _HIDDEN)
    return text


def _decode(body: bytes) -> str:
    part = body[:_MOST_READ]
    try:
        return part.decode("utf-8-sig")
    except UnicodeDecodeError:
        return part.decode("cp1252", errors="replace")


def _sentences(value: object, depth: int) -> list[str]:
    if isinstance(value, str):
        return [value.strip()] if value.strip() else []
    if depth == 0:
        return []
    if isinstance(value, list):
        return [said for item in value[:10] for said in _sentences(item, depth - 1)]
    if isinstance(value, dict):
        return [said for name in _TELLING if name in value for said in _sentences(value[name], depth - 1)]
    return []
