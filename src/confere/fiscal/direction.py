"""Whose document it is, and whether it is one in or one out, as that taxpayer sees it."""

from __future__ import annotations

from typing import Final, Literal

from confere.fiscal import taxpayers
from confere.fiscal.model import Document

Direction = Literal["in", "out"]

OWNING_ROLES: Final = ("emitter", "recipient", "taker")
"""A document belongs to each establishment that is one of these; a CT-e's sender alone has no claim."""


def direction(document: Document, company: str) -> Direction:
    """The direction of `document` for the taxpayer `company` (CNPJ or CPF, masked or not).

    Its own emission follows `tpNF` (0 is an entry note, as for a customer's return); what others emit to it,
    and a CT-e that it takes, is in.

    Source: MOC 7.0, annex I, B11 (`tpNF`); MOC of the CT-e 4.00 (`toma`: the taker).
    """
    emitter = document.party("emitter")
    return direction_for(company, emitter.tax_id if emitter is not None else None, document.direction)


def direction_for(company: str, emitter: str | None, written: str | None) -> Direction:
    """As `direction`, of a document that `emitter` (a tax id) issued with `written` as its tpNF.

    Source: MOC 7.0, annex I, B11 (`tpNF`).
    """
    if not _same(emitter, company):
        return "in"
    return "in" if written == "0" else "out"


def belongs_to(document: Document, company: str) -> bool:
    """Whether `company` is the emitter, the recipient or the taker of `document`.

    Source: MOC 7.0 (`emit`, `dest`); MOC of the CT-e 4.00 (`toma`: the taker).
    """
    return any(party.role in OWNING_ROLES and _same(party.tax_id, company) for party in document.parties)


def _same(tax_id: str | None, company: str) -> bool:
    return tax_id is not None and taxpayers.normalise(tax_id) == taxpayers.normalise(company)
