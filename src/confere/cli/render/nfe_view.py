"""A note in full for a terminal: items with every tax, totals, transport, payment, words, and all other fields."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from confere.cli import tables
from confere.cli.render import fields as say
from confere.fiscal.detail import FullItem, NoteDetail, Volume, Words
from confere.system import formatting
from confere.system.messages import t


def items(made: list[RenderableType], found: Sequence[FullItem], most: int | None) -> None:
    """A line for each item, then what each says beyond it; the first `most`, None for all."""
    if not found:
        return
    shown = found if most is None else found[:most]
    rows = [
        (
            str(entry.item.number),
            entry.item.code or "",
            entry.item.description or "",
            entry.item.ncm or "",
            entry.item.cfop or "",
            say.number(entry.item.quantity),
            entry.item.unit or "",
            say.price(entry.item.unit_price),
            formatting.money(entry.discount_cents) if entry.discount_cents else "",
            formatting.money(entry.item.total_cents),
        )
        for entry in shown
    ]
    headers = ["#", t("Code"), t("Description"), "NCM", "CFOP", t("Quantity"), t("Unit"), t("Price"), t("Discount")]
    say.section(made, t("Items"), tables.table([*headers, t("Total")], rows, right=(0, 5, 7, 8, 9)))
    for entry in shown:
        say.facts_section(made, t("Item {number}", number=entry.item.number), _item(entry))
    if len(shown) < len(found):
        made += [Text(""), Text(_rest(len(shown), len(found)))]


def _rest(shown: int, whole: int) -> str:
    return t(
        "{shown} of {total} items; the others with --items all.",
        shown=formatting.count(shown),
        total=formatting.count(whole),
    )


def _item(found: FullItem) -> say.Facts:
    goods = found.item
    same = (found.taxed_quantity, found.taxed_unit) == (goods.quantity, goods.unit)
    taxed = " ".join(filter(None, (say.number(found.taxed_quantity), found.taxed_unit)))
    price = say.price(found.taxed_unit_price)
    facts: say.Facts = [
        ("GTIN", goods.ean),
        (t("Taxed GTIN"), found.taxed_ean if found.taxed_ean != goods.ean else None),
        (t("Taxed quantity"), "" if same else f"{taxed} × {price}" if price else taxed),
        ("CEST", found.cest),
        (t("Tax benefit"), found.benefit_code),
        (t("Order"), " · ".join(filter(None, (found.order, found.order_item)))),
        *((label, formatting.money(cents)) for label, cents in _costs(found) if cents),
        (t("Total"), None if found.counts_in_total else t("It does not count in the total of the note.")),
        (t("Words"), found.words),
    ]
    for tax in found.taxes:
        facts += say.tax_facts(tax)
    facts += [(t("Refers to"), entry.access_key) for entry in found.references]
    return [*facts, *say.fields(found.fields)]


def _costs(found: FullItem) -> tuple[tuple[str, int | None], ...]:
    return (
        (t("Freight"), found.freight_cents),
        (t("Insurance"), found.insurance_cents),
        (t("Other costs"), found.other_cents),
        (t("Approximate taxes"), found.approximate_taxes_cents),
        (t("Total with the reform's taxes"), found.total_with_reform_cents),
    )


def rest(made: list[RenderableType], detail: NoteDetail) -> None:
    """What stands below the items."""
    say.groups(made, t("Totals"), detail.totals, zeros=False)  # a note lists each tax that there is none of
    _transport(made, detail)
    _payment(made, detail)
    words(made, detail.words)
    say.facts_section(made, t("Identification"), say.fields(detail.identification))
    say.groups(made, t("Other fields"), detail.sections)


def _transport(made: list[RenderableType], detail: NoteDetail) -> None:
    found = detail.transport
    if found is None:
        return
    carrier = say.party_facts(found.carrier) if found.carrier is not None else []
    say.facts_section(
        made,
        t("Transport"),
        [
            (t("Freight"), say.word("modFrete", found.mode)),
            *carrier,
            (t("Plates"), ", ".join(found.plates)),
            *((t("Volumes"), _volume(entry)) for entry in found.volumes),
            *say.fields(found.fields),
        ],
    )


def _volume(found: Volume) -> str:
    weights = [
        t("{what} {weight} kg", what=what, weight=say.number(weight))
        for what, weight in ((t("net"), found.net_weight), (t("gross"), found.gross_weight))
        if weight is not None
    ]
    seals = t("seals {numbers}", numbers=", ".join(found.seals)) if found.seals else ""
    first = " ".join(filter(None, (say.number(found.quantity), found.kind)))
    return " · ".join(filter(None, (first, found.brand, found.numbering, *weights, seals)))


def _payment(made: list[RenderableType], detail: NoteDetail) -> None:
    facts: say.Facts = []
    for entry in detail.payments:
        how = ": ".join(filter(None, (say.word("tPag", entry.method), entry.words)))
        timing = say.word("indPag", entry.timing)
        facts.append((t("Payment"), " · ".join(filter(None, (how, timing, formatting.money(entry.amount_cents))))))
        facts += [(f"  {label}", text) for label, text in say.fields(entry.fields)]
    facts.append((t("Change"), formatting.money(detail.change_cents) if detail.change_cents else ""))
    bill = detail.billing
    if bill is not None:
        net = bill.net_cents if bill.net_cents is not None else bill.original_cents
        facts.append((t("Bill"), " · ".join(filter(None, (bill.number, formatting.money(net))))))
        facts.append((t("Discount"), formatting.money(bill.discount_cents) if bill.discount_cents else ""))
        facts += [
            (
                t("Instalment {number}", number=entry.number or "–"),
                " · ".join(filter(None, (formatting.date(entry.due_on), formatting.money(entry.amount_cents)))),
            )
            for entry in bill.instalments
        ]
    say.facts_section(made, t("Payment"), facts)


def words(made: list[RenderableType], found: Words) -> None:
    """What the paper says in words of its own."""
    remarks = [(entry.name or t("Remark"), entry.text, entry.for_authority) for entry in found.remarks]
    say.facts_section(
        made,
        t("Words"),
        [
            (t("To the taxpayer"), found.for_taxpayer),
            *((name, text) for name, text, is_for_authority in remarks if not is_for_authority),
            (t("To the tax authority"), found.for_authority),
            *((name, text) for name, text, is_for_authority in remarks if is_for_authority),
            *say.fields(found.fields),
        ],
    )
