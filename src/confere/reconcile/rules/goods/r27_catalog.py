"""R27: an item that invoices describe otherwise than the catalog does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from confere.errors import N_, Message, message
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.goods.catalog_comparison import NO_GTIN, CatalogComparison, CatalogField, Disagreement, Match
from confere.reconcile.graph.order_groups import in_time, many_alike
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.undecided_reasons import Reason
from confere.sales.catalog_product import CatalogProduct, SoldSku
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import ItemQuantity, PaperEntry

RULE: Final = Rule(
    "R27",
    1,
    Severity.MEDIUM,
    N_("Item unlike the catalog"),
    N_(
        "Invoices describe an item otherwise than the catalog does: NCM, origin, EAN, unit or code. Find out which of"
        " the two is right; correct the product's registration, and the system that issues the notes."
    ),
)
_LOW: Final = frozenset({CatalogField.CODE, CatalogField.EAN, CatalogField.UNIT})
_OF_PRODUCT: Final = frozenset({CatalogField.NCM, CatalogField.ORIGIN})  # the others are a SKU's
_WORDS: Final = {
    CatalogField.CODE: N_("Invoices call {items} by the code {noted}, the catalog by {listed}; the EAN is the same."),
    CatalogField.NCM: N_("Invoices give {items} the NCM {noted}, the catalog {listed}."),
    CatalogField.EAN: N_("Invoices give {items} the EAN {noted}, the catalog {listed}."),
    CatalogField.ORIGIN: N_("Invoices give {items} the origin {noted}, the catalog {listed}."),
    CatalogField.UNIT: N_("Invoices sell {items} by the unit {noted}, the catalog by {listed}."),
}


@dataclass(slots=True)
class _Mistake:
    """The same disagreement about one product or SKU, on however many invoices."""

    owner: str
    what: Disagreement
    items: dict[str, str] = field(default_factory=dict)  # names by code
    papers: dict[str, PaperEntry] = field(default_factory=dict)

    @property
    def period(self) -> str:
        """The month of its newest invoice: a mistake that goes on stands in the month that is to be closed."""
        return max(paper.period for paper in self.papers.values())


def find(view: View) -> Iterator[Finding]:
    """Items of authorized sales that the catalog describes otherwise, one finding a mistake and not an invoice.

    A mistake is what the invoices say of a product against what its catalog says: further invoices that say the same
    make no other finding, and what is known of it stays as it was settled. Where many products have the very same
    mistake, they are one finding together. Nothing is held against what the catalog does not say, nor against a
    product that it did not list when the invoice was issued: an item that it does not have at all is not checked.

    Source: MOC 7.0, annex I, I02 (`cProd`), I03 (`cEAN`), I05 (`NCM`), I09 (`uCom`), N11 (`orig`); Ajuste SINIEF 07/05,
    cl. 3ª, § 6 (GTIN); Convênio SINIEF s/n of 1970, annex, table A, and Ajuste SINIEF 20/2012 (origin of goods).
    """
    unchecked = Unchecked(RULE)
    catalog = view.ledger.catalog
    if catalog is None:
        for sale in view.sales:
            if sale.lines:
                unchecked.add(sale.period, Reason.NO_CATALOG, evidence_text.named(sale))
    else:
        yield from _findings(_mistakes(view, CatalogComparison(catalog), unchecked))
    yield from unchecked.findings()


class Subjects:
    """Which findings are about a product, by their `subject`: those of its own, and those of many items.

    `lines` are the ways in which invoices describe it.
    """

    def __init__(self, product: CatalogProduct, lines: Iterable[ItemQuantity]) -> None:
        owners = {product.hub_id, *(sku.code for sku in product.skus if sku.code)}
        self._own = tuple(f"{name}/{owner}/" for name in CatalogField for owner in owners)
        catalog = CatalogComparison(SoldSku(product, sku, None) for sku in product.skus)
        matches = filter(None, (catalog.match(line, "") for line in lines))
        self._shared = {_kind(what) for match in matches for what in match.disagreements}

    def __contains__(self, subject: str) -> bool:
        return subject.startswith(self._own) or subject in self._shared


def _mistakes(view: View, catalog: CatalogComparison, unchecked: Unchecked) -> Iterable[_Mistake]:
    mistakes: dict[tuple[str, Disagreement], _Mistake] = {}
    not_there: set[tuple[str, str]] = set()
    for sale in in_time(view.sales):
        for line in sale.lines:
            match = catalog.match(line, sale.issued_on)
            if match is None:
                name = line.code or line.ean or line.description or "?"
                if (sale.period, name) not in not_there:
                    not_there.add((sale.period, name))
                    unchecked.add(sale.period, Reason.NOT_IN_CATALOG, name)
                continue
            for what in match.disagreements:
                owner = _owner(match, what.field)
                mistake = mistakes.setdefault((owner, what), _Mistake(owner, what))
                mistake.items.setdefault(_code(match, line), line.description or "")
                mistake.papers.setdefault(sale.key or "", sale)
    return mistakes.values()


def _findings(mistakes: Iterable[_Mistake]) -> Iterator[Finding]:
    alike, apart = many_alike(mistakes, lambda mistake: _kind(mistake.what))
    for mistake in apart:
        what = mistake.what
        yield _found(mistake.period, _subject(mistake), what, _sentence(what, [mistake]), [mistake])
    together: dict[str, list[_Mistake]] = {}
    for (kind, _), entries in alike.items():
        together.setdefault(kind, []).extend(entries)
    for kind, entries in together.items():
        what = entries[0].what
        yield _found(max(entry.period for entry in entries), kind, what, _of_many(what, entries), entries)


def _subject(mistake: _Mistake) -> str:
    what = mistake.what
    return f"{what.field}/{mistake.owner}/{what.noted}/{what.listed}"


def _kind(what: Disagreement) -> str:
    """What many products may have wrong alike: EANs and codes are each product's own, so that it is all of them."""
    if what.field is CatalogField.EAN and what.noted == NO_GTIN:
        return f"{what.field}/{NO_GTIN}"
    if what.field in (CatalogField.EAN, CatalogField.CODE):
        return f"{what.field}"
    return f"{what.field}/{what.noted}/{what.listed}"


