"""What a note says below its parties: totals, transport, payment, and its words."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Final

from confere.app.documents.browse import DocumentRow
from confere.app.documents.view import labelled_fields
from confere.app.documents.view.facts import (
    MUTED,
    PLAIN,
    STRONG,
    WARN,
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
from confere.app.documents.view.party_sections import party
from confere.app.labels import labels
from confere.errors import NC_
from confere.fiscal.detail import Billing, NoteDetail, Payment, Transport, Volume, Words
from confere.fiscal.law import field_text
from confere.fiscal.model import VOID
from confere.system import formatting
from confere.system.messages import t

_FIRST = {"ICMSTot": 0, "total": 1}  # what needs no heading: the note's own sums, with and without the reform
_LEAST_PARTS: Final = 2
_OWN: Final = frozenset({"ICMSTot", "ISSQNtot"})
_FREIGHT: Final = frozenset({"cte", "cteos"})
_GRAND = frozenset({"vNF", "vNFTot", "vTotDFe"})


# Of what the total of a note is made, each with its sign. Source: MOC 7.0, Anexo I, field W16, rule W16-10.
_PARTS: Final = (
    ("vProd", 1), ("vServ", 1), ("vDesc", -1), ("vFrete", 1), ("vSeg", 1), ("vOutro", 1), ("vST", 1), ("vFCPST", 1),
    ("vICMSMonoReten", 1), ("vII", 1), ("vIPI", 1), ("vIPIDevol", 1),
)  # fmt: skip
_RELIEVED: Final = "vICMSDeson"  # taken off only where items say so (indDeduzDeson)


def sections(detail: NoteDetail, loaded: Loaded) -> list[Section]:
    """In the order in which a note is read."""
    options = loaded.options
    sum_of_parts = built_up(detail)
    return [
        sum_of_parts,
        freight(loaded),
        totals(detail, options, is_built_up=bool(sum_of_parts.facts)),
        transport(detail.transport, options),
        payment(detail, options),
        spoken(detail.words, options),
    ]


def built_up(detail: NoteDetail) -> Section:
    """How goods, freight, discount and taxes make the total; nothing where the goods are the total."""
    amounts: dict[str, int] = {}
    for name, fields in detail.totals:
        if name in _OWN:
            for path, text in fields:
                cents = _cents(text)
                if cents is not None:
                    amounts.setdefault(field_text.tag_of(path), cents)
    total = amounts.get("vNF")
    parts = [(name, sign * amounts[name]) for name, sign in _PARTS if amounts.get(name)]
    if total is None or len(parts) < _LEAST_PARTS:
        return section("")
    left = total - sum(amount for _, amount in parts)
    relieved = amounts.get(_RELIEVED)
    if relieved and left == -relieved:
        parts.append((_RELIEVED, -relieved))
        left = 0
    lines = [figure(_signed(place, name, amount), formatting.money(abs(amount))) for place, (name, amount) in
             enumerate(parts)]  # fmt: skip
    return section(
        t("How the total is built up"),
        *lines,
        figure(t("Other parts, not named here"), formatting.money(left), WARN) if left else None,
        figure(f"= {field_text.name('vNF')}", formatting.money(total), STRONG),
    )


def _signed(place: int, name: str, amount: int) -> str:
    sign = "− " if amount < 0 else "+ " if place else ""
    return f"{sign}{field_text.name(name)}"


def _cents(text: str) -> int | None:
    try:
        return int((Decimal(text) * 100).to_integral_value())
    except (InvalidOperation, ValueError, OverflowError):
        return None


def freight(loaded: Loaded) -> Section:
    """The CT-e that carry this note, with what each costs; those without effect are said and not summed."""
    keys = dict.fromkeys(relation.source_key for relation in loaded.view.full.related_by if relation.archived)
    rows = [loaded.related[key] for key in keys if key in loaded.related and loaded.related[key].type in _FREIGHT]
    found = [row for row in rows if row.state not in VOID]
    lines = [
        Fact(_carrier(row, loaded.hidden), (FactLine(_worth(row), PLAIN, row.id),), figure=True)
        for row in rows[: loaded.options.parts]
    ]
    total = sum(row.total or 0 for row in found)
    return section(
        t("Freight (CT-e)"),
        *lines,
        loaded.options.rest(len(rows), loaded.options.parts),
        figure(t("Freight in all"), formatting.money(total), STRONG) if len(found) > 1 else None,
    )


def _carrier(row: DocumentRow, hidden: bool) -> str:
    number = f"{labels.type_word(row.type)} {labels.number_word(row.series, row.number)}"
    return " · ".join(filter(None, (number, labels.party_word(row.emitter_tax_id, row.emitter_name, hidden))))


def _worth(row: DocumentRow) -> str:
    state = labels.state_word(row.state) if row.state in VOID else ""
    return " · ".join(filter(None, (formatting.money(row.total) or "–", state)))


def totals(detail: NoteDetail, options: ViewOptions, *, is_built_up: bool = False) -> Section:
    """Every total that is not zero, those of the reform beside the others; what is zero is named below.

    `is_built_up`: the parts of the note's own sum are told before, and are left out here.
    """
    told = {name for name, _ in _PARTS} | {"vNF"} if is_built_up else set()
    found: list[Fact | None] = []
    groups = sorted(detail.totals, key=lambda entry: _FIRST.get(entry[0], len(_FIRST)))
    for name, fields in groups:
        if name not in _FIRST and any(not _is_zero(text) for _, text in fields):
            found.append(heading(field_text.group_name(name)))
        called = field_text.labels(path for path, _ in fields[: options.fields])
        found += [
            _amount(called[path], path, text)
            for path, text in fields[: options.fields]
            if not _is_zero(text) and not (name in _OWN and field_text.tag_of(path) in told)
        ]
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
        figure(t(NC_("money", "Change")), change),
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
