"""A CT-e in full for a terminal: service, price with its taxes, cargo, what it carries, insurance, all other fields."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from confere.cli import tables
from confere.cli.render import fields as say
from confere.cli.render import labels, nfe_view
from confere.fiscal.detail import CarriedDocument, Fields, FreightDetail, ServicePlace
from confere.fiscal.law import codes
from confere.system import formatting
from confere.system.messages import render, t

_ALWAYS, _VALUE = 2, 2  # the columns that there are in any case, and the place of the value


def parts(made: list[RenderableType], detail: FreightDetail, most: int | None) -> None:
    """Everything below the parties; the first `most` carried documents, None for all."""
    _service(made, detail)
    _price(made, detail)
    _cargo(made, detail)
    _carried(made, detail.carried, most)
    say.groups(made, t("Legs"), detail.legs)
    say.groups(made, t("Modal"), detail.modal_fields)
    nfe_view.words(made, detail.words)
    say.facts_section(made, t("Identification"), say.fields(detail.identification))
    say.groups(made, t("Other fields"), detail.sections)


def _service(made: list[RenderableType], detail: FreightDetail) -> None:
    role = detail.taker_role or ""
    taker = next((entry.party for entry in detail.parties if entry.party.role == role), None)
    named = labels.party_word(taker.tax_id, taker.name) if taker is not None else ""
    said = labels.role_word(role) if role else ""
    say.facts_section(
        made,
        t("Service"),
        [
            (t("Taker of the freight"), f"{named} ({said})" if named and role != "taker" else named or said),
            (t("Route"), " → ".join(filter(None, (_place(detail.origin), _place(detail.destination))))),
            (t("Modal"), say.word("modal", detail.modal)),
            (t("Kind of service"), say.word("tpServ", detail.service)),
        ],
    )


def _place(found: ServicePlace) -> str:
    return "/".join(filter(None, (found.city, found.uf)))


def _price(made: list[RenderableType], detail: FreightDetail) -> None:
    facts: say.Facts = [(entry.name or "–", formatting.money(entry.amount_cents)) for entry in detail.components]
    facts += [
        (t("Total of the service"), formatting.money(detail.service_cents)),
        (t("Receivable"), formatting.money(detail.receivable_cents)),
        (t("Approximate taxes"), formatting.money(detail.approximate_taxes_cents)),
    ]
    for tax in detail.taxes:
        facts += say.tax_facts(tax)
    say.facts_section(made, t("Price"), facts)


def _cargo(made: list[RenderableType], detail: FreightDetail) -> None:
    found = detail.cargo
    facts: say.Facts = []
    if found is not None:
        facts = [
            (t("Product"), found.product),
            (t("Other traits"), found.words),
            (t("Value"), formatting.money(found.value_cents)),
            (t("Insured value"), formatting.money(found.insured_value_cents)),
            *(
                (entry.kind or t("Measures"), f"{say.number(entry.quantity)} {_unit(entry.unit)}".strip())
                for entry in found.measures
            ),
        ]
    say.facts_section(made, t("Cargo"), facts)
    for entry in detail.insurances:
        say.facts_section(
            made,
            t("Insurance"),
            [
                (t("Payer"), say.word("respSeg", entry.payer)),
                (t("Insurer"), entry.insurer),
                (t("Policy"), entry.policy),
                (t("Endorsement"), entry.endorsement),
                (t("Value"), formatting.money(entry.value_cents)),
            ],
        )


def _unit(code: str | None) -> str:
    """After a quantity the unit alone, where its code is known."""
    known = codes.word("cUnid", code)
    return render(known) if known is not None else code or ""


def _carried(made: list[RenderableType], found: Sequence[CarriedDocument], most: int | None) -> None:
    if not found:
        return
    shown = found if most is None else found[:most]
    rows = [
        (
            say.name(entry.kind),
            entry.access_key or entry.number or "",
            formatting.money(entry.value_cents),
            formatting.date(entry.expected_on),
            " · ".join(f"{label} {text}" for label, text in say.fields(_further(entry))),
        )
        for entry in shown
    ]
    headers = [t("Kind"), t("Access key or number"), t("Value"), t("Expected on"), t("Further")]
    told = [place for place in range(len(headers)) if place < _ALWAYS or any(row[place] for row in rows)]
    rows_told = [[row[place] for place in told] for row in rows]
    right = [place for place, column in enumerate(told) if column == _VALUE]
    say.section(made, t("Carries"), tables.table([headers[place] for place in told], rows_told, right=right))
    if len(shown) < len(found):
        rest = t(
            "{shown} of {total} carried documents; the others with --items all.",
            shown=formatting.count(len(shown)),
            total=formatting.count(len(found)),
        )
        made += [Text(""), Text(rest)]


def _further(found: CarriedDocument) -> Fields:
    """What the columns before do not tell."""
    told = {"chave", "chNFe", "chBPe"} if found.access_key else {"nDoc"}
    told |= {"dPrev"} if found.expected_on else set()
    if found.value_cents is not None:  # the first of these that is there
        paths = {path for path, _ in found.fields}
        told.add(next((path for path in ("vNF", "vDocFisc", "vDoc") if path in paths), ""))
    return tuple((path, text) for path, text in found.fields if path not in told)
