"""Sentences of evidence that several rules share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from confere.errors import Message, message
from confere.fiscal.books.ledger import PaperEntry
from confere.fiscal.taxpayers import CNPJ_SHAPE
from confere.reconcile import traits, wording


def without_effect(papers: Iterable[PaperEntry]) -> Iterator[Message]:
    """Those of `papers` that would have settled it, were they in effect."""
    for paper in papers:
        if not traits.effective(paper):
            yield message("{name} is without effect ({state}).", name=wording.named(paper), state=wording.state(paper))


def buyers_own_note(sales: Iterable[PaperEntry]) -> Iterator[Message]:
    """A company that gives goods back issues the note itself, and a hub of sellers need not have it."""
    if any(CNPJ_SHAPE.fullmatch(sale.recipient or "") for sale in sales):
        yield message("The buyer is a company: it may have given the goods back by a note of its own.")
