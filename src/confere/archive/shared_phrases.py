"""Sentences that thousands of rows share: each phrase written once, rows name it by its number with their values.

A phrase is a sentence's code with the names of its values (`confere.archive.message_encoding`).
`[[3, "NF-e 1/20"], [5]]` stands for two sentences. The same sentences always give the same text in one archive.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from confere.archive.message_encoding import json_text, sentence_of, with_codes
from confere.archive.schema.schema import phrase
from confere.archive.transaction import Transaction
from confere.errors import Message
from confere.system.message_codes import sentence_id, stored_id
from confere.system.progress import as_json


class Phrases:
    """The phrases that an archive knows, for as long as a transaction lasts."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        rows = transaction.fetch("SELECT id, text FROM phrase")
        self._numbers: dict[str, int] = {text: number for number, text in rows}
        self._told: dict[int, list[str]] = {number: json.loads(text) for number, text in rows}
        self._known: dict[tuple[str, ...], int] = {tuple(told): number for number, told in self._told.items()}
        self._without_values: dict[str, str] = {}

    def kept_all(self, found: Sequence[Message]) -> str:
        """The text that a column holds; new phrases are written down."""
        return f"[{','.join([self._kept(entry) for entry in found])}]"

    def read_all(self, text: str) -> tuple[Message, ...]:
        """The sentences of such a column."""
        return tuple(self._read(entry) for entry in json.loads(text))

    def _kept(self, entry: Message) -> str:
        if not entry.params:
            known = self._without_values.get(entry.id)
            if known is None:
                known = self._without_values[entry.id] = f"[{self._number((stored_id(entry.id),))}]"
            return known
        names = sorted(entry.params)
        return json_text([self._number((stored_id(entry.id), *names)), *[_plain(entry.params[name]) for name in names]])

    def _number(self, told: tuple[str, ...]) -> int:
        number = self._known.get(told)
        if number is None:
            text = json_text(told)
            number = self._numbers.get(text)
            if number is None:
                (number,) = self._transaction.new_ids(phrase, 1)
                self._transaction.insert(phrase, [(number, text)])
                self._numbers[text] = number
                self._told[number] = json.loads(text)
            self._known[told] = number
        return number

    def _read(self, entry: list[object]) -> Message:
        number, *values = entry
        id, *names = self._told[number]  # type: ignore[index]
        known = (sentence_of(value) if isinstance(value, dict) else value for value in values)
        return Message(sentence_id(id), dict(zip(names, known, strict=True)))


def _plain(value: object) -> object:
    """As `as_json` has it: a number, a text or a sentence."""
    if isinstance(value, str | int):
        return value
    return with_codes(as_json(Message("", {"value": value}))["params"]["value"])  # type: ignore[index]
