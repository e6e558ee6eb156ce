"""What a note says below its parties: totals, transport, payment, and its words."""

from __future__ import annotations

from collections.abc import Iterable

from confere.app.documents.view import detail_text, hidden_persons, labelled_fields
from confere.app.documents.view.facts import (
    MUTED,
    PLAIN,
    STRONG,
    Fact,
    FactLine,
    Section,
    fact,
    figure,
    heading,
    section,
)
from confere.app.documents.view.party_sections import party
from confere.fiscal.detail import Billing, NoteDetail, Payment, Transport, Volume, Words
from confere.system import formatting
from confere.system.messages import t

_FIRST = {"ICMSTot": 0, "total": 1}  # what needs no heading: the note's own sums, with and without the reform
_GRAND = frozenset({"vNF", "vNFTot", "vTotDFe"})
_MOST = 60


def sections(detail: NoteDetail, hidden: bool) -> list[Section]:
    """In the order in which a note is read."""
    return [
        totals(detail),
        transport(detail.transport, hidden),
        payment(detail),
        spoken(detail.words, hidden),
    ]


def totals(detail: NoteDetail) -> Section:
    """Every total that is not zero, those of the reform beside the others; what is zero is named below."""
    found: list[Fact | None] = []
    groups = sorted(detail.totals, key=lambda entry: _FIRST.get(entry[0], len(_FIRST)))
    for name, fields in groups:
        if name not in _FIRST and any(not _is_zero(text) for _, text in fields):
            found.append(heading(labelled_fields.group_name(name)))
        found += [_amount(path, text) for path, text in fields[: labelled_fields.MOST] if not _is_zero(text)]
    nothing = (
        labelled_fields.name(path)
        for _, fields in groups
        for path, text in fields[: labelled_fields.MOST]
        if _is_zero(text)
    )
    names = ", ".join(dict.fromkeys(nothing))
    return section(t("Totals"), *found, fact("", t("Zero: {names}", names=names), MUTED) if names else None)


def _amount(path: str, text: str) -> Fact | None:
    rank = STRONG if labelled_fields.tag_of(path) in _GRAND else PLAIN
    return figure(labelled_fields.name(path), labelled_fields.value(path, text), rank)


def _is_zero(text: str) -> bool:
    return not text.strip("0.,-")


def transport(found: Transport | None, hidden: bool) -> Section:
    """Who takes the goods, how, and in what."""
    if found is None:
        return section("")
    carrier = party(found.carrier, hidden) if found.carrier is not None else None
    return section(
        t("Transport"),
        fact(t("Freight"), labelled_fields.word("modFrete", found.mode)),
        carrier,
        fact(t("Plates"), ", ".join(found.plates)),
        *(
            Fact(t("Volumes") if number == 0 else "", (FactLine(_volume(entry)),))
            for number, entry in enumerate(found.volumes[:_MOST])
        ),
        *labelled_fields.facts(found.fields, hidden),
    )


def _volume(entry: Volume) -> str:
    count = detail_text.number(str(entry.quantity)) if entry.quantity is not None else ""
    kilograms = [
        t("{what} {weight} kg", what=what, weight=detail_text.number(str(weight)))
        for what, weight in ((t("net"), entry.net_weight), (t("gross"), entry.gross_weight))
        if weight is not None
    ]
    seals = t("seals {numbers}", numbers=", ".join(entry.seals)) if entry.seals else ""
    first = " ".join(filter(None, (count, entry.kind)))
    return " · ".join(filter(None, (first, entry.brand, entry.numbering, *kilograms, seals))) or "–"


def payment(detail: NoteDetail) -> Section:
    """How it is paid, and when."""
    change = formatting.money(detail.change_cents) if detail.change_cents else ""
    return section(
        t("Payment"),
        *(_payment(entry) for entry in detail.payments[:_MOST]),
        figure(t("Change"), change),
        *_billing(detail.billing),
    )


def _payment(entry: Payment) -> Fact | None:
    how = labelled_fields.word("tPag", entry.method)
    named = f"{how}: {entry.words}" if entry.words else how
    label = " · ".join(filter(None, (named, labelled_fields.word("indPag", entry.timing))))
    return figure(label or t("Payment"), formatting.money(entry.amount_cents) or "–")


def _billing(found: Billing | None) -> Iterable[Fact | None]:
    if found is None:
        return
    bill = t("Bill {number}", number=found.number) if found.number else t("Bill")
    net = found.net_cents if found.net_cents is not None else found.original_cents
    yield figure(bill, formatting.money(net))
    yield figure(t("Discount"), formatting.money(found.discount_cents) if found.discount_cents else "")
    for entry in found.instalments[:_MOST]:
        due = t("due {day}", day=formatting.date(entry.due_on)) if entry.due_on else ""
        label = " · ".join(filter(None, (t("Instalment {number}", number=entry.number or "–"), due)))
        yield figure(label, formatting.money(entry.amount_cents) or "–")
    if len(found.instalments) > _MOST:
        rest = formatting.count(len(found.instalments) - _MOST)
        yield fact("", t("… and {count} more; the XML page has each.", count=rest), MUTED)


def spoken(found: Words, hidden: bool) -> Section:
    """What the paper says in words of its own."""
    remarks = found.remarks[:_MOST]
    return section(
        t("Words"),
        fact(t("To the taxpayer"), found.for_taxpayer),
        *(fact(entry.name or t("Remark"), entry.text) for entry in remarks if not entry.for_authority),
        fact(t("To the tax authority"), found.for_authority),
        *(fact(entry.name or t("Remark"), entry.text) for entry in remarks if entry.for_authority),
        *labelled_fields.facts(hidden_persons.hide(found.fields) if hidden else found.fields, hidden),
    )
