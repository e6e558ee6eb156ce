"""Sentences kept in the archive as message id and parameters, so that each reader sees them in their language."""

from __future__ import annotations

import json

from confere.errors import Message
from confere.system.jobs import as_json, from_json


def kept(sentence: Message) -> str:
    """The text that a column holds."""
    return json.dumps(as_json(sentence), ensure_ascii=False)


def read(text: str) -> Message:
    """The sentence of such a column."""
    try:
        return from_json(json.loads(text))
    except ValueError:
        return Message(text.replace("{", "{{").replace("}", "}}"))
