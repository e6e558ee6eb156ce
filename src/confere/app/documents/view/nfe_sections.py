"""What a note says below its parties: totals, transport, payment, and its words."""

from __future__ import annotations

from collections.abc import Iterable

from confere.app.documents.view import labelled_fields
from confere.app.documents.view.facts import (
    MUTED,
    PLAIN,
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
from confere.app.documents.view.party_sections import party
from confere.fiscal.detail import Billing, NoteDetail, Payment, Transport, Volume, Words
from confere.fiscal.law import field_text
from confere.system import formatting
from confere.system.messages import t

_FIRST = {"ICMSTot": 0, "total": 1}  # what needs no heading: the note's own sums, with and without the reform
_GRAND = frozenset({"vNF", "vNFTot", "vTotDFe"})


def sections(detail: NoteDetail, options: ViewOptions) -> list[Section]:
    """In the order in which a note is read."""
    return [
        totals(detail, options),
        transport(detail.transport, options),
        payment(detail, options),
        spoken(detail.words, options),
    ]


def totals(detail: NoteDetail, options: ViewOptions) -> Section:
    """Every total that is not zero, those of the reform beside the others; what is zero is named below."""
    found: list[Fact | None] = []
    groups = sorted(detail.totals, key=lambda entry: _FIRST.get(entry[0], len(_FIRST)))
    for name, fields in groups:
        if name not in _FIRST and any(not _is_zero(text) for _, text in fields):
            found.append(heading(field_text.group_name(name)))
        called = field_text.labels(path for path, _ in fields[: options.fields])
        found += [_amount(called[path], path, text) for path, text in fields[: options.fields] if not _is_zero(text)]
    nothing = (
        field_text.name(path) for _, fields in groups for path, text in fields[: options.fields] if _is_zero(text)
    )
    names = ", ".join(dict.fromkeys(nothing))
    return section(t("Totals"), *found, fact("", t("Zero: {names}", names=names), MUTED) if names else None)


def _amount(label: str, path: str, text: str) -> Fact | None:
    rank = STRONG if field_text.tag_of(path) in _GRAND else PLAIN
    return figure(label, field_text.value(path, text), rank)


def _is_zero(text: str) -> bool:
    return not text.strip("0.,-")


def transport(found: Transport | None, options: ViewOptions) -> Section:
    """Who takes the goods, how, and in what."""
    if found is None:
        return section("")
    carrier = party(found.carrier, options.hidden) if found.carrier is not None else None
    return section(
        t("Transport"),
        fact(t("Freight"), field_text.meaning("modFrete", found.mode)),
        carrier,
        fact(t("Plates"), ", ".join(found.plates)),
        *(
            Fact(t("Volumes") if number == 0 else "", (FactLine(_volume(entry)),))
            for number, entry in enumerate(found.volumes[: options.parts])
        ),
        *labelled_fields.facts(found.fields, options),
    )


def _volume(entry: Volume) -> str:
    kilograms = [
        t("{what} {weight} kg", what=what, weight=field_text.number(weight))
        for what, weight in ((t("net"), entry.net_weight), (t("gross"), entry.gross_weight))
        if weight is not None
    ]
    seals = t("seals {numbers}", numbers=", ".join(entry.seals)) if entry.seals else ""
    first = " ".join(filter(None, (field_text.number(entry.quantity), entry.kind)))
    return " · ".join(filter(None, (first, entry.brand, entry.numbering, *kilograms, seals))) or "–"


def payment(detail: NoteDetail, options: ViewOptions) -> Section:
    """How it is paid, and when."""
    change = formatting.money(detail.change_cents) if detail.change_cents else ""
    return section(
        t("Payment"),
        *(_payment(entry) for entry in detail.payments[: options.parts]),
        figure(t("Change"), change),
        *_billing(detail.billing, options),
    )


def _payment(entry: Payment) -> Fact | None:
    how = field_text.meaning("tPag", entry.method)
    named = f"{how}: {entry.words}" if entry.words else how
    label = " · ".join(filter(None, (named, field_text.meaning("indPag", entry.timing))))
    return figure(label or t("Payment"), formatting.money(entry.amount_cents) or "–")


def _billing(found: Billing | None, options: ViewOptions) -> Iterable[Fact | None]:
    if found is None:
        return
    bill = t("Bill {number}", number=found.number) if found.number else t("Bill")
    net = found.net_cents if found.net_cents is not None else found.original_cents
    yield figure(bill, formatting.money(net))
    yield figure(t("Discount"), formatting.money(found.discount_cents) if found.discount_cents else "")
    for entry in found.instalments[: options.parts]:
        due = t("due {day}", day=formatting.date(entry.due_on)) if entry.due_on else ""
        label = " · ".join(filter(None, (t("Instalment {number}", number=entry.number or "–"), due)))
        yield figure(label, formatting.money(entry.amount_cents) or "–")
    yield options.rest(len(found.instalments), options.parts)


def spoken(found: Words, options: ViewOptions) -> Section:
    """What the paper says in words of its own."""
    remarks = found.remarks[: options.parts]
    return section(
        t("Words"),
        fact(t("To the taxpayer"), found.for_taxpayer),
        *(fact(entry.name or t("Remark"), entry.text) for entry in remarks if not entry.for_authority),
        fact(t("To the tax authority"), found.for_authority),
        *(fact(entry.name or t("Remark"), entry.text) for entry in remarks if entry.for_authority),
        *labelled_fields.facts(found.fields, options),
    )
