"""Text on its way into the archive: sentences as codes with parameters, and text that no column takes.

`{"id": "@order-has-no-invoice", "params": {"order": "77"}}` is one sentence; its words in three languages are in the
catalogues, so that rewording one changes nothing that is stored (`confere.system.message_codes`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from confere.errors import ConfereError, Message, WrittenDay, message
from confere.system.message_codes import sentence_id, stored_id
from confere.system.progress import as_json, from_json

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_SURROGATE = re.compile("[\ud800-\udfff]")


def storable(text: str) -> str:
    """`text` with every lone surrogate written out as `\\udce7`: SQLite takes nothing that is not UTF-8.

    Paths and words of a command line hold such where a name is not in the system's encoding.
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def kept(sentence: Message) -> str:
    """The text that a column holds."""
    return json_text(with_codes(as_json(sentence)))


def kept_all(found: Sequence[Message]) -> str:
    """As `kept`, of several sentences in one column."""
    return json_text([with_codes(as_json(sentence)) for sentence in found])


def read_all(text: str) -> tuple[Message, ...]:
    """The sentences of such a column."""
    try:
        found = json.loads(text)
    except ValueError:
        return (Message(text),)
    return tuple(sentence_of(entry) for entry in found) if isinstance(found, list) else (sentence_of(found),)


def of(error: ConfereError) -> str:
    """What a column holds of an error: what happened and what to do."""
    if error.remedy is None:
        return kept(error.what)
    return kept(message("{what} {remedy}", what=error.what, remedy=error.remedy))


def read(text: str) -> Message:
    """The sentence of such a column; what is none, such as an older note, stands for itself."""
    try:
        return sentence_of(json.loads(text))
    except ValueError:
        return Message(text)


def with_codes(value: object) -> object:
    """What `as_json` gave, with the sentences' codes for their English texts; sentences within sentences too."""
    match value:
        case {"id": str(id), "params": dict(params)}:
            return {"id": stored_id(id), "params": {name: with_codes(inner) for name, inner in params.items()}}
    return value


def sentence_of(value: object) -> Message:
    """The sentence for what `with_codes` gave."""
    return _with_texts(from_json(value))


def _with_texts(sentence: Message) -> Message:
    return Message(sentence_id(sentence.id), {name: _read(value) for name, value in sentence.params.items()})


def _read(value: object) -> object:
    if isinstance(value, Message):
        return _with_texts(value)
    return WrittenDay.of(value) if isinstance(value, str) else value


def json_text(value: object) -> str:
    """A value as JSON in a column."""
    text = _ENCODER.encode(value)
    if text.isascii():
        return text
    # Escaped twice, or JSON would bring the surrogate back to whoever reads it.
    return storable(_SURROGATE.sub(lambda found: "\\" + storable(found[0]), text))
