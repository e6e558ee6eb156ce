"""What a CT-e says below its parties: the service, its price and taxes, the cargo, and what it carries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from confere.app.documents.view import detail_text, labelled_fields
from confere.app.documents.view.facts import (
    MUTED,
    STRONG,
    Fact,
    FactLine,
    Section,
    ViewOptions,
    fact,
    figure,
    heading,
    section,
)
from confere.app.documents.view.loaded import Loaded
from confere.app.documents.view.nfe_sections import spoken
from confere.app.labels import labels
from confere.fiscal.detail import Cargo, CarriedDocument, Fields, FreightDetail, Insurance, ServicePlace, Tax
from confere.fiscal.law import codes, field_text
from confere.system import formatting
from confere.system.messages import render, t


def sections(detail: FreightDetail, loaded: Loaded) -> list[Section]:
    """In the order in which a CT-e is read."""
    return [
        service(detail, loaded),
        price(detail, loaded.options),
        cargo(detail.cargo, loaded.options),
        carried(detail.carried, loaded),
        insurance(detail.insurances, loaded.options),
        _groups(t("Legs"), detail.legs, loaded.options),
        _groups(t("Modal"), detail.modal_fields, loaded.options),
        spoken(detail.words, loaded.options),
    ]


def service(detail: FreightDetail, loaded: Loaded) -> Section:
    """From where to where, how, and for whom."""
    way = " → ".join(filter(None, (_place(detail.origin), _place(detail.destination))))
    return section(
        t("Service"),
        fact(t("Taker of the freight"), _taker(detail, loaded), STRONG),
        fact(t("Route"), way),
        fact(t("Modal"), field_text.meaning("modal", detail.modal)),
        fact(t("Kind of service"), field_text.meaning("tpServ", detail.service)),
    )


def _taker(detail: FreightDetail, loaded: Loaded) -> str:
    """Who takes it, with the role in which the CT-e names them first."""
    role = detail.taker_role or ""
    who = next((entry.party for entry in detail.parties if entry.party.role == role), None)
    if who is None:
        return labels.role_word(role) if role else ""
    name = labels.party_word(who.tax_id, who.name, loaded.hidden)
    return name if role == "taker" else f"{name} ({labels.role_word(role).lower()})"


def _place(place: ServicePlace) -> str:
    return "/".join(filter(None, (place.city, place.uf)))


def price(detail: FreightDetail, options: ViewOptions) -> Section:
    """The parts of the price, what they make, and the taxes in it."""
    components = (
        figure(entry.name or "–", formatting.money(entry.amount_cents) or "–")
        for entry in detail.components[: options.parts]
    )
    receivable = detail.receivable_cents if detail.receivable_cents != detail.service_cents else None
    approximate = detail.approximate_taxes_cents
    return section(
        t("Price"),
        *components,
        figure(t("Total of the service"), formatting.money(detail.service_cents), STRONG),
        figure(t("Receivable"), formatting.money(receivable)),
        *(_tax(tax) for tax in detail.taxes),
        figure(t("Approximate taxes"), formatting.money(approximate) if approximate else ""),
    )


def _tax(tax: Tax) -> Fact:
    """The tax with its situation, base and rate in words, and its amount."""
    meaning = codes.situation(tax.name, tax.cst)
    situation = f"CST {tax.cst}" if tax.cst else ""
    if meaning is not None:
        situation = f"{situation} {render(meaning)}"
    base = formatting.money(tax.base_cents)
    rate = f"{field_text.number(tax.rate, 2)} %" if tax.rate is not None else ""
    said = " · ".join(
        filter(None, (field_text.name(tax.name), situation, f"{base} × {rate}" if base and rate else base))
    )
    return Fact(said, (FactLine(formatting.money(tax.amount_cents) or "–"),), figure=True)


def cargo(found: Cargo | None, options: ViewOptions) -> Section:
    if found is None:
        return section("")
    measures = tuple(
        FactLine(
            " ".join(
                filter(
                    None,
                    (
                        f"{entry.kind or ''}:" if entry.kind else "",
                        field_text.number(entry.quantity),
                        field_text.meaning("cUnid", entry.unit),
                    ),
                )
            )
        )
        for entry in found.measures[: options.parts]
    )
    return section(
        t("Cargo"),
        fact(t("Product"), found.product),
        fact(t("Other traits"), found.words),
        fact(t("Value"), formatting.money(found.value_cents)),
        fact(t("Insured value"), formatting.money(found.insured_value_cents)),
        Fact(t("Measures"), measures) if measures else None,
    )


def carried(found: tuple[CarriedDocument, ...], loaded: Loaded) -> Section:
    """The documents of the cargo; those that are here lead there."""
    title = t("Carries {count} documents", count=formatting.count(len(found))) if len(found) > 1 else t("Carries")
    most = loaded.options.parts
    facts: list[Fact | None] = [_carried(entry, loaded) for entry in found[:most]]
    if most is not None and len(found) > most:
        rest = formatting.count(len(found) - most)
        facts.append(fact("", t("… and {count} more on the page Items.", count=rest), MUTED))
    return replace(section(title, *facts), in_table=True)


def _carried(entry: CarriedDocument, loaded: Loaded) -> Fact:
    key = entry.access_key
    row = loaded.related.get(key) if key else None
    if row is not None:
        label = f"{labels.type_word(row.type)} {labels.number_word(row.series, row.number)}"
        said = detail_text.parties_line(row, loaded.own, loaded.hidden)
        worth = " · ".join(filter(None, (said, formatting.money(row.total))))
        return Fact(label, (FactLine(worth or labels.key_groups(key or ""), link=key),))
    label = field_text.name(entry.kind)
    if key:
        return Fact(label, (FactLine(labels.key_groups(key), MUTED), FactLine(t("not in the archive"), MUTED)))
    worth = formatting.money(entry.value_cents)
    return Fact(label, (FactLine(" · ".join(filter(None, (entry.number, worth))) or "–"),))


def insurance(found: Iterable[Insurance], options: ViewOptions) -> Section:
    facts = []
    for entry in found:
        said = (
            entry.insurer,
            t("policy {number}", number=entry.policy) if entry.policy else None,
            t("endorsement {number}", number=entry.endorsement) if entry.endorsement else None,
            formatting.money(entry.value_cents) or None,
        )
        payer = field_text.meaning("respSeg", entry.payer)
        facts.append(fact(payer or t("Insurance"), " · ".join(filter(None, said)) or "–"))
    return section(t("Insurance"), *facts[: options.parts])


def _groups(title: str, groups: tuple[tuple[str, Fields], ...], options: ViewOptions) -> Section:
    found: list[Fact] = []
    for name, fields in groups[: options.parts]:
        found += [heading(field_text.group_name(name)), *labelled_fields.facts(fields, options)]
    return section(title, *found)
