"""The options that choose documents, shared by what lists them and what saves a search, and the query they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from confere.cli.context import Face
from confere.cli.options import typed_values
from confere.cli.options.typed_values import Days
from confere.errors import UsageFault, message
from confere.fiscal.model import DocumentType
from confere.fiscal.model import State as DocumentState
from confere.fiscal.state import Ground as StateGround
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.documents.browse import DocumentQuery

_DIRECTIONS: Final = ("in", "out")
_VERDICTS: Final = ("ok", "failed", "altered", "unchecked", "test", "none")

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="WORDS",
        help=t(
            "Names, products, a number or series/number, an order, a key or its end, an amount (121,04, 100..200), "
            "a day or month (31/10, 31/10/2026, outubro, out/2026), fields such as 'value>100' or state:cancelled; "
            "joined by OR, NOT, '-word' and '( )': '(uf:SP OR uf:RJ) value>1000'."
        ),
    ),
]
Company = Annotated[
    str | None,
    typer.Option("--company", metavar="CNPJ", help=t("Documents that this company emitted or received.")),
]
Type = Annotated[
    list[str] | None,
    typer.Option("--type", metavar="T", help=t("nfe, nfce, cte, cteos, mdfe, voiding, other; may be repeated.")),
]
State = Annotated[
    list[str] | None,
    typer.Option(
        "--state",
        metavar="S",
        help=t(
            "authorized, complemented, unregistered, cancelled, cancelled_late, replaced, annulled, denied, "
            "rejected, no_protocol, voided, unknown; may be repeated."
        ),
    ),
]
Verdict = Annotated[
    list[str] | None,
    typer.Option(
        "--verdict",
        metavar="VERDICT",
        help=t("On authenticity: ok, failed (altered ones too), altered, unchecked, test or none; may be repeated."),
    ),
]
Ground = Annotated[
    list[str] | None,
    typer.Option(
        "--ground",
        metavar="GROUND",
        help=t(
            "What the state stands on: authentic_event, unchecked_event, answer_alone, other_document, "
            "contradicted or nothing; may be repeated."
        ),
    ),
]
Direction = Annotated[
    str | None, typer.Option("--direction", metavar="in|out", help=t("Goods coming in or going out."))
]
Marketplace = Annotated[str | None, typer.Option("--marketplace", metavar="M", help=t("As the hub writes it."))]
Subtype = Annotated[
    str | None, typer.Option("--subtype", metavar="S", help=t("The hub's word, such as sale or freight."))
]
Order = Annotated[str | None, typer.Option("--order", metavar="ID", help=t("Documents of this order."))]
Number = Annotated[int | None, typer.Option("--number", metavar="N", help=t("The document's number."))]
Series = Annotated[int | None, typer.Option("--series", metavar="N", help=t("The document's series."))]
Cfop = Annotated[str | None, typer.Option("--cfop", metavar="CFOP", help=t("With this CFOP in any item."))]
Account = Annotated[str | None, typer.Option("--account", metavar="NAME", help=t("Listed by this account's hub."))]
WithFindings = Annotated[
    bool,
    typer.Option("--with-findings", metavar="", help=t("Named by an open finding of reconciliation.")),
]
NoLongerListed = Annotated[
    bool, typer.Option("--gone", metavar="", help=t("No longer listed by the hub; what is here is kept."))
]
Tag = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", help=t("Bearing this tag; of several, any of them.")),
]

Saved = Annotated[
    str | None,
    typer.Option("--saved", metavar="NAME", help=t("Within this saved search; words and other options narrow it.")),
]


def query(
    *,
    company: str | None,
    days: Days,
    type: Sequence[str] | None,
    state: Sequence[str] | None,
    verdict: Sequence[str] | None,
    ground: Sequence[str] | None,
    direction: str | None,
    marketplace: str | None,
    subtype: str | None,
    order: str | None,
    number: int | None,
    series: int | None,
    cfop: str | None,
    account: str | None,
    with_findings: bool,
    no_longer_listed: bool,
    tag: Sequence[str] | None,
) -> DocumentQuery:
    """What the options ask for. `UsageFault` for a value that none of them takes."""
    from confere.app.documents.browse import DocumentQuery

    return DocumentQuery(
        company=typed_values.tax_id(company) if company is not None else None,
        from_day=days.from_day,
        to_day=days.to_day,
        types=typed_values.choices("--type", type, tuple(DocumentType)),
        states=typed_values.choices("--state", state, tuple(DocumentState)),
        verdict=typed_values.choices("--verdict", verdict, _VERDICTS),
        grounds=typed_values.choices("--ground", ground, tuple(StateGround)),
        direction=typed_values.choice("--direction", direction, _DIRECTIONS) if direction is not None else None,
        marketplaces=(marketplace,) if marketplace is not None else (),
        subtype=subtype,
        order_id=order,
        account=account,
        number=number,
        series=series,
        cfop=cfop,
        with_findings=True if with_findings else None,
        gone=True if no_longer_listed else None,
        tags=tuple(tag or ()),
    )


def understood(words: Sequence[str] | None, base: DocumentQuery) -> DocumentQuery:
    """What `words` of the search language ask for within `base`. `UsageFault` where they make no sense."""
    from confere.app.documents.search import search_language

    text = " ".join(words or ())
    parsed = search_language.parse(text, base)
    if parsed.problems:
        problem = parsed.problems[0]
        raise UsageFault(
            problem.what,
            message(
                "It is about character {place}: {part}. What stands in quotes within the quotes of the shell is looked "
                "for as it is: '\"ref:10\"'.",
                place=problem.start + 1,
                part=text[problem.start : problem.end][:60],
            ),
        )
    return parsed.query


def within(face: Face, name: str, query: DocumentQuery) -> DocumentQuery:
    """The query within the saved search of this name."""
    from confere.app.documents.organize import saved_searches
    from confere.cli.options.reconciliation_options import archive_of

    with archive_of(face) as opened:
        return saved_searches.within(opened, name, query)
