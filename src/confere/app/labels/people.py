"""Natural persons out of what leaves the house (LGPD): rows of lists, and sentences. XML is never touched.

A CPF becomes `***.456.789-**`, a name its initials; a CNPJ and its name stay. Whoever writes a list, a ledger, a
report or a selection hides rows by `hidden_document` and `hidden_order`, texts by `hidden_text`, and fields of a
document as written by `confere.app.documents.view.hidden_persons.hide`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from confere.app.labels import labels
from confere.archive.documents.documents import DocumentRow
from confere.archive.orders.orders import OrderRow
from confere.fiscal import taxpayers

HIDDEN: Final = "•••"
_CPF: Final = re.compile(r"(?<![\w./-])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![\w-]|\.\d)")
_MAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE: Final = re.compile(r"(?:\+?55[ -]?)?\(\d{2}\) ?\d{4,5}[- ]?\d{4}(?!\d)")


def hidden_document(row: DocumentRow) -> DocumentRow:
    """The row with whoever has no CNPJ hidden."""
    return replace(
        row,
        emitter_tax_id=hidden_tax_id(row.emitter_tax_id),
        emitter_name=_name(row.emitter_name, row.emitter_tax_id),
        recipient_tax_id=hidden_tax_id(row.recipient_tax_id),
        recipient_name=_name(row.recipient_name, row.recipient_tax_id),
    )


def hidden_order(row: OrderRow) -> OrderRow:
    """The row with a buyer that has no CNPJ hidden."""
    return replace(
        row, buyer_tax_id=hidden_tax_id(row.buyer_tax_id), buyer_name=_name(row.buyer_name, row.buyer_tax_id)
    )


def people_of(documents: Iterable[DocumentRow] = (), orders: Iterable[OrderRow] = ()) -> frozenset[str]:
    """The names in these rows that are not a company's, for `hidden_text`."""
    parties = [(row.buyer_name, row.buyer_tax_id) for row in orders]
    for row in documents:
        parties += [(row.emitter_name, row.emitter_tax_id), (row.recipient_name, row.recipient_tax_id)]
    return frozenset(name for name, tax_id in parties if name and _name(name, tax_id) != name)


def hidden_text(text: str, names: Iterable[str] = ()) -> str:
    """A sentence without CPF, e-mail and telephone, and with `names`, those of persons, as their initials.

    Eleven digits count as a CPF where their check digits hold; access keys and CNPJ stay.
    """
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = text.replace(name, labels.person_name(name, None, hidden=True))
    text = _CPF.sub(_masked, text)
    return _PHONE.sub(HIDDEN, _MAIL.sub(HIDDEN, text))


def _masked(match: re.Match[str]) -> str:
    plain = taxpayers.normalise(match[0])
    return labels.tax_id_word(plain, hidden=True) if taxpayers.is_cpf(plain) else match[0]


def hidden_tax_id(tax_id: str | None) -> str | None:
    """A CNPJ as it is, anything else so that it names nobody."""
    if not tax_id or taxpayers.CNPJ_SHAPE.fullmatch(taxpayers.normalise(tax_id)):
        return tax_id
    return (
        labels.tax_id_word(tax_id, hidden=True)
        if taxpayers.CPF_SHAPE.fullmatch(taxpayers.normalise(tax_id))
        else HIDDEN
    )


def _name(name: str | None, tax_id: str | None) -> str | None:
    return None if name is None else labels.person_name(name, tax_id, hidden=True)
