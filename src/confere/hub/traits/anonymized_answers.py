"""Recorded answers with every value replaced, and as the JSON file that a hub can be replayed from."""

from __future__ import annotations

import base64
import binascii
import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO
from random import Random, SystemRandom
from typing import Any, Final
from urllib.parse import urlsplit

from confere.fiscal import access_keys, taxpayers
from confere.fiscal.anonymization import xml
from confere.fiscal.anonymization.text import TextAnonymiser, words_of
from confere.hub.json.json_writer import written
from confere.hub.traits.recording import RecordedAnswer

FORMAT: Final = "confere-hub-recording"
VERSION: Final = 1
ABOUT: Final = (
    "Answers of a hub, recorded by Confere with every value replaced by an invented one of the same form: the same "
    "value by the same one everywhere, so that keys, tax ids and numbers still agree; check digits hold, days are "
    "moved by whole months, amounts do not add up, signatures do not hold. `answers` are in the order in which they "
    "were asked for: method, path and query under {base}, which stands for the account's address, as {origin} does "
    "for its host; status; headers, of which only harmless values are kept; and the body as text in `body`, bytes in "
    "`base64`, or neither where `omitted` says why. `trimmed` counts records that were left out of a list. What stays: "
    "names of fields and elements, words of the protocol and codes of the layouts, states (UF), times of day, and "
    "texts of up to three characters or whole numbers of up to three digits where nothing longer stands with them."
)
"""The first field of the file: what it is."""

_HEADERS: Final = frozenset(
    {"content-type", "content-encoding", "transfer-encoding", "retry-after", "vary", "cache-control", "connection"}
)
_KEPT_FIELDS: Final = frozenset({"cfop", "ncm", "nbm"})
_PAGING: Final = frozenset({"page", "pagination", "paging", "pageable", "meta"})
_AMOUNT: Final = re.compile(r"total|gross|discount|freight|price|value|cost|fee|amount|unit|interest|paid|tax", re.I)
_TIME: Final = re.compile(r"date|time|update|created|At$", re.I)
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$@][A-Za-z_$@-]*[0-9]{0,2}")
_EPOCH: Final = range(1_000_000_000_000, 4_000_000_000_000)
_LONGEST_CODE: Final = 8  # characters of a code of the law: CFOP, NCM
_SHORTEST_FILE: Final = 40  # characters of a text that may hold a whole XML
_MOST_DIGITS: Final = 12  # of an amount, before the point or behind it
_ODD: Final = Decimal("0.5")
_GZIP: Final = b"\x1f\x8b"
_LARGEST: Final = 20_000_000  # of what a wrapped file may unpack to
_BASE64: Final = re.compile(r"[A-Za-z0-9+/\s]{40,}={0,2}\s*")


