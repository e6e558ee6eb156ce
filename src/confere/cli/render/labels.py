"""The words of `confere.app.labels.labels` for a terminal, which no text of a file or a hub may command."""

from __future__ import annotations

from confere.app.labels import labels
from confere.system.plain_text import plain


def type_word(code: str) -> str:
    return plain(labels.type_word(code))


def model_word(model: str) -> str:
    return plain(labels.model_word(model))


def state_word(code: str) -> str:
    return plain(labels.state_word(code))


def role_word(code: str) -> str:
    return plain(labels.role_word(code))


def operation_word(code: str | None) -> str:
    return plain(labels.operation_word(code))


def outcome_word(code: str) -> str:
    return plain(labels.outcome_word(code))


def topic_word(code: str) -> str:
    return plain(labels.topic_word(code))


def relation_word(kind: str, *, reverse: bool) -> str:
    """How the document shown stands to the other one."""
    return plain(labels.relation_word(kind, reverse=reverse))


def claims_word(claims: int) -> str:
    """Who says so."""
    return labels.claims_word(claims)


def tax_id_word(tax_id: str | None) -> str:
    """A CNPJ or CPF with its mask."""
    return plain(labels.tax_id_word(tax_id))


def party_word(tax_id: str | None, name: str | None, hidden: bool = False) -> str:
    """A name; where there is none, the tax id. `hidden`: of a natural person only the initials, or a masked CPF."""
    return plain(labels.party_word(tax_id, name, hidden))


def number_word(series: int | None, number: int | None) -> str:
    """Series and number as they stand on paper: 1/4711."""
    return labels.number_word(series, number)