def _found(period: str, subject: str, what: Disagreement, sentence: Message, mistakes: Sequence[_Mistake]) -> Finding:
    papers = {key: paper for mistake in mistakes for key, paper in mistake.papers.items()}
    notes = in_time(papers.values())
    return RULE.found(
        period,
        sentence,
        message(
            "Invoices that say so: {count}, from {first} to {last} ({names}).",
            count=len(notes),
            first=evidence_text.day(notes[0].issued_on),
            last=evidence_text.day(notes[-1].issued_on),
            names=evidence_text.papers_named(reversed(notes)),
        ),
        subject=subject,
        severity=Severity.LOW if what.field in _LOW else None,
    )


def _sentence(what: Disagreement, mistakes: Sequence[_Mistake]) -> Message:
    names = {code: name for mistake in mistakes for code, name in mistake.items.items()}
    items = evidence_text.listed(" ".join(filter(None, (code, name))) for code, name in names.items())
    return Message(_WORDS[what.field], {"items": items, "noted": what.noted, "listed": what.listed})


def _of_many(what: Disagreement, mistakes: Sequence[_Mistake]) -> Message:
    noted = evidence_text.listed(sorted({mistake.what.noted for mistake in mistakes}))
    listed = evidence_text.listed(sorted({mistake.what.listed for mistake in mistakes}))
    return message(
        "The same of many items ({count}): {sentence}",
        count=len({code for mistake in mistakes for code in mistake.items}),
        sentence=_sentence(Disagreement(what.field, noted, listed), mistakes),
    )


def _owner(match: Match, field_name: CatalogField) -> str:
    """Whose mistake it is: the product's, or the SKU's by its code."""
    sold = match.skus[0]
    return sold.product.hub_id if field_name in _OF_PRODUCT or not sold.sku.code else sold.sku.code


def _code(match: Match, line: ItemQuantity) -> str:
    return line.code or match.skus[0].sku.code
