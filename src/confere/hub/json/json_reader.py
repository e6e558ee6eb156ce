"""Reading the hub's JSON: numbers kept exact, hostile bodies refused, each record's own text kept as received."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from json import JSONDecoder
from typing import NoReturn

from confere.errors import message
from confere.hub.http.error_text import is_page, words_of
from confere.hub.http.exchange import HubAnswer
from confere.hub.http.status_errors import BadAnswer

# Where a list stands in its envelope: the name of the specification first.
_LISTS = ("content", "items", "data", "results")
_CHARSET = re.compile(r"charset=\s*\"?([\w.:-]+)", re.IGNORECASE)
_MOST_RECORDS = 20_000  # of one list: a hub that ignores the limit gives a whole account at once
_LARGEST_RECORD = 4_000_000  # bytes, the XML of all its events in it included
# Each of these signs can begin a value, and no value costs more than some 110 bytes of memory besides its text.
_MARKS = (b",", b":", b"[", b"{")
_MOST_VALUES = 1_500_000  # of a list
_MOST_VALUES_OF_RECORD = 100_000
_SPACE = re.compile(r"[ \t\r\n]*")


class _NotANumber(ValueError):
    pass


def _no_constant(_name: str) -> NoReturn:
    raise _NotANumber


def _exact(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except InvalidOperation:  # an exponent beyond what Decimal can hold
        raise _NotANumber from None


_DECODER = JSONDecoder(parse_float=_exact, parse_constant=_no_constant)


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON value of a list, with its text as the hub wrote it (UTF-8)."""

    value: object
    raw: bytes


@dataclass(frozen=True, slots=True)
class ListBody:
    """A list answer: its records, and the envelope's other fields (None where the list came bare)."""

    records: tuple[Record, ...]
    envelope: dict[str, object] | None


def read_record(answer: HubAnswer) -> Record:
    """The one object that an answer holds. Raises `BadAnswer`."""
    with_text = read_value(answer)
    if not isinstance(with_text.value, dict):
        raise BadAnswer(message("The hub's answer to {request} is no record."))
    return with_text


def read_value(answer: HubAnswer) -> Record:
    """The JSON value that an answer holds, whatever it is, as large as one record may be. Raises `BadAnswer`."""
    if len(answer.body) > _LARGEST_RECORD:
        raise _large_record()
    _count_values(answer.body, _MOST_VALUES_OF_RECORD)
    return _value(_text(answer))


def of_text(raw: bytes) -> Record:
    """The JSON value of bytes that were kept or made here. Raises `ValueError` where they are none."""
    try:
        return Record(_DECODER.decode(raw.decode("utf-8")), raw)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_listing(answer: HubAnswer) -> ListBody:
    """The list that an answer holds, bare or in an envelope. Raises `BadAnswer`."""
    _count_values(answer.body, _MOST_VALUES)
    text = _text(answer)
    try:
        return _listing(text)
    except _NotANumber:
        raise _nan() from None
    except RecursionError:
        raise _deep() from None
    except (ValueError, IndexError):
        raise _broken() from None


def _listing(text: str) -> ListBody:
    start = _skip(text, 0)
    if text[start] == "[":
        records, end = _elements(text, start)
        _end(text, end)
        return ListBody(records, None)
    if text[start] != "{":
        raise BadAnswer(message("The hub's answer to {request} is no list."))
    found: dict[str, tuple[Record, ...]] = {}
    envelope: dict[str, object] = {}
    position = _skip(text, start + 1)
    while text[position] != "}":
        name, position = _DECODER.raw_decode(text, position)
        position = _skip(text, position)
        if not isinstance(name, str) or text[position] != ":":
            raise ValueError(name)
        position = _skip(text, position + 1)
        if name in _LISTS and text[position] == "[":
            found[name], position = _elements(text, position)
        else:
            envelope[name], position = _DECODER.raw_decode(text, position)
        position = _next(text, position, "}")
    _end(text, position + 1)
    for name in _LISTS:
        if name in found:
            return ListBody(found[name], envelope)
    if envelope.get("content", ...) is None:  # `"content": null` for an empty list
        return ListBody((), envelope)
    raise BadAnswer(message("The hub's answer to {request} is no list."))


def _elements(text: str, start: int) -> tuple[tuple[Record, ...], int]:
    records: list[Record] = []
    position = _skip(text, start + 1)
    while text[position] != "]":
        value, end = _DECODER.raw_decode(text, position)
        if end - position > _LARGEST_RECORD:
            raise _large_record()
        if len(records) == _MOST_RECORDS:
            raise BadAnswer(
                message("The hub's answer to {request} lists more than {count} records at once.", count=_MOST_RECORDS),
                again=False,
            )
        records.append(Record(value, text[position:end].encode("utf-8")))
        position = _next(text, end, "]")
    return tuple(records), position + 1


def _next(text: str, position: int, closing: str) -> int:
    """Where the next element begins, or the closing bracket stands."""
    position = _skip(text, position)
    if text[position] == ",":
        position = _skip(text, position + 1)
        if text[position] == closing:
            raise ValueError(position)
    elif text[position] != closing:
        raise ValueError(position)
    return position


def _value(text: str) -> Record:
    start = _skip(text, 0)
    try:
        value, end = _DECODER.raw_decode(text, start)
        _end(text, end)
    except _NotANumber:
        raise _nan() from None
    except RecursionError:
        raise _deep() from None
    except ValueError:
        raise _broken() from None
    return Record(value, text[start:end].encode("utf-8"))


def _end(text: str, position: int) -> None:
    if _skip(text, position) != len(text):
        raise ValueError(position)


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _text(answer: HubAnswer) -> str:
    if not answer.body.strip():
        raise BadAnswer(message("The hub's answer to {request} is empty."))
    if is_page(answer.body, answer.content_type):
        title = words_of(answer.body, "text/html")
        raise BadAnswer(
            message("The hub answered {request} with a page for people instead of data: {title}", title=title)
            if title
            else message("The hub answered {request} with a page for people instead of data.")
        )
    for charset in _charsets(answer):
        try:
            # Lone surrogates can come out of no charset below, so the text always goes back to UTF-8.
            return answer.body.decode(charset)
        except (UnicodeDecodeError, LookupError):
            continue
    return answer.body.decode("cp1252", errors="replace")


def _charsets(answer: HubAnswer) -> Iterator[str]:
    yield "utf-8-sig"
    named = _CHARSET.search(answer.content_type)
    if named and named[1].lower() in ("iso-8859-1", "latin-1", "latin1", "windows-1252", "cp1252", "utf-16"):
        yield named[1]


def _count_values(body: bytes, most: int) -> None:
    """Refuse what would become far more objects in memory than it has bytes, before there are any."""
    if len(body) > most and sum(map(body.count, _MARKS)) > most:
        raise BadAnswer(
            message(
                "The hub's answer to {request} holds more than {count} values, as no honest answer does.", count=most
            ),
            again=False,
        )


def _large_record() -> BadAnswer:
    return BadAnswer(
        message("The hub's answer to {request} has a record larger than {size} MB.", size=_LARGEST_RECORD // 1_000_000),
        again=False,
    )


def _broken() -> BadAnswer:
    return BadAnswer(message("The hub's answer to {request} is no JSON, or was cut short."))


def _deep() -> BadAnswer:
    return BadAnswer(message("The hub's answer to {request} is nested too deeply to be honest."), again=False)


def _nan() -> BadAnswer:
    return BadAnswer(message("The hub's answer to {request} holds numbers that JSON does not know."), again=False)
