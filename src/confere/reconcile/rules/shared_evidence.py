"""Sentences of evidence that several rules share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from confere.errors import Message, message
from confere.fiscal.operations import Operation
from confere.fiscal.taxpayers import CNPJ_SHAPE
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.sales.reconciliation_input import PaperEntry

_CREDIT_NOTE: Final = Operation.CREDIT_NOTE.value


def without_effect(papers: Iterable[PaperEntry]) -> Iterator[Message]:
    """One sentence for each of `papers` that is cancelled, denied or otherwise without effect."""
    for paper in papers:
        if not predicates.effective(paper):
            yield message(
                "{name} is without effect ({state}).", name=evidence_text.named(paper), state=evidence_text.state(paper)
            )


def only_reduced(view: View, sale: PaperEntry) -> Iterator[Message]:
    """The credit notes in effect that only reduce what a sale is worth: they take no goods back."""
    for paper in view.referring_to(sale.key):
        if paper.operation == _CREDIT_NOTE and predicates.effective(paper):
            yield message(
                "{name} of {total} reduces its value only: it takes no goods back.",
                name=evidence_text.named(paper),
                total=evidence_text.money(paper.total) or "?",
            )


def buyers_own_note(sales: Iterable[PaperEntry]) -> Iterator[Message]:
    """One sentence where a buyer is a company: it may have issued the return note itself, unknown to the hub."""
    if any(CNPJ_SHAPE.fullmatch(sale.recipient or "") for sale in sales):
        yield message("The buyer is a company: it may have given the goods back by a note of its own.")
