"""One item of a note in full, for below the table: what it is, every tax with all its fields, references, words."""

from __future__ import annotations

from confere.app.documents.view import labelled_fields
from confere.app.documents.view.facts import MUTED, Fact, FactLine, Section, ViewOptions, fact, figure, section
from confere.app.labels import labels
from confere.fiscal.detail import FullItem, Tax
from confere.fiscal.law import codes, field_text
from confere.system import formatting
from confere.system.messages import render, t

_SITUATIONS = frozenset({"CST", "CSOSN"})


def sections(item: FullItem, options: ViewOptions) -> tuple[Section, ...]:
    """In the order in which somebody checks an item."""
    found = [_goods(item), *(tax_section(tax, options) for tax in item.taxes), _references(item, options)]
    if item.fields:
        found.append(section(t("Other fields"), *labelled_fields.facts(item.fields, options)))
    return tuple(entry for entry in found if entry.facts)


def tax_section(tax: Tax, options: ViewOptions) -> Section:
    """A tax with the group it is written in, what its CST means, and every field."""
    title = field_text.name(tax.name)
    if tax.group != tax.name:
        title = f"{title} ({tax.group})"
    known = codes.situation(tax.name, tax.cst)
    situation = f"{tax.cst} – {render(known)}" if known is not None else tax.cst
    return section(
        " · ".join(filter(None, (title, formatting.money(tax.amount_cents)))),
        fact("CSOSN" if tax.name == "ICMS" and len(tax.cst or "") == 3 else "CST", situation),
        *(_field(entry) for entry in labelled_fields.facts(_without_situation(tax), options)),
    )


def _without_situation(tax: Tax) -> tuple[tuple[str, str], ...]:
    """The CST is told with its meaning already; one deeper down, of a group within the tax, is a field like others."""
    return tuple(entry for entry in tax.fields if entry[0] not in _SITUATIONS or entry[1] != tax.cst)


def _field(entry: Fact) -> Fact:
    """Numbers align; words stand beside their label."""
    text = entry.lines[0].text
    is_number = text[-1:].isdecimal() and not any(sign.isalpha() for sign in text.removeprefix("-").removeprefix("R$"))
    return Fact(entry.label, entry.lines, figure=is_number and entry.label != "")


def _goods(item: FullItem) -> Section:
    goods = item.item
    times = "×" if item.taxed_unit_price is not None else ""
    quantity, price = field_text.number(item.taxed_quantity), field_text.price(item.taxed_unit_price)
    taxed = " ".join(filter(None, (quantity, item.taxed_unit, times, price)))
    same = (item.taxed_quantity, item.taxed_unit) == (goods.quantity, goods.unit)
    costs = (
        (t("Discount"), item.discount_cents),
        (t("Freight"), item.freight_cents),
        (t("Insurance"), item.insurance_cents),
        (t("Other costs"), item.other_cents),
        (t("Approximate taxes"), item.approximate_taxes_cents),
        (t("Total with the reform's taxes"), item.total_with_reform_cents),
    )
    title = " · ".join(filter(None, (str(goods.number) if goods.number else "", goods.description)))
    order = " · ".join(
        filter(None, (item.order, t("item {number}", number=item.order_item) if item.order_item else ""))
    )
    return section(
        title or t("Item"),
        fact(t("Words"), item.words),
        fact(t("Code"), goods.code),
        fact("GTIN", goods.ean),
        fact(t("Taxed GTIN"), item.taxed_ean if item.taxed_ean != goods.ean else None),
        fact(t("Taxed quantity"), "" if same else taxed),
        fact("NCM", " · ".join(filter(None, (goods.ncm, f"CEST {item.cest}" if item.cest else None)))),
        fact("CFOP", goods.cfop),
        fact(t("Tax benefit"), item.benefit_code),
        fact(t("Order"), order),
        *(figure(label, formatting.money(cents)) for label, cents in costs if cents),
        None if item.counts_in_total else fact("", t("It does not count in the total of the note."), MUTED),
    )


def _references(item: FullItem, options: ViewOptions) -> Section:
    return section(
        t("Refers to"),
        *(
            Fact("", (FactLine(labels.key_groups(entry.access_key), link=entry.access_key),))
            for entry in item.references[: options.fields]
        ),
    )
