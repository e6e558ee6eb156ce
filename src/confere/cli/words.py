"""The words of `confere.app.words` for a terminal, which no text of a file or a hub may command."""

from __future__ import annotations

from confere.app import words
from confere.system.plain_text import plain


def type_word(code: str) -> str:
    return plain(words.type_word(code))


def model_word(model: str) -> str:
    return plain(words.model_word(model))


def state_word(code: str) -> str:
    return plain(words.state_word(code))


def role_word(code: str) -> str:
    return plain(words.role_word(code))


def operation_word(code: str | None) -> str:
    return plain(words.operation_word(code))


def topic_word(code: str) -> str:
    return plain(words.topic_word(code))


def relation_word(kind: str, *, reverse: bool) -> str:
    """How the document shown stands to the other one."""
    return plain(words.relation_word(kind, reverse=reverse))


def claims_word(claims: int) -> str:
    """Who says so."""
    return words.claims_word(claims)


def tax_id_word(tax_id: str | None) -> str:
    """A CNPJ or CPF with its mask."""
    return plain(words.tax_id_word(tax_id))


def party_word(tax_id: str | None, name: str | None, hidden: bool = False) -> str:
    """A name; where there is none, the tax id. `hidden`: of a natural person only the initials, or a masked CPF."""
    return plain(words.party_word(tax_id, name, hidden))


def number_word(series: int | None, number: int | None) -> str:
    """Series and number as they stand on paper: 1/4711."""
    return words.number_word(series, number)