class Anonymiser:
    """Replaces the values of one hub's answers; all of them have to be known at the start.

    `base` is the account's address, `private` further words that must not come out of chance (names of the account).
    `randomness` is the system's own unless a test wants the same replacements again.
    """

    def __init__(
        self,
        answers: Sequence[RecordedAnswer],
        base: str,
        *,
        private: Iterable[str] = (),
        randomness: Random | None = None,
    ) -> None:
        originals: set[str] = set()
        tax_ids: set[str] = set()
        for text in (*private, *_every_text(answers)):
            originals.update(words_of(text))
            for key in xml.keys_in(text):
                tax_ids.add(parts.emitter if (parts := access_keys.parse(key)) else "")
        tax_ids |= {word for word in originals if taxpayers.is_cpf(word) or taxpayers.is_cnpj(word.upper())}
        parts_of_base = urlsplit(base)
        hosts = {base: "{base}", f"{parts_of_base.scheme}://{parts_of_base.netloc}": "{origin}"}
        hosts[parts_of_base.netloc] = "{origin}"
        self._text = TextAnonymiser(
            originals, tax_ids=tax_ids - {""}, hosts=hosts, randomness=randomness or SystemRandom()
        )

    def answer(self, found: RecordedAnswer) -> dict[str, Any]:
        """The answer as the file has it."""
        told: dict[str, Any] = {
            "method": "GET",
            "path": self._path(found.path),
            "query": {name: self._text.leaf(value) for name, value in found.query.items()},
            "status": found.status,
            "headers": {name: value if name in _HEADERS else "" for name, value in found.headers.items()},
        }
        return told | self._body(found.body)

    def _path(self, path: str) -> str:
        return "/".join(self._text.leaf(part) for part in path.split("/"))

    def _body(self, body: bytes) -> dict[str, str]:
        if body[:2] == _GZIP:
            inside = _gunzipped(body)
            if inside is None:
                return {"omitted": "gzip that cannot be unpacked"}
            made = self._body(inside)
            if "body" not in made:
                return made
            return {"base64": base64.b64encode(gzip.compress(made["body"].encode(), mtime=0)).decode("ascii")}
        if body and xml.is_xml(body):
            return {"body": xml.anonymised(body, self._text).decode("utf-8")}
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            return {"omitted": f"{len(body)} bytes that are no text"}
        try:
            return {"body": written(self._value(json.loads(text, parse_float=Decimal), ""))}
        except (ValueError, RecursionError):
            return {"body": self._wrapped(text)}

    def _wrapped(self, text: str) -> str:
        """A text that may hold a whole XML, plain or as base64; anything else is replaced as a value is."""
        if text.lstrip()[:1] == "<" and xml.is_xml(text.encode()):
            return xml.anonymised(text.encode(), self._text).decode("utf-8")
        inside = _unwrapped(text)
        if inside is not None:
            return base64.b64encode(xml.anonymised(inside, self._text)).decode("ascii")
        return self._text.leaf(text)

    def _value(self, value: object, name: str, *, paging: bool = False) -> object:
        if isinstance(value, dict):
            return {
                self._name(inner): self._value(held, inner, paging=paging or inner.lower() in _PAGING)
                for inner, held in value.items()
            }
        if isinstance(value, list):
            return [self._value(held, name, paging=paging) for held in value]
        if isinstance(value, str):
            kept = name.lower() in _KEPT_FIELDS and len(value) <= _LONGEST_CODE
            return value if kept else self._wrapped(value) if len(value) >= _SHORTEST_FILE else self._text.leaf(value)
        if isinstance(value, Decimal):
            return self._amount(value)
        if isinstance(value, int) and not isinstance(value, bool) and not paging:
            return self._number(value, name)
        return value

    def _number(self, value: int, name: str) -> int:
        if value in _EPOCH and _TIME.search(name):
            return self._epoch(value)
        if _AMOUNT.search(name):
            return int(self._amount(Decimal(value)))
        return self._text.number(value)

    def _epoch(self, milliseconds: int) -> int:
        at = datetime.fromtimestamp(milliseconds / 1000, UTC)
        year, month, day = self._text.replacements.day(str(at.year), str(at.month), str(at.day))
        moved = at.replace(year=int(year), month=int(month), day=int(day))
        return round(moved.timestamp() * 1000)

    def _amount(self, value: Decimal) -> Decimal:
        exponent = value.as_tuple().exponent
        if not isinstance(exponent, int) or abs(value.adjusted()) > _MOST_DIGITS or exponent < -_MOST_DIGITS:
            return _ODD  # no amount of anything: astronomic, or without end
        made = self._text.replacements.amount(value)
        return made if exponent >= 0 else made.quantize(Decimal(1).scaleb(exponent))

    def _name(self, name: str) -> str:
        """A field's name stays; what some hubs put in its place, such as a SKU, is a value."""
        return name if _IDENTIFIER.fullmatch(name) else self._text.leaf(name)


def recording_file(answers: Sequence[RecordedAnswer], anonymiser: Anonymiser, trimmed: Mapping[int, int]) -> str:
    """The file's text. `trimmed` counts records left out, by the number of their answer."""
    told = [
        anonymiser.answer(found) | ({"trimmed": trimmed[number]} if number in trimmed else {})
        for number, found in enumerate(answers)
    ]
    return json.dumps({"about": ABOUT, "format": FORMAT, "version": VERSION, "answers": told}, indent=1) + "\n"


def _every_text(answers: Sequence[RecordedAnswer]) -> Iterator[str]:
    """All texts of all answers, and the names in their JSON."""
    for found in answers:
        yield found.path
        yield from found.query.values()
        yield from _texts(found.body)


def _texts(body: bytes) -> Iterator[str]:
    inside = _gunzipped(body) if body[:2] == _GZIP else body
    if not inside:
        return
    if xml.is_xml(inside):
        yield from xml.texts_of(inside)
        return
    text = inside.decode("utf-8", "replace")
    yield text
    for part in _BASE64.findall(text):
        wrapped = _unwrapped(part)
        if wrapped is not None:
            yield from xml.texts_of(wrapped)


def _unwrapped(text: str) -> bytes | None:
    """The XML in a text of base64; None where there is none."""
    if not _BASE64.fullmatch(text):
        return None
    try:
        data = base64.b64decode(re.sub(r"\s", "", text), validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if xml.is_xml(data) else None


def _gunzipped(data: bytes) -> bytes | None:
    try:
        with gzip.open(BytesIO(data)) as file:
            inside = file.read(_LARGEST + 1)
    except (OSError, EOFError, zlib.error):
        return None
    return inside if len(inside) <= _LARGEST else None
